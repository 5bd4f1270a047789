# SPDX-License-Identifier: Apache-2.0
"""All-to-all on Blue Gene/Q's torus alone, share of the peak.

Published: 85 to 95 % of the peak up to 16,384 nodes (abstract of a paper of the machine's makers at SC12), through its
message layer. Here sources offer the largest packets to random nodes at the rate at which the busiest link would
always be busy with ideal routing, dynamically routed; what arrives is the share.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.configuration import TrafficSection
from toroid.experiments.harness import Findings, Lab, NetworkRun
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgq alltoall"
SHAPES, SHORT_SHAPES = ("2x2x2x2x2", "2x2x4x4x2", "4x4x4x4x2"), ("2x2x2x2x2",)
LEAST, MOST = 0.85, 0.95


def measure(lab: Lab) -> dict[str, float]:
    """The share of the peak by shape."""
    shapes = SHORT_SHAPES if lab.short else SHAPES
    cycles = 5_000 if lab.short else 20_000
    runs = [
        NetworkRun(
            f"alltoall-{shape}",
            parse_shape(shape, lab.machine.dimensions),
            TrafficSection(
                pattern="uniform", routing="adaptive", loads=[1.0], sizes=[], warmup_cycles=cycles,
                measure_cycles=cycles,
            ),
        )
        for shape in shapes
    ]  # fmt: skip
    return {shape: point.accepted for shape, point in zip(shapes, lab.loads(runs), strict=True)}


def rows(shares: Mapping[str, float]) -> list[Row]:
    found = [Row(EXPERIMENT, f"{shape}: share of the peak", "%", None, 100 * share) for shape, share in shares.items()]
    within = all(LEAST <= share <= MOST for share in shares.values())
    return [*found, claim(EXPERIMENT, "85 to 95 % of the peak", within)]


def alltoall(lab: Lab) -> Findings:
    shares = measure(lab)

    def draw(path: Path) -> None:
        measured = {"measured": {shape: 100 * share for shape, share in shares.items()}}
        bands = {"published": (100 * LEAST, 100 * MOST)}
        plots.bars(path, f"{lab.machine.title}: all-to-all, the network alone", "% of the peak", measured, bands)

    return Findings(rows(shares), draw)
