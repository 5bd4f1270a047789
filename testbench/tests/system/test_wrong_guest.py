# SPDX-License-Identifier: Apache-2.0
"""Programs that use Blue Gene/P's DMA and kernel wrongly end in some way of their own, and never the simulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

CASES = 500
SEEDS = [*range(1, 5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 400))]
# Which FIFO or counter, where the descriptor or packet is, and which rule.
RULE = re.compile(r"rank \d+ \(node .*\): DMA .*(FIFO|counter|packet).*\(DMA-[A-Z]+\d+\)")


@pytest.mark.parametrize("mode", ["smp", "vn"])
@pytest.mark.parametrize("seed", SEEDS)
def test_wrong_guests(seed: int, mode: str, tmp_path: Path) -> None:
    limits = ["--mode", mode, "--shape", "2x1x1", "--timeout", "20ms", "--results", str(tmp_path / "results")]
    program = paths.guest_program("wrong_guest", "bgp")
    done = toroid("run", "--machine", "bgp", *limits, program, str(seed), str(CASES), cwd=tmp_path)
    assert done.returncode >= 0, done.stderr
    assert "runtime error" not in done.stderr
    assert "AddressSanitizer" not in done.stderr
    result = read_result(tmp_path / "results")
    assert result["ended"] in ("completed", "fault", "timeout", "deadlock"), (result["error"], done.stderr)
    assert "begins" in done.stdout
    if "DMA-" in (result["error"] or ""):
        assert RULE.search(result["error"]), result["error"]
