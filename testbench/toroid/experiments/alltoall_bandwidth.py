# SPDX-License-Identifier: Apache-2.0
"""All-to-all over the message size (Fig. 13), and over shapes of which one dimension is longer than the others.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 8.5 and Fig. 13: all messages
posted at once reach about 84 % of the torus's peak when they are large; the default's way for long messages, a pair
at a time, falls far behind; packets of 224 bytes straight from the message layer are ahead of both where messages are
small. The paper measured the first two through MPI; here all is the message layer alone.

Published of shapes: Kumar et al., "Optimization of All-to-all Communication on the Blue Gene/L Supercomputer" (ICPP
2008, abstract): 64 % of peak on 64x32x32 before the optimisation, over 99 % after it.

The peak is what the busiest links can carry: of a ring's nodes each half sends half of what it has to the other, over
two links, half of it over each. Payload counts against payload: 240 bytes of a packet's 270 on the wire, or 224.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.broadcast_bandwidth import curves
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.machine import Machine
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

FIG13 = "bgl fig13"
SHAPES = "bgl alltoall-shapes"
SHAPE = "4x4x4"
SIZES = (16, 64, 224, 1024, 4096, 16384)
SMALL = 224  # bytes: up to one packet
PUBLISHED_PEAK_SHARE = 84.0  # percent
AT_ONCE, PAIRS, RANDOM, SCHEDULED = "alltoall-at-once", "alltoall-pairs", "alltoall-random", "alltoall-scheduled"
LABELS = {
    AT_ONCE: "all at once",
    PAIRS: "a pair at a time",
    RANDOM: "packets, random order",
    SCHEDULED: "packets, scheduled and paced",
}
# Largest last; two packets and eight from each rank to each other one.
ASYMMETRIC = ("16x2x2", "8x4x4", "32x2x2", "16x4x4")
ASYMMETRIC_SIZES = (448, 1792)
CONNECTING = 16  # bytes a block of the exchange before, in which the connections are made
PACKET_PAYLOAD = {RANDOM: 224, SCHEDULED: 224}

# Share of the peak by message size in bytes.
Curve = Mapping[int, float]


def peak_cycles(shape: Shape, size: int, payload: int, machine: Machine) -> float:
    """Core cycles that the busiest links need for blocks of `size` bytes in packets of `payload`."""
    longest = max(
        extent * (1 if wrap else 2) for extent, wrap in zip(shape.extents, shape.wrap, strict=True) if extent > 1
    )
    packet = 256 + machine.number("torus.wire_overhead")
    rate = machine.number("torus.link_bytes_per_cycle")
    ratio = machine.number("core.clock") / machine.number("torus.clock")
    return shape.nodes * size / payload * packet * longest / 8 / rate * ratio


def shares(
    shape: Shape, operation: str, cycles: Sequence[tuple[int, float]], machine: Machine
) -> dict[int, float]:  # fmt: skip
    payload = PACKET_PAYLOAD.get(operation, 240)
    return {size: peak_cycles(shape, size, payload, machine) / value for size, value in cycles}


def measure(lab: Lab, shape: str = SHAPE, sizes: Sequence[int] = SIZES) -> dict[str, dict[int, float]]:
    """Share of the peak by size, for each way."""
    parsed = parse_shape(shape, lab.machine.dimensions)
    operations = [AT_ONCE, PAIRS, RANDOM]
    found = curves(lab, parsed, operations, sizes, rounds=1)
    return {name: shares(parsed, name, found[name], lab.machine) for name in operations}


def measure_shapes(
    lab: Lab, shapes: Sequence[str] = ASYMMETRIC, sizes: Sequence[int] = ASYMMETRIC_SIZES
) -> dict[str, dict[str, Curve]]:  # fmt: skip
    """Share of the peak by size, for each shape and both orders."""
    keys = [(name, index) for index in reversed(range(len(shapes))) for name in (RANDOM, SCHEDULED)]
    arguments = ("--rounds", "1", "--warm-up", "0", "--sizes", ",".join(map(str, (CONNECTING, *sizes))))
    parsed = [parse_shape(shape, lab.machine.dimensions) for shape in shapes]
    runs = [
        ProgramRun(f"{name}-{shapes[index]}", "collectives", ("--operation", name, *arguments), parsed[index])
        for name, index in keys
    ]
    found: dict[str, dict[str, Curve]] = {RANDOM: {}, SCHEDULED: {}}
    for (name, index), output in zip(keys, lab.run(runs), strict=True):
        measured = [(int(r["size"]), float(r["cycles"])) for r in records(output, "collectives")]
        if [size for size, _ in measured] != [CONNECTING, *sizes]:
            raise ToroidError(f"collectives printed {len(measured)} sizes, expected {1 + len(sizes)}")
        found[name][shapes[index]] = shares(parsed[index], name, measured[1:], lab.machine)
    return {name: {shape: values[shape] for shape in shapes} for name, values in found.items()}


def rows(measured: Mapping[str, Curve]) -> list[Row]:
    large = max(measured[AT_ONCE])
    small = [size for size in measured[AT_ONCE] if size <= SMALL]
    found = [
        Row(FIG13, f"{LABELS[AT_ONCE]}, {large} bytes", "%", PUBLISHED_PEAK_SHARE, 100 * measured[AT_ONCE][large]),
        Row(FIG13, f"{LABELS[PAIRS]}, {large} bytes", "%", None, 100 * measured[PAIRS][large]),
        Row(FIG13, f"{LABELS[RANDOM]}, {large} bytes", "%", None, 100 * measured[RANDOM][large]),
        claim(
            FIG13, "a pair at a time far lower for large messages", measured[PAIRS][large] < measured[AT_ONCE][large]
        ),
    ]
    # Time against time: packets of less payload have a lower peak.
    ahead = all(
        measured[RANDOM][size] * PACKET_PAYLOAD[RANDOM] / 240 > max(measured[AT_ONCE][size], measured[PAIRS][size])
        for size in small
    )
    return [*found, claim(FIG13, f"packets ahead of both up to {SMALL} bytes", ahead)]


def shape_rows(measured: Mapping[str, Mapping[str, Curve]]) -> list[Row]:
    """Without published figures: those are of machines far larger than what runs here."""
    return [
        Row(SHAPES, f"{LABELS[name]}, {shape}, {size} bytes", "%", None, 100 * share)
        for name in (RANDOM, SCHEDULED)
        for shape, curve in measured[name].items()
        for size, share in curve.items()
    ]


def fig13(lab: Lab) -> Findings:
    measured = measure(lab)

    def draw(path: Path) -> None:
        lines = [
            plots.Line(LABELS[name], [(size, 100 * share) for size, share in curve.items()])
            for name, curve in measured.items()
        ]
        panel = plots.Panel(
            SHAPE, "message (bytes)", "% of peak", lines, [("published:\n84", PUBLISHED_PEAK_SHARE)], "log"
        )
        plots.panels(path, f"{lab.machine.title}: all-to-all", [panel], columns=1)

    return Findings(rows(measured), draw)


def alltoall_shapes(lab: Lab) -> Findings:
    measured = measure_shapes(lab)

    def draw(path: Path) -> None:
        panels = [
            plots.Panel(
                LABELS[name],
                "block (bytes)",
                "% of peak",
                [
                    plots.Line(shape, [(size, 100 * share) for size, share in curve.items()])
                    for shape, curve in curves_by_shape.items()
                ],
            )
            for name, curves_by_shape in measured.items()
        ]
        plots.panels(path, f"{lab.machine.title}: all-to-all on asymmetric tori", panels, columns=2)

    return Findings(shape_rows(measured), draw)
