# SPDX-License-Identifier: Apache-2.0
"""Bandwidth over the message size, of a node that exchanges messages with one to six neighbours at once (Fig. 9).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 8.2: on one bidirectional link the
net limit of 310 MB/s (both directions added) is nearly reached, half of it by messages of about 1 KB (Fig. 9a); by
eager and by rendezvous a node keeps two bidirectional links busy, by adaptive eager not even two, by rendezvous with
the coprocessor's help more than three (Fig. 9b-e). The paper measured through MPI; here it is the message layer alone.

A node keeps n links busy when it moves, at some message size, at least nine tenths of n times 310 MB/s.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.machine import Machine
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig9"
SHAPE = "3x3x3"  # the smallest torus in which a node has six neighbours
SIZES = (16, 64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536, 262144, 1048576)
LINKS = (1, 2, 3, 4, 5, 6)
PUBLISHED_PEAK = 310.0  # MB/s
PUBLISHED_HALF_SIZE = 1024.0  # bytes: "about 1 KByte"
HALF_SIZE_BAND = (700.0, 1500.0)
BUSY_SHARE = 0.9

# Bandwidth in MB/s by message size in bytes.
Curve = Mapping[int, float]


@dataclass(frozen=True)
class Case:
    """One way to send, and how many links it was published to keep busy: that number, fewer ("<") or more (">")."""

    panel: str
    label: str
    arguments: tuple[str, ...]
    published_links: int
    relation: Literal["=", "<", ">"] = "="

    @property
    def run_name(self) -> str:
        return self.label.replace(" ", "-")


_ALONE = ("--second-core", "unused")
EAGER = Case("b", "eager", ("--protocol", "eager", *_ALONE), 2)
CASES = (
    EAGER,
    Case("c", "rendezvous", ("--protocol", "rendezvous", *_ALONE), 2),
    Case("d", "adaptive eager", ("--protocol", "adaptive-eager", *_ALONE), 2, "<"),
    Case("e", "rendezvous with coprocessor", ("--protocol", "rendezvous", "--second-core", "used"), 3, ">"),
)


def bandwidth(links: int, size: int, window: int, cycles: float, core_mhz: float) -> float:
    """MB/s at the centre, both directions added, where a round takes `cycles` core cycles."""
    return 2 * links * size * window / cycles * core_mhz


def half_size(curve: Curve, peak: float) -> float | None:
    """The message size at which the curve first reaches half of `peak`, interpolated between the sizes measured."""
    before: tuple[int, float] | None = None
    for size in sorted(curve):
        value = curve[size]
        if value >= peak / 2:
            if before is None:
                return float(size)
            share = (peak / 2 - before[1]) / (value - before[1])
            return math.exp(math.log(before[0]) + share * (math.log(size) - math.log(before[0])))
        before = (size, value)
    return None


def busy_links(curves: Mapping[int, Curve]) -> int:
    """How many links are kept busy, by the definition above; `curves` holds a curve for each number of links."""
    return max((n for n, curve in curves.items() if max(curve.values()) >= BUSY_SHARE * n * PUBLISHED_PEAK), default=0)


def link_equivalents(curves: Mapping[int, Curve]) -> float:
    """The highest bandwidth over any number of links, in net limits of a link."""
    return max(max(curve.values()) for curve in curves.values()) / PUBLISHED_PEAK


def rows(measured: Mapping[Case, Mapping[int, Curve]]) -> list[Row]:
    found = []
    if EAGER in measured:
        single = measured[EAGER][1]
        peak = max(single.values())
        half = half_size(single, PUBLISHED_PEAK)
        low, high = HALF_SIZE_BAND
        found += [
            Row(EXPERIMENT, "a: one link, eager, highest bandwidth", "MB/s", PUBLISHED_PEAK, peak),
            Row(EXPERIMENT, "a: one link, eager, size at half of 310 MB/s", "bytes", PUBLISHED_HALF_SIZE, half),
            claim(EXPERIMENT, "a: that size lies between 0.7 and 1.5 KB", half is not None and low <= half <= high),
        ]
    for case, curves in measured.items():
        name = f"{case.panel}: {case.label}"
        busy, highest = busy_links(curves), link_equivalents(curves)
        published = case.published_links if case.relation == "=" else None
        found.append(Row(EXPERIMENT, f"{name}, links kept busy", "links", published, busy))
        found.append(Row(EXPERIMENT, f"{name}, highest bandwidth, in links", "links", None, highest))
        if case.relation == "<":
            found.append(claim(EXPERIMENT, f"{name}, fewer than {case.published_links}", busy < case.published_links))
        if case.relation == ">":
            text = f"{name}, more than {case.published_links}"
            found.append(claim(EXPERIMENT, text, highest > case.published_links))
    return found


def measure(
    lab: Lab, cases: Sequence[Case] = CASES, links: Sequence[int] = LINKS, sizes: Sequence[int] = SIZES
) -> dict[Case, dict[int, dict[int, float]]]:
    """Curves by case and number of links."""
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    core_mhz = lab.machine.number("core.clock")
    # The longest first: that leaves no host core idle at the end.
    keys = [(case, number) for number in sorted(links, reverse=True) for case in cases]
    runs = [
        ProgramRun(
            f"bandwidth-{case.run_name}-{number}",
            "bandwidth",
            (*case.arguments, "--links", str(number), "--sizes", ",".join(map(str, sizes))),
            shape,
        )
        for case, number in keys
    ]
    measured: dict[Case, dict[int, dict[int, float]]] = {case: {} for case in cases}
    for (case, number), output in zip(keys, lab.run(runs), strict=True):
        curve = {
            int(record["size"]): bandwidth(
                number, int(record["size"]), int(record["window"]), float(record["cycles"]), core_mhz
            )
            for record in records(output, "bandwidth")
        }
        if sorted(curve) != sorted(sizes):
            raise ToroidError(f"bandwidth printed {len(curve)} sizes, expected {len(sizes)}")
        measured[case][number] = curve
    return {case: dict(sorted(curves.items())) for case, curves in measured.items()}


def fig9(lab: Lab) -> Findings:
    measured = measure(lab)
    return Findings(rows(measured), lambda path: _plot(path, lab.machine, measured))


def _plot(path: Path, machine: Machine, measured: Mapping[Case, Mapping[int, Curve]]) -> None:
    limit = ("net limit\nof a link:\n310", PUBLISHED_PEAK)

    def panel(title: str, curves: Mapping[int, Curve], limits: Sequence[tuple[str, float]]) -> plots.Panel:
        lines = [
            plots.Line(f"{links} link{'s' if links > 1 else ''}", list(curve.items()))
            for links, curve in curves.items()
        ]
        return plots.Panel(title, "message (bytes)", "MB/s, both directions", lines, limits, "log")

    drawn = []
    if EAGER in measured:
        drawn.append(panel("(a) one bidirectional link, eager", {1: measured[EAGER][1]}, [limit]))
    for case, curves in measured.items():
        limits = [(f"{number} x 310", number * PUBLISHED_PEAK) for number in (1, 2, 3)]
        drawn.append(panel(f"({case.panel}) {case.label}", curves, limits))
    by_links = [
        plots.Line(case.label, [(links, max(curve.values())) for links, curve in curves.items()])
        for case, curves in measured.items()
    ]
    limits = [(f"{number} x 310", number * PUBLISHED_PEAK) for number in (1, 2, 3)]
    drawn.append(
        plots.Panel("highest bandwidth", "links at once", "MB/s, both directions", by_links, limits, whole=True)
    )
    plots.panels(path, f"{machine.title} {SHAPE}: a node that exchanges with its neighbours", drawn, columns=2)
