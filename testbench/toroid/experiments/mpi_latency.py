# SPDX-License-Identifier: Apache-2.0
"""Half round trips of 1-byte messages through MPI, by the protocol that carries them (the MPI column of Fig. 7).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", Fig. 7. The library chooses the
protocol by the message's length; here its limits are set so that each carries a message of one byte.
"""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from toroid import plots
from toroid.experiments import pingpong_latency
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig7-mpi"
SHAPE = pingpong_latency.SHAPE
PUBLISHED_CYCLES = {"one-packet": 2350.0, "eager": 4000.0, "adaptive-eager": 11000.0, "rendezvous": 17500.0}
# What the library's environment variables are set to for each protocol.
LIMITS = {
    "one-packet": {},
    "eager": {"BGLMPI_SHORT": "0"},
    "adaptive-eager": {"BGLMPI_SHORT": "0", "BGLMPI_EAGER": "0", "BGLMPI_ADAPTIVE": "1000"},
    "rendezvous": {"BGLMPI_SHORT": "0", "BGLMPI_EAGER": "0"},
}
WITHIN = 0.25


def fig7_mpi(lab: Lab) -> Findings:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    runs = [
        ProgramRun(
            f"mpi-pingpong-{protocol}",
            "mpi_pingpong",
            ("--size", "1", "--peers", ",".join(str(rank) for rank in range(1, shape.nodes))),
            shape,
            environment=tuple(limits.items()),
        )
        for protocol, limits in LIMITS.items()
    ]
    measured = {}
    for protocol, output in zip(LIMITS, lab.run(runs), strict=True):
        peers = [record for record in records(output, "mpi-pingpong") if record["hops"] == "1"]
        measured[protocol] = fmean(float(record["cycles"]) for record in peers)
    layer = pingpong_latency.measure(lab, shape).nearest()
    rows = [
        Row(EXPERIMENT, f"{protocol} half round trip", "cycles", PUBLISHED_CYCLES[protocol], cycles)
        for protocol, cycles in measured.items()
    ]
    rows += [
        Row(
            EXPERIMENT,
            f"{protocol}, what MPI adds to the message layer",
            "cycles",
            PUBLISHED_CYCLES[protocol] - pingpong_latency.PUBLISHED_CYCLES[protocol],
            cycles - layer[protocol],
        )
        for protocol, cycles in measured.items()
    ]
    rows.append(
        claim(EXPERIMENT, " < ".join(measured), sorted(measured, key=measured.__getitem__) == list(PUBLISHED_CYCLES))
    )
    within = sum(abs(measured[name] / cycles - 1) <= WITHIN for name, cycles in PUBLISHED_CYCLES.items())
    rows.append(claim(EXPERIMENT, f"all four within {WITHIN:.0%}", within == len(PUBLISHED_CYCLES)))
    title = f"{lab.machine.title} {shape}: half round trip of 1 byte to a neighbour, through MPI"

    def draw(path: Path) -> None:
        core_mhz = lab.machine.number("core.clock")
        plots.bars(
            path, title, f"core cycles ({core_mhz:g} MHz)", {"published": PUBLISHED_CYCLES, "measured": measured}
        )

    return Findings(rows, draw)
