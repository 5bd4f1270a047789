# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the network alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from toroid import paths
from toroid.benchmarks.benchmark import Measure
from toroid.benchmarks.simulations import simulate
from toroid.configuration import TrafficSection
from toroid.errors import ToroidError


def _uniform(load: float, warmup: int, measure: int, packet_bytes: int = 256) -> TrafficSection:
    return TrafficSection(
        pattern="uniform",
        routing="adaptive",
        loads=[load],
        sizes=[(packet_bytes, 1.0)],
        warmup_cycles=warmup,
        measure_cycles=measure,
    )


def hops_per_second(
    shape: str, warmup: int, measure: int, machine_name: str = paths.DEFAULT_MACHINE, packet_bytes: int = 256
) -> Measure:
    """Million packet-hops a second of CPU, without the time to build the network."""

    def run(directory: Path, short: bool) -> list[float]:
        cycles = (500, 500) if short else (warmup, measure)
        traffic = _uniform(0.3, *cycles, packet_bytes)
        host = simulate(directory, shape, traffic=traffic, machine_name=machine_name)
        return [host.packet_hops / (host.cpu_seconds - host.elaboration_seconds) / 1e6]

    return run


def kilobytes_per_router(directory: Path, short: bool) -> list[float]:
    """All of the process's memory, shared by its routers."""
    edge = 16 if short else 32
    host = simulate(directory, f"{edge}x{edge}x{edge}", traffic=_uniform(0.3, 2_000, 500 if short else 5_000))
    return [host.peak_memory_kib / edge**3]


# 65,536 routers, of kilobytes each, cannot be made in less. A smaller figure was taken before they were made.
_LEAST_ELABORATION_SECONDS = 0.01


def elaboration_seconds(directory: Path, short: bool) -> list[float]:
    cycles = 100 if short else 500
    seconds = simulate(directory, "64x32x32", traffic=_uniform(0.1, cycles, cycles)).elaboration_seconds
    if seconds < _LEAST_ELABORATION_SECONDS:
        raise ToroidError(f"the simulator says that 65,536 routers took {seconds} s to make, which cannot be true")
    return [seconds]


def microseconds_a_clock(executable: str) -> Measure:
    """Host time of a clock cycle of a router in Verilog through which packets pass in three dimensions."""

    def run(_directory: Path, short: bool) -> list[float]:
        cycles = "2000" if short else "1000000"
        command: list[str | Path] = [paths.simulator("release").parent / executable, cycles]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ToroidError(f"{executable} ended with status {done.returncode}: {done.stderr.strip()}")
        return [float(json.loads(done.stdout)["us_a_cycle"])]

    return run
