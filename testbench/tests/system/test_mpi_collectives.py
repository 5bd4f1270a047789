# SPDX-License-Identifier: Apache-2.0
"""MPI's collective operations by every algorithm, whatever sizes it is meant for: environment variables move the limits
so that all sizes of the programs in testbench/tests/mpi go one way."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

SOURCES = paths.ROOT / "testbench" / "tests" / "mpi"
MOST = 2**31 - 1
LIMITS = {
    "short": {
        "BGLMPI_NETWORKS": 0,
        "BGLMPI_BCAST_BINOMIAL": MOST,
        "BGLMPI_GATHER_BINOMIAL": MOST,
        "BGLMPI_ALLGATHER_DOUBLING": MOST,
        "BGLMPI_ALLREDUCE_DOUBLING": MOST,
        "BGLMPI_REDUCE_SCATTER_ROOT": MOST,
    },
    "long": {
        "BGLMPI_NETWORKS": 0,
        "BGLMPI_BCAST_BINOMIAL": 0,
        "BGLMPI_GATHER_BINOMIAL": 0,
        "BGLMPI_ALLGATHER_DOUBLING": 0,
        "BGLMPI_ALLREDUCE_DOUBLING": 0,
        "BGLMPI_REDUCE_SCATTER_ROOT": 0,
    },
    "rendezvous": {"BGLMPI_NETWORKS": 0, "BGLMPI_SHORT": 0, "BGLMPI_EAGER": 0},
    "torus": {
        "BGLMPI_BCAST_TREE": 0,
        "BGLMPI_BCAST_TORUS": 1,
        "BGLMPI_REDUCE_TREE": 0,
        "BGLMPI_ALLGATHER_TREE": 0,
        "BGLMPI_ALLGATHER_TORUS": 1,
        "BGLMPI_ALLTOALL_TORUS": 1,
    },
    "tree": {
        "BGLMPI_BCAST_TREE": MOST,
        "BGLMPI_REDUCE_TREE": MOST,
        "BGLMPI_SUM_TREE": MOST,
        "BGLMPI_SUM_WIDE": 0,
        "BGLMPI_ALLGATHER_TREE": MOST,
        "BGLMPI_ALLTOALL_TORUS": MOST,
    },
}
MACHINES = {
    "co": ["--shape", "3x2x1"],
    "vn": ["--shape", "2x2x1", "--mode", "vn"],
    "fewer": ["--shape", "4x2x1", "--ranks", "5"],
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("collectives")
    names = ("collectives", "reductions")
    return {name: compiled(SOURCES / f"{name}.c", directory, "mpicc") for name in names}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("name", ["collectives", "reductions"])
def test_every_algorithm(programs: dict[str, Path], tmp_path: Path, name: str, limits: str, machine: str) -> None:
    settings = [part for key, value in LIMITS[limits].items() for part in ("--env", f"{key}={value}")]
    done = toroid("run", "--results", tmp_path, *MACHINES[machine], *settings, programs[name], timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok" in done.stdout


@pytest.mark.parametrize(
    ("what", "status", "says"),
    [
        ("operation", 1, "in MPI_Scan on half, receiving from rank 1"),
        ("count", 113, "MPI rank 2: MPI_Bcast: rank 0 sends 8 bytes where 12 are expected"),
    ],
)
def test_ranks_at_odds(tmp_path: Path, what: str, status: int, says: str) -> None:
    program = compiled(SOURCES / "wrong" / "collectives.c", tmp_path, "mpicc")
    done = toroid("run", "--results", tmp_path, "--shape", "2x2x1", program, what)
    assert done.returncode == status, done.stdout + done.stderr
    assert says in done.stderr
