# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of ARMCI's puts, gets and accumulates of a MiB between neighbours of Blue Gene/Q, over the size of the
chunks in which their data lie (Fig. 9 and 11).

Published: Vishnu et al., "Building Scalable PGAS Communication Subsystem on Blue Gene/Q", section IV-B: with larger
chunks, strided puts and gets come near the bandwidth of contiguous ones (1,775 MB/s); accumulates by the target, which
are not waited for there, take less time than those by the source. The figures' points are not in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.armci_neighbours import PUBLISHED_PEAK, SHAPE, neighbours
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import Curve, microseconds
from toroid.report import Row

STRIDED, ACCUMULATE = "bgq strided", "bgq accumulate"
BYTES, SHORT_BYTES = 1 << 20, 1 << 16
LEAST, SHORT_LEAST = 512, 4096
THERE, LOCAL = "there", "begun"  # data are added, or their memory may be used again
Curves = Mapping[str, Curve]  # MB/s by chunk


def measure(lab: Lab, kinds: Mapping[str, tuple[str, str]]) -> dict[str, Curve]:
    """`kinds`: the operation of each curve, and the field of its time."""
    total, least = (SHORT_BYTES, SHORT_LEAST) if lab.short else (BYTES, LEAST)
    operations = list(dict.fromkeys(operation for operation, _ in kinds.values()))
    runs = [neighbours(lab, f"chunks-{each}", "armci_chunks", each, "2", str(total), str(least)) for each in operations]
    outputs = dict(zip(operations, lab.run(runs), strict=True))
    curves: dict[str, Curve] = {}
    for label, (operation, field) in kinds.items():
        times = microseconds(lab, outputs[operation], "armci_chunks", field, "chunk")[operation]
        curves[label] = {chunk: total / time for chunk, time in times.items()}
    return curves


def rows(experiment: str, curves: Curves, peak: float | None) -> list[Row]:
    return [
        Row(experiment, f"{label}, chunks of {chunk} bytes", "MB/s", peak if chunk == max(curve) else None, rate)
        for label, curve in curves.items()
        for chunk, rate in curve.items()
    ]


def _findings(lab: Lab, experiment: str, curves: Curves, peak: float | None) -> Findings:
    def draw(path: Path) -> None:
        lines = [plots.Line(label, sorted(curve.items())) for label, curve in curves.items()]
        limits = [] if peak is None else [(f"published:\n{peak:.0f}", peak)]
        panel = plots.Panel("bandwidth", "bytes of a chunk", "MB/s", lines, limits, x_scale="log")
        plots.panels(path, f"{lab.machine.title} {SHAPE}: {experiment.split()[-1]}, by ARMCI", [panel])

    return Findings(rows(experiment, curves, peak), draw)


def strided(lab: Lab) -> Findings:
    return _findings(lab, STRIDED, measure(lab, {"put": ("put", "local"), "get": ("get", "local")}), PUBLISHED_PEAK)


def accumulate(lab: Lab) -> Findings:
    return _findings(lab, ACCUMULATE, measure(lab, {LOCAL: ("acc", "local"), THERE: ("acc", "remote")}), None)
