# SPDX-License-Identifier: Apache-2.0
"""One-sided communication that goes wrong: the report of a job that does not end says who waits for what."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

SOURCES = paths.ROOT / "testbench" / "tests" / "mpi"


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "wrong" / "one_sided.c", tmp_path_factory.mktemp("wrong"), "mpicc")


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("fence", "main, in MPI_Win_fence on table, for the other ranks"),
        ("lock", "main, in MPI_Win_lock on table, for the exclusive lock of rank 0"),
        ("post", "main, in MPI_Put on table, for MPI_Win_post() of rank 0"),
        ("complete", "main, in MPI_Win_wait on table, for MPI_Win_complete() of rank 1"),
    ],
)
def test_what_never_comes_is_named(wrong: Path, tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, wrong, what)
    assert done.returncode != 0
    assert "deadlock" in done.stderr
    assert line in done.stderr


def test_memory_that_is_not_attached_ends_the_job(wrong: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, wrong, "detached")
    assert done.returncode != 0
    assert "accesses 4 bytes at address 0x1000, which is not in memory attached to it" in done.stderr
