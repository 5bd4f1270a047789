# SPDX-License-Identifier: Apache-2.0
"""Simulations of benchmarks, and what they cost the host."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path

from toroid import paths
from toroid.configuration import RunSection, TrafficSection, configure
from toroid.errors import ToroidError
from toroid.machine import load_machine
from toroid.progress import ProgressReport
from toroid.result import HostFigures
from toroid.shape import parse_shape
from toroid.simulator import stoppable_simulation
from toroid.units import parse_duration_ns

_Follower = Callable[[ProgressReport], None]
# Called with the progress of the current simulation.
_follower: ContextVar[_Follower | None] = ContextVar("follower", default=None)
# Between two looks at a process's memory: at least so long, and this many times what a look takes, which is as long as
# the process is large.
_SAMPLE_SECONDS = 0.05
_SAMPLE_REST = 4


@contextmanager
def followed(follower: _Follower) -> Iterator[None]:
    """Within, `follower` is called with the progress of the benchmarks' simulations."""
    token = _follower.set(follower)
    try:
        yield
    finally:
        _follower.reset(token)


def simulate(
    directory: Path,
    shape_text: str,
    *,
    run: RunSection | None = None,
    traffic: TrafficSection | None = None,
    ends: str = "completed",
    memory: PeakMemory | None = None,
    machine_name: str = paths.DEFAULT_MACHINE,
) -> HostFigures:
    """Raises ToroidError if it does not end as it should. `memory` watches the simulator's process."""
    machine = load_machine(machine_name)
    directory.mkdir(parents=True, exist_ok=True)
    shape = parse_shape(shape_text, machine.dimensions)
    configuration = configure(machine, shape, 1, run=run, traffic=traffic)
    with (
        (directory / "output.txt").open("wb") as stdout,
        stoppable_simulation(configuration, directory, preset="release", stdout=stdout) as (simulation, signals),
        memory.of(simulation.process.pid) if memory is not None else nullcontext(),
    ):
        outcome = simulation.wait(_follower.get())
    if signals:
        raise KeyboardInterrupt
    if outcome.result is None or outcome.host is None or outcome.result.ended != ends:
        why = outcome.result.ended if outcome.result is not None else f"exit status {outcome.status}"
        raise ToroidError(f"benchmark in {paths.shown(directory)} ended as '{why}', expected '{ends}'")
    return outcome.host


def program(
    name: str,
    arguments: list[str],
    ranks: int,
    directory: Path,
    timeout: str | None = None,
    machine_name: str = paths.DEFAULT_MACHINE,
    mode: str | None = None,
) -> RunSection:
    return RunSection(
        program=str(paths.guest_program(name, machine_name)),
        arguments=arguments,
        mode=mode,
        ranks=ranks,
        job_directory=str(directory.parent.resolve()),
        timeout_ns=parse_duration_ns(timeout) if timeout is not None else None,
    )


class PeakMemory:
    """The highest proportional set size (PSS) of a process, by looking again and again. What the kernel itself keeps is
    the highest resident set size, in which a page that is mapped at several places counts several times: the code of a
    program, which lies in the memory of each node."""

    def __init__(self) -> None:
        self.pss_kib = 0

    @contextmanager
    def of(self, process: int) -> Iterator[None]:
        over = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(Path(f"/proc/{process}/smaps_rollup"), over))
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()

    def _watch(self, rollup: Path, over: threading.Event) -> None:
        while True:
            begun = time.monotonic()
            try:
                sizes = dict(line.split(":", 1) for line in rollup.read_text().splitlines()[1:])
                self.pss_kib = max(self.pss_kib, int(sizes["Pss"].split()[0]))
            except (OSError, KeyError):
                pass  # the process has ended
            if over.wait(max(_SAMPLE_SECONDS, _SAMPLE_REST * (time.monotonic() - begun))):
                return
