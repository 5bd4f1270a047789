# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of broadcasts over the message size (Fig. 12), and of the deposit-bit broadcast over shapes.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 8.4 and Fig. 12: on a 4x4 mesh the
default binary tree tops out at about 60 MB/s, the mesh-aware broadcast from point-to-point messages reaches a little
more than one link's worth (200 MB/s) with messages above 200 KB, the one with the deposit bit 308 MB/s. The bandwidths
expected of shapes: a line 155 MB/s, a ring or a mesh of two dimensions 310, a torus of two dimensions up to four
links' worth, where the processors become the bottleneck. The paper measured the first two through MPI; here all is the
message layer alone.

Bandwidth is the message size over the time of one of several broadcasts in a row, until all ranks have the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.experiments.link_bandwidth import half_size
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

EXPERIMENT = "bgl fig12"
SIZES = (64, 256, 1024, 4096, 16384, 32768, 65536, 131072, 262144, 524288, 1048576)
LARGE = 524288  # bytes
ROUNDS = 2

# Bandwidth in MB/s by message size in bytes.
Curve = Mapping[int, float]


@dataclass(frozen=True)
class Way:
    """A broadcast of `firmware/programs/bgl/collectives.c`, and the highest bandwidth published of it on a 4x4 mesh."""

    label: str
    operation: str
    published: float


DEPOSIT = Way("deposit bit", "broadcast-deposit", 308.0)
NEIGHBOURS = Way("mesh-aware, from messages", "broadcast-neighbours", 200.0)
BINOMIAL = Way("binomial tree", "broadcast-binomial", 60.0)
WAYS = (DEPOSIT, NEIGHBOURS, BINOMIAL)
MESH = ("4x4x1", "XY")
NEIGHBOURS_SIZE = 200e3  # bytes: "only for very large (> 200 KBytes) messages"


@dataclass(frozen=True)
class Case:
    """A shape, and what the paper expects of a broadcast there."""

    label: str
    shape: str
    mesh: str
    published: float | None


CASES = (
    Case("line of 8", "8x1x1", "X", 155.0),
    Case("ring of 8", "8x1x1", "", 310.0),
    Case("mesh 4x4", *MESH, 310.0),
    Case("torus 4x4, of at most 620", "4x4x1", "", None),
    Case("mesh 4x4x4, of at most 465", "4x4x4", "XYZ", None),
)


def curves(
    lab: Lab, shape: Shape, operations: Sequence[str], sizes: Sequence[int], rounds: int = ROUNDS
) -> dict[str, list[tuple[int, float]]]:
    """Core cycles by size, for each operation of the collectives program."""
    wrapped = "".join("m" if not wrap else "t" for wrap in shape.wrap)
    runs = [
        ProgramRun(
            f"{operation}-{shape}-{wrapped}-{sizes[0]}-{sizes[-1]}",
            "collectives",
            ("--operation", operation, "--rounds", str(rounds), "--sizes", ",".join(map(str, sizes))),
            shape,
        )
        for operation in operations
    ]
    found = {}
    for operation, output in zip(operations, lab.run(runs), strict=True):
        found[operation] = [(int(r["size"]), float(r["cycles"])) for r in records(output, "collectives")]
        if [size for size, _ in found[operation]] != list(sizes):
            raise ToroidError(f"collectives printed {len(found[operation])} sizes, expected {len(sizes)}")
    return found


def bandwidths(cycles: Sequence[tuple[int, float]], core_mhz: float) -> dict[int, float]:
    return {size: size / value * core_mhz for size, value in cycles}


def rows(measured: Mapping[Way, Curve], shapes: Mapping[Case, float]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{way.label}, highest bandwidth", "MB/s", way.published, max(curve.values()))
        for way, curve in measured.items()
    ]
    if DEPOSIT in measured:
        half = half_size(measured[DEPOSIT], DEPOSIT.published)
        found.append(Row(EXPERIMENT, f"{DEPOSIT.label}, size at half of 308 MB/s", "bytes", None, half))
    if NEIGHBOURS in measured:
        at = half_size(measured[NEIGHBOURS], 2 * NEIGHBOURS.published)
        found.append(Row(EXPERIMENT, f"{NEIGHBOURS.label}, size at 200 MB/s", "bytes", NEIGHBOURS_SIZE, at))
    if set(WAYS) <= set(measured):
        ordered = all(measured[DEPOSIT][s] > measured[NEIGHBOURS][s] for s in measured[DEPOSIT])
        found.append(claim(EXPERIMENT, "deposit bit ahead at every size", ordered))
    found += [
        Row(EXPERIMENT, f"deposit bit, {case.label}", "MB/s", case.published, value) for case, value in shapes.items()
    ]
    return found


def measure(lab: Lab, ways: Sequence[Way] = WAYS, sizes: Sequence[int] = SIZES) -> dict[Way, dict[int, float]]:
    """Curves on the 4x4 mesh."""
    shape = parse_shape(MESH[0], lab.machine.dimensions, MESH[1])
    core_mhz = lab.machine.number("core.clock")
    found = curves(lab, shape, [way.operation for way in ways], sizes)
    return {way: bandwidths(found[way.operation], core_mhz) for way in ways}


def measure_shapes(lab: Lab, cases: Sequence[Case] = CASES, size: int = LARGE) -> dict[Case, float]:
    """The deposit-bit broadcast's bandwidth on each shape, with one large message."""
    core_mhz = lab.machine.number("core.clock")
    found = {}
    for case in cases:
        shape = parse_shape(case.shape, lab.machine.dimensions, case.mesh)
        cycles = curves(lab, shape, [DEPOSIT.operation], [size])[DEPOSIT.operation]
        found[case] = bandwidths(cycles, core_mhz)[size]
    return found


def fig12(lab: Lab) -> Findings:
    shapes = measure_shapes(lab)
    measured = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(way.label, list(curve.items())) for way, curve in measured.items()]
        limits = [("two links:\n310", 310.0), ("one link:\n155", 155.0)]
        panel = plots.Panel("4x4 mesh", "message (bytes)", "MB/s", lines, limits, "log")
        plots.panels(path, f"{lab.machine.title}: broadcast", [panel], columns=1)

    return Findings(rows(measured, shapes), draw)
