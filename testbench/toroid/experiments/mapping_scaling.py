# SPDX-License-Identifier: Apache-2.0
"""What the map of processes onto the torus is worth: a code with NAS BT's pattern on growing machines, with the naive
and with an optimised map (the shape of Fig. 4).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 5: BT's performance a processor,
up to about 1000 processors, with the standard mapping and with one optimised for BT. The text gives no values; the
statement is the shape: with the naive map it falls as processors are added, with the optimised one it stays nearly
flat.

Here a process has the same work and the same messages at any number of processes, so that without the network's part
its performance would be the same everywhere. Communication weighs more than in BT itself. Faces go by rendezvous, as
MPI sends messages of their length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments import multipartition_map
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

EXPERIMENT = "bgl mapping"
# Processes along a side of the grid, and the smallest partition that takes them all.
SIZES = ((4, "4x4x2"), (8, "4x4x4"), (12, "8x8x4"), (16, "8x8x4"), (20, "8x8x8"), (22, "8x8x8"))
MAPS: dict[str, Callable[[int, Shape], list[multipartition_map.Place]]] = {
    "naive": multipartition_map.naive,
    "optimised": multipartition_map.optimised,
}
ARGUMENTS = ("--protocol", "rendezvous", "--steps", "2")
# What "falls" and "nearly flat" are taken to mean, from the fewest to the most processes.
NEARLY_FLAT = 0.9
# Maps of the same quality differ by less.
NO_SLOWER = 0.99


@dataclass(frozen=True)
class Point:
    """One run. `performance` is that of a process, in shares of what it would be if communication took no time."""

    processes: int
    hops: float
    performance: float


def rows(measured: dict[str, list[Point]]) -> list[Row]:
    found = []
    for name, points in measured.items():
        for point in points:
            label = f"{point.processes} processes, {name}"
            found.append(Row(EXPERIMENT, f"{label}, performance a process", "share", None, point.performance))
            found.append(Row(EXPERIMENT, f"{label}, distance between neighbours", "hops", None, point.hops))
    kept = {name: points[-1].performance / points[0].performance for name, points in measured.items()}
    pairs = zip(measured["naive"], measured["optimised"], strict=True)
    never_worse = all(optimised.performance >= NO_SLOWER * naive.performance for naive, optimised in pairs)
    return [
        *found,
        claim(EXPERIMENT, "naive: a process's performance falls with their number", kept["naive"] < NEARLY_FLAT),
        claim(EXPERIMENT, "optimised: it stays nearly flat (within 10 %)", kept["optimised"] >= NEARLY_FLAT),
        claim(EXPERIMENT, "optimised is nowhere slower than naive (by 1 %)", never_worse),
    ]


def measure(
    lab: Lab, sizes: Sequence[tuple[int, str]] = SIZES, arguments: Sequence[str] = ARGUMENTS
) -> dict[str, list[Point]]:
    """A point a size, by map. `arguments` are bt_pattern's."""
    runs: dict[tuple[str, int], ProgramRun] = {}
    for side, shape_text in sorted(sizes, reverse=True):  # the longest first
        shape = parse_shape(shape_text, lab.machine.dimensions)
        for name, make in MAPS.items():
            run_name = f"bt_pattern-{side * side}-{name}"
            path = lab.directory / f"{run_name}.map"
            multipartition_map.write_map(path, make(side, shape))
            runs[name, side] = ProgramRun(
                run_name, "bt_pattern", tuple(arguments), shape, ranks=side * side, mapping=path
            )
    outputs = dict(zip(runs, lab.run(list(runs.values())), strict=True))
    return {name: [_point(outputs[name, side]) for side, _ in sorted(sizes)] for name in MAPS}


def _point(output: str) -> Point:
    found = records(output, "bt-pattern")
    if len(found) != 1:
        raise ToroidError(f"bt_pattern printed {len(found)} measurements, expected 1")
    (record,) = found
    performance = float(record["work_cycles"]) / float(record["cycles"])
    return Point(int(record["ranks"]), float(record["hops"]), performance)


def mapping(lab: Lab) -> Findings:
    measured = measure(lab)
    return Findings(rows(measured), lambda path: _plot(path, lab.machine.title, measured))


def _plot(path: Path, machine: str, measured: dict[str, list[Point]]) -> None:
    performance = [
        plots.Line(f"{name} map", [(point.processes, point.performance) for point in points])
        for name, points in measured.items()
    ]
    hops = [
        plots.Line(f"{name} map", [(point.processes, point.hops) for point in points])
        for name, points in measured.items()
    ]
    drawn = [
        plots.Panel("performance of a process", "processes", "share of that without communication", performance),
        plots.Panel("distance between neighbours", "processes", "hops, mean", hops),
    ]
    plots.panels(path, f"{machine}: NAS BT's pattern, fixed work a process", drawn, columns=2)
