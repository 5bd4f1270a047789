# SPDX-License-Identifier: Apache-2.0
"""MPI's communicators of parts of a Blue Gene/Q: those of rectangles of nodes have class routes of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

PROGRAM = paths.ROOT / "testbench" / "tests" / "mpi" / "collective" / "parts.c"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAM, tmp_path_factory.mktemp("parts"), "mpicc", ["--machine", "bgq"])


def times(
    program: Path, results: Path, shape: str, columns: int, processes: int, *settings: str
) -> dict[str, list[int]]:
    """Nanoseconds by kind of part: of an allreduce, by messages; of a barrier, by messages."""
    job = ["--shape", shape, "--ranks-per-node", str(processes), *settings]
    done = toroid(
        "run", "--results", results, "--machine", "bgq", *job, program, str(columns), str(processes), timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok" in done.stdout.splitlines()
    lines = re.findall(r"(.*) of \d+: allreduce (\d+) (\d+) barrier (\d+) (\d+)", done.stdout)
    return {name: [int(number) for number in numbers] for name, *numbers in lines}


@pytest.mark.parametrize(("shape", "columns", "processes"), [("4x4x1x1x1", 4, 1), ("2x3x1x1x1", 3, 4)])
def test_rectangles_beat_messages(program: Path, tmp_path: Path, shape: str, columns: int, processes: int) -> None:
    found = times(program, tmp_path, shape, columns, processes)
    # The quarter at the end comes after more communicators than a node has classes.
    for part in ("row", "column", "half", "quarter", *(["node"] if processes > 1 else [])):
        reduction, reduction_by_messages, barrier, barrier_by_messages = found[part]
        assert 2 * reduction < reduction_by_messages, part
        assert 2 * barrier < barrier_by_messages, part
    # The others are right as well, and as slow as messages are.
    for part in ("no rectangle", *(["a rank of each node"] if processes > 1 else [])):
        assert 2 * found[part][0] > found[part][1], part


def test_they_can_be_left_to_messages(program: Path, tmp_path: Path) -> None:
    found = times(program, tmp_path, "2x2x1x1x1", 2, 1, "--env", "BGQMPI_PART_ROUTES=0")
    for part in ("row", "column", "half"):
        assert 2 * found[part][0] > found[part][1], part
