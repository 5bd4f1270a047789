# SPDX-License-Identifier: Apache-2.0
"""Barriers over the global interrupts and bandwidth of the collective network, alone and through DCMF.

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
II-B: a barrier of a partition of 72K nodes takes about 1.3 us; links of the collective network move 850 MB/s in each
direction. Here the largest machine has 65,536 nodes. Barriers through DCMF are the mean of many in a row; bandwidth is
a message's size over the time of one of several operations in a row, until all ranks have the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.experiments.one_sided import Curve
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

BARRIER, COLLECTIVE = "bgp barrier", "bgp collective"
NETWORK_SHAPES = ("2x2x2", "4x4x4", "8x8x8", "16x16x16", "32x32x32", "64x32x32")
PROGRAM_SHAPES = ("2x2x2", "4x4x2", "4x4x4")
SHORT_SHAPES = ("2x2x2", "4x2x2")
PUBLISHED_US = 1.3
WIRED, MESSAGES = "global-interrupts", "messages"

TREE_SHAPE = "4x2x2"
OPERATIONS = {"broadcast": "broadcast", "allreduce": "allreduce of integers", "sum": "sum of doubles"}
SIZES = (256, 1024, 4096, 16384, 65536)
SHORT_SIZES = (1024, 16384)
BYTES = 65536  # in all, of each size, with 2 operations at least
_PACKET = 256


@dataclass(frozen=True)
class Barriers:
    """us of a barrier, by number of nodes."""

    network: Curve
    program: Mapping[str, Curve]  # by what it goes over


def _shape(lab: Lab, text: str) -> Shape:
    return parse_shape(text, lab.machine.dimensions)


def _only(output: str, record: str) -> dict[str, str]:
    lines = records(output, record)
    if len(lines) != 1:
        raise ToroidError(f"the program printed {len(lines)} lines of {record}, expected one")
    return lines[0]


def measure_barriers(lab: Lab, network_shapes: Sequence[str], program_shapes: Sequence[str]) -> Barriers:
    shapes = [_shape(lab, text) for text in network_shapes]
    alone = lab.collective(shapes)
    network: Curve = {shape.nodes: found.barrier_ns / 1e3 for shape, found in zip(shapes, alone, strict=True)}
    asked = [(way, _shape(lab, text)) for way in (WIRED, MESSAGES) for text in program_shapes]
    runs = [
        ProgramRun(f"barrier-{way}-{shape}", "dcmf_barrier", ("64", "messages") if way == MESSAGES else ("64",), shape)
        for way, shape in asked
    ]
    program: dict[str, Curve] = {WIRED: {}, MESSAGES: {}}
    for (way, shape), output in zip(asked, lab.run(runs), strict=True):
        line = _only(output, "barrier")
        if line["over"] != way:
            raise ToroidError(f"dcmf_barrier measured barriers over {line['over']}, expected {way}")
        program[way][shape.nodes] = float(line["us"])
    return Barriers(network, program)


def barrier_rows(times: Barriers) -> list[Row]:
    full = max(times.network)
    found = [
        Row(BARRIER, f"{nodes} nodes, network alone", "us", PUBLISHED_US if nodes == 65536 == full else None, time)
        for nodes, time in times.network.items()
    ]
    for way, curve in times.program.items():
        found += [Row(BARRIER, f"{nodes} nodes, DCMF over {way}", "us", None, time) for nodes, time in curve.items()]
    faster = all(times.program[WIRED][nodes] < time for nodes, time in times.program[MESSAGES].items())
    found.append(claim(BARRIER, "faster over the global interrupts than by messages", faster))
    return found


def barrier(lab: Lab) -> Findings:
    times = measure_barriers(lab, *((SHORT_SHAPES,) * 2 if lab.short else (NETWORK_SHAPES, PROGRAM_SHAPES)))

    def draw(path: Path) -> None:
        lines = [plots.Line("network alone", sorted(times.network.items()))]
        lines += [plots.Line(f"DCMF over {way}", sorted(curve.items())) for way, curve in times.program.items()]
        limits = [("published,\n72K nodes:\n1.3", PUBLISHED_US)]
        panel = plots.Panel("barrier", "nodes", "us", lines, limits, x_scale="log", y_scale="log")
        plots.panels(path, f"{lab.machine.title}: barrier", [panel])

    return Findings(barrier_rows(times), draw)


def payload_limit(lab: Lab) -> float:
    """MB/s of payload that a link of the collective network moves when it is always busy."""
    wire = _PACKET + lab.machine.number("tree.wire_overhead")
    rate = lab.machine.number("tree.link_bytes_per_cycle") * lab.machine.number("torus.clock")
    return float(rate * _PACKET / wire)


def measure_tree(lab: Lab, shape: str, sizes: Sequence[int]) -> dict[str, Curve]:
    """MB/s by bytes, of each operation."""
    cases = [(operation, size) for operation in OPERATIONS for size in sizes]
    runs = [
        ProgramRun(
            f"tree-{operation}-{size}",
            "dcmf_tree",
            (operation, str(size), str(max(2, BYTES // size) if not lab.short else 2)),
            _shape(lab, shape),
        )
        for operation, size in cases
    ]
    curves: dict[str, Curve] = {operation: {} for operation in OPERATIONS}
    for (operation, size), output in zip(cases, lab.run(runs), strict=True):
        curves[operation][size] = size / float(_only(output, "tree")["us"])
    return curves


def tree_rows(curves: Mapping[str, Curve], limit: float) -> list[Row]:
    found = []
    for operation, curve in curves.items():
        for size, rate in curve.items():
            published = limit if operation == "broadcast" and size == max(curve) else None
            found.append(Row(COLLECTIVE, f"{OPERATIONS[operation]}, {size} bytes", "MB/s", published, rate))
    return found


def collective(lab: Lab) -> Findings:
    shape, sizes = (SHORT_SHAPES[0], SHORT_SIZES) if lab.short else (TREE_SHAPE, SIZES)
    curves, limit = measure_tree(lab, shape, sizes), payload_limit(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(OPERATIONS[operation], sorted(curve.items())) for operation, curve in curves.items()]
        limits = [(f"payload of\na link:\n{limit:.0f}", limit)]
        panel = plots.Panel("operations in a row", "bytes", "MB/s", lines, limits, x_scale="log")
        plots.panels(path, f"{lab.machine.title} {shape}: collective network, through DCMF", [panel])

    return Findings(tree_rows(curves, limit), draw)
