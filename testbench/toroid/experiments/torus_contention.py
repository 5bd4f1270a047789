# SPDX-License-Identifier: Apache-2.0
"""Every node of a torus of 8x8x8, or every second or fourth plane of them along X, to the node at (+4,+4,+4): time of
an operation, on the network alone.

Published: A1's benchmarks of DCMF (jeffhammond/ospri, branches/a1-lite/benchmarks/dcmf, put_, get_ and
send_contention_results, with the programs that made them): 100 operations back to back; a node's time is a hundredth of
what they take together, the figures are the least, the mean and the most of the sending nodes. Of gets and sends, those
with static routing as the program asked for it, which differ from those with dynamic routing by no more than 1 %. On
the network alone a send is a get from the other side; its published times are beside the same measured ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, NetworkRun
from toroid.experiments.torus_messages import GET, KINDS, PUT, PUT_BY_PARITY, Kind, packets, traffic
from toroid.machine import Machine
from toroid.report import Row, claim
from toroid.result import Spread
from toroid.shape import parse_shape

EXPERIMENT = "bgp contention_8x8x8_network"
SHAPE = "8x8x8"
DISPLACEMENT = (4, 4, 4)
SENDERS_EVERY = {1: "all nodes", 2: "every 2nd plane", 4: "every 4th plane"}
# Size in bytes, and operations of a node: fewer than the published 100, which would take hours.
SIZES = {65536: 20, 1048576: 4}
SHORT_SIZES = {16384: 5}

Times = tuple[float, float, float]  # us: least, mean, most
PUBLISHED: dict[str, dict[int, dict[int, Times]]] = {  # by senders and size
    "put": {
        1: {16384: (105, 254, 350), 65536: (249, 1026, 1319), 1048576: (4693, 17697, 22847)},
        2: {16384: (76, 235, 309), 65536: (345, 974, 1280), 1048576: (8296, 17052, 21987)},
        4: {16384: (93, 183, 194), 65536: (412, 785, 847), 1048576: (6673, 11576, 13370)},
    },
    "get": {
        1: {16384: (88, 89, 90), 65536: (352, 354, 355), 1048576: (5627, 5637, 5641)},
        2: {16384: (67, 102, 126), 65536: (242, 394, 461), 1048576: (6252, 6774, 7216)},
        4: {16384: (47, 47, 47), 65536: (183, 183, 183), 1048576: (2907, 2909, 2911)},
    },
    "send": {
        1: {16384: (89, 91, 92), 65536: (353, 356, 357), 1048576: (5626, 5638, 5648)},
        2: {16384: (92, 113, 139), 65536: (299, 426, 492), 1048576: (6472, 6883, 7100)},
        4: {16384: (48, 49, 49), 65536: (185, 185, 186), 1048576: (2909, 2911, 2914)},
    },
}  # fmt: skip
_SERIES = {PUT: ("put",), PUT_BY_PARITY: ("put",), GET: ("get", "send")}


@dataclass(frozen=True)
class Case:
    kind: Kind
    senders_every: int
    size: int


def measure(lab: Lab, sizes: Mapping[int, int]) -> dict[Case, Spread]:
    """Network cycles of an operation."""
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    runs = {
        Case(kind, every, size): NetworkRun(
            f"{kind.name}-every-{every}-{size}",
            shape,
            traffic(lab.machine, kind, DISPLACEMENT, shape.extents, size, operations, every),
        )
        for size, operations in sizes.items()
        for kind in KINDS
        for every in SENDERS_EVERY
    }
    order = sorted(runs, key=lambda case: packets(case.size) * sizes[case.size] // case.senders_every, reverse=True)
    found = dict(zip(order, lab.messages([runs[case] for case in order]), strict=True))
    return {case: found[case].operation_cycles for case in runs}


def rows(machine: Machine, measured: Mapping[Case, Spread]) -> list[Row]:
    mhz = machine.number("torus.clock")
    found = []
    for case, spread in measured.items():
        for series in _SERIES[case.kind]:
            name = series if case.kind.name == "get" else case.kind.label
            label = f"{name}, {SENDERS_EVERY[case.senders_every]}, {case.size} bytes"
            times = PUBLISHED[series][case.senders_every][case.size]
            for what, published, value in zip(
                ("least", "mean", "most"), times, (spread.min, spread.mean, spread.max), strict=True
            ):
                # The spread of gets says nothing more: they are served evenly.
                if what == "mean" or (case.kind != GET and case.senders_every == 1):
                    found.append(Row(EXPERIMENT, f"{label}, {what}", "us", published, value / mhz))
    return found + claims(measured)


def claims(measured: Mapping[Case, Spread]) -> list[Row]:
    size = max(case.size for case in measured)
    put, get = (measured[Case(kind, 1, size)] for kind in (PUT, GET))
    return [
        claim(EXPERIMENT, "put by all nodes takes more than twice a get", put.mean > 2 * get.mean),
        claim(EXPERIMENT, "put: some nodes are served twice as fast as others", put.max > 2 * put.min),
        claim(EXPERIMENT, "get: all nodes are served alike, within 10 %", get.max < 1.1 * get.min),
    ]


def contention(lab: Lab) -> Findings:
    measured = measure(lab, SHORT_SIZES if lab.short else SIZES)
    return Findings(rows(lab.machine, measured), lambda path: _plot(path, lab.machine, measured))


def _plot(path: Path, machine: Machine, measured: Mapping[Case, Spread]) -> None:
    size = max(case.size for case in measured)
    mhz = machine.number("torus.clock")
    bars: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        for every, senders in SENDERS_EVERY.items():
            series = _SERIES[kind][0]
            bars.setdefault(f"{series}, published", {})[senders] = PUBLISHED[series][every][size][1]
            bars.setdefault(f"{kind.label}, measured", {})[senders] = measured[Case(kind, every, size)].mean / mhz
    title = f"{machine.title} {SHAPE}: (+4,+4,+4), {size} bytes, network alone"
    plots.bars(path, title, "us an operation, mean over nodes", bars)
