# SPDX-License-Identifier: Apache-2.0
"""Quantities, loads and packet sizes as people write them."""

from __future__ import annotations

import pytest

from toroid.errors import UserError
from toroid.traffic_sweep import load_name, parse_loads, parse_sizes
from toroid.units import fitting, parse_duration_ns, parse_quantity


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


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        *("", "cycles", "2 0", "0x10", "1e", "20 cycle", "20ns", "nan", "inf"),
        *("\uff12\uff10", "\u0662", "2_0", "1e400", "1e-400", "1e999999999", "-1e-999999999", "9" * 5000),
    ],
)
def test_no_quantity(text: str) -> None:
    with pytest.raises(UserError):
        parse_quantity(text, "cycles")


@pytest.mark.parametrize(
    ("text", "ns"), [("10ms", 10_000_000), ("1.5 us", 1500), ("1s", 10**9), ("7ns", 7), ("0.2ns", 1), ("1e7s", 10**16)]
)
def test_duration(text: str, ns: int) -> None:
    assert parse_duration_ns(text) == ns


@pytest.mark.parametrize("text", ["10", "0ms", "-1ms", "10 cycles", "soon", "1e400s", "\uff11\uff10ms"])
def test_no_duration(text: str) -> None:
    with pytest.raises(UserError):
        parse_duration_ns(text)


@pytest.mark.parametrize("text", ["10000001s", "18446745s", "1e99 s"])
def test_duration_beyond_simulated_time(text: str) -> None:
    with pytest.raises(UserError, match=f"^'{text}': longer than a simulation can last, 10000000s at most$"):
        parse_duration_ns(text)


def test_loads_are_exact_decimals() -> None:
    loads = parse_loads("0.05:0.95:0.05")
    assert loads == [round(0.05 * i, 2) for i in range(1, 20)]
    assert parse_loads("0.1,0.35") == [0.1, 0.35]
    assert parse_loads("0.3") == [0.3]
    assert parse_loads("0.1:0.35:0.1") == [0.1, 0.2, 0.3]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "1.5", "0.5:0.1:0.1", "0.1:0.5:0", "0.1:0.5", "0.1:0.5:-0.1", "a", "0.1,", "0.1:0.2:0.1,0.3"),
        *("nan", "0.1,nan", "nan:0.5:0.1", "0.1:nan:0.1", "0.1:0.5:nan", "sNaN"),
        *("inf", "-inf:0.5:0.1", "0.1:inf:0.1", "0.1:0.5:inf", "-inf:inf:inf"),
        *("1e-400", "1e-999999999", "1.00000000000000000001", "\uff10.\uff13", "0_1", "0.1:1e999999999:0.1"),
    ],
)
def test_no_loads(text: str) -> None:
    with pytest.raises(UserError, match="expected loads above 0"):
        parse_loads(text)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["0.1:0.9:1e-12", "0.1:0.9:1e-300", ",".join(f"0.{i:04}" for i in range(1, 1002))])
def test_too_many_loads(text: str) -> None:
    with pytest.raises(UserError, match="1000"):
        parse_loads(text)


def test_as_many_loads_as_there_may_be() -> None:
    assert len(parse_loads("0.001:1:0.001")) == 1000


@pytest.mark.parametrize("text", ["0.3,0.3", "0.1,0.3,0.30", "0.3:0.30000000000000001:1e-17"])
def test_the_same_load_twice(text: str) -> None:
    with pytest.raises(UserError, match=r"the load 0\.3 is there more than once"):
        parse_loads(text)


def test_loads_have_names_that_tell_them_apart() -> None:
    assert [load_name(load) for load in parse_loads("1,0.30,0.1234567,0.1234568,1e-5")] == [
        *("1", "0.3", "0.1234567", "0.1234568", "1e-05")
    ]


def test_sizes_have_weights() -> None:
    assert parse_sizes("256") == [(256, 1.0)]
    assert parse_sizes("32:0.25,256:0.75") == [(32, 0.25), (256, 0.75)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "256:0",
        "256:-1",
        "256:",
        "big",
        "\uff12\uff15\uff16",
        "256:\uff11",
        "256:" + "9" * 400,
        "3" * 5000,
    ],
)
def test_no_sizes(text: str) -> None:
    with pytest.raises(UserError, match="expected packet sizes in bytes"):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (4167, "ns", "4.167 us"),
        (0.004167, "ms", "4.167 us"),
        (999, "ns", "999 ns"),
        (0, "us", "0 ns"),
        (0.25, "ns", "0.25 ns"),
        (1_500_000, "us", "1.5 s"),
        (12_345_678, "ns", "12.35 ms"),
        (20_000, "s", "20,000 s"),
        (2048, "bytes", "2,048 bytes"),
        (10_240, "bytes", "10 KiB"),
        (56.4531, "MiB", "56.5 MiB"),
        (1234567, "count", "1,234,567 count"),
        (4.462, "M instructions/s", "4.462 M instructions/s"),
    ],
)
def test_quantities_are_shown_in_the_unit_that_fits(value: float, unit: str, shown: str) -> None:
    assert " ".join(fitting(value, unit)) == shown
