# SPDX-License-Identifier: Apache-2.0
"""Half round trips of 1-byte messages by protocol, and their growth with the distance.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", Fig. 7 (1600 and 2700 cycles, message
layer alone, 700 MHz) and Fig. 8 (about 90 ns a hop).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toroid import paths, plots
from toroid.errors import ToroidError
from toroid.experiments.harness import records, run_program, slope
from toroid.machine import Machine
from toroid.report import Row
from toroid.shape import Shape

EXPERIMENT = "ping-pong latency"
PUBLISHED_CYCLES = {"one-packet": 1600.0, "eager": 2700.0}
PUBLISHED_NS_PER_HOP = 90.0


@dataclass(frozen=True)
class Measurement:
    """Half round trips in core cycles, by protocol, as pairs of hops and cycles."""

    half_round_trips: dict[str, list[tuple[int, float]]]

    def rows(self, core_mhz: float) -> list[Row]:
        """The neighbour's latency stands against Fig. 7, the slope over all distances against Fig. 8."""
        rows = []
        for protocol, pairs in self.half_round_trips.items():
            nearest = min(pairs)[1]
            rows.append(Row(EXPERIMENT, f"{protocol} half round trip", "cycles", PUBLISHED_CYCLES[protocol], nearest))
        for protocol, pairs in self.half_round_trips.items():
            ns = slope([(float(hops), cycles) for hops, cycles in pairs]) * 1000 / core_mhz
            rows.append(Row(EXPERIMENT, f"latency per hop, {protocol}", "ns", PUBLISHED_NS_PER_HOP, ns))
        return rows


def measure(
    machine: Machine, shape: Shape, directory: Path, on_progress: Callable[[float, str], None] | None = None
) -> Measurement:
    """Runs the ping-pong program once a protocol, to one peer at each distance from rank 0."""
    half_round_trips: dict[str, list[tuple[int, float]]] = {}
    for index, protocol in enumerate(PUBLISHED_CYCLES):
        if on_progress is not None:
            on_progress(index / len(PUBLISHED_CYCLES), protocol)
        output = run_program(
            machine,
            shape,
            paths.guest_program("pingpong"),
            ["--protocol", protocol, "--size", "1", "--peers", "all-distances"],
            directory / protocol,
        )
        pairs = [(int(record["hops"]), float(record["cycles"])) for record in records(output, "pingpong")]
        if len(pairs) < 2:
            raise ToroidError(f"pingpong printed {len(pairs)} measurements, expected one a distance: {output!r}")
        half_round_trips[protocol] = pairs
    return Measurement(half_round_trips)


def plot(path: Path, machine: Machine, shape: Shape, measurement: Measurement) -> None:
    core_mhz = machine.parameters["core.clock"].value
    series = {
        protocol: [(hops, cycles / core_mhz) for hops, cycles in pairs]
        for protocol, pairs in measurement.half_round_trips.items()
    }
    plots.latency_over_distance(path, f"{machine.title} {shape}: 1-byte messages", series)
