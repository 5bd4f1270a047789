# SPDX-License-Identifier: Apache-2.0
"""Half round trips of 1-byte messages by protocol (Fig. 7), and their growth with the distance (Fig. 8).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", Fig. 7 (message layer alone, 700 MHz, a
machine of 32 nodes) and Fig. 8 (about 90 ns a hop).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records, slope_within
from toroid.machine import Machine
from toroid.report import Row, claim
from toroid.shape import Shape, parse_shape

SHAPE = "4x4x2"
PUBLISHED_CYCLES = {"one-packet": 1600.0, "eager": 2700.0, "adaptive-eager": 3300.0, "rendezvous": 12000.0}
PUBLISHED_NS_PER_HOP = 90.0
# How often a message crosses the network one way after another: a rendezvous message is offered, accepted and sent.
CROSSINGS = {"rendezvous": 3}


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

    def nearest(self) -> dict[str, float]:
        """Half a round trip in cycles, the mean of node 0's neighbours."""
        return {
            protocol: fmean(peer.cycles for peer in peers if peer.hops == 1) for protocol, peers in self.peers.items()
        }

    def half_round_trips(self) -> list[Row]:
        return [
            Row("bgl fig7", f"{protocol} half round trip", "cycles", PUBLISHED_CYCLES[protocol], cycles)
            for protocol, cycles in self.nearest().items()
        ]

    def order(self) -> Row:
        """Whether the protocols, from the fastest to the slowest, come in the published order."""
        measured = self.nearest()
        text = " < ".join(PUBLISHED_CYCLES)
        return claim("bgl fig7", text, sorted(measured, key=measured.__getitem__) == list(PUBLISHED_CYCLES))

    def latency_per_hop(self, core_mhz: float) -> list[Row]:
        rows = []
        for protocol, peers in self.peers.items():
            ways: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
            for peer in peers:
                ways[peer.way_out].append((peer.hops, peer.cycles))
            crossings = CROSSINGS.get(protocol, 1)
            ns = slope_within(ways.values()) * 1000 / core_mhz / crossings
            name = f"{protocol}, each of {crossings} crossings" if crossings > 1 else protocol
            rows.append(Row("bgl fig8", f"latency per hop, {name}", "ns", PUBLISHED_NS_PER_HOP, ns))
        return rows


def measure(lab: Lab, shape: Shape, protocols: Sequence[str] = tuple(PUBLISHED_CYCLES)) -> Measurement:
    """Runs the ping-pong program once a protocol, from rank 0 to every other rank in turn."""
    runs = [
        ProgramRun(f"pingpong-{protocol}", "pingpong", ("--protocol", protocol, "--size", "1", "--peers", "all"), shape)
        for protocol in protocols
    ]
    measured: dict[str, list[Peer]] = {}
    for protocol, output in zip(protocols, lab.run(runs), strict=True):
        measured[protocol] = [
            Peer(shape.coordinates(int(record["peer"])), int(record["hops"]), float(record["cycles"]))
            for record in records(output, "pingpong")
        ]
        if len(measured[protocol]) != shape.nodes - 1:
            raise ToroidError(f"pingpong printed {len(measured[protocol])} measurements, expected {shape.nodes - 1}")
    return Measurement(measured)


def fig7(lab: Lab) -> Findings:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    measurement = measure(lab, shape)
    core_mhz = lab.machine.number("core.clock")
    title = f"{lab.machine.title} {shape}: half round trip of 1 byte to a neighbour"

    def draw(path: Path) -> None:
        bars = {"published": PUBLISHED_CYCLES, "measured": measurement.nearest()}
        plots.bars(path, title, f"core cycles ({core_mhz:g} MHz)", bars)

    return Findings([*measurement.half_round_trips(), measurement.order()], draw)


def fig8(lab: Lab) -> Findings:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    measurement = measure(lab, shape)
    rows = measurement.latency_per_hop(lab.machine.number("core.clock"))
    return Findings(rows, lambda path: plot(path, lab.machine, shape, measurement))


def plot(path: Path, machine: Machine, shape: Shape, measurement: Measurement) -> None:
    core_mhz = machine.number("core.clock")
    series = {
        protocol: [(peer.hops, peer.cycles / core_mhz) for peer in peers]
        for protocol, peers in measurement.peers.items()
    }
    slopes = {protocol: CROSSINGS.get(protocol, 1) * PUBLISHED_NS_PER_HOP / 1000 for protocol in series}
    published = f"published: {PUBLISHED_NS_PER_HOP:.0f} ns a hop and crossing"
    if not CROSSINGS.keys() & series.keys():
        published = f"published: {PUBLISHED_NS_PER_HOP:.0f} ns a hop"
    plots.latency_over_distance(path, f"{machine.title} {shape}: 1-byte messages", series, slopes, published)
