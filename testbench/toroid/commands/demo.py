# SPDX-License-Identifier: Apache-2.0
"""toroid demo: a short measurement on an emulated machine, compared with published figures."""

from __future__ import annotations

from pathlib import Path

import click

from toroid import build, console, options, paths, report
from toroid.experiments.demos import demo_of
from toroid.experiments.harness import Lab, require_valid
from toroid.rtl import RtlRequest, rtl_option
from toroid.shape import parse_shape


@click.command(short_help="Run a short measurement, and compare it with published figures.")
@options.machine_options
@rtl_option
@options.json_option
@click.option(
    "--results", "results", type=options.OutputPath(directory=True), default=paths.RESULTS / "demo",
    metavar="DIR", help="Directory for all output. Default: results/demo.",
)  # fmt: skip
def command(
    machine_name: str, settings: tuple[str, ...], rtl_units: tuple[str, ...], json_path: Path | None, results: Path
) -> None:
    """Run a short measurement on the machine, and compare it with published figures.

    Blue Gene/L: ping-pong between node 0 and nodes at every distance of 4x4x2. C programs, compiled to PowerPC machine
    code, drive the emulated torus with the one-packet and the eager protocol.

    Blue Gene/P: puts and gets of DCMF of 8 bytes to 1 MiB between two neighbours of 4x2x2, which the nodes' DMA engines
    carry out.

    Blue Gene/Q: puts and gets of ARMCI of 8 bytes to 1 MiB between two neighbours of 4x1x1x1x1, one at a time and many
    under way, which the nodes' Messaging Units carry out.
    """
    machine = options.chosen_machine(machine_name, settings)
    demo = demo_of(machine)
    options.require_shipped_dimensions("demo", machine)
    shape = parse_shape(demo.shape, machine.dimensions)
    rtl = RtlRequest(rtl_units)
    rtl_section = rtl.section()
    options.check_results(results)
    rtl.build(lambda: require_valid(machine, rtl_section), build.ALL)
    require_valid(machine)
    where = options.prepared_directory(results)
    options.claim(where)
    plot_path, rows_path = where / "latency.png", where / "rows.json"
    for path in (plot_path, rows_path):  # not beside the runs of another machine, should these fail
        path.unlink(missing_ok=True)
    with console.progress(f"{demo.subject} on {machine.title} {shape}") as bar:
        shown = demo.measure(Lab(machine, where, on_progress=bar.update, rtl=rtl_section), shape)
    shown.draw(plot_path)
    as_json = [row.as_json() for row in shown.rows]
    for path in filter(None, (rows_path, json_path)):
        report.write_rows(path, as_json)
    console.print_table(console.tables(), report.comparison_table(shown.title, shown.rows))
    console.status(f"plot, rows and simulator results: {paths.shown(where)}")
