# SPDX-License-Identifier: Apache-2.0
"""What the packets of the torus were sent for: messages and bytes by protocol of the message layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.page.packing import Array, Json
from toroid.trace.messages import (
    ADAPTIVE,
    CONTROL,
    DATA,
    EAGER,
    ONE_PACKET,
    PACKETS,
    begins_message,
    ports,
    words_of,
)
from toroid.trace.reader import Trace

_CHUNK = 32
_OTHER = "packets of no known port"
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


def protocol_shares(trace: Trace) -> list[Share]:
    written = trace["torus_written"]
    known = ports(trace)
    port, _, word3 = words_of(written)
    shares: dict[str, Share] = {}
    for number in np.unique(port):
        name, protocol = known.get(int(number), (_OTHER, PACKETS))
        mine = port == number
        share = _share(name, protocol, word3[mine], written["chunks"][mine].astype(np.int64))
        before = shares.get(name)
        shares[name] = _sum(before, share) if before is not None else share
    return sorted(shares.values(), key=lambda share: -share.wire_bytes)


def _share(name: str, protocol: str, word3: Array, chunks: Array) -> Share:
    share = Share(name, len(chunks), int(chunks.sum()) * _CHUNK, None, None)
    if protocol in (PACKETS, DATA, CONTROL):
        return share
    first = begins_message(protocol, word3)
    share.messages = int(first.sum())
    if protocol == ONE_PACKET:
        share.bytes = int((word3 & 0xFF).sum())
    elif protocol == EAGER:
        share.bytes = int((word3[first] & 0x7FFFFFFF).sum())
    elif protocol == ADAPTIVE:
        share.bytes, share.padded = int((chunks * _CHUNK - _ADAPTIVE_HEAD).clip(0).sum()), True
    else:
        share.bytes = int(word3.sum())
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
