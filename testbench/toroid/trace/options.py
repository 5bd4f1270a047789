# SPDX-License-Identifier: Apache-2.0
"""Options of commands that record what happens, and the files they make of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from toroid import options
from toroid.configuration import TraceSection
from toroid.errors import UserError
from toroid.page.run_page import write_run_page
from toroid.shape import Shape
from toroid.simulator import Outcome
from toroid.trace.pcap import parse_filter, write_pcap
from toroid.trace.perfetto import write_perfetto
from toroid.trace.reader import read_trace

PAGE = "index.html"  # in a report's directory
RAW = "trace.bin"  # in a run's directory, until the files made of it are there


def trace_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--trace and what is made of a trace; they come as keyword arguments of TraceRequest."""
    file = click.Path(path_type=Path, dir_okay=False)
    decorators = [
        click.option(
            "--perfetto", "perfetto_path", type=file, metavar="FILE", callback=options.checked_output,
            help="Write a timeline of ranks, FIFOs and links, which ui.perfetto.dev opens. Packed where the name ends "
            "in .gz.",
        ),
        click.option(
            "--pcap", "pcap_path", type=file, metavar="FILE", callback=options.checked_output,
            help="Write the packets of links as pcapng, for Wireshark with testbench/wireshark/toroid.lua.",
        ),
        click.option(
            "--report", "report_path", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
            callback=options.checked_output,
            help="Write what happened as a page, DIR/index.html, that any browser opens: the torus with its loads over "
            "time, timelines of ranks, latencies by cause, protocols, tree and I/O.",
        ),
        click.option(
            "--pcap-filter", "pcap_filter", multiple=True, metavar="PLACE",
            help="Where --pcap listens: node=0,0,0, link=0,0,0:X+, links, tree=NODE or tree. Repeatable. Default: at "
            "all links of torus and tree.",
        ),
        click.option(
            "--trace", "trace_path", type=file, metavar="FILE", callback=options.checked_output,
            help="Record every packet's way, calls and waits in this file (docs/reference/trace_file.md).",
        ),
        click.option(
            "--trace-calls", "trace_calls", multiple=True, metavar="PATTERN",
            help="Functions whose calls are recorded, for example 'bglml_*'. Repeatable. Default: MPI's, or those of "
            "the message layer that send and wait, where the program has none of MPI.",
        ),
    ]  # fmt: skip
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


@dataclass(frozen=True)
class TraceRequest:
    """What a command was asked to make of a trace. Nothing: no trace is written."""

    trace_path: Path | None = None
    trace_calls: tuple[str, ...] = ()
    perfetto_path: Path | None = None
    pcap_path: Path | None = None
    report_path: Path | None = None
    pcap_filter: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        return any((self.trace_path, self.perfetto_path, self.pcap_path, self.report_path))

    def check(self, shape: Shape) -> None:
        """Raises UserError for what cannot be."""
        if self.trace_calls and not self.asked:
            raise UserError(
                "--trace-calls: nothing is recorded; give --trace FILE, --perfetto FILE or --report DIR as well"
            )
        if self.pcap_filter and self.pcap_path is None:
            raise UserError("--pcap-filter: no packets are written; give --pcap FILE as well")
        parse_filter(self.pcap_filter, shape)

    def section(self, directory: Path) -> TraceSection | None:
        """For the simulator; `directory` takes the file where it is not to be kept."""
        if not self.asked:
            return None
        contents = self.pcap_path is not None
        return TraceSection(file=str(self._raw(directory)), calls=list(self.trace_calls), contents=contents)

    def finish(self, outcome: Outcome, shape: Shape) -> list[Path]:
        """Once the simulator has ended, however: makes the files, and says which there are."""
        if not self.asked:
            return []
        page = self.report_path / PAGE if self.report_path is not None else None
        made = [path for path in (self.trace_path, self.perfetto_path, self.pcap_path, page) if path is not None]
        raw = self._raw(outcome.directory)
        if made != [self.trace_path]:
            trace = read_trace(raw)
            if page is not None:
                write_run_page(page, trace, outcome)
            if self.perfetto_path is not None:
                write_perfetto(trace, self.perfetto_path)
            if self.pcap_path is not None:
                write_pcap(trace, self.pcap_path, parse_filter(self.pcap_filter, shape))
        if self.trace_path is None:
            raw.unlink()
        return made

    def _raw(self, directory: Path) -> Path:
        return (self.trace_path or directory / RAW).resolve()
