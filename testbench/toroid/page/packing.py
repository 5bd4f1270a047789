# SPDX-License-Identifier: Apache-2.0
"""How numbers get into a page: tables of them, how many, and single ones as text."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Json = dict[str, Any]


def packed(values: Array, kind: str) -> Json:
    """For the page's `unpack`: little-endian numbers of a numpy kind such as 'u2'."""
    raw = np.ascontiguousarray(values, dtype=np.dtype("<" + kind)).tobytes()
    return {"kind": kind, "data": base64.b64encode(raw).decode("ascii")}


def as_text(number: str, unit: str) -> str:
    """What toroid.units has made of a quantity, with the typography of a page."""
    number = number.replace(",", "\u202f").replace("-", "\u2013" if number == "-" else "\u2212")
    return f"{number} {unit.replace('us', 'µs')}".rstrip()


def edges_of(end: int, bins: int) -> Array:
    """Limits of `bins` equal parts of the time from 0 to `end`, in ps."""
    return np.linspace(0, max(end, 1), bins + 1)


def rounded(values: Array, digits: int = 3) -> list[float]:
    return [round(float(value), digits) for value in values]
