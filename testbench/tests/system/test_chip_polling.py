# SPDX-License-Identifier: Apache-2.0
"""Cores that poll on the test chips: they park, which costs the host nothing and changes no result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import chips
import numpy as np
import pytest
from chips import MACHINES
from helpers import Toroid, read_result

from toroid import paths
from toroid.trace import records
from toroid.trace.reader import read_trace

AWAKE: dict[str, list[str]] = {"usual": [], "short": ["--set", "core.quantum=97"], "awake": ["--no-park"]}
SECOND = 10**12  # in ps
POLLERS = (1, 2, 3)


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def _run(toroid: Toroid, machine: str, program: list[str], options: list[str]) -> tuple[list[str], dict[str, Any]]:
    """What it prints, in any order of its cores, and its result."""
    name, *arguments = program
    command = ["run", "--machine", machine, "--results", "out", *options, paths.guest_program(name, machine)]
    status, out, err = toroid(*command, *arguments)
    assert status == 0, err
    result = read_result(Path("out"))
    del result["configuration"]
    return sorted(out.splitlines()), result


def _parked(toroid: Toroid, machine: str, microseconds: int) -> tuple[list[int], int, int]:
    """How often each core of each of two nodes has parked; how long one of them was awake, at most, in ps; instructions
    of all cores, those of turns that were left out included."""
    _run(toroid, machine, ["polling", str(microseconds)], ["--shape", "2", "--trace", "trace"])
    trace = read_trace(Path("trace"))
    waits = trace["waits"][trace["waits"]["state"] == records.PARKED]
    mine = [waits[(waits["rank"] == rank) & (waits["core"] == core)] for rank in (0, 1) for core in POLLERS]
    awake = max(trace.end - int(np.sum(parks["end"] - parks["time"])) for parks in mine)
    return [len(parks) for parks in mine], awake, json.loads(Path("out/host.json").read_text())["instructions"]


@pytest.mark.parametrize("machine", MACHINES)
def test_time_spent_polling_costs_nothing(toroid: Toroid, machine: str) -> None:
    """A parked core executes nothing. Whether it polls for a millisecond or for a second more, it parks a few times and
    is awake as long; the instructions that it would have executed are counted."""
    times, awake, instructions = _parked(toroid, machine, 1_000)
    times_later, awake_later, instructions_later = _parked(toroid, machine, 1_001_000)
    assert all(0 < number < 10 for number in times + times_later)
    assert awake_later <= awake + SECOND // 100_000
    assert awake < SECOND // 1_000
    assert instructions_later > instructions + 100_000_000


@pytest.mark.parametrize("machine", MACHINES)
def test_pollers_see_the_same_however_they_poll(toroid: Toroid, machine: str) -> None:
    found = [_run(toroid, machine, ["polling", "100"], ["--shape", "2", *options]) for options in AWAKE.values()]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("seed", [1, 101])
@pytest.mark.parametrize("machine", MACHINES)
def test_threads_at_random_see_the_same_however_they_poll(toroid: Toroid, machine: str, seed: int) -> None:
    program = ["random_threads", str(seed), "60"]
    found = [_run(toroid, machine, program, ["--shape", "1", *options]) for options in AWAKE.values()]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("machine", MACHINES)
def test_polling_for_ever_is_a_deadlock(toroid: Toroid, machine: str) -> None:
    """Awake, the cores would poll until the time limit."""
    program = paths.guest_program("polling", machine)
    status, _, err = toroid("run", "--machine", machine, "--shape", "1", "--results", "out", program, "never")
    assert status != 0
    assert read_result(Path("out"))["ended"] == "deadlock"
    assert "the copier's count is polled by core 1 of node (0)" in err
    for core, function in zip(POLLERS, ("poll_count", "poll_word", "poll_completion"), strict=True):
        assert f"core {core} polls at " in err
        assert function in err
