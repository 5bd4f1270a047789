# SPDX-License-Identifier: Apache-2.0
"""The large stress of docs/validation.md: 100,000 messages of 0 B to 1 MB, every byte checked, on links with errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

MESSAGES = 100_000


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("mode", "ranks"), [("co", 32), ("vn", 64)])
def test_every_byte_of_every_message(tmp_path: Path, mode: str, ranks: int) -> None:
    done = toroid(
        "run", "--results", tmp_path, "--mode", mode, "--shape", "4x4x2", "--set", "torus.bit_error_rate=1e-6",
        paths.guest_program("stress"), "--max-size", "1048576", "--size-draws", "2",
        "--messages", str(-(-MESSAGES // ranks)), "--seed", "5", timeout=7000,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    counted = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", done.stdout)}
    assert counted["ranks"] == ranks
    assert counted["messages"] >= MESSAGES
    assert counted["mismatches"] == 0
    # Of each message some ten kilobytes on average, or sizes up to 1 MB were not drawn.
    assert counted["bytes"] > MESSAGES * 10_000
    assert counted["disordered"] > 0
    network = read_result(tmp_path)["network"]
    assert network["retransmissions"] > 0
    assert network["packets_delivered"] == network["packets_injected"]
