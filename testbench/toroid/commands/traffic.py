# SPDX-License-Identifier: Apache-2.0
"""toroid traffic: the network alone, under synthetic traffic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click
from rich.table import Table

from toroid import build, console, options, paths, plots, report
from toroid.configuration import TrafficSection, configure
from toroid.errors import EXIT_FAILURE, EXIT_INTERRUPTED, UserError
from toroid.report import Row, number
from toroid.result import LoadPoint
from toroid.rtl import RtlRequest, rtl_options
from toroid.shape import parse_shape
from toroid.traffic_sweep import load_name, parse_loads, parse_sizes, points, sweep

PATTERNS = ["uniform", "neighbour", "complement", "transpose", "tornado", "hotspot", "alltoall"]

# (name in the result, heading, unit)
_FIGURES = [
    ("offered", "offered", "fraction"),
    ("accepted", "accepted", "fraction"),
    ("latency_mean_cycles", "latency", "cycles"),
    ("latency_p50", "p50", "cycles"),
    ("p95", "p95", "cycles"),
    ("p99", "p99", "cycles"),
    ("max", "max", "cycles"),
    ("link_load_mean", "link mean", "fraction"),
    ("link_load_max", "link max", "fraction"),
]


@click.command()
@options.machine_options
@options.network_options("8x8x8")
@click.option("--pattern", type=click.Choice(PATTERNS), default="uniform", show_default=True, help="Who sends to whom.")
@click.option(
    "--load", "load_text", default="0.05:0.95:0.05", show_default=True, metavar="LOADS",
    help="Offered loads: 0.3, or 0.1,0.2, or first:last:step.",
)  # fmt: skip
@click.option(
    "--routing", type=click.Choice(["adaptive", "deterministic"]), default="adaptive", show_default=True,
    help="Minimal adaptive on the dynamic channels, or dimension order.",
)  # fmt: skip
@click.option(
    "--sizes", "size_text", default="256", show_default=True, metavar="BYTES[:WEIGHT],...", help="Mix of packet sizes."
)
@click.option("--warmup", type=click.IntRange(min=0), default=20_000, show_default=True, help="Cycles not measured.")
@click.option("--measure", type=click.IntRange(min=1), default=50_000, show_default=True, help="Cycles measured.")
@click.option(
    "--hot-fraction", type=click.FloatRange(0, 1), default=0.1, show_default=True,
    help="Share of the packets that go to the hot node, with --pattern hotspot.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Also check that each packet arrives exactly once; slower.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Loads simulated at a time. Default: one a core.")
@click.option(
    "--plot", "plot_path", is_flag=False, flag_value=Path("latency-load.png"), metavar="[FILE]",
    type=options.OutputPath(), callback=options.checked_output,
    help="Plot latency over load. Default: latency-load.png",
)  # fmt: skip
@rtl_options
@options.json_option
@options.results_option
def command(
    machine_name: str, settings: tuple[str, ...], shape_text: str, mesh: str, seed: int, pattern: str, load_text: str,
    routing: Literal["adaptive", "deterministic"], size_text: str, warmup: int, measure: int, hot_fraction: float,
    check: bool, jobs: int | None, plot_path: Path | None, json_path: Path | None, results: Path | None,
    rtl_units: tuple[str, ...], waves_path: Path | None, waves_scopes: tuple[str, ...], waves_from: str | None,
    waves_to: str | None,
) -> int:  # fmt: skip
    """Drive the network without processors, and measure throughput, latency and link loads over the offered load.

    Latencies are in network cycles, from the moment a packet is offered to the arrival of its last byte.
    """
    machine = options.chosen_machine(machine_name, settings)
    shape = parse_shape(shape_text, machine.dimensions, mesh)
    section = TrafficSection(
        pattern=pattern,
        routing=routing,
        loads=parse_loads(load_text),
        sizes=parse_sizes(size_text),
        warmup_cycles=warmup,
        measure_cycles=measure,
        hot_fraction=hot_fraction if pattern == "hotspot" else 0.0,
        check=check,
    )
    rtl = RtlRequest(rtl_units, waves_path, waves_scopes, waves_from, waves_to)
    configuration = configure(machine, shape, seed, traffic=section, rtl=rtl.section())
    if waves_path is not None and len(section.loads) != 1:
        raise UserError(
            f"--waves: {len(section.loads)} loads, and a file has room for one; give --load 0.3, for example"
        )
    where = paths.new_result_directory("traffic", pattern) if results is None else options.prepared_directory(results)
    build.ensure(targets=rtl.build_targets)
    with console.progress(f"{pattern} on {shape}") as bar:

        def on_progress(fraction: float, done: int) -> None:
            bar.update(fraction, f"{done} of {len(section.loads)} loads")

        outcomes = sweep(configuration, where, jobs=jobs, on_progress=on_progress)
    refused = next((outcome for outcome in outcomes if outcome.refused), None)
    if refused is not None:  # the simulator has said why
        return refused.status or EXIT_FAILURE
    measured = points(outcomes)

    title = f"{machine.title} {shape}, {pattern}, {routing}, packets of {size_text} bytes"
    console.tables().print(_table(title, measured))
    if waves_path is not None:
        console.status(f"waves: {paths.shown(waves_path)}")
    console.status(f"results: {paths.shown(where)}")
    rows = [row.as_json() for row in _rows(pattern, measured)]
    report.write_rows(where / "rows.json", rows)
    if json_path is not None:
        report.write_rows(json_path, rows)
    if plot_path is not None:
        plots.latency_over_load(plot_path, title, measured)
        console.status(f"plot: {paths.shown(plot_path)}")
    if len(measured) < len(section.loads):
        console.status(f"interrupted; {len(measured)} of {len(section.loads)} loads measured")
        return EXIT_INTERRUPTED
    return 0


def _table(title: str, measured: Sequence[LoadPoint]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("load", justify="right")
    for _, heading, unit in _FIGURES:
        table.add_column(heading if unit == "fraction" else f"{heading}\n({unit})", justify="right")
    for point in measured:
        cells = [f"{getattr(point, name):.3f}" if unit == "fraction" else number(round(getattr(point, name), 1))
                 for name, _, unit in _FIGURES]  # fmt: skip
        table.add_row(load_name(point.load), *cells)
    return table


def _rows(pattern: str, measured: Sequence[LoadPoint]) -> list[Row]:
    return [
        Row(f"traffic {pattern}", f"{name} at load {load_name(point.load)}", unit, None, getattr(point, name))
        for point in measured
        for name, _, unit in _FIGURES
    ]
