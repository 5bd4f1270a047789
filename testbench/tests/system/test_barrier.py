# SPDX-License-Identifier: Apache-2.0
"""Barriers on the machine: over the global interrupts, and over messages where those cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths
from toroid.experiments import barrier_time
from toroid.experiments.harness import Lab
from toroid.machine import load_machine


def barrier(*arguments: str, over: str = "global-interrupts") -> dict[str, str]:
    done = toroid("run", *arguments, paths.guest_program("barrier"), "--over", over, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(re.findall(r"(\S+)=(\S+)", done.stdout))


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("shape", ["1x1x1", "3x2x1", "4x4x4"])
def test_no_rank_leaves_early(shape: str, mode: str) -> None:
    found = barrier("--shape", shape, "--mode", mode)
    assert found["over"] == "global-interrupts"
    assert found["early"] == "0"


@pytest.mark.parametrize(
    "arguments", [("--shape", "4x4x2", "--ranks", "20"), ("--shape", "3x2x1", "--mode", "vn", "--ranks", "7")]
)
def test_nodes_without_a_process_hold_no_rank_up(arguments: tuple[str, ...]) -> None:
    assert barrier(*arguments)["over"] == "global-interrupts"


def test_the_wires_are_what_takes_the_time() -> None:
    """A level passes 10 nodes and wires from the deepest node of 32 to the root and back; 100 cycles each more."""
    slow = barrier("--shape", "4x4x2", "--set", "global_interrupts.wire_cycles=102")
    fast = barrier("--shape", "4x4x2")
    more = float(slow["cycles"]) - float(fast["cycles"])
    assert more == pytest.approx(10 * 100 * 4, rel=0.05)


def test_messages_do_it_as_well() -> None:
    found = barrier("--shape", "2x2x2", over="messages")
    assert found["over"] == "messages"
    assert found["early"] == "0"


def test_the_experiment(tmp_path: Path) -> None:
    times = barrier_time.measure(Lab(load_machine("bgl"), tmp_path), ("2x2x2", "4x4x4", "64x32x32"), ("2x1x1", "2x2x2"))
    rows = {row.row: row for row in barrier_time.rows(times)}
    full = rows["65536 nodes, network alone"]
    assert full.published == 1.5
    # 18 links there and back at 6 cycles, 4 cycles through the root, 1 from the register.
    assert full.measured == pytest.approx((18 * 2 * 6 + 4 + 1) / 175)
    assert rows["64 nodes, network alone"].published is None
    assert rows["faster over the global interrupts than by messages"].measured == 1
    # The message layer's own, and the polls; the network alone is inside.
    assert times.network[8] < times.program[barrier_time.WIRED][8] < times.network[8] + 0.6
