# SPDX-License-Identifier: Apache-2.0
"""What it costs to know that all that was sent to all processes has arrived, by what was sent (table I).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-C: behind puts, OSPRI flushes each process by a put of one byte with a confirmation, ARMCI by a send that is
answered; the put takes less time, and the more so the more processes there are. The table's numbers are not in the
text. Here OSPRI flushes both ways: behind puts and behind accumulates. The other processes are in a barrier.
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
SHORT_SHAPES = ("2x1x1", "2x2x2", "4x2x2")
AFTER = {"get": "gets: nothing", "put": "puts: put and confirmation", "accumulate": "accumulates: send and answer"}


def measure(lab: Lab, shapes: Sequence[str]) -> dict[str, Curve]:
    """us by number of processes, by what was sent before."""
    dimensions = lab.machine.dimensions
    runs = [
        ProgramRun(f"flush-{shape}", "ospri_flush", (), parse_shape(shape, dimensions), environment=ALONE)
        for shape in shapes
    ]
    curves: dict[str, Curve] = {after: {} for after in AFTER}
    for output in lab.run(runs):
        for after, curve in microseconds(lab, output, "ospri-flush", "cycles", "ranks", "after").items():
            curves[after] |= curve
    return curves


def rows(curves: Mapping[str, Curve]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"behind {AFTER[after]}, {ranks} processes", "us", None, time)
        for after, curve in curves.items()
        for ranks, time in curve.items()
    ]
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
    curves = measure(lab, SHORT_SHAPES if lab.short else SHAPES)

    def draw(path: Path) -> None:
        lines = [plots.Line(f"behind {AFTER[after]}", sorted(curve.items())) for after, curve in curves.items()]
        panel = plots.Panel("flush of all processes", "processes", "us", lines, x_scale="log", y_scale="log")
        plots.panels(path, f"{lab.machine.title}: OSPRI's flush", [panel])

    return Findings(rows(curves), draw)
