# SPDX-License-Identifier: Apache-2.0
"""Programs as people write them for any MPI: they are compiled as they are, and print what they print elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

SOURCES = paths.ROOT / "testbench" / "tests" / "mpi" / "programs"
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f": "mpif77", ".f90": "mpif90"}
# The number of ranks, the machine, and options of ./toroid run.
JOBS = {
    "torus": (4, "bgl", ["--shape", "2x2x1"]),
    "vn": (6, "bgl", ["--shape", "3x1x1", "--mode", "vn"]),
    "bgp": (4, "bgp", ["--shape", "2x2x1"]),
    "bgp_vn": (8, "bgp", ["--shape", "2x1x1", "--mode", "vn"]),
    "bgq": (4, "bgq", ["--shape", "2x2x1x1x1"]),
    "bgq_sharing": (8, "bgq", ["--shape", "1x1x1x1x2", "--ranks-per-node", "4"]),
}
# The rest are for the long suite.
SHORT = {"torus", "vn"}
# What rank 0 reads.
INPUT = {"trapezoid.f90": "0 3\n90\n"}
# What rank 0 prints; {n} stands for the number of ranks.
OUTPUT = {
    "cg.f90": " converged: T right: T\n",
    "cpi.c": "pi is approximately 3.1415927, error is small\nwall clock time is positive\n",
    "exchange.f": " halo difference   0.00000000    \n",
    "farm.c": "20 results, total 1330\n",
    "fpi.f": "  pi is approximately:           3.141593 close: T\n",
    "grid.c": "grid correct\n",
    "heat.f90": "steps 40 heat 6489.694391 last change 0.592456\n",
    "heat2d.c": "steps 40 heat 6489.694391 last change 0.592456\n",
    "life.cpp": "5 cells alive, 5 of the glider where it belongs\n",
    "matmul.c": "matrix product: 0 wrong elements, c[5][7] = 8304.0\n",
    "montecarlo.f90": "throws per process 2000, near pi: T, as counted: T, extent 24\n",
    "nbody.cpp": "forces balance, threads understood\n",
    "ring.c": "after lap 0 the token is {n}\nafter lap 1 the token is {n2}\nafter lap 2 the token is {n3}\n",
    "samplesort.c": "sorted all numbers: 0 out of order, difference of sums 0\n",
    "sieve.c": "1229 primes are less than or equal to 10000\n",
    "trapezoid.f90": "with 90 trapezoids the integral is 9.0006\n",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What has been compiled so far, by name."""
    return {"": tmp_path_factory.mktemp("programs")}


def test_each_program_has_its_output() -> None:
    assert {source.name for source in SOURCES.iterdir()} == set(OUTPUT)


@pytest.mark.parametrize("job", [job if job in SHORT else pytest.param(job, marks=pytest.mark.long) for job in JOBS])
@pytest.mark.parametrize("name", OUTPUT)
def test_program(programs: dict[str, Path], tmp_path: Path, name: str, job: str) -> None:
    source = SOURCES / name
    ranks, machine, options = JOBS[job]
    key = f"{machine}/{name}"
    if key not in programs:
        directory = programs[""] / machine
        directory.mkdir(exist_ok=True)
        programs[key] = compiled(source, directory, COMPILERS[source.suffix], ["--machine", machine])
    command = ["run", "--machine", machine, "--results", str(tmp_path), *options]
    done = toroid(*command, programs[key], stdin=INPUT.get(name, ""))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == OUTPUT[name].format(n=ranks, n2=2 * ranks, n3=3 * ranks)
