# SPDX-License-Identifier: Apache-2.0
"""What experiments share: programs run on a machine of the shipped description, with their output at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from toroid import paths
from toroid.configuration import RunSection, configure
from toroid.errors import ToroidError
from toroid.machine import Machine
from toroid.shape import Shape
from toroid.simulator import ProgressReport, Simulation, stop_on_signals

_PAIR = re.compile(r"(\w+)=(\S+)")


def run_program(
    machine: Machine,
    shape: Shape,
    program: Path,
    arguments: Sequence[str],
    directory: Path,
    on_progress: Callable[[ProgressReport], None] | None = None,
) -> str:
    """The program's standard output. Raises ToroidError when it did not end well."""
    directory.mkdir(parents=True, exist_ok=True)
    section = RunSection(
        program=str(program), arguments=list(arguments), ranks=shape.nodes, job_directory=str(directory.resolve())
    )
    output = directory / "output.txt"
    with output.open("wb") as stdout:
        simulation = Simulation(configure(machine, shape, 1, run=section), directory, stdout=stdout)
        with stop_on_signals(simulation.stop) as signals:
            outcome = simulation.wait(on_progress)
    if signals:
        raise KeyboardInterrupt
    if outcome.result is None or outcome.status != 0:
        why = outcome.result.error if outcome.result is not None else None
        call = " ".join([program.name, *arguments])
        raise ToroidError(f"{call}: {why or f'exit status {outcome.status}'}; files in {paths.shown(directory)}")
    return output.read_text(encoding="utf-8")


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
