# SPDX-License-Identifier: Apache-2.0
"""Timelines of the test chips: a row for each core that has done anything, and what it did in it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import chips
import pytest
from chips import MACHINES
from helpers import Toroid

from toroid import paths

CORES = range(4)
NODES = 2

# Three threads that wait for nothing, beside a fourth one that does as long.
COMPUTING = """
#include <pthread.h>
static void* work(void* unused) {
  for (volatile int i = 0; i < 20000; ++i) {
  }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; ++i) work(0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""

CALLED = """
__attribute__((noinline)) int takes(int a, int b, int c, int d, int e, int f) {
  __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f));
  return a;
}
int main(void) { return takes(11, 12, 13, 14, 15, 16) - 11; }
"""

SLEEPING = """
#include <time.h>
int main(void) {
  struct timespec time = {0, 2000000};
  return nanosleep(&time, 0);
}
"""


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def _rows(toroid: Toroid, machine: str, *program: str | Path) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The slices of each row, in order of time, by the names of its process and its own."""
    command = ["run", "--machine", machine, "--shape", str(NODES), "--results", "out", "--perfetto", "timeline.json"]
    status, _, err = toroid(*command, *program)
    assert status == 0, err
    events = json.loads(Path("timeline.json").read_text())["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    rows = {
        (event["pid"], event["tid"]): (processes[event["pid"]], event["args"]["name"])
        for event in events
        if event["name"] == "thread_name"
    }
    found: dict[tuple[str, str], list[dict[str, Any]]] = {name: [] for name in rows.values()}
    for event in sorted((event for event in events if event["ph"] == "X"), key=lambda event: event["ts"]):
        found[rows[event["pid"], event["tid"]]].append(event)
    return found


def _of_core(rows: dict[tuple[str, str], list[dict[str, Any]]], node: int, core: int) -> list[dict[str, Any]]:
    return rows[f"rank {node} (node {node}, t 0)", f"core {core}: state"]


@pytest.mark.parametrize("machine", MACHINES)
def test_each_core_has_a_row_with_what_it_waits_for(toroid: Toroid, machine: str) -> None:
    rows = _rows(toroid, machine, paths.guest_program("polling", machine), "300")
    for node in range(NODES):
        for core in CORES:
            states = _of_core(rows, node, core)
            assert {state["name"] for state in states} <= {"runs", "polls", "sleeps", "waits for the kernel"}
            for before, behind in itertools.pairwise(states):
                assert before["ts"] + before["dur"] <= behind["ts"] + 1e-3  # rounded
            polled = sum(state["dur"] for state in states if state["name"] == "polls")
            assert polled == 0 if core == 0 else polled > 200


@pytest.mark.parametrize("machine", MACHINES)
def test_a_core_that_waits_for_nothing_has_a_row(toroid: Toroid, tmp_path: Path, machine: str) -> None:
    source, program = tmp_path / "computing.c", tmp_path / "computing"
    source.write_text(COMPUTING)
    chips.compiled(machine, source, program, ["-O1", "-pthread"])
    rows = _rows(toroid, machine, program)
    for node in range(NODES):
        first = _of_core(rows, node, 0)
        for core in CORES[1:]:
            (run,) = _of_core(rows, node, core)
            assert run["name"] == "runs"
            # From where its thread begins to where that ends.
            assert run["ts"] > first[0]["ts"]
            assert run["ts"] + run["dur"] < first[-1]["ts"] + first[-1]["dur"]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_core_that_sleeps_does_not_run(toroid: Toroid, tmp_path: Path, machine: str) -> None:
    source, program = tmp_path / "sleeping.c", tmp_path / "sleeping"
    source.write_text(SLEEPING)
    chips.compiled(machine, source, program, ["-O1"])
    rows = _rows(toroid, machine, program)
    for node in range(NODES):
        states = _of_core(rows, node, 0)
        slept = [state["dur"] for state in states if state["name"] == "sleeps"]
        assert slept == [pytest.approx(2000, abs=0.01)]  # us
        assert {state["name"] for state in states if state["name"] != "sleeps"} == {"runs"}
        assert sum(state["dur"] for state in states if state["name"] == "runs") < 1000


@pytest.mark.parametrize("machine", MACHINES)
def test_cores_without_a_thread_have_no_row(toroid: Toroid, machine: str) -> None:
    rows = _rows(toroid, machine, paths.guest_program("copy", machine), "lengths")
    cores = {row for process, row in rows if process.startswith("rank") and row.endswith("state")}
    assert cores == {"core 0: state"}


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_named_as_the_registers_that_hold_them(toroid: Toroid, tmp_path: Path, machine: str) -> None:
    source, program = tmp_path / "called.c", tmp_path / "called"
    source.write_text(CALLED)
    chips.compiled(machine, source, program, ["-O1"])
    rows = _rows(toroid, machine, "--trace-calls", "takes", program)
    (call,) = rows["rank 0 (node 0, t 0)", "core 0: calls"]
    names = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"] if machine == "test-x86_64" else [f"r{i}" for i in range(3, 9)]
    assert {name: call["args"][name] for name in names} == dict(zip(names, range(11, 17), strict=True))
