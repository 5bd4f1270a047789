# SPDX-License-Identifier: Apache-2.0
"""Messages in a trace: the ports of the message layer, which packet is the first of a message, and which calls sent and
received it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from toroid.trace.functions import machines, message_layers, of_message_layer, own_ports
from toroid.trace.reader import SOFTWARE_PORT, Table, Trace

# Protocols. Those above have messages of their own; packets of the others belong to them or are none.
ONE_PACKET, EAGER, ADAPTIVE, RENDEZVOUS = "one-packet", "eager", "adaptive eager", "rendezvous"
PACKETS, DATA, CONTROL = "packets", "rendezvous data", "control"
_WITH_MESSAGES = (ONE_PACKET, EAGER, ADAPTIVE, RENDEZVOUS)
# By function, of the message layers of all machines: the machine and the protocol.
_REGISTERED = {
    protocol.registration: (machine, name)
    for machine in machines()
    if (layer := of_message_layer(machine)) is not None
    for name, protocol in layer.protocols.items()
}
_PROTOCOLS = [protocol for layer in message_layers() for protocol in layer.protocols.values()]
REGISTRATIONS = {function: protocol for function, (_, protocol) in _REGISTERED.items()}
INITIALISATIONS = {function for protocol in _PROTOCOLS for function in protocol.initialisations}
POSTS = {protocol.post for protocol in _PROTOCOLS}


def ports(trace: Trace) -> dict[int, tuple[str, str]]:
    """What each known port is for, and its protocol. Empty: the program does not use the message layer, or packets have
    no ports."""
    if trace.metadata.torus.header != SOFTWARE_PORT:
        return {}
    found: dict[int, tuple[str, str]] = {}
    own: tuple[tuple[str, str], ...] = ()
    for call in _calls_of(trace, set(REGISTRATIONS)):
        machine, protocol = _REGISTERED[trace.metadata.functions[call["function"]]]
        found[int(call["result"])] = (protocol, protocol)
        own = own_ports(machine)
    return found | dict(enumerate(own))


def words_of(written: Table) -> tuple[Table, Table, Table]:
    """Of packets of the message layer: port, what stands beside it (the sender's rank as a rule), and word 3."""
    header = written["header"].astype(np.int64).reshape(-1, 16)
    beside = header[:, 9] << 16 | header[:, 10] << 8 | header[:, 11]
    word3 = header[:, 12] << 24 | header[:, 13] << 16 | header[:, 14] << 8 | header[:, 15]
    return header[:, 8], beside, word3


def begins_message(protocol: str, word3: Table) -> Table:
    """Of packets of a protocol with messages."""
    if protocol == EAGER:
        first: Table = word3 >> 31 == 1
        return first
    if protocol == ADAPTIVE:
        return np.asarray(word3 == 0)
    return np.ones(len(word3), dtype=bool)


def _calls_of(trace: Trace, names: set[str]) -> Table:
    wanted = [number for number, name in enumerate(trace.metadata.functions) if name in names]
    calls: Table = trace["calls"][np.isin(trace["calls"]["function"], wanted)]
    return calls


def message_pairs(trace: Trace) -> Iterable[tuple[int, int, int, int]]:
    """An arrow for each message: rank that sends, when it was posted, rank that receives, when its first packet was
    read. Packets without messages have one for each call and destination, from the first of them. Only between calls
    of ranks' first cores: what was posted, written and read outside of calls has none."""
    metadata = trace.metadata
    within = _Outermost(trace)
    known = ports(trace)
    posted = _posts(trace)
    written = trace["torus_written"]
    port, beside, word3 = words_of(written)
    read = {int(row["packet"]): row for row in trace["torus_read"]}  # of copies the last, which is the destination's
    first = np.zeros(len(written), dtype=bool)
    single = np.zeros(len(written), dtype=bool)  # of messages, as their port says
    for number, (_, protocol) in known.items():
        mine = port == number
        if protocol in _WITH_MESSAGES:
            first[mine] = begins_message(protocol, word3[mine])
        single |= mine & (protocol != PACKETS)
    told = set()
    pairs = []
    for row, its_port, sender_told, begins, message in zip(written, port, beside, first, single, strict=True):
        if message and not begins:
            continue
        packet = read.get(int(row["packet"]))
        begin = int(row["time"])
        sender = metadata.rank_of(int(row["node"]), int(row["core"]))
        if message:
            sender = int(sender_told)
            # In virtual node mode the reception group is the process.
            receiver = metadata.rank_of(int(row["destination"]), int(row["header"][1]) & 1)
            times = posted.get((sender, -1 if receiver is None else receiver, int(its_port)))
            begin = times.popleft() if times else begin
        call = within.call(sender, begin)
        if packet is None or call is None or sender is None:
            continue
        receiver = metadata.rank_of(int(packet["node"]), int(packet["core"]))
        if receiver is None or within.call(receiver, int(packet["time"])) is None:
            continue
        if not message:
            if (sender, call, receiver) in told:
                continue
            told.add((sender, call, receiver))
        pairs.append((sender, begin, receiver, int(packet["time"])))
    return pairs


def _posts(trace: Trace) -> dict[tuple[int, int, int], deque[int]]:
    """When messages were posted, by sender, receiver and port, which they leave in this order."""
    names = trace.metadata.functions
    where: dict[tuple[int, int], tuple[int, int]] = {}  # rank and message: receiver and port
    times: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)
    for call in _calls_of(trace, INITIALISATIONS | POSTS):
        rank, message = int(call["rank"]), int(call["arguments"][0])
        if names[call["function"]] in POSTS:
            receiver, port = where.get((rank, message), (-1, -1))
            times[rank, receiver, port].append(int(call["time"]))
        else:
            where[rank, message] = int(call["arguments"][2]), int(call["arguments"][1]) & 0xFF
    return times


class _Outermost:
    """The calls on ranks' first cores that no other call surrounds."""

    def __init__(self, trace: Trace) -> None:
        calls = trace["calls"]
        self._calls: dict[int, Any] = {}
        for rank in np.unique(calls["rank"]):
            core = first_core(trace, int(rank))
            self._calls[int(rank)] = calls[(calls["rank"] == rank) & (calls["depth"] == 0) & (calls["core"] == core)]

    def call(self, rank: int | None, at: int) -> int | None:
        """The number of that which takes place at a time."""
        mine = self._calls.get(rank) if rank is not None else None
        if mine is None:
            return None
        place = int(np.searchsorted(mine["time"], at, side="right")) - 1
        return place if place >= 0 and at <= int(mine["end"][place]) else None


def first_core(trace: Trace, rank: int) -> int:
    return 0 if trace.metadata.processes_per_node == 1 else trace.metadata.ranks[rank].t
