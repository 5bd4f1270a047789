# SPDX-License-Identifier: Apache-2.0
"""The large stresses of docs/validation.md: 100,000 messages or operations, every byte checked."""

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


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("shape", "processes", "rounds"), [("2x2x2x1x2", 1, 625), ("2x1x1x1x1", 16, 313)])
def test_every_byte_of_every_operation_of_pami(tmp_path: Path, shape: str, processes: int, rounds: int) -> None:
    done = toroid(
        "run", "--results", tmp_path, "--machine", "bgq", "--shape", shape, "--ranks-per-node", str(processes),
        paths.guest_program("pami_stress", "bgq"), "7", str(rounds), "20000", timeout=7000,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.match(r"(\d+) operations of \d+ tasks, (\d+) bytes by puts, gets and messages, 0 wrong\n", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) >= MESSAGES
    # On average some hundred bytes each, or sizes were not drawn.
    assert int(found[2]) > MESSAGES * 100
