# SPDX-License-Identifier: Apache-2.0
"""What each core did when: pieces of time, each of one category, as many as a page can hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.page.calls import CATEGORIES, COMPUTE, INPUT_OUTPUT, UNCLASSIFIED, WAIT, category
from toroid.page.packing import Array, Json, packed
from toroid.result import Result
from toroid.trace import records
from toroid.trace.reader import Trace

MOST_PIECES = 100_000  # 1.8 MB of the page
_NO_FUNCTION = 65535

PIECE = np.dtype([
    ("begin", "<i8"), ("end", "<i8"), ("row", "<i4"), ("category", "u1"), ("function", "<u2"),
    ("merged", "<u4"),  # how many pieces it stands for
    ("filled", "<f4"),  # which part of its time these took
])  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A core of a rank, until its end."""

    rank: int
    core: int
    end: int  # ps


def rows_of(trace: Trace, result: Result) -> list[Row]:
    """First cores of all ranks, and second ones that did something."""
    mhz = trace.metadata.core_mhz
    last: dict[tuple[int, int], int] = {}  # what it was recorded in: cycles do not count what a wait at the end took
    for table in (trace["calls"], trace["waits"]):
        for key, mine in _by_core(table).items():
            last[key] = max(last.get(key, 0), int(mine["end"].max()))
    rows = []
    for rank, place in zip(result.ranks, trace.metadata.ranks, strict=True):
        own = place.t if trace.metadata.processes_per_node > 1 else 0
        lives = {own: rank.cycles}
        if rank.second_core is not None and rank.second_core.instructions:
            lives[1 - own] = rank.second_core.cycles
        for core, cycles in lives.items():
            end = max(round(cycles * 1e6 / mhz), last.get((rank.rank, core), 0))
            rows.append(Row(rank.rank, core, min(trace.end, end)))
    return rows


def pieces_of(trace: Trace, rows: list[Row]) -> Array:
    """Calls that others do not surround, and waiting outside of them; computing is what is left between them. In the
    order of rows, and within one of time; none overlaps another of its row."""
    kinds = np.array([category(name) for name in trace.metadata.functions], dtype=np.uint8)
    calls = trace["calls"]
    if len(calls):
        calls = calls[kinds[calls["function"]] != UNCLASSIFIED]
    parts = [np.empty(0, PIECE)]
    calls_of, waits_of = _by_core(calls), _by_core(trace["waits"])
    for number, row in enumerate(rows):
        mine = calls_of.get((row.rank, row.core), calls[:0])
        if len(mine):
            ends = np.maximum.accumulate(mine["end"])
            mine = mine[np.concatenate([[True], mine["time"][1:] >= ends[:-1]])]
        in_calls = np.empty(len(mine), PIECE)
        in_calls["begin"], in_calls["end"], in_calls["function"] = mine["time"], mine["end"], mine["function"]
        in_calls["category"] = kinds[mine["function"]] if len(mine) else 0
        outside = _outside(waits_of.get((row.rank, row.core), trace["waits"][:0]), in_calls)
        both = np.concatenate([in_calls, outside])
        both["row"], both["merged"], both["filled"] = number, 1, 1.0
        both["end"] = np.minimum(both["end"], row.end)  # a core may have worked ahead of the end
        both = both[both["end"] > both["begin"]]
        parts.append(both[np.argsort(both["begin"], kind="stable")])
    return np.concatenate(parts)


def _by_core(table: Array) -> dict[tuple[int, int], Array]:
    if len(table) == 0:
        return {}
    key = table["rank"].astype(np.int64) * 256 + table["core"]
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    groups = np.split(table[order], starts[1:])
    return {(int(key[at]) >> 8, int(key[at]) & 255): group for at, group in zip(starts, groups, strict=True)}


