# SPDX-License-Identifier: Apache-2.0
"""toroid bench: the simulator's cost on this host, compared with a baseline and with its targets."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click
from pydantic import BaseModel
from rich.table import Table

from toroid import build, console, options, paths
from toroid.benchmarks.benchmark import Benchmark, Figure
from toroid.benchmarks.simulations import followed
from toroid.benchmarks.suite import SUITE
from toroid.errors import UserError, write_text
from toroid.options import RowFiles
from toroid.progress import Narrator, ProgressReport
from toroid.units import number

_FIGURES = [figure for benchmark in SUITE for figure in benchmark.figures]


@dataclass(frozen=True)
class _Measured:
    figure: Figure
    value: float
    baseline: float | None

    @property
    def ratio(self) -> float | None:
        return self.value / self.baseline if self.baseline else None

    @property
    def of_target(self) -> float:
        return self.value / self.figure.target

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.figure.name,
            "unit": self.figure.unit,
            "value": self.value,
            "baseline": self.baseline,
            "ratio": self.ratio,
            "target": self.figure.target,
            "of_target": self.of_target,
            "reached": self.figure.reached(self.value),
        }


@click.command(short_help="Measure the simulator: speed, memory, start-up.")
@click.argument(
    "names", nargs=-1, metavar="[NAME]...",
    shell_complete=options.complete_names(lambda _ctx: [figure.name for figure in _FIGURES]),
)  # fmt: skip
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Rounds, each with a run of every benchmark; their medians count.",
)
@click.option("--short", is_flag=True, help="Run each benchmark for about a second, only to check that it works.")
@click.option(
    "--update-baseline", is_flag=True, help=f"Store these figures as the baseline, {paths.BENCH_BASELINE.name}."
)
@options.row_options
def command(
    names: tuple[str, ...],
    repeat: int,
    short: bool,
    update_baseline: bool,
    json_path: Path | None,
    csv_path: Path | None,
) -> None:
    """Measure the simulator: network and core speed, memory, start-up.

    NAMEs choose the benchmarks that have one of them in their names, in capitals or not; the longest run only if they
    are chosen. Ratios are to the committed baseline; they mean something only on the machine that made it, which is
    named below the table. Each target has the share of it that was measured.
    """
    files = RowFiles(json_path, csv_path)
    if short and update_baseline:
        raise UserError("--short --update-baseline: figures of short runs mean nothing; give one of them")
    chosen = _choose(names)
    baseline = _load_baseline()
    more = tuple(target for benchmark in chosen for target in benchmark.targets)
    where = options.prepared_directory(paths.RESULTS / "bench")
    options.claim(where, "wait for its end")
    build.ensure("release", (*build.ALL, *more))
    values = _measure(chosen * repeat, where, short)
    figures = [
        _Measured(figure, median(values[figure]), None if short else baseline.figures.get(figure.name))
        for benchmark in chosen
        for figure in benchmark.figures
        if _is_chosen(figure, names)
    ]
    console.print_table(console.tables(stderr=files.take_standard_output), _table(figures))
    if baseline.host and not short:
        console.status(f"baseline made on: {baseline.host}; this host: {_host()}")
    files.write([figure.as_json() for figure in figures])
    if update_baseline:
        measured = {measured.figure.name: measured.value for measured in figures}
        updated = _Baseline(host=_host(), figures=baseline.figures | measured)
        write_text(paths.BENCH_BASELINE, updated.model_dump_json(indent=1) + "\n")


def _is_chosen(figure: Figure, names: tuple[str, ...]) -> bool:
    return not names or any(name.casefold() in figure.name.casefold() for name in names)


def _choose(names: tuple[str, ...]) -> list[Benchmark]:
    for name in names:
        if not name or not any(_is_chosen(figure, (name,)) for figure in _FIGURES):
            known = ", ".join(f"'{figure.name}'" for figure in _FIGURES)
            raise UserError(f"no benchmark has '{name}' in its name; there are {known}")
    if not names:
        return [benchmark for benchmark in SUITE if not benchmark.by_name_only]
    return [benchmark for benchmark in SUITE if any(_is_chosen(figure, names) for figure in benchmark.figures)]


def _measure(runs: list[Benchmark], where: Path, short: bool) -> dict[Figure, list[float]]:
    """The values of each figure, in the order of the runs."""
    values: dict[Figure, list[float]] = {figure: [] for benchmark in runs for figure in benchmark.figures}
    with console.progress("benchmarks") as bar:
        for index, benchmark in enumerate(runs):
            name = benchmark.figures[0].name
            bar.update(index / len(runs), f"{index} of {len(runs)} done, {name}")
            narrator = Narrator()

            def follow(
                now: ProgressReport, index: int = index, name: str = name, narrator: Narrator = narrator
            ) -> None:
                part = (index + (now.fraction or 0.0)) / len(runs)
                bar.update(part, f"{index} of {len(runs)} done, {name}: {narrator.words(now)}")

            with followed(follow):
                found = benchmark.measure(where / name.replace(",", "").replace(" ", "-"), short)
            for figure, value in zip(benchmark.figures, found, strict=True):
                values[figure].append(value)
    return values


class _Baseline(BaseModel):
    """The committed figures, and the host on which they were measured."""

    host: str = ""
    figures: dict[str, float] = {}


def _load_baseline() -> _Baseline:
    if not paths.BENCH_BASELINE.is_file():
        return _Baseline()
    return _Baseline.model_validate_json(paths.BENCH_BASELINE.read_bytes())


def _host() -> str:
    """The name of the processor, if the system provides it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _table(figures: list[_Measured]) -> Table:
    table = Table(title="benchmarks", title_justify="left")
    table.add_column("name")
    table.add_column("unit")
    for heading in ("value", "baseline", "ratio", "target", "of target"):
        table.add_column(heading, justify="right")
    for measured in figures:
        figure = measured.figure
        sign = ">=" if figure.more_is_better else "<="
        verdict = "" if figure.reached(measured.value) else "  missed"
        table.add_row(
            figure.name,
            figure.unit,
            number(measured.value),
            number(measured.baseline),
            number(measured.ratio, 3),
            f"{sign} {number(figure.target)}{verdict}",
            number(measured.of_target, 3),
        )
    return table
