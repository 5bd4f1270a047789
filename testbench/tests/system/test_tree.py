# SPDX-License-Identifier: Apache-2.0
"""The tree on real cores through its driver: what arrives is right on every shape, and what stops it is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import PROGRAMS, compiled, read_result, toroid


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "tree_packets.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("shape", ["1x1x1", "2x1x1", "3x3x1", "4x4x2", "5x4x4"])
@pytest.mark.parametrize("what", ["broadcast", "reduce"])
def test_packets_arrive_right(program: Path, tmp_path: Path, shape: str, what: str) -> None:
    done = toroid("run", "--results", tmp_path, "--shape", shape, program, what, "40")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{what}: good" in done.stdout
    result = read_result(tmp_path)
    ranks, tree = len(result["ranks"]), result["tree"]
    assert tree["packets_injected"] == 40 * (ranks if what == "reduce" else 1)
    assert tree["packets_delivered"] == 40 * (ranks if what == "reduce" else ranks - 1)


def test_fewer_ranks_than_nodes_and_link_errors_change_no_result(program: Path, tmp_path: Path) -> None:
    for extra in (["--ranks", "13"], ["--set", "tree.bit_error_rate=1e-4"]):
        done = toroid("run", "--results", tmp_path, "--shape", "4x4x2", *extra, program, "reduce", "40")
        assert done.returncode == 0, done.stdout + done.stderr
        retransmissions = read_result(tmp_path)["tree"]["retransmissions"]
        assert (retransmissions > 0) == ("--set" in extra)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing", "5"], "tree node 5, class 0 on VC0: its processor has injected nothing"),
        (["mismatch", "7"], "one of class 0 with another opcode or operand size"),
        (["unread", "9"], "tree node 9, class 1 on VC0: the reception FIFO is full and its processor does not read it"),
    ],
)
def test_what_stops_the_tree_is_named(program: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    done = toroid("run", "--results", tmp_path, program, *arguments)
    assert done.returncode == 1, done.stderr
    assert says in done.stderr
    result = read_result(tmp_path)
    assert result["ended"] == "stuck"
    # Within the watchdog's time, and what little went before it.
    assert result["simulated_ns"] < 5_715_000 + 1_000_000


@pytest.mark.parametrize(
    ("what", "says"),
    [("read_empty", "read of the empty tree header"), ("write_full", "write to the full tree payload")],
)
def test_misuse_is_a_fault(program: Path, tmp_path: Path, what: str, says: str) -> None:
    done = toroid("run", "--results", tmp_path, program, what, "3")
    assert done.returncode == 1
    assert says in done.stderr
    assert "rank 3 (node 3,0,0)" in done.stderr
