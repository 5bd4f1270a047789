# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from __future__ import annotations

import fcntl
import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from toroid import paths
from toroid.description import ProcessMode
from toroid.errors import UserError
from toroid.machine import Machine, load_machine, machine_names
from toroid.report import STANDARD_OUTPUT, write_csv, write_rows
from toroid.shape import Shape, example_shape, parse_shape

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Completer = Callable[[click.Context, click.Parameter, str], list[str]]


class VerbatimCommand(click.Command):
    """A command that receives its whole command line unparsed (ctx.args), including options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.args = list(args)
        return ctx.args


def _complete_machine(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Completes names of machines, or files."""
    names = [CompletionItem(name) for name in machine_names() if name.startswith(begun)]
    return names or [CompletionItem(begun, type="file")]


def complete_names(known: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Completes an argument that accepts several of the known names, each once."""

    def complete(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        given = ctx.params.get(parameter.name or "") or ()
        names = [name for name in known(ctx) if name.startswith(begun) and name not in given]
        # bash alone puts what it is given into the line as it stands; click's script reads one backslash of two.
        quoted = os.environ.get("_TOROID_COMPLETE") == "bash_complete"
        return [name.replace(" ", r"\\ ") for name in names] if quoted else names

    return complete


def _complete_setting(ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Completes the names of parameters, but not their values."""
    try:
        machine = load_machine(ctx.params.get("machine_name") or paths.DEFAULT_MACHINE)
    except UserError:
        return []
    return [f"{name}=" for name in machine.parameters if name.startswith(begun)]


_SETTINGS_OPTION = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", shell_complete=_complete_setting,
    help="Change one parameter for this run, for example torus.buffer_chunks=16. Repeatable.",
)  # fmt: skip


def machine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--machine and --set; `chosen_machine` turns them into a machine."""
    return click.option(
        "--machine", "machine_name", default=paths.DEFAULT_MACHINE, show_default=True, metavar="NAME|FILE",
        shell_complete=_complete_machine,
        help="A machine's name (see `toroid info`) or a description file of your own.",
    )(_SETTINGS_OPTION(function))  # fmt: skip


def machine_file_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--machine and --set for commands that get the machine's name from an argument."""
    return click.option(
        "--machine", "machine_name", metavar="FILE", help="A description file of your own. Default: the shipped one."
    )(_SETTINGS_OPTION(function))


def network_options(default_shape: str) -> Decorator:
    """--shape, --mesh and --seed."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        decorators: list[Decorator] = [
            click.option(
                "--shape", "shape_text", default=default_shape, show_default=True, metavar="AxBxC",
                help="Nodes along each dimension.",
            ),
            click.option(
                "--mesh", default="", metavar="LETTERS",
                help="Dimensions that are lines instead of rings, for example XZ.",
            ),
            click.option(
                "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True,
                help="Seed of all random choices. The same seed gives the same result to the byte.",
            ),
        ]  # fmt: skip
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


class OutputPath(click.Path):
    """A file or directory to write. An empty name, from a variable that is not set, is refused: it does not mean the
    current directory."""

    def __init__(self, *, directory: bool = False) -> None:
        super().__init__(path_type=Path, dir_okay=directory, file_okay=not directory)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            option = param.opts[0] if param is not None else "output"
            raise UserError(f"{option} '': the name is empty")
        return super().convert(value, param, ctx)


def checked_output(_ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Callback of options that name a file to write: refuses a file that cannot be written before anything runs."""
    if path is None:
        return None
    option = parameter.opts[0]
    if path == STANDARD_OUTPUT:
        raise UserError(f"{option} -: does not go to standard output; name a file")
    try:
        there = next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    except OSError as error:
        raise UserError(f"{option} {path}: cannot be written: {error.strerror}") from error
    if there != path.absolute() and not there.is_dir():
        raise UserError(f"{option} {path}: cannot be written: {there} is not a directory")
    if not os.access(there, os.W_OK):
        raise UserError(f"{option} {path}: cannot be written: no permission for {there}")
    return path


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--json", "json_path", type=OutputPath(), metavar="FILE", callback=checked_output,
        help="Also write the table's rows as JSON.",
    )(function)  # fmt: skip


