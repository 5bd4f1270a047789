# SPDX-License-Identifier: Apache-2.0
"""Optional output of `reproduce` in addition to results: a report, timelines, captures."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from toroid.configuration import TraceSection
from toroid.errors import UserError
from toroid.page.index_page import FigureResult, RunLine
from toroid.shape import Shape
from toroid.simulator import Outcome
from toroid.trace.options import RAW

if TYPE_CHECKING:
    from toroid.experiments.harness import ProgramRun

PAGES = "runs"  # in a report's directory
# Processing a trace takes several times its size of the host's memory.
LARGEST_TRACE = 1 << 30


@dataclass
class Recording:
    """Directories, each with a file a run; `patterns`: only of runs whose names fit one. Nothing asked for: nothing is
    recorded."""

    report: Path | None = None
    perfetto: Path | None = None
    pcap: Path | None = None
    patterns: tuple[str, ...] = ()
    figures: list[FigureResult] = field(default_factory=list)
    _lines: dict[str, RunLine] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def asked(self) -> bool:
        return any((self.report, self.perfetto, self.pcap))

    def check(self) -> None:
        if self.patterns and not self.asked:
            raise UserError("--trace-runs: nothing is recorded; give --report, --perfetto or --pcap as well")

    def check_patterns(self) -> None:
        """At the end, when all runs are known. Raises UserError for a pattern that none has fitted."""
        for pattern in self.patterns:
            if not any(fnmatchcase(name, pattern) for name in self._lines):
                names = ", ".join(sorted(self._lines)) or "none"
                raise UserError(f"--trace-runs {pattern}: fits no run; there were: {names}")

    def section(self, run: ProgramRun, directory: Path) -> TraceSection | None:
        """For the simulator."""
        if not self._wanted(run.name):
            return None
        return TraceSection(file=str((directory / RAW).resolve()), contents=self.pcap is not None)

    def use(self, name: str, runs: list[ProgramRun]) -> None:
        """Figure `name`, or what comes next of it, is measured by these runs."""
        for figure in self.figures:
            if figure.name == name:
                figure.runs += [run.name for run in runs if run.name not in figure.runs]

    def finish(self, run: ProgramRun, outcome: Outcome) -> None:
        """Once its simulator has ended, however: makes the files. Called by several threads; one works at a time."""
        if not self.asked or outcome.result is None:
            return
        with self._lock:
            self._lines[run.name] = line = RunLine(
                run.name, " ".join([run.program, *run.arguments]), str(run.shape), outcome.result
            )
            if not self._wanted(run.name):
                line.why_no_page = "not chosen by --trace-runs"
                return
            raw = outcome.directory / RAW
            try:
                self._make(run.name, run.shape, raw, outcome, line)
            finally:
                raw.unlink(missing_ok=True)

    def _make(self, name: str, shape: Shape, raw: Path, outcome: Outcome, line: RunLine) -> None:
        if outcome.result is not None and outcome.result.ended == "interrupted":
            line.why_no_page = "interrupted"  # the user wants the command to end
            return
        if (size := raw.stat().st_size) > LARGEST_TRACE:
            line.why_no_page = f"its trace of {size / 2**30:.1f} GiB is too large; run a smaller one by itself"
            return
        # Imported here: importing it takes longer than many a command that records nothing.
        from toroid.page.run_page import write_run_page
        from toroid.trace.pcap import parse_filter, write_pcap
        from toroid.trace.perfetto import write_perfetto
        from toroid.trace.reader import read_trace

        trace = read_trace(raw)
        if self.report is not None:
            page = Path(PAGES) / f"{name}.html"
            write_run_page(self.report / page, trace, outcome)
            line.page = str(page)
        if self.perfetto is not None:
            self.perfetto.mkdir(parents=True, exist_ok=True)
            write_perfetto(trace, self.perfetto / f"{name}.json.gz")
        if self.pcap is not None:
            self.pcap.mkdir(parents=True, exist_ok=True)
            write_pcap(trace, self.pcap / f"{name}.pcapng", parse_filter((), shape))

    def _wanted(self, name: str) -> bool:
        return self.asked and (not self.patterns or any(fnmatchcase(name, pattern) for pattern in self.patterns))

    def lines(self) -> dict[str, RunLine]:
        return dict(self._lines)
