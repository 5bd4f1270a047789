# SPDX-License-Identifier: Apache-2.0
"""MPI on machines whose processes have threads: the programs that check its semantics, in C, C++ and Fortran, and those
of several threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers import Arguments, compiled, read_result, toroid

from toroid import paths

MPI = paths.ROOT / "testbench" / "tests" / "mpi"
PROGRAMS = [*sorted(MPI.glob("*.c")), MPI / "from_cpp.cpp", *sorted(MPI.glob("fortran_*.f*"))]
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f": "mpif77", ".f90": "mpif90"}


@dataclass(frozen=True)
class Job:
    """Where programs run: a machine, options, and the threads that a process may have."""

    machine: str
    name: str
    options: tuple[str, ...]
    threads: int

    def __str__(self) -> str:
        return f"{self.machine}_{self.name}"


SMP = Job("bgp", "smp", ("--shape", "2x2x1"), 4)
DUAL = Job("bgp", "dual", ("--shape", "2x1x1", "--mode", "dual"), 2)
VN = Job("bgp", "vn", ("--shape", "2x1x1", "--mode", "vn"), 1)
# Of Blue Gene/Q: a process a node, and several, whose messages also take ways within the node.
ALONE = Job("bgq", "alone", ("--shape", "2x2x1x1x1"), 64)
SHARING = Job("bgq", "sharing", ("--shape", "1x1x2x1x1", "--ranks-per-node", "2"), 32)
CROWDED = Job("bgq", "crowded", ("--shape", "1x1x1x1x2", "--ranks-per-node", "16"), 4)
JOBS = [
    SMP,
    Job("bgp", "one", ("--shape", "1x1x1"), 4),
    Job("bgp", "odd", ("--shape", "3x1x1"), 4),
    DUAL,
    VN,
    ALONE,
    Job("bgq", "one", ("--shape", "1x1x1x1x1"), 64),
    Job("bgq", "odd", ("--shape", "3x1x1x1x1"), 64),
    SHARING,
    CROWDED,
]
# The rest are for the long suite: what is the same on all machines has been tested on Blue Gene/L.
SHORT = {
    SMP: {"messages", "collectives", "one_sided_epochs", "threads", "from_cpp", "fortran_messages"},
    ALONE: {"messages", "one_sided_epochs", "threads", "from_cpp", "fortran_old", "fortran_attributes"},
    SHARING: {"messages", "collectives", "one_sided_epochs"},
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """What has been compiled so far, by machine and name; without a name, the directory for it."""
    return {(machine, ""): tmp_path_factory.mktemp(machine) for machine in ("bgp", "bgq")}


def built(programs: dict[tuple[str, str], Path], machine: str, source: Path, *options: str) -> Path:
    key = (machine, source.stem)
    if key not in programs:
        command = COMPILERS[source.suffix]
        programs[key] = compiled(source, programs[machine, ""], command, ["--machine", machine, *options])
    return programs[key]


def cases() -> list[object]:
    return [
        pytest.param(
            source,
            job,
            id=f"{source.stem}-{job}",
            marks=[] if source.stem in SHORT.get(job, ()) else [pytest.mark.long],
        )
        for source in PROGRAMS
        for job in JOBS
    ]


def run(directory: Path, job: Job, program: Path, *options: str, arguments: Sequence[str] = ()) -> str:
    """Its output. The job has a directory of its own: a file of another job would change when it does what."""
    places: Arguments = ["--results", directory, "--directory", directory]
    command: Arguments = ["run", "--machine", job.machine, *places, *job.options, *options]
    done = toroid(*command, program, *arguments, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("source", "job"), cases())
def test_semantics(programs: dict[tuple[str, str], Path], tmp_path: Path, source: Path, job: Job) -> None:
    assert "ok" in run(tmp_path, job, built(programs, job.machine, source))


@pytest.mark.parametrize("job", [SMP, DUAL, VN, CROWDED], ids=str)
def test_openmp_and_mpi(programs: dict[tuple[str, str], Path], tmp_path: Path, job: Job) -> None:
    program = built(programs, job.machine, MPI / "hybrid" / "openmp.c", "-fopenmp")
    assert run(tmp_path, job, program) == f"level 3, {job.threads} threads\nok\n"


@pytest.mark.parametrize("job", [Job("bgp", "pair", ("--shape", "2x1x1"), 4)], ids=str)
def test_dcmf_beside_mpi_in_a_helper_thread(programs: dict[tuple[str, str], Path], tmp_path: Path, job: Job) -> None:
    assert run(tmp_path, job, built(programs, job.machine, MPI / "hybrid" / "helper_thread.c")) == "ok\n"


@pytest.mark.parametrize(
    ("job", "options", "rounds"),
    [
        pytest.param(SMP, [], 2),
        pytest.param(Job("bgp", "many", ("--shape", "4x2x1"), 4), [], 40, marks=pytest.mark.long),
        pytest.param(Job("bgp", "dual", ("--shape", "2x2x1", "--mode", "dual"), 2), [], 40, marks=pytest.mark.long),
        pytest.param(VN, [], 40, marks=pytest.mark.long),
        pytest.param(SMP, ["--set", "torus.bit_error_rate=1e-6"], 40, marks=pytest.mark.long),
        pytest.param(SHARING, [], 2),
        pytest.param(Job("bgq", "many", ("--shape", "2x2x2x1x1"), 64), [], 40, marks=pytest.mark.long),
        pytest.param(CROWDED, [], 10, marks=pytest.mark.long),
        pytest.param(ALONE, ["--set", "torus.bit_error_rate=1e-6"], 40, marks=pytest.mark.long),
    ],
    ids=["few", "smp", "dual", "vn", "link_errors", "bgq_few", "bgq_alone", "bgq_crowded", "bgq_link_errors"],
)
def test_random_messages(
    programs: dict[tuple[str, str], Path], tmp_path: Path, job: Job, options: list[str], rounds: int
) -> None:
    program = built(programs, job.machine, MPI / "hybrid" / "random_messages.c")
    assert run(tmp_path, job, program, *options, arguments=[str(rounds)]) == "ok\n"


PAIRS = [Job("bgp", "pair", ("--shape", "2x1x1"), 4), Job("bgq", "pair", ("--shape", "2x1x1x1x1"), 64)]


@pytest.mark.parametrize("job", PAIRS, ids=str)
@pytest.mark.parametrize(
    ("source", "arguments"), [("hybrid/random_messages.c", ["1"]), ("threads.c", [])], ids=["one_thread", "threads"]
)
def test_same_results_without_parking_and_with_another_quantum(
    programs: dict[tuple[str, str], Path], tmp_path: Path, source: str, arguments: list[str], job: Job
) -> None:
    program = built(programs, job.machine, MPI / source)
    results = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=1700"]):
        run(tmp_path, job, program, *options, arguments=arguments)
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
    programs: dict[tuple[str, str], Path], tmp_path: Path, what: str, status: int, lines: list[str]
) -> None:
    program = built(programs, "bgp", MPI / "wrong" / "use.c")
    done = toroid("run", "--machine", "bgp", "--shape", "2x2x1", "--results", tmp_path, program, what)
    assert done.returncode == status, done.stderr
    for line in lines:
        assert line in done.stderr, done.stderr
    assert "without MPI_Finalize" not in done.stderr
