# SPDX-License-Identifier: Apache-2.0
"""Writes packets of a trace as pcapng, for Wireshark with testbench/wireshark/toroid.lua.

docs/guide/traces.md describes the pseudo-header before each packet.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toroid.errors import ToroidError, UserError
from toroid.shape import Shape, direction_name
from toroid.trace import records
from toroid.trace.messages import ADAPTIVE, CONTROL, DATA, EAGER, ONE_PACKET, PACKETS, RENDEZVOUS, ports
from toroid.trace.reader import DMA, MU, Trace

LINKTYPE_TORUS, LINKTYPE_TREE, LINKTYPE_MU = 147, 148, 149  # USER0, USER1, USER2
_VERSION = 2
_WRITTEN, _LINK, _RECEIVED = 0, 1, 2
_DAMAGED, _COPY = 1, 2
_TORUS_HEAD = struct.Struct(">BBBB3sB3sBII")
_MU_HEAD = struct.Struct(">BBBB5sB5sBII")  # of torus packets of Messaging Units
_TREE_HEAD = struct.Struct(">BBBBIIIII")
# What a packet of the message layer holds behind its header, by the protocol of its port. 0: not known.
_FORMATS = {ONE_PACKET: 1, EAGER: 2, ADAPTIVE: 3, RENDEZVOUS: 4, PACKETS: 5, DATA: 6, CONTROL: 7}
# The second half of a packet's header is the DMA engine's.
_DMA_FORMAT = 8
_PORT_BYTE = 8  # of a packet
_UNKNOWN_NODE = 0xFFFFFFFF
_PORTS = ("down 0", "down 1", "up", "received")
_TERM = re.compile(r"(?P<what>links|tree|node|link)(=(?P<value>\S+))?")


@dataclass
class PacketFilter:
    """Which packets a capture takes. A packet is captured at every place that is asked for."""

    all_links: bool = False
    whole_tree: bool = False
    nodes: set[tuple[int, ...]] = field(default_factory=set)
    links: set[tuple[tuple[int, ...], int]] = field(default_factory=set)
    tree_nodes: set[int] = field(default_factory=set)


def parse_filter(terms: Sequence[str], shape: Shape) -> PacketFilter:
    """Terms such as `node=0,0,0`, `link=0,0,0:X+`, `tree=5`, `links` and `tree`, several in a text or in several; none:
    all links of both networks. Raises UserError."""
    chosen = PacketFilter()
    words = [word for term in terms for word in term.split()]
    if not words:
        return PacketFilter(all_links=True, whole_tree=True)
    for word in words:
        match = _TERM.fullmatch(word)
        what, value = (match["what"], match["value"]) if match else (None, None)
        if what == "links" and value is None:
            chosen.all_links = True
        elif what == "tree" and value is None:
            chosen.whole_tree = True
        elif what == "tree" and value is not None and value.isdecimal():
            chosen.tree_nodes.add(int(value))
        elif what == "node" and value is not None:
            chosen.nodes.add(_place(word, value, shape))
        elif what == "link" and value is not None and ":" in value:
            node, _, direction = value.partition(":")
            names = [direction_name(shape.names, number) for number in range(2 * len(shape.extents))]
            if direction not in names:
                raise UserError(f"--pcap-filter {word}: no direction {direction!r}; there are {', '.join(names)}")
            chosen.links.add(_link(word, _place(word, node, shape), names.index(direction), shape))
        else:
            place = _example(shape)
            raise UserError(f"--pcap-filter {word}: expected node={place}, link={place}:X+, links, tree=NODE or tree")
    return chosen


def check_tree_nodes(chosen: PacketFilter, shape: Shape, io_nodes: int) -> None:
    """Raises UserError for nodes that the tree of a machine does not have."""
    last = shape.nodes + io_nodes - 1
    for node in sorted(chosen.tree_nodes):
        if node > last:
            raise UserError(
                f"--pcap-filter tree={node}: the tree of {shape} has no such node; its nodes are 0 to {last}, those "
                f"from {shape.nodes} on for I/O"
            )


def _link(word: str, place: tuple[int, ...], direction: int, shape: Shape) -> tuple[tuple[int, ...], int]:
    if not shape.has_link(place, direction):
        there = [
            direction_name(shape.names, other)
            for other in range(2 * len(shape.extents))
            if shape.has_link(place, other)
        ]
        names = ", ".join(there) or "none"
        raise UserError(f"--pcap-filter {word}: a machine of {shape} has no such link; from there lead: {names}")
    return place, direction


def _example(shape: Shape) -> str:
    return ",".join("0" * len(shape.extents))


def _place(word: str, text: str, shape: Shape) -> tuple[int, ...]:
    parts = text.split(",")
    if len(parts) != len(shape.extents) or not all(part.isdecimal() for part in parts):
        raise UserError(f"--pcap-filter {word}: {text!r} are not coordinates {_example(shape)}")
    place = tuple(map(int, parts))
    if any(at >= extent for at, extent in zip(place, shape.extents, strict=True)):
        raise UserError(f"--pcap-filter {word}: {text} lies outside the machine of {shape}")
    return place


@dataclass(frozen=True)
class _Frame:
    time: int
    interface: tuple[int, str]  # link type, name
    data: bytes


def write_pcap(trace: Trace, path: Path, chosen: PacketFilter) -> int:
    """The number of packets. `trace` must have contents. Raises ToroidError where the file cannot be written."""
    frames = sorted([*_torus_frames(trace, chosen), *_tree_frames(trace, chosen)], key=lambda frame: frame.time)
    interfaces: dict[tuple[int, str], int] = {}
    for frame in frames:
        interfaces.setdefault(frame.interface, len(interfaces))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
            for link_type, name in interfaces:
                nanoseconds = _option(9, b"\x09")
                body = struct.pack("<HHI", link_type, 0, 0) + _option(2, name.encode()) + nanoseconds + _option(0, b"")
                file.write(_block(1, body))
            for frame in frames:
                at, size = frame.time // 1000, len(frame.data)
                head = struct.pack("<IIIII", interfaces[frame.interface], at >> 32, at & 0xFFFFFFFF, size, size)
                file.write(_block(6, head + frame.data + b"\0" * (-size % 4)))
    except OSError as error:
        raise ToroidError(f"{path}: cannot be written: {error.strerror}") from error
    return len(frames)


def _block(kind: int, body: bytes) -> bytes:
    size = len(body) + 12
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def _torus_frames(trace: Trace, chosen: PacketFilter) -> Iterator[_Frame]:
    metadata = trace.metadata
    contents = {
        int(row["packet"]): row["bytes"].tobytes()
        for table in ("torus_contents", "torus_long_contents")
        for row in trace[table]
    }
    of_dma, of_mu = metadata.torus.header == DMA, metadata.torus.header == MU
    formats = {port: _FORMATS[protocol] for port, (_, protocol) in ports(trace).items()}

    def frame(row: Any, time: int, what: int, port: int, name: str, flags: int = 0, waited: int = 0) -> _Frame:
        packet = int(row["packet"])
        channel = int(row["channel"]) if what != _RECEIVED else 0xFF
        at, source = metadata.coordinates(row["node"]), metadata.coordinates(packet >> 32)
        numbers = (packet & 0xFFFFFFFF, min(waited // 1000, 0xFFFFFFFF))
        if of_mu:
            head = _MU_HEAD.pack(_VERSION, what, port, flags, bytes(at), channel, bytes(source), 0, *numbers)
        else:
            format_ = _DMA_FORMAT if of_dma else formats.get(contents[packet][_PORT_BYTE], 0)
            head = _TORUS_HEAD.pack(
                _VERSION, what, port, flags, _bytes3(at), channel, _bytes3(source), format_, *numbers
            )
        interface = (LINKTYPE_MU if of_mu else LINKTYPE_TORUS, f"{metadata.node_name(int(row['node']))} {name}")
        return _Frame(time, interface, head + contents[packet][: 32 * int(row["chunks"])])

    for row in trace["torus_written"]:
        if metadata.coordinates(row["node"]) in chosen.nodes:
            fifo = int(row["fifo"])
            yield frame(row, int(row["time"]), _WRITTEN, fifo, f"injection {fifo}")
    for row in trace["torus_sent"]:
        at, direction = metadata.coordinates(row["node"]), int(row["direction"])
        if chosen.all_links or at in chosen.nodes or (at, direction) in chosen.links:
            flags = _DAMAGED if row["flags"] & records.DAMAGED else 0
            waited = int(row["time"]) - int(row["asked"])
            yield frame(row, int(row["time"]), _LINK, direction, metadata.direction_name(direction), flags, waited)
    for row in trace["torus_received"]:
        if metadata.coordinates(row["node"]) in chosen.nodes:
            fifo = int(row["fifo"])
            flags = _COPY if row["flags"] & records.COPY else 0
            yield frame(row, int(row["time"]), _RECEIVED, fifo, f"reception {fifo}", flags)


def _bytes3(coordinates: tuple[int, ...]) -> bytes:
    return bytes(coordinates)[:3].ljust(3, b"\0")


def _tree_frames(trace: Trace, chosen: PacketFilter) -> Iterator[_Frame]:
    sources = {int(row["packet"]): int(row["node"]) for row in trace["tree_injected"]}
    combined = iter(trace["tree_combined"])
    following = next(combined, None)
    joined: Counter[int] = Counter()  # packets that have become part of one
    for row in trace["tree_contents"]:
        while following is not None and following["time"] <= row["time"]:
            joined[int(following["into"])] += 1 + joined[int(following["absorbed"])]
            following = next(combined, None)
        node, port = int(row["node"]), int(row["port"])
        mine = node in chosen.tree_nodes
        if not (mine or (chosen.whole_tree and port != records.TREE_LOCAL)):
            continue
        what = _RECEIVED if port == records.TREE_LOCAL else _LINK
        packet = int(row["packet"])
        head = _TREE_HEAD.pack(
            _VERSION, what, port, int(row["vc"]), node, packet & 0xFFFFFFFF, sources.get(packet, _UNKNOWN_NODE),
            1 + joined[packet], int(row["header"]),
        )  # fmt: skip
        interface = (LINKTYPE_TREE, f"tree {trace.metadata.node_name(node)} {_PORTS[port]}")
        yield _Frame(int(row["time"]), interface, head + row["bytes"].tobytes())
