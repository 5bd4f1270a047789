# SPDX-License-Identifier: Apache-2.0
"""The wake-up unit of Blue Gene/Q: what ends the wait of a hardware thread, and that waiting costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

NODE = ["--ranks-per-node", "16", "--shape", "1x1x1x1x1", "--ranks", "1"]
EVENTS = {
    "store": "store: 1 waits, slept",
    "neighbour": "neighbour: 1 waits, slept",
    "mask": "mask: 1 waits, slept",
    "l2": "l2: 1 waits, slept",
    "l2 same": "l2 same: 1 waits, slept",
    "software": "software: 1 waits, slept",
    "put": "put: 1 waits, did not sleep",
    "packet": "event 800, then 0\npacket: 2 waits, did not sleep",
}


def run(options: list[str], arguments: list[str], results: Path) -> str:
    program = paths.guest_program("wake_up", "bgq")
    done = toroid("run", "--machine", "bgq", "--results", results, *options, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("event", EVENTS)
def test_events_end_a_wait(event: str, tmp_path: Path) -> None:
    """Stores of other cores to what is watched and to nothing else, the L2's operations, the Messaging Unit's counters
    and interrupts, software: each ends it once. The results depend on neither quantum nor parking."""
    seen = []
    for number, options in enumerate([[], ["--no-park"], ["--set", "core.quantum=97"]]):
        results = tmp_path / str(number)
        assert run([*NODE, *options], [event], results) == EVENTS[event] + "\n"
        result = read_result(results)
        seen.append((result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]


def test_an_event_before_the_wait_ends_it_at_once(tmp_path: Path) -> None:
    """Nothing comes after it. So it is where a comparator watches more than can be compared: it takes anything for a
    store."""
    assert run(NODE, ["set before"], tmp_path / "0") == "set before: 1 waits, slept\n"  # before the wait, by itself
    assert run(NODE, ["everything"], tmp_path / "1") == "everything: 1 waits, did not sleep\n"


def test_a_thread_that_waits_costs_nothing(tmp_path: Path) -> None:
    """63 threads for a second of simulated time: they execute what starts and ends them."""
    assert run(["--shape", "1x1x1x1x1"], ["idle", "63"], tmp_path) == "63 threads have waited a second\n"
    result = read_result(tmp_path)
    assert result["simulated_ns"] > 1_000_000_000
    assert sum(rank["instructions"] for rank in result["ranks"]) < 300_000


def test_one_store_wakes_all_that_wait_for_it(tmp_path: Path) -> None:
    assert run(["--shape", "1x1x1x1x1"], ["many", "40"], tmp_path) == "many: 41 waits, slept\n"


def test_registers_that_programs_may_not_use_are_refused(tmp_path: Path) -> None:
    """The comparators by which the kernel guards stacks; accesses of other sizes."""
    source = tmp_path / "wrong.c"
    for access, says in {
        "*(volatile unsigned long*)0x5000001501D00ul = 1;": "address comparators 0 to 3 and the events of threads 0",
        "*(volatile unsigned*)0x5000001501F00ul = 1;": "access of 4 bytes to the wake-up unit, whose registers have 8",
    }.items():
        source.write_text(f"int main(void) {{ {access} return 0; }}\n")
        assert toroid("cc", "--machine", "bgq", source, "-o", tmp_path / "wrong").returncode == 0
        done = toroid("run", "--machine", "bgq", "--shape", "1x1x1x1x1", tmp_path / "wrong")
        assert done.returncode != 0
        assert says in done.stderr
