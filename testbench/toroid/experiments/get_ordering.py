# SPDX-License-Identifier: Apache-2.0
"""Latency of a get behind a put to the same process, with strict and with partial order (Fig. 7).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-D: up to 4 KiB the get takes noticeably longer with strict order, because the put is flushed first, wherever in
memory it was. The figure's points are not in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import CRITICAL_SECTION, PAIR, Curve, between_neighbours, microseconds
from toroid.report import Row, claim

EXPERIMENT = "bgp ordering"
ORDERS = ("strict", "partial")
LIMIT = 4096
NOTICEABLE = 1.1  # assumed: 10 %


def measure(lab: Lab) -> dict[str, Curve]:
    """us by bytes, of each order."""
    runs = [
        between_neighbours(lab, f"ordering-{order}", "ospri_ordering", (), (*CRITICAL_SECTION, ("A1D_ORDERING", order)))
        for order in ORDERS
    ]
    return {
        order: microseconds(lab, output, "ospri-ordering", "cycles", by="rounds").popitem()[1]
        for order, output in zip(ORDERS, lab.run(runs), strict=True)
    }


def rows(curves: Mapping[str, Curve]) -> list[Row]:
    strict, partial = (curves[order] for order in ORDERS)
    found = [
        Row(EXPERIMENT, f"get, {order} order, {size} bytes", "us", None, time)
        for order, curve in curves.items()
        for size, time in curve.items()
    ]
    slower = all(strict[size] > NOTICEABLE * partial[size] for size in strict if size <= LIMIT)
    found.append(claim(EXPERIMENT, "up to 4096 bytes, strict order takes at least 10 % longer", slower))
    return found


def ordering(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        lines = [plots.Line(f"{order} order", sorted(curve.items())) for order, curve in curves.items()]
        panel = plots.Panel("get behind a put", "bytes", "us", lines, x_scale="log", y_scale="log")
        plots.panels(path, f"{lab.machine.title} {PAIR}: OSPRI's order", [panel])

    return Findings(rows(curves), draw)
