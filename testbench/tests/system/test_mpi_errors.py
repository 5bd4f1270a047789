# SPDX-License-Identifier: Apache-2.0
"""Errors of MPI programs that end the job: one line says which rank and function, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

EXIT_ERROR = 113  # firmware/mpi/error.h


@pytest.fixture(scope="module")
def fatal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = paths.ROOT / "testbench" / "tests" / "mpi" / "wrong" / "fatal.c"
    return compiled(source, tmp_path_factory.mktemp("fatal"), "mpicc")


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("rank", "MPI_Send: destination is rank 4711; there are ranks 0 to 1 and MPI_PROC_NULL"),
        ("null", "MPI_Comm_rank: the communicator is MPI_COMM_NULL"),
        ("called", "MPI_Comm_call_errhandler: invalid topology"),
        ("group", "MPI_Group_size: the group is MPI_GROUP_NULL"),
        ("split", "MPI_Comm_split: the colour is -3; it must be 0 or more, or MPI_UNDEFINED"),
    ],
)
def test_fatal_errors_name_rank_and_function(fatal: Path, tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, fatal, what)
    assert done.returncode != 0
    assert f"MPI rank 1: {line}\n" in done.stderr
    assert f"rank 1: exit status {EXIT_ERROR}" in done.stderr
    assert "MPI rank 0" not in done.stderr


def test_a_handler_of_the_programs_own_may_end_the_job(fatal: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, fatal, "own")
    assert done.returncode != 0
    assert "the handler was told: invalid count\n" in done.stderr
    assert "MPI_Abort() with code 7" in done.stderr
