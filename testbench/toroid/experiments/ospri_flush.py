# SPDX-License-Identifier: Apache-2.0
"""What it costs to know that all that was sent to all processes has arrived, by what was sent (table I).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-C: behind puts, OSPRI flushes each process by a put of one byte with a confirmation, ARMCI by a send that is
answered; the put takes less time, and the more so the more processes there are. The table's numbers are not in the
text. Here OSPRI flushes both ways: behind puts and behind accumulates. All processes flush all others at a time, as
they do in a fence of all that is part of a barrier, so that each has to answer the others' sends as well; and, for
comparison, one process flushes, whom the others have nothing to do but answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun
from toroid.experiments.one_sided import ALONE, Curve, microseconds
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgp flush"
SHAPES = ("2x1x1", "2x2x1", "2x2x2", "4x2x2", "4x4x2", "4x4x4", "8x4x4", "8x8x4", "8x8x8")
MOST_AT_A_TIME = 128  # nodes: the messages of a round are their square
SHORT_SHAPES = ("2x1x1", "2x2x2", "4x2x2")
AFTER = {"get": "gets: nothing", "put": "puts: put and confirmation", "accumulate": "accumulates: send and answer"}
ALL, ONE = "all at a time", "one alone"


def measure(lab: Lab, shapes: Sequence[str], who: str) -> dict[str, Curve]:
    """us by number of processes, by what was sent before."""
    dimensions = lab.machine.dimensions
    name, arguments = ("flush-all", ("--all", "1", "--rounds", "1")) if who == ALL else ("flush", ())
    runs = [
        ProgramRun(f"{name}-{shape}", "ospri_flush", arguments, parse_shape(shape, dimensions), environment=ALONE)
        for shape in shapes
    ]
    curves: dict[str, Curve] = {after: {} for after in AFTER}
    for output in lab.run(runs):
        for after, curve in microseconds(lab, output, "ospri-flush", "cycles", "ranks", "after").items():
            curves[after] |= curve
    return curves


def rows(by_who: Mapping[str, Mapping[str, Curve]]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{who}, behind {AFTER[after]}, {ranks} processes", "us", None, time)
        for who, curves in by_who.items()
        for after, curve in curves.items()
        for ranks, time in curve.items()
    ]
    curves = by_who[ALL]
    put, send = curves["put"], curves["accumulate"]
    least, most = min(put), max(put)
    found.append(
        claim(
            EXPERIMENT, "put and confirmation take less time than send and answer", all(put[n] < send[n] for n in put)
        )
    )
    grows = send[most] - put[most] > send[least] - put[least]
    found.append(claim(EXPERIMENT, "what they save grows with the processes", grows))
    return found


def flush(lab: Lab) -> Findings:
    shapes = SHORT_SHAPES if lab.short else SHAPES
    dimensions = lab.machine.dimensions
    few = [shape for shape in shapes if parse_shape(shape, dimensions).nodes <= MOST_AT_A_TIME]
    by_who = {ALL: measure(lab, few, ALL), ONE: measure(lab, shapes, ONE)}

    def draw(path: Path) -> None:
        panels = []
        for who, curves in by_who.items():
            lines = [plots.Line(f"behind {AFTER[after]}", sorted(curve.items())) for after, curve in curves.items()]
            panels.append(plots.Panel(f"flush of all: {who}", "processes", "us", lines, x_scale="log", y_scale="log"))
        plots.panels(path, f"{lab.machine.title}: OSPRI's flush", panels)

    return Findings(rows(by_who), draw)
