# SPDX-License-Identifier: Apache-2.0
"""Where packets of the torus spend their time, from their injection to their reception."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.page.packing import Array, Json, rounded
from toroid.trace import records
from toroid.trace.reader import Trace

# In the order in which a packet meets them; each with what it is.
CAUSES = {
    "queue": "in the injection FIFO, behind other packets",
    "blocked": "in routers: behind other packets, for a busy link, or without room behind it",
    "hops": "through routers and devices, as long as in an empty network",
    "serialising": "its bytes, one after the other, on a link",
}
_HISTOGRAM_BINS = 36
_PERCENTILES = {"median": 50, "p95": 95, "p99": 99, "max": 100}


@dataclass(frozen=True)
class Latencies:
    """A number for each packet that was received, in ps. The four causes add up to `total`."""

    packet: Array
    hops: Array
    total: Array
    queue: Array
    blocked: Array
    passing: Array  # the cause "hops"
    serialising: Array
    unread: Array  # in the reception FIFO, until a core has read it; NaN where none has

    def cause(self, name: str) -> Array:
        return self.passing if name == "hops" else getattr(self, name)


def packet_latencies(trace: Trace) -> Latencies:
    """Of packets that were received; not of copies that the deposit bit made."""
    torus = trace.metadata.torus
    cycle = 1e6 / trace.metadata.network_mhz
    sent = trace["torus_sent"]
    sent = sent[sent["flags"] & records.DAMAGED == 0]
    sent = sent[np.lexsort((sent["time"], sent["packet"]))]
    received = trace["torus_received"]
    received = received[received["flags"] & records.COPY == 0]
    received = received[np.argsort(received["packet"], kind="stable")]
    written = trace["torus_written"]
    written = written[np.argsort(written["packet"], kind="stable")]

    # Packets with all their steps: not those whose begin the trace does not have, nor such that never touched a link.
    known = np.isin(received["packet"], written["packet"]) & np.isin(received["packet"], sent["packet"])
    received = received[known]
    packet = received["packet"]
    written = written[np.searchsorted(written["packet"], packet)]
    first = np.searchsorted(sent["packet"], packet, side="left")
    last = np.searchsorted(sent["packet"], packet, side="right") - 1

    waited = (sent["time"] - sent["asked"]).astype(float)
    # Behind others, between a hop and asking for the next.
    same = sent["packet"][1:] == sent["packet"][:-1]
    behind = np.where(same, sent["asked"][1:] - sent["time"][:-1] - torus.hop_cycles * cycle, 0.0)
    waited[1:] += np.maximum(behind, 0.0)
    until = np.concatenate([[0.0], np.cumsum(waited)])
    at_end = received["asked"] - sent["time"][last] - torus.hop_cycles * cycle
    blocked = until[last + 1] - until[first] + np.maximum(at_end, 0.0) + (received["begin"] - received["asked"])

    total = (received["time"] - written["time"]).astype(float)
    queue = np.maximum(sent["asked"][first] - written["time"] - torus.injection_cycles * cycle, 0.0)
    serialising = np.array(torus.wire_cycles, dtype=float)[received["chunks"].astype(int) - 1] * cycle
    return Latencies(
        packet=packet,
        hops=last - first + 1,
        total=total,
        queue=queue,
        blocked=blocked,
        passing=total - queue - blocked - serialising,
        serialising=serialising,
        unread=_unread(trace, received),
    )


def _unread(trace: Trace, received: Array) -> Array:
    """Until it was read, where it was received."""
    read = trace["torus_read"]
    read = read[np.lexsort((read["node"], read["packet"]))]
    key = np.dtype([("packet", "<u8"), ("node", "<u4")])
    there, wanted = np.empty(len(read), key), np.empty(len(received), key)
    for table, source in ((there, read), (wanted, received)):
        table["packet"], table["node"] = source["packet"], source["node"]
    if len(read) == 0:
        return np.full(len(received), np.nan)
    at = np.minimum(np.searchsorted(there, wanted), len(read) - 1)
    return np.where(there[at] == wanted, read["time"][at] - received["time"], np.nan)


def latency_section(trace: Trace) -> Json:
    found = packet_latencies(trace)
    copies = int(np.count_nonzero(trace["torus_received"]["flags"] & records.COPY))
    under_way = len(trace["torus_written"]) - len(found.packet)
    section: Json = {"packets": len(found.packet), "copies": copies, "under_way": under_way, "causes": dict(CAUSES)}
    if len(found.packet) == 0:
        return section
    total_ns = found.total / 1000
    edges = _edges(total_ns)
    place = np.clip(np.searchsorted(edges, total_ns, side="right") - 1, 0, len(edges) - 2)
    counts = np.bincount(place, minlength=len(edges) - 1)
    shares = {
        name: rounded(
            np.bincount(place, weights=found.cause(name), minlength=len(counts))
            / _sums(place, found.total, len(counts))
        )
        for name in CAUSES
    }
    unread = found.unread[~np.isnan(found.unread)]
    by_hops = []
    for hops in np.unique(found.hops):
        mine = found.hops == hops
        means = {name: _mean_ns(found.cause(name)[mine]) for name in CAUSES}
        by_hops.append({
            "distance": int(hops), "packets": int(mine.sum()), "total": _mean_ns(found.total[mine]), **means,
        })  # fmt: skip
    return section | {
        "edges_ns": rounded(edges),
        "counts": counts.tolist(),
        "shares": shares,
        "table": {
            **{name: _statistics(found.cause(name)) for name in CAUSES},
            "total": _statistics(found.total),
            **({"unread": _statistics(unread)} if len(unread) else {}),
        },
        "by_hops": by_hops,
    }


def _sums(place: Array, total: Array, bins: int) -> Array:
    sums = np.bincount(place, weights=total, minlength=bins)
    return np.where(sums > 0, sums, 1.0)


def _edges(total_ns: Array) -> Array:
    """Logarithmic where the latencies are far apart."""
    low, high = float(total_ns.min()), float(total_ns.max())
    if low <= 0 or high < 4 * low:
        return np.linspace(low, high if high > low else low + 1, _HISTOGRAM_BINS + 1)
    return np.geomspace(low, high, _HISTOGRAM_BINS + 1)


def _mean_ns(values: Array) -> float:
    return round(float(values.mean()) / 1000, 2)


def _statistics(values: Array) -> Json:
    percentiles = np.percentile(values, list(_PERCENTILES.values())) / 1000
    return {"mean": _mean_ns(values), **dict(zip(_PERCENTILES, rounded(percentiles, 2), strict=True))}
