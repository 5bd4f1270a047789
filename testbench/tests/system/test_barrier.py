# SPDX-License-Identifier: Apache-2.0
"""Barriers on the machine: over the global interrupts, and over messages where those cannot be used."""

from __future__ import annotations

import re

import pytest
from helpers import toroid

from toroid import paths


def barrier(*arguments: str, over: str = "global-interrupts") -> dict[str, str]:
    done = toroid("run", *arguments, paths.guest_program("barrier"), "--over", over, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(re.findall(r"(\S+)=(\S+)", done.stdout))


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("shape", ["1x1x1", "3x2x1", "4x4x4"])
def test_nobody_leaves_early(shape: str, mode: str) -> None:
    found = barrier("--shape", shape, "--mode", mode)
    assert found["over"] == "global-interrupts"
    assert found["early"] == "0"


@pytest.mark.parametrize(
    "arguments", [("--shape", "4x4x2", "--ranks", "20"), ("--shape", "3x2x1", "--mode", "vn", "--ranks", "7")]
)
def test_nodes_without_a_process_hold_nobody_up(arguments: tuple[str, ...]) -> None:
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
