# SPDX-License-Identifier: Apache-2.0
"""Ranks that do not agree about an operation over the torus: never wrong data and status 0, but a line that says what
was due and what came."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import PROGRAMS, Arguments, compiled, toroid

# By packets along lines; in virtual node mode and where some have no rank, messages do it in part or wholly.
ALONG_LINES = r"broadcast along lines number \d+ \(modulo 16\) of \d+ bytes, root \d: a packet of number \d+, root \d,"


def by_messages(name: str) -> str:
    return rf"operation \d by messages, {name}.*: from rank \d came a message of operation \d by messages, "


LINES = f"({ALONG_LINES}|{by_messages('broadcast along lines')})"
REFUSED = {
    "deposit-root": LINES,
    "deposit-bytes": LINES,
    "neighbours-root": by_messages("broadcast by neighbours of 1000 bytes, root 1"),
    "neighbours-bytes": by_messages("broadcast by neighbours of 990 bytes, root 0"),
    "binomial-root": by_messages("binomial broadcast of 1000 bytes, root 1"),
    "binomial-bytes": by_messages("binomial broadcast of 990 bytes, root 0"),
    "way": by_messages("(binomial broadcast|broadcast by neighbours) of 1000 bytes, root 0"),
    "exchange": by_messages("(allgatherv|all-to-all at once)"),
}
# The tree's, where messages must do.
TREE = {
    "tree-root": by_messages("broadcast of the tree's operations of 1000 bytes, root 1"),
    "tree-bytes": by_messages("broadcast of the tree's operations of 990 bytes, root 0"),
}
MACHINES: list[tuple[Arguments, int]] = [
    (["--shape", "4x1x1"], 0),
    (["--shape", "4x1x1", "--mesh", "X"], 0),
    (["--shape", "2x1x1", "--mode", "vn"], 0),
    (["--shape", "2x2x2"], 5),
]
CASES = [(machine, ranks, how) for machine, ranks in MACHINES for how in (*REFUSED, *(TREE if ranks else ()), "none")]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "torus_mismatch.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize(("machine", "ranks", "how"), CASES)
def test_no_mismatch_goes_unnoticed(program: Path, tmp_path: Path, machine: Arguments, ranks: int, how: str) -> None:
    done = toroid("run", "--results", tmp_path, *machine, "--timeout", "20ms", program, how, str(ranks))
    assert "Traceback" not in done.stderr
    if how == "none":
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode not in (0, 3, 124), done.stdout + done.stderr
    line = re.search(rf"message layer: rank \d: (after )?{(REFUSED | TREE)[how]}.*", done.stderr)
    assert line is not None, done.stderr
    assert "all ranks must call the same operations in the same order, with the same sizes and roots" in line[0]
