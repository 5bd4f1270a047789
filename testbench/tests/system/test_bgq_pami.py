# SPDX-License-Identifier: Apache-2.0
"""PAMI on Blue Gene/Q: messages, puts, gets and atomic operations, between nodes and within them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from helpers import read_result, toroid

from toroid import paths
from toroid.trace import records
from toroid.trace.reader import read_trace


def command(
    program: str,
    *arguments: str,
    shape: str,
    processes: int = 1,
    results: Path | None = None,
    environment: Sequence[str] = (),
) -> CompletedProcess[str]:
    options: list[str | Path] = ["--results", results] if results else []
    return toroid(
        "run",
        "--machine",
        "bgq",
        "--shape",
        shape,
        "--ranks-per-node",
        str(processes),
        *(word for setting in environment for word in ("--env", setting)),
        *options,
        paths.guest_program(program, "bgq"),
        *arguments,
    )


def run(
    program: str,
    *arguments: str,
    shape: str,
    processes: int = 1,
    results: Path | None = None,
    environment: Sequence[str] = (),
) -> str:
    done = command(program, *arguments, shape=shape, processes=processes, results=results, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("shape", "processes"), [("2x1x1x1x1", 1), ("3x2x1x1x2", 1), ("1x1x1x1x1", 2)])
def test_messages_arrive_at_once_or_are_fetched(shape: str, processes: int, tmp_path: Path) -> None:
    printed = run("pami_send", shape=shape, processes=processes, results=tmp_path).splitlines()
    assert [line for line in printed if line.startswith("received")] == [
        "received: a message by PAMI",
        "received: 5000 bytes, 0 wrong",
    ]
    mu = read_result(tmp_path)["mu"]
    data = 10  # 5000 bytes are ten packets
    # A message and its answer; a request, a remote get, the data, the word of their arrival, and the answer.
    assert mu["packets_received"] == 2 + 1 + 1 + data + 1 + 1
    assert mu["atomics"] == data


@pytest.mark.parametrize(
    ("shape", "processes", "arguments"),
    [
        ("2x1x1x1x1", 1, ("1", "6", "1048576")),
        ("1x1x1x1x2", 2, ("5", "6", "1048576")),  # gets over two links
        ("2x2x1x1x2", 1, ("2", "6", "50000", "4")),  # contexts, each with a thread
        ("2x1x1x1x1", 16, ("3", "3", "20000")),
        ("1x1x1x1x1", 64, ("4", "2", "3000")),
    ],
)
def test_every_byte_of_random_operations_is_right(shape: str, processes: int, arguments: tuple[str, ...]) -> None:
    printed = run("pami_stress", *arguments, shape=shape, processes=processes)
    assert right_stress(printed, arguments, math.prod(map(int, shape.split("x"))) * processes), printed


def right_stress(printed: str, arguments: tuple[str, ...], tasks: int) -> bool:
    contexts = int(arguments[3]) if len(arguments) > 3 else 1
    operations = int(arguments[1]) * (4 + 6) * contexts * tasks
    line = rf"{operations} operations of {tasks} tasks, [1-9]\d* bytes by puts, gets and messages, 0 wrong\n"
    return re.fullmatch(line, printed) is not None


def test_six_gibibytes_of_memory_are_all_apart() -> None:
    options = ["--machine", "bgq", "--shape", "2x1x1x1x1", "--set", "node.memory_size=8192"]
    done = toroid("run", *options, paths.guest_program("large_memory", "bgq"))
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, ["task 0: 0 wrong", "task 1: 0 wrong"])


def test_small_fifos_hold_up_nothing() -> None:
    """One descriptor at a time, room for four packets, remote gets of one node wait for each other."""
    small = ["MUSPI_RECFIFOSIZE=2176", "MUSPI_INJFIFOSIZE=128", "PAMI_RGETINJFIFOSIZE=1k"]
    arguments = ("8", "4", "30000")
    printed = run("pami_stress", *arguments, shape="2x1x1x1x1", processes=4, environment=small)
    assert right_stress(printed, arguments, 8), printed


def test_operations_end_by_their_counters_and_remote_gets_wait_for_room() -> None:
    """Two tasks fetch 40 times from each other at once, where a node has room for 7 gets of each."""
    printed = run("pami_operations", shape="2x1x1x1x1", environment=["PAMI_RGETINJFIFOSIZE=1k"]).splitlines()
    assert sorted(printed) == [
        f"task {task}: 0 told early, 0 late; 40 fetched, 0 bytes wrong, room for 0 kept" for task in range(2)
    ]


def test_types_of_long_blocks_need_nothing_of_the_target() -> None:
    assert sorted(run("pami_typed", shape="2x1x1x1x1").splitlines()) == [
        "get: 0 wrong; 5 callbacks",
        "put: 0 wrong",
    ]


def test_messages_wait_for_their_dispatch_in_order() -> None:
    done = command("pami_late", shape="2x1x1x1x1")
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            *(f"message {number}" for number in range(4)),
            *(f"second {number}" for number in range(2)),
            *(f"message {number}" for number in range(4, 8)),
            "8 received, 0 wrong",
        ],
    )
    for dispatch in (3, 6):
        assert (
            f"PAMI, task 1: messages to dispatch {dispatch} of context 0 that came before it was set, the first one "
            "from task 0, have not been taken" in done.stderr
        )


def test_what_cannot_be_done_is_refused() -> None:
    """Nothing that is refused is done, and receivers are told of data that do not fit their types."""
    assert run("pami_refused", shape="1x1x1x1x1").splitlines() == [
        "at once: 0, 2, 2",
        "received: 1",
        "received: 1",
        "immediate: 2",
        "operation 0: 2, word 5",
        "operation 1: 2, word 5",
        "operation 3: 2, word 5",
        "get by a type: 2",
        "twice: 2 2 2",
        "no context: 2 2, all and a parent: 2, geometry 0: 2",
        "no task: 2, none: 2, attribute: 2, right: 0",
    ]


def test_a_dispatch_for_shared_memory_reaches_the_own_node() -> None:
    invalid = 2
    printed = run("pami_shared", shape="2x1x1x1x1", processes=2).splitlines()
    done = f"2 received, 0 wrong; to another node {invalid}, {invalid}"
    assert sorted(printed) == [f"task {task}: {done}" for task in range(4)]
    refused = run("pami_shared", shape="2x1x1x1x1").splitlines()
    assert sorted(refused) == [f"task {task}: the dispatch gives {invalid}" for task in range(2)]


@pytest.mark.parametrize(("shape", "processes", "threads"), [("2x1x1x1x1", 1, 4), ("1x1x1x1x1", 2, 8)])
def test_threads_share_contexts_and_take_turns(shape: str, processes: int, threads: int) -> None:
    printed = run("pami_threads", str(threads), "5", shape=shape, processes=processes).splitlines()
    done = f"{10 * threads} answers, {10 * threads} works, {100 * threads} turns; 0 overlaps, 0 refused, 0 unfair"
    assert sorted(printed) == [f"task 0: {done}", f"task 1: {done}"]


def test_bad_settings_are_told() -> None:
    done = command("pami_send", shape="2x1x1x1x1", environment=["MUSPI_INJFIFOSIZE=100"])
    assert done.returncode == 1
    assert (
        "PAMI, task 0: MUSPI_INJFIFOSIZE=100: it must be a number of bytes, from 128 on, a multiple of 64"
        in done.stderr
    )


def test_a_thread_serves_who_computes() -> None:
    """The last task never advances; each operation finds what the one before has left."""
    printed = sorted(run("pami_progress", shape="2x1x1x1x1").splitlines())
    assert printed[0].startswith("10 operations, ")
    assert printed[0].endswith(f" us each; the sum of what they found is {sum(range(1000, 1010))}")
    assert printed[1] == "the word is 1010"


def test_waiting_in_an_advance_costs_nothing(tmp_path: Path) -> None:
    """The last task advances until the first one has slept for a second: it parks a few times, and is awake as long as
    it takes to start and to end."""
    done = toroid(
        "run",
        "--machine",
        "bgq",
        "--shape",
        "2x1x1x1x1",
        "--trace",
        tmp_path / "trace",
        paths.guest_program("pami_send", "bgq"),
        str(10**6),
    )
    assert done.returncode == 0, done.stderr
    trace = read_trace(tmp_path / "trace")
    waits = trace["waits"]
    parked = waits[(waits["rank"] == 1) & (waits["state"] == records.PARKED)]
    assert 0 < len(parked) < 20
    assert trace.end - int(np.sum(parked["end"] - parked["time"])) < 10**12 // 500
