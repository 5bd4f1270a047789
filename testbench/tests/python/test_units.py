# SPDX-License-Identifier: Apache-2.0
"""Quantities, loads and packet sizes as people write them."""

from __future__ import annotations

import pytest

from toroid.errors import UserError
from toroid.traffic_sweep import parse_loads, parse_sizes
from toroid.units import parse_duration_ns, parse_quantity


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("20", "cycles", 20),
        (" 20 cycles ", "cycles", 20),
        ("2KiB", "bytes", 2048),
        ("512", "MiB", 512),
        ("0.7 GHz", "MHz", 700.0),
        ("1e-9 per bit", "per bit", 1e-9),
        (".5", "cycles", 0.5),
    ],
)
def test_quantity(text: str, unit: str, value: float) -> None:
    found = parse_quantity(text, unit)
    assert found == value
    assert isinstance(found, type(value))


@pytest.mark.parametrize("text", ["", "cycles", "2 0", "0x10", "1e", "20 cycle", "20ns", "nan", "inf"])
def test_no_quantity(text: str) -> None:
    with pytest.raises(UserError):
        parse_quantity(text, "cycles")


@pytest.mark.parametrize(
    ("text", "ns"), [("10ms", 10_000_000), ("1.5 us", 1500), ("1s", 10**9), ("7ns", 7), ("0.2ns", 1)]
)
def test_duration(text: str, ns: int) -> None:
    assert parse_duration_ns(text) == ns


@pytest.mark.parametrize("text", ["10", "0ms", "-1ms", "10 cycles", "soon"])
def test_no_duration(text: str) -> None:
    with pytest.raises(UserError):
        parse_duration_ns(text)


def test_loads_are_exact_decimals() -> None:
    loads = parse_loads("0.05:0.95:0.05")
    assert loads == [round(0.05 * i, 2) for i in range(1, 20)]
    assert parse_loads("0.1,0.35") == [0.1, 0.35]
    assert parse_loads("0.3") == [0.3]
    assert parse_loads("0.1:0.35:0.1") == [0.1, 0.2, 0.3]


@pytest.mark.parametrize("text", ["", "0", "1.5", "0.5:0.1:0.1", "0.1:0.5:0", "0.1:0.5", "0.1:0.5:-0.1", "a", "nan"])
def test_no_loads(text: str) -> None:
    with pytest.raises(UserError, match="expected loads above 0"):
        parse_loads(text)


def test_sizes_become_chunks() -> None:
    assert parse_sizes("256") == [(8, 1.0)]
    assert parse_sizes("32:0.25,256:0.75") == [(1, 0.25), (8, 0.75)]


@pytest.mark.parametrize("text", ["", "0", "33", "288", "256:0", "256:-1", "256:", "big"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(UserError, match="multiples of 32 up to 256"):
        parse_sizes(text)
