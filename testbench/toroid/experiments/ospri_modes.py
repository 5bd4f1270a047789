# SPDX-License-Identifier: Apache-2.0
"""What OSPRI adds to DCMF's put, by its mode (Fig. 3, left).

Published: Hammond et al., "OSPRI: an optimized one-sided communication runtime for leadership-class machines", section
VI-A: local completion of a put takes 0.4 us more than DCMF's; with a helper thread locks add to that, atomic operations
less than DCMF's critical section. DCMF's and A1's (OSPRI's) times by size are from the data files that came with A1,
which do not say in which mode A1 was. A call is followed by the next one when its memory may be used again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import (
    ALONE,
    ATOMICS,
    CRITICAL_SECTION,
    PAIR,
    Curve,
    between_neighbours,
    microseconds,
)
from toroid.report import Row, claim

EXPERIMENT = "bgp modes"
MODES = {"OSPRI alone": ALONE, "OSPRI, atomics": ATOMICS, "OSPRI, critical section": CRITICAL_SECTION}
DCMF = "DCMF"
PUBLISHED: Mapping[str, Mapping[int, float]] = {  # us by bytes
    DCMF: {8: 1.62, 32: 1.62, 128: 1.62, 256: 1.61, 512: 1.91, 1024: 3.19, 2048: 5.75, 4096: 11.51},
    "A1": {8: 2.20, 32: 2.15, 128: 2.15, 256: 2.23, 512: 2.18, 1024: 3.27, 2048: 5.84, 4096: 11.66},
}
OVERHEAD_US = 0.4
SMALL = (8, 32, 128)


def measure(lab: Lab) -> dict[str, Curve]:
    """us until a put is locally complete, by bytes."""
    sizes = ",".join(map(str, PUBLISHED[DCMF]))
    runs = [
        between_neighbours(lab, f"modes-{number}", "ospri_latency", ("--sizes", sizes, "--window", "1"), environment)
        for number, environment in enumerate(MODES.values())
    ]
    curves: dict[str, Curve] = {}
    for mode, output in zip(MODES, lab.run(runs), strict=True):
        times = microseconds(lab, output, "ospri-latency", "local")
        if "dcmf-put" in times:  # where no lock is needed
            curves[DCMF] = times["dcmf-put"]
        curves[mode] = times["put"]
    return curves


def overhead(curves: Mapping[str, Curve], mode: str) -> float:
    """us that a small put takes more than DCMF's."""
    return sum(curves[mode][size] - curves[DCMF][size] for size in SMALL) / len(SMALL)


def rows(curves: Mapping[str, Curve]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{name}, {size} bytes", "us", PUBLISHED[DCMF][size] if name == DCMF else None, time)
        for name, curve in curves.items()
        for size, time in curve.items()
    ]
    alone, atomics, section = (overhead(curves, mode) for mode in MODES)
    for mode in MODES:
        published = OVERHEAD_US if MODES[mode] == ALONE else None
        found.append(
            Row(EXPERIMENT, f"{mode}, more than DCMF, up to 128 bytes", "us", published, overhead(curves, mode))
        )
    found.append(claim(EXPERIMENT, "a helper thread costs a put time", alone < min(atomics, section)))
    found.append(claim(EXPERIMENT, "atomics cost less than the critical section", atomics < section))
    return found


def modes(lab: Lab) -> Findings:
    curves = measure(lab)

    def draw(path: Path) -> None:
        lines = [
            plots.Line(name, sorted(curve.items()), f"C{number}o-")
            for number, (name, curve) in enumerate(curves.items())
        ]
        styles = {DCMF: "C0x--", "A1": "C4x--"}
        lines += [
            plots.Line(f"{name}, published", sorted(curve.items()), styles[name]) for name, curve in PUBLISHED.items()
        ]
        panel = plots.Panel("put, local completion", "bytes", "us", lines, x_scale="log", y_scale="log")
        plots.panels(path, f"{lab.machine.title} {PAIR}: OSPRI's modes", [panel])

    return Findings(rows(curves), draw)
