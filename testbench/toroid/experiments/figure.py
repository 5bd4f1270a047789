# SPDX-License-Identifier: Apache-2.0
"""What a published figure is to the command `reproduce`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toroid.experiments.harness import Findings, Lab


@dataclass(frozen=True)
class Figure:
    title: str
    measure: Callable[[Lab], Findings]
    short: bool = False  # whether it heeds Lab.short
