# SPDX-License-Identifier: Apache-2.0
"""What `toroid demo` shows of each machine: a short measurement beside published figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import UserError
from toroid.experiments import armci_neighbours, dcmf_latency, pingpong_latency
from toroid.experiments.harness import Lab
from toroid.machine import Machine
from toroid.report import Row
from toroid.shape import Shape

PROTOCOLS = ("one-packet", "eager")  # of ping-pong


@dataclass(frozen=True)
class Shown:
    """What a demonstration has found: a table with its title, and how its plot is drawn."""

    title: str
    rows: list[Row]
    draw: Callable[[Path], None]


@dataclass(frozen=True)
class Demo:
    subject: str  # what is measured, as progress tells it
    shape: str
    measure: Callable[[Lab, Shape], Shown]


def _pingpong(lab: Lab, shape: Shape) -> Shown:
    measurement = pingpong_latency.measure(lab, shape, PROTOCOLS)
    rows = [
        *measurement.half_round_trips(),
        *measurement.latency_per_hop(lab.machine.number("core.clock")),
    ]
    return Shown(
        f"{lab.machine.title} {shape}: 1-byte messages, node 0 to its neighbour and beyond",
        rows,
        lambda path: pingpong_latency.plot(path, lab.machine, shape, measurement),
    )


def _puts_and_gets(lab: Lab, shape: Shape) -> Shown:
    curves = dcmf_latency.measure(lab, shape)
    text = dcmf_latency.title(lab, shape)
    return Shown(text, dcmf_latency.rows(curves), lambda path: dcmf_latency.plot(path, text, curves))


def _one_sided(lab: Lab, _shape: Shape) -> Shown:
    times, window = armci_neighbours.measure_latency(lab), armci_neighbours.measure_bandwidth(lab)
    single, text = armci_neighbours.rates(times), armci_neighbours.title(lab)
    drawn = [*armci_neighbours.latency_panels(times), armci_neighbours.bandwidth_panel(single, window)]
    rows = [*armci_neighbours.latency_rows(times), *armci_neighbours.bandwidth_rows(single, window)]
    return Shown(text, rows, lambda path: plots.panels(path, text, drawn))


DEMOS = {
    "bgl": Demo("ping-pong", pingpong_latency.SHAPE, _pingpong),
    "bgp": Demo("puts and gets", dcmf_latency.SHAPE, _puts_and_gets),
    "bgq": Demo("puts and gets", armci_neighbours.SHAPE, _one_sided),
}


def demo_of(machine: Machine) -> Demo:
    """By the shipped machine that a description is based on. Raises UserError if there is none."""
    if machine.name not in DEMOS:
        raise UserError(f"demo: there is none of {machine.title}, but of {', '.join(DEMOS)}")
    return DEMOS[machine.name]
