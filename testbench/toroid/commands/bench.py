# SPDX-License-Identifier: Apache-2.0
"""toroid bench: the simulator's cost on this host, compared with a baseline and with its targets."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

import click
from pydantic import BaseModel
from rich.table import Table

from toroid import build, console, options, paths
from toroid.benchmarks.suite import SUITE, Benchmark, followed
from toroid.errors import UserError, write_text
from toroid.options import RowFiles
from toroid.progress import Narrator, ProgressReport
from toroid.units import number


@dataclass(frozen=True)
class _Figure:
    benchmark: Benchmark
    value: float
    baseline: float | None

    @property
    def ratio(self) -> float | None:
        return self.value / self.baseline if self.baseline else None

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.benchmark.name,
            "unit": self.benchmark.unit,
            "value": self.value,
            "baseline": self.baseline,
            "ratio": self.ratio,
        }


@click.command(short_help="Measure the simulator: speed, memory, start-up.")
@click.argument(
    "names", nargs=-1, metavar="[NAME]...",
    shell_complete=options.complete_names(lambda _ctx: [benchmark.name for benchmark in SUITE]),
)  # fmt: skip
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each benchmark; the best one counts.",
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

    NAMEs choose the benchmarks that have one of them in their names, in capitals or not. Ratios are to the committed
    baseline; they mean something only on the machine that made it, which is named below the table.
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
    figures = []
    with console.progress("benchmarks") as bar:
        for index, benchmark in enumerate(chosen):
            bar.update(index / len(chosen), f"{index} of {len(chosen)} done, {benchmark.name}")
            narrator = Narrator()

            def follow(now: ProgressReport, index: int = index, narrator: Narrator = narrator) -> None:
                part = (index + (now.fraction or 0.0)) / len(chosen)
                bar.update(part, f"{index} of {len(chosen)} done, {chosen[index].name}: {narrator.words(now)}")

            best = max if benchmark.more_is_better else min
            directory = where / benchmark.name.replace(",", "").replace(" ", "-")
            with followed(follow):
                value = best(benchmark.measure(directory, short) for _ in range(repeat))
            figures.append(_Figure(benchmark, value, None if short else baseline.figures.get(benchmark.name)))
    console.print_table(console.tables(stderr=files.take_standard_output), _table(figures))
    if baseline.host and not short:
        console.status(f"baseline made on: {baseline.host}; this host: {_host()}")
    files.write([figure.as_json() for figure in figures])
    if update_baseline:
        measured = {figure.benchmark.name: figure.value for figure in figures}
        updated = _Baseline(host=_host(), figures=baseline.figures | measured)
        write_text(paths.BENCH_BASELINE, updated.model_dump_json(indent=1) + "\n")


def _choose(names: tuple[str, ...]) -> list[Benchmark]:
    def has(benchmark: Benchmark, name: str) -> bool:
        return name.casefold() in benchmark.name.casefold()

    for name in names:
        if not any(has(benchmark, name) for benchmark in SUITE):
            known = ", ".join(f"'{benchmark.name}'" for benchmark in SUITE)
            raise UserError(f"no benchmark has '{name}' in its name; there are {known}")
    return [benchmark for benchmark in SUITE if not names or any(has(benchmark, name) for name in names)]


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


def _table(figures: list[_Figure]) -> Table:
    table = Table(title="benchmarks", title_justify="left")
    table.add_column("name")
    table.add_column("unit")
    for heading in ("value", "baseline", "ratio", "target"):
        table.add_column(heading, justify="right")
    for figure in figures:
        benchmark = figure.benchmark
        sign = ">=" if benchmark.more_is_better else "<="
        verdict = "" if benchmark.reached(figure.value) else "  missed"
        table.add_row(
            benchmark.name,
            benchmark.unit,
            number(figure.value),
            number(figure.baseline),
            number(figure.ratio, 3),
            f"{sign} {number(benchmark.target)}{verdict}",
        )
    return table
