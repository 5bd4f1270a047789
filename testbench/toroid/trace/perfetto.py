# SPDX-License-Identifier: Apache-2.0
"""Writes a trace as Chrome trace events (JSON), which https://ui.perfetto.dev opens.

A process stands for a rank, for a node's FIFOs and for a node's links; its tracks are cores, FIFOs and links. Arrows
lead from a packet's injection to its reception, and from the call that sent something to the call that received it.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from toroid.errors import ToroidError
from toroid.trace import records
from toroid.trace.dma import counter_name, descriptor_text, fifo_name, messages
from toroid.trace.messages import first_core, message_pairs
from toroid.trace.reader import MU, Table, Trace

Event = dict[str, Any]

# Processes by number: ranks first, then the nodes' FIFOs and links, then the tree's nodes, then the nodes' DMA engines.
_FIFOS, _LINKS, _TREE, _DMA = 1_000_000, 2_000_000, 3_000_000, 4_000_000
_CORE_TRACKS = 4  # of a core: calls, state, I/O; one number spare
_WAITS = {
    records.PARKED: "polls",
    records.WAITING: "waits for the kernel",
    records.SLEEPING: "sleeps",
}
_RECEPTION = 100  # track of the first reception FIFO; injection FIFOs begin at 0


def write_perfetto(trace: Trace, path: Path) -> None:
    """Packed where the name ends in .gz. Raises ToroidError where the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _opened(path) as file:
            file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            for number, event in enumerate(_events(trace)):
                file.write((",\n" if number else "") + json.dumps(event, separators=(",", ":")))
            file.write("\n]}\n")
    except OSError as error:
        raise ToroidError(f"{path}: cannot be written: {error.strerror}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    if path.suffix != ".gz":
        with path.open("w", encoding="utf-8") as plain:
            yield plain
        return
    # Without the name and the time of day: the same trace gives the same bytes.
    with (
        path.open("wb") as packed,
        gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as file,
        io.TextIOWrapper(file, encoding="utf-8") as text,
    ):
        yield text


def _events(trace: Trace) -> Iterator[Event]:
    yield from _names(trace)
    yield from _calls(trace)
    yield from _states(trace)
    yield from _io_calls(trace)
    yield from _fifos(trace)
    yield from _links(trace)
    yield from _tree(trace)
    yield from _dma(trace)
    yield from _message_arrows(trace)


def _us(picoseconds: Any) -> float:
    return int(picoseconds) / 1e6


def _slice(process: int, track: int, name: str, begin: Any, end: Any, **arguments: Any) -> Event:
    return {
        "ph": "X", "pid": process, "tid": track, "name": name, "ts": _us(begin), "dur": _us(int(end) - int(begin)),
        "args": arguments,
    }  # fmt: skip


def _named(process: int, name: str, order: int) -> Iterator[Event]:
    yield {"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}}
    yield {"ph": "M", "pid": process, "name": "process_sort_index", "args": {"sort_index": order}}


def _track(process: int, track: int, name: str) -> Event:
    return {"ph": "M", "pid": process, "tid": track, "name": "thread_name", "args": {"name": name}}


def _core_track(core: int, which: int) -> int:
    return _CORE_TRACKS * core + which + 1  # no track 0: that of the process itself


def _names(trace: Trace) -> Iterator[Event]:
    metadata = trace.metadata
    for place in metadata.ranks:
        name = f"rank {place.rank} (node {metadata.node_name(place.node)}, t {place.t})"
        yield from _named(place.rank + 1, name, place.rank)
    for rank, core in _cores(trace):
        yield _track(int(rank) + 1, _core_track(int(core), 0), f"core {core}: calls")
        yield _track(int(rank) + 1, _core_track(int(core), 1), f"core {core}: state")
    for rank, core in np.unique(trace["io_calls"][["rank", "core"]]):
        yield _track(int(rank) + 1, _core_track(int(core), 2), f"core {core}: I/O")
    written, received, sent = trace["torus_written"], trace["torus_received"], trace["torus_sent"]
    for node in np.union1d(written["node"], received["node"]):
        yield from _named(_FIFOS + int(node), f"FIFOs of node {metadata.node_name(int(node))}", _FIFOS + int(node))
    for node, fifo in np.unique(written[["node", "fifo"]]):
        group, number = divmod(int(fifo), metadata.torus.injection_fifos_per_group)
        last = number + 1 == metadata.torus.injection_fifos_per_group
        yield _track(_FIFOS + int(node), int(fifo) + 1, f"injection {group}.{'H' if last else number}")
    for node, fifo in np.unique(received[["node", "fifo"]]):
        group, number = divmod(int(fifo), metadata.torus.reception_fifos_per_group)
        last = number + 1 == metadata.torus.reception_fifos_per_group
        name = f"reception {group}.{'H' if last else metadata.direction_name(number)}"
        yield _track(_FIFOS + int(node), _RECEPTION + int(fifo), name)
    for node in np.unique(sent["node"]):
        yield from _named(_LINKS + int(node), f"links of node {metadata.node_name(int(node))}", _LINKS + int(node))
    for node, direction in np.unique(sent[["node", "direction"]]):
        yield _track(_LINKS + int(node), int(direction) + 1, metadata.direction_name(int(direction)))
    tree = trace["tree_sent"]
    for node in np.unique(tree["node"]):
        yield from _named(_TREE + int(node), f"tree at {metadata.node_name(int(node))}", _TREE + int(node))
    for node, port in np.unique(tree[["node", "port"]]):
        name = ("down 0", "down 1", "up", "received")[int(port)]
        yield _track(_TREE + int(node), int(port) + 1, name)


def _calls(trace: Trace) -> Iterator[Event]:
    names, registers = trace.metadata.functions, trace.metadata.argument_registers
    for call in trace["calls"]:
        values = map(int, call["arguments"])
        arguments: dict[str, Any] = dict(zip(registers, values, strict=True))
        arguments["result"] = int(call["result"])
        if call["flags"] & records.UNFINISHED:
            arguments["unfinished"] = True
        yield _slice(
            int(call["rank"]) + 1, _core_track(int(call["core"]), 0), names[call["function"]], call["time"],
            call["end"], **arguments,
        )  # fmt: skip


def _states(trace: Trace) -> Iterator[Event]:
    """What a core did while it had something to execute: waiting as it was recorded; it runs, or polls unnoticed, in
    between."""
    for rank, core in _cores(trace):
        process, track = int(rank) + 1, _core_track(int(core), 1)
        waits, runs = (table[(table["rank"] == rank) & (table["core"] == core)] for table in _of_cores(trace)[1:])
        for wait in waits:
            name = _WAITS[int(wait["state"])]
            yield _slice(process, track, name, wait["time"], wait["end"], pc=f"0x{wait['pc']:08x}")
        for run in runs:
            ran_from = int(run["time"])
            for wait in waits[(waits["end"] > run["time"]) & (waits["time"] < run["end"])]:
                if wait["time"] > ran_from:
                    yield _slice(process, track, "runs", ran_from, wait["time"])
                ran_from = int(wait["end"])
            if ran_from < run["end"]:
                yield _slice(process, track, "runs", ran_from, run["end"])


def _of_cores(trace: Trace) -> tuple[Table, Table, Table]:
    """Calls, waits and runs."""
    return trace["calls"], trace["waits"], trace["runs"]


def _cores(trace: Trace) -> Table:
    """The ranks and cores that did anything, each once."""
    return np.unique(np.concatenate([table[["rank", "core"]] for table in _of_cores(trace)]))


def _io_calls(trace: Trace) -> Iterator[Event]:
    for call in trace["io_calls"]:
        name = records.IO_OPERATIONS[call["operation"]] if call["operation"] < len(records.IO_OPERATIONS) else "call"
        yield _slice(
            int(call["rank"]) + 1, _core_track(int(call["core"]), 2), name, call["time"], call["end"],
            descriptor=int(call["descriptor"]), bytes=int(call["bytes"]), result=int(call["result"]),
        )  # fmt: skip


def _packet_name(packet: Any) -> str:
    return f"{int(packet) >> 32}.{int(packet) & 0xFFFFFFFF}"


def _fifos(trace: Trace) -> Iterator[Event]:
    """Packets in FIFOs, as slices that may overlap: asynchronous ones, a row each."""
    metadata = trace.metadata
    left: dict[int, int] = {}
    for sent in trace["torus_sent"]:
        left.setdefault(int(sent["packet"]), int(sent["end"]))
    for written in trace["torus_written"]:
        packet = int(written["packet"])
        process, track = _FIFOS + int(written["node"]), int(written["fifo"]) + 1
        to = metadata.node_name(int(written["destination"]))
        arguments = {"to": to, "bytes": int(written["chunks"]) * 32, "header": bytes(written["header"]).hex()}
        yield from _stay(process, track, packet, int(written["time"]), left.get(packet, trace.end), arguments)
        yield _flow("s", process, track, packet, int(written["time"]))
    read = {(int(row["packet"]), int(row["node"])): int(row["time"]) for row in trace["torus_read"]}
    for received in trace["torus_received"]:
        packet, node = int(received["packet"]), int(received["node"])
        process, track = _FIFOS + node, _RECEPTION + int(received["fifo"])
        arguments = {"bytes": int(received["chunks"]) * 32, "copy": bool(received["flags"] & records.COPY)}
        yield from _stay(process, track, packet, int(received["time"]), read.get((packet, node), trace.end), arguments)
        if not received["flags"] & records.COPY:
            yield _flow("f", process, track, packet, int(received["time"]))


def _stay(process: int, track: int, packet: int, begin: int, end: int, arguments: Event) -> Iterator[Event]:
    # A slice of a nanosecond takes the arrow; the stay itself may overlap others.
    name = _packet_name(packet)
    yield _slice(process, track, name, begin, begin + 1000, **arguments)
    common = {"cat": "stay", "pid": process, "tid": track, "id": f"{process}.{track}.{packet:x}", "name": name}
    yield {"ph": "b", "ts": _us(begin), **common, "args": arguments}
    yield {"ph": "e", "ts": _us(max(begin, end)), **common}


def _flow(phase: str, process: int, track: int, packet: int, at: int, category: str = "packet") -> Event:
    event: Event = {
        "ph": phase, "cat": category, "name": category, "id": f"{packet:x}", "pid": process, "tid": track,
        "ts": _us(at),
    }  # fmt: skip
    return event | ({"bp": "e"} if phase == "f" else {})


def _links(trace: Trace) -> Iterator[Event]:
    for sent in trace["torus_sent"]:
        process, track = _LINKS + int(sent["node"]), int(sent["direction"]) + 1
        yield _slice(
            process, track, _packet_name(sent["packet"]), sent["time"], sent["end"], channel=int(sent["channel"]),
            bytes=int(sent["chunks"]) * 32, waited_ns=(int(sent["time"]) - int(sent["asked"])) / 1000,
            **({"damaged": True} if sent["flags"] & records.DAMAGED else {}),
        )  # fmt: skip
        yield _flow("t", process, track, int(sent["packet"]), int(sent["time"]))


def _tree(trace: Trace) -> Iterator[Event]:
    for sent in trace["tree_sent"]:
        yield _slice(
            _TREE + int(sent["node"]), int(sent["port"]) + 1, _packet_name(sent["packet"]), sent["time"], sent["end"],
            vc=int(sent["vc"]), route_class=int(sent["route_class"]),
        )  # fmt: skip


def _dma(trace: Trace) -> Iterator[Event]:
    """Of each node's engine: a track for each injection FIFO with the messages that it worked on, and values over time
    of counters and of bytes in FIFOs."""
    all_messages = messages(trace)
    counters, fifos, puts = trace["dma_counters"], trace["dma_fifos"], trace["mu_puts"]
    header = trace.metadata.torus.header
    unit = "Messaging Unit" if header == MU else "DMA"
    seen = np.unique(np.concatenate([all_messages.table["node"], counters["node"], fifos["node"], puts["node"]]))
    for node in seen:
        yield from _named(_DMA + int(node), f"{unit} of node {trace.metadata.node_name(int(node))}", _DMA + int(node))
    for node, fifo in np.unique(all_messages.table[["node", "fifo"]]):
        yield _track(_DMA + int(node), int(fifo) + 1, fifo_name(records.DMA_INJECTION, int(fifo), header))
    for message, length, to, read, packets in zip(
        all_messages.table, all_messages.length, all_messages.destination, all_messages.read, all_messages.packets,
        strict=True,
    ):  # fmt: skip
        process, track = _DMA + int(message["node"]), int(message["fifo"]) + 1
        name = f"{records.DMA_KINDS[message['kind']]} of {int(length):,} B"
        yield _slice(
            process, track, name, message["time"], trace.end if read < 0 else read,
            to=trace.metadata.node_name(int(to)), local=bool(message["flags"] & records.LOCAL), packets=int(packets),
            descriptor=descriptor_text(message),
        )  # fmt: skip
    for change in counters:
        name = counter_name(int(change["side"]), int(change["counter"]))
        yield _value(int(change["node"]), name, change["time"], int(change["value"]))
    for change in fifos:
        name = f"bytes in {fifo_name(int(change['side']), int(change['fifo']), header)}"
        yield _value(int(change["node"]), name, change["time"], int(change["bytes"]))
    put: Counter[int] = Counter()  # by node
    for each in puts:
        put[int(each["node"])] += int(each["bytes"])
        yield _value(int(each["node"]), "bytes put", each["time"], put[int(each["node"])])


def _value(node: int, name: str, at: Any, value: int) -> Event:
    return {"ph": "C", "pid": _DMA + node, "name": name, "ts": _us(at), "args": {"value": value}}


def _message_arrows(trace: Trace) -> Iterator[Event]:
    """From the posting of each message to the call in which its first packet was read."""
    for number, (sender, begin, receiver, end) in enumerate(message_pairs(trace)):
        for phase, rank, at in (("s", sender, begin), ("f", receiver, end)):
            core = first_core(trace, rank)
            yield _flow(phase, rank + 1, _core_track(core, 0), number, at, "message")
