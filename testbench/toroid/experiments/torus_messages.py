# SPDX-License-Identifier: Apache-2.0
"""What the experiments with synthetic DMA sources share: how puts and gets of Blue Gene/P use the torus, and rates.

Puts travel on static routes, and the routers' cut-offs decide ties (torus.tie_rule). The data of gets and of long sends
are routed dynamically, and its hint bits are set by the parity of the sending node's coordinates. The published
measurements do not say so; it was read from their figures, and the experiments show puts by parity as well.

Sources are taken for rings of the DMA engine whose descriptors are all there at once: 240 bytes of payload in a packet
of 256, one message behind the other. Acknowledgements of puts and requests of gets are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toroid.configuration import MessagesSection, MessageTrafficSection
from toroid.machine import Machine

HEADER_BYTES = 16
PAYLOAD_BYTES = 240  # of a full packet
OPERATIONS = 100  # of every node, back to back, in all published runs
ISSUE_US = 1.62  # between two puts of DCMF (A1, armci-vs-a1: local completion of small puts)
# Processes leave a barrier at different times. Assumed: with all nodes in step, every one would get its turn.
START_WITHIN_US = 1.0
MIB = float(1 << 20)


@dataclass(frozen=True)
class Kind:
    """A kind of operation, and how its data use the torus."""

    name: str
    label: str
    routing: Literal["adaptive", "deterministic"]
    tie_rule: Literal["parity"] | None  # None: the routers' cut-offs
    backwards: bool = False  # data flow against the displacement


PUT = Kind("put", "put", "deterministic", None)
PUT_BY_PARITY = Kind("put_parity", "put, ties by parity", "deterministic", "parity")
GET = Kind("get", "get", "adaptive", "parity", backwards=True)
KINDS = (PUT, PUT_BY_PARITY, GET)


def packets(size: int) -> int:
    """Of a message."""
    return max(1, -(-size // PAYLOAD_BYTES))


def cycles(machine: Machine, microseconds: float) -> int:
    return round(microseconds * machine.number("torus.clock"))


def traffic(
    machine: Machine, kind: Kind, displacement: Sequence[int], extents: Sequence[int], size: int, operations: int,
    senders_every: int = 1,
) -> MessageTrafficSection:  # fmt: skip
    sign = -1 if kind.backwards else 1
    return MessageTrafficSection(
        pattern="displacement",
        routing=kind.routing,
        displacement=[sign * by % extent for by, extent in zip(displacement, extents, strict=True)],
        senders_every=senders_every,
        messages=MessagesSection(
            bytes=[size],
            count=operations,
            header_bytes=HEADER_BYTES,
            tie_rule=kind.tie_rule,
            interval_cycles=cycles(machine, ISSUE_US),
            start_within_cycles=cycles(machine, START_WITHIN_US),
        ),
    )


def mib_per_second(machine: Machine, bytes_per_cycle: float) -> float:
    return bytes_per_cycle * machine.number("torus.clock") * 1e6 / MIB


def link_rate(machine: Machine) -> float:
    """MiB/s of payload that a link moves when it is always busy with full packets."""
    largest = PAYLOAD_BYTES + HEADER_BYTES
    wire = (largest + machine.number("torus.wire_overhead")) / machine.number("torus.link_bytes_per_cycle")
    return mib_per_second(machine, PAYLOAD_BYTES / wire)
