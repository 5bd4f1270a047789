# SPDX-License-Identifier: Apache-2.0
"""One-sided communication: targets that compute are served all the same; and what a report says where it goes wrong."""

from __future__ import annotations

import re
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
        ("fence", ", in MPI_Win_fence on table, for the other ranks"),
        ("lock", ", in MPI_Win_lock on table, for the exclusive lock of rank 0"),
        ("post", ", in MPI_Put on table, for MPI_Win_post() of rank 0"),
        ("complete", ", in MPI_Win_wait on table, for MPI_Win_complete() of rank 1"),
    ],
)
def test_what_never_comes_is_named(wrong: Path, tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, wrong, what)
    assert done.returncode != 0
    assert "deadlock" in done.stderr
    assert line in done.stderr


@pytest.fixture(scope="module")
def computing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "passive" / "computing.c", tmp_path_factory.mktemp("passive"), "mpicc")


@pytest.mark.parametrize("machine", [["2x1x1"], ["4x2x1"], ["2x2x1", "--mode", "vn"]], ids=" ".join)
@pytest.mark.parametrize("interrupts", [True, False])
def test_a_target_that_computes(computing: Path, tmp_path: Path, machine: list[str], interrupts: bool) -> None:
    settings = [] if interrupts else ["--env", "BGLMPI_INTERRUPTS=0"]
    done = toroid("run", "--results", tmp_path, "--shape", *machine, *settings, computing)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "disturbed" not in done.stdout
    found = re.search(r"found=7 done=([\d.]+) computed=([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    served = float(found[1]) < float(found[2])
    assert served == interrupts


def test_memory_that_is_not_attached_ends_the_job(wrong: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, wrong, "detached")
    assert done.returncode != 0
    assert "accesses 4 bytes at address 0x1000, which is not in memory attached to it" in done.stderr
