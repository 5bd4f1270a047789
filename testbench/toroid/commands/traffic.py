# SPDX-License-Identifier: Apache-2.0
"""toroid traffic: the network alone, under synthetic traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from toroid import console, options, paths, plots, report
from toroid.configuration import MessagesSection, MessageTrafficSection, TrafficSection, configure
from toroid.errors import EXIT_FAILURE, EXIT_INTERRUPTED, UserError
from toroid.machine import Machine, Parameter
from toroid.message_sweep import MessageSeries, header_bytes, measure_messages, parse_message_sizes
from toroid.options import RowFiles
from toroid.progress import BatchProgress, Narrator
from toroid.result import LoadPoint
from toroid.rtl import RtlRequest, rtl_options
from toroid.simulator import check_machine
from toroid.traffic_patterns import METAVAR, PatternName, destination
from toroid.traffic_sweep import (
    MOST_SIMULATIONS,
    Series,
    check_series,
    first_refused,
    load_name,
    parse_loads,
    parse_sizes,
    points,
    series_name,
    sweep,
)
from toroid.units import number, shown_value


@dataclass(frozen=True)
class _Figure:
    """A column: its name in the simulator's result and in files, and its format in the table."""

    name: str
    column: str
    heading: str
    unit: Literal["fraction", "cycles"]
    level: Literal[1, 2, 3] = 3  # the narrower the terminal, the fewer levels are shown; the first one always

    def shown(self, point: LoadPoint) -> str:
        value: float = getattr(point, self.name)
        return f"{value:.3f}" if self.unit == "fraction" else number(round(value, 1))


_FIGURES = [
    _Figure("offered", "offered", "offered", "fraction"),
    _Figure("accepted", "accepted", "accepted", "fraction", level=1),
    _Figure("latency_mean_cycles", "mean", "mean", "cycles", level=2),
    _Figure("latency_p50", "p50", "p50", "cycles"),
    _Figure("p95", "p95", "p95", "cycles", level=2),
    _Figure("p99", "p99", "p99", "cycles", level=2),
    _Figure("max", "max", "max", "cycles"),
    _Figure("link_load_mean", "link_load_mean", "link mean", "fraction"),
    _Figure("link_load_max", "link_load_max", "link max", "fraction"),
]

Measured = list[tuple[Series, list[LoadPoint]]]