def _checked_rows(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    return path if path == STANDARD_OUTPUT else checked_output(ctx, parameter, path)


def row_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--json and --csv for commands that write only their table to standard output; `RowFiles` implements them."""
    decorators = [
        click.option(
            f"--{kind}", f"{kind}_path", type=OutputPath(), metavar="FILE|-", callback=_checked_rows,
            help=f"Write the table's rows as {kind.upper()}; - is standard output, instead of the table.",
        )
        for kind in ("json", "csv")
    ]  # fmt: skip
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


@dataclass(frozen=True)
class RowFiles:
    """The files to which the rows of a table are written."""

    json_path: Path | None
    csv_path: Path | None

    def __post_init__(self) -> None:
        if self.json_path == self.csv_path == STANDARD_OUTPUT:
            raise UserError("--json - and --csv -: standard output takes one of them; name a file for the other")

    @property
    def take_standard_output(self) -> bool:
        """Whether standard output is reserved for the rows."""
        return STANDARD_OUTPUT in (self.json_path, self.csv_path)

    def write(self, rows: Sequence[dict[str, object]]) -> None:
        if self.json_path is not None:
            write_rows(self.json_path, rows)
        if self.csv_path is not None:
            write_csv(self.csv_path, rows)


def results_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--results", "results", type=OutputPath(directory=True), metavar="DIR",
        help="Directory for configuration and result. Default: a new directory under results/.",
    )(function)  # fmt: skip


_WORDS = ("no", "one", "two", "three", "four", "five")


def word(number: int) -> str:
    """A small number as a word."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


def _complete_mode(ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    try:
        machine = load_machine(ctx.params.get("machine_name") or paths.DEFAULT_MACHINE)
    except UserError:
        return []
    return [name for name in machine.modes if name.startswith(begun)]


def mode_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--mode", "mode_name", metavar="MODE", shell_complete=_complete_mode,
        help="How processes share a node, by one of the machine's modes, which `toroid info MACHINE` lists. Default: "
        "the first of them.",
    )(function)  # fmt: skip


def ranks_per_node_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--ranks-per-node", "ranks_per_node", type=click.IntRange(min=1), metavar="N",
        help="The same by the number of processes on each node.",
    )(function)  # fmt: skip


def chosen_mode(machine: Machine, mode_name: str | None, ranks_per_node: int | None) -> tuple[str, ProcessMode]:
    """The process mode that --mode names or that has so many processes, with its name. Raises UserError."""
    if ranks_per_node is None:
        return machine.mode(mode_name)
    if mode_name is not None:
        raise UserError("--mode and --ranks-per-node say the same; one of them is enough")
    for name, mode in machine.modes.items():
        if mode.processes == ranks_per_node:
            return name, mode
    known = ", ".join(str(mode.processes) for mode in machine.modes.values())
    raise UserError(f"--ranks-per-node {ranks_per_node}: {machine.title} has no such process mode; it has {known}")


def require_shipped_dimensions(what: str, machine: Machine) -> None:
    """Raises UserError unless the machine has as many dimensions as the shipped one of its name, whose shapes the
    experiments have; `what` is the command as it was typed."""
    dimensions = len(load_machine(machine.name).dimensions)
    if len(machine.dimensions) != dimensions:
        raise UserError(
            f"{what}: its shapes have {_WORDS[dimensions]} dimensions; {paths.shown(machine.path)} "
            f"describes a machine of {_WORDS[len(machine.dimensions)]} ({paths.WHAT_CAN_BE_CHANGED})"
        )


def chosen_machine(machine_name: str, settings: tuple[str, ...]) -> Machine:
    return load_machine(machine_name).with_settings(settings)


