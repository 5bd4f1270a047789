# SPDX-License-Identifier: Apache-2.0
"""Every node of a torus of 8x8x8, or every second or fourth plane of them along X, to the node at (+4,+4,+4): puts,
gets and sends of DCMF.

Published: A1's benchmarks of DCMF (jeffhammond/ospri, branches/a1-lite/benchmarks/dcmf, put_, get_ and
send_contention_results): 100 operations begun together, then awaited; a node's time is a hundredth of what they take
together, the figures are the least, the mean and the most of the sending nodes. Puts count when they are confirmed,
with sequential consistency. Published times have whole microseconds. Of long operations, a node has fewer here.

The short form is a torus of 4x4x4, to (+2,+2,+2): a link has half the load, and nothing is compared with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgp contention_8x8x8"
SHAPE, SHORT_SHAPE = "8x8x8", "4x4x4"
# And their routes. DCMF's puts are always static; gets and sends took the same time either way, within 1 %.
KINDS = {"put": "static", "get": "dynamic", "send": "dynamic"}
SENDERS_EVERY = {1: "all nodes", 2: "every 2nd plane", 4: "every 4th plane"}
# Operations of a node, by bytes.
COUNTS = {128: 100, 1024: 50, 4096: 20, 16384: 8}
SHORT_COUNTS = {128: 10, 4096: 10}
# us: means of the published runs, by senders and bytes. Of gets by a part of the nodes, few are known.
PUBLISHED: Mapping[str, Mapping[int, Mapping[int, float]]] = {
    "put": {
        1: {128: 3, 1024: 17, 4096: 60, 16384: 254},
        2: {128: 3, 1024: 18, 4096: 62, 16384: 235},
        4: {128: 3, 1024: 14, 4096: 53, 16384: 183},
    },
    "get": {
        1: {128: 3, 1024: 7, 4096: 24, 16384: 89},
        2: {16384: 102},
        4: {16384: 47},
    },
    "send": {
        1: {128: 5, 1024: 9, 4096: 25, 16384: 91},
        2: {128: 5, 1024: 11, 4096: 32, 16384: 113},
        4: {128: 5, 1024: 6, 4096: 14, 16384: 49},
    },
}
# Least and most, of puts by all nodes.
SPREAD = {128: (3, 3), 1024: (5, 26), 4096: (19, 82), 16384: (105, 350)}


@dataclass(frozen=True)
class Times:
    """us an operation, over the sending nodes."""

    least: float
    mean: float
    most: float


Measured = Mapping[str, Mapping[int, Mapping[int, Times]]]  # by kind, senders and bytes


def measure(lab: Lab, text: str, counts: Mapping[int, int]) -> Measured:
    shape = parse_shape(text, lab.machine.dimensions)
    arguments = tuple(f"{size}:{count}" for size, count in counts.items())
    cases = [(kind, every) for every in SENDERS_EVERY for kind in KINDS]
    runs = [
        ProgramRun(f"contention-{kind}-{every}", "dcmf_contention", (kind, KINDS[kind], str(every), *arguments), shape)
        for kind, every in cases
    ]
    found: dict[str, dict[int, dict[int, Times]]] = {kind: {} for kind in KINDS}
    for (kind, every), output in zip(cases, lab.run(runs), strict=True):
        found[kind][every] = {
            int(line["bytes"]): Times(float(line["min"]), float(line["mean"]), float(line["max"]))
            for line in records(output, "dcmf_contention")
        }
        if set(found[kind][every]) != set(counts):
            raise ToroidError(f"dcmf_contention printed {len(found[kind][every])} lines, expected {len(counts)}")
    return found


def rows(measured: Measured, short: bool) -> list[Row]:
    found = []
    for kind, parts in measured.items():
        for every, sizes in parts.items():
            for size, times in sizes.items():
                label = f"{kind}, {SENDERS_EVERY[every]}, {size} bytes"
                published = None if short else PUBLISHED[kind][every].get(size)
                found.append(Row(EXPERIMENT, f"{label}, mean", "us", published, times.mean))
                if kind == "put" and every == 1:
                    least, most = (None, None) if short else SPREAD[size]
                    found.append(Row(EXPERIMENT, f"{label}, least", "us", least, times.least))
                    found.append(Row(EXPERIMENT, f"{label}, most", "us", most, times.most))
    size = max(measured["put"][1])
    put, get, send = (measured[kind][1][size] for kind in KINDS)
    found.append(claim(EXPERIMENT, "put by all nodes takes more than twice a get", put.mean > 2 * get.mean))
    found.append(claim(EXPERIMENT, "put: some nodes are served twice as fast as others", put.most > 2 * put.least))
    alike = all(times.most < 1.1 * times.least for times in (get, send))
    found.append(claim(EXPERIMENT, "get and send: all nodes are served alike, within 10 %", alike))
    return found


def contention(lab: Lab) -> Findings:
    shape, counts = (SHORT_SHAPE, SHORT_COUNTS) if lab.short else (SHAPE, COUNTS)
    measured = measure(lab, shape, counts)

    def draw(path: Path) -> None:
        panels = []
        for every, senders in SENDERS_EVERY.items():
            lines = []
            for number, kind in enumerate(KINDS):
                points = [(size, times.mean) for size, times in measured[kind][every].items()]
                lines.append(plots.Line(kind, points, f"C{number}o-"))
                if not lab.short:
                    known = [(size, time) for size, time in PUBLISHED[kind][every].items()]
                    lines.append(plots.Line(f"{kind}, published", known, f"C{number}x--"))
            panels.append(plots.Panel(senders, "bytes", "us an operation", lines, x_scale="log", y_scale="log"))
        plots.panels(path, f"{lab.machine.title} {shape}: to the node at half of each dimension", panels)

    return Findings(rows(measured, lab.short), draw)
