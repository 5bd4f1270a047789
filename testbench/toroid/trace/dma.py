# SPDX-License-Identifier: Apache-2.0
"""What the records of DMA engines and Messaging Units mean: names of FIFOs and counters, and the messages that
descriptors begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.trace import records
from toroid.trace.reader import DMA, MU, Table, Trace

# Of a group, on both sides. A reception FIFO beyond all groups' is a group's header FIFO.
_INJECTION_FIFOS, _RECEPTION_FIFOS, _COUNTERS, _GROUPS = 32, 8, 64, 4
_LENGTH = 3  # word of a descriptor
_PLACE = (4, 5)  # words with the destination, as in a torus packet's header
# Of a subgroup of a Messaging Unit; its descriptors are bytes.
_MU_INJECTION_FIFOS, _MU_RECEPTION_FIFOS = 8, 4
_MU_LENGTH, _MU_HEADER = slice(16, 24), 32
_MU_DESTINATION = slice(_MU_HEADER + 4, _MU_HEADER + 8)
_MU_COLLECTIVE = 0x5A  # first byte of a header


def fifo_name(side: int, fifo: int, header: str = DMA) -> str:
    """Such as `injection 0.31`: group (of a Messaging Unit: subgroup) and FIFO; `reception 0.H` for the FIFO of packet
    headers. `header` is the trace's form of packet headers."""
    if header == MU:
        injection = side == records.DMA_INJECTION
        subgroup, number = divmod(fifo, _MU_INJECTION_FIFOS if injection else _MU_RECEPTION_FIFOS)
        return f"{'injection' if injection else 'reception'} {subgroup}.{number}"
    if side == records.DMA_INJECTION:
        group, number = divmod(fifo, _INJECTION_FIFOS)
        return f"injection {group}.{number}"
    if fifo >= _GROUPS * _RECEPTION_FIFOS:
        return f"reception {fifo - _GROUPS * _RECEPTION_FIFOS}.H"
    group, number = divmod(fifo, _RECEPTION_FIFOS)
    return f"reception {group}.{number}"


def counter_name(side: int, counter: int) -> str:
    """Such as `reception counter 0.3`: group and counter."""
    group, number = divmod(counter, _COUNTERS)
    return f"{'injection' if side == records.DMA_INJECTION else 'reception'} counter {group}.{number}"


@dataclass(frozen=True)
class Messages:
    """A number for each descriptor that an engine has read, in the order of their times."""

    table: Table  # dma_descriptors, or mu_descriptors
    length: Table  # bytes
    destination: Table  # node, or the own one of local messages
    read: Table  # ps: when all its bytes had been read from memory; -1 where they have not been
    packets: Table


def descriptor_text(descriptor: Table) -> str:
    """The descriptor of a row, in words of 32 bits."""
    words = descriptor["words"] if "words" in (descriptor.dtype.names or ()) else descriptor["bytes"].view(">u4")
    return " ".join(f"{int(word):08x}" for word in words)


def messages(trace: Trace) -> Messages:
    return _with_packets(trace, *(_of_mu(trace) if trace.metadata.torus.header == MU else _of_dma(trace)))


def _of_mu(trace: Trace) -> tuple[Table, Table, Table]:
    """Descriptors, their lengths and destinations. A collective message has none but its own node."""
    table = trace["mu_descriptors"]
    descriptors = table["bytes"].reshape(-1, 64)
    length = np.ascontiguousarray(descriptors[:, _MU_LENGTH]).view(">u8").reshape(-1).astype(np.int64)
    word = np.ascontiguousarray(descriptors[:, _MU_DESTINATION]).view(">u4").reshape(-1).astype(np.int64)
    node, step = np.zeros(len(table), dtype=np.int64), 1
    for dimension, extent in enumerate(trace.metadata.shape):
        node += step * (word >> (24 - 6 * dimension) & 0x3F)
        step *= extent
    own = (table["flags"] & records.LOCAL != 0) | (descriptors[:, _MU_HEADER] == _MU_COLLECTIVE)
    return table, length, np.where(own, table["node"], node)


def _of_dma(trace: Trace) -> tuple[Table, Table, Table]:
    table = trace["dma_descriptors"]
    words = table["words"].astype(np.int64).reshape(-1, 8)
    local = table["flags"] & records.LOCAL != 0
    x = words[:, _PLACE[0]] & 0xFF
    y, z = words[:, _PLACE[1]] >> 24 & 0xFF, words[:, _PLACE[1]] >> 16 & 0xFF
    extents = (*trace.metadata.shape, 1, 1, 1)[:3]
    node = x + extents[0] * (y + extents[1] * z)
    return table, words[:, _LENGTH], np.where(local, table["node"], node)


def _with_packets(trace: Trace, table: Table, length: Table, destination: Table) -> Messages:
    read = _looked_up(trace["dma_messages_read"], table["message"])
    numbers, counts = np.unique(trace["dma_packets"]["message"], return_counts=True)
    at = np.searchsorted(numbers, table["message"])
    found = np.isin(table["message"], numbers)
    packets = np.zeros(len(table), dtype=np.int64)
    packets[found] = counts[at[found]]
    return Messages(table, length, destination, read, packets)


def _looked_up(ends: Table, wanted: Table) -> Table:
    ends = ends[np.argsort(ends["message"], kind="stable")]
    found = np.isin(wanted, ends["message"])
    times = np.full(len(wanted), -1, dtype=np.int64)
    times[found] = ends["time"][np.searchsorted(ends["message"], wanted[found])]
    return times
