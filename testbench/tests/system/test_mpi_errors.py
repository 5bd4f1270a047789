# SPDX-License-Identifier: Apache-2.0
"""Errors of MPI programs that end the job: one line says which rank and function, and what is wrong."""

from __future__ import annotations

import re
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


@pytest.fixture(scope="module")
def use(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = paths.ROOT / "testbench" / "tests" / "mpi" / "wrong" / "use.c"
    return compiled(source, tmp_path_factory.mktemp("use"), "mpicc")


# What ranks of four wait for, by rank.
WAITING = {
    "receives first": {
        0: "in MPI_Recv on MPI_COMM_WORLD, receiving from rank 1, tag 1",
        3: "in MPI_Recv on MPI_COMM_WORLD, receiving from rank 2, tag 1",
    },
    "long sends first": {
        0: "in MPI_Send on MPI_COMM_WORLD, sending to rank 1, tag 2",
        1: "in MPI_Send on MPI_COMM_WORLD, sending to rank 0, tag 2",
    },
    "ring": {
        0: "in MPI_Recv on MPI_COMM_WORLD, receiving from rank 3, tag 3",
        2: "in MPI_Recv on MPI_COMM_WORLD, receiving from rank 1, tag 3",
    },
    "wrong tag": {1: "in MPI_Recv on MPI_COMM_WORLD, receiving from rank 0, tag 5", 0: "called by PMPI_Finalize"},
    "wrong communicator": {1: "in MPI_Recv on copy, receiving from rank 0, tag 6"},
    "nobody answers": {0: "in MPI_Ssend on MPI_COMM_WORLD, sending to rank 1, tag 7"},
    "to itself": {0: "in MPI_Recv on MPI_COMM_WORLD, receiving from any rank, any tag"},
    "waitall": {0: "in MPI_Waitall on MPI_COMM_WORLD, receiving from rank 1, tag 9"},
    "waitany": {1: "in MPI_Waitany on MPI_COMM_WORLD, receiving from rank 0, tag 9"},
    "waitsome": {2: "in MPI_Waitsome on MPI_COMM_WORLD, receiving from rank 3, tag 9"},
    "test": {0: "in or after MPI_Test on MPI_COMM_WORLD, receiving from rank 1, tag 9"},
    "testall": {0: "in or after MPI_Testall on MPI_COMM_WORLD, receiving from rank 1, tag 9"},
    "testany": {0: "in or after MPI_Testany on MPI_COMM_WORLD, receiving from rank 1, tag 9"},
    "testsome": {0: "in or after MPI_Testsome on MPI_COMM_WORLD, receiving from rank 1, tag 9"},
    "probe": {0: "in MPI_Probe on MPI_COMM_WORLD, receiving from rank 1, tag 10"},
    "iprobe": {0: "in or after MPI_Iprobe on MPI_COMM_WORLD, receiving from any rank, tag 10"},
    "barrier without one": {1: "in the barrier over global interrupts"},
    "two collectives": {0: "in allreduce, operation 0", 1: "in broadcast, operation 0"},
    "halves": {2: "in MPI_Barrier on half, receiving from rank 0"},
}


@pytest.mark.parametrize("what", WAITING)
def test_a_job_that_waits_for_ever_says_who_waits_for_what(use: Path, tmp_path: Path, what: str) -> None:
    done = toroid("run", "--shape", "2x2x1", "--results", tmp_path, use, what)
    assert done.returncode == 1, done.stderr
    lines = done.stderr.splitlines()
    for rank, waits in WAITING[what].items():
        assert any(line.startswith(f"toroid: rank {rank} (") and waits in line for line in lines), done.stderr
    assert any(line.startswith(("toroid: deadlock after", "toroid: stuck after")) for line in lines)


def test_a_program_that_counts_its_tests_is_ended_by_a_timeout(use: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--timeout", "2ms", "--results", tmp_path, use, "counted tests")
    assert done.returncode == 124
    assert "in or after MPI_Test on MPI_COMM_WORLD, receiving from rank 1, tag 9" in done.stderr


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("truncated", "MPI rank 1: MPI_Recv: a message from rank 0 with tag 1 is longer than the 16 bytes"),
        ("truncated long", "MPI rank 1: MPI_Recv: a message from rank 0 with tag 1 is longer than the 100000 bytes"),
        (
            "truncated of several",
            "MPI rank 1: MPI_Waitall: request 1 of 2, counted from 0: a message from rank 0 with tag 9 is longer than "
            "the 16 bytes",
        ),
        ("types", "MPI rank 1: MPI_Recv: a message from rank 0 with tag 1 was sent as another datatype"),
        ("uncommitted", "MPI rank 1: MPI_Send: the datatype is not committed"),
        ("freed communicator", "MPI rank 1: MPI_Send: 0x1000003 is no communicator, or a freed one"),
        ("null buffer", "MPI rank 1: MPI_Send: the buffer of 1 elements is a null pointer"),
        ("null receive", "MPI rank 1: MPI_Recv: the buffer of 1 elements is a null pointer"),
        ("negative tag", "MPI rank 1: MPI_Send: tag is -5; it must be 0 to MPI_TAG_UB"),
        ("no bsend buffer", "MPI rank 1: MPI_Bsend: no room for a message of 4 bytes"),
        ("waited twice", "MPI rank 1: MPI_Wait: 0x5000001 is no request, or a freed one"),
        ("same buffer", "MPI rank 1: MPI_Allreduce: the send and the receive buffer are the same; pass MPI_IN_PLACE"),
        ("same blocks", "MPI rank 1: MPI_Alltoallv: the send and the receive buffer are the same; pass MPI_IN_PLACE"),
        ("leaves", "MPI rank 1: exit: the process ends without MPI_Finalize()"),
        ("no finalize of one", "MPI rank 0: exit: the process ends without MPI_Finalize()"),
        ("no finalize", "MPI rank 1: exit: the process ends without MPI_Finalize()"),
        ("before init", "MPI_Comm_rank: called before MPI_Init()"),
        ("after finalize", "MPI rank 1: MPI_Send: called after MPI_Finalize()"),
        ("thread level", "MPI_Init_thread: the required level of threads is 99; it must be MPI_THREAD_SINGLE (0), "),
        ("init twice", "MPI rank 1: MPI_Init: called a second time"),
        ("counts", "all ranks must call the same operations in the same order, with the same sizes and roots"),
    ],
)
def test_wrong_use_ends_the_job_with_a_line(use: Path, tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--shape", "2x2x1", "--results", tmp_path, use, what)
    assert done.returncode == EXIT_ERROR, done.stderr
    assert line in done.stderr
    if "Finalize" not in line:  # one error, and not what follows of it
        assert "without MPI_Finalize" not in done.stderr


def test_a_wild_pointer_is_named(use: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x2x1", "--results", tmp_path, use, "falls")
    assert done.returncode == 1
    assert "toroid: rank 1 (node 1,0,0): write to 0x00000000 (NULL pointer), at " in done.stderr
    assert "(falls+" in done.stderr
    assert re.search(r", called by main \(\w+\.c:\d+\)\n", done.stderr)


@pytest.mark.parametrize("what", ["broadcast without one", "roots"])
def test_broadcasts_that_do_not_agree_are_told(use: Path, tmp_path: Path, what: str) -> None:
    done = toroid("run", "--shape", "2x2x1", "--results", tmp_path, use, what)
    # A rank sees another's packet where it expects its own kind, or packets are left when all is over.
    assert (done.returncode, "not received from the tree" in done.stderr) in [(1, True), (EXIT_ERROR, False)]
    if done.returncode == EXIT_ERROR:
        assert "all ranks must call the same operations in the same order" in done.stderr


def test_messages_and_receives_that_never_met_are_told_and_no_error(use: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x2x1", "--results", tmp_path, use, "never received")
    assert done.returncode == 0, done.stderr
    for line in [
        "MPI rank 1: MPI_Finalize: messages that were not received: 2, the first from rank 0 with tag 13",
        "MPI rank 3: MPI_Finalize: receives that no message came for: 1, the first from rank 2 with tag 16",
    ]:
        assert f"{line}\n" in done.stderr


@pytest.mark.parametrize("machine", ["bgl", "bgp"])
def test_a_job_with_an_alarm_is_not_stuck(tmp_path: Path, machine: str) -> None:
    """Packets wait in the tree and all cores poll, but there is something to come."""
    program = compiled(paths.ROOT / "testbench/tests/mpi/wrong/alarm.c", tmp_path, "mpicc", ["--machine", machine])
    done = toroid("run", "--machine", machine, "--results", tmp_path, "--shape", "2x1x1", program)
    assert done.returncode == 7, done.stdout + done.stderr
    assert "rank 1: exit status 7" in done.stderr
    assert "stuck" not in done.stderr
