# SPDX-License-Identifier: Apache-2.0
"""Patches of a distributed matrix that one process puts, gets and accumulates: ARMCI's calls by OSPRI and by ARMCI
(Fig. 4 and 5).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-B: Global Arrays on four processes, with 1024x1024 doubles in each; OSPRI, put in ARMCI's place, takes over 50 % less
time for small puts and accumulates, and 41 % less for gets, most of it by packing. The figures' points are not in the
text; two patches' times came with A1. Here the calls are ARMCI's own, without Global Arrays above them. The published
ARMCI did not pack: ours is set not to. Calls return when their memory may be used again (local completion).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun
from toroid.experiments.one_sided import APART, ARMCI, CRITICAL_SECTION, Curve, less, microseconds
from toroid.report import Row
from toroid.shape import parse_shape

EXPERIMENT = "bgp patches"
SHAPE = "2x2x1"
KINDS = {"put": "put", "get": "get", "acc": "accumulate"}
SMALL = (1, 2, 4, 8, 16)  # rows, and doubles in each
SAVED = {"put": 50.0, "get": 41.0, "acc": 50.0}  # per cent
# us: (operation, rows, columns) by library.
PUBLISHED: Mapping[str, Mapping[tuple[str, int], float]] = {
    "OSPRI": {("get", 8): 12.42, ("acc", 512): 55.65},
    "ARMCI": {("get", 8): 24.72, ("acc", 512): 929.29},
}
_PROGRAMS = {"OSPRI": ("armci_strided_ospri", CRITICAL_SECTION), "ARMCI": ("armci_strided", ARMCI)}
TALL = 512  # rows of one double
Curves = Mapping[str, Mapping[str, Curve]]


def measure(lab: Lab) -> Curves:
    """us by rows, of each library and operation."""
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    runs = [
        ProgramRun(f"patches-{library}", program, ("last", "5"), shape, environment=environment, settings=APART)
        for library, (program, environment) in _PROGRAMS.items()
    ]
    return {
        library: microseconds(lab, output, "armci_strided", "local", "rows")
        for library, output in zip(_PROGRAMS, lab.run(runs), strict=True)
    }


def rows(curves: Curves) -> list[Row]:
    found = []
    for library, kinds in curves.items():
        for kind, curve in kinds.items():
            for count, time in curve.items():
                columns = 1 if count == TALL else count
                label = f"{library}: {KINDS[kind]}, {count}x{columns} doubles"
                found.append(Row(EXPERIMENT, label, "us", PUBLISHED[library].get((kind, count)), time))
    for kind, label in KINDS.items():
        saved = less(curves["OSPRI"][kind], curves["ARMCI"][kind], SMALL)
        found.append(Row(EXPERIMENT, f"{label}, up to 16x16: OSPRI takes less, by", "%", SAVED[kind], saved))
    return found


def patches(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        panels = []
        for kind, label in KINDS.items():
            lines = []
            for number, library in enumerate(_PROGRAMS):
                squares = {count: time for count, time in curves[library][kind].items() if count != TALL}
                points = [(8 * count * count, time) for count, time in sorted(squares.items())]
                lines.append(plots.Line(library, points, f"C{number}o-"))
                known = [
                    (8 * count * count, time)
                    for (operation, count), time in PUBLISHED[library].items()
                    if operation == kind and count != TALL
                ]
                if known:
                    lines.append(plots.Line(f"{library}, published", known, f"C{number}x"))
            panels.append(plots.Panel(label, "bytes of a square patch", "us", lines, x_scale="log", y_scale="log"))
        plots.panels(path, f"{lab.machine.title} {SHAPE}: patches of a matrix of 1024x1024 doubles", panels)

    return Findings(rows(curves), draw)
