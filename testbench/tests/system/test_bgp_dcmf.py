# SPDX-License-Identifier: Apache-2.0
"""Programs on DCMF, on the emulated Blue Gene/P: every byte, in every mode; and who makes progress."""

from __future__ import annotations

import re

import pytest
from helpers import toroid

from toroid import paths


def run(name: str, *arguments: str, shape: str = "2x1x1", mode: str = "smp", options: tuple[str, ...] = ()) -> str:
    program = paths.guest_program(name, "bgp")
    done = toroid(
        "run", "--machine", "bgp", "--shape", shape, "--mode", mode, *options, program, *arguments, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("mode", "ranks"), [("smp", 4), ("dual", 8), ("vn", 16)])
def test_puts_and_messages_in_every_mode(mode: str, ranks: int) -> None:
    puts = run("dcmf_put", shape="2x2x1", mode=mode)
    assert len(re.findall(rf"rank \d+ of {ranks}: 64 of 64 bytes from rank \d+ are right\n", puts)) == ranks
    sends = run("dcmf_send", shape="2x2x1", mode=mode)
    assert len(re.findall(rf"rank \d+ of {ranks}: 15 short and 30 long messages, 0 wrong\n", sends)) == ranks


@pytest.mark.parametrize("progress", ["none", "thread", "interrupts"])
def test_a_rank_that_computes_answers(progress: str) -> None:
    text = run("dcmf_progress", "--progress", progress)
    assert "rank 1 heard 20 messages while it computed\n" in text
    trips = [float(trip) for trip in re.findall(r"round_trip=([0-9.]+)\n", text)]
    assert len(trips) == 2
    assert 0 < trips[0] < trips[1]


def test_a_waiting_rank_is_parked() -> None:
    """For advance() leaves memory as it is when it finds nothing; the times are those of a core that is not."""
    arguments = ("--progress", "none")
    plain = run("dcmf_progress", *arguments)
    assert run("dcmf_progress", *arguments, options=("--no-park",)) == plain
    assert run("dcmf_progress", *arguments, options=("--set", "core.quantum=17")) == plain
