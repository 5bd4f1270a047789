# SPDX-License-Identifier: Apache-2.0
"""Units of machine parameters, and quantities as people write them: "20", "20 cycles", "10ms"."""

from __future__ import annotations

import re
from fractions import Fraction

from toroid.errors import UserError

# unit: (kind of quantity, factor to the kind's first unit). Units convert only within their kind.
UNITS: dict[str, tuple[str, Fraction]] = {
    "cycles": ("cycles", Fraction(1)),
    "count": ("count", Fraction(1)),
    "packets": ("packets", Fraction(1)),
    "chunks": ("chunks", Fraction(1)),
    "bytes": ("size", Fraction(1)),
    "KiB": ("size", Fraction(2**10)),
    "MiB": ("size", Fraction(2**20)),
    "GiB": ("size", Fraction(2**30)),
    "bytes/cycle": ("width", Fraction(1)),
    "MHz": ("frequency", Fraction(1)),
    "GHz": ("frequency", Fraction(1000)),
    "ns": ("time", Fraction(1)),
    "us": ("time", Fraction(1000)),
    "ms": ("time", Fraction(10**6)),
    "s": ("time", Fraction(10**9)),
    "per bit": ("rate", Fraction(1)),
}

_QUANTITY = re.compile(
    r"\s*(?P<number>[+-]?(?P<digits>[0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?)\s*(?P<unit>[^\d\s].*?)?\s*\Z"
)
# Beyond any quantity that means something, and far inside what a float holds in every unit.
_SMALLEST, _LARGEST = 1e-100, 1e100

# SystemC counts simulated time in picoseconds, in 64 bits, which end at 1.8e7 s; a run stops well before.
LONGEST_DURATION_S = 10_000_000


def is_unit(name: str) -> bool:
    return name in UNITS


def units_like(name: str) -> list[str]:
    """All units a quantity in this unit may be written in."""
    return [unit for unit, (kind, _) in UNITS.items() if kind == UNITS[name][0]]


def parse_quantity(text: str, unit: str, *, unit_required: bool = False) -> int | float:
    """The number that `text` means in `unit`; whole numbers stay integers. Raises UserError."""
    match = _QUANTITY.match(text)
    if match is None:
        raise UserError(f"'{text}' is not a quantity; expected a number in {unit}, for example '20 {unit}'")
    number, given = match["number"], match["unit"]
    if given is None:
        if unit_required:
            raise UserError(f"'{text}' has no unit; expected one of {', '.join(units_like(unit))}")
        given = unit
    if given not in units_like(unit):
        raise UserError(f"'{text}': wrong unit '{given}', expected {' or '.join(units_like(unit))}")
    # Before the exact arithmetic, which takes for ever over an exponent of many digits.
    if re.search("[1-9]", match["digits"]) and not _SMALLEST < abs(float(number)) < _LARGEST:
        raise UserError(f"'{text}' is out of range; expected 0, or from {_SMALLEST:g} to {_LARGEST:g}")
    value = Fraction(number) * UNITS[given][1] / UNITS[unit][1]
    if value.denominator == 1 and not any(c in number for c in ".eE"):
        return int(value)
    return float(value)


def number(value: float | None, digits: int = 4) -> str:
    """With enough digits to compare, and thousands apart."""
    if value is None:
        return "-"
    if float(value).is_integer() or abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def shown_value(value: bool | float | str) -> str:
    """A parameter's value: a number, the name of a choice, true or false."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else number(value)


# The least of a unit that is shown in it: 4.17 us are not 0.00417 ms, but 2,048 bytes are seldom 2 KiB.
_LEAST = {"time": 1, "size": 10}
_DIGITS = {"time": 4, "size": 3}


def fitting(value: float, unit: str) -> tuple[str, str]:
    """A time or a size as people read it, in the unit of its kind that fits: 4.17 and us for 0.00417 ms. Quantities of
    other kinds keep their unit. The pages' time() and bytes() (page/template/base.js) do the same."""
    kind, factor = UNITS.get(unit, (unit, Fraction(1)))
    if kind not in _LEAST:
        return number(value), unit
    base = value * float(factor)
    fits, size = unit_of(base, kind)
    return number(base / size, _DIGITS[kind]), fits


def unit_of(base: float, kind: str) -> tuple[str, float]:
    """The unit in which a quantity is shown that is given in the first unit of its kind, and how large it is."""
    units = [(name, float(size)) for name, (of, size) in UNITS.items() if of == kind]
    return next((pair for pair in reversed(units) if abs(base) >= _LEAST[kind] * pair[1]), units[0])


def fitting_time(ns: float) -> str:
    return " ".join(fitting(ns, "ns"))


def parse_duration_ns(text: str) -> int:
    """Simulated time such as '10ms' in whole nanoseconds."""
    value = parse_quantity(text, "ns", unit_required=True)
    if value <= 0:
        raise UserError(f"'{text}': a duration is more than nothing, for example 10ms")
    if value > LONGEST_DURATION_S * 10**9:
        raise UserError(f"'{text}': longer than a simulation can last, {LONGEST_DURATION_S}s at most")
    return max(1, round(value))
