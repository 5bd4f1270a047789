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
_MOVES = 1500
_HOT, _COLD = 2.0, 0.1


def peers(side: int) -> list[list[int]]:
    """The six ranks that each rank exchanges with."""
    return [[(i + di) % side + side * ((j + dj) % side) for di, dj in _STEPS] for j in range(side) for i in range(side)]


def naive(side: int, shape: Shape) -> list[Place]:
    """The order that is taken without a mapping file: x fastest."""
    return [shape.coordinates(rank) for rank in range(side * side)]


def folded(side: int, shape: Shape) -> list[Place] | None:
    """The grid cut into equal blocks that lie on each other in z, folded at the cuts: all steps along i and j are then
    one hop. None where the blocks do not fit."""
    x_size, y_size, z_size = shape.extents
    across, along = -(-side // x_size), -(-side // y_size)
    if across * along > z_size:
        return None
    width, height = -(-side // across), -(-side // along)

    def fold(value: int, block_size: int) -> tuple[int, int]:
        block, inside = divmod(value, block_size)
        return block, inside if block % 2 == 0 else block_size - 1 - inside

    places: list[Place] = []
    for j in range(side):
        for i in range(side):
            i_block, x = fold(i, width)
            j_block, y = fold(j, height)
            # Blocks one after the other, forth and back: neighbours along i differ by one layer.
            places.append((x, y, j_block * across + (i_block if j_block % 2 == 0 else across - 1 - i_block)))
    return places


def mean_hops(side: int, shape: Shape, places: list[Place]) -> float:
    hops = sum(shape.distance(places[rank], places[peer]) for rank, others in enumerate(peers(side)) for peer in others)
    return hops / (6 * side * side)


def optimised(side: int, shape: Shape) -> list[Place]:
    """A map with short ways: the folded one, or where that does not fit the naive one, improved by simulated annealing
    (pairs of nodes swap what they hold). The same arguments give the same map."""
    start = folded(side, shape) or naive(side, shape)
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
    temperature = _HOT if folded(side, shape) is None else _COLD
    cooling = (_COLD / temperature) ** (1 / moves)
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
