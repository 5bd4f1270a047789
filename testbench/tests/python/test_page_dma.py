# SPDX-License-Identifier: Apache-2.0
"""What a report page and a timeline say of DMA engines."""

from __future__ import annotations

from typing import Any

import numpy as np
from trace_files import trace_of

from toroid.page.dma import dma_section
from toroid.trace import records
from toroid.trace.dma import counter_name, fifo_name
from toroid.trace.perfetto import _dma as events_of

PUT, REMOTE_GET = 1, 2


def descriptor(length: int, x: int, y: int) -> list[int]:
    return [0, 3, 64, length, x, y << 24, 0, 0]


def sample() -> Any:
    return trace_of(
        end=16_000_000,
        dma_descriptors=[
            {"time": 1_000_000, "message": 0, "node": 0, "fifo": 5, "kind": PUT, "words": descriptor(480, 1, 1)},
            {"time": 2_000_000, "message": 1, "node": 0, "fifo": 5, "kind": PUT, "words": descriptor(100, 1, 0),
             "flags": records.LOCAL},
            {"time": 3_000_000, "message": (2 << 32), "node": 2, "fifo": 33, "kind": REMOTE_GET,
             "words": descriptor(32, 0, 0)},
        ],
        dma_messages_read=[{"time": 1_500_000, "message": 0}, {"time": 2_250_000, "message": 1}],
        dma_packets=[
            {"time": 1_100_000, "packet": 0, "message": 0}, {"time": 1_200_000, "packet": 1, "message": 0},
        ],
        dma_counters=[
            {"time": 1_300_000, "node": 0, "counter": 3, "side": 0, "value": 240},
            {"time": 1_500_000, "node": 0, "counter": 3, "side": 0, "value": 0, "flags": records.HIT_ZERO},
            {"time": 4_000_000, "node": 3, "counter": 65, "side": 1, "value": 2**32 - 1, "flags": records.BELOW_ZERO},
        ],
        dma_fifos=[
            {"time": 1_000_000, "node": 0, "fifo": 5, "side": 0, "bytes": 64},
            {"time": 2_250_000, "node": 0, "fifo": 5, "side": 0, "bytes": 0},
            {"time": 8_000_000, "node": 1, "fifo": 32, "side": 1, "bytes": 256},
        ],
    )  # fmt: skip


def test_names() -> None:
    assert fifo_name(records.DMA_INJECTION, 33) == "injection 1.1"
    assert fifo_name(records.DMA_RECEPTION, 9) == "reception 1.1"
    assert fifo_name(records.DMA_RECEPTION, 34) == "reception 2.H"
    assert counter_name(records.DMA_RECEPTION, 65) == "reception counter 1.1"


def test_the_section_of_a_page() -> None:
    section = dma_section(sample())
    assert section is not None
    assert (section["messages"], section["bytes"]) == (3, 612)
    assert [(line["kind"], line["packets"], line["mean_ns"]) for line in section["kinds"]] == [
        ("put", 2, 500), ("put, local", 0, 250), ("remote get", 0, None),
    ]  # fmt: skip
    assert [(line["node"], line["fifo"], line["bytes"], line["most"]) for line in section["fifos"]] == [
        ("0,0,0", "injection 0.5", 580, 64), ("0,1,0", "injection 1.1", 32, 0), ("1,0,0", "reception 0.H", None, 256),
    ]  # fmt: skip
    assert section["counters"][0] | {"node": "0,0,0"} == {
        "node": "0,0,0", "counter": "injection counter 0.3", "changes": 2, "zero": 1, "below": 0, "last": 0,
    }  # fmt: skip
    assert section["counters"][1]["below"] == 1
    assert [line["to"] for line in section["descriptors"]] == ["1,1,0", "0,0,0", "0,0,0"]
    assert section["descriptors"][2]["read_ns"] is None


def test_how_full_fifos_are_over_time() -> None:
    section = dma_section(sample())
    assert section is not None
    injection, reception = np.array(section["injection"]), np.array(section["reception"])
    assert section["bins"] == 160  # of 100 ns each
    assert (injection[:10] == 0).all()
    assert (injection[10:23] == 64).all()
    assert (injection[23:] == 0).all()
    assert (reception[:80] == 0).all()
    assert (reception[80:] == 256).all()


def test_a_machine_without_engines_has_no_section() -> None:
    assert dma_section(trace_of(end=1000)) is None


def test_timelines_have_messages_and_values() -> None:
    events = list(events_of(sample()))
    slices = [event for event in events if event["ph"] == "X"]
    assert [(event["name"], event["ts"], event["dur"]) for event in slices] == [
        ("put of 480 B", 1.0, 0.5), ("put of 100 B", 2.0, 0.25), ("remote get of 32 B", 3.0, 13.0),
    ]  # fmt: skip
    values = [(event["name"], event["args"]["value"]) for event in events if event["ph"] == "C"]
    assert ("injection counter 0.3", 240) in values
    assert ("bytes in reception 0.H", 256) in values
