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

RAW = "trace.bin"  # in a run's directory, where it is not kept elsewhere


def trace_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--trace and those that are made of a trace; they come as keyword arguments of TraceRequest."""
    decorators = [
        click.option(
            "--trace", "trace_path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
            callback=options.checked_output,
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

    def check(self) -> None:
        if self.trace_calls and self.trace_path is None:
            raise UserError("--trace-calls: nothing is recorded; give --trace FILE as well")

    def section(self, directory: Path) -> TraceSection | None:
        """For the simulator; `directory` takes the file where it is not to be kept."""
        if self.trace_path is None:
            return None
        return TraceSection(file=str(self._raw(directory)), calls=list(self.trace_calls))

    def finish(self, directory: Path) -> list[Path]:
        """Once the simulator has ended: makes the files, and says which there are."""
        return [] if self.trace_path is None else [self.trace_path]

    def _raw(self, directory: Path) -> Path:
        return (self.trace_path or directory / RAW).resolve()
