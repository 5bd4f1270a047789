# SPDX-License-Identifier: Apache-2.0
"""What the packets of the torus were sent for: messages and bytes by protocol of the message layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.page.packing import Array, Json
from toroid.trace.reader import Trace

# Ports that bglml_init() gives, in its order. Those of a program follow.
_OWN = (
    ("confirmation", "confirmation"),
    ("fence", "confirmation"),
    ("rendezvous acknowledgement", "acknowledgement"),
    ("rendezvous data", "data"),
    ("barrier", "one-packet"),
    ("collective, eager", "eager"),
    ("collective, rendezvous", "rendezvous"),
    ("broadcast with deposit", "packets"),
    ("all-to-all by packets", "packets"),
    ("collective of the tree, by messages", "eager"),
)
_REGISTRATIONS = {
    "bglml_one_packet_register": "one-packet",
    "bglml_eager_register": "eager",
    "bglml_adaptive_register": "adaptive eager",
    "bglml_rendezvous_register": "rendezvous",
}
_CHUNK = 32
_OTHER = "packets of no known port"
_HEADER = 16
# Before the payload of an adaptive packet: header, metadata, and length and number.
_ADAPTIVE_HEAD = 48


@dataclass
class Share:
    """What one protocol sent. `messages` and `bytes` are None where its packets do not tell."""

    protocol: str
    packets: int
    wire_bytes: int  # of the packets as they lie in a FIFO
    messages: int | None
    bytes: int | None
    padded: bool = False  # `bytes` has the padding of last packets


def ports(trace: Trace) -> dict[int, tuple[str, str]]:
    """Name and protocol of each port that is known. Empty: the program does not use the message layer."""
    names = trace.metadata.functions
    found: dict[int, tuple[str, str]] = {}
    for call in trace["calls"]:
        protocol = _REGISTRATIONS.get(names[call["function"]])
        if protocol is not None:
            found[int(call["result"])] = (protocol, protocol)
    return found | dict(enumerate(_OWN)) if found else {}


def protocol_shares(trace: Trace) -> list[Share]:
    written = trace["torus_written"]
    known = ports(trace)
    header = written["header"].astype(np.int64)
    port = header[:, 8] if len(written) else np.empty(0, np.int64)
    shares: dict[str, Share] = {}
    for number in np.unique(port):
        name, protocol = known.get(int(number), (_OTHER, "packets"))
        mine = port == number
        share = _share(name, protocol, header[mine], written["chunks"][mine].astype(np.int64))
        before = shares.get(name)
        shares[name] = _sum(before, share) if before is not None else share
    return sorted(shares.values(), key=lambda share: -share.wire_bytes)


def _share(name: str, protocol: str, header: Array, chunks: Array) -> Share:
    share = Share(name, len(chunks), int(chunks.sum()) * _CHUNK, None, None)
    word3 = (header[:, 12] << 24) | (header[:, 13] << 16) | (header[:, 14] << 8) | header[:, 15]
    if protocol == "one-packet":
        share.messages, share.bytes = len(chunks), int(header[:, 15].sum())
    elif protocol == "eager":
        first = word3 >> 31 == 1
        share.messages, share.bytes = int(first.sum()), int((word3[first] & 0x7FFFFFFF).sum())
    elif protocol == "rendezvous":
        share.messages, share.bytes = len(chunks), int(word3.sum())
    elif protocol == "adaptive eager":
        share.messages, share.bytes = int((word3 == 0).sum()), int((chunks * _CHUNK - _ADAPTIVE_HEAD).clip(0).sum())
        share.padded = True
    elif protocol == "data":  # the messages are the scouts'
        share.messages = share.bytes = None
    return share


def _sum(a: Share, b: Share) -> Share:
    def both(one: int | None, other: int | None) -> int | None:
        return None if one is None or other is None else one + other

    return Share(
        a.protocol, a.packets + b.packets, a.wire_bytes + b.wire_bytes, both(a.messages, b.messages),
        both(a.bytes, b.bytes), a.padded or b.padded,
    )  # fmt: skip


def protocol_section(trace: Trace) -> Json:
    return {
        "message_layer": bool(ports(trace)),
        "two_processes": trace.metadata.processes_per_node > 1,
        "shares": [vars(share) for share in protocol_shares(trace)],
    }
