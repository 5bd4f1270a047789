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

_QUANTITY = re.compile(r"\s*(?P<number>[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)\s*(?P<unit>[^\d\s].*?)?\s*\Z")


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
    value = Fraction(number) * UNITS[given][1] / UNITS[unit][1]
    if value.denominator == 1 and not any(c in number for c in ".eE"):
        return int(value)
    return float(value)


def parse_duration_ns(text: str) -> int:
    """Simulated time such as '10ms' in whole nanoseconds."""
    value = parse_quantity(text, "ns", unit_required=True)
    if value <= 0:
        raise UserError(f"'{text}': a duration is more than nothing, for example 10ms")
    return max(1, round(value))
