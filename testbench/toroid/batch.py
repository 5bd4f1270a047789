# SPDX-License-Identifier: Apache-2.0
"""Runs several simulations, some of them in parallel. A result does not depend on which others run at the same time."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from toroid.configuration import Configuration
from toroid.console import say
from toroid.progress import BatchProgress, ProgressReport, together
from toroid.simulator import Outcome, Simulation, stop_on_signals

# The file in a job's directory that takes the emulated program's standard output.
OUTPUT = "output.txt"


@dataclass(frozen=True)
class Job:
    """One simulation, and the directory for its files. The output of its program is kept there too if `keep_output` is
    set."""

    configuration: Configuration
    directory: Path
    keep_output: bool = False
    after: Callable[[Outcome], None] | None = None  # called as soon as it has ended, in a thread of its own


@dataclass(frozen=True)
class BatchOutcome:
    """The outcomes of the jobs, in order; None for those that did not start because of an interrupt or the refusal of
    an earlier one."""

    outcomes: list[Outcome | None]
    interrupted: bool


class _Messages:
    """The standard error of simulations: grouped by simulation, and lines that several of them print only once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: set[str] = set()

    def tell(self, file: IO[bytes]) -> None:
        file.seek(0)
        for line in file.read().decode(errors="replace").splitlines():
            with self._lock:
                # The simulator's own remarks: a program's lines may well be the same.
                if line.startswith("toroid-sim: ") and line in self._told:
                    continue
                self._told.add(line)
            say(line)


def run_batch(
    jobs: Sequence[Job],
    *,
    at_once: int | None = None,
    on_progress: Callable[[BatchProgress], None] | None = None,
    earlier: Callable[[Job], Outcome | None] | None = None,
) -> BatchOutcome:
    """Runs all jobs, `at_once` at a time (default: one for each host core), in order. SIGINT and SIGTERM stop the
    running jobs and start no more. A job with an outcome in `earlier` is not run."""
    reports: list[ProgressReport | None] = [None] * len(jobs)
    complete = 0
    messages = _Messages()
    running: list[Simulation] = []
    counting = threading.Lock()
    stopped = False
    failed = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        for simulation in running:
            simulation.stop()

    def one(index: int) -> Outcome | None:
        nonlocal failed
        if stopped or failed:
            return None
        if earlier is not None and (before := earlier(jobs[index])) is not None:
            note_completion(index)
            return before
        outcome = None
        try:
            outcome = simulate(index)
        finally:
            # What one configuration is refused for, or crashes at, is seldom its own alone.
            failed = failed or outcome is None or outcome.refused
        return outcome

    def note_completion(index: int) -> None:
        nonlocal complete
        reports[index] = replace(reports[index] or ProgressReport(), fraction=1.0, live_ranks=None)
        with counting:
            complete += 1

    def simulate(index: int) -> Outcome:
        def follow(now: ProgressReport) -> None:
            reports[index] = now

        job = jobs[index]
        job.directory.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            output = stack.enter_context((job.directory / OUTPUT).open("wb")) if job.keep_output else None
            said = stack.enter_context(tempfile.TemporaryFile())
            stack.callback(messages.tell, said)
            simulation = Simulation(job.configuration, job.directory, stdout=output, stderr=said)
            running.append(simulation)
            if stopped:
                simulation.stop()
            outcome = simulation.wait(follow)
        if job.after is not None:
            job.after(outcome)
        note_completion(index)
        return outcome

    with stop_on_signals(stop) as signals, ThreadPoolExecutor(at_once or os.cpu_count()) as pool:
        futures = [pool.submit(one, index) for index in range(len(jobs))]
        for future in futures:
            while not future.done():
                try:
                    future.exception(timeout=0.1)
                except TimeoutError:
                    if on_progress is not None:
                        on_progress(BatchProgress(len(jobs), complete, together(reports, len(jobs))))
        return BatchOutcome([future.result() for future in futures], bool(signals))
