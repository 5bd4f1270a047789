# SPDX-License-Identifier: Apache-2.0
"""Every experiment once on the real machine, as small as it can be; and what `reproduce` leaves behind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import toroid

from toroid import paths
from toroid.experiments import (
    alltoall_bandwidth,
    broadcast_bandwidth,
    link_bandwidth,
    mapping_scaling,
    packet_read,
    tree_bandwidth,
)
from toroid.experiments.harness import Lab
from toroid.machine import load_machine


def rows_of(path: Path) -> dict[str, dict[str, Any]]:
    return {row["row"]: row for row in json.loads(path.read_text())["rows"]}


def test_latencies_again_from_the_machine_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    done = toroid(
        "reproduce", "bgl", "fig8", "fig7", "--set", "torus.link_cycles=18", "--results", first,
        "--json", tmp_path / "copy.json", timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.index("fig7") < done.stdout.index("fig8")
    assert "M instructions and" in done.stderr
    rows = rows_of(first / "rows.json")
    assert rows["one-packet half round trip"]["published"] == 1600
    # 16 network cycles a hop more: twice the 90 ns.
    assert rows["latency per hop, eager"]["measured"] == pytest.approx(183, rel=0.05)
    assert (first / "rows.json").read_bytes() == (tmp_path / "copy.json").read_bytes()
    for name in ("fig7", "fig8"):
        assert (first / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert (first / "runs" / "pingpong-eager" / "result.json").is_file()
    # What was run can be run again from what was left.
    done = toroid(
        "reproduce", "bgl", "fig7", "--machine", first / "machine.yaml", "--results", second, timeout=300
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    again = rows_of(second / "rows.json")
    assert again == {name: row for name, row in rows.items() if row["experiment"] == "bgl fig7"}


def test_results_of_a_machine_stay_whole_when_another_is_refused(tmp_path: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    call: list[str | Path] = ["reproduce", "bgl", "fig6", "--results", tmp_path]
    assert toroid(*call).returncode == 0
    before = files()
    assert tmp_path / "rows.json" in before
    for change in ("core.clock=0", "cache.l3_ways=3"):
        done = toroid(*call, "--set", "device.read_latency=500", "--set", change)
        assert done.returncode == 2
        assert files() == before


def test_reading_packets(tmp_path: Path) -> None:
    points = packet_read.measure(Lab(load_machine("bgl"), tmp_path))
    assert len(points) == 8 * 16
    rows = {row.row: row for row in packet_read.rows(points)}
    # The published floor, and some instructions around it.
    measured = rows["read 256 bytes, aligned"].measured
    assert measured is not None
    assert 204 <= measured < 204 + 40
    assert rows["realigning while reading saves cycles, at every size and offset"].measured == 1


def test_bandwidth_over_links(tmp_path: Path) -> None:
    sizes = (48, 16384)
    measured = link_bandwidth.measure(Lab(load_machine("bgl"), tmp_path), links=(1, 6), sizes=sizes)
    for curves in measured.values():
        assert list(curves) == [1, 6]
        for links, curve in curves.items():
            assert curve[48] < curve[16384] <= links * 2 * 175 * 240 / 270
    assert link_bandwidth.rows(measured)


def test_broadcasts(tmp_path: Path) -> None:
    lab = Lab(load_machine("bgl"), tmp_path)
    measured = broadcast_bandwidth.measure(lab, sizes=(4096, 65536))
    deposit, neighbours, binomial = (measured[way] for way in broadcast_bandwidth.WAYS)
    # Two links' limit, and what no slicing can make faster: the root sends all twice over one link.
    assert 200 < deposit[65536] <= 311
    assert binomial[65536] < 78
    assert deposit[4096] > neighbours[4096]
    shapes = broadcast_bandwidth.measure_shapes(lab, broadcast_bandwidth.CASES[:1], 65536)
    assert 100 < shapes[broadcast_bandwidth.CASES[0]] <= 155.6
    assert broadcast_bandwidth.rows(measured, shapes)


def test_all_to_all(tmp_path: Path) -> None:
    lab = Lab(load_machine("bgl"), tmp_path)
    measured = alltoall_bandwidth.measure(lab, "3x2x2", sizes=(64, 4096))
    assert all(0 < share < 1 for curve in measured.values() for share in curve.values())
    rows = {row.row: row for row in alltoall_bandwidth.rows(measured)}
    assert rows["a pair at a time far lower for large messages"].measured == 1
    shapes = alltoall_bandwidth.measure_shapes(lab, ("4x2x1", "16x2x1"), (448, 1792))
    assert all(0 < share < 1 for by_shape in shapes.values() for curve in by_shape.values() for share in curve.values())
    # At the pace: a hundredth below the links' rate, less the beginning and the end.
    assert 0.9 < shapes[alltoall_bandwidth.SCHEDULED]["16x2x1"][1792] < 0.99
    found = alltoall_bandwidth.shape_rows(shapes)
    assert [row.row.split(", ")[-2:] for row in found] == [
        [shape, f"{size} bytes"] for _ in shapes for shape in ("4x2x1", "16x2x1") for size in (448, 1792)
    ]


@pytest.mark.parametrize(
    ("shape", "arguments", "says"),
    [
        ("2x2x2", ["--links", "2"], "rank 0 has fewer neighbours; 3x3x3 has six"),
        ("3x3x3", ["--protocol", "eagle"], "--protocol eagle"),
        ("3x3x3", ["--sizes", "16,x"], "--sizes 16,x"),
        ("3x3x3", ["--sizes", ""], "sizes 1.."),
        ("3x3x3", ["--links", "7"], "--links 7: a number 1..6"),
    ],
)
def test_bandwidth_refuses(shape: str, arguments: list[str], says: str, tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, "--shape", shape, paths.guest_program("bandwidth"), *arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_mapping(tmp_path: Path) -> None:
    arguments = ("--size", "2000", "--work", "100", "--steps", "2")
    measured = mapping_scaling.measure(Lab(load_machine("bgl"), tmp_path), [(3, "4x4x1"), (5, "4x4x2")], arguments)
    assert {name: [point.processes for point in points] for name, points in measured.items()} == {
        "naive": [9, 25],
        "optimised": [9, 25],
    }
    assert measured["optimised"][1].hops < measured["naive"][1].hops
    # Hardly any work: all the time is communication.
    assert all(0 < point.performance < 0.3 for points in measured.values() for point in points)
    assert mapping_scaling.rows(measured)


@pytest.mark.parametrize(
    ("ranks", "arguments", "says"),
    [
        ("8", [], "8 ranks; a square of 3 or more is wanted"),
        ("4", [], "4 ranks; a square of 3 or more is wanted"),
        ("9", ["--protocol", "eagle"], "--protocol eagle: eager,"),
        ("9", ["--second-core", "maybe"], "--second-core maybe: used"),
    ],
)
def test_bt_pattern_refuses(ranks: str, arguments: list[str], says: str, tmp_path: Path) -> None:
    program = paths.guest_program("bt_pattern")
    done = toroid("run", "--results", tmp_path, "--shape", "4x4x1", "--ranks", ranks, program, *arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_the_tree_streams_at_its_link_rate(tmp_path: Path) -> None:
    """On a small tree: what Fig. 14 has of 512 nodes."""
    lab = Lab(load_machine("bgl"), tmp_path)
    broadcast = replace(tree_bandwidth.BROADCAST, sizes=(1024, 65536), bytes=65536)
    allreduce = replace(tree_bandwidth.ALLREDUCE, sizes=(1024,), bytes=65536)
    measured = tree_bandwidth.measure(lab, "4x4x2", [broadcast, allreduce])
    assert 0.95 * tree_bandwidth.PEAK < measured[broadcast][65536] <= 337
    assert 0.9 * tree_bandwidth.PEAK < measured[broadcast][1024] <= 337
    assert 50 < measured[allreduce][1024] < measured[broadcast][1024]
    latencies = tree_bandwidth.measure_latencies(lab, ["4x4x4", "64x32x32"])
    assert latencies["4x4x4"] == pytest.approx(1.4, abs=0.1)
    assert latencies["64x32x32"] < 5
