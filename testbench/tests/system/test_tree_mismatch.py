# SPDX-License-Identifier: Apache-2.0
"""Ranks that call different operations over the tree: never wrong data and status 0, and a report that says what was
expected and what came."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import PROGRAMS, compiled, toroid


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "tree_mismatch.c", tmp_path_factory.mktemp("programs"))


REFUSED = {
    "bytes": r"operation 1 over the tree, broadcast of \d+ bytes, root 0: packet 0 must be class 1, no operation",
    "packets": r"broadcast of 256 bytes, root 0|broadcast of 512 bytes, root 0",
    "root": r"broadcast of 64 bytes, root \d: packet 0 must be|allreduce of 36 bytes: packet 0 must be class 0",
    "count": r"allreduce of \d+ bytes: packet 0 must be class 0, sum of 32 bits, tag \d+, but class 0, sum of 32 bits",
    "smaller": r"allreduce of 36 bytes: packet 0 must be class 0, maximum of 32 bits",
    "signed": r"allreduce of 36 bytes: packet 0 must be class 0, maximum of 32 bits",
    "reduce": r"reduction of 36 bytes, root \d: packet 0 must be class 0, sum of 32 bits",
    "order": r"but class 1, no operation of 16 bits, tag \d+ arrived",
    "skipped": r"operation 3 over the tree, allreduce of 36 bytes: packet 0 must be class 0",
    "again": r"operation 1 over the tree, allreduce of 36 bytes: packet 0 must be class 0, OR of 32 bits, tag \d+, but "
    r"class 1, no operation",
}


@pytest.mark.parametrize("machine", [["--shape", "3x2x2"], ["--shape", "3x2x1", "--mode", "vn"]])
@pytest.mark.parametrize("how", [*REFUSED, "opcode", "size", "double", "none"])
def test_no_mismatch_goes_unnoticed(program: Path, tmp_path: Path, machine: list[str], how: str) -> None:
    done = toroid("run", "--results", tmp_path, *machine, program, how, "0" if how == "root" else "1")
    assert "Traceback" not in done.stderr
    if how == "none":
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode not in (0, 124), done.stdout
    if "vn" in machine and "the node's other process" in done.stderr:
        assert re.search(r"message layer: rank \d+: operation \d+ over the tree, [a-z ]+ of \d+ bytes", done.stderr)
    elif how in REFUSED and ("message layer" in done.stderr or "vn" not in machine):
        assert re.search(r"message layer: rank \d+: .*" + f"({REFUSED[how]})", done.stderr), done.stderr
        assert "all ranks must call the same operations" in done.stderr
    else:
        assert re.search(r"tree (I/O )?node \d+, class 0 on VC0: ", done.stderr), done.stderr
