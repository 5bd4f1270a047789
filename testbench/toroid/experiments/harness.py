# SPDX-License-Identifier: Apache-2.0
"""What experiments share: programs run on a machine, several at a time, with their output at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean

from toroid import batch, paths
from toroid.batch import Job, run_batch
from toroid.configuration import MessageTrafficSection, RtlSection, RunSection, TrafficSection, configure
from toroid.errors import RefusedError, ToroidError
from toroid.experiments.recording import Recording
from toroid.machine import Machine
from toroid.progress import BatchProgress, Narrator
from toroid.report import Row
from toroid.result import Collective, LoadPoint, MessagePoint, Result
from toroid.shape import Shape
from toroid.simulator import Outcome, check_machine

_PAIR = re.compile(r"(\w+)=(\S+)")


def require_valid(machine: Machine, rtl: RtlSection | None = None) -> None:
    """Raises UserError if no program can run on the machine, or it has no units in Verilog, before any existing file is
    changed."""
    ones = len(machine.dimensions)
    smallest = Shape((1,) * ones, (True,) * ones)
    check_machine(configure(machine, smallest, 1, run=RunSection(program="", ranks=1, job_directory=""), rtl=rtl))


@dataclass(frozen=True)
class ProgramRun:
    """One run of a guest program. `name` is also the name of its directory; `ranks` None: one for each node."""

    name: str
    program: str
    arguments: tuple[str, ...]
    shape: Shape
    ranks: int | None = None
    mapping: Path | None = None
    environment: tuple[tuple[str, str], ...] = ()
    mode: str | None = None  # one of the machine's; the usual one
    # Changes of the machine, name=value; a parameter that the user has changed stays as it is.
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class NetworkRun:
    """One run of synthetic traffic on the network alone. `name` is also the name of its directory."""

    name: str
    shape: Shape
    traffic: MessageTrafficSection | TrafficSection


@dataclass
class HostCost:
    """What runs have cost the host, together. Seconds are those of CPU time."""

    runs: int = 0
    instructions: int = 0
    packets: int = 0
    packet_hops: int = 0
    cpu_seconds: float = 0.0

    def add(self, outcome: Outcome) -> None:
        if outcome.host is None or outcome.result is None:
            return
        self.runs += 1
        self.instructions += outcome.host.instructions
        self.packets += outcome.result.network.packets_delivered if outcome.result.network is not None else 0
        self.packet_hops += outcome.host.packet_hops
        self.cpu_seconds += outcome.host.cpu_seconds

    def __str__(self) -> str:
        seconds = max(self.cpu_seconds, 1e-9)
        if self.instructions == 0:
            return (
                f"{self.runs} runs of the network alone, {self.packet_hops / 1e6:,.1f} M packet-hops in "
                f"{self.cpu_seconds:.1f} s of CPU: {self.packet_hops / seconds / 1e6:,.2f} M packet-hops a second"
            )
        return (
            f"{self.runs} runs, {self.instructions / 1e6:,.0f} M instructions and {self.packets / 1e3:,.0f} k packets "
            f"emulated in {self.cpu_seconds:.1f} s of CPU: {self.instructions / seconds / 1e6:,.0f} M instructions "
            f"and {self.packets / seconds / 1e3:,.1f} k packets a second"
        )


@dataclass
class Lab:
    """A machine to run programs on, and the directory their files go to. Experiments that ask for the same run share
    it."""

    machine: Machine
    directory: Path
    at_once: int | None = None
    on_progress: Callable[[float, str], None] | None = None
    cost: HostCost = field(default_factory=HostCost)
    recording: Recording = field(default_factory=Recording)
    figure: str = ""  # that is being measured
    rtl: RtlSection | None = None  # units that are Verilog, in runs of programs
    earlier: Callable[[Job], Outcome | None] | None = None  # runs that need not be made again
    short: bool = False  # small machines and few operations
    _outputs: dict[ProgramRun, str] = field(default_factory=dict)

    def run(self, runs: Sequence[ProgramRun]) -> list[str]:
        """The standard output of each run, in order. Raises ToroidError if one did not end normally."""
        self.recording.use(self.figure, list(runs))
        wanted = [run for run in dict.fromkeys(runs) if run not in self._outputs]
        jobs = [self._job(run) for run in wanted]
        done = run_batch(jobs, at_once=self.at_once, on_progress=self._progress(), earlier=self.earlier)
        if done.interrupted:
            raise KeyboardInterrupt
        for run, outcome in zip(wanted, done.outcomes, strict=True):
            assert outcome is not None
            self._check(run, outcome)
            self.cost.add(outcome)
            self._outputs[run] = (outcome.directory / batch.OUTPUT).read_text(encoding="utf-8")
        return [self._outputs[run] for run in runs]

    def collective(self, shapes: Sequence[Shape]) -> list[Collective]:
        """Latencies of the collective networks alone, of machines of these shapes."""
        jobs = [Job(configure(self.machine, shape, 1), self.directory / f"collective-{shape}") for shape in shapes]
        done = run_batch(jobs, at_once=self.at_once, earlier=self.earlier)
        if done.interrupted:
            raise KeyboardInterrupt
        found = []
        for outcome in done.outcomes:
            assert outcome is not None
            if outcome.refused:
                raise RefusedError(outcome.status)
            if outcome.result is None or outcome.result.collective is None:
                raise ToroidError(f"the simulator gave no latencies; files in {paths.shown(outcome.directory)}")
            found.append(outcome.result.collective)
        return found

    def messages(self, runs: Sequence[NetworkRun]) -> list[MessagePoint]:
        """What the messages of each run did, in order. Raises ToroidError if some did not arrive."""
        return [point for result in self._network(runs) for point in result.messages or []]

    def loads(self, runs: Sequence[NetworkRun]) -> list[LoadPoint]:
        """What the network did at each load of each run, in order. Raises ToroidError if it did nothing."""
        return [point for result in self._network(runs) for point in result.traffic or []]

    def _network(self, runs: Sequence[NetworkRun]) -> list[Result]:
        jobs = [
            Job(configure(self.machine, run.shape, 1, traffic=run.traffic), self.directory / run.name) for run in runs
        ]
        done = run_batch(jobs, at_once=self.at_once, on_progress=self._progress(), earlier=self.earlier)
        if done.interrupted:
            raise KeyboardInterrupt
        found = []
        for run, outcome in zip(runs, done.outcomes, strict=True):
            assert outcome is not None
            if outcome.refused:
                raise RefusedError(outcome.status)
            if outcome.result is None or not (outcome.result.messages or outcome.result.traffic):
                why = outcome.result.error if outcome.result is not None else f"exit status {outcome.status}"
                raise ToroidError(f"{run.name}: {why}; files in {paths.shown(outcome.directory)}")
            self.cost.add(outcome)
            found.append(outcome.result)
        return found

    def _job(self, run: ProgramRun) -> Job:
        directory = self.directory / run.name
        section = RunSection(
            program=str(paths.guest_program(run.program, self.machine.name)),
            arguments=list(run.arguments),
            ranks=run.ranks or run.shape.nodes,
            mapping=str(run.mapping.resolve()) if run.mapping is not None else None,
            job_directory=str(directory.resolve()),
            environment=dict(run.environment),
            mode=run.mode,
            trace=self.recording.section(run, directory),
        )
        after = partial(self.recording.finish, run)
        machine = self._changed(run.settings)
        return Job(
            configure(machine, run.shape, 1, run=section, rtl=self.rtl), directory, keep_output=True, after=after
        )

    def _changed(self, settings: Sequence[str]) -> Machine:
        parameters = self.machine.parameters
        return self.machine.with_settings(
            [setting for setting in settings if parameters[setting.partition("=")[0]].overridden is None]
        )

    def _progress(self) -> Callable[[BatchProgress], None]:
        narrator = Narrator()

        def tell(now: BatchProgress) -> None:
            if self.on_progress is not None:
                self.on_progress(now.fraction, narrator.batch_words(now, "runs"))

        return tell

    @staticmethod
    def _check(run: ProgramRun, outcome: Outcome) -> None:
        if outcome.result is not None and outcome.status == 0:
            return
        if outcome.refused:
            raise RefusedError(outcome.status)
        why = outcome.result.error if outcome.result is not None else None
        call = " ".join([run.program, *run.arguments])
        where = paths.shown(outcome.directory)
        raise ToroidError(f"{call}: {why or f'exit status {outcome.status}'}; files in {where}")


@dataclass(frozen=True)
class Findings:
    """What an experiment has found: rows for the table, and how its plot is drawn."""

    rows: list[Row]
    draw: Callable[[Path], None]


def records(output: str, name: str) -> list[dict[str, str]]:
    """Lines such as 'pingpong protocol=eager size=1 hops=2' as dictionaries."""
    return [dict(_PAIR.findall(line)) for line in output.splitlines() if line.startswith(f"{name} ")]


def slope_within(groups: Iterable[Sequence[tuple[float, float]]]) -> float:
    """The one slope of straight lines, a line a group of pairs, that fit best (least squares, each its own offset)."""
    products = squares = 0.0
    for pairs in groups:
        mean_x = fmean(x for x, _ in pairs)
        mean_y = fmean(y for _, y in pairs)
        products += sum((x - mean_x) * (y - mean_y) for x, y in pairs)
        squares += sum((x - mean_x) ** 2 for x, _ in pairs)
    return products / squares
