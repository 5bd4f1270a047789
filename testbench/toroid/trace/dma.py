# SPDX-License-Identifier: Apache-2.0
"""What the records of DMA engines mean: names of FIFOs and counters, and the messages that descriptors begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toroid.trace import records
from toroid.trace.reader import Table, Trace

# Of a group, on both sides. A reception FIFO beyond all groups' is a group's header FIFO.
_INJECTION_FIFOS, _RECEPTION_FIFOS, _COUNTERS, _GROUPS = 32, 8, 64, 4
_LENGTH = 3  # word of a descriptor
_PLACE = (4, 5)  # words with the destination, as in a torus packet's header


def fifo_name(side: int, fifo: int) -> str:
    """Such as `injection 0.31`: group and FIFO; `reception 0.H` for the FIFO of packet headers."""
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

    table: Table  # dma_descriptors
    length: Table  # bytes
    destination: Table  # node, or the own one of local messages
    read: Table  # ps: when all its bytes had been read from memory; -1 where they have not been
    packets: Table


def messages(trace: Trace) -> Messages:
    table = trace["dma_descriptors"]
    words = table["words"].astype(np.int64).reshape(-1, 8)
    local = table["flags"] & records.LOCAL != 0
    x = words[:, _PLACE[0]] & 0xFF
    y, z = words[:, _PLACE[1]] >> 24 & 0xFF, words[:, _PLACE[1]] >> 16 & 0xFF
    extents = (*trace.metadata.shape, 1, 1, 1)[:3]
    node = x + extents[0] * (y + extents[1] * z)
    read = _looked_up(trace["dma_messages_read"], table["message"])
    numbers, counts = np.unique(trace["dma_packets"]["message"], return_counts=True)
    at = np.searchsorted(numbers, table["message"])
    found = np.isin(table["message"], numbers)
    packets = np.zeros(len(table), dtype=np.int64)
    packets[found] = counts[at[found]]
    return Messages(table, words[:, _LENGTH], np.where(local, table["node"], node), read, packets)


def _looked_up(ends: Table, wanted: Table) -> Table:
    ends = ends[np.argsort(ends["message"], kind="stable")]
    found = np.isin(wanted, ends["message"])
    times = np.full(len(wanted), -1, dtype=np.int64)
    times[found] = ends["time"][np.searchsorted(ends["message"], wanted[found])]
    return times
