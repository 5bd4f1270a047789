# SPDX-License-Identifier: Apache-2.0
"""The benchmarks. Each runs the simulator once and gives one figure."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from toroid import paths
from toroid.configuration import RunSection, TrafficSection, configure
from toroid.errors import ToroidError
from toroid.machine import load_machine
from toroid.progress import ProgressReport
from toroid.result import HostFigures
from toroid.shape import parse_shape
from toroid.simulator import stoppable_simulation
from toroid.units import parse_duration_ns

Measure = Callable[[Path, bool], float]


@dataclass(frozen=True)
class Benchmark:
    """A figure with the bound it must keep: at least `target` where more is better, at most `target` where less is.

    `measure` takes a directory for what the run writes, and whether the run shall be short: the same in a second or so,
    to show that it works. Its figure then means nothing.
    """

    name: str
    unit: str
    target: float
    more_is_better: bool
    measure: Measure
    targets: tuple[str, ...] = ()  # that are no part of a plain build

    def reached(self, value: float) -> bool:
        return value >= self.target if self.more_is_better else value <= self.target


_Follower = Callable[[ProgressReport], None]
# Called with the progress of the current simulation.
_follower: ContextVar[_Follower | None] = ContextVar("follower", default=None)


@contextmanager
def followed(follower: _Follower) -> Iterator[None]:
    """Within, `follower` is called with the progress of the benchmarks' simulations."""
    token = _follower.set(follower)
    try:
        yield
    finally:
        _follower.reset(token)


def _simulate(
    directory: Path,
    shape_text: str,
    *,
    run: RunSection | None = None,
    traffic: TrafficSection | None = None,
    ends: str = "completed",
) -> HostFigures:
    machine = load_machine("bgl")
    directory.mkdir(parents=True, exist_ok=True)
    shape = parse_shape(shape_text, machine.dimensions)
    configuration = configure(machine, shape, 1, run=run, traffic=traffic)
    with (
        (directory / "output.txt").open("wb") as stdout,
        stoppable_simulation(configuration, directory, preset="release", stdout=stdout) as (simulation, signals),
    ):
        outcome = simulation.wait(_follower.get())
    if signals:
        raise KeyboardInterrupt
    if outcome.result is None or outcome.host is None or outcome.result.ended != ends:
        why = outcome.result.ended if outcome.result is not None else f"exit status {outcome.status}"
        raise ToroidError(f"benchmark in {paths.shown(directory)} ended as '{why}', expected '{ends}'")
    return outcome.host


def _uniform(load: float, warmup: int, measure: int) -> TrafficSection:
    return TrafficSection(
        pattern="uniform",
        routing="adaptive",
        loads=[load],
        sizes=[(256, 1.0)],
        warmup_cycles=warmup,
        measure_cycles=measure,
    )


def _hops_per_second(shape: str, warmup: int, measure: int) -> Measure:
    """Million packet-hops a second of CPU, without the time to build the network."""

    def run(directory: Path, short: bool) -> float:
        host = _simulate(directory, shape, traffic=_uniform(0.3, 500, 500) if short else _uniform(0.3, warmup, measure))
        return host.packet_hops / (host.cpu_seconds - host.elaboration_seconds) / 1e6

    return run


def _kilobytes_per_router(directory: Path, short: bool) -> float:
    """All of the process's memory, shared by its routers."""
    edge = 16 if short else 32
    host = _simulate(directory, f"{edge}x{edge}x{edge}", traffic=_uniform(0.3, 2_000, 500 if short else 5_000))
    return host.peak_memory_kib / edge**3


# 65,536 routers, of kilobytes each, cannot be made in less. A smaller figure was taken before they were made.
_LEAST_ELABORATION_SECONDS = 0.01


def _elaboration_seconds(directory: Path, short: bool) -> float:
    cycles = 100 if short else 500
    seconds = _simulate(directory, "64x32x32", traffic=_uniform(0.1, cycles, cycles)).elaboration_seconds
    if seconds < _LEAST_ELABORATION_SECONDS:
        raise ToroidError(f"the simulator says that 65,536 routers took {seconds} s to make, which cannot be true")
    return seconds


