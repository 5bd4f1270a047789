# SPDX-License-Identifier: Apache-2.0
"""Fetch-and-add on a counter of rank 0 by all other processes of Blue Gene/Q at once, by their number (Fig. 10).

Published: Vishnu et al., "Building Scalable PGAS Communication Subsystem on Blue Gene/Q", section IV-B.3: the mean time
of an addition grows in proportion to the processes, alike with and without an asynchronous thread, as long as rank 0
waits; where rank 0 computes for 300 us at a time, it grows strongly without that thread. The figure's points are not in
the text. Here a node has one process.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.experiments.one_sided import Curve
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgq counter"
SHAPES = ("2x1x1x1x1", "2x2x1x1x1", "2x2x2x1x1", "2x2x2x2x1", "2x2x4x2x1")
SHORT_SHAPES = ("2x1x1x1x1", "2x2x2x1x1")
PIECE_US = 300
POLLING, THREAD = "no thread", "thread"
PROGRESS = {POLLING: "polling", THREAD: "thread"}
STATES = {"waits": "0", "computes": str(PIECE_US)}
DRAWS = {"waits": "10", "computes": "4"}
Curves = Mapping[tuple[str, str], Curve]  # us by processes, by progress and what rank 0 does


def measure(lab: Lab) -> Curves:
    shapes = [parse_shape(text, lab.machine.dimensions) for text in (SHORT_SHAPES if lab.short else SHAPES)]
    cases = [(how, state, shape) for how in PROGRESS for state in STATES for shape in shapes]
    runs = [
        ProgramRun(
            f"counter-{PROGRESS[how]}-{state}-{shape}", "armci_counter", (DRAWS[state], STATES[state]), shape,
            environment=(("ARMCI_PROGRESS", PROGRESS[how]),),
        )
        for how, state, shape in cases
    ]  # fmt: skip
    curves: dict[tuple[str, str], Curve] = {}
    for (how, state, _), output in zip(cases, lab.run(runs), strict=True):
        (line,) = records(output, "armci_counter")
        curves.setdefault((how, state), {})[int(line["ranks"])] = float(line["mean_us"])
    return curves


def rows(curves: Curves) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"rank 0 {state}, {how}, {processes} processes", "us", None, time)
        for (how, state), curve in curves.items()
        for processes, time in curve.items()
    ]
    most = max(curves[POLLING, "waits"])
    waits, threads = curves[POLLING, "waits"][most], curves[THREAD, "waits"][most]
    alike = abs(threads / waits - 1) < 0.25
    found.append(claim(EXPERIMENT, "rank 0 waits: alike within 25 % with and without a thread", alike))
    kept = curves[THREAD, "computes"][most] < 2 * threads
    found.append(claim(EXPERIMENT, "rank 0 computes: with a thread less than twice what it takes when it waits", kept))
    grown = curves[POLLING, "computes"][most] > 2 * waits
    found.append(claim(EXPERIMENT, "rank 0 computes: without a thread more than twice", grown))
    return found


def counter(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(f"rank 0 {state}, {how}", sorted(curve.items())) for (how, state), curve in curves.items()]
        panel = plots.Panel("fetch-and-add", "processes", "us", lines, x_scale="log", y_scale="log")
        plots.panels(path, f"{lab.machine.title}: a counter of rank 0, by ARMCI", [panel])

    return Findings(rows(curves), draw)
