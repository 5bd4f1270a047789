# SPDX-License-Identifier: Apache-2.0
"""Traces for tests, made of a few fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from toroid.trace.reader import Metadata, Trace
from toroid.trace.records import KINDS

Record = Mapping[str, int | Sequence[int]]


def trace_of(*, end: int, functions: tuple[str, ...] = (), **tables: Sequence[Record]) -> Trace:
    """Of a machine of 2x2x1 nodes with a rank each. Fields that are not named are 0."""
    places = [{"rank": node, "node": node, "coordinates": (node % 2, node // 2, 0), "t": 0} for node in range(4)]
    metadata = Metadata.model_validate({
        "program": "program", "dimensions": "XYZ", "shape": (2, 2, 1), "wrap": (True, True, True),
        "processes_per_node": 1, "ranks": places,
        "core_mhz": 700, "network_mhz": 175, "contents": False, "functions": functions,
        "torus": {
            "wire_cycles": (1,), "wire_overhead_bytes": 0, "hop_cycles": 1, "injection_cycles": 1,
            "reception_cycles": 1, "injection_fifos_per_group": 4, "reception_fifos_per_group": 7,
        },
        "tree": {
            "compute_nodes": 4, "root": 4, "wire_cycles": 1, "hop_cycles": 1, "reception_cycles": 1, "channels": (),
        },
    })  # fmt: skip
    made = {}
    for kind in KINDS:
        records = tables.pop(kind.name, [])
        made[kind.name] = np.zeros(len(records), kind.dtype)
        for row, record in zip(made[kind.name], records, strict=True):
            for name, value in record.items():
                row[name] = value
    assert not tables, f"no such tables: {', '.join(tables)}"
    return Trace(metadata, made, end, True)
