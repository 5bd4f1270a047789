# SPDX-License-Identifier: Apache-2.0
"""toroid demo: ping-pong on an emulated Blue Gene/L, next to what was published."""

from __future__ import annotations

from pathlib import Path

import click

from toroid import build, console, options, paths, report
from toroid.experiments import pingpong_latency
from toroid.shape import parse_shape


@click.command()
@options.machine_options
@options.json_option
@click.option(
    "--results", "results", type=click.Path(path_type=Path, file_okay=False), default=paths.RESULTS / "demo",
    metavar="DIR", help="Where everything goes. Default: results/demo in the checkout.",
)  # fmt: skip
def command(machine_name: str, settings: tuple[str, ...], json_path: Path | None, results: Path) -> None:
    """Run ping-pong between node 0 and nodes at every distance of a 4x4x2 Blue Gene/L, and compare.

    C programs, compiled to PowerPC machine code, drive the emulated torus with the one-packet and the eager protocol.
    """
    machine = options.chosen_machine(machine_name, settings)
    shape = parse_shape("4x4x2", machine.dimensions)
    where = options.prepared_directory(results)
    build.ensure()
    with console.progress(f"ping-pong on {machine.title} {shape}") as bar:
        measurement = pingpong_latency.measure(machine, shape, where, bar.update)
    rows = measurement.rows(machine.parameters["core.clock"].value)
    pingpong_latency.plot(where / "latency.png", machine, shape, measurement)
    as_json = [row.as_json() for row in rows]
    for path in filter(None, (where / "rows.json", json_path)):
        report.write_rows(path, as_json)
    title = f"{machine.title} {shape}: 1-byte messages, node 0 to its neighbour and beyond"
    console.tables().print(report.comparison_table(title, rows))
    console.status(f"plot, rows and simulator results: {paths.shown(where)}")
