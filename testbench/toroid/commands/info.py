# SPDX-License-Identifier: Apache-2.0
"""toroid info: lists the machines, and every parameter with value, unit, mark and source."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from toroid import console, options, paths
from toroid.machine import Machine, load_machine, machine_names
from toroid.options import RowFiles
from toroid.units import number

_MARKS = {"published": "green", "driver": "cyan", "assumed": "yellow"}


@click.command(short_help="List the machines, or every parameter of one.")
@click.argument("machine_name", required=False, metavar="[MACHINE|FILE]")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Show the machine with this change.")
@options.row_options
def command(machine_name: str | None, settings: tuple[str, ...], json_path: Path | None, csv_path: Path | None) -> None:
    """List the machines, or every parameter of one.

    A parameter's mark says how far to trust it: published in a paper of the machine's makers, from the source of the
    machine's own drivers, or assumed here. A description file of your own may stand in a machine's place.
    """
    files = RowFiles(json_path, csv_path)
    tables = console.tables(stderr=files.take_standard_output)
    if machine_name is None:
        machines = [load_machine(name) for name in machine_names()]
        console.print_table(tables, _list_of(machines))
        rows: list[dict[str, object]] = [
            {"machine": m.name, "title": m.title, "dimensions": len(m.dimensions), "parameters": len(m.parameters)}
            for m in machines
        ]
    else:
        machine = load_machine(machine_name).with_settings(settings)
        console.print_table(tables, _parameters_of(machine))
        rows = [asdict(parameter) for parameter in machine.parameters.values()]
    files.write(rows)


def _list_of(machines: list[Machine]) -> Table:
    table = Table(title="machines", title_justify="left")
    table.add_column("name")
    table.add_column("machine")
    table.add_column("dimensions", justify="right")
    table.add_column("parameters", justify="right")
    table.add_column("description")
    for machine in machines:
        table.add_row(
            machine.name,
            machine.title,
            str(len(machine.dimensions)),
            str(len(machine.parameters)),
            paths.shown(machine.path),
        )
    return table


def _parameters_of(machine: Machine) -> Table:
    table = Table(title=f"{machine.title} ({paths.shown(machine.path)})", title_justify="left")
    table.add_column("parameter", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("mark", no_wrap=True)
    table.add_column("source", overflow="fold")
    for parameter in machine.parameters.values():
        mark = Text(parameter.mark, style=_MARKS[parameter.mark])
        table.add_row(parameter.name, number(parameter.value), parameter.unit, mark, parameter.source)
    return table
