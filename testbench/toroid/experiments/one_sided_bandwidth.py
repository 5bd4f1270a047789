# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of OSPRI's contiguous puts and gets over their size, between neighbours, with many under way.

Published: the data files that came with A1, which OSPRI is there (armci-vs-a1, Put_bw.data and Get_bw.data), Blue
Gene/P, SMP mode. 357.6 MiB/s is the rate of one link: 240 of 272 bytes of a packet at 425 MB/s. As in the programs that
came with it, operations with handles are begun and awaited, which for puts means that their memory may be used again:
64 of them, of long ones 16.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import ALONE, Curve, between_neighbours, microseconds
from toroid.experiments.torus_messages import MIB, link_rate
from toroid.report import Row

EXPERIMENT = "bgp bandwidth"
# MiB/s by bytes.
PUBLISHED: Mapping[str, Mapping[int, float]] = {
    "put": {
        256: 111.61, 512: 222.22, 1024: 305.17, 2048: 339.08, 4096: 339.08, 8192: 348.77, 16384: 353.82, 32768: 356.40,
        65536: 356.41, 524288: 357.55,
    },
    "get": {
        8: 3.05, 64: 24.29, 128: 48.69, 256: 97.48, 512: 194.51, 1024: 305.09, 2048: 339.02, 4096: 339.03, 8192: 348.74,
        16384: 353.79, 32768: 356.39, 65536: 356.38, 524288: 357.53,
    },
}  # fmt: skip
_SHORT = ("--sizes", "8,64,128,256,512,1024,2048,4096,8192,16384,32768,65536", "--window", "64", "--rounds", "4")
_LONG = ("--sizes", "524288", "--window", "16", "--rounds", "2")


def measure(lab: Lab) -> dict[str, Curve]:
    """MiB/s by bytes, of each kind."""
    runs = [
        between_neighbours(lab, f"bandwidth-{name}", "ospri_latency", arguments, ALONE)
        for name, arguments in (("short", _SHORT), ("long", _LONG))
    ]
    rates: dict[str, Curve] = {kind: {} for kind in PUBLISHED}
    for output in lab.run(runs):
        times = microseconds(lab, output, "ospri-latency", "window")
        for kind in PUBLISHED:
            rates[kind] |= {size: size / MIB / time * 1e6 for size, time in times[kind].items()}
    return rates


def rows(rates: Mapping[str, Curve]) -> list[Row]:
    return [
        Row(EXPERIMENT, f"{kind}, {size} bytes", "MiB/s", PUBLISHED[kind].get(size), rate)
        for kind, curve in rates.items()
        for size, rate in curve.items()
    ]


def bandwidth(lab: Lab) -> Findings:
    rates = measure(lab)

    def draw(path: Path) -> None:
        lines = []
        for number, (kind, curve) in enumerate(rates.items()):
            lines.append(plots.Line(kind, sorted(curve.items()), f"C{number}o-"))
            lines.append(plots.Line(f"{kind}, published", sorted(PUBLISHED[kind].items()), f"C{number}x--"))
        limit = link_rate(lab.machine)
        panel = plots.Panel("bandwidth", "bytes", "MiB/s", lines, [(f"a link:\n{limit:.1f}", limit)], x_scale="log")
        plots.panels(path, f"{lab.machine.title}: OSPRI between neighbours", [panel])

    return Findings(rows(rates), draw)
