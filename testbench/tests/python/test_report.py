# SPDX-License-Identifier: Apache-2.0
"""Rows, slopes and records: the arithmetic between a program's output and a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toroid.experiments.harness import records, slope_within
from toroid.experiments.pingpong_latency import Measurement, Peer
from toroid.report import Row, write_rows
from toroid.units import number


def test_deviation_is_relative_to_the_published_figure() -> None:
    assert Row("e", "r", "ns", 90.0, 99.0).deviation == pytest.approx(0.1)
    assert Row("e", "r", "ns", None, 99.0).deviation is None
    assert Row("e", "r", "ns", 90.0, None).deviation is None


def test_rows_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "rows.json"
    write_rows(path, [Row("e", "r", "ns", 100.0, 90.0).as_json()])
    row = {"experiment": "e", "row": "r", "unit": "ns", "published": 100.0, "measured": 90.0, "deviation": -0.1}
    assert json.loads(path.read_text()) == {"rows": [row]}


def test_numbers() -> None:
    assert number(1234567) == "1,234,567"
    assert number(0.123456) == "0.1235"
    assert number(None) == "-"
    assert number(12345.6) == "12,346"


def test_slope() -> None:
    assert slope_within([[(1, 10), (2, 13), (3, 16)]]) == pytest.approx(3)
    assert slope_within([[(1, 1), (2, 3), (3, 2)]]) == pytest.approx(0.5)
    # Two groups with an offset between them: the slope is that within each.
    assert slope_within([[(1, 10), (2, 13)], [(2, 113), (3, 116)]]) == pytest.approx(3)


def test_records() -> None:
    output = "hello\npingpong protocol=eager hops=2 cycles=2700.50\npingpongs hops=3\n"
    assert records(output, "pingpong") == [{"protocol": "eager", "hops": "2", "cycles": "2700.50"}]


def test_latency_rows_take_the_neighbours_and_the_slope_within_each_way_out() -> None:
    # Peers that leave by another link are slower by a constant, which is no matter of distance.
    one_packet = [Peer((1, 0, 0), 1, 1560.0), Peer((1, 1, 0), 2, 1623.0), Peer((0, 1, 0), 1, 1566.0)]
    eager = [Peer((2, 1, 0), 3, 2850.0), Peer((1, 0, 0), 1, 2763.0), Peer((2, 0, 0), 2, 2787.0)]
    measurement = Measurement({"one-packet": one_packet, "eager": eager})
    rows = [*measurement.half_round_trips(), *measurement.latency_per_hop(core_mhz=700)]
    assert [(row.row, row.published) for row in rows] == [
        ("one-packet half round trip", 1600.0),
        ("eager half round trip", 2700.0),
        ("latency per hop, one-packet", 90.0),
        ("latency per hop, eager", 90.0),
    ]
    assert [row.measured for row in rows] == pytest.approx([1563.0, 2763.0, 90.0, 90.0])


def test_a_rendezvous_crosses_the_network_three_times() -> None:
    peers = [Peer((1, 0, 0), 1, 4000.0), Peer((1, 1, 0), 2, 4189.0)]
    (row,) = Measurement({"rendezvous": peers}).latency_per_hop(core_mhz=700)
    assert row.row == "latency per hop, rendezvous, each of 3 crossings"
    assert row.measured == pytest.approx(90)
