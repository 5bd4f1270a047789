# SPDX-License-Identifier: Apache-2.0
"""The records of a trace file, as numpy sees them. docs/reference/trace_file.md describes every field.

Times are picoseconds of simulated time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Flags.
DYNAMIC, DEPOSIT = 1, 2  # torus_written
DAMAGED = 1  # torus_sent
COPY = 1  # torus_received
POINT_TO_POINT = 1  # tree_injected
UNFINISHED = 1  # calls, waits, runs
LOCAL = 1  # dma_descriptors
HIT_ZERO, BELOW_ZERO = 1, 2  # dma_counters

# States of waits.
PARKED, WAITING, SLEEPING = 1, 2, 3

TREE_LOCAL = 3  # port of tree_sent: into the node's reception FIFO

# Kinds of dma_descriptors, and sides of dma_counters and dma_fifos.
DMA_KINDS = ("memory FIFO", "put", "remote get", "prefetch")
DMA_INJECTION, DMA_RECEPTION = 0, 1

IO_OPERATIONS = (
    "", "open", "close", "duplicate", "duplicate to", "read", "write", "read at", "write at", "seek", "truncate",
    "status", "path status", "access", "unlink", "remove directory", "make directory", "rename", "read link", "flags",
    "read directory", "set flags",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A kind of record. Tables are in the order of their field `time`, where there is one."""

    number: int
    name: str
    dtype: np.dtype[np.void]


def _kind(number: int, name: str, *fields: tuple[str, str] | tuple[str, str, int]) -> Kind:
    return Kind(number, name, np.dtype(list(fields)))


END = _kind(0, "end", ("time", "<i8"))

KINDS = (
    _kind(
        1, "torus_written", ("time", "<i8"), ("packet", "<u8"), ("node", "<u4"), ("destination", "<u4"), ("core", "u1"),
        ("fifo", "u1"), ("chunks", "u1"), ("flags", "u1"), ("channel", "u1"), ("reserved", "u1", 3),
        ("header", "u1", 16),
    ),
    _kind(
        2, "torus_sent", ("time", "<i8"), ("packet", "<u8"), ("asked", "<i8"), ("end", "<i8"), ("node", "<u4"),
        ("direction", "u1"), ("channel", "u1"), ("chunks", "u1"), ("flags", "u1"),
    ),
    _kind(
        3, "torus_received", ("time", "<i8"), ("packet", "<u8"), ("asked", "<i8"), ("begin", "<i8"), ("node", "<u4"),
        ("fifo", "u1"), ("chunks", "u1"), ("flags", "u1"), ("reserved", "u1"),
    ),
    _kind(
        4, "torus_read", ("time", "<i8"), ("packet", "<u8"), ("node", "<u4"), ("core", "u1"), ("fifo", "u1"),
        ("reserved", "u1", 2),
    ),
    _kind(5, "torus_contents", ("packet", "<u8"), ("bytes", "u1", 256)),
    _kind(6, "torus_long_contents", ("packet", "<u8"), ("bytes", "u1", 544)),
    _kind(
        16, "tree_injected", ("time", "<i8"), ("packet", "<u8"), ("node", "<u4"), ("header", "<u4"), ("target", "<u4"),
        ("vc", "u1"), ("route_class", "u1"), ("opcode", "u1"), ("operand_words", "u1"), ("flags", "u1"),
        ("reserved", "u1", 7),
    ),
    _kind(
        17, "tree_combined", ("time", "<i8"), ("into", "<u8"), ("absorbed", "<u8"), ("node", "<u4"), ("vc", "u1"),
        ("reserved", "u1", 3),
    ),
    _kind(
        18, "tree_sent", ("time", "<i8"), ("packet", "<u8"), ("end", "<i8"), ("node", "<u4"), ("port", "u1"),
        ("vc", "u1"), ("route_class", "u1"), ("reserved", "u1"),
    ),
    _kind(
        19, "tree_contents", ("time", "<i8"), ("packet", "<u8"), ("node", "<u4"), ("header", "<u4"), ("port", "u1"),
        ("vc", "u1"), ("reserved", "u1", 6), ("bytes", "u1", 256),
    ),
    _kind(
        32, "calls", ("time", "<i8"), ("end", "<i8"), ("rank", "<u4"), ("function", "<u4"), ("core", "u1"),
        ("flags", "u1"), ("depth", "<u2"), ("result", "<u4"), ("arguments", "<u4", 6), ("stack", "<u4"),
        ("caller", "<u4"),
    ),
    _kind(
        33, "waits", ("time", "<i8"), ("end", "<i8"), ("node", "<u4"), ("rank", "<u4"), ("pc", "<u4"), ("core", "u1"),
        ("state", "u1"), ("flags", "u1"), ("reserved", "u1"),
    ),
    _kind(
        34, "io_calls", ("time", "<i8"), ("end", "<i8"), ("rank", "<u4"), ("operation", "<u2"), ("core", "u1"),
        ("reserved", "u1"), ("descriptor", "<i4"), ("bytes", "<u4"), ("result", "<i8"),
    ),
    _kind(
        35, "runs", ("time", "<i8"), ("end", "<i8"), ("node", "<u4"), ("rank", "<u4"), ("core", "u1"), ("flags", "u1"),
        ("reserved", "u1", 6),
    ),
    _kind(
        48, "dma_descriptors", ("time", "<i8"), ("message", "<u8"), ("node", "<u4"), ("fifo", "u1"), ("kind", "u1"),
        ("flags", "u1"), ("reserved", "u1"), ("words", "<u4", 8),
    ),
    _kind(49, "dma_messages_read", ("time", "<i8"), ("message", "<u8")),
    _kind(50, "dma_packets", ("time", "<i8"), ("packet", "<u8"), ("message", "<u8")),
    _kind(
        51, "dma_counters", ("time", "<i8"), ("node", "<u4"), ("value", "<u4"), ("counter", "<u2"), ("side", "u1"),
        ("flags", "u1"), ("reserved", "<u4"),
    ),
    _kind(
        52, "dma_fifos", ("time", "<i8"), ("node", "<u4"), ("bytes", "<u4"), ("fifo", "<u2"), ("side", "u1"),
        ("reserved", "u1", 5),
    ),
    _kind(
        53, "mu_descriptors", ("time", "<i8"), ("message", "<u8"), ("node", "<u4"), ("fifo", "<u2"), ("kind", "u1"),
        ("flags", "u1"), ("bytes", "u1", 64),
    ),
    _kind(54, "mu_puts", ("time", "<i8"), ("address", "<u8"), ("node", "<u4"), ("bytes", "<u4")),
)  # fmt: skip
