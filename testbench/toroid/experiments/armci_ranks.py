# SPDX-License-Identifier: Apache-2.0
"""What a get of 16 bytes takes from each other node of a block of Blue Gene/Q (Fig. 8).

Published: Vishnu et al., "Building Scalable PGAS Communication Subsystem on Blue Gene/Q", section IV-B: 2x2x4x4x2, 16
processes a node, ranks in the order of the coordinates; 2.89 us at least and 3.38 us at most, of which the paper makes
35 ns a hop, by 14 hops to the farthest node and back. Here a node has one process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from toroid import plots
from toroid.experiments.armci_neighbours import POLLING
from toroid.experiments.harness import Findings, Lab, ProgramRun, records, slope_within
from toroid.report import Row
from toroid.shape import Shape, parse_shape

EXPERIMENT = "bgq ranks"
SHAPE, SHORT_SHAPE = "2x2x4x4x2", "4x1x2x1x1"
LEAST_US, MOST_US, HOP_NS = 2.89, 3.38, 35.0


@dataclass(frozen=True)
class Get:
    rank: int
    hops: int  # one way
    us: float  # the mean of its rounds
    least_us: float


def hops(shape: Shape, rank: int) -> int:
    """From rank 0, whose coordinates are all 0; the last coordinate of ranks changes first."""
    total = 0
    for extent in reversed(shape.extents):
        rank, coordinate = divmod(rank, extent)
        total += min(coordinate, extent - coordinate)
    return total


def measure(lab: Lab, shape: Shape) -> list[Get]:
    (output,) = lab.run([ProgramRun("ranks", "armci_ranks", ("60",), shape, environment=POLLING)])
    mhz = lab.machine.number("core.clock")
    return [
        Get(
            int(line["rank"]),
            hops(shape, int(line["rank"])),
            float(line["get"]) / mhz,
            float(line["least"]) / mhz,
        )
        for line in records(output, "armci_ranks")
    ]


def by_hops(gets: list[Get]) -> Mapping[int, float]:
    """The mean in us."""
    return {far: fmean(get.us for get in gets if get.hops == far) for far in sorted({get.hops for get in gets})}


def rows(gets: list[Get]) -> list[Row]:
    least, most = min(get.us for get in gets), max(get.us for get in gets)
    found = [
        Row(EXPERIMENT, "shortest get", "us", LEAST_US, least),
        Row(EXPERIMENT, "longest get", "us", MOST_US, most),
        Row(EXPERIMENT, "difference", "us", MOST_US - LEAST_US, most - least),
    ]
    # Of the rounds in which rank 0 looked soonest after the data had come.
    a_hop = slope_within([[(2 * get.hops, get.least_us * 1e3) for get in gets]])
    found.append(Row(EXPERIMENT, "a hop", "ns", HOP_NS, a_hop))
    found += [Row(EXPERIMENT, f"mean of {far} hops", "us", None, time) for far, time in by_hops(gets).items()]
    return found


def ranks(lab: Lab) -> Findings:
    shape = parse_shape(SHORT_SHAPE if lab.short else SHAPE, lab.machine.dimensions)
    gets = measure(lab, shape)

    def draw(path: Path) -> None:
        lines = [plots.Line("get of 16 bytes", [(get.rank, get.us) for get in gets], ".-")]
        limits = [("published,\nat least", LEAST_US), ("published,\nat most", MOST_US)]
        panel = plots.Panel("by rank", "rank", "us", lines, limits, whole=True)
        plots.panels(path, f"{lab.machine.title} {shape}: gets by rank 0", [panel])

    return Findings(rows(gets), draw)
