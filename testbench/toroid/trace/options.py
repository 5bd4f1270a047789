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
from toroid.shape import Shape
from toroid.trace.pcap import parse_filter, write_pcap
from toroid.trace.perfetto import write_perfetto
from toroid.trace.reader import read_trace

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
    pcap_filter: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        return any((self.trace_path, self.perfetto_path, self.pcap_path))

    def check(self, shape: Shape) -> None:
        """Raises UserError for what cannot be."""
        if self.trace_calls and not self.asked:
            raise UserError("--trace-calls: nothing is recorded; give --trace FILE or --perfetto FILE as well")
        if self.pcap_filter and self.pcap_path is None:
            raise UserError("--pcap-filter: no packets are written; give --pcap FILE as well")
        parse_filter(self.pcap_filter, shape)

    def section(self, directory: Path) -> TraceSection | None:
        """For the simulator; `directory` takes the file where it is not to be kept."""
        if not self.asked:
            return None
        contents = self.pcap_path is not None
        return TraceSection(file=str(self._raw(directory)), calls=list(self.trace_calls), contents=contents)

    def finish(self, directory: Path, shape: Shape) -> list[Path]:
        """Once the simulator has ended: makes the files, and says which there are."""
        if not self.asked:
            return []
        made = [path for path in (self.trace_path, self.perfetto_path, self.pcap_path) if path is not None]
        raw = self._raw(directory)
        if self.perfetto_path is not None or self.pcap_path is not None:
            trace = read_trace(raw)
            if self.perfetto_path is not None:
                write_perfetto(trace, self.perfetto_path)
            if self.pcap_path is not None:
                write_pcap(trace, self.pcap_path, parse_filter(self.pcap_filter, shape))
        if self.trace_path is None:
            raw.unlink()
        return made

    def _raw(self, directory: Path) -> Path:
        return (self.trace_path or directory / RAW).resolve()
