# SPDX-License-Identifier: Apache-2.0
"""Class routes of rectangles on Blue Gene/Q: what PAMI's geometries of parts of the machine get of the network."""

from __future__ import annotations

import re

import pytest
from helpers import toroid

from toroid import paths


def run(shape: str, processes: int, *settings: str) -> str:
    program = paths.guest_program("pami_routes", "bgq")
    job = ["--shape", shape, "--ranks-per-node", str(processes), *settings]
    done = toroid("run", "--machine", "bgq", *job, program)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("shape", "processes", "lines"),
    [
        ("2x2x2x2x1", 1, {"half of 8": 4, "plane of 8": 4, "line of 2": 4, "all of 16": 1, "crossing 2 and 8": 1}),
        ("4x3x1x1x1", 1, {"half of 6": 1, "half of 4": 1, "plane of 3": 1, "plane of 4": 1, "line of 4": 1}),
        ("2x2x1x1x1", 4, {"half of 8": 2, "plane of 8": 2, "line of 8": 2, "node of 4": 1, "crossing 8 and 8": 1}),
    ],
)
def test_rectangles_have_routes_that_compute_right(shape: str, processes: int, lines: dict[str, int]) -> None:
    output = run(shape, processes)
    for line, times in lines.items():
        assert output.splitlines().count(line) == times, output
    assert "again 40" in output
    # Made at the same time, in different orders: no number is used twice, and all get one in the end.
    at_once = re.findall(r"at once (\d+), (\d+) with a class route", output)
    assert len(at_once) == 4
    assert all(count == with_route for count, with_route in at_once)
    # More geometries at a time than the 12 classes of a node, where the machine has so many parts.
    many, with_route, with_interrupts = map(
        int, re.findall(r"many (\d+), (\d+) with a class route, (\d+) with interrupts", output)[0]
    )
    assert with_route == min(many, 12)
    assert min(many, 4) <= with_interrupts <= with_route
    assert many == (14 if shape == "2x2x2x2x1" else 2)
    # Sets that are none have no route, and are right by messages.
    assert output.count("no rectangle of") == 3
    reduction, reduction_by_messages, barrier, barrier_by_messages = map(
        int,
        re.findall(r"allreduce (\d+), by messages (\d+); of a barrier (\d+), by messages (\d+);", output)[0],
    )
    assert reduction < reduction_by_messages
    assert barrier < barrier_by_messages


def test_a_geometry_that_nobody_makes_holds_up_no_other_for_ever() -> None:
    program = paths.guest_program("pami_turns", "bgq")
    done = toroid("run", "--machine", "bgq", "--shape", "2x1x1x1x1", program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == ["task 0: 1 0", "task 1: 1 0"]


def test_classes_can_be_left_to_others() -> None:
    output = run("2x2x2x1x1", 1, "--env", "MUSPI_NUMCLASSROUTES=8")
    assert "many 6, 4 with a class route, 4 with interrupts" in output
    # What is too little for all at a time goes to the first ones, and the others work.
    assert re.findall(r"at once 6, (\d+) with a class route", output) == ["4"] * 4
