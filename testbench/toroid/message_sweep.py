# SPDX-License-Identifier: Apache-2.0
"""`toroid traffic --messages`: sources that send messages one behind the other, as a ring of a DMA engine does; one
simulator process a size, of one machine or of several that are to be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from toroid import build, console, options, paths, report
from toroid.batch import Job, run_batch
from toroid.configuration import Configuration, MessageTrafficSection
from toroid.description import Value
from toroid.errors import EXIT_FAILURE, EXIT_INTERRUPTED, UserError
from toroid.machine import Machine, Parameter
from toroid.options import RowFiles
from toroid.progress import BatchProgress, Narrator
from toroid.result import MessagePoint
from toroid.simulator import Outcome, check_machine
from toroid.traffic_sweep import MOST_SIMULATIONS, finished, first_refused
from toroid.units import number, shown_value

# Of a packet, without payload, by the machine's family of routers, and of all others.
_HEADER_BYTES = {"blue_gene_q": 32}
_COMMON_HEADER_BYTES = 16
_MIB = float(1 << 20)
_SIZE = re.compile(r"\s*[0-9]{1,12}\s*")


def header_bytes(machine: Machine) -> int:
    """Of a packet of the machine, whatever family of routers it is given."""
    return _HEADER_BYTES.get(machine.router, _COMMON_HEADER_BYTES)


def parse_message_sizes(text: str) -> list[int]:
    """'4096' or '512,4096': bytes of a message. Raises UserError."""
    parts = text.split(",")
    sizes = [int(part) for part in parts if _SIZE.fullmatch(part)]
    if len(sizes) < len(parts) or 0 in sizes:
        raise UserError(f"--messages {text}: expected bytes of a message, such as 4096 or 512,4096")
    if len(set(sizes)) < len(sizes):
        raise UserError(f"--messages {text}: a size is there more than once")
    return sizes


@dataclass(frozen=True)
class MessageSeries:
    """A configuration, and what tells it from the others of a call. `name` is empty if it is the only one."""

    name: str
    values: Mapping[str, Value]
    machine: Machine
    configuration: Configuration

    @property
    def traffic(self) -> MessageTrafficSection:
        assert isinstance(self.configuration.traffic, MessageTrafficSection)
        return self.configuration.traffic

    def at(self, size: int) -> Configuration:
        messages = self.traffic.messages.model_copy(update={"bytes": [size]})
        return self.configuration.model_copy(update={"traffic": self.traffic.model_copy(update={"messages": messages})})


_Measured = list[tuple[MessageSeries, list[MessagePoint]]]


def _sweep(
    series: Sequence[MessageSeries],
    directory: Path,
    *,
    jobs: int | None = None,
    on_progress: Callable[[BatchProgress], None] | None = None,
) -> list[list[Outcome]]:
    """For each series one outcome a size, as far as the sweep came."""
    batch = [
        Job(one.at(size), directory / one.name.replace(", ", ",") / f"messages-{size}")
        for one in series
        for size in one.traffic.messages.bytes
    ]
    outcomes = iter(run_batch(batch, at_once=jobs, on_progress=on_progress).outcomes)
    return [[outcome for _ in one.traffic.messages.bytes if (outcome := next(outcomes)) is not None] for one in series]


def _points(outcomes: Sequence[Outcome]) -> list[MessagePoint]:
    """Raises ToroidError where messages did not arrive."""
    return [point for result in finished(outcomes) for point in result.messages or []]


def _figures(machine: Machine, point: MessagePoint) -> dict[str, float]:
    """The columns: rates in MiB/s of payload, times in us."""
    mhz = machine.number("torus.clock")
    rate, operation, message = point.bytes_per_cycle, point.operation_cycles, point.message_cycles
    return {
        "rate_min_mib_s": rate.min * mhz * 1e6 / _MIB,
        "rate_mean_mib_s": rate.mean * mhz * 1e6 / _MIB,
        "rate_max_mib_s": rate.max * mhz * 1e6 / _MIB,
        "operation_min_us": operation.min / mhz,
        "operation_mean_us": operation.mean / mhz,
        "operation_max_us": operation.max / mhz,
        "message_mean_us": message.mean / mhz,
        "link_load_mean": point.link_load_mean,
        "link_load_max": point.link_load_max,
    }


def _table(title: str, measured: _Measured, swept: Sequence[Parameter]) -> Table:
    with_routing = len({series.traffic.routing for series, _ in measured}) > 1
    table = Table(title=title, title_justify="left")
    table.add_column("message\n(bytes)", justify="right")
    if with_routing:
        table.add_column("routing")
    for parameter in swept:
        table.add_column(f"{parameter.name}\n({parameter.unit})", justify="right")
    for heading in (
        "node\n(MiB/s)", "least", "most", "operation\n(us)", "least", "most", "message\n(us)", "link mean", "link max",
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    for series, found in measured:
        about: list[str] = [series.traffic.routing] if with_routing else []
        about += [shown_value(value) for value in series.values.values()]
        for point in found:
            low, mean, high, quick, usual, slow, message, *loads = _figures(series.machine, point).values()
            shown = [number(round(value, 2)) for value in (mean, low, high, usual, quick, slow, message)]
            table.add_row(str(point.bytes), *about, *shown, *(f"{load:.3f}" for load in loads))
        table.add_section()
    return table


def _rows(measured: _Measured) -> list[dict[str, object]]:
    return [
        {
            "message_bytes": point.bytes,
            "routing": series.traffic.routing,
            **series.values,
            "senders": point.senders,
            "messages": point.messages,
            **_figures(series.machine, point),
        }
        for series, found in measured
        for point in found
    ]


def measure_messages(
    title: str, series: Sequence[MessageSeries], swept: Sequence[Parameter], files: RowFiles, jobs: int | None,
    results: Path | None,
) -> int:  # fmt: skip
    """Runs all sizes of all series, and prints and writes what was found. Returns the command's exit status."""
    simulations = sum(len(one.traffic.messages.bytes) for one in series)
    if simulations > MOST_SIMULATIONS:
        raise UserError(f"--messages: {simulations} simulations, expected {MOST_SIMULATIONS} at most")
    if results is not None:
        options.check_results(results)
    build.ensure(targets=build.SIMULATOR)
    for one in series:
        check_machine(one.configuration)
    where = options.results_directory(results, "traffic", series[0].traffic.pattern)
    with console.progress(title) as bar:
        narrator = Narrator()

        def on_progress(now: BatchProgress) -> None:
            bar.update(now.fraction, narrator.batch_words(now, "simulations"))

        outcomes = _sweep(series, where, jobs=jobs, on_progress=on_progress)
    if (refused := first_refused(outcomes)) is not None:
        return refused.status or EXIT_FAILURE
    measured = [(one, _points(found)) for one, found in zip(series, outcomes, strict=True)]
    console.print_table(console.tables(stderr=files.take_standard_output), _table(title, measured, swept))
    console.status(f"results: {paths.shown(where)}")
    rows = _rows(measured)
    report.write_rows(where / "rows.json", rows)
    files.write(rows)
    if len(rows) < simulations:
        console.status(f"interrupted; {len(rows)} of {simulations} simulations measured")
        return EXIT_INTERRUPTED
    return 0
