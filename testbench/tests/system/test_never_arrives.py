# SPDX-License-Identifier: Apache-2.0
"""A rank that never comes: the report says which ranks wait, for what, and which rank is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import PROGRAMS, compiled, read_result, toroid

NODES = 12
ODD = 5


def without_lines(text: str) -> str:
    """A report without the source lines behind functions."""
    return re.sub(r" \(\w+\.c:\d+\)", "", text)


# What is said, beside where each rank is.
WAITS = {
    "barrier": "called by main, in the barrier over global interrupts",
    "broadcast": "bglml_tree_broadcast, main, in broadcast, operation 0, class 1 of the tree, root rank 5",
    "allreduce": "main, in allreduce, operation 0, class 0 of the tree",
    "torus": "bglml_broadcast, main",
    "torus-lines": f"in a broadcast along lines, for rank {ODD}'s packets",
    "torus-messages": "in a broadcast by messages, for slice 0 of 1 of its piece 0 of 1",
    "torus-all": f"in an all-to-all, for rank {ODD}'s block",
    "torus-packets": "in an all-to-all by packets, for parts of blocks of 64 bytes from all other ranks",
}
MISSING = {
    "barrier": f"global interrupt channel 1: {NODES - 1} nodes wait; not raised by node {ODD}",
    "allreduce": f"tree node {ODD}, class 0 on VC0: its processor has injected nothing",
    "torus": f"global interrupt channel 1: {NODES - 1} nodes wait; not raised by node {ODD}",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.mark.parametrize("instead", ["exits", "computes"])
@pytest.mark.parametrize("what", WAITS)
def test_who_is_missing_is_named(programs: Path, tmp_path: Path, what: str, instead: str) -> None:
    program = compiled(PROGRAMS / "never_arrives.c", programs)
    done = toroid(
        "run", "--results", tmp_path, "--shape", "3x2x2", "--timeout", "8ms", program, what, str(ODD), instead
    )
    result = read_result(tmp_path)
    if instead == "computes":
        assert (done.returncode, result["ended"]) == (124, "timeout")
    else:
        assert (done.returncode, result["ended"]) == (1, "stuck" if what == "allreduce" else "deadlock")
        assert result["simulated_ns"] < 5_715_000 + 1_000_000  # the watchdog's time and what went before
    waiting = [rank["waiting"] for rank in result["ranks"] if rank["rank"] != ODD]
    assert all(WAITS[what] in without_lines(text) for text in waiting), waiting
    assert WAITS[what] in without_lines(done.stderr)
    if what in MISSING:
        assert MISSING[what] in result["stuck"]
        assert MISSING[what] in done.stderr


@pytest.mark.parametrize(
    ("what", "waits"),
    [
        # Some have to do with the missing rank, others wait for those who do.
        ("torus-pairs", f"in an all-to-all in pairs, for rank {ODD}'s block"),
        ("torus-gather", f"in an allgatherv, for blocks from rank {ODD}"),
    ],
)
def test_who_is_waited_for_first_is_named(programs: Path, tmp_path: Path, what: str, waits: str) -> None:
    program = compiled(PROGRAMS / "never_arrives.c", programs)
    done = toroid("run", "--results", tmp_path, "--shape", "3x2x2", program, what, str(ODD), "exits")
    result = read_result(tmp_path)
    # Stuck where packets lie at the rank that has ended.
    assert done.returncode == 1
    assert result["ended"] in ("deadlock", "stuck")
    waiting = [rank["waiting"] or "" for rank in result["ranks"]]
    assert any(waits in text for text in waiting), waiting


def test_packets_that_no_rank_takes_are_reported(programs: Path, tmp_path: Path) -> None:
    """A broadcast of three packets at the end, which the others do not call."""
    program = compiled(PROGRAMS / "tree_mismatch.c", programs)
    done = toroid("run", "--results", tmp_path, "--shape", "2x1x1", program, "last", "1")
    assert done.returncode == 1
    result = read_result(tmp_path)
    assert result["ended"] == "completed"
    assert "tree node 0, class 1: 3 packets in its reception FIFO, not read" in result["error"]
    assert "not received from the tree: tree node 0, class 1: 3 packets in its reception FIFO, not read" in done.stderr
    left = [{key: part[key] for key in ("where", "node", "class", "packets")} for part in result["tree"]["left_over"]]
    assert left == [{"where": "reception", "node": 0, "class": 1, "packets": 3}]
    assert toroid("run", "--results", tmp_path, "--shape", "2x1x1", program, "none", "1").returncode == 0
    assert read_result(tmp_path)["tree"]["left_over"] == []
