# SPDX-License-Identifier: Apache-2.0
"""ARMCI's puts and gets between neighbours of Blue Gene/Q over their size: latency, time a byte, bandwidth (Fig. 4 to
7).

Published: Vishnu et al., "Building Scalable PGAS Communication Subsystem on Blue Gene/Q", section IV-B. Puts of the
paper's latency are complete locally: their memory may be used again. It does not say how many operations its bandwidth
has under way; here it is measured with one at a time and with 16. The figures' other points are not in the text, nor by
how much latency drops at 256 bytes. Along E, where two links lead to the neighbour, twice as much, with MPI:
Kerbyson et al., "Comparing the Performance of Blue Gene/Q with Leading Cray XE6 and InfiniBand Systems" (ICPADS 2012).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun
from toroid.experiments.one_sided import Curve, Environment, microseconds
from toroid.report import Row, claim
from toroid.shape import parse_shape

LATENCY, BANDWIDTH = "bgq latency", "bgq bandwidth"
SHAPE = "4x1x1x1x1"  # the neighbour is one link away, and no other way is as short
SHAPE_ALONG_E = "1x1x1x1x2"
POLLING: Environment = (("ARMCI_PROGRESS", "polling"),)
KINDS = ("put", "get")
SMALL = 16  # bytes
PUBLISHED_US = {"put": 2.7, "get": 2.89}
LARGE, PUBLISHED_NS_A_BYTE = 4096, 1.0
PUBLISHED_PEAK, USABLE = 1775.0, 1800.0  # MB/s
PUBLISHED_HALF, PUBLISHED_90 = 2048, 16384  # bytes
SINGLE, WINDOW = "one at a time", "16 under way"

Curves = Mapping[str, Curve]  # by kind


def neighbours(
    lab: Lab, name: str, program: str, *arguments: str, shape: str = SHAPE, environment: Environment = POLLING
) -> ProgramRun:
    """Of two processes."""
    of = parse_shape(shape, lab.machine.dimensions)
    return ProgramRun(name, program, arguments, of, ranks=2, environment=environment)


def measure_latency(lab: Lab) -> dict[str, Curve]:
    """us by bytes, of each kind, of operations one at a time."""
    most = LARGE if lab.short else 65536
    return _measure(lab, "latency", "1", "50", str(most))


def measure_bandwidth(lab: Lab) -> dict[str, Curve]:
    """MB/s by bytes, of each kind, with many under way."""
    most, rounds = (65536, "1") if lab.short else (1 << 20, "2")
    return rates(_measure(lab, "bandwidth", "16", rounds, str(most)))


def measure_along_e(lab: Lab) -> Curve:
    """MB/s by bytes of gets from the neighbour along E, with many under way."""
    most = 1 << 17 if lab.short else 1 << 20
    return rates(_measure(lab, "bandwidth-e", "16", "1", str(most), shape=SHAPE_ALONG_E))["get"]


def _measure(lab: Lab, name: str, *arguments: str, shape: str = SHAPE) -> dict[str, Curve]:
    (output,) = lab.run([neighbours(lab, name, "armci_bandwidth", *arguments, shape=shape)])
    return microseconds(lab, output, "armci_bandwidth", "window")


def rates(times: Curves) -> dict[str, Curve]:
    """MB/s by bytes."""
    return {kind: {size: size / time for size, time in times[kind].items()} for kind in KINDS}


def reached(curve: Mapping[int, float], rate: float) -> float | None:
    """The bytes at which a curve of rates passes `rate`, between its points by the straight line."""
    before: tuple[int, float] | None = None
    for size, value in sorted(curve.items()):
        if value >= rate:
            if before is None:
                return float(size)
            return before[0] + (size - before[0]) * (rate - before[1]) / (value - before[1])
        before = (size, value)
    return None


def latency_rows(curves: Curves) -> list[Row]:
    found = [
        Row(LATENCY, f"{kind}, {size} bytes", "us", PUBLISHED_US[kind] if size == SMALL else None, time)
        for kind, curve in curves.items()
        for size, time in curve.items()
    ]
    for kind, curve in curves.items():
        label = f"{kind}, {LARGE} bytes, a byte"
        found.append(Row(LATENCY, label, "ns", PUBLISHED_NS_A_BYTE, curve[LARGE] * 1e3 / LARGE))
    for kind, curve in curves.items():
        label = f"{kind}: 256 bytes take less time than 128, by 5 % or more"
        found.append(claim(LATENCY, label, curve[256] < 0.95 * curve[128]))
    return found


def bandwidth_rows(single: Curves, window: Curves) -> list[Row]:
    found = []
    for how, curves in ((SINGLE, single), (WINDOW, window)):
        for kind, curve in curves.items():
            for size, rate in curve.items():
                peak = PUBLISHED_PEAK if size == 1 << 20 else None
                found.append(Row(BANDWIDTH, f"{kind}, {how}, {size} bytes", "MB/s", peak, rate))
    for how, curves in ((SINGLE, single), (WINDOW, window)):
        for kind, curve in curves.items():
            half = reached(curve, PUBLISHED_PEAK / 2)
            found.append(Row(BANDWIDTH, f"{kind}, {how}: half of the peak", "bytes", PUBLISHED_HALF, half))
            most = reached(curve, 0.9 * USABLE)
            found.append(Row(BANDWIDTH, f"{kind}, {how}: 90 % of 1.8 GB/s", "bytes", PUBLISHED_90, most))
    return found


def rows_along_e(curve: Curve) -> list[Row]:
    return [
        Row(
            BANDWIDTH,
            f"get, {WINDOW}, along E, {size} bytes",
            "MB/s",
            2 * PUBLISHED_PEAK if size == 1 << 20 else None,
            rate,
        )
        for size, rate in curve.items()
        if size > 1 << 15
    ]


def title(lab: Lab) -> str:
    return f"{lab.machine.title} {SHAPE}: puts and gets of ARMCI between neighbours"


def latency_panels(curves: Curves) -> list[plots.Panel]:
    times, a_byte = [], []
    for number, (kind, curve) in enumerate(curves.items()):
        short = [(size, time) for size, time in sorted(curve.items()) if size <= LARGE]
        times.append(plots.Line(kind, short, f"C{number}o-"))
        times.append(plots.Line(f"{kind}, published", [(SMALL, PUBLISHED_US[kind])], f"C{number}x"))
        points = [(size, time * 1e3 / size) for size, time in sorted(curve.items()) if size >= 256]
        a_byte.append(plots.Line(kind, points, f"C{number}o-"))
    a_byte.append(plots.Line("published, about", [(LARGE, PUBLISHED_NS_A_BYTE)], "kx"))
    return [
        plots.Panel("latency", "bytes", "us", times, x_scale="log"),
        plots.Panel("time a byte", "bytes", "ns", a_byte, x_scale="log"),
    ]


def bandwidth_panel(single: Curves, window: Curves) -> plots.Panel:
    lines = []
    for number, kind in enumerate(KINDS):
        lines.append(plots.Line(f"{kind}, {WINDOW}", sorted(window[kind].items()), f"C{number}o-"))
        lines.append(plots.Line(f"{kind}, {SINGLE}", sorted(single[kind].items()), f"C{number}.--"))
    known = [(PUBLISHED_HALF, PUBLISHED_PEAK / 2), (PUBLISHED_90, 0.9 * USABLE), (1 << 20, PUBLISHED_PEAK)]
    lines.append(plots.Line("published", known, "kx"))
    return plots.Panel("bandwidth", "bytes", "MB/s", lines, x_scale="log")


def latency(lab: Lab) -> Findings:
    curves = measure_latency(lab)
    return Findings(latency_rows(curves), lambda path: plots.panels(path, title(lab), latency_panels(curves)))


def bandwidth(lab: Lab) -> Findings:
    single, window, along_e = rates(measure_latency(lab)), measure_bandwidth(lab), measure_along_e(lab)

    def draw(path: Path) -> None:
        plots.panels(path, title(lab), [bandwidth_panel(single, window)])

    return Findings(bandwidth_rows(single, window) + rows_along_e(along_e), draw)