def chosen_machines(machine_name: str, settings: tuple[str, ...]) -> list[Machine]:
    """The machines that result from lists of values, name=16,32: one for each combination. A parameter that is set
    twice is refused, because it is ambiguous: the values could be compared, or the last one could be used."""
    machine = load_machine(machine_name)
    alternatives: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for setting in settings:
        name, _, text = (part.strip() for part in setting.partition("="))
        if name in texts:
            values = dict.fromkeys(f"{texts[name]},{text}".split(","))
            advice = f"--set {name}={','.join(values)} compares the values" if len(values) > 1 else "once is enough"
            raise UserError(f"--set {setting}: {name} is set more than once; {advice}")
        alternatives[name] = _alternatives(machine, setting)
        texts[name] = text
    return [machine.with_settings(chosen) for chosen in itertools.product(*alternatives.values())]


def _alternatives(machine: Machine, setting: str) -> list[str]:
    """Expands a setting with a list of values. A text that is itself a valid value is never treated as a list."""
    name, _, text = setting.partition("=")
    try:
        machine.with_settings([setting])
        return [setting]
    except UserError:
        if name.strip() not in machine.parameters or "," not in text:
            raise
    alternatives = [f"{name}={part}" for part in text.split(",")]
    values = [machine.with_settings([one]).parameters[name.strip()].value for one in alternatives]
    if repeated := [one for one, value in zip(alternatives, values, strict=True) if values.count(value) > 1]:
        raise UserError(f"--set {setting}: the value of {repeated[-1]} is there more than once")
    return alternatives


def chosen_shape(text: str, machine: Machine, mesh: str) -> Shape:
    """The shape of --shape and --mesh. The default suits most machines, but not all."""
    given = click.get_current_context().get_parameter_source("shape_text") is not ParameterSource.DEFAULT
    if not given and text.count("x") + 1 != len(machine.dimensions):
        example = example_shape(len(machine.dimensions))
        raise UserError(
            f"--shape is missing: the default, {text}, does not fit a machine of {_WORDS[len(machine.dimensions)]} "
            f"dimension{'s' if len(machine.dimensions) > 1 else ''}; give --shape {example}, for example"
        )
    return parse_shape(text, machine.dimensions, mesh)


def order_of_ranks(text: str, machine: Machine, name: str = "--map") -> str | None:
    """The letters of --map, or of the variable `name`, such as ABCDET; None for a file, which there is."""
    # The simulator says what is wrong with it. Path.exists() raises errors for long names.
    if os.path.exists(text):  # noqa: PTH110
        return None
    letters = "".join(machine.dimensions) + "T"
    if sorted(text) == sorted(letters):
        return text
    raise UserError(f"{name} {text}: no file, and no order of ranks, which has each letter of {letters} once")


_ANOTHER_DIRECTORY = "wait for its end, or name another directory with --results"


def prepared_directory(directory: Path) -> Path:
    """A directory for results; creates it if it does not exist."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{directory}: cannot be created: {error.strerror}") from error
    if not os.access(directory, os.W_OK):
        raise UserError(f"{directory}: cannot be written to")
    return directory


def results_directory(given: Path | None, command: str, name: str) -> Path:
    """The directory of --results, or a new one for this command; reserved until the command has ended."""
    directory = paths.new_result_directory(command, name) if given is None else prepared_directory(given)
    claim(directory)
    return directory


def check_results(directory: Path) -> None:
    """Refuses a directory for results that cannot be used, before a build. Does not create it yet."""
    if directory.exists():
        os.close(_hold(prepared_directory(directory), _ANOTHER_DIRECTORY))


def claim(directory: Path, advice: str = _ANOTHER_DIRECTORY) -> int:
    """Reserves a directory for this command until it ends, so that another command cannot mix its results with these.
    Returns the descriptor that holds the lock. Raises UserError if another command has reserved it."""
    held = _hold(directory, advice)
    click.get_current_context().call_on_close(lambda: os.close(held))
    return held


def _hold(directory: Path, advice: str) -> int:
    held = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        raise UserError(f"{paths.shown(directory)}: another command writes its results there; {advice}") from error
    except OSError:
        pass  # a file system without locks, as some network file systems are: people must take care themselves
    return held