def _outside(waits: Array, calls: Array) -> Array:
    """Waiting that no call surrounds."""
    before = np.searchsorted(calls["begin"], waits["time"], side="right") - 1
    after = before + 1
    inside = (before >= 0) & (waits["time"] < calls["end"][before]) if len(calls) else np.zeros(len(waits), bool)
    until = waits["end"].copy()
    if len(calls):
        has_next = after < len(calls)
        until[has_next] = np.minimum(until[has_next], calls["begin"][after[has_next]])
    pieces = np.empty(len(waits), PIECE)
    pieces["begin"], pieces["end"], pieces["function"] = waits["time"], until, _NO_FUNCTION
    pieces["category"] = np.where(waits["state"] == records.WAITING, INPUT_OUTPUT, WAIT)
    return pieces[~inside]


def merged(pieces: Array, rows: int, end: int, most: int) -> tuple[Array, float | None]:
    """At most about `most` pieces: those shorter than a time, which is the second result, become one with their
    neighbours, of the category and function that took most of it. None: nothing had to be merged."""
    if len(pieces) <= most:
        return pieces, None
    shortest = max(1.0, end / max(1, most // (2 * max(rows, 1))))
    long = pieces["end"] - pieces["begin"] >= shortest
    short = pieces[~long]
    group = short["row"].astype(np.int64) * (1 << 40) + (short["begin"] // shortest).astype(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    result = short[starts].copy()
    result["end"] = np.maximum.reduceat(short["end"], starts)
    result["merged"] = np.diff(np.append(starts, len(short)))
    took = (short["end"] - short["begin"]).astype(float)
    result["filled"] = np.add.reduceat(took, starts) / (result["end"] - result["begin"])
    # The function that took most: sums by group and function, the largest last.
    number = np.repeat(np.arange(len(starts)), result["merged"])
    what = short["category"].astype(np.int64) << 16 | short["function"]
    order = np.lexsort((what, number))
    change = np.concatenate([[True], (np.diff(number[order]) != 0) | (np.diff(what[order]) != 0)])
    heads = np.flatnonzero(change)
    sums = np.add.reduceat(took[order], heads)
    of_group, of_what = number[order][heads], what[order][heads]
    by_time = np.lexsort((sums, of_group))
    largest = by_time[np.flatnonzero(np.append(np.diff(of_group[by_time]) != 0, True))]
    result["category"], result["function"] = of_what[largest] >> 16, of_what[largest] & 0xFFFF
    all_pieces = np.concatenate([pieces[long], result])
    return all_pieces[np.lexsort((all_pieces["begin"], all_pieces["row"]))], shortest


def times_by_category(pieces: Array, rows: list[Row]) -> Array:
    """ps, a line for each row."""
    times = np.zeros((len(rows), len(CATEGORIES)))
    np.add.at(times, (pieces["row"], pieces["category"]), pieces["end"] - pieces["begin"])
    ends = np.array([row.end for row in rows], dtype=float)
    times[:, COMPUTE] = np.maximum(ends - times.sum(axis=1), 0.0)
    return times


def timeline_section(trace: Trace, result: Result, most: int = MOST_PIECES) -> Json:
    rows = rows_of(trace, result)
    pieces = pieces_of(trace, rows)
    times = times_by_category(pieces, rows)
    shown, shortest = merged(pieces, len(rows), trace.end, most)
    return {
        "categories": list(CATEGORIES),
        "functions": list(trace.metadata.functions),
        "rows": [[row.rank, row.core, row.end / 1000] for row in rows],
        "end_ns": trace.end / 1000,
        "begin": packed(shown["begin"] / 1000, "f8"),
        "length": packed((shown["end"] - shown["begin"]) / 1000, "f4"),
        "row": packed(shown["row"], "u2" if len(rows) <= 65535 else "u4"),
        "category": packed(shown["category"], "u1"),
        "function": packed(shown["function"], "u2"),
        "merged": packed(shown["merged"], "u4") if shortest is not None else None,
        "filled": packed(shown["filled"], "f4") if shortest is not None else None,
        "pieces": len(pieces),
        "pieces_shown": len(shown),
        "shortest_ns": None if shortest is None else round(shortest / 1000, 3),
        "times_ns": [[round(float(time) / 1000, 3) for time in line] for line in times],
    }
