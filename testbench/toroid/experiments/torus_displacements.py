# SPDX-License-Identifier: Apache-2.0
"""Every node of a torus of 32x32x32 sends to the node at a fixed displacement: rate of a node, on the network alone.

Published: A1's benchmarks of DCMF (jeffhammond/ospri, branches/a1-lite/benchmarks/dcmf, contention_32x32x32_results,
with the programs that made them): 100 operations of a size are begun one after the other, then awaited; a node's rate
is the bytes of all of them over the time until the last is complete, and the figure is the mean over all nodes.

Planes that no displacement leaves have nothing to do with each other: with nobody moving along X, one plane of 32x32
stands for all 32. A run has as many of the 100 operations as keep it below MOST_HOPS packet-hops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, NetworkRun
from toroid.experiments.torus_messages import (
    GET,
    KINDS,
    OPERATIONS,
    PUT,
    PUT_BY_PARITY,
    Kind,
    link_rate,
    mib_per_second,
    packets,
    traffic,
)
from toroid.machine import Machine
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

EXPERIMENT = "bgp displacements_32x32x32"
EXTENT = 32
SIZES = (512, 4096, 32768)
USUAL_SIZE = 4096  # of all displacements; the smallest only where one plane stands for all
LARGEST_FOR = (0, 0, 16)  # of the largest size: elsewhere its published rates are those of the usual size
MOST_HOPS = 100_000_000
SHORT_EXTENT = 8
SHORT_OPERATIONS = 10

Displacement = tuple[int, int, int]
# MiB/s by displacement, for the sizes in SIZES. The program printed 0 for 32768 bytes to the neighbour: left out.
_PUT: dict[Displacement, tuple[float | None, ...]] = {
    (0, 0, 1): (178, 333, None),
    (0, 0, 16): (29, 57, 64),
    (0, 1, 16): (22, 36, 41),
    (0, 4, 16): (11, 20, 21),
    (0, 8, 16): (14, 21, 22),
    (0, 16, 16): (13, 18, 16),
    (4, 4, 16): (13, 19, 20),
    (8, 8, 16): (11, 16, 17),
    (1, 16, 16): (10, 12, 12),
    (8, 16, 16): (10, 14, 15),
    (16, 16, 16): (9, 12, 11),
}
_GET: dict[Displacement, tuple[float | None, ...]] = {
    (0, 0, 1): (174, 338, None),
    (0, 0, 16): (44, 45, 45),
    (0, 1, 16): (21, 41, 38),
    (0, 4, 16): (19, 19, 21),
    (0, 8, 16): (21, 10, 13),
    (0, 16, 16): (26, 7, 6),
    (4, 4, 16): (18, 14, 11),
    (8, 8, 16): (20, 10, 11),
    (1, 16, 16): (19, 10, 8),
    (8, 16, 16): (25, 6, 3),
    (16, 16, 16): (33, 22, 2),
}
PUBLISHED: dict[Kind, dict[Displacement, tuple[float | None, ...]]] = {PUT: _PUT, PUT_BY_PARITY: _PUT, GET: _GET}


def _text(displacement: Displacement) -> str:
    return f"({','.join(map(str, displacement))})"


@dataclass(frozen=True)
class Case:
    kind: Kind
    displacement: Displacement  # on 32x32x32
    size: int

    @property
    def published(self) -> float | None:
        return PUBLISHED[self.kind][self.displacement][SIZES.index(self.size)]

    @property
    def label(self) -> str:
        return f"{self.kind.label}, {_text(self.displacement)}, {self.size} bytes"


@dataclass(frozen=True)
class Form:
    """How the experiment is made: on a torus of this extent, displacements as parts of it, operations of a node."""

    extent: int
    operations: int
    most_hops: int
    sizes: tuple[int, ...]

    def displacement(self, case: Case) -> Displacement | None:
        """On this torus; None if it has none of that ratio."""
        parts = [by * self.extent / EXTENT for by in case.displacement]
        if case.displacement == (0, 0, 1):  # the neighbour is the neighbour
            return case.displacement
        if any(part != int(part) for part in parts):
            return None
        x, y, z = map(int, parts)
        return x, y, z

    def extents(self, displacement: Displacement) -> tuple[int, int, int]:
        return (self.extent if displacement[0] else 1, self.extent, self.extent)

    def operations_of(self, case: Case, displacement: Displacement) -> int:
        nodes = self.extents(displacement)[0] * self.extent**2
        hops = sum(min(by, self.extent - by) for by in displacement)
        return max(1, min(self.operations, self.most_hops // (nodes * hops * packets(case.size))))


FULL = Form(EXTENT, OPERATIONS, MOST_HOPS, SIZES)
SHORT = Form(SHORT_EXTENT, SHORT_OPERATIONS, MOST_HOPS, (USUAL_SIZE,))


def _measured(case: Case) -> bool:
    if case.size > USUAL_SIZE:
        return case.displacement == LARGEST_FOR
    return case.size == USUAL_SIZE or case.displacement[0] == 0


def cases(form: Form) -> list[Case]:
    return [
        case
        for kind in KINDS
        for size in form.sizes
        for displacement in _PUT
        for case in [Case(kind, displacement, size)]
        if form.displacement(case) is not None and _measured(case)
    ]


def measure(lab: Lab, form: Form) -> dict[Case, float]:
    """MiB/s of a node, mean over all nodes."""
    runs = {}
    for case in cases(form):
        displacement = form.displacement(case)
        assert displacement is not None
        extents = form.extents(displacement)
        shape: Shape = parse_shape("x".join(map(str, extents)), lab.machine.dimensions)
        name = f"{case.kind.name}-{'-'.join(map(str, case.displacement))}-{case.size}"
        operations = form.operations_of(case, displacement)
        section = traffic(lab.machine, case.kind, displacement, extents, case.size, operations)
        runs[case] = NetworkRun(name, shape, section)
    # The longest first: that leaves no host core idle at the end.
    order = sorted(runs, key=lambda case: runs[case].shape.nodes, reverse=True)
    found = dict(zip(order, lab.messages([runs[case] for case in order]), strict=True))
    return {case: mib_per_second(lab.machine, found[case].bytes_per_cycle.mean) for case in runs}


def fair_share(machine: Machine, kind: Kind, extent: int, displacement: Displacement) -> float:
    """MiB/s of a node if the busiest links were always busy and shared evenly."""
    flows = 0.0
    by_parity = (kind.tie_rule or machine.parameters["torus.tie_rule"].value) == "parity"
    for by in displacement:
        hops = min(by, extent - by)
        both_ways = by_parity and 2 * by == extent
        flows = max(flows, hops / 2 if both_ways else hops)
    return link_rate(machine) / flows


def rows(machine: Machine, form: Form, measured: Mapping[Case, float]) -> list[Row]:
    if form.extent == EXTENT:
        found = [Row(EXPERIMENT, case.label, "MiB/s", case.published, value) for case, value in measured.items()]
    else:
        found = [_share_row(machine, form, case, value) for case, value in measured.items()]
    return found + claims(machine, form, measured)


def _share_row(machine: Machine, form: Form, case: Case, value: float) -> Row:
    """A smaller torus has other rates: they are compared as parts of a fair share."""
    published = None
    if case.published is not None:
        published = case.published / fair_share(machine, case.kind, EXTENT, case.displacement)
    small = form.displacement(case)
    assert small is not None
    label = f"{case.label}, here {_text(small)}"
    return Row(EXPERIMENT, label, "fair shares", published, value / fair_share(machine, case.kind, form.extent, small))


def claims(machine: Machine, form: Form, measured: Mapping[Case, float]) -> list[Row]:
    """Of operations of 4096 bytes."""
    one, two, three = (0, 0, 16), (0, 16, 16), (16, 16, 16)

    def rate(kind: Kind, displacement: Displacement) -> float:
        return measured[Case(kind, displacement, USUAL_SIZE)]

    def shares(kind: Kind, displacement: Displacement) -> float:
        small = form.displacement(Case(kind, displacement, USUAL_SIZE))
        assert small is not None
        return rate(kind, displacement) / fair_share(machine, kind, form.extent, small)

    puts = [rate(PUT, displacement) for displacement in ((0, 0, 1), one, two, three)]
    return [
        claim(EXPERIMENT, "put: slower with each dimension half-way around", puts == sorted(puts, reverse=True)),
        claim(EXPERIMENT, "put half-way around a ring: nodes served unevenly, mean over 1.1 fair shares",
              shares(PUT, one) > 1.1),
        claim(EXPERIMENT, "get half-way around a ring: a fair share each, within 5 %",
              abs(shares(GET, one) - 1) < 0.05),
        claim(EXPERIMENT, "get: slower half-way around two rings than around one", rate(GET, two) < rate(GET, one)),
    ]  # fmt: skip


def displacements(lab: Lab) -> Findings:
    form = SHORT if lab.short else FULL
    measured = measure(lab, form)
    return Findings(rows(lab.machine, form, measured), lambda path: _plot(path, lab.machine, form, measured))


def _plot(path: Path, machine: Machine, form: Form, measured: Mapping[Case, float]) -> None:
    """Over the distance, without the neighbours."""

    def line(label: str, values: Mapping[Case, float | None], style: str) -> plots.Line:
        points = []
        for case, value in values.items():
            small = form.displacement(case)
            if value is not None and small is not None and case.displacement != (0, 0, 1):
                points.append((float(sum(case.displacement)), value))
        return plots.Line(label, points, style)

    def panel(title: str, kinds: Sequence[Kind]) -> plots.Panel:
        lines = []
        if form.extent == EXTENT:
            published = {case: case.published for case in _of(measured, kinds[0])}
            lines.append(line("published", published, "ko"))
        lines += [
            line(kind.label, _of(measured, kind), style) for kind, style in zip(kinds, ("C0x", "C1+"), strict=False)
        ]
        return plots.Panel(title, "distance on 32x32x32 (hops)", "MiB/s, mean over nodes", lines)

    title = f"{machine.title} {form.extent}x{form.extent}x{form.extent}: all nodes at one displacement, network alone"
    drawn = [panel("put, 4096 bytes", (PUT, PUT_BY_PARITY)), panel("get, 4096 bytes", (GET,))]
    plots.panels(path, title, drawn, columns=2)


def _of(measured: Mapping[Case, float], kind: Kind) -> dict[Case, float | None]:
    return {case: value for case, value in measured.items() if (case.kind, case.size) == (kind, USUAL_SIZE)}
