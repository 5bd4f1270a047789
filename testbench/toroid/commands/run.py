# SPDX-License-Identifier: Apache-2.0
"""toroid run: runs a program on the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from toroid import console, guest, options, paths, report
from toroid.configuration import GdbSection, RunSection, configure
from toroid.errors import EXIT_FAILURE, EXIT_INTERRUPTED, ToroidError, UserError, escaped
from toroid.progress import Narrator, ProgressReport
from toroid.rtl import RtlRequest, rtl_options
from toroid.run_summary import explanation, omission, rank_lines, summary_rows, summary_table
from toroid.simulator import check_machine, stoppable_simulation
from toroid.trace.options import TraceRequest, trace_options
from toroid.units import parse_duration_ns
from toroid.version import version_option

_ELF_MAGIC = b"\x7fELF"
_LARGEST_PORT = 65535
# An argument that other systems' mpirun takes for the end of one program and the beginning of another.
_NEXT_PROGRAM = ":"


@click.command(short_help="Run a program on the machine.", context_settings={"allow_interspersed_args": False})
@options.machine_options
@options.network_options("4x4x2")
@options.mode_option
@options.ranks_per_node_option
@click.option(
    "--ranks", "-n", "-np", "--np", "ranks", type=click.IntRange(min=1), metavar="N",
    help="Ranks that take part. Default: one for each process.",
)  # fmt: skip
@click.option(
    "--map", "mapping", metavar="FILE|LETTERS",
    help="Places of ranks: a file with a line 'x y z t' for each rank, or an order such as ABCDET.",
)  # fmt: skip
@click.option("--prefix", is_flag=True, help="Print the rank before each line of the program's output.")
@click.option("--timeout", metavar="TIME", help="End after this much simulated time, for example 10ms.")
@click.option(
    "--env", "environment", multiple=True, metavar="NAME=VALUE", help="Environment of the program. Repeatable."
)
@click.option(
    "--directory", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path(), metavar="DIR",
    help="Directory of the program's files; it can see no others. Default: the current directory.",
)  # fmt: skip
@click.option(
    "--no-park",
    is_flag=True,
    help="Execute every iteration of polling loops: slow, with the same result where a run ends by itself.",
)
@click.option(
    "--check-coherence",
    is_flag=True,
    help="Report cache lines that both cores of a node use without the necessary flush, on machines whose caches are "
    "not coherent. Slow.",
)
@trace_options
@rtl_options
@click.option(
    "--gdb", "gdb_text", metavar="RANK[:PORT]",
    help="Wait until gdb connects to this rank, on a TCP port of this host. Default port: any free one.",
)  # fmt: skip
@options.json_option
@options.results_option
@version_option
@click.argument("program", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    machine_name: str, settings: tuple[str, ...], shape_text: str, mesh: str, seed: int, mode_name: str | None,
    ranks_per_node: int | None, ranks: int | None,
    mapping: str | None, prefix: bool, timeout: str | None, environment: tuple[str, ...], directory: Path,
    no_park: bool,
    check_coherence: bool, gdb_text: str | None,
    rtl_units: tuple[str, ...], waves_path: Path | None, waves_scopes: tuple[str, ...], waves_from: str | None,
    waves_to: str | None,
    json_path: Path | None, results: Path | None, program: Path, arguments: tuple[str, ...], **tracing: Any,
) -> int:  # fmt: skip
    """Run PROGRAM, built with `toroid cc`, on the machine: one process a node, or as many as --mode says.

    What follows PROGRAM is passed to it as it stands. Its output is on standard output and standard error, a summary
    after it on standard error. The exit status is the program's own, that of the first rank where it is not zero; or 1
    after a fault or, where it is zero, when --check-coherence has found something, 2 when the run cannot start, 124
    after --timeout, 130 after Ctrl-C. A rank that exits without MPI_Finalize, or does not handle an error of MPI, ends
    the job with 113, MPI_Abort with its code.
    """
    called = click.get_current_context().info_name
    if called != "run" and _NEXT_PROGRAM in arguments:
        raise UserError(
            f"{called}: one program runs on all ranks; several ones in a job, PROGRAM {_NEXT_PROGRAM} PROGRAM, "
            f"are not supported (`toroid run` passes {_NEXT_PROGRAM} to the program)"
        )
    machine = options.chosen_machine(machine_name, settings)
    shape = options.chosen_shape(shape_text, machine, mesh)
    mode_name, mode = options.chosen_mode(machine, mode_name, ranks_per_node)
    places = shape.nodes * mode.processes
    if ranks is not None and ranks > places:
        runs = "one process runs" if mode.processes == 1 else f"{options.word(mode.processes)} processes run"
        wrong = f"--ranks {ranks}: shape {shape} has {shape.nodes} nodes, and {runs} on each"
        fits = shape.with_room_for(-(-ranks // mode.processes))
        raise UserError(f"{wrong}; --shape {fits} has room" if fits is not None else wrong)
    if check_coherence and mode.cores == 1:
        shared = " or ".join(name for name, other in machine.modes.items() if other.cores > 1)
        rather = f"check with --mode {shared}, or without" if shared else f"no mode of {machine.title} has such cores"
        raise UserError(f"--check-coherence: the cores share no cached memory in {mode.title}; {rather}")
    variables = _parsed_environment(environment)
    if mapping is None and (mapping := variables.get("BG_MAPPING")) is not None:
        order = options.order_of_ranks(mapping, machine, "--env BG_MAPPING")
    else:
        order = options.order_of_ranks(mapping, machine) if mapping is not None else None
    map_path = Path(mapping) if mapping is not None and order is None else None
    trace = TraceRequest(**tracing)
    trace.check(shape, machine)
    rtl = RtlRequest(rtl_units, waves_path, waves_scopes, waves_from, waves_to)
    rtl_section = rtl.section()
    section = RunSection(
        program=str(_checked_program(program)),
        arguments=list(arguments),
        environment=variables,
        mode=mode_name,
        ranks=ranks or places,
        mapping=str(map_path.resolve()) if map_path is not None else None,
        order=order,
        job_directory=str(directory.resolve()),
        prefix_output=prefix,
        timeout_ns=parse_duration_ns(timeout) if timeout is not None else None,
        park=not no_park,
        check_coherence=check_coherence,
        gdb=_parsed_gdb(gdb_text, ranks or places) if gdb_text is not None else None,
    )
    trace.check_places(
        [("--json", json_path), ("PROGRAM", program), ("--map", map_path), ("--waves", waves_path)], results
    )
    where = options.results_directory(results, "run", program.name)
    section = section.model_copy(update={"trace": trace.section(where)})
    configuration = configure(machine, shape, seed, run=section, rtl=rtl_section)
    for warning in (*guest.environment_warnings(section.environment, machine.name), *trace.warnings(program, machine)):
        console.status(f"warning: {warning}")
    rtl.build(lambda: check_machine(configuration))

    with (
        console.progress(program.name, show=section.gdb is None) as bar,
        console.shared_terminal(bar) as output,
        stoppable_simulation(configuration, where, stdout=output, stderr=output) as (simulation, _),
    ):
        narrator = Narrator(section.ranks)

        def on_progress(now: ProgressReport) -> None:
            bar.update(now.fraction, narrator.words(now))

        outcome = simulation.wait(on_progress)
    if outcome.result is None:
        if outcome.status == EXIT_INTERRUPTED:
            raise KeyboardInterrupt
        return outcome.status or EXIT_FAILURE

    rows = summary_rows(outcome)
    sys.stdout.flush()
    for line in rank_lines(outcome.result):
        console.status(line)
    if text := explanation(outcome.result):
        console.say(f"toroid: {text}")
    console.print_table(console.tables(stderr=True), summary_table(escaped(program.name), rows))
    if text := omission(outcome.result):
        console.status(text)
    files, failed = trace.finish(outcome, shape)
    for made in files:
        console.status(f"{'report' if made.suffix == '.html' else 'trace'}: {paths.shown(made)}")
    if waves_path is not None:
        console.status(f"waves: {paths.shown(waves_path)}")
    console.status(f"result: {paths.shown(where / 'result.json')}")
    if json_path is not None:
        try:
            report.write_rows(json_path, [row.as_json() for row in rows])
        except ToroidError as error:
            failed.append(error)
    for failure in failed:
        console.status(str(failure))
    return outcome.status or (EXIT_FAILURE if failed else 0)


def _checked_program(program: Path) -> Path:
    try:
        with program.open("rb") as file:
            head = file.read(len(_ELF_MAGIC))
    except OSError as error:
        raise UserError(f"{program}: cannot be run: {error.strerror}") from error
    # Whether it is one for the machine's cores, the simulator knows.
    if head != _ELF_MAGIC:
        raise UserError(f"{program}: not an ELF executable; build it with `toroid cc`, `c++` or `fc`")
    return program.resolve()


def _parsed_gdb(text: str, ranks: int) -> GdbSection:
    rank, colon, port = text.partition(":")
    if not rank.isdecimal() or (colon and not port.isdecimal()):
        raise UserError(f"--gdb {text}: expected RANK or RANK:PORT")
    if int(rank) >= ranks:
        raise UserError(f"--gdb {text}: there is no rank {rank}; the ranks are 0 to {ranks - 1}")
    if colon and int(port) > _LARGEST_PORT:
        raise UserError(f"--gdb {text}: there is no port {port}; the largest is {_LARGEST_PORT}")
    return GdbSection(rank=int(rank), port=int(port or 0), sources=str(paths.ROOT))


def _parsed_environment(settings: tuple[str, ...]) -> dict[str, str]:
    environment = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise UserError(f"--env {setting}: expected NAME=VALUE")
        environment[name] = value
    return environment
