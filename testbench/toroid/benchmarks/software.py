# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of machines that run programs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from toroid import paths
from toroid.benchmarks.benchmark import Measure
from toroid.benchmarks.simulations import PeakMemory, program, simulate
from toroid.errors import ToroidError
from toroid.experiments import link_bandwidth
from toroid.experiments.harness import Lab
from toroid.machine import load_machine


def _cube(edge: int) -> str:
    return f"{edge}x{edge}x{edge}"


def random_exchange(
    shape: str, ranks: int, rounds: tuple[int, int], machine_name: str = paths.DEFAULT_MACHINE, small: str = "2x2x2"
) -> Measure:
    """MPI messages and packet-hops a second of CPU, without start and end: the difference of two runs, of `rounds` with
    a message from each rank. `small`: the 8 nodes of a short run."""

    def run(directory: Path, short: bool) -> list[float]:
        place, number, lengths = (small, 8, (5, 1005)) if short else (shape, ranks, rounds)
        less, more = (
            simulate(
                directory, place, machine_name=machine_name,
                run=program("mpi_exchange", [str(length)], number, directory, machine_name=machine_name),
            )
            for length in lengths
        )  # fmt: skip
        seconds = more.cpu_seconds - less.cpu_seconds
        if seconds <= 0:
            raise ToroidError(f"{lengths[1]} rounds of the exchange took no longer than {lengths[0]}")
        return [number * (lengths[1] - lengths[0]) / seconds, (more.packet_hops - less.packet_hops) / seconds]

    return run


def random_puts(
    rounds: tuple[int, int],
    bytes_each: int = 1024,
    name: str = "dcmf_exchange",
    machine_name: str = "bgp",
    shape: str = "8x8x8",
    small: str = "2x2x2",
) -> Measure:
    """Puts through DCMF or PAMI, by 512 nodes of a process, and packet-hops a second of CPU, without start and end, as
    above; and the highest proportional set size in MiB."""

    def run(directory: Path, short: bool) -> list[float]:
        place, ranks, lengths = (small, 8, (5, 1005)) if short else (shape, 512, rounds)
        memory = PeakMemory()
        less, more = (
            simulate(
                directory, place, memory=memory, machine_name=machine_name,
                run=program(name, [str(length), str(bytes_each)], ranks, directory, machine_name=machine_name),
            )
            for length in lengths
        )  # fmt: skip
        seconds = more.cpu_seconds - less.cpu_seconds
        if seconds <= 0:
            raise ToroidError(f"{lengths[1]} rounds of puts took no longer than {lengths[0]}")
        puts = ranks * (lengths[1] - lengths[0]) / seconds
        return [puts, (more.packet_hops - less.packet_hops) / seconds, memory.pss_kib / 1024]

    return run


def hello(shape: str, ranks: int) -> Measure:
    """CPU seconds from the start of the simulator to its end, and the highest host memory in MiB: PSS and RSS."""

    def run(directory: Path, short: bool) -> list[float]:
        memory = PeakMemory()
        size, number = (_cube(2), 8) if short else (shape, ranks)
        host = simulate(directory, size, run=program("hello", [], number, directory), memory=memory)
        return [host.cpu_seconds, memory.pss_kib / 1024, host.peak_memory_kib / 1024]

    return run


def instructions_per_second(shape: str, cores: int, simulated: str) -> Measure:
    """Million instructions a second of CPU, over cores that sort and add."""

    def run(directory: Path, short: bool) -> list[float]:
        size, number, timeout = ("2x2x2", 8, "1ms") if short else (shape, cores, simulated)
        busy = program("bench_busy", [], number, directory, timeout=timeout)
        host = simulate(directory, size, run=busy, ends="timeout")
        return [host.instructions / host.cpu_seconds / 1e6]

    return run


def cores_alone(executable: str, what: str, cores: int, milliseconds: int) -> Measure:
    """The same of cores without a machine around them."""

    def run(_directory: Path, short: bool) -> list[float]:
        file = paths.simulator("release").parent / executable
        command = [str(file), what, *(["2", "1"] if short else [str(cores), str(milliseconds)])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ToroidError(f"{executable} ended with status {done.returncode}: {done.stderr.strip()}")
        return [float(json.loads(done.stdout)["instructions_per_second"]) / 1e6]

    return run


def polling_seconds(directory: Path, short: bool) -> list[float]:
    """Host time of a simulated second in which 64 nodes only poll, for what one more sends them at its end: without
    that the run would end at once, as a deadlock."""
    run = program("sleep_poll", ["10" if short else "1000"], 65, directory)
    return [simulate(directory, "13x5x1", run=run).host_seconds]


def dma_polling_seconds(directory: Path, short: bool) -> list[float]:
    """The same on Blue Gene/P: 64 nodes poll a counter of the DMA."""
    run = program("dma_poll", ["10" if short else "1000"], 65, directory, machine_name="bgp")
    return [simulate(directory, "13x5x1", run=run, machine_name="bgp").host_seconds]


def _mu_seconds(directory: Path, short: bool, *how: str) -> list[float]:
    run = program("mu_poll", ["10" if short else "1000", *how], 65, directory, machine_name="bgq")
    return [simulate(directory, "13x5x1x1x1", run=run, machine_name="bgq").host_seconds]


def mu_polling_seconds(directory: Path, short: bool) -> list[float]:
    """The same on Blue Gene/Q: 64 nodes poll a word of memory in which a Messaging Unit counts."""
    return _mu_seconds(directory, short)


def wake_up_seconds(directory: Path, short: bool) -> list[float]:
    """The same word, for which 64 nodes wait on their wake-up units."""
    return _mu_seconds(directory, short, "wait")


def halo_seconds(directory: Path, short: bool) -> list[float]:
    """CPU seconds of 100 steps of a halo exchange through MPI: 64 ranks with 16x16x16 points each."""
    ranks, shape, arguments = (8, _cube(2), ["4", "2"]) if short else (64, _cube(4), ["16", "100"])
    return [simulate(directory, shape, run=program("mpi_halo", arguments, ranks, directory)).cpu_seconds]


def on_blue_gene_q(name: str, arguments: list[str], short_arguments: list[str], shape: str, mode: str) -> Measure:
    """A program on 512 ranks of Blue Gene/Q: CPU seconds from start to end, and the highest proportional set size in
    MiB."""

    def run(directory: Path, short: bool) -> list[float]:
        memory = PeakMemory()
        place, number, given = ("1x1x1x1x2", 2, short_arguments) if short else (shape, 512, arguments)
        what = program(name, given, number, directory, machine_name="bgq", mode="c1" if short else mode)
        host = simulate(directory, place, run=what, memory=memory, machine_name="bgq")
        return [host.cpu_seconds, memory.pss_kib / 1024]

    return run


def mpi_start(directory: Path, short: bool) -> list[float]:
    """512 ranks initialise MPI, meet at a barrier, and end: CPU seconds, and the highest resident memory in MiB."""
    edge = 2 if short else 8
    host = simulate(directory, _cube(edge), run=program("mpi_start", [], edge**3, directory))
    return [host.cpu_seconds, host.peak_memory_kib / 1024]


def fig9_seconds(directory: Path, short: bool) -> list[float]:
    """CPU seconds of all simulations of `./toroid reproduce bgl fig9`, one after the other."""
    lab = Lab(load_machine("bgl"), directory, at_once=1)
    if short:
        link_bandwidth.measure(lab, (link_bandwidth.EAGER,), (1,), (16, 64))
    else:
        link_bandwidth.measure(lab)
    return [lab.cost.cpu_seconds]
