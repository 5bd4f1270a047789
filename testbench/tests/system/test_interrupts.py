# SPDX-License-Identifier: Apache-2.0
"""Interrupts: delivered between blocks of instructions, with their cost, and the same whatever the host does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers import PROGRAMS, compiled, read_result, toroid

from toroid import paths

STORM = 500  # interrupts of the program in a row
SLOW_WIRES = ("--set", "global_interrupts.wire_cycles=300")  # see the program
WAYS = [("--no-park",), ("--set", "core.quantum=200"), ("--no-park", "--set", "core.quantum=100000")]


def outcome(directory: Path, program: str, *arguments: str, before: tuple[str, ...] = ()) -> dict[str, Any]:
    machine = ("--shape", "2x1x1", *SLOW_WIRES, *before)
    done = toroid("run", "--results", directory, *machine, paths.guest_program(program), *arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_result(directory)
    del result["configuration"]
    return result | {"output": done.stdout}


def numbers(result: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", result["output"])}


def test_a_computation_notices_nothing_of_a_storm(tmp_path: Path) -> None:
    done = toroid(
        "run", "--results", tmp_path, "--shape", "1x1x1", *SLOW_WIRES, paths.guest_program("interrupts"), timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rank = read_result(tmp_path)["ranks"][0]
    assert rank["system_calls"]["interrupt"] == STORM + 3
    # One of them is refused, before there is a handler.
    assert rank["system_calls"]["interrupt_return"] == STORM + 4


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("program", ["interrupts", "interrupt_reception"])
def test_the_same_however_the_host_gets_there(tmp_path: Path, program: str, way: tuple[str, ...]) -> None:
    arguments = ["--packets", "20"] if program == "interrupt_reception" else []
    usual = outcome(tmp_path / "usual", program, *arguments)
    assert outcome(tmp_path / "other", program, *arguments, before=way) == usual


def reception(directory: Path, by: str, turns: int, *before: str) -> dict[str, float]:
    arguments = ("--by", by, "--turns", str(turns), "--packets", "40", "--gap", "20011")
    return numbers(outcome(directory, "interrupt_reception", *arguments, before=before))


def test_an_interrupt_waits_for_no_poll(tmp_path: Path) -> None:
    """It costs its 1000 cycles more than a poll that finds a packet."""
    interrupts = reception(tmp_path / "interrupts", "interrupts", 1500)
    polling = reception(tmp_path / "polling", "polling", 1500)
    assert interrupts["latency"] < polling["latency"]
    assert 1000 < interrupts["lost"] < polling["lost"] + 1500


def test_the_cost_of_an_interrupt_is_the_computation_s(tmp_path: Path) -> None:
    usual = reception(tmp_path / "usual", "interrupts", 100)
    dear = reception(tmp_path / "dear", "interrupts", 100, "--set", "core.cost_interrupt=3000")
    assert dear["lost"] - usual["lost"] == pytest.approx(2000, rel=0.05)
    assert dear["latency"] - usual["latency"] == pytest.approx(2000, rel=0.05)


# By what other nodes do. ----------------------------------------------------------------------------------------------

ROUNDS = 7
# What each rank takes; a broadcast interrupts all but its sender.
KINDS = {"tree": 1, "reduce": 0, "global": 0}
# Some ten times what they take: an interrupt that stays up would let the program never get on.
LIMIT = ("--timeout", "20ms")


@pytest.fixture(scope="module")
def network_interrupts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "network_interrupts.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("shape", ["2x1x1", "3x2x2"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_packet_that_asks_and_a_global_interrupt_reach_the_program(
    network_interrupts: Path, tmp_path: Path, kind: str, shape: str
) -> None:
    done = toroid("run", "--results", tmp_path, "--shape", shape, *LIMIT, network_interrupts, kind, str(ROUNDS))
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {int(rank): int(n) for rank, n in re.findall(r"rank (\d+): (\d+) interrupts", done.stdout)}
    ranks = len(read_result(tmp_path)["ranks"])
    sent = [len(range(rank, ROUNDS, ranks)) * KINDS[kind] for rank in range(ranks)]
    assert counts == {rank: ROUNDS - sent[rank] for rank in range(ranks)}
    for rank in read_result(tmp_path)["ranks"]:
        assert rank["system_calls"]["interrupt"] == counts[rank["rank"]]


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("kind", KINDS)
def test_they_come_at_the_same_time_however_the_host_gets_there(
    network_interrupts: Path, tmp_path: Path, kind: str, way: tuple[str, ...]
) -> None:
    results = []
    for name, options in (("usual", ()), ("other", way)):
        done = toroid(
            "run", "--results", tmp_path / name, "--shape", "3x1x1", *LIMIT, *options, network_interrupts, kind
        )
        assert done.returncode == 0, done.stdout + done.stderr
        result = read_result(tmp_path / name)
        del result["configuration"]
        results.append(result | {"output": done.stdout})
    assert results[0] == results[1]
