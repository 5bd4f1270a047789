# SPDX-License-Identifier: Apache-2.0
"""Half round trips of 1-byte messages by protocol, and their growth with the distance.

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", Fig. 7 (1600 and 2700 cycles, message
layer alone, 700 MHz) and Fig. 8 (about 90 ns a hop).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from toroid import paths, plots
from toroid.errors import ToroidError
from toroid.experiments.harness import records, run_program, slope_within
from toroid.machine import Machine
from toroid.report import Row
from toroid.shape import Shape

EXPERIMENT = "ping-pong latency"
PUBLISHED_CYCLES = {"one-packet": 1600.0, "eager": 2700.0}
PUBLISHED_NS_PER_HOP = 90.0


@dataclass(frozen=True)
class Peer:
    """One peer of node 0: its place, its distance, and half a round trip to it in core cycles."""

    coordinates: tuple[int, ...]
    hops: int
    cycles: float

    @property
    def way_out(self) -> tuple[int, int]:
        """The first dimension that the routes there and back travel, and the coordinate reached in it.

        It decides through which FIFO groups packets go. The message layer serves the groups one after the other, so
        peers with different ways out differ by some cycles of software, whatever their distance.
        """
        return next((dimension, at) for dimension, at in enumerate(self.coordinates) if at != 0)


@dataclass(frozen=True)
class Measurement:
    """The peers measured, by protocol."""

    peers: dict[str, list[Peer]]

    def rows(self, core_mhz: float) -> list[Row]:
        """The mean of the neighbours stands against Fig. 7, the growth with the distance against Fig. 8."""
        rows = []
        for protocol, peers in self.peers.items():
            nearest = fmean(peer.cycles for peer in peers if peer.hops == 1)
            rows.append(Row(EXPERIMENT, f"{protocol} half round trip", "cycles", PUBLISHED_CYCLES[protocol], nearest))
        for protocol, peers in self.peers.items():
            ways: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
            for peer in peers:
                ways[peer.way_out].append((peer.hops, peer.cycles))
            ns = slope_within(ways.values()) * 1000 / core_mhz
            rows.append(Row(EXPERIMENT, f"latency per hop, {protocol}", "ns", PUBLISHED_NS_PER_HOP, ns))
        return rows


def measure(
    machine: Machine, shape: Shape, directory: Path, on_progress: Callable[[float, str], None] | None = None
) -> Measurement:
    """Runs the ping-pong program once a protocol, from rank 0 to every other rank in turn."""
    measured: dict[str, list[Peer]] = {}
    for index, protocol in enumerate(PUBLISHED_CYCLES):
        if on_progress is not None:
            on_progress(index / len(PUBLISHED_CYCLES), protocol)
        output = run_program(
            machine,
            shape,
            paths.guest_program("pingpong"),
            ["--protocol", protocol, "--size", "1", "--peers", "all"],
            directory / protocol,
        )
        measured[protocol] = [
            Peer(shape.coordinates(int(record["peer"])), int(record["hops"]), float(record["cycles"]))
            for record in records(output, "pingpong")
        ]
        if len(measured[protocol]) != shape.nodes - 1:
            raise ToroidError(f"pingpong printed {len(measured[protocol])} measurements, expected {shape.nodes - 1}")
    return Measurement(measured)


def plot(path: Path, machine: Machine, shape: Shape, measurement: Measurement) -> None:
    core_mhz = machine.parameters["core.clock"].value
    series = {
        protocol: [(peer.hops, peer.cycles / core_mhz) for peer in peers]
        for protocol, peers in measurement.peers.items()
    }
    published = {protocol: cycles / core_mhz for protocol, cycles in PUBLISHED_CYCLES.items()}
    plots.latency_over_distance(path, f"{machine.title} {shape}: 1-byte messages", series, published)
