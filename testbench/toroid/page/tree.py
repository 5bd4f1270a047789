# SPDX-License-Identifier: Apache-2.0
"""Traffic of the tree over time, its busiest channels, and calls to the I/O nodes."""

from __future__ import annotations

import numpy as np

from toroid.page.packing import Array, Json, edges_of
from toroid.result import Result
from toroid.trace import records
from toroid.trace.reader import Trace

_BINS = 160
_BUSIEST = 12
_CHANNELS = ("down 0", "down 1", "up")
_KERNELS = 1  # virtual channel of kernels and I/O nodes; 0 is the programs'


def tree_section(trace: Trace, result: Result) -> Json:
    sent = trace["tree_sent"]
    on_links = sent[sent["port"] != records.TREE_LOCAL]
    injected = trace["tree_injected"]
    edges = edges_of(trace.end, _BINS)
    tree = result.tree
    return {
        "end_ns": trace.end / 1000,
        "bins": _BINS,
        "programs": _over_time(injected[injected["vc"] != _KERNELS], edges),
        "kernels": _over_time(injected[injected["vc"] == _KERNELS], edges),
        "injected": tree.packets_injected if tree is not None else 0,
        "delivered": tree.packets_delivered if tree is not None else 0,
        "io_packets": tree.io_packets if tree is not None else 0,
        "packet_hops": tree.packet_hops if tree is not None else 0,
        "combined": len(trace["tree_combined"]),
        "channels": _busiest(trace, on_links),
        "io_nodes": [_io_node(node.model_dump()) for node in result.io_nodes],
        "io_calls": _io_calls(trace),
    }


def _over_time(injected: Array, edges: Array) -> list[int]:
    counts: list[int] = np.histogram(injected["time"], edges)[0].tolist()
    return counts


def _busiest(trace: Trace, sent: Array) -> list[Json]:
    metadata = trace.metadata
    key = sent["node"].astype(np.int64) * 4 + sent["port"]
    busy = np.bincount(key, weights=(sent["end"] - sent["time"]).astype(float)) if len(sent) else np.empty(0)
    packets = np.bincount(key) if len(sent) else np.empty(0)
    lines = []
    for channel in np.argsort(-busy, kind="stable")[:_BUSIEST]:
        if packets[channel] == 0:
            break
        node, port = divmod(int(channel), 4)
        to = metadata.tree.channels[node][port] if node < len(metadata.tree.channels) else None
        lines.append({
            "from": metadata.node_name(node), "to": "-" if to is None else metadata.node_name(to),
            "channel": _CHANNELS[port], "packets": int(packets[channel]),
            "load": float(busy[channel]) / max(trace.end, 1),
        })  # fmt: skip
    return lines


def _io_node(node: Json) -> Json:
    kept = ("tree_address", "ranks", "calls", "request_packets", "reply_packets", "request_bytes", "reply_bytes")
    return {name: node[name] for name in (*kept, "longest_queue", "busy_ns")}


def _io_calls(trace: Trace) -> list[Json]:
    calls = trace["io_calls"]
    lines = []
    for operation in np.unique(calls["operation"]):
        mine = calls[calls["operation"] == operation]
        took = (mine["end"] - mine["time"]).astype(float) / 1000
        known = operation < len(records.IO_OPERATIONS)
        lines.append({
            "operation": records.IO_OPERATIONS[operation] if known else f"call {operation}", "calls": len(mine),
            "bytes": int(mine["bytes"].sum()), "failed": int((mine["result"] < 0).sum()),
            "mean_ns": round(float(took.mean()), 3), "max_ns": round(float(took.max()), 3),
        })  # fmt: skip
    return sorted(lines, key=lambda line: -line["calls"])
