# SPDX-License-Identifier: Apache-2.0
"""What a benchmark is: something to run, and the figures that it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Measure = Callable[[Path, bool], Sequence[float]]


@dataclass(frozen=True)
class Figure:
    """A figure with the bound that it should keep: at least `target` where more is better, at most `target` where less
    is."""

    name: str
    unit: str
    target: float
    more_is_better: bool = False

    def reached(self, value: float) -> bool:
        return value >= self.target if self.more_is_better else value <= self.target


@dataclass(frozen=True)
class Benchmark:
    """`measure` takes a directory for what its runs write, and whether they shall be short: the same in a second or so,
    to show that it works. It returns a value for each figure; those of short runs mean nothing.
    """

    figures: tuple[Figure, ...]
    measure: Measure
    targets: tuple[str, ...] = ()  # that are no part of a plain build
    by_name_only: bool = False  # too long to be run unless it is asked for
