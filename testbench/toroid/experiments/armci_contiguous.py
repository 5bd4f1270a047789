# SPDX-License-Identifier: Apache-2.0
"""Contiguous puts and gets of OSPRI and of ARMCI over their size (Fig. 3, right).

Published: the data files that came with A1 (armci-vs-a1), the runtime that Hammond et al. describe in "OSPRI: an
optimized one-sided communication runtime for leadership-class machines"; Blue Gene/P, SMP mode. Their ARMCI is the one
that came with the machine, ours is our own; it has a helper thread, as OSPRI has, and lock by DCMF's critical section.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import ARMCI, CRITICAL_SECTION, PAIR, Curve, between_neighbours, microseconds
from toroid.report import Row, claim

EXPERIMENT = "bgp contiguous"
LOCAL, REMOTE, GET = "put, local completion", "put, remote completion", "get"
_SIZES = (8, 32, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536)


def _by_size(*times: float) -> dict[int, float]:
    return dict(zip(_SIZES, times, strict=True))


# us by bytes.
PUBLISHED: Mapping[str, Mapping[str, Mapping[int, float]]] = {
    "OSPRI": {
        LOCAL: _by_size(2.20, 2.15, 2.15, 2.23, 2.18, 3.27, 5.84, 11.66, 22.42, 44.19, 175.47),
        REMOTE: _by_size(6.68, 6.66, 6.75, 6.94, 7.01, 7.24, 9.90, 15.74, 26.38, 48.75, 179.46),
        GET: _by_size(3.32, 3.48, 3.58, 4.35, 5.09, 6.30, 8.97, 14.82, 25.61, 47.20, 178.51),
    },
    "ARMCI": {
        LOCAL: _by_size(9.11, 8.97, 9.54, 8.85, 8.41, 10.29, 12.86, 18.89, 28.61, 51.45, 182.64),
        REMOTE: _by_size(13.27, 13.30, 12.88, 13.25, 14.51, 14.55, 17.16, 22.59, 33.75, 56.04, 187.35),
        GET: _by_size(12.94, 13.82, 13.18, 13.94, 13.99, 14.94, 16.86, 22.57, 31.62, 53.37, 185.19),
    },
}
_FIELDS = {LOCAL: ("put", "local"), REMOTE: ("put", "remote"), GET: ("get", "local")}
Curves = Mapping[str, Mapping[str, Curve]]


def measure(lab: Lab) -> Curves:
    """us by bytes, of each library and kind."""
    sizes = ",".join(map(str, _SIZES))
    ospri, armci = lab.run(
        [
            between_neighbours(
                lab, "contiguous-ospri", "ospri_latency", ("--sizes", sizes, "--window", "1"), CRITICAL_SECTION
            ),
            between_neighbours(lab, "contiguous-armci", "armci_latency", (str(max(_SIZES)), "20"), ARMCI),
        ]
    )
    # ARMCI's program measures again while its target computes: what counts is the target that waits.
    armci = "\n".join(line for line in armci.splitlines() if "target=waits" in line)
    found: dict[str, dict[str, Curve]] = {}
    for library, record, output in (("OSPRI", "ospri-latency", ospri), ("ARMCI", "armci_latency", armci)):
        found[library] = {}
        for kind, (operation, field) in _FIELDS.items():
            curve = microseconds(lab, output, record, field)[operation]
            found[library][kind] = {size: curve[size] for size in _SIZES}
    return found


def rows(curves: Curves) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{library}: {kind}, {size} bytes", "us", published, curves[library][kind][size])
        for library, kinds in PUBLISHED.items()
        for kind, sizes in kinds.items()
        for size, published in sizes.items()
    ]
    for kind in _FIELDS:
        faster = all(curves["OSPRI"][kind][size] < curves["ARMCI"][kind][size] for size in _SIZES)
        found.append(claim(EXPERIMENT, f"{kind}: OSPRI takes less time than ARMCI at every size", faster))
    return found


def contiguous(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        panels = []
        for kind in _FIELDS:
            lines = []
            for number, library in enumerate(PUBLISHED):
                lines.append(plots.Line(library, sorted(curves[library][kind].items()), f"C{number}o-"))
                points = sorted(PUBLISHED[library][kind].items())
                lines.append(plots.Line(f"{library}, published", points, f"C{number}x--"))
            panels.append(plots.Panel(kind, "bytes", "us", lines, x_scale="log", y_scale="log"))
        plots.panels(path, f"{lab.machine.title} {PAIR}: OSPRI and ARMCI", panels)

    return Findings(rows(curves), draw)
