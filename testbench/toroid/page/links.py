# SPDX-License-Identifier: Apache-2.0
"""Loads of the torus's links over time, from a trace's packets, and over the whole run, as the result has them."""

from __future__ import annotations

import numpy as np

from toroid.page.packing import Array, Json, edges_of, packed
from toroid.result import Result
from toroid.shape import Shape
from toroid.trace.reader import Trace

_MOST_BINS, _FEWEST_BINS = 240, 24
_MOST_NUMBERS = 750_000  # links times bins: 2 MB of the page
_FULL = 65535  # how a link that is always busy is written


def torus_section(trace: Trace, result: Result) -> Json:
    """Links that carried something, each with its numbers of the whole run, and its load in each part of the time."""
    network = result.network
    links = network.links if network is not None else []
    metadata = trace.metadata
    node = np.array([metadata.node_at(tuple(link.node)) for link in links], dtype=np.int64)
    direction = np.array(
        [2 * metadata.dimensions.index(link.direction[0]) + (link.direction[1] == "-") for link in links]
    )
    bins = bins_for(len(links))
    shape = Shape(metadata.shape, metadata.wrap)
    return {
        "dimensions": metadata.dimensions,
        "shape": list(metadata.shape),
        "wrap": list(metadata.wrap),
        "links_of_shape": shape.links,
        "end_ns": trace.end / 1000,
        "bins": bins,
        "node": node.tolist(),
        "direction": direction.tolist(),
        "packets": [link.packets for link in links],
        "bytes": [link.bytes for link in links],
        "retransmissions": [link.retransmissions for link in links],
        "busy": [link.busy_fraction for link in links],
        "mean_load": sum(link.busy_fraction for link in links) / shape.links if shape.links else 0.0,
        "loads": packed(np.rint(_FULL * loads_over_time(trace, node, direction, bins)), "u2"),
        "injected": np.bincount(trace["torus_written"]["node"], minlength=metadata.nodes).tolist(),
        "received": np.bincount(trace["torus_received"]["node"], minlength=metadata.nodes).tolist(),
        "ranks": _ranks_of_nodes(trace),
    }


def bins_for(links: int) -> int:
    return max(_FEWEST_BINS, min(_MOST_BINS, _MOST_NUMBERS // max(links, 1)))


def loads_over_time(trace: Trace, node: Array, direction: Array, bins: int) -> Array:
    """A row for each link asked for: which part of each bin it was busy."""
    edges = edges_of(trace.end, bins)
    sent = trace["torus_sent"]
    key = sent["node"].astype(np.int64) * 16 + sent["direction"]
    order = np.argsort(key, kind="stable")  # in the order of time within a link
    sent, key = sent[order], key[order]
    loads = np.zeros((len(node), bins))
    for row, wanted in enumerate(node * 16 + direction):
        first, last = np.searchsorted(key, [wanted, wanted + 1])
        begin, end = sent["time"][first:last].astype(float), sent["end"][first:last].astype(float)
        if first == last:
            continue
        # Busy time up to each begin and end; straight lines in between.
        busy = np.concatenate([[0.0], np.cumsum(end - begin)])
        points = np.stack([begin, end], axis=1).ravel()
        until = np.interp(edges, points, np.stack([busy[:-1], busy[1:]], axis=1).ravel())
        loads[row] = np.diff(until) / np.diff(edges)
    return np.clip(loads, 0.0, 1.0)


def _ranks_of_nodes(trace: Trace) -> list[list[int]]:
    ranks: list[list[int]] = [[] for _ in range(trace.metadata.nodes)]
    for place in trace.metadata.ranks:
        ranks[place.node].append(place.rank)
    return ranks
