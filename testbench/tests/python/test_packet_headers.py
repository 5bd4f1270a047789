# SPDX-License-Identifier: Apache-2.0
"""What a trace's readers take from packet headers."""

from __future__ import annotations

from dataclasses import replace

from trace_files import trace_of

from toroid.trace.messages import ports


def test_only_headers_with_ports_have_any() -> None:
    trace = trace_of(end=1000, functions=("bglml_eager_register",), calls=[{"time": 1, "function": 0, "result": 12}])
    assert ports(trace)[12] == ("eager", "eager")
    torus = trace.metadata.torus.model_copy(update={"header": "another"})
    other = replace(trace, metadata=trace.metadata.model_copy(update={"torus": torus}))
    assert ports(other) == {}
