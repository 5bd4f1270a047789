# SPDX-License-Identifier: Apache-2.0
"""One-sided communication: targets that compute are served all the same; and what a report says where it goes wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import compiled, read_result, toroid

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


PREFIXES = {"bgl": "BGLMPI", "bgp": "BGPMPI", "bgq": "BGQMPI"}


@pytest.fixture(scope="module")
def computing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The program for each machine."""
    source = SOURCES / "passive" / "computing.c"
    return {
        machine: compiled(source, tmp_path_factory.mktemp(machine), "mpicc", ["--machine", machine])
        for machine in PREFIXES
    }


@pytest.mark.parametrize(
    ("machine", "job"),
    [
        ("bgl", ["2x1x1"]),
        ("bgl", ["4x2x1"]),
        ("bgl", ["2x2x1", "--mode", "vn"]),
        ("bgp", ["2x1x1"]),
        ("bgp", ["1x1x1", "--mode", "dual"]),
        ("bgp", ["2x1x1", "--mode", "vn"]),
        ("bgq", ["2x1x1x1x1"]),
        ("bgq", ["1x1x1x1x1", "--ranks-per-node", "2"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("interrupts", [True, False])
def test_a_target_that_computes(
    computing: dict[str, Path], tmp_path: Path, machine: str, job: list[str], interrupts: bool
) -> None:
    settings = [] if interrupts else ["--env", f"{PREFIXES[machine]}_INTERRUPTS=0"]
    done = toroid("run", "--machine", machine, "--results", tmp_path, "--shape", *job, *settings, computing[machine])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "disturbed" not in done.stdout
    found = re.search(r"found=7 done=([\d.]+) computed=([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    served = float(found[1]) < float(found[2])
    assert served == interrupts


@pytest.mark.parametrize("mode", ["smp", "vn"])
def test_a_target_in_the_middle_of_malloc(tmp_path: Path, mode: str) -> None:
    """In virtual node mode its own core is interrupted."""
    program = compiled(SOURCES / "passive" / "allocating.c", tmp_path, "mpicc", ["--machine", "bgp"])
    shape = "2x1x1" if mode == "smp" else "1x1x1"
    done = toroid("run", "--machine", "bgp", "--results", tmp_path, "--shape", shape, "--mode", mode, program)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"wrong=0 done=([\d.]+) computed=([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    assert float(found[1]) < float(found[2])


def test_a_core_that_waits_in_mpi_is_not_interrupted(tmp_path: Path) -> None:
    """But now and then between two calls: an interrupt costs a process of one core more than a message."""
    program = compiled(SOURCES / "passive" / "exchanging.c", tmp_path, "mpicc", ["--machine", "bgp"])
    done = toroid("run", "--machine", "bgp", "--results", tmp_path, "--shape", "2x1x1", "--mode", "vn", program)
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = read_result(tmp_path)["ranks"]
    for place in (0, -1):
        assert ranks[place]["system_calls"].get("interrupt", 0) < 40


@pytest.mark.parametrize(
    ("machine", "job"),
    [
        ("bgl", ["2x2x2", "--mode", "vn"]),
        ("bgl", ["4x4x2"]),
        ("bgp", ["4x2x2"]),
        ("bgp", ["2x2x1", "--mode", "vn"]),
        ("bgq", ["2x2x1x1x1", "--ranks-per-node", "4"]),
    ],
    ids=str,
)
def test_a_target_that_all_others_access_goes_on(tmp_path: Path, machine: str, job: list[str]) -> None:
    """Interrupts for what they send leave its program time."""
    program = compiled(SOURCES / "passive" / "contended.c", tmp_path, "mpicc", ["--machine", machine])
    done = toroid(
        "run", "--machine", machine, "--results", tmp_path, "--timeout", "40ms", "--shape", *job, program
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = len(read_result(tmp_path)["ranks"])
    assert f"taken {3 * ranks} times by {ranks} ranks" in done.stdout


def test_memory_that_is_not_attached_ends_the_job(wrong: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, wrong, "detached")
    assert done.returncode != 0
    assert "accesses 4 bytes at address 0x1000, which is not in memory attached to it" in done.stderr
