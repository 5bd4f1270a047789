# SPDX-License-Identifier: Apache-2.0
"""What the nodes' DMA engines or Messaging Units did: messages by kind and by FIFO, how full FIFOs were, counters,
descriptors."""

from __future__ import annotations

import numpy as np

from toroid.page.packing import Array, Json, edges_of
from toroid.trace import records
from toroid.trace.dma import Messages, counter_name, fifo_name, messages
from toroid.trace.reader import MU, Trace

_BINS = 160
_MOST_LINES = 24  # of a table
_MOST_DESCRIPTORS = 200


def dma_section(trace: Trace) -> Json | None:
    """None of machines without such engines, and of runs that did not use them."""
    found = messages(trace)
    counters, fifos = trace["dma_counters"], trace["dma_fifos"]
    if not (len(found.table) or len(counters) or len(fifos)):
        return None
    edges = edges_of(trace.end, _BINS)
    return {
        "title": "Messaging Units" if trace.metadata.torus.header == MU else "DMA",
        "units": "units" if trace.metadata.torus.header == MU else "engines",
        "end_ns": trace.end / 1000,
        "bins": _BINS,
        "messages": len(found.table),
        "bytes": int(found.length.sum()),
        "kinds": _kinds(found),
        "injection": _fullest(fifos[fifos["side"] == records.DMA_INJECTION], edges),
        "reception": _fullest(fifos[fifos["side"] == records.DMA_RECEPTION], edges),
        "fifos": _fifos(trace, found, fifos),
        "counters": _counters(trace, counters),
        "descriptors": _descriptors(trace, found),
        "descriptors_left_out": max(0, len(found.table) - _MOST_DESCRIPTORS),
    }


def _kinds(found: Messages) -> list[Json]:
    lines: list[Json] = []
    local = found.table["flags"] & records.LOCAL != 0
    for kind, name in enumerate(records.DMA_KINDS):
        for here in (False, True):
            mine = (found.table["kind"] == kind) & (local == here)
            if not mine.any():
                continue
            ended = mine & (found.read >= 0)
            took = (found.read - found.table["time"])[ended] / 1000
            lines.append({
                "kind": name + (", local" if here else ""), "messages": int(mine.sum()),
                "bytes": int(found.length[mine].sum()), "packets": int(found.packets[mine].sum()),
                "mean_ns": float(took.mean()) if len(took) else None, "max_ns": float(took.max(initial=0)),
            })  # fmt: skip
    return lines


def _name(trace: Trace, side: int, fifo: int) -> str:
    return fifo_name(side, fifo, trace.metadata.torus.header)


def _fullest(changes: Array, edges: Array) -> list[int]:
    """Bytes in the fullest FIFO of any node, the most in each slice of time."""
    most = np.zeros(len(edges) - 1, dtype=np.int64)
    if len(changes) == 0:
        return most.tolist()
    key = changes["node"].astype(np.int64) << 16 | changes["fifo"]
    for fifo in np.unique(key):
        own = changes[key == fifo]
        own = own[np.argsort(own["time"], kind="stable")]
        first = np.searchsorted(own["time"], edges[:-1], side="right") - 1  # the change before each slice
        held = np.where(first >= 0, own["bytes"][np.maximum(first, 0)].astype(np.int64), 0)
        slices = np.clip(np.searchsorted(edges, own["time"], side="right") - 1, 0, len(most) - 1)
        np.maximum.at(held, slices, own["bytes"].astype(np.int64))
        most = np.maximum(most, held)
    return most.tolist()


def _fifos(trace: Trace, found: Messages, changes: Array) -> list[Json]:
    """The FIFOs of injection by the bytes of their messages, then those of reception by the most that they held."""
    lines: list[Json] = []
    key = found.table["node"].astype(np.int64) << 16 | found.table["fifo"]
    for place in np.unique(key):
        mine = key == place
        node, fifo = int(place) >> 16, int(place) & 0xFFFF
        own = changes[
            (changes["side"] == records.DMA_INJECTION) & (changes["node"] == node) & (changes["fifo"] == fifo)
        ]
        lines.append({
            "node": trace.metadata.node_name(node), "fifo": _name(trace, records.DMA_INJECTION, fifo),
            "messages": int(mine.sum()), "bytes": int(found.length[mine].sum()),
            "most": int(own["bytes"].max(initial=0)),
        })  # fmt: skip
    lines.sort(key=lambda line: -line["bytes"])
    del lines[_MOST_LINES:]
    reception = changes[changes["side"] == records.DMA_RECEPTION]
    key = reception["node"].astype(np.int64) << 16 | reception["fifo"]
    received: list[Json] = []
    for place in np.unique(key):
        node, fifo = int(place) >> 16, int(place) & 0xFFFF
        received.append({
            "node": trace.metadata.node_name(node), "fifo": _name(trace, records.DMA_RECEPTION, fifo),
            "messages": None, "bytes": None, "most": int(reception["bytes"][key == place].max(initial=0)),
        })  # fmt: skip
    received.sort(key=lambda line: -line["most"])
    return lines + received[:_MOST_LINES]


def _counters(trace: Trace, changes: Array) -> list[Json]:
    """Those that changed most often."""
    key = changes["node"].astype(np.int64) << 17 | changes["side"].astype(np.int64) << 16 | changes["counter"]
    places, counts = np.unique(key, return_counts=True)
    lines: list[Json] = []
    for at in np.argsort(-counts, kind="stable")[:_MOST_LINES]:
        own = changes[key == places[at]]
        place = int(places[at])
        lines.append({
            "node": trace.metadata.node_name(place >> 17),
            "counter": counter_name(place >> 16 & 1, place & 0xFFFF), "changes": int(counts[at]),
            "zero": int((own["flags"] & records.HIT_ZERO != 0).sum()),
            "below": int((own["flags"] & records.BELOW_ZERO != 0).sum()),
            "last": int(own["value"][np.argmax(own["time"])]),
        })  # fmt: skip
    return lines


def _descriptors(trace: Trace, found: Messages) -> list[Json]:
    lines: list[Json] = []
    for row in range(min(len(found.table), _MOST_DESCRIPTORS)):
        message = found.table[row]
        lines.append({
            "time_ns": int(message["time"]) / 1000, "node": trace.metadata.node_name(int(message["node"])),
            "fifo": _name(trace, records.DMA_INJECTION, int(message["fifo"])),
            "kind": records.DMA_KINDS[message["kind"]] + (", local" if message["flags"] & records.LOCAL else ""),
            "bytes": int(found.length[row]), "to": trace.metadata.node_name(int(found.destination[row])),
            "packets": int(found.packets[row]),
            "read_ns": None if found.read[row] < 0 else int(found.read[row]) / 1000,
        })  # fmt: skip
    return lines
