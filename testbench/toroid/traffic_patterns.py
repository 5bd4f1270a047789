# SPDX-License-Identifier: Apache-2.0
"""Names of traffic patterns on the command line."""

from __future__ import annotations

import re
from typing import Any

import click

from toroid.errors import UserError
from toroid.shape import Shape

PATTERNS = ["uniform", "neighbour", "complement", "transpose", "tornado", "hotspot", "alltoall"]
METAVAR = f"[{'|'.join(PATTERNS)}|displacement:N,N,...]"
_DISPLACEMENT = re.compile(r"displacement:-?[0-9]{1,3}(,-?[0-9]{1,3})*")


class PatternName(click.Choice[str]):
    """One of PATTERNS, or a displacement with its numbers."""

    def __init__(self) -> None:
        super().__init__(PATTERNS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text.partition(":")[0] != "displacement":
            return super().convert(value, param, ctx)
        if not _DISPLACEMENT.fullmatch(text):
            self.fail(f"{text!r}: expected a number for each dimension, such as displacement:0,0,4", param, ctx)
        return text


def destination(pattern: str, shape: Shape) -> tuple[str, list[int] | None]:
    """The pattern's name for the simulator and, of a displacement, how far along each ring."""
    name, _, numbers = pattern.partition(":")
    if not numbers:
        return name, None
    given = [int(number) for number in numbers.split(",")]
    if len(given) != len(shape.extents):
        raise UserError(f"--pattern {pattern}: {len(given)} numbers, expected one for each of {shape.names}")
    return name, [by % extent for by, extent in zip(given, shape.extents, strict=True)]