def _program(name: str, arguments: list[str], ranks: int, directory: Path, timeout: str | None = None) -> RunSection:
    return RunSection(
        program=str(paths.guest_program(name)),
        arguments=arguments,
        ranks=ranks,
        job_directory=str(directory.parent.resolve()),
        timeout_ns=parse_duration_ns(timeout) if timeout is not None else None,
    )


def _instructions_per_second(directory: Path, short: bool) -> float:
    """Million instructions a second of CPU, over 32 cores that sort and add."""
    run = _program("bench_busy", [], 32, directory, timeout="1ms" if short else "50ms")
    host = _simulate(directory, "4x4x2", run=run, ends="timeout")
    return host.instructions / host.cpu_seconds / 1e6


def _polling_seconds(directory: Path, short: bool) -> float:
    """Host time of a simulated second in which 64 nodes only poll, for what one more sends them at its end: without
    that the run would end at once, as a deadlock."""
    run = _program("sleep_poll", ["10" if short else "1000"], 65, directory)
    return _simulate(directory, "13x5x1", run=run).host_seconds


def _halo_seconds(directory: Path, short: bool) -> float:
    """Host time of 100 steps of a halo exchange through MPI: 64 ranks with 16x16x16 points each."""
    ranks, shape, arguments = (8, "2x2x2", ["4", "2"]) if short else (64, "4x4x4", ["16", "100"])
    return _simulate(directory, shape, run=_program("mpi_halo", arguments, ranks, directory)).host_seconds


def _start(directory: Path, short: bool) -> HostFigures:
    """512 ranks initialise MPI, meet at a barrier, and end."""
    edge = 2 if short else 8
    return _simulate(directory, f"{edge}x{edge}x{edge}", run=_program("mpi_start", [], edge**3, directory))


def _start_seconds(directory: Path, short: bool) -> float:
    return _start(directory, short).host_seconds


def _start_mebibytes(directory: Path, short: bool) -> float:
    return _start(directory, short).peak_memory_kib / 1024


def _microseconds_a_clock(executable: str) -> Measure:
    """Host time of a clock cycle of a router in Verilog through which packets pass in three dimensions."""

    def run(_directory: Path, short: bool) -> float:
        cycles = "2000" if short else "1000000"
        command: list[str | Path] = [paths.simulator("release").parent / executable, cycles]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ToroidError(f"{executable} ended with status {done.returncode}: {done.stderr.strip()}")
        return float(json.loads(done.stdout)["us_a_cycle"])

    return run


def _clock_benchmark(name: str, target: float, executable: str) -> Benchmark:
    return Benchmark(name, "us a clock cycle", target, False, _microseconds_a_clock(executable), (executable,))


_NETWORK_SPEED = "M packet-hops/s"
_CORE_SPEED = "M instructions/s"

SUITE = [
    Benchmark("network 8x8x8, uniform at 0.3", _NETWORK_SPEED, 2.0, True, _hops_per_second("8x8x8", 10_000, 5_000_000)),
    Benchmark(
        "network 32x32x32, uniform at 0.3", _NETWORK_SPEED, 0.6, True, _hops_per_second("32x32x32", 3_000, 20_000)
    ),
    Benchmark("memory a router, 32x32x32", "KiB", 16.0, False, _kilobytes_per_router),
    Benchmark("elaboration, 64x32x32", "s", 10.0, False, _elaboration_seconds),
    Benchmark("32 busy cores", _CORE_SPEED, 500.0, True, _instructions_per_second),
    Benchmark("64 polling nodes, 1 s simulated", "s", 1.0, False, _polling_seconds),
    Benchmark("MPI, 64 ranks, 100 steps of halo exchange", "s", 120.0, False, _halo_seconds),
    Benchmark("MPI, 512 ranks start and end", "s", 300.0, False, _start_seconds),
    Benchmark("MPI, 512 ranks, host memory", "MiB", 8192.0, False, _start_mebibytes),
    _clock_benchmark("router in Verilog, called from the wheel", 3.0, "toroid-bench-router-cc"),
    _clock_benchmark("router in Verilog, a SystemC module", 6.0, "toroid-bench-router-sc"),
]
