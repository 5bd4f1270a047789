# SPDX-License-Identifier: Apache-2.0
"""A short part of the suite on the build with AddressSanitizer and UBSan: every kind of end of a program, and traffic.

`./toroid test --asan` runs everything on that build.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

ASAN = {"TOROID_PRESET": "asan"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(paths.preset() == "asan", reason="the whole suite runs on this build"),
]


@pytest.mark.parametrize(
    ("program", "options", "ended", "status"),
    [
        ("hello", [], "completed", 0),
        ("stress", ["--set", "torus.bit_error_rate=1e-5"], "completed", 0),
        ("null", [], "fault", 1),
        ("malformed_header", [], "fault", 1),
        ("forever", ["--timeout", "100us"], "timeout", 124),
        ("poll_forever", [], "deadlock", 1),
    ],
)
def test_programs(tmp_path: Path, program: str, options: list[str], ended: str, status: int) -> None:
    arguments: Arguments = ["--shape", "2x2x1", *options, paths.guest_program(program)]
    done = toroid("run", "--results", tmp_path, *arguments, env=ASAN, timeout=300)
    assert done.returncode == status, done.stderr
    assert "runtime error" not in done.stderr
    assert read_result(tmp_path)["ended"] == ended


def test_traffic(tmp_path: Path) -> None:
    options = ["--shape", "4x4x2", "--load", "0.9", "--warmup", "500", "--measure", "2000", "--check"]
    done = toroid("traffic", "--results", tmp_path, *options, env=ASAN, timeout=300)
    assert done.returncode == 0, done.stderr
