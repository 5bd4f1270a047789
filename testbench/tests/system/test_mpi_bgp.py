# SPDX-License-Identifier: Apache-2.0
"""MPI on Blue Gene/P: the programs that check its semantics, in C, C++ and Fortran, and those of several threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import Arguments, compiled, read_result, toroid

from toroid import paths

MPI = paths.ROOT / "testbench" / "tests" / "mpi"
PROGRAMS = [*sorted(MPI.glob("*.c")), MPI / "from_cpp.cpp", *sorted(MPI.glob("fortran_*.f*"))]
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f": "mpif77", ".f90": "mpif90"}
JOBS = {
    "smp": ["--shape", "2x2x1"],
    "one": ["--shape", "1x1x1"],
    "odd": ["--shape", "3x1x1"],
    "dual": ["--shape", "2x1x1", "--mode", "dual"],
    "vn": ["--shape", "2x1x1", "--mode", "vn"],
}
# The rest are for the long suite: what is the same on all machines has been tested on Blue Gene/L.
SHORT = {"messages", "collectives", "one_sided_epochs", "threads", "from_cpp", "fortran_messages"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What has been compiled so far, by name."""
    return {"": tmp_path_factory.mktemp("bgp")}


def cases() -> list[object]:
    return [
        pytest.param(
            source,
            job,
            id=f"{source.stem}-{job}",
            marks=[] if job == "smp" and source.stem in SHORT else [pytest.mark.long],
        )
        for source in PROGRAMS
        for job in JOBS
    ]


def run(directory: Path, program: Path, *options: str, arguments: Sequence[str] = ()) -> str:
    """Its output. The job has a directory of its own: a file of another job would change when it does what."""
    places: Arguments = ["--results", directory, "--directory", directory]
    done = toroid("run", "--machine", "bgp", *places, *options, program, *arguments, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("source", "job"), cases())
def test_semantics(programs: dict[str, Path], tmp_path: Path, source: Path, job: str) -> None:
    if source.stem not in programs:
        programs[source.stem] = compiled(source, programs[""], COMPILERS[source.suffix], ["--machine", "bgp"])
    assert "ok" in run(tmp_path, programs[source.stem], *JOBS[job])


@pytest.mark.parametrize(("job", "threads"), [("smp", 4), ("dual", 2), ("vn", 1)])
def test_openmp_and_mpi(tmp_path: Path, job: str, threads: int) -> None:
    program = compiled(MPI / "hybrid" / "openmp.c", tmp_path, "mpicc", ["--machine", "bgp", "-fopenmp"])
    assert run(tmp_path, program, *JOBS[job]) == f"level 3, {threads} threads\nok\n"


def test_dcmf_beside_mpi_in_a_helper_thread(tmp_path: Path) -> None:
    program = compiled(MPI / "hybrid" / "helper_thread.c", tmp_path, "mpicc", ["--machine", "bgp"])
    assert run(tmp_path, program, "--shape", "2x1x1") == "ok\n"


@pytest.mark.parametrize(
    ("options", "rounds"),
    [
        pytest.param(["--shape", "2x2x1"], 2),
        pytest.param(["--shape", "4x2x1"], 40, marks=pytest.mark.long),
        pytest.param(["--shape", "2x2x1", "--mode", "dual"], 40, marks=pytest.mark.long),
        pytest.param(["--shape", "2x1x1", "--mode", "vn"], 40, marks=pytest.mark.long),
        pytest.param(["--shape", "2x2x1", "--set", "torus.bit_error_rate=1e-6"], 40, marks=pytest.mark.long),
    ],
    ids=["few", "smp", "dual", "vn", "link_errors"],
)
def test_random_messages(tmp_path: Path, options: list[str], rounds: int) -> None:
    program = compiled(MPI / "hybrid" / "random_messages.c", tmp_path, "mpicc", ["--machine", "bgp"])
    assert run(tmp_path, program, *options, arguments=[str(rounds)]) == "ok\n"


@pytest.mark.parametrize(
    ("source", "arguments"), [("hybrid/random_messages.c", ["1"]), ("threads.c", [])], ids=["one_thread", "threads"]
)
def test_same_results_without_parking_and_with_another_quantum(
    tmp_path: Path, source: str, arguments: list[str]
) -> None:
    program = compiled(MPI / source, tmp_path, "mpicc", ["--machine", "bgp"])
    results = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=1700"]):
        run(tmp_path, program, "--shape", "2x1x1", *options, arguments=arguments)
        result = read_result(tmp_path)
        results.append((result["simulated_ns"], [rank["instructions"] for rank in result["ranks"]]))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize(
    ("what", "status", "lines"),
    [
        (
            "counts",
            113,
            ["reduction, DCMF_SUM of 2 DCMF_SIGNED_INT, to all ranks here, but a reduction, DCMF_SUM of 3 DCMF"],
        ),
        ("two collectives", 1, ["a reduction (DCMF_SUM) of 4 bytes over", "a broadcast of 4 bytes from place 0 over"]),
        (
            "thread level",
            113,
            ["MPI_Init_thread: the required level of threads is 99; it must be MPI_THREAD_SINGLE (0), "],
        ),
    ],
)
def test_wrong_use_is_named_in_terms_of_operations(
    programs: dict[str, Path], tmp_path: Path, what: str, status: int, lines: list[str]
) -> None:
    if "use" not in programs:
        programs["use"] = compiled(MPI / "wrong" / "use.c", programs[""], "mpicc", ["--machine", "bgp"])
    done = toroid("run", "--machine", "bgp", "--shape", "2x2x1", "--results", tmp_path, programs["use"], what)
    assert done.returncode == status, done.stderr
    for line in lines:
        assert line in done.stderr, done.stderr
    assert "without MPI_Finalize" not in done.stderr
