# SPDX-License-Identifier: Apache-2.0
"""The simulator's result file. docs/reference/simulator_files.md describes every field."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from toroid.errors import ToroidError

Ended = Literal["completed", "timeout", "interrupted", "deadlock", "stuck", "aborted", "fault", "failed"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class SecondCore(_Part):
    instructions: int
    cycles: int


class IoTraffic(_Part):
    """Traffic of calls over the tree: to I/O nodes (requests) and back (replies). Bytes are those of paths and data."""

    calls: int
    request_packets: int
    reply_packets: int
    request_bytes: int
    reply_bytes: int


class IoNode(IoTraffic):
    tree_address: int
    ranks: int
    longest_queue: int
    busy_ns: int


class Rank(_Part):
    rank: int
    coordinates: list[int]
    status: int | None
    fault: str | None
    waiting: str | None
    instructions: int
    cycles: int
    second_core: SecondCore | None = None
    io: IoTraffic
    system_calls: dict[str, int]
    unknown_system_calls: dict[str, int]
    memory: dict[str, int]


class Link(_Part):
    node: list[int]
    direction: str
    packets: int
    bytes: int
    retransmissions: int
    busy_fraction: float


class Network(_Part):
    packets_injected: int
    packets_delivered: int
    packet_hops: int
    retransmissions: int
    links: list[Link]


class Dma(_Part):
    """What the DMA engines of all nodes have done."""

    descriptors: int
    messages: int
    packets_injected: int
    packets_received: int
    packets_local: int
    bytes_read: int
    bytes_written: int
    remote_gets: int
    waits_for_fifo: int
    counter_errors: int
    refused: int
    bad_access: int


class LeftOver(_Part):
    """Packets of one class that were not received from the tree."""

    text: str


class Tree(_Part):
    packets_injected: int
    packets_delivered: int
    io_packets: int
    packet_hops: int
    damaged_frames: int = 0
    nacks: int = 0
    nack_timeouts: int = 0
    retransmissions: int
    left_over: list[LeftOver] = []


class Collective(_Part):
    """Latencies of the collective networks alone."""

    compute_nodes: int
    io_nodes: int
    tree_depth: int
    tree_root_to_all_ns: float
    tree_node_to_all_ns: float
    tree_reduction_ns: float
    barrier_ns: float


class LoadPoint(_Part):
    """What the network did at one offered load."""

    load: float
    offered: float
    accepted: float
    latency_mean_cycles: float
    latency_p50: float
    p95: float
    p99: float
    max: float
    packet_hops: int
    link_load_mean: float
    link_load_max: float


class Spread(_Part):
    min: float
    mean: float
    max: float


class MessagePoint(_Part):
    """What messages of one size did in the network alone."""

    bytes: int  # of a message
    senders: int
    messages: int
    packets: int
    packet_hops: int
    cycles: int  # until the last one had arrived
    bytes_per_cycle: Spread  # of a sending node, over all of its messages
    operation_cycles: Spread  # the same time for each of its messages
    message_cycles: Spread  # of a message, from its first packet in the injection FIFO to its last byte
    link_load_mean: float
    link_load_max: float


class RtlUnit(_Part):
    """What a unit in Verilog has done."""

    unit: str
    clock_cycles: int  # edges of its clock that were executed
    changed_bytes: int  # of packets, that came out otherwise than they went in


class Rtl(_Part):
    clock_cycles: int
    changed_bytes: int
    units: list[RtlUnit]


class Result(_Part):
    version: Literal[1]
    configuration: dict[str, Any]
    ended: Ended
    error: str | None
    simulated_ns: float
    not_modelled: list[str] = []  # by the machine's parameters
    ranks: list[Rank] = []
    coherence: list[str] | None = None
    network: Network | None = None
    dma: Dma | None = None
    tree: Tree | None = None
    io_nodes: list[IoNode] = []
    traffic: list[LoadPoint] | None = None
    messages: list[MessagePoint] | None = None
    collective: Collective | None = None
    stuck: str | None = None
    rtl: Rtl | None = None

    @property
    def instructions(self) -> int:
        """Of all cores."""
        own = sum(rank.instructions for rank in self.ranks)
        return own + sum(rank.second_core.instructions for rank in self.ranks if rank.second_core is not None)


class HostFigures(_Part):
    """What a run cost the host. Never part of the result, which is the same on any host."""

    host_seconds: float
    cpu_seconds: float
    elaboration_seconds: float
    instructions: int
    packet_hops: int
    peak_memory_kib: int
    bytes_per_router: float | None = None


def load_result(path: Path) -> Result:
    try:
        return Result.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ToroidError(f"{path}: not a result of this simulator: {error}") from error
