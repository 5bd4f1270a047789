# SPDX-License-Identifier: Apache-2.0
"""Options of commands that record a trace, and the files derived from it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toroid import guest, options
from toroid.configuration import TraceSection
from toroid.errors import ToroidError, UserError
from toroid.machine import Machine
from toroid.shape import Shape
from toroid.simulator import Outcome

# What reads traces and writes files of them is imported where it is used: importing it takes longer than many a run.
if TYPE_CHECKING:
    from toroid.trace.reader import Trace

PAGE = "index.html"  # in a report's directory
RAW = "trace.bin"  # in a run's directory, until the files made of it are there


def checked_report(ctx: click.Context, parameter: click.Parameter, directory: Path | None) -> Path | None:
    """Callback of options that name a report's directory."""
    if options.checked_output(ctx, parameter, directory) is None or directory is None:
        return None
    if (directory / PAGE).is_dir():
        raise UserError(f"{parameter.opts[0]} {directory}: cannot be written: {directory / PAGE} is a directory")
    options.checked_output(ctx, parameter, directory / PAGE)
    return directory


def trace_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--trace and the options for files derived from a trace; they become keyword arguments of TraceRequest."""
    file = options.OutputPath()
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
            "--report", "report_path", type=options.OutputPath(directory=True), metavar="DIR",
            callback=checked_report,
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
            help="Functions whose calls are recorded, for example 'MPI_*send*'. Repeatable. Default: MPI's; in a "
            "program without MPI, those of the message layer that send and wait.",
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

    def check(self, shape: Shape, machine: Machine) -> None:
        """Raises UserError for what cannot be."""
        if self.trace_calls and not self.asked:
            raise UserError(
                "--trace-calls: nothing is recorded; give --trace FILE, --perfetto FILE or --report DIR as well"
            )
        if self.pcap_filter and self.pcap_path is None:
            raise UserError("--pcap-filter: no packets are written; give --pcap FILE as well")
        if not self.pcap_filter:
            return
        from toroid.trace.pcap import check_tree_nodes, parse_filter

        chosen = parse_filter(self.pcap_filter, shape)
        if "tree.nodes_per_io_node" in machine.parameters:
            check_tree_nodes(chosen, shape, shape.io_nodes(int(machine.number("tree.nodes_per_io_node"))))
        elif chosen.whole_tree or chosen.tree_nodes:
            raise UserError(f"--pcap-filter tree: {machine.title} has no tree")

    def warnings(self, program: Path, machine: Machine) -> Iterator[str]:
        """Warnings about options that have no effect with this program."""
        if not self.trace_calls:
            return
        functions = guest.function_names(program, machine.name)
        for pattern in self.trace_calls:
            if not any(fnmatchcase(name, pattern) for name in functions):
                why = f"fits no function of {program.name}" if functions else f"{program.name} names no functions"
                yield f"--trace-calls {pattern}: {why}, so it records no calls"

    def check_places(self, others: Sequence[tuple[str, Path | None]], results: Path | None) -> None:
        """Raises UserError where two files of a run would be the same, or one the directory of another: ours, the
        `others` with what they are called, and what it leaves in the directory `results`."""
        named = [("--trace", self.trace_path), ("--perfetto", self.perfetto_path), ("--pcap", self.pcap_path), *others]
        if self.report_path is not None:
            named.append(("--report", self.report_path / PAGE))
        if results is not None:
            kept = ("configuration.json", "result.json", "host.json")
            named += [("the run's", results / name) for name in (kept if self.trace_path else (*kept, RAW))]
        places = {
            f"{name} {path}": path.resolve()
            for name, path in named
            if path is not None and (path.is_file() or not path.exists())  # any number may write to /dev/null
        }
        for (first, one), (second, other) in itertools.permutations(places.items(), 2):
            if one == other:
                raise UserError(f"{first} and {second}: the same file; each needs one of its own")
            if one in other.parents:
                raise UserError(f"{second}: cannot be written: {first} is a file, not a directory")

    def section(self, directory: Path) -> TraceSection | None:
        """For the simulator; `directory` takes the file where it is not to be kept."""
        if not self.asked:
            return None
        if self.trace_path is not None:
            options.prepared_directory(self.trace_path.resolve().parent)
        contents = self.pcap_path is not None
        return TraceSection(file=str(self._raw(directory)), calls=list(self.trace_calls), contents=contents)

    def finish(self, outcome: Outcome, shape: Shape) -> tuple[list[Path], list[ToroidError]]:
        """Once the simulator has ended, however: makes the files, and says which there are. One that cannot be made
        keeps nobody from the others."""
        made: list[Path] = []
        failed: list[ToroidError] = []
        if not self.asked:
            return made, failed
        raw = self._raw(outcome.directory)
        try:
            if self.trace_path is not None:
                made.append(self.trace_path)
            writers = self._writers(outcome, shape)
            if writers:
                from toroid.trace.reader import read_trace

                trace = read_trace(raw)
                for path, write in writers:
                    try:
                        write(trace)
                        made.append(path)
                    except ToroidError as error:
                        failed.append(error)
        except ToroidError as error:  # without a trace there is none of them
            failed.append(error)
        finally:
            if self.trace_path is None:
                raw.unlink(missing_ok=True)
        return made, failed

    def _writers(self, outcome: Outcome, shape: Shape) -> list[tuple[Path, Callable[[Trace], object]]]:
        """The files to be made of the trace."""
        from toroid.page.run_page import write_run_page
        from toroid.trace.pcap import parse_filter, write_pcap
        from toroid.trace.perfetto import write_perfetto

        writers: list[tuple[Path, Callable[[Trace], object]]] = []
        if (perfetto := self.perfetto_path) is not None:
            writers.append((perfetto, lambda trace: write_perfetto(trace, perfetto)))
        if (pcap := self.pcap_path) is not None:
            writers.append((pcap, lambda trace: write_pcap(trace, pcap, parse_filter(self.pcap_filter, shape))))
        if self.report_path is not None:
            page = self.report_path / PAGE
            writers.append((page, lambda trace: write_run_page(page, trace, outcome)))
        return writers

    def _raw(self, directory: Path) -> Path:
        return (self.trace_path or directory / RAW).resolve()