@click.command(short_help="Drive the network without processors, and measure it.")
@options.machine_options
@options.network_options("8x8x8")
@click.option(
    "--pattern",
    type=PatternName(),
    metavar=METAVAR,
    default="uniform",
    show_default=True,
    help="Traffic pattern: the destinations of packets. displacement:0,0,4: the node so many further along each "
    "dimension, around the rings.",
)
@click.option(
    "--load", "load_text", default="0.05:0.95:0.05", show_default=True, metavar="LOADS",
    help="Offered loads: 0.3, or 0.1,0.2, or first:last:step.",
)  # fmt: skip
@click.option(
    "--routing", "routings", type=click.Choice(["adaptive", "deterministic"]), multiple=True, default=["adaptive"],
    show_default=True, help="Minimal adaptive routing on the dynamic channels, or dimension order. Repeatable.",
)  # fmt: skip
@click.option(
    "--sizes", "size_text", metavar="BYTES[:WEIGHT],...", help="Mix of packet sizes. Default: the largest packets."
)
@click.option(
    "--warmup", type=click.IntRange(min=0), default=20_000, show_default=True, help="Cycles before the measurement."
)
@click.option(
    "--measure", type=click.IntRange(min=1), default=50_000, show_default=True, help="Cycles of the measurement."
)
@click.option(
    "--hot-fraction", type=click.FloatRange(0, 1), default=0.1, show_default=True,
    help="Fraction of the packets that go to the hot node, with --pattern hotspot.",
)  # fmt: skip
@click.option(
    "--senders-every", type=click.IntRange(1, 255), metavar="N",
    help="With a displacement: only nodes send whose first coordinate is a multiple of N. Default: all nodes.",
)  # fmt: skip
@click.option(
    "--messages", "message_text", metavar="BYTES,...",
    help="Instead of random packets: each node sends messages of this size one behind the other, as a DMA engine does.",
)  # fmt: skip
@click.option(
    "--operations", type=click.IntRange(min=1), default=100, show_default=True,
    help="Messages of each node, with --messages.",
)  # fmt: skip
@click.option(
    "--tie-rule", type=click.Choice(["parity", "plus"]),
    help="With --messages: sources set the hint bits by this rule where both ways around a ring are equally long. "
    "Default: the routers do, by torus.tie_rule.",
)  # fmt: skip
@click.option(
    "--interval", type=click.IntRange(0, 10**9), default=0, show_default=True, metavar="CYCLES",
    help="With --messages: from the start of a message to that of its node's next one, at least.",
)  # fmt: skip
@click.option(
    "--start-within", type=click.IntRange(0, 10**9), default=500, show_default=True, metavar="CYCLES",
    help="With --messages: nodes begin at random times within so many cycles.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Also check that each packet arrives exactly once; slower.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Simulations at a time. Default: one for each host core."
)
@click.option(
    "--plot", "plot_path", is_flag=False, flag_value=Path("latency-load.png"), metavar="[FILE]",
    type=options.OutputPath(), callback=options.checked_output,
    help="Plot latency and accepted load over the offered load. Default: latency-load.png",
)  # fmt: skip
@rtl_options
@options.row_options
@options.results_option
def command(
    machine_name: str, settings: tuple[str, ...], shape_text: str, mesh: str, seed: int, pattern: str, load_text: str,
    routings: tuple[Literal["adaptive", "deterministic"], ...], size_text: str | None, warmup: int, measure: int,
    hot_fraction: float, senders_every: int | None, message_text: str | None, operations: int,
    tie_rule: Literal["parity", "plus"] | None, interval: int, start_within: int, check: bool, jobs: int | None,
    plot_path: Path | None, json_path: Path | None, csv_path: Path | None, results: Path | None,
    rtl_units: tuple[str, ...], waves_path: Path | None, waves_scopes: tuple[str, ...], waves_from: str | None,
    waves_to: str | None,
) -> int:  # fmt: skip
    """Drive the network without processors, and measure throughput, latency and link loads over the offered load.

    Latencies are in network cycles, from the moment a packet is offered to the arrival of its last byte. An offered
    load of 1 is the pattern's capacity: with ideal, balanced, minimal routing the busiest link would never be idle.

    With --messages, all messages are sent and then awaited. A node's rate is the payload of all its messages over the
    time until the last one has arrived; an operation is that time, divided by its messages; a message is the time from
    its first packet in the injection FIFO to its last byte.

    Several values compare in one table and one plot: repeat --routing, and give --set a list, as in
    --set torus.buffer_chunks=16,32,64. Each combination becomes a series over all loads.
    """
    files = RowFiles(json_path, csv_path)
    machines = options.chosen_machines(machine_name, settings)
    swept = _swept(machines, settings)
    if len(set(routings)) < len(routings):
        raise UserError(f"--routing {routings[0]}: given more than once")
    _refuse_options(message_text is not None)
    shape = options.chosen_shape(shape_text, machines[0], mesh)
    name, displacement = destination(pattern, shape)
    if senders_every is not None and displacement is None:
        raise UserError("--senders-every: needs --pattern displacement:N,N,...")
    if message_text is not None:
        sizes = parse_message_sizes(message_text)

        def sources_by(routing: str, machine: Machine) -> MessageTrafficSection:
            return MessageTrafficSection(
                pattern=name,
                routing=routing,
                hot_fraction=hot_fraction if name == "hotspot" else 0.0,
                displacement=displacement,
                senders_every=senders_every,
                messages=MessagesSection(
                    bytes=sizes,
                    count=operations,
                    header_bytes=header_bytes(machine),
                    tie_rule=tie_rule,
                    interval_cycles=interval,
                    start_within_cycles=start_within,
                ),
            )

        parts = [f"{machines[0].title} {shape}", pattern, f"{operations} messages of each node"]
        if len(routings) == 1:
            parts.insert(2, routings[0])
        one_behind_the_other = [
            MessageSeries(
                series_name(routing if len(routings) > 1 else None, values),
                values,
                machine,
                configure(machine, shape, seed, traffic=sources_by(routing, machine)),
            )
            for routing in routings
            for machine in machines
            for values in [{parameter.name: machine.parameters[parameter.name].value for parameter in swept}]
        ]  # fmt: skip
        return measure_messages(", ".join(parts), one_behind_the_other, swept, files, jobs, results)
    section = TrafficSection(
        pattern=name,
        routing=routings[0],
        displacement=displacement,
        senders_every=senders_every,
        loads=parse_loads(load_text),
        sizes=parse_sizes(size_text) if size_text is not None else [],
        warmup_cycles=warmup,
        measure_cycles=measure,
        hot_fraction=hot_fraction if name == "hotspot" else 0.0,
        check=check,
    )
    rtl = RtlRequest(rtl_units, waves_path, waves_scopes, waves_from, waves_to)
    rtl_section = rtl.section()
    series = [
        Series(
            series_name(routing if len(routings) > 1 else None, values),
            values,
            configure(
                machine,
                shape,
                seed,
                traffic=section.model_copy(update={"routing": routing}),
                rtl=rtl_section,
            ),
        )
        for routing in routings
        for machine in machines
        for values in [{parameter.name: machine.parameters[parameter.name].value for parameter in swept}]
    ]  # fmt: skip
    simulations = len(series) * len(section.loads)
    if simulations > MOST_SIMULATIONS:
        what = f"{len(series)} series of {len(section.loads)} loads"
        raise UserError(f"{what}: {simulations} simulations, expected {MOST_SIMULATIONS} at most")
    if waves_path is not None and simulations != 1:
        what = f"{len(section.loads)} loads" if len(series) == 1 else f"{simulations} simulations"
        raise UserError(f"--waves: {what}, and a file has room for one; give --load 0.3, for example")
    if results is not None:
        options.check_results(results)
    rtl.build(lambda: check_machine(series[0].configuration))
    check_series(series)
    where = options.results_directory(results, "traffic", name)
    with console.progress(f"{pattern} on {shape}") as bar:
        narrator = Narrator()

        def on_progress(now: BatchProgress) -> None:
            bar.update(now.fraction, narrator.batch_words(now, "loads" if len(series) == 1 else "simulations"))

        outcomes = sweep(series, where, jobs=jobs, on_progress=on_progress)
    if (refused := first_refused(outcomes)) is not None:
        return refused.status or EXIT_FAILURE
    measured = [(one, points(found)) for one, found in zip(series, outcomes, strict=True)]

    parts = [
        f"{machines[0].title} {shape}",
        pattern,
        f"packets of {size_text} bytes" if size_text else "largest packets",
    ]
    if len(routings) == 1:
        parts.insert(2, routings[0])
    title = ", ".join(parts)
    _print_table(console.tables(stderr=files.take_standard_output), title, measured, swept)
    if waves_path is not None:
        console.status(f"waves: {paths.shown(waves_path)}")
    console.status(f"results: {paths.shown(where)}")
    rows = _rows(measured)
    report.write_rows(where / "rows.json", rows)
    if plot_path is not None:
        plots.latency_over_load(plot_path, title, [(one.name, found) for one, found in measured])
        console.status(f"plot: {paths.shown(plot_path)}")
    files.write(rows)
    if len(rows) < simulations:
        console.status(f"interrupted; {len(rows)} of {simulations} loads measured")
        return EXIT_INTERRUPTED
    return 0


