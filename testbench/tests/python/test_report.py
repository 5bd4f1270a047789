# SPDX-License-Identifier: Apache-2.0
"""Rows, slopes and records: the arithmetic between a program's output and a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toroid.experiments.harness import records, slope
from toroid.experiments.pingpong_latency import Measurement
from toroid.report import Row, number, write_rows


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
    assert slope([(1, 10), (2, 13), (3, 16)]) == pytest.approx(3)
    assert slope([(1, 1), (2, 3), (3, 2)]) == pytest.approx(0.5)


def test_records() -> None:
    output = "hello\npingpong protocol=eager hops=2 cycles=2700.50\npingpongs hops=3\n"
    assert records(output, "pingpong") == [{"protocol": "eager", "hops": "2", "cycles": "2700.50"}]


def test_demo_rows_take_the_nearest_peer_and_the_slope_of_all() -> None:
    pairs = [(hops, 1500.0 + 63 * hops) for hops in (3, 1, 2)]
    rows = Measurement({"one-packet": pairs, "eager": [(1, 2763.0), (2, 2826.0)]}).rows(core_mhz=700)
    assert [(row.row, row.published) for row in rows] == [
        ("one-packet half round trip", 1600.0),
        ("eager half round trip", 2700.0),
        ("latency per hop, one-packet", 90.0),
        ("latency per hop, eager", 90.0),
    ]
    assert [row.measured for row in rows] == pytest.approx([1563.0, 2763.0, 90.0, 90.0])
