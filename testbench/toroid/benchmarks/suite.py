# SPDX-License-Identifier: Apache-2.0
"""All benchmarks, with the bounds that they should keep."""

from __future__ import annotations

from toroid import build
from toroid.benchmarks import network, software
from toroid.benchmarks.benchmark import Benchmark, Figure, Measure


def _one(figure: Figure, measure: Measure, targets: tuple[str, ...] = (), by_name_only: bool = False) -> Benchmark:
    return Benchmark((figure,), measure, targets, by_name_only)


def _exchange(ranks: int, messages: float, measure: Measure) -> Benchmark:
    name = f"MPI, {ranks} ranks, random exchange of 256 bytes"
    return Benchmark(
        (Figure(name, "messages/s", messages, True), Figure(f"{name}, hops", "packet-hops/s", 300_000, True)), measure
    )


def _hello(nodes: int, seconds: float, mebibytes: float, measure: Measure, by_name_only: bool = False) -> Benchmark:
    """The bound of memory is that of the proportional set size."""
    name = f"hello, {nodes} nodes"
    figures = (
        Figure(name, "s of CPU", seconds),
        Figure(f"{name}, PSS", "MiB", mebibytes),
        Figure(f"{name}, RSS", "MiB", mebibytes),
    )
    return Benchmark(figures, measure, by_name_only=by_name_only)


def _clock(name: str, target: float, executable: str) -> Benchmark:
    return _one(Figure(name, "us a clock cycle", target), network.microseconds_a_clock(executable), (executable,))


_NETWORK_SPEED = "M packet-hops/s"
_CORE_SPEED = "M instructions/s"

SUITE = [
    _one(
        Figure("network 8x8x8, uniform at 0.3", _NETWORK_SPEED, 2.0, True),
        network.hops_per_second("8x8x8", 10_000, 5_000_000),
    ),
    _one(
        Figure("network 32x32x32, uniform at 0.3", _NETWORK_SPEED, 0.6, True),
        network.hops_per_second("32x32x32", 3_000, 20_000),
    ),
    _one(
        Figure("network of five dimensions, 4x4x4x4x2, uniform at 0.3", _NETWORK_SPEED, 2.0, True),
        network.hops_per_second("4x4x4x4x2", 10_000, 1_000_000, "bgq", 544),
    ),
    _one(Figure("memory a router, 32x32x32", "KiB", 16.0), network.kilobytes_per_router),
    _one(Figure("elaboration, 64x32x32", "s", 10.0), network.elaboration_seconds),
    _one(Figure("32 busy cores", _CORE_SPEED, 600.0, True), software.instructions_per_second("4x4x2", 32, "50ms")),
    _one(Figure("512 busy cores", _CORE_SPEED, 300.0, True), software.instructions_per_second("8x8x8", 512, "5ms")),
    *(
        _one(
            Figure(f"{cores} busy {isa} cores", _CORE_SPEED, target, True),
            software.cores_alone(build.BENCH_CORE, what, cores, milliseconds),
            (build.BENCH_CORE,),
        )
        for isa, what in (("x86-64", "busy-x86_64"), ("ppc64", "busy-ppc64"))
        for cores, milliseconds, target in ((32, 50, 400.0), (512, 5, 250.0))
    ),
    _one(Figure("64 polling nodes, 1 s simulated", "s", 1.0), software.polling_seconds),
    _one(Figure("64 nodes polling a DMA counter, 1 s simulated", "s", 1.0), software.dma_polling_seconds),
    _one(Figure("64 nodes polling a Messaging Unit's counter, 1 s simulated", "s", 1.0), software.mu_polling_seconds),
    _one(Figure("64 nodes waiting on their wake-up units, 1 s simulated", "s", 1.0), software.wake_up_seconds),
    Benchmark(
        (
            # The same bound in puts: each is 5 packets, which go 6 hops on average.
            Figure("DMA, 512 ranks, puts of 1 KiB to random peers", "messages/s", 10_000, True),
            Figure("DMA, 512 ranks, puts of 1 KiB to random peers, hops", "packet-hops/s", 300_000, True),
            Figure("DMA, 512 ranks, puts of 1 KiB to random peers, PSS", "MiB", 1024.0),
        ),
        software.random_puts((20, 100)),
    ),
    _exchange(64, 60_000, software.random_exchange("4x4x4", 64, (100, 600))),
    _exchange(512, 30_000, software.random_exchange("8x8x8", 512, (20, 100))),
    _hello(512, 1.5, 300.0, software.hello("8x8x8", 512)),
    _hello(4096, 15.0, 2500.0, software.hello("16x16x16", 4096), by_name_only=True),
    _one(Figure("MPI, 64 ranks, 100 steps of halo exchange", "s of CPU", 6.0), software.halo_seconds),
    *(
        Benchmark(
            (
                Figure(f"{what}, {where}", "s of CPU", 60.0),
                Figure(f"{what}, {where}, PSS", "MiB", 4096.0),
            ),
            software.on_blue_gene_q(name, arguments, short_arguments, shape, mode),
            by_name_only=True,
        )
        for what, name, arguments, short_arguments in (
            ("MPI over PAMI, 10 steps of halo exchange with 4x4x4 points a rank", "mpi_halo", ["4", "10"], ["4", "1"]),
            ("ARMCI over PAMI, each rank draws 5 times from a counter", "armci_counter", ["5"], ["1"]),
        )
        for where, shape, mode in (
            ("512 nodes of a rank", "4x4x4x4x2", "c1"),
            ("32 nodes of 16 ranks", "2x2x2x2x2", "c16"),
        )
    ),
    Benchmark(
        (
            Figure("MPI over PAMI, 512 nodes, random exchange of 256 bytes", "messages/s", 30_000, True),
            Figure("MPI over PAMI, 512 nodes, random exchange of 256 bytes, hops", "packet-hops/s", 300_000, True),
        ),
        software.random_exchange("4x4x4x4x2", 512, (20, 100), "bgq", "2x2x2x1x1"),
        by_name_only=True,
    ),
    Benchmark(
        (
            # Each is two packets, which go 4.5 hops on average.
            Figure("PAMI, 512 nodes, puts of 1 KiB to random peers", "messages/s", 33_000, True),
            Figure("PAMI, 512 nodes, puts of 1 KiB to random peers, hops", "packet-hops/s", 300_000, True),
            Figure("PAMI, 512 nodes, puts of 1 KiB to random peers, PSS", "MiB", 4096.0),
        ),
        software.random_puts((20, 120), 1024, "pami_exchange", "bgq", shape="4x4x4x4x2", small="2x2x2x1x1"),
        by_name_only=True,
    ),
    Benchmark(
        (
            Figure("MPI, 512 ranks start and end", "s of CPU", 300.0),
            Figure("MPI, 512 ranks, host memory", "MiB", 8192.0),
        ),
        software.mpi_start,
    ),
    _one(Figure("fig9, all runs", "s of CPU", 25.0), software.fig9_seconds, by_name_only=True),
    _clock("router in Verilog, called from the wheel", 3.0, "toroid-bench-router-cc"),
    _clock("router in Verilog, a SystemC module", 6.0, "toroid-bench-router-sc"),
]
