# SPDX-License-Identifier: Apache-2.0
"""Shapes of machines: nodes along each dimension, and which dimensions close to rings."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace

from toroid.errors import UserError

LARGEST_EXTENT = 255  # a coordinate and the number of nodes along a dimension are bytes in the packet header
_LONGEST_EXTENT = 9  # digits
# What programs see of coordinates of machines of five dimensions has six bits for four of them, and one for the fifth.
_EXTENTS_OF_FIVE = (64, 64, 64, 64, 2)
LARGEST_MACHINE = 65536  # nodes of the largest machine that was built: 64x32x32


def largest_extents(dimensions: int) -> tuple[int, ...]:
    """Of a machine that programs run on."""
    return _EXTENTS_OF_FIVE if dimensions == len(_EXTENTS_OF_FIVE) else (LARGEST_EXTENT,) * dimensions


def example_shape(dimensions: int) -> str:
    return "x".join(str(min(4, most)) for most in largest_extents(dimensions))


def direction_name(dimensions: str, direction: int) -> str:
    """Such as X+, on a machine whose dimensions have these letters."""
    return dimensions[direction // 2] + "+-"[direction % 2]


@dataclass(frozen=True)
class Shape:
    extents: tuple[int, ...]
    wrap: tuple[bool, ...]  # True: the dimension is a ring; False: a line (mesh)
    names: str = field(default="", compare=False)  # a letter a dimension, for messages

    @property
    def nodes(self) -> int:
        return math.prod(self.extents)

    @property
    def links(self) -> int:
        """Links of all nodes, each direction counted. A ring of two nodes has two links each way."""
        return sum(
            2 * (self.nodes if wrap else self.nodes // extent * (extent - 1))
            for extent, wrap in zip(self.extents, self.wrap, strict=True)
            if extent > 1
        )

    def __str__(self) -> str:
        return "x".join(str(extent) for extent in self.extents)

    def with_room_for(self, nodes: int) -> Shape | None:
        """The smallest machine of at least so many nodes that doubling the shortest dimensions of this one gives and
        programs run on; None where there is none."""
        larger = self
        most = largest_extents(len(self.extents))
        if any(extent > largest for extent, largest in zip(self.extents, most, strict=True)):
            return None
        while larger.nodes < nodes:
            extents = list(larger.extents)
            can_double = [dimension for dimension, extent in enumerate(extents) if 2 * extent <= most[dimension]]
            if not can_double:
                return None
            extents[min(can_double, key=extents.__getitem__)] *= 2
            if math.prod(extents) > LARGEST_MACHINE:
                return None
            larger = replace(larger, extents=tuple(extents))
        return larger

    def coordinates(self, index: int) -> tuple[int, ...]:
        """Coordinates of a node by its number, the first dimension varying fastest."""
        result = []
        for extent in self.extents:
            index, coordinate = divmod(index, extent)
            result.append(coordinate)
        return tuple(result)

    def has_link(self, place: tuple[int, ...], direction: int) -> bool:
        """Whether a link leads from a node in a direction: 0 and 1 are the first dimension's plus and minus."""
        dimension, minus = divmod(direction, 2)
        extent = self.extents[dimension]
        at_end = place[dimension] == (0 if minus else extent - 1)
        return extent > 1 and (self.wrap[dimension] or not at_end)

    def io_nodes(self, compute_nodes_each: int) -> int:
        """I/O nodes of the tree, as torus/tree/topology.cpp places them: one for each part of at most so many nodes
        into which halving cuts the machine, each time across its longest side, the last of equals."""
        if self.nodes <= max(1, compute_nodes_each):
            return 1
        longest = max(range(len(self.extents)), key=lambda dimension: (self.extents[dimension], dimension))
        half = (self.extents[longest] + 1) // 2
        halves = [
            replace(self, extents=(*self.extents[:longest], extent, *self.extents[longest + 1 :]))
            for extent in (half, self.extents[longest] - half)
        ]
        return sum(part.io_nodes(compute_nodes_each) for part in halves)

    def distance(self, a: tuple[int, ...], b: tuple[int, ...]) -> int:
        """Hops of a shortest route between two nodes."""
        hops = 0
        for extent, wrap, here, there in zip(self.extents, self.wrap, a, b, strict=True):
            straight = abs(here - there)
            hops += min(straight, extent - straight) if wrap else straight
        return hops


def parse_shape(text: str, dimensions: str, mesh: str = "") -> Shape:
    """'8x8x8', of a machine whose dimensions have these letters. `mesh` has those that are lines instead of rings."""
    example = example_shape(len(dimensions))
    # 0 to 9 only: \d and int() take the digits of every script.
    if not re.fullmatch("[0-9]+([xX][0-9]+)*", text):
        raise UserError(f"--shape {text}: expected numbers joined by x, for example {example}")
    parts = re.split("[xX]", text)
    if len(parts) != len(dimensions):
        raise UserError(
            f"--shape {text}: {len(parts)} dimensions given, this machine has {len(dimensions)}; for example {example}"
        )
    for name, part in zip(dimensions, parts, strict=True):
        # Longer ones are not turned into a number: int() refuses thousands of digits.
        if len(part) > _LONGEST_EXTENT or not 1 <= int(part) <= LARGEST_EXTENT:
            raise UserError(f"--shape {text}: {part} nodes along {name}, expected 1 to {LARGEST_EXTENT}")
    extents = tuple(map(int, parts))
    nodes = math.prod(extents)
    if nodes > LARGEST_MACHINE:
        raise UserError(f"--shape {text}: {nodes} nodes, expected {LARGEST_MACHINE} at most")
    letters = mesh.upper()
    for letter in letters:
        if letter not in dimensions:
            raise UserError(f"--mesh {mesh}: no dimension {letter}, expected letters of {dimensions}")
    return Shape(extents, tuple(name not in letters for name in dimensions), dimensions)
