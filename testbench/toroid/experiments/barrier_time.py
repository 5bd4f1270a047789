# SPDX-License-Identifier: Apache-2.0
"""What a barrier takes: over the global interrupts alone on machines of any size, and through the message layer.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 2: full-system hardware barriers
in 1.5 us (65,536 nodes). That is the network alone, from the moment all nodes have come to the one in which the last
knows. The message layer's barrier, of 512 nodes and fewer, is the mean of many in a row; for comparison also without
the global interrupts, by one-packet messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl barrier"
LARGEST = "64x32x32"
NETWORK_SHAPES = ("2x2x2", "4x4x2", "4x4x4", "8x8x8", "16x16x16", "32x32x16", LARGEST)
PROGRAM_SHAPES = ("2x2x2", "4x4x2", "4x4x4", "8x8x8")
PUBLISHED_US = 1.5
WIRED, MESSAGES = "global-interrupts", "messages"
ROUNDS = {WIRED: 64, MESSAGES: 16}


@dataclass(frozen=True)
class Times:
    """Microseconds of a barrier, by number of nodes."""

    network: Mapping[int, float]
    program: Mapping[str, Mapping[int, float]]  # by what it goes over


def measure(
    lab: Lab, network_shapes: Sequence[str] = NETWORK_SHAPES, program_shapes: Sequence[str] = PROGRAM_SHAPES
) -> Times:
    dimensions = lab.machine.dimensions
    core_mhz = lab.machine.number("core.clock")
    shapes = [parse_shape(shape, dimensions, "") for shape in network_shapes]
    alone = lab.collective(shapes)
    network = {shape.nodes: found.barrier_ns / 1e3 for shape, found in zip(shapes, alone, strict=True)}
    asked = [(way, parse_shape(shape, dimensions, "")) for way in (WIRED, MESSAGES) for shape in program_shapes]
    runs = [
        ProgramRun(f"barrier-{way}-{shape}", "barrier", ("--over", way, "--rounds", str(ROUNDS[way])), shape)
        for way, shape in asked
    ]
    program: dict[str, dict[int, float]] = {WIRED: {}, MESSAGES: {}}
    for (way, shape), output in zip(asked, lab.run(runs), strict=True):
        lines = records(output, "barrier")
        if len(lines) != 1 or lines[0]["over"] != way:
            raise ToroidError(f"barrier printed {len(lines)} lines, expected one of a barrier over {way}")
        program[way][shape.nodes] = float(lines[0]["cycles"]) / core_mhz
    return Times(network, program)


def rows(times: Times) -> list[Row]:
    full = max(times.network)
    found = [
        Row(EXPERIMENT, f"{nodes} nodes, network alone", "us", PUBLISHED_US if nodes == full else None, time)
        for nodes, time in times.network.items()
    ]
    for way, curve in times.program.items():
        found += [
            Row(EXPERIMENT, f"{nodes} nodes, message layer over {way}", "us", None, curve[nodes]) for nodes in curve
        ]
    faster = all(times.program[WIRED][nodes] < time for nodes, time in times.program[MESSAGES].items())
    found.append(claim(EXPERIMENT, "faster over the global interrupts than by messages", faster))
    return found


def barrier(lab: Lab) -> Findings:
    times = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line("network alone", list(times.network.items()))]
        lines += [plots.Line(f"message layer over {way}", list(curve.items())) for way, curve in times.program.items()]
        limits = [("published,\n65,536 nodes:\n1.5", PUBLISHED_US)]
        panel = plots.Panel("barrier", "nodes", "us", lines, limits, "log")
        plots.panels(path, f"{lab.machine.title}: barrier", [panel], columns=1)

    return Findings(rows(times), draw)
