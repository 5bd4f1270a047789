# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of broadcast and allreduce over the tree (Fig. 14), and what a packet takes through trees of any size.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 8.6 and Fig. 14, on 512 nodes:
broadcast at 336 MB/s, the theoretical maximum, essentially whatever the message size; allreduce of integers somewhat
lower. Section 2: latency of 2.5 us on 65,536 nodes. The paper measured through MPI, whose allreduce sent the result out
again by software; here it is the message layer, and the tree itself turns results around.

Bandwidth is the message size over the time of one of many operations in a row, until all ranks have the last. Latency
is that of the network alone: one packet from the root to all, one way, injection and reception included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig14"
SHAPE = "8x8x8"
SIZES = (256, 1024, 4096, 16384, 65536, 262144)
# As many bytes for each size, so that the barrier behind the last operation counts little everywhere.
BYTES = 262144
PEAK = 336.0
LARGEST = "64x32x32"
LATENCY_SHAPES = ("4x4x4", "8x8x8", "16x16x16", "32x32x16", LARGEST)
LATENCY_US = 2.5


@dataclass(frozen=True)
class Way:
    label: str
    operation: str
    sizes: tuple[int, ...]
    bytes: int = BYTES


BROADCAST = Way("broadcast", "broadcast", SIZES)
ALLREDUCE = Way("allreduce of integers", "allreduce", SIZES)
# Its processors are the bottleneck: fewer bytes show as much.
DOUBLES = Way("allreduce of doubles, two passes", "sum-two-pass", (256, 1024, 4096, 16384), 16384)
WAYS = (BROADCAST, ALLREDUCE, DOUBLES)

# Bandwidth in MB/s by message size in bytes.
Curve = Mapping[int, float]


def measure(lab: Lab, shape: str = SHAPE, ways: Sequence[Way] = WAYS) -> dict[Way, dict[int, float]]:
    machine = parse_shape(shape, lab.machine.dimensions, "")
    core_mhz = lab.machine.number("core.clock")
    # One run a way: starting the machine takes longer than many operations.
    runs = [
        ProgramRun(
            f"tree-{way.operation}",
            "tree",
            ("--operation", way.operation, "--bytes", str(way.bytes), "--sizes", ",".join(map(str, way.sizes))),
            machine,
        )
        for way in ways
    ]
    found: dict[Way, dict[int, float]] = {}
    for way, output in zip(ways, lab.run(runs), strict=True):
        lines = records(output, "tree")
        if tuple(int(line["size"]) for line in lines) != way.sizes:
            raise ToroidError(f"tree printed {len(lines)} lines, expected {len(way.sizes)} for {way.operation}")
        found[way] = {int(line["size"]): int(line["size"]) / float(line["cycles"]) * core_mhz for line in lines}
    return found


def rows(measured: Mapping[Way, Curve], latencies: Mapping[str, float]) -> list[Row]:
    found = []
    for way, curve in measured.items():
        published = PEAK if way is BROADCAST else None
        found += [Row(EXPERIMENT, f"{way.label}, {size} bytes", "MB/s", published, curve[size]) for size in curve]
    if BROADCAST in measured and ALLREDUCE in measured:
        lower = all(measured[ALLREDUCE][size] < measured[BROADCAST][size] for size in measured[ALLREDUCE])
        found.append(claim(EXPERIMENT, "allreduce below broadcast at every size", lower))
    for shape, latency in latencies.items():
        published = LATENCY_US if shape == LARGEST else None
        found.append(Row(EXPERIMENT, f"one way through the tree of {shape}, network alone", "us", published, latency))
    return found


def measure_latencies(lab: Lab, shapes: Sequence[str] = LATENCY_SHAPES) -> dict[str, float]:
    found = lab.collective([parse_shape(shape, lab.machine.dimensions, "") for shape in shapes])
    return {shape: latency.tree_root_to_all_ns / 1e3 for shape, latency in zip(shapes, found, strict=True)}


def fig14(lab: Lab) -> Findings:
    latencies = measure_latencies(lab)
    measured = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(way.label, list(curve.items())) for way, curve in measured.items()]
        panel = plots.Panel(
            f"tree of {SHAPE}", "message (bytes)", "MB/s", lines, [("payload\nlimit: 336", PEAK)], "log"
        )
        plots.panels(path, f"{lab.machine.title}: the tree", [panel], columns=1)

    return Findings(rows(measured, latencies), draw)
