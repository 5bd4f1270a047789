# SPDX-License-Identifier: Apache-2.0
"""toroid area: the hardware cost of the units in Verilog."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from toroid import area, console, options
from toroid.area import Area
from toroid.errors import UserError, suggestion
from toroid.options import RowFiles
from toroid.units import number


@click.command(short_help="Count the gates and bits of memory of the units in Verilog.")
@options.row_options
@click.argument("names", nargs=-1, metavar="[UNIT]...")
def command(names: tuple[str, ...], json_path: Path | None, csv_path: Path | None) -> None:
    """Synthesise the units in Verilog with generic cells (yosys), and count gates, flip-flops and bits of memory.

    UNITs are top modules, such as torus_router; default: all. A latch, or a signal with several drivers, is an error.
    """
    rows = RowFiles(json_path, csv_path)
    files = area.sources()
    there = area.tops(files)
    for name in names:
        if name not in there:
            raise UserError(f"no unit '{name}'; {suggestion(name, there)}")
    chosen = [top for top in there if not names or top in names]
    with console.progress("synthesis"), ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda top: area.measure(top, files), chosen))
    for modules in found:
        console.print_table(console.tables(stderr=rows.take_standard_output), _table(modules))
    rows.write([asdict(module) for modules in found for module in modules])


def _table(modules: list[Area]) -> Table:
    table = Table(title=f"{modules[0].top}: generic cells, of all instances of a module together", title_justify="left")
    table.add_column("module")
    for heading in ("instances", "gates", "flip-flops", "memory bits"):
        table.add_column(heading, justify="right")
    for module in modules:
        figures = (module.instances, module.gates, module.flip_flops, module.memory_bits)
        table.add_row(module.module, *map(number, figures))
    table.add_section()
    sums = [sum(getattr(module, name) for module in modules) for name in ("gates", "flip_flops", "memory_bits")]
    table.add_row("all", "", *map(number, sums))
    return table
