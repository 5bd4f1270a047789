# SPDX-License-Identifier: Apache-2.0
"""Operations on a process's own memory: by copies, by the DMA, and by ARMCI (Fig. 6).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-B: for small and medium puts and gets OSPRI's copies take less time than ARMCI, for very large ones the DMA is faster
than copies; section IV-C: the DMA is faster from 32 KB on. The figure's points are not in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun
from toroid.experiments.one_sided import ALONE, APART, ARMCI, Curve, microseconds
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgp local"
SHAPE = "1x1x1"
CROSSING = 32768.0  # bytes
SMALL = (1, 2, 4, 8, 16, 32)  # rows of square patches
_ALWAYS = str(1 << 30)
COPY = (
    *ALONE,
    ("A1_NETWORK_BYPASS", "1"),
    ("A1_NETWORK_BYPASS_UPPER_LIMIT_1D", _ALWAYS),
    ("A1_NETWORK_BYPASS_UPPER_LIMIT_ND", _ALWAYS),
)
DMA = (*ALONE, ("A1_NETWORK_BYPASS", "0"))
# How the own memory is reached: (program of contiguous operations, of patches, their environment).
WAYS = {
    "OSPRI, copies": ("ospri_local", "armci_strided_ospri", COPY),
    "OSPRI, DMA": ("ospri_local", "armci_strided_ospri", DMA),
    "ARMCI": (None, "armci_strided", ARMCI),
}
KINDS = {"put": "put", "get": "get"}
Curves = Mapping[str, Mapping[str, Curve]]


def _run(lab: Lab, name: str, program: str, arguments: tuple[str, ...], way: str) -> ProgramRun:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    return ProgramRun(name, program, arguments, shape, environment=WAYS[way][2], settings=APART)


def measure_contiguous(lab: Lab) -> Curves:
    """us by bytes, of each way and operation."""
    ways = [(way, program) for way, (program, _, _) in WAYS.items() if program is not None]
    runs = [_run(lab, f"local-{number}", program, (), way) for number, (way, program) in enumerate(ways)]
    return {
        way: microseconds(lab, output, "ospri-local", "cycles")
        for (way, _), output in zip(ways, lab.run(runs), strict=True)
    }


def measure_patches(lab: Lab) -> Curves:
    """us by rows, of each way and operation."""
    runs = [
        _run(lab, f"local-patches-{number}", program, ("own", "5"), way)
        for number, (way, (_, program, _)) in enumerate(WAYS.items())
    ]
    return {
        way: {
            kind: {rows: time for rows, time in curve.items() if rows != 512}
            for kind, curve in microseconds(lab, output, "armci_strided", "local", "rows").items()
        }
        for way, output in zip(WAYS, lab.run(runs), strict=True)
    }


def crossing(contiguous: Curves, kind: str) -> float | None:
    """The least size from which on the DMA is faster than a copy; None if it is not."""
    copies, dma = contiguous["OSPRI, copies"][kind], contiguous["OSPRI, DMA"][kind]
    found: float | None = None
    for size in sorted(copies, reverse=True):
        if dma[size] >= copies[size]:
            break
        found = size
    return found


def rows(contiguous: Curves, patches: Curves) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{way}: {kind}, {size} bytes", "us", None, time)
        for way, kinds in contiguous.items()
        for kind in KINDS
        for size, time in kinds[kind].items()
    ]
    for way, kinds in patches.items():
        found += [
            Row(EXPERIMENT, f"{way}: {kind}, {count}x{count} doubles", "us", None, time)
            for kind in KINDS
            for count, time in kinds[kind].items()
        ]
    for kind in KINDS:
        found.append(Row(EXPERIMENT, f"{kind}: the DMA is faster from", "bytes", CROSSING, crossing(contiguous, kind)))
        less = all(patches["OSPRI, copies"][kind][count] < patches["ARMCI"][kind][count] for count in SMALL)
        found.append(claim(EXPERIMENT, f"{kind}, up to 32x32: OSPRI's copies take less time than ARMCI", less))
    return found


def local(lab: Lab) -> Findings:
    contiguous, patches = measure_contiguous(lab), measure_patches(lab)

    def draw(path: Path) -> None:
        panels = []
        for kind in KINDS:
            lines = [
                plots.Line(way, sorted(kinds[kind].items()), f"C{number}o-")
                for number, (way, kinds) in enumerate(contiguous.items())
            ]
            panels.append(plots.Panel(f"{kind}, contiguous", "bytes", "us", lines, x_scale="log", y_scale="log"))
            lines = [
                plots.Line(way, [(8 * count**2, time) for count, time in sorted(kinds[kind].items())], style)
                for style, (way, kinds) in zip(("C0o-", "C1o-", "C2x--"), patches.items(), strict=True)
            ]
            panels.append(
                plots.Panel(f"{kind}, square patches", "bytes of a patch", "us", lines, x_scale="log", y_scale="log")
            )
        plots.panels(path, f"{lab.machine.title}: operations on the own memory", panels, columns=2)

    return Findings(rows(contiguous, patches), draw)
