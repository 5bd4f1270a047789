# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of accumulates by who makes progress at their target, and ARMCI's small get by the same.

Published: the data files that came with A1, the runtime that Hammond et al. describe in "OSPRI: an optimized one-sided
communication runtime for leadership-class machines" (section V-A): accumulates in MiB/s with interrupts and with a
helper thread. More than a link moves (357.6 MiB/s) is among them: they may well be MB/s. The programs that came with A1
begin many accumulates and wait until their memory may be used again: so here with eight, and for comparison one and a
flush. The target computes; with neither, it would add only when it calls OSPRI: here it waits in a barrier, and adds at
once. Published are 2 MiB/s at most, of a target of which nothing is known. ARMCI's get of 8 bytes is from its data
files of 2010 (armci/Performance).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab
from toroid.experiments.one_sided import (
    ALONE,
    CRITICAL_SECTION,
    INTERRUPTS,
    PAIR,
    Curve,
    between_neighbours,
    microseconds,
)
from toroid.experiments.torus_messages import MIB
from toroid.report import Row, claim

EXPERIMENT = "bgp progress"
HELPER, INTERRUPT, POLLING = "helper thread", "interrupts", "polling"
# Its environment, and what the target does meanwhile.
MODES = {
    HELPER: (CRITICAL_SECTION, "computes"),
    INTERRUPT: (INTERRUPTS, "computes"),
    POLLING: (ALONE, "waits"),
}
PUBLISHED: Mapping[str, Mapping[int, float]] = {  # MiB/s by bytes
    HELPER: {8: 0.77, 4608: 212, 32768: 305, 2097152: 373},
    INTERRUPT: {8: 0.19, 4608: 85.6, 32768: 255, 2097152: 371},
}
_SIZES = "8,64,512,4608,32768,2097152"
WINDOW, FLUSHED = "eight under way", "one and a flush"
_FIELDS = {WINDOW: "window", FLUSHED: "cycles"}
_COMPUTE = "8000000"  # turns of the target's loop: longer than the accumulates take
ARMCI_GET_US = {HELPER: 14.80, INTERRUPT: 28.72, POLLING: 7.08}
_ARMCI = {HELPER: "thread", INTERRUPT: "interrupts", POLLING: "polling"}


Curves = Mapping[str, Mapping[str, Curve]]  # by how many are under way, and mode


def measure(lab: Lab) -> Curves:
    """MiB/s by bytes."""
    always = ("--sizes", _SIZES, "--rounds", "2", "--compute", _COMPUTE)
    runs = [
        between_neighbours(
            lab, f"progress-{mode.split()[0]}", "ospri_progress", (*always, "--target", target), environment
        )
        for mode, (environment, target) in MODES.items()
    ]
    curves: dict[str, dict[str, Curve]] = {number: {} for number in _FIELDS}
    for mode, output in zip(MODES, lab.run(runs), strict=True):
        for number, field in _FIELDS.items():
            (times,) = microseconds(lab, output, "ospri-progress", field, by="target").values()
            curves[number][mode] = {size: size / MIB / time * 1e6 for size, time in times.items()}
    return curves


def measure_armci(lab: Lab) -> dict[str, float]:
    """us of a get of 8 bytes from a target that waits."""
    runs = [
        between_neighbours(lab, f"progress-armci-{mode}", "armci_latency", ("8", "20"), (("ARMCI_PROGRESS", mode),))
        for mode in _ARMCI.values()
    ]
    return {
        mode: microseconds(lab, output, "armci_latency target=waits", "local")["get"][8]
        for mode, output in zip(_ARMCI, lab.run(runs), strict=True)
    }


def rows(curves: Curves, gets: Mapping[str, float]) -> list[Row]:
    found = []
    for number, modes in curves.items():
        for mode, curve in modes.items():
            known = PUBLISHED.get(mode, {}) if number == WINDOW else {}
            for size, rate in curve.items():
                label = f"accumulate, {number}, {mode}, {size} bytes"
                found.append(Row(EXPERIMENT, label, "MiB/s", known.get(size), rate))
    single = curves[FLUSHED]
    faster = all(single[HELPER][size] > rate for size, rate in single[INTERRUPT].items() if size <= 32768)
    found.append(claim(EXPERIMENT, "a helper thread is faster than interrupts up to 32 KiB", faster))
    found += [Row(EXPERIMENT, f"ARMCI, get of 8 bytes, {mode}", "us", ARMCI_GET_US[mode], gets[mode]) for mode in gets]
    return found


def progress(lab: Lab) -> Findings:
    curves, gets = measure(lab), measure_armci(lab)

    def draw(path: Path) -> None:
        panels = []
        for number, modes in curves.items():
            lines = []
            for colour, (mode, curve) in enumerate(modes.items()):
                lines.append(plots.Line(mode, sorted(curve.items()), f"C{colour}o-"))
                if mode in PUBLISHED and number == WINDOW:
                    lines.append(plots.Line(f"{mode}, published", sorted(PUBLISHED[mode].items()), f"C{colour}x--"))
            panels.append(plots.Panel(number, "bytes", "MiB/s", lines, x_scale="log", y_scale="log"))
        text = f"{lab.machine.title} {PAIR}: accumulates of OSPRI, by who makes progress"
        plots.panels(path, text, panels)

    return Findings(rows(curves, gets), draw)
