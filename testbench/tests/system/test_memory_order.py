# SPDX-License-Identifier: Apache-2.0
"""docs/reference/memory_order.md: litmus tests on the test chips. How often each outcome comes is part of the result
of a run, so the same counts are expected however it runs."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid, read_result

from toroid import paths

# What each reader has read, as digits: the outcome that memory which is sequentially consistent never shows.
NEVER = {
    "store-buffering": "00",
    "load-buffering": "11",
    "message-passing": "10",
    "independent-writes": "1010",
}
FENCES: list[list[str]] = [[], ["fence"]]


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def litmus(toroid: Toroid, machine: str, *arguments: str, options: tuple[str, ...] = ()) -> str:
    program = paths.guest_program("litmus", machine)
    command = ["run", "--machine", machine, "--shape", "1", "--results", "out", *options]
    status, out, err = toroid(*command, program, *arguments)
    assert status == 0, err
    return out


@pytest.mark.parametrize("fence", FENCES, ids=["bare", "fence"])
@pytest.mark.parametrize("test", NEVER)
@pytest.mark.parametrize("machine", MACHINES)
def test_between_cores(toroid: Toroid, machine: str, test: str, fence: list[str]) -> None:
    out = litmus(toroid, machine, test, *fence)
    counts = {outcome: int(count) for outcome, count in (line.split() for line in out.splitlines())}
    assert sum(counts.values()) == 300
    assert counts.pop(NEVER[test]) == 0
    if test == "independent-writes":
        assert sum(count > 0 for count in counts.values()) > 10
    else:
        assert all(counts.values()), out


@pytest.mark.parametrize("fence", FENCES, ids=["bare", "fence"])
@pytest.mark.parametrize("flag", ["watched-flag", "plain-flag"])
@pytest.mark.parametrize("machine", MACHINES)
def test_data_comes_before_its_flag(toroid: Toroid, machine: str, flag: str, fence: list[str]) -> None:
    assert litmus(toroid, machine, flag, *fence) == "flag 0 stale bytes\ntold 0 stale bytes\n"


@pytest.mark.parametrize("test", [*NEVER, "watched-flag", "plain-flag"])
@pytest.mark.parametrize("machine", MACHINES)
def test_the_same_counts_however_it_runs(toroid: Toroid, machine: str, test: str) -> None:
    usual = litmus(toroid, machine, test)
    time = read_result(Path("out"))["simulated_ns"]
    for options in (("--no-park",), ("--set", "core.quantum=17")):
        assert litmus(toroid, machine, test, options=options) == usual
        assert read_result(Path("out"))["simulated_ns"] == time


@pytest.mark.parametrize("machine", MACHINES)
def test_a_core_may_run_ahead_of_a_device_that_reads(toroid: Toroid, machine: str) -> None:
    """Rule 5: a mistake of the program, and the quantum shows."""
    assert litmus(toroid, machine, "reused-buffer") == "first byte 2, last byte 2\n"
    held = litmus(toroid, machine, "reused-buffer", options=("--set", "core.quantum=17"))
    assert held in ("first byte 1, last byte 2\n", "first byte 2, last byte 1\n")  # by who is faster


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_that_is_not_watched_is_seen_late(toroid: Toroid, machine: str) -> None:
    """Rule 6."""
    assert litmus(toroid, machine, "late-word") == "late\n"
    assert litmus(toroid, machine, "late-word", options=("--set", "core.quantum=17")) == "soon\n"
