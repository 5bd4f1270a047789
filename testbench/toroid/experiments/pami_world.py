# SPDX-License-Identifier: Apache-2.0
"""Barriers of all tasks and all-reductions of one double by PAMI on Blue Gene/Q, by the network and by messages.

Published: Kumar et al. on MPI's collective operations on Blue Gene/Q (abstract): the sum of a double takes
10.25 us on 1,572,864 ranks, which are 98,304 nodes of 16. Here nodes have one process, and blocks are small.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.experiments.one_sided import Curve
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgq world"
SHAPES = ("2x1x1x1x1", "2x2x1x1x1", "2x2x2x1x1", "2x2x2x2x1", "2x2x2x2x2")
SHORT_SHAPES = ("2x1x1x1x1", "2x2x2x1x1")
PUBLISHED_US = 10.25
BARRIER = {"GI": "barrier, global interrupts", "P2P": "barrier, messages"}
ALLREDUCE = {"MU": "allreduce, collective unit", "P2P": "allreduce, messages"}
LABELS = {"barrier": BARRIER, "allreduce": ALLREDUCE}


def measure(lab: Lab) -> dict[str, Curve]:
    """us by tasks, of each operation and way; of several algorithms by messages the first one."""
    shapes = [parse_shape(text, lab.machine.dimensions) for text in (SHORT_SHAPES if lab.short else SHAPES)]
    runs = [ProgramRun(f"world-{shape}", "pami_world", ("10",), shape) for shape in shapes]
    mhz = lab.machine.number("core.clock")
    curves: dict[str, Curve] = {label: {} for ways in LABELS.values() for label in ways.values()}
    for output in lab.run(runs):
        for line in records(output, "pami_world"):
            label = LABELS[line["operation"]][line["by"].rpartition(":")[2]]
            curves[label].setdefault(int(line["tasks"]), float(line["cycles"]) / mhz)
    return curves


def rows(curves: Mapping[str, Curve]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{label}, {tasks} tasks", "us", None, time)
        for label, curve in curves.items()
        for tasks, time in curve.items()
    ]
    most = max(curves[ALLREDUCE["MU"]])
    holds = curves[ALLREDUCE["MU"]][most] < PUBLISHED_US
    found.append(claim(EXPERIMENT, "allreduce, collective unit: below the 10.25 us of the largest machine", holds))
    return found


def world(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(label, sorted(curve.items())) for label, curve in curves.items()]
        limits = [(f"published,\n98,304 nodes:\n{PUBLISHED_US}", PUBLISHED_US)]
        panel = plots.Panel("all tasks", "tasks", "us", lines, limits, x_scale="log")
        plots.panels(path, f"{lab.machine.title}: barrier and allreduce of a double, by PAMI", [panel])

    return Findings(rows(curves), draw)
