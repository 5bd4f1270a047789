# SPDX-License-Identifier: Apache-2.0
"""Cycles to read a packet (Fig. 6): into an aligned buffer, realigned while it is read, and read and then copied.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer". Section 3: about 204 cycles to read a
packet of 256 bytes into aligned memory. Fig. 6 shows that realigning within the read saves cycles over the standard
method, reading and then copying; its values are not in the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig6"
SHAPE = "2x1x1"
PUBLISHED_READ_CYCLES = 204.0
CHUNK_BYTES = 32
LARGEST = 8 * CHUNK_BYTES


@dataclass(frozen=True)
class Point:
    """Cycles to read a packet of `size` bytes to `offset` bytes behind a multiple of 16."""

    size: int
    offset: int
    aligned: float
    realigned: float
    copied: float


def rows(points: list[Point]) -> list[Row]:
    largest = [point for point in points if point.size == LARGEST and point.offset != 0]
    mean = {way: fmean(getattr(point, way) for point in largest) for way in ("aligned", "realigned", "copied")}
    always = all(point.realigned < point.copied for point in points if point.offset != 0)
    return [
        Row(EXPERIMENT, "read 256 bytes, aligned", "cycles", PUBLISHED_READ_CYCLES, mean["aligned"]),
        Row(EXPERIMENT, "read 256 bytes, realigned while reading, mean", "cycles", None, mean["realigned"]),
        Row(EXPERIMENT, "read 256 bytes, then copied, mean", "cycles", None, mean["copied"]),
        Row(EXPERIMENT, "savings, 256 bytes, mean", "cycles", None, mean["copied"] - mean["realigned"]),
        claim(EXPERIMENT, "realigning while reading saves cycles, at every size and offset", always),
    ]


def measure(lab: Lab) -> list[Point]:
    run = ProgramRun("packet-read", "packet_cost", ("sweep",), parse_shape(SHAPE, lab.machine.dimensions))
    points = [
        Point(
            int(record["chunks"]) * CHUNK_BYTES,
            int(record["offset"]),
            *(float(record[way]) for way in ("aligned", "realigned", "copied")),
        )
        for record in records(lab.run([run])[0], "packet-read")
    ]
    if not any(point.size == LARGEST and point.offset != 0 for point in points):
        raise ToroidError("packet_cost printed no packet of 256 bytes at an odd offset")
    return points


def fig6(lab: Lab) -> Findings:
    points = measure(lab)
    return Findings(rows(points), lambda path: _plot(path, lab.machine.title, points))


_WAYS = {"realigned": "realigned while reading", "copied": "read, then copied", "aligned": "aligned"}


def over_offsets(points: list[Point]) -> plots.Panel:
    """Packets of 256 bytes by the buffer's offset. Reading into an aligned buffer knows no offset: a line across."""
    largest = [point for point in points if point.size == LARGEST]
    lines = [
        plots.Line(_WAYS[way], [(point.offset, getattr(point, way)) for point in largest])
        for way in ("realigned", "copied")
    ]
    aligned = min(point.aligned for point in largest)
    limits = [(f"aligned: {aligned:.0f}", aligned), ("published: 204", PUBLISHED_READ_CYCLES)]
    return plots.Panel(
        "packets of 256 bytes", "offset from a multiple of 16 (bytes)", "cycles", lines, limits, whole=True
    )


def _plot(path: Path, machine: str, points: list[Point]) -> None:
    sizes = sorted({point.size for point in points})
    off = [point for point in points if point.offset != 0]
    by_size = [
        plots.Line(label, [(size, fmean(getattr(point, way) for point in off if point.size == size)) for size in sizes])
        for way, label in _WAYS.items()
    ]
    drawn = [
        plots.Panel("mean over the offsets 1 to 15", "packet (bytes)", "cycles", by_size),
        over_offsets(points),
    ]
    plots.panels(path, f"{machine}: cycles to read a packet", drawn, columns=2)
