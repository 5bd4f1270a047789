# SPDX-License-Identifier: Apache-2.0
"""The summary after a program has run on the machine."""

from __future__ import annotations

from collections import Counter

from rich.table import Table

from toroid.report import Row
from toroid.result import Result
from toroid.shape import Shape
from toroid.simulator import Outcome
from toroid.units import fitting, fitting_time

_MOST_RANKS_SHOWN = 8


def summary_rows(outcome: Outcome) -> list[Row]:
    """Figures of a run. Those of the host differ from run to run, all others do not."""
    result, host = outcome.result, outcome.host
    assert result is not None
    figures: list[tuple[str, str, float | None]] = [
        ("simulated time", "us", result.simulated_ns / 1e3),
        ("ranks", "count", len(result.ranks)),
        ("instructions", "count", result.instructions),
        ("system calls", "count", sum(sum(rank.system_calls.values()) for rank in result.ranks)),
    ]
    if (network := result.network) is not None:
        # The result lists only links that carried anything; idle ones count in the mean all the same.
        configured = result.configuration
        links = Shape(tuple(configured["shape"]), tuple(configured["wrap"])).links
        busy = [link.busy_fraction for link in network.links]
        figures += [
            ("packets injected", "count", network.packets_injected),
            ("packets delivered", "count", network.packets_delivered),
            ("packet hops", "count", network.packet_hops),
            ("retransmissions", "count", network.retransmissions),
            ("link load, mean", "fraction", sum(busy) / links if links else None),
            ("link load, highest", "fraction", max(busy, default=0.0)),
        ]
    if (dma := result.dma) is not None and dma.descriptors:
        figures += [
            ("DMA messages", "count", dma.messages),
            ("bytes read by DMA", "bytes", dma.bytes_read),
            ("packets inside nodes", "count", dma.packets_local),
            ("remote gets", "count", dma.remote_gets),
            ("waits for reception FIFOs", "count", dma.waits_for_fifo),
        ]
    if (tree := result.tree) is not None and tree.packets_injected:
        figures += [
            ("tree packets injected", "count", tree.packets_injected),
            ("tree packets delivered", "count", tree.packets_delivered),
        ]
    if tree is not None and tree.damaged_frames:
        figures += [
            ("tree frames damaged", "count", tree.damaged_frames),
            ("tree NACKs", "count", tree.nacks),
            ("tree retransmissions", "count", tree.retransmissions),
        ]
    if result.io_nodes and tree is not None:
        figures += [
            ("I/O nodes", "count", len(result.io_nodes)),
            ("calls to I/O nodes", "count", sum(node.calls for node in result.io_nodes)),
            ("I/O packets on the tree", "count", tree.io_packets),
            ("written to I/O nodes, with paths", "bytes", sum(node.request_bytes for node in result.io_nodes)),
            ("read from I/O nodes", "bytes", sum(node.reply_bytes for node in result.io_nodes)),
            ("busiest I/O node busy", "us", max(node.busy_ns for node in result.io_nodes) / 1e3),
        ]
    if result.rtl is not None:
        figures += [
            ("units in Verilog", "count", len(result.rtl.units)),
            ("clock cycles of units in Verilog", "count", result.rtl.clock_cycles),
            ("bytes changed by units in Verilog", "count", result.rtl.changed_bytes),
        ]
    if host is not None:
        speed = host.instructions / host.cpu_seconds / 1e6 if host.cpu_seconds > 0 else None
        figures += [
            ("host time", "s", host.host_seconds),
            ("host memory", "MiB", host.peak_memory_kib / 1024),
            ("speed", "M instructions/s", speed),
        ]
    return [Row("run", name, unit, None, value) for name, unit, value in figures]


def summary_table(program: str, rows: list[Row]) -> Table:
    """What is zero stands below it, by name."""
    table = Table(title=program, title_justify="left", caption_justify="left", show_header=False)
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("unit")
    zero = []
    for row in rows:
        if row.measured == 0:
            zero.append(row.row)
        else:
            table.add_row(row.row, *shown(row))
    if zero:
        table.caption = f"zero: {'; '.join(zero)}"
    return table


def shown(row: Row) -> tuple[str, str]:
    """A row's figure as people read it, and its unit."""
    if row.measured is None:
        return "-", ""
    if row.unit == "fraction":
        return f"{100 * row.measured:.2f}", "%"
    text, unit = fitting(row.measured, row.unit)
    return text, "" if unit == "count" else unit


def rank_lines(result: Result) -> list[str]:
    """A line for each rank that did not end well or at all, and for system calls that the kernel does not have."""
    lines = []
    # A fault, of a rank or of a unit in Verilog, or an abort ends all ranks; where they were then explains nothing.
    faulted = result.ended in ("aborted", "fault") or any(rank.fault is not None for rank in result.ranks)
    for rank in result.ranks:
        if rank.fault is not None:
            lines.append(rank.fault)
        elif rank.status:
            lines.append(f"rank {rank.rank}: exit status {rank.status}")
        elif rank.waiting is not None and not faulted:
            lines.append(rank.waiting)
    if len(lines) > _MOST_RANKS_SHOWN:
        lines[_MOST_RANKS_SHOWN:] = [f"and {len(lines) - _MOST_RANKS_SHOWN} more ranks"]
    if result.coherence:
        lines += [f"coherence: {finding}" for finding in result.coherence]
    left = result.tree.left_over if result.tree else []
    lines += [f"not received from the tree: {packets.text}" for packets in left[:_MOST_RANKS_SHOWN]]
    if len(left) > _MOST_RANKS_SHOWN:
        lines.append(f"not received from the tree: and more, {len(left)} places in all")
    unknown: Counter[str] = Counter()
    for rank in result.ranks:
        unknown.update(rank.unknown_system_calls)
    if unknown:
        calls = ", ".join(f"{name} ({count})" for name, count in sorted(unknown.items()))
        lines.append(f"system calls that the kernel does not have (answered ENOSYS): {calls}")
    return lines


def omission(result: Result) -> str | None:
    """What times leave out, as the machine's parameters say."""
    if not result.not_modelled:
        return None
    return f"not modelled: {', '.join(result.not_modelled)}; simulated times are not the machine's"


def explanation(result: Result) -> str | None:
    """Why the run ended otherwise than by all ranks' exits."""
    if result.ended == "completed":
        return None
    at = f"after {fitting_time(result.simulated_ns)} of simulated time"
    if result.ended == "interrupted":
        return f"interrupted {at}; these are the results until then"
    parts = [f"{result.ended} {at}"]
    # A fault has been reported with its rank.
    if result.error and not any(rank.fault and rank.fault in result.error for rank in result.ranks):
        parts.append(result.error)
    text = ": ".join(parts)
    return f"{text}\n{result.stuck}" if result.stuck else text
