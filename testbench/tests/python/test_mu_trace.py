# SPDX-License-Identifier: Apache-2.0
"""What a report page and a timeline say of Messaging Units."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

from trace_files import trace_of

from toroid.page.dma import dma_section
from toroid.trace import records
from toroid.trace.dma import fifo_name
from toroid.trace.perfetto import _dma as events_of
from toroid.trace.reader import MU, Trace

PUT = 1
POINT_TO_POINT, COLLECTIVE = 0x55, 0x5A


def descriptor(length: int, destination: tuple[int, ...], packet: int = POINT_TO_POINT) -> list[int]:
    word = 0
    for coordinate in destination:
        word = word << 6 | coordinate
    header = struct.pack(">B3xI24x", packet, word)
    return list(struct.pack(">QQQQ", 0, 0x1000, length, 0xFFC0) + header)


def sample() -> Trace:
    trace = trace_of(
        end=16_000_000,
        mu_descriptors=[
            {"time": 1_000_000, "message": 0, "node": 0, "fifo": 13, "kind": PUT,
             "bytes": descriptor(4000, (1, 0, 1, 1, 0))},
            {"time": 2_000_000, "message": 1, "node": 0, "fifo": 13, "kind": PUT, "flags": records.LOCAL,
             "bytes": descriptor(8, (1, 0, 0, 0, 0))},
            {"time": 3_000_000, "message": 5 << 32, "node": 5, "fifo": 543, "kind": 0,
             "bytes": descriptor(512, (1, 1, 1, 1, 1), COLLECTIVE)},
        ],
        dma_messages_read=[{"time": 1_500_000, "message": 0}],
        dma_packets=[{"time": 1_100_000, "packet": 0, "message": 0}],
        dma_fifos=[
            {"time": 1_000_000, "node": 0, "fifo": 13, "side": 0, "bytes": 128},
            {"time": 4_000_000, "node": 1, "fifo": 271, "side": 1, "bytes": 544},
        ],
        mu_puts=[
            {"time": 5_000_000, "address": 0x2000, "node": 13, "bytes": 512},
            {"time": 6_000_000, "address": 0x2200, "node": 13, "bytes": 488},
        ],
    )  # fmt: skip
    metadata = trace.metadata.model_copy(update={
        "dimensions": "ABCDE", "shape": (2, 2, 2, 2, 2), "wrap": (True,) * 5,
        "torus": trace.metadata.torus.model_copy(update={"header": MU}),
    })  # fmt: skip
    return replace(trace, metadata=metadata)


def test_names() -> None:
    assert fifo_name(records.DMA_INJECTION, 13, MU) == "injection 1.5"
    assert fifo_name(records.DMA_RECEPTION, 13, MU) == "reception 3.1"


def test_the_section_of_a_page() -> None:
    section = dma_section(sample())
    assert section is not None
    assert (section["title"], section["messages"], section["bytes"]) == ("Messaging Units", 3, 4520)
    found = [(line["node"], line["fifo"], line["bytes"], line["to"]) for line in section["descriptors"]]
    assert found == [
        ("0,0,0,0,0", "injection 1.5", 4000, "1,0,1,1,0"),
        ("0,0,0,0,0", "injection 1.5", 8, "0,0,0,0,0"),  # inside the node
        ("1,0,1,0,0", "injection 67.7", 512, "1,0,1,0,0"),  # a collective message is nobody's in particular
    ]
    assert [line["fifo"] for line in section["fifos"]] == ["injection 1.5", "injection 67.7", "reception 67.3"]


def test_a_timeline() -> None:
    events: list[Any] = list(events_of(sample()))
    names = {event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
    assert "Messaging Unit of node 1,0,1,1,0" in names
    first = next(event for event in events if event["ph"] == "X")
    assert (first["name"], first["args"]["to"], first["args"]["packets"]) == ("put of 4,000 B", "1,0,1,1,0", 1)
    assert first["args"]["descriptor"].startswith("00000000 00000000 00000000 00001000 00000000 00000fa0")
    put = [event["args"]["value"] for event in events if event["ph"] == "C" and event["name"] == "bytes put"]
    assert put == [512, 1000]
