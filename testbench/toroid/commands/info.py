# SPDX-License-Identifier: Apache-2.0
"""toroid info: lists the machines, and every parameter with value, unit, mark and source."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from toroid import build, console, options, paths
from toroid.configuration import configure
from toroid.errors import UserError
from toroid.machine import Machine, Parameter, load_machine, machine_names
from toroid.options import RowFiles
from toroid.schema import description_schema
from toroid.shape import Shape
from toroid.simulator import check_machine
from toroid.units import shown_value

_MARKS = {"published": "green", "driver": "cyan", "calibrated": "blue", "assumed": "yellow"}


@click.command(short_help="List the machines, or every parameter of one.")
@click.argument("machine_name", required=False, metavar="[MACHINE|FILE]")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Show the machine with this change.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of description files, for editors.")
@options.row_options
def command(
    machine_name: str | None,
    settings: tuple[str, ...],
    schema: bool,
    json_path: Path | None,
    csv_path: Path | None,
) -> None:
    """List the machines, or every parameter of one.

    A parameter's mark says how far to trust it: published in a paper of the machine's makers, from the source of the
    machine's own drivers, or assumed here. A description file of your own may stand in a machine's place; what it
    overrides of its base is shown with the file and line.
    """
    if schema:
        if machine_name is not None or settings or json_path is not None or csv_path is not None:
            raise UserError("--schema: it is the same for all machines; give nothing beside it")
        build.ensure(targets=build.SIMULATOR)
        click.echo(json.dumps(description_schema(), indent=1))
        return
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
        if settings or machine_name not in machine_names():
            build.ensure(targets=build.SIMULATOR)
            ones = len(machine.dimensions)
            check_machine(configure(machine, Shape((1,) * ones, (True,) * ones, machine.dimensions), 1))
        console.print_table(tables, _parameters_of(machine))
        rows = [_row_of(parameter) for parameter in machine.parameters.values()]
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
    files = ", based on ".join(paths.shown(path) for path in machine.files)
    table = Table(title=f"{machine.title} ({files})", title_justify="left")
    table.add_column("parameter", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("mark", no_wrap=True)
    table.add_column("source", overflow="fold")
    table.caption = "process modes: " + ", ".join(f"{name} ({mode.title})" for name, mode in machine.modes.items())
    table.caption_justify = "left"
    for parameter in machine.parameters.values():
        mark = Text(parameter.mark, style=_MARKS[parameter.mark])
        table.add_row(parameter.name, shown_value(parameter.value), parameter.unit, mark, _source_of(parameter))
    return table


def _source_of(parameter: Parameter) -> str:
    """Of a value that is not the base's also who has overridden what."""
    if parameter.overridden is None:
        return parameter.source
    before = shown_value(parameter.overridden.value)
    return f"{parameter.origin} overrides {before} of {parameter.overridden.origin}: {parameter.source}"


def _row_of(parameter: Parameter) -> dict[str, object]:
    return {
        "name": parameter.name,
        "value": parameter.value,
        "unit": parameter.unit,
        "mark": parameter.mark,
        "source": parameter.source,
        "origin": parameter.origin,
        "overrides": parameter.overridden.value if parameter.overridden is not None else "",
    }