# Options of one kind of sources alone, by parameter.
_OF_PACKETS = {
    "load_text": "--load", "size_text": "--sizes", "warmup": "--warmup", "measure": "--measure", "check": "--check",
    "plot_path": "--plot", "rtl_units": "--rtl", "waves_path": "--waves", "waves_scopes": "--waves-scope",
    "waves_from": "--waves-from", "waves_to": "--waves-to",
}  # fmt: skip
_OF_MESSAGES = {
    "operations": "--operations", "tie_rule": "--tie-rule", "interval": "--interval", "start_within": "--start-within",
}  # fmt: skip


def _refuse_options(messages: bool) -> None:
    """Raises UserError for options that would have no effect."""
    context = click.get_current_context()
    for parameter, option in (_OF_PACKETS if messages else _OF_MESSAGES).items():
        if context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE:
            raise UserError(f"{option}: does not go with --messages" if messages else f"{option}: needs --messages")


def _swept(machines: Sequence[Machine], settings: Sequence[str]) -> list[Parameter]:
    """The parameters in which the machines differ, in the order of the --set options."""
    names = dict.fromkeys(setting.partition("=")[0].strip() for setting in settings)
    return [
        machines[0].parameters[name]
        for name in names
        if len({machine.parameters[name].value for machine in machines}) > 1
    ]  # fmt: skip


def _print_table(output: Console, title: str, measured: Measured, swept: Sequence[Parameter]) -> None:
    for level in (3, 2, 1):
        table = _table(title, measured, swept, [figure for figure in _FIGURES if figure.level <= level])
        if left_out := ", ".join(figure.heading for figure in _FIGURES if figure.level > level):
            table.caption = f"left out, as the terminal is narrow: {left_out} (--json and --csv have them)"
            table.caption_justify = "left"
        if console.full_width(output, table) <= output.width:
            break
    console.print_table(output, table)


def _table(title: str, measured: Measured, swept: Sequence[Parameter], figures: Sequence[_Figure]) -> Table:
    with_routing = len({series.routing for series, _ in measured}) > 1
    table = Table(title=title, title_justify="left")
    table.add_column("load", justify="right")
    if with_routing:
        table.add_column("routing")
    for parameter in swept:
        table.add_column(f"{parameter.name}\n({parameter.unit})", justify="right")
    for figure in figures:
        heading = figure.heading if figure.unit == "fraction" else f"{figure.heading}\n({figure.unit})"
        table.add_column(heading, justify="right")
    for series, found in measured:
        about = [series.routing] if with_routing else []
        about += [shown_value(value) for value in series.values.values()]
        for point in found:
            table.add_row(load_name(point.load), *about, *(figure.shown(point) for figure in figures))
        table.add_section()
    return table


def _rows(measured: Measured) -> list[dict[str, object]]:
    """A row for each point, a column for each figure; latencies in network cycles, parameters in their own units."""
    return [
        {
            "load": point.load,
            "routing": series.routing,
            **series.values,
            **{figure.column: getattr(point, figure.name) for figure in _FIGURES},
        }
        for series, found in measured
        for point in found
    ]
