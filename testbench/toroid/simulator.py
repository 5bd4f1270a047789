# SPDX-License-Identifier: Apache-2.0
"""Runs the simulator: a process that takes one configuration file and leaves one result file."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

from toroid import interrupts, paths
from toroid.configuration import Configuration
from toroid.errors import EXIT_INTERRUPTED, ToroidError, UserError, write_text
from toroid.progress import ProgressReport
from toroid.result import HostFigures, Result, load_result

# Signals that a process causes itself. All others are sent by other processes.
_CRASHES = {
    signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP,
}  # fmt: skip


# Of the smallest simulation for which large pages of the host have been seen to pay (docs/performance.md).
_CORES_FOR_LARGE_PAGES = 32768


class SimulatorKilledError(ToroidError):
    """Somebody else ended the simulator."""

    def __init__(self, text: str, number: signal.Signals) -> None:
        super().__init__(text)
        self.exit_status = 128 + number  # as shells have it


@dataclass(frozen=True)
class Outcome:
    """How the simulator ended. Without a result the configuration was refused, and the simulator said why; or it was
    interrupted before it began."""

    status: int
    result: Result | None
    host: HostFigures | None
    directory: Path

    @property
    def refused(self) -> bool:
        return self.result is None and self.status != EXIT_INTERRUPTED


def built_simulator(preset: str | None = None) -> Path:
    executable = paths.simulator(preset)
    if not executable.is_file():
        raise ToroidError(f"{paths.shown(executable)} has not been built")
    return executable


def check_machine(configuration: Configuration) -> None:
    """Whether programs can run on the machine of this configuration, whatever they are, or its synthetic traffic can
    flow, with all that the configuration asks for; without a run or traffic, whether there can be such a machine. Runs
    nothing and leaves nothing. Raises UserError with the simulator's own words if not."""
    with tempfile.TemporaryDirectory(prefix="toroid-") as directory:
        path = Path(directory) / "configuration.json"
        configuration.write(path)
        checked = subprocess.run(
            [built_simulator(), "--check", path], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    if checked.returncode != 0:
        why = checked.stderr.strip().removeprefix("toroid-sim: ")
        raise UserError(why or f"the simulator ended with status {checked.returncode}")


def list_parameters(machine: str) -> bytes:
    """What parameters a machine has, as the simulator's JSON."""
    listed = subprocess.run(
        [built_simulator(), "--parameters", machine], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if listed.returncode != 0:
        raise ToroidError(listed.stderr.decode(errors="replace").strip().removeprefix("toroid-sim: "))
    return listed.stdout


def environment_of(configuration: Configuration) -> dict[str, str]:
    """The environment of the simulator. A heap with many cores in it is larger than what the host's translation buffers
    reach in pages of 4 KiB: then the C library asks for large pages, unless GLIBC_TUNABLES is set already."""
    environment = dict(os.environ)
    if configuration.run is not None:
        mode = configuration.modes[configuration.run.mode or next(iter(configuration.modes))]
        cores = math.prod(configuration.shape) * mode.processes * mode.cores
        if cores >= _CORES_FOR_LARGE_PAGES:
            environment.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    return environment


class Simulation:
    """One simulator process at work. Its output is that of the emulated program, on our own standard output and error
    unless `stdout` and `stderr` say otherwise."""

    def __init__(
        self,
        configuration: Configuration,
        directory: Path,
        *,
        preset: str | None = None,
        stdout: IO[bytes] | None = None,
        stderr: IO[bytes] | None = None,
    ) -> None:
        """Starts the simulator; configuration, result and host figures go into `directory`."""
        executable = built_simulator(preset)
        self.directory = directory
        self._result = directory / "result.json"
        self._result.unlink(missing_ok=True)
        configuration.write(directory / "configuration.json")
        read_end, write_end = os.pipe()
        self._progress = os.fdopen(read_end, encoding="utf-8")
        try:
            self.process = subprocess.Popen(
                [executable, directory / "configuration.json", self._result, "--progress", str(write_end)],
                pass_fds=(write_end,),
                env=environment_of(configuration),
                stdout=stdout,
                stderr=stderr,
            )
        finally:
            os.close(write_end)

    def stop(self) -> None:
        """Asks for an end at the next moment that allows it; the result is still written."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def wait(self, on_progress: Callable[[ProgressReport], None] | None = None) -> Outcome:
        """Follows the simulation to its end."""
        host: HostFigures | None = None
        with self._progress:
            for line in self._progress:
                report = json.loads(line)
                if report.get("done"):
                    host = HostFigures.model_validate(report)
                elif on_progress is not None:
                    on_progress(ProgressReport(**report))
        status = self.process.wait()
        if status in (-signal.SIGINT, -signal.SIGTERM):  # before it was ready to stop by itself
            status = EXIT_INTERRUPTED
        if status < 0:
            self._ended_by(signal.Signals(-status))
        if host is not None:
            write_text(self.directory / "host.json", host.model_dump_json(indent=1) + "\n")
        result = load_result(self._result) if self._result.is_file() else None
        return Outcome(status, result, host, self.directory)

    def _ended_by(self, number: signal.Signals) -> NoReturn:
        where = paths.shown(self.directory / "configuration.json")
        waves = json.loads((self.directory / "configuration.json").read_text()).get("rtl", {}).get("waves")
        if waves is not None and number in (signal.SIGBUS, signal.SIGXFSZ):  # what writes them maps the file
            raise ToroidError(f"{waves['file']}: the waves could not be written: there is no room left for them")
        if number in _CRASHES:
            text = f"the simulator crashed ({number.name}), which is its own mistake; configuration: {where}"
            raise ToroidError(text)
        hint = ""
        if number == signal.SIGKILL:
            hint = "; a host that runs out of memory does that, and a smaller --shape or node.memory_size needs less"
        raise SimulatorKilledError(f"the simulator was killed from outside ({number.name}){hint}", number)


@contextmanager
def stoppable_simulation(
    configuration: Configuration,
    directory: Path,
    *,
    preset: str | None = None,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
) -> Iterator[tuple[Simulation, list[int]]]:
    """A simulation that Ctrl-C and SIGTERM stop from its first moment on, and the signals seen."""
    simulation: Simulation | None = None

    def stop() -> None:
        if simulation is not None:
            simulation.stop()

    with stop_on_signals(stop) as seen:
        simulation = Simulation(configuration, directory, preset=preset, stdout=stdout, stderr=stderr)
        if seen:
            simulation.stop()
        yield simulation, seen


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[list[int]]:
    """While it holds, Ctrl-C (SIGINT) and SIGTERM call `stop` instead of ending us at once; the signals seen are in the
    list. A terminal sends Ctrl-C to the simulator as well, which takes the second one for the same request."""
    seen: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        seen.append(number)
        interrupts.note()
        stop()

    before = {number: signal.signal(number, handle) for number in interrupts.SIGNALS}
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
