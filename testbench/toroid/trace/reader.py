# SPDX-License-Identifier: Apache-2.0
"""Reads a trace file."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from toroid.errors import ToroidError
from toroid.shape import direction_name
from toroid.trace.records import END, KINDS, Kind

# Records of one kind. Fields by name: table["time"].
Table = npt.NDArray[Any]

MAGIC = b"TOROIDTR"
VERSION = 1
_HEAD = struct.Struct("<8sII")
_BLOCK = struct.Struct("<HHI")


# Forms of a torus packet's header: fields of the message layer, of the DMA engine, or of the Messaging Unit.
SOFTWARE_PORT, DMA, MU = "software_port", "dma", "mu"


class _Section(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class RankPlace(_Section):
    rank: int
    node: int
    coordinates: tuple[int, ...]
    t: int


class TorusFacts(_Section):
    header: str = SOFTWARE_PORT  # what a packet's header holds beside the routers' fields
    wire_cycles: tuple[int, ...]  # on a link, for packets of 1, 2, ... chunks
    wire_overhead_bytes: int
    hop_cycles: int  # from the first byte on a link to the packet asking for the next, alone in the network
    injection_cycles: int
    reception_cycles: int
    injection_fifos_per_group: int
    reception_fifos_per_group: int


class TreeFacts(_Section):
    compute_nodes: int  # I/O nodes have the numbers from here on
    root: int
    wire_cycles: int
    hop_cycles: int
    reception_cycles: int
    channels: tuple[tuple[int | None, ...], ...]  # by node: the node behind each channel


# Of machines whose networks are not recorded: no packet asks for what is here.
_NO_TORUS = TorusFacts(
    wire_cycles=(0,), wire_overhead_bytes=0, hop_cycles=0, injection_cycles=0, reception_cycles=0,
    injection_fifos_per_group=1, reception_fifos_per_group=1,
)  # fmt: skip
_NO_TREE = TreeFacts(compute_nodes=0, root=0, wire_cycles=0, hop_cycles=0, reception_cycles=0, channels=())


class Metadata(_Section):
    program: str
    dimensions: str  # a letter each
    shape: tuple[int, ...]
    wrap: tuple[bool, ...]
    processes_per_node: int
    ranks: tuple[RankPlace, ...]
    core_mhz: int
    network_mhz: int = 1
    contents: bool
    functions: tuple[str, ...]
    argument_registers: tuple[str, ...] = ("r3", "r4", "r5", "r6", "r7", "r8")
    torus: TorusFacts = _NO_TORUS
    tree: TreeFacts = _NO_TREE

    @property
    def nodes(self) -> int:
        return int(np.prod(self.shape))

    def coordinates(self, node: int) -> tuple[int, ...]:
        """Of a node of the torus; numbers run with x fastest."""
        at = []
        node = int(node)  # those of numpy wrap around
        for extent in self.shape:
            at.append(node % extent)
            node //= extent
        return tuple(at)

    def node_at(self, coordinates: tuple[int, ...]) -> int:
        node = 0
        for extent, coordinate in reversed(list(zip(self.shape, coordinates, strict=True))):
            node = node * extent + coordinate
        return node

    def node_name(self, node: int) -> str:
        """Such as 1,0,0; of an I/O node I/O 0."""
        if node >= self.nodes:
            return f"I/O {node - self.nodes}"
        return ",".join(map(str, self.coordinates(node)))

    def direction_name(self, direction: int) -> str:
        """Such as X+."""
        return direction_name(self.dimensions, direction)

    def neighbour(self, node: int, direction: int) -> int:
        """The node behind a link of the torus that is there."""
        at = list(self.coordinates(node))
        dimension = direction // 2
        at[dimension] = (at[dimension] + (1 if direction % 2 == 0 else -1)) % self.shape[dimension]
        return self.node_at(tuple(at))

    def rank_of(self, node: int, core: int) -> int | None:
        """The rank that uses a core of a node."""
        return self._ranks.get((node, core if self.processes_per_node > 1 else 0))

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], int]:
        own = self.processes_per_node > 1
        return {(place.node, place.t if own else 0): place.rank for place in self.ranks}


@dataclass(frozen=True)
class Trace:
    """What a trace file holds. `tables` has one for each kind of record, empty where there are none, by Kind.name."""

    metadata: Metadata
    tables: dict[str, Table]
    end: int  # ps: when the run ended, or where the file is cut short the last time in it
    whole: bool  # the simulator has ended it

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]


def read_trace(path: Path) -> Trace:
    """Raises ToroidError where it is no trace file, or one of another version. One that is cut short is read up to
    there."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ToroidError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) < _HEAD.size or not data.startswith(MAGIC):
        raise ToroidError(f"{path}: not a trace file of Toroid's")
    _, version, size = _HEAD.unpack_from(data)
    if version != VERSION:
        raise ToroidError(f"{path}: a trace file of version {version}; this is Toroid for version {VERSION}")
    try:
        metadata = Metadata.model_validate_json(data[_HEAD.size : _HEAD.size + size])
    except ValidationError as error:
        raise ToroidError(f"{path}: damaged metadata: {error.errors()[0]['msg']}") from error
    parts, whole = _blocks(data, _HEAD.size + size)
    tables = {kind.name: _table(kind, parts.get(kind.number, [])) for kind in KINDS}
    ends = parts.get(END.number)
    if ends:
        return Trace(metadata, tables, int(ends[-1]["time"][-1]), whole)
    latest = max((int(table["time"][-1]) for table in tables.values() if _timed(table) and len(table)), default=0)
    return Trace(metadata, tables, latest, False)


def _blocks(data: bytes, at: int) -> tuple[dict[int, list[Table]], bool]:
    known = {kind.number: kind for kind in (END, *KINDS)}
    parts: dict[int, list[Table]] = {}
    while at + _BLOCK.size <= len(data):
        number, record_bytes, count = _BLOCK.unpack_from(data, at)
        at += _BLOCK.size
        there = min(count, (len(data) - at) // record_bytes) if record_bytes else 0
        kind = known.get(number)
        # Newer files may have more kinds, and more fields behind those known here.
        if kind is not None and record_bytes >= kind.dtype.itemsize:
            rows = np.frombuffer(data, dtype=np.dtype((np.void, record_bytes)), count=there, offset=at)
            parts.setdefault(number, []).append(_as_records(rows, kind, record_bytes))
        if there < count:
            return parts, False
        at += count * record_bytes
    return parts, END.number in parts and at == len(data)


def _as_records(rows: Table, kind: Kind, record_bytes: int) -> Table:
    if record_bytes == kind.dtype.itemsize:
        return rows.view(kind.dtype)
    raw = rows.view(np.uint8).reshape(-1, record_bytes)[:, : kind.dtype.itemsize]
    return np.ascontiguousarray(raw).view(kind.dtype).reshape(-1)


def _timed(table: Table) -> bool:
    return table.dtype.names is not None and "time" in table.dtype.names


def _table(kind: Kind, parts: list[Table]) -> Table:
    if not parts:
        return np.empty(0, dtype=kind.dtype)
    table = np.concatenate(parts)
    # The simulator works ahead in places, and units that act at one time do so in any order: records of one time are
    # ordered by whose they are. Those of one unit keep its order.
    names = table.dtype.names or ()
    keys: list[str] = [name for name in ("time", "node", "rank", "core") if name in names] or ["packet"]
    return table[np.lexsort([table[name] for name in reversed(keys)])]
