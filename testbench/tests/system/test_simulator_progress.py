# SPDX-License-Identifier: Apache-2.0
"""What the simulator tells while it runs."""

from __future__ import annotations

from pathlib import Path

from toroid import paths
from toroid.configuration import RunSection, TrafficSection, configure
from toroid.machine import load_machine
from toroid.progress import ProgressReport
from toroid.shape import parse_shape
from toroid.simulator import Simulation


def test_a_run_tells_time_packets_and_live_ranks(tmp_path: Path) -> None:
    run = RunSection(
        program=str(paths.guest_program("bench_busy")), ranks=8, job_directory=str(tmp_path), timeout_ns=20_000_000
    )
    seen: list[ProgressReport] = []
    Simulation(configure(load_machine("bgl"), parse_shape("2x2x2", "XYZ"), 1, run=run), tmp_path).wait(seen.append)
    assert seen
    assert {report.live_ranks for report in seen} == {8}
    assert all(report.instructions > 0 and report.simulated_ns > 0 for report in seen)


def test_traffic_tells_how_far_it_is_within_a_load(tmp_path: Path) -> None:
    traffic = TrafficSection(
        pattern="uniform",
        routing="adaptive",
        loads=[0.3, 0.6],
        sizes=[(256, 1.0)],
        warmup_cycles=0,
        measure_cycles=3_000_000,
    )
    seen: list[ProgressReport] = []
    Simulation(configure(load_machine("bgl"), parse_shape("8x4x4", "XYZ"), 1, traffic=traffic), tmp_path).wait(
        seen.append
    )
    fractions = [report.fraction or 0.0 for report in seen]
    assert fractions == sorted(fractions)
    assert any(0 < fraction < 0.5 for fraction in fractions)
    assert any(0.5 < fraction < 1 for fraction in fractions)
    assert all(0 < report.packets <= report.packet_hops for report in seen)
    assert {report.live_ranks for report in seen} == {None}
