# SPDX-License-Identifier: Apache-2.0
"""Sweeps over offered loads: one simulator process a load, several at a time, of one machine or of several that are to
be compared. A load's figures do not depend on which others are swept, nor on how many run at a time."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from toroid.batch import Job, run_batch
from toroid.configuration import Configuration, TrafficSection
from toroid.description import Value, written
from toroid.errors import ToroidError, UserError
from toroid.progress import BatchProgress
from toroid.result import LoadPoint, Result
from toroid.simulator import Outcome, check_machine

# Each has a process and a folder.
MOST_SIMULATIONS = 1000

# Digits are 0 to 9: float() and Decimal() would take those of any script, and words such as nan as well.
_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_LOAD = re.compile(rf"\s*{_NUMBER}(?:[eE][+-]?[0-9]{{1,3}})?\s*")
_SIZE = re.compile(rf"\s*([0-9]{{1,6}})(?::({_NUMBER}))?\s*")


def parse_loads(text: str) -> list[float]:
    """'0.3', '0.1,0.2' or 'first:last:step' with both ends included. A load lies above 0 and up to 1."""
    wrong = UserError(f"--load {text}: expected loads above 0 and up to 1, as 0.3 or 0.1,0.2 or 0.05:0.95:0.05")
    parts = re.split("[:,]", text)
    if not all(map(_LOAD.fullmatch, parts)):
        raise wrong
    numbers = [Decimal(part.strip()) for part in parts]
    if ":" in text:
        if "," in text or len(numbers) != 3:
            raise wrong
        first, last, step = numbers
        if step == 0 or not first <= last <= 1:
            raise wrong
        if (last - first) / step >= MOST_SIMULATIONS:
            raise UserError(f"--load {text}: more than {MOST_SIMULATIONS} loads; a larger step would do")
        numbers = [first + step * i for i in range(int((last - first) / step) + 1)]
    loads = [float(number) for number in numbers]
    if not all(load > 0 and number <= 1 for load, number in zip(loads, numbers, strict=True)):
        raise wrong
    if len(loads) > MOST_SIMULATIONS:
        raise UserError(f"--load: {len(loads)} loads, expected {MOST_SIMULATIONS} at most")
    if repeated := [load for load, count in Counter(loads).items() if count > 1]:
        raise UserError(f"--load {text}: the load {load_name(repeated[0])} is there more than once")
    return loads


def load_name(load: float) -> str:
    """A load in few digits, or in as many as tell it from every other."""
    short = f"{load:g}"
    return short if float(short) == load else repr(load)


def parse_sizes(text: str) -> list[tuple[int, float]]:
    """'256' or '32:0.5,256:0.5': packet sizes in bytes, and weights. The simulator knows which sizes the routers
    take."""
    sizes = []
    for part in text.split(","):
        match = _SIZE.fullmatch(part)
        size = int(match[1]) if match else 0
        weight = float(match[2]) if match and match[2] else 1.0
        if size == 0 or not 0 < weight < math.inf:
            raise UserError(
                f"--sizes {text}: expected packet sizes in bytes, with weights above 0 if they differ, such as 256 or "
                "32:0.5,256:0.5"
            )
        sizes.append((size, weight))
    return sizes


@dataclass(frozen=True)
class Series:
    """A configuration that is swept over its loads. `name` and `values`, by parameter, say what tells it from the other
    series of a call; both are empty if it is the only one."""

    name: str
    values: Mapping[str, Value]
    configuration: Configuration

    @property
    def routing(self) -> str:
        return self.traffic.routing

    @property
    def traffic(self) -> TrafficSection:
        assert isinstance(self.configuration.traffic, TrafficSection)
        return self.configuration.traffic

    def at(self, load: float) -> Configuration:
        return self.configuration.model_copy(update={"traffic": self.traffic.model_copy(update={"loads": [load]})})


def series_name(routing: str | None, values: Mapping[str, Value]) -> str:
    return ", ".join(([routing] if routing else []) + [f"{name}={written(value)}" for name, value in values.items()])


def check_series(series: Sequence[Series]) -> None:
    """Raises UserError if the simulator would refuse one of several series: before another has run for minutes. It
    refuses a single one at once."""
    if len(series) > 1:
        for one in series:
            try:
                check_machine(one.configuration)
            except UserError as error:
                told = one.name in str(error)  # as the place of the wrong value
                raise UserError(str(error) if told else f"{one.name}: {error}") from error


def sweep(
    series: Sequence[Series],
    directory: Path,
    *,
    jobs: int | None = None,
    on_progress: Callable[[BatchProgress], None] | None = None,
    earlier: Callable[[Job], Outcome | None] | None = None,
) -> list[list[Outcome]]:
    """For each series one outcome a load, in the order of the loads, as far as the sweep came."""
    batch = [
        Job(one.at(load), directory / one.name.replace(", ", ",") / f"load-{load_name(load)}")
        for one in series
        for load in one.traffic.loads
    ]
    done = run_batch(batch, at_once=jobs, on_progress=on_progress, earlier=earlier)
    outcomes = iter(done.outcomes)
    return [
        [outcome for outcome in itertools.islice(outcomes, len(one.traffic.loads)) if outcome is not None]
        for one in series
    ]


def finished(outcomes: Sequence[Outcome]) -> Iterator[Result]:
    """What simulations have measured; one that an interrupt came before has no result. Raises ToroidError where the
    network failed instead of being measured."""
    for outcome in outcomes:
        if outcome.result is None:
            continue
        if outcome.result.ended not in ("completed", "interrupted"):
            text = f"{outcome.directory.name}: {outcome.result.error or outcome.result.ended}"
            raise ToroidError(f"{text}\n{outcome.result.stuck}" if outcome.result.stuck else text)
        yield outcome.result


def points(outcomes: Sequence[Outcome]) -> list[LoadPoint]:
    """The measured points. Raises ToroidError (finished)."""
    return [point for result in finished(outcomes) for point in result.traffic or []]


def first_refused(outcomes: Sequence[Sequence[Outcome]]) -> Outcome | None:
    """The simulator has said why."""
    return next((outcome for one in outcomes for outcome in one if outcome.refused), None)
