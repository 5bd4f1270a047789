# SPDX-License-Identifier: Apache-2.0
"""How tables of numbers get into a page, and how many of them."""

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


def edges_of(end: int, bins: int) -> Array:
    """Limits of `bins` equal parts of the time from 0 to `end`, in ps."""
    return np.linspace(0, max(end, 1), bins + 1)


def rounded(values: Array, digits: int = 3) -> list[float]:
    return [round(float(value), digits) for value in values]
