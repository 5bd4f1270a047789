# SPDX-License-Identifier: Apache-2.0
"""toroid pictures: draws the pictures of the documents with the present code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from toroid import build, console, options, paths, plots
from toroid.browser import BrowserError, browser_page
from toroid.configuration import TrafficSection, configure
from toroid.earlier import EarlierRuns
from toroid.errors import ToroidError, UserError, suggestion, write_text
from toroid.experiments import pingpong_latency
from toroid.experiments.demos import PROTOCOLS
from toroid.experiments.figures import FIGURES
from toroid.experiments.harness import HostCost, Lab, ProgramRun
from toroid.experiments.recording import PAGES, Recording
from toroid.experiments.results_directory import MACHINE, RUNS
from toroid.machine import Machine, load_machine
from toroid.progress import BatchProgress, Narrator
from toroid.shape import parse_shape
from toroid.traffic_sweep import Series, parse_loads, points, sweep

PICTURES = paths.ROOT / "docs" / "pictures"
_COLOURS = 256  # enough for plots; half of the bytes
# Of the page: CSS pixels.
_PAGE_WIDTH, _MARGIN, _ROWS_SHOWN = 1280, 8, 230


@dataclass
class Studio:
    """The input of pictures: a machine, the directory of its runs, and the runs that exist there."""

    machine: Machine
    results: Path
    earlier: EarlierRuns
    jobs: int | None
    on_progress: Callable[[float, str], None] = lambda _fraction, _note: None
    cost: HostCost = field(default_factory=HostCost)

    def lab(self) -> Lab:
        return Lab(
            self.machine, self.results / RUNS, at_once=self.jobs, on_progress=self.on_progress, cost=self.cost,
            earlier=self.earlier,
        )  # fmt: skip


def _demo(studio: Studio, path: Path) -> None:
    shape = parse_shape(pingpong_latency.SHAPE, studio.machine.dimensions)
    measurement = pingpong_latency.measure(studio.lab(), shape, PROTOCOLS)
    pingpong_latency.plot(path, studio.machine, shape, measurement)


def _figure(name: str) -> Callable[[Studio, Path], None]:
    return lambda studio, path: FIGURES["bgl"][name].measure(studio.lab()).draw(path)


def _uniform(studio: Studio, path: Path) -> None:
    shape = parse_shape("8x8x8", studio.machine.dimensions)
    section = TrafficSection(
        pattern="uniform", routing="adaptive", loads=parse_loads("0.05:0.95:0.05"), sizes=[(256, 1.0)],
        warmup_cycles=20_000, measure_cycles=50_000,
    )  # fmt: skip
    series = Series("", {}, configure(studio.machine, shape, 1, traffic=section))

    narrator = Narrator()

    def on_progress(now: BatchProgress) -> None:
        studio.on_progress(now.fraction, narrator.batch_words(now, "loads"))

    outcomes = sweep(
        [series], studio.results / "uniform", jobs=studio.jobs, on_progress=on_progress, earlier=studio.earlier
    )
    for outcome in outcomes[0]:
        studio.cost.add(outcome)
    measured = points(outcomes[0])
    if len(measured) < len(section.loads):
        raise KeyboardInterrupt
    plots.latency_over_load(path, f"{studio.machine.title} {shape}, uniform, adaptive", [("", measured)])


def _report(studio: Studio, path: Path) -> None:
    """Torus and timeline of a run's report page."""
    recording = Recording(report=studio.results / "report")
    lab = replace(studio.lab(), recording=recording, earlier=None)  # a page needs a trace, which no run keeps
    lab.run([ProgramRun("stress", "stress", (), parse_shape("4x4x4", studio.machine.dimensions))])
    page_file = studio.results / "report" / PAGES / "stress.html"
    with browser_page() as page:
        page.open(page_file, width=_PAGE_WIDTH)
        page.resize(_PAGE_WIDTH, int(page.evaluate("document.documentElement.scrollHeight")))
        page.settle()
        left, top, width = page.evaluate(
            "(b => [b.x, b.y, b.width])(document.getElementById('torus').getBoundingClientRect())"
        )
        bottom = page.evaluate("document.getElementById('rows').getBoundingClientRect().y") + _ROWS_SHOWN
        page.screenshot(path, (left - _MARGIN, top - _MARGIN, width + 2 * _MARGIN, bottom - top + _MARGIN))


# By name, in the order of the documents that show them. Each draws into a file.
_MAKERS: dict[str, Callable[[Studio, Path], None]] = {
    "demo": _demo,
    **{name: _figure(name) for name in ("fig4", "fig6", "fig8", "fig9", "fig10", "fig12", "fig13", "mapping")},
    "uniform": _uniform,
    "report": _report,
}


@click.command(short_help="Draw the pictures of the documents.")
@click.option(
    "--results", type=options.OutputPath(directory=True), metavar="DIR",
    help="Directory of the runs, in the form that `reproduce` writes. Default: results/pictures.",
)  # fmt: skip
@click.option(
    "--output", type=options.OutputPath(directory=True), metavar="DIR", default=PICTURES,
    help="Directory for the pictures. Default: docs/pictures in the checkout.",
)  # fmt: skip
@click.option("--keep", is_flag=True, help="Use existing runs even if the simulator or a program was built later.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Simulations at a time. Default: one for each host core."
)
@click.argument("names", metavar="[PICTURE]...", nargs=-1, shell_complete=options.complete_names(lambda _ctx: _MAKERS))
def command(results: Path | None, output: Path, keep: bool, jobs: int | None, names: tuple[str, ...]) -> None:
    """Draw the PICTUREs of the documents; all of them without a name.

    Runs that are there already and of today's simulator and programs are drawn from, all others are made, which takes
    minutes of processor time for some. `--results` takes the directory of a `reproduce` too.
    """
    for name in names:
        if name not in _MAKERS:
            raise UserError(
                f"pictures {name}: no such picture; {suggestion(name, _MAKERS, '`toroid pictures --help`')}"
            )
    machine = load_machine("bgl")
    where = options.prepared_directory(results or paths.RESULTS / "pictures")
    options.claim(where)
    description = where / MACHINE
    if description.is_file() and load_machine(str(description)).flat() != machine.flat():
        raise UserError(f"--results {where}: its runs are of a changed machine; see {paths.shown(description)}")
    build.ensure(targets=build.ALL)
    options.prepared_directory(where / RUNS)
    write_text(description, machine.text())
    for name in [name for name in _MAKERS if name in names or not names]:
        studio = Studio(machine, where, EarlierRuns(of_any_age=keep), jobs)
        with console.progress(name) as bar:
            studio.on_progress = bar.update
            picture = options.prepared_directory(output) / f"{name}.png"
            try:
                _MAKERS[name](studio, picture)
                _make_small(picture)
            except BrowserError as error:
                raise ToroidError(f"{name}: {error}") from error
        of_them = f", {studio.earlier.found} of them found" if studio.earlier.found else ""
        console.status(
            f"{paths.shown(picture)}: {studio.cost.runs} runs{of_them}; {studio.cost.cpu_seconds:.0f} s of CPU"
        )


def _make_small(picture: Path) -> None:
    """Reduces the colours to a palette, because the repository keeps every version of a picture."""
    from PIL import Image

    with Image.open(picture) as image:
        image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)
