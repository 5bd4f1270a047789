# SPDX-License-Identifier: Apache-2.0
"""DCMF's operations of all ranks over Blue Gene/P's collective network and global interrupts, on real cores."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

BARRIER = paths.guest_program("dcmf_barrier", "bgp")
LINES = paths.guest_program("dcmf_lines", "bgp")
TREE = paths.guest_program("dcmf_tree", "bgp")
# The shape, the mode, and whether the job leaves places empty.
JOBS = {
    "one": ["--shape", "1x1x1"],
    "smp": ["--shape", "3x2x2"],
    "dual": ["--shape", "2x2x1", "--mode", "dual"],
    "vn": ["--shape", "2x2x1", "--mode", "vn"],
    "fewer": ["--shape", "2x2x2", "--mode", "dual", "--ranks", "5"],
}


def run(directory: Path, *arguments: str | Path) -> str:
    done = toroid("run", "--machine", "bgp", "--results", directory, *arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("job", JOBS)
def test_random_operations_against_a_plain_reference(tmp_path: Path, job: str) -> None:
    assert "checked=40 wrong=0" in run(tmp_path, *JOBS[job], TREE, "check", "40")
    result = read_result(tmp_path)
    assert result["tree"]["packets_injected"] > 100


@pytest.mark.parametrize("job", JOBS)
def test_nobody_leaves_a_barrier_before_all_have_come(tmp_path: Path, job: str) -> None:
    assert "over=global-interrupts rounds=64" in run(tmp_path, *JOBS[job], BARRIER)


def test_without_shared_memory_messages_do_it(tmp_path: Path) -> None:
    """The processes of a node cannot share a network port then."""
    options = ["--env", "BG_SHAREDMEMPOOLSIZE=0", *JOBS["vn"]]
    assert "checked=10 wrong=0" in run(tmp_path, *options, TREE, "check", "10")
    assert read_result(tmp_path)["tree"]["packets_injected"] == 0


def test_broadcasts_along_lines_come_whole_behind_each_other_and_among_puts(tmp_path: Path) -> None:
    assert "along-lines=1 checked=8 wrong=0" in run(tmp_path, *JOBS["smp"], LINES, "check", "8")


def test_broadcasts_along_lines_fall_back_to_messages(tmp_path: Path) -> None:
    """Several processes on a node, or a job that is no rectangle."""
    assert "along-lines=0 checked=2 wrong=0" in run(tmp_path, *JOBS["vn"], LINES, "check", "2")
    assert "along-lines=0 checked=2 wrong=0" in run(tmp_path, "--shape", "2x2x2", "--ranks", "5", LINES, "check", "2")


@pytest.mark.parametrize("job", ["smp", "vn"])
def test_same_times_without_parking_and_with_another_quantum(tmp_path: Path, job: str) -> None:
    results = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=1700"]):
        for program, *arguments in ((TREE, "check", "6"), (BARRIER, "8"), (LINES, "check", "2")):
            run(tmp_path, *JOBS[job], *options, program, *arguments)
            result = read_result(tmp_path)
            results.append((result["simulated_ns"], [rank["instructions"] for rank in result["ranks"]]))
    assert results[0:3] == results[3:6] == results[6:9]
