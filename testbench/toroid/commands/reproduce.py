# SPDX-License-Identifier: Apache-2.0
"""toroid reproduce: published figures of a machine, measured on the emulated one."""

from __future__ import annotations

from pathlib import Path

import click

from toroid import build, console, options, paths, report
from toroid.errors import ToroidError, UserError
from toroid.experiments.figure import Figure
from toroid.experiments.figures import FIGURES, chosen_figures
from toroid.experiments.harness import HostCost, Lab, require_valid
from toroid.experiments.recording import Recording
from toroid.experiments.results_directory import ROWS, RUNS, renew
from toroid.page.index_page import FigureResult, write_index_page
from toroid.rtl import RtlRequest, rtl_option
from toroid.trace.options import PAGE, checked_report

_FIGURE_LIST = "\n".join(
    f"  {machine} {name}: {figure.title}" for machine, figures in FIGURES.items() for name, figure in figures.items()
)


@click.command(
    short_help="Measure published figures of a machine, and compare.",
    help=f"""Run the experiments behind published FIGUREs of a machine, and compare: published, measured, deviation.

Without a FIGURE, all there are of that MACHINE:

\b
{_FIGURE_LIST}

One directory takes the plots, the rows as JSON, the machine's complete description as it was run (which --machine takes
again), and what every simulation was given and found.
""",
)
@options.machine_file_options
@rtl_option
@options.json_option
@click.option(
    "--results", "results", type=options.OutputPath(directory=True), metavar="DIR",
    help="Directory for all output. Default: results/reproduce/MACHINE.",
)  # fmt: skip
@click.option(
    "--report", "report_path", type=options.OutputPath(directory=True), metavar="DIR",
    callback=checked_report,
    help="Write pages for the browser: DIR/index.html with tables and plots, and a report page for each run.",
)  # fmt: skip
@click.option(
    "--perfetto", "perfetto_path", type=options.OutputPath(directory=True), metavar="DIR",
    callback=options.checked_output,
    help="Write a timeline of each run, DIR/RUN.json.gz, which ui.perfetto.dev opens.",
)  # fmt: skip
@click.option(
    "--pcap", "pcap_path", type=options.OutputPath(directory=True), metavar="DIR",
    callback=options.checked_output, help="Write the packets on all links of each run, DIR/RUN.pcapng, for Wireshark.",
)  # fmt: skip
@click.option(
    "--trace-runs",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Write a page, timeline and capture only for runs with matching names, for example 'pingpong-*'. Repeatable.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Simulations at a time. Default: one for each host core."
)
@click.option(
    "--short", is_flag=True, help="Use small machines and few operations; only figures that have such a form."
)
@click.argument("machine", metavar="MACHINE", shell_complete=options.complete_names(lambda _ctx: FIGURES))
@click.argument(
    "names", metavar="[FIGURE]...", nargs=-1,
    shell_complete=options.complete_names(lambda ctx: FIGURES.get(ctx.params.get("machine") or "", ())),
)  # fmt: skip
def command(
    machine: str, names: tuple[str, ...], machine_name: str | None, settings: tuple[str, ...], json_path: Path | None,
    results: Path | None, report_path: Path | None, perfetto_path: Path | None, pcap_path: Path | None,
    patterns: tuple[str, ...], jobs: int | None, rtl_units: tuple[str, ...], short: bool,
) -> None:  # fmt: skip
    recording = Recording(report_path, perfetto_path, pcap_path, patterns)
    recording.check()
    figures = chosen_figures(machine, names)
    if short:
        figures = _short_forms(machine, names, figures)
    chosen = options.chosen_machine(machine_name or machine, settings)
    if chosen.name != machine:
        raise UserError(f"--machine {machine_name}: describes {chosen.name}, and the figures are of {machine}")
    options.require_shipped_dimensions(f"reproduce {machine} {' '.join(names)}".rstrip(), chosen)
    rtl = RtlRequest(rtl_units)
    rtl_section = rtl.section()
    where = results or paths.RESULTS / "reproduce" / machine
    options.check_results(where)
    rtl.build(lambda: require_valid(chosen, rtl_section), build.ALL)
    require_valid(chosen)
    options.claim(options.prepared_directory(where))
    renew(where, chosen, FIGURES[machine])
    rows = []
    lab = Lab(chosen, where / RUNS, at_once=jobs, recording=recording, rtl=rtl_section, short=short)
    for name, figure in figures.items():
        rows += _reproduce(name, figure, lab, where)
        # After each figure: what was measured is kept when a later one is interrupted.
        for path in filter(None, (where / ROWS, json_path)):
            report.write_rows(path, [row.as_json() for row in rows])
    console.status(f"plots, rows, machine description and simulator results: {paths.shown(where)}")
    for made in filter(None, (report_path and report_path / PAGE, perfetto_path, pcap_path)):
        console.status(f"{'report' if made.suffix == '.html' else 'traces'}: {paths.shown(made)}")
    recording.check_patterns()


def _short_forms(machine: str, names: tuple[str, ...], figures: dict[str, Figure]) -> dict[str, Figure]:
    """Those that have one; of figures asked for by name, all must. Raises UserError."""
    found = {name: figure for name, figure in figures.items() if figure.short}
    if without := [name for name in figures if name not in found and (name in names or not found)]:
        what = " ".join(["reproduce", machine, *names, "--short"])
        raise UserError(f"{what}: {without[0]} has no short form")
    return found


def _reproduce(name: str, figure: Figure, lab: Lab, where: Path) -> list[report.Row]:
    lab.cost = HostCost()
    lab.figure = name
    found = FigureResult(name, figure.title)
    lab.recording.figures.append(found)
    try:
        with console.progress(f"{name}: {figure.title}") as bar:
            lab.on_progress = bar.update
            findings = figure.measure(lab)
        findings.draw(where / f"{name}.png")
        found.rows, found.plot = findings.rows, where / f"{name}.png"
    except ToroidError as error:
        found.error = str(error)
        raise
    except KeyboardInterrupt:
        found.error = "interrupted"
        raise
    finally:  # also of a figure that failed: its runs' pages say why
        if lab.recording.report is not None:
            index = lab.recording.report / PAGE
            write_index_page(index, lab.machine, lab.recording.figures, lab.recording.lines())
    console.print_table(
        console.tables(), report.comparison_table(f"{lab.machine.title}, {name}: {figure.title}", findings.rows)
    )
    if lab.cost.runs > 0:  # figures may share their runs
        console.status(f"{name}: {lab.cost}")
    return findings.rows
