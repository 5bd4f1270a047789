# SPDX-License-Identifier: Apache-2.0
"""Maps of a square grid of processes onto a torus, for codes that communicate like NAS BT.

In BT's multipartition scheme a process (i, j) of a q x q grid, which closes in both directions, exchanges with
(i +- 1, j), (i, j +- 1), (i + 1, j - 1) and (i - 1, j + 1): the neighbours of its cells in x, y and z. Its rank is
i + q j.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

from toroid.shape import Shape

Place = tuple[int, ...]

_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
# Of the search: moves for each process, and the temperatures, in hops, between which it cools.
_MOVES = 3000
_HOT, _COLD = 1.0, 0.2
# No map has a shorter mean way in a torus without rings of three: a process, its neighbour along i and the one on the
# diagonal between them are peers of each other, and of three nodes no more than two pairs can be neighbours.
_SHORTEST = 4 / 3


def peers(side: int) -> list[list[int]]:
    """The six ranks that each rank exchanges with."""
    return [[(i + di) % side + side * ((j + dj) % side) for di, dj in _STEPS] for j in range(side) for i in range(side)]


def naive(side: int, shape: Shape) -> list[Place]:
    """The order that is taken without a mapping file: x fastest."""
    return [shape.coordinates(rank) for rank in range(side * side)]


def squeezed(side: int, width: int) -> list[tuple[int, int]]:
    """Column and row of each rank when the grid is made `width` columns wide, and as much longer. Each row of the grid
    puts two of its processes into some columns, other columns from row to row, so that all columns grow evenly and
    neighbours stay near. A grid that is no wider than that stays as it is."""
    columns = min(side, width)
    filled = [0] * columns
    places = []
    for j in range(side):
        phase = side % columns * j % columns
        for i in range(side):
            column = (i * columns + phase) // side
            places.append((column, filled[column]))
            filled[column] += 1
    return places


def folded(side: int, shape: Shape) -> list[Place] | None:
    """The grid, squeezed where it is too wide, cut into equal blocks that lie on each other in z, folded at the cuts.
    Steps along i and j are one hop where nothing was squeezed and two layers or fewer are needed each way. Of the ways
    to cut that fit the one with the shortest ways; None where none fits."""
    found = [
        places
        for across in range(1, shape.extents[2] + 1)
        if (places := _folded(side, shape, across, shape.extents[2] // across)) is not None
    ]
    return min(found, key=lambda places: mean_hops(side, shape, places), default=None)


def _folded(side: int, shape: Shape, across: int, along: int) -> list[Place] | None:
    """With `across` blocks along the columns and `along` blocks along the rows at most."""
    flat = squeezed(side, shape.extents[0] * across)
    width = -(-(1 + max(column for column, _ in flat)) // across)
    height = -(-(1 + max(row for _, row in flat)) // along)
    if height > shape.extents[1]:
        return None

    def fold(value: int, block_size: int) -> tuple[int, int]:
        block, inside = divmod(value, block_size)
        return block, inside if block % 2 == 0 else block_size - 1 - inside

    places: list[Place] = []
    for column, row in flat:
        column_block, x = fold(column, width)
        row_block, y = fold(row, height)
        # Layers in turn: forth in one row of blocks, back in the next.
        layer = row_block * across + (column_block if row_block % 2 == 0 else across - 1 - column_block)
        places.append((x, y, layer))
    return places


def mean_hops(side: int, shape: Shape, places: list[Place]) -> float:
    hops = sum(shape.distance(places[rank], places[peer]) for rank, others in enumerate(peers(side)) for peer in others)
    return hops / (6 * side * side)


def optimised(side: int, shape: Shape) -> list[Place]:
    """A map with short ways: the folded one where nothing can be shorter; else that, or the naive one, improved by
    simulated annealing (pairs of nodes swap what they hold). The same arguments give the same map."""
    start = folded(side, shape) or naive(side, shape)
    if mean_hops(side, shape, start) < _SHORTEST + 1e-9:
        return start
    return _annealed(side, shape, start)


def _annealed(side: int, shape: Shape, start: list[Place]) -> list[Place]:
    nodes = [shape.coordinates(index) for index in range(shape.nodes)]
    index_of = {place: index for index, place in enumerate(nodes)}
    distance = [[shape.distance(a, b) for b in nodes] for a in nodes]
    others = peers(side)
    node_of = [index_of[place] for place in start]
    rank_at: list[int | None] = [None] * shape.nodes
    for rank, node in enumerate(node_of):
        rank_at[node] = rank

    def hops_of(rank: int | None) -> int:
        if rank is None:
            return 0
        row = distance[node_of[rank]]
        return sum(row[node_of[peer]] for peer in others[rank])

    def swap(a: int, b: int) -> None:
        rank_at[a], rank_at[b] = rank_at[b], rank_at[a]
        for node in (a, b):
            rank = rank_at[node]
            if rank is not None:
                node_of[rank] = node

    chance = random.Random(1)
    hops = sum(hops_of(rank) for rank in range(side * side))
    best_hops, best = hops, list(node_of)
    moves = _MOVES * side * side
    temperature = _HOT
    cooling = (_COLD / _HOT) ** (1 / moves)
    for _ in range(moves):
        temperature *= cooling
        a = node_of[chance.randrange(side * side)]
        b = chance.randrange(shape.nodes)
        before = hops_of(rank_at[a]) + hops_of(rank_at[b])
        swap(a, b)
        # Every pair of peers counts from both ends, hence twice.
        change = 2 * (hops_of(rank_at[a]) + hops_of(rank_at[b]) - before)
        if change <= 0 or chance.random() < math.exp(-change / (2 * temperature)):
            hops += change
            if hops < best_hops:
                best_hops, best = hops, list(node_of)
        else:
            swap(a, b)
    return [nodes[node] for node in best]


def write_map(path: Path, places: list[Place]) -> None:
    """A mapping file: a line 'x y z t' a rank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{' '.join(map(str, place))} 0\n" for place in places), encoding="utf-8")
