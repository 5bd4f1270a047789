# SPDX-License-Identifier: Apache-2.0
"""Machines: the shipped ones, those of people's own description files, and what `--set` makes of either."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from toroid import paths
from toroid.description import (
    Changes,
    Complete,
    DescriptionFile,
    Mark,
    ProcessMode,
    Value,
    check_entries,
    fitting_value,
    read_description,
    shipped_entries,
    value_problem,
    where_parameters_are,
)
from toroid.errors import FileError, UserError, suggestion
from toroid.units import parse_quantity
from toroid.yaml_file import read_text

# Columns; a parameter keeps its line, however long.
_NEVER_FOLD = 100_000
# A name, or widths of directions: "X:4 Z+:2".
_TEXT = re.compile(r"[A-Za-z_]\w*|[A-Z][+-]?:\d+( [A-Z][+-]?:\d+)*|[A-Z]+( [A-Z]+)+")

_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a machine, by its dotted name."""

    name: str
    value: Value
    unit: str
    mark: Mark
    source: str
    origin: str = field(compare=False)  # "mine.yaml:12", or the option that has set it
    overridden: Parameter | None = field(default=None, compare=False)  # what the base has


@dataclass(frozen=True)
class Machine:
    name: str
    title: str
    dimensions: str  # a letter each
    modes: dict[str, ProcessMode]  # the first is the usual one
    parameters: dict[str, Parameter]
    mode_origins: dict[str, str]  # "mine.yaml:12"
    files: tuple[Path, ...]  # the description, its base, the base's, ...: the last one is complete

    @property
    def path(self) -> Path:
        return self.files[0]

    def flat(self) -> dict[str, Value]:
        """Values by dotted name, as the simulator takes them."""
        return {name: parameter.value for name, parameter in self.parameters.items()}

    @property
    def router(self) -> str:
        """The family of its routers. Raises UserError if the machine has no torus."""
        if "torus.router" not in self.parameters:
            raise UserError(
                f"{paths.shown(self.path)}: {self.title} has no torus, so no synthetic traffic; programs run on it"
            )
        return str(self.parameters["torus.router"].value)

    def number(self, name: str) -> int | float:
        """The value of a parameter that is a number."""
        value = self.parameters[name].value
        assert not isinstance(value, bool | str), name
        return value

    def origins(self) -> dict[str, str]:
        """Where each value stands, for messages."""
        return {name: parameter.origin for name, parameter in self.parameters.items()}

    def mode(self, name: str | None) -> tuple[str, ProcessMode]:
        """The process mode called so, with its name; None: the usual one. Raises UserError."""
        name = name if name is not None else next(iter(self.modes))
        if name not in self.modes:
            known = ", ".join(f"{mode} ({found.title})" for mode, found in self.modes.items())
            raise UserError(f"--mode {name}: {self.title} has no such process mode; it has {known}")
        return name, self.modes[name]

    def with_settings(self, settings: Sequence[str]) -> Machine:
        """The same machine with some 'name=value' changes."""
        changed = dict(self.parameters)
        for setting in settings:
            name, equals, text = setting.partition("=")
            name = name.strip()
            if not equals:
                raise UserError(f"--set {setting}: expected name=value, for example torus.buffer_chunks=16")
            if name not in changed:
                hint = suggestion(name, changed, where_parameters_are(self.name))
                raise UserError(f"--set {setting}: unknown parameter {name}; {hint}")
            changed[name] = replace(
                changed[name],
                value=self._set_value(name, text, setting),
                mark="assumed",
                source="set on the command line",
                origin=f"--set {setting}",
                overridden=self.parameters[name],
            )
        return replace(self, parameters=changed)

    def _set_value(self, name: str, text: str, setting: str) -> Value:
        known = shipped_entries(self.name)[name]
        if isinstance(known.value, bool):
            if text.strip() not in _TRUTH:
                raise UserError(f"--set {setting}: '{text}' is neither true nor false")
            return _TRUTH[text.strip()]
        if isinstance(known.value, str):
            if not _TEXT.fullmatch(text.strip()):
                raise UserError(f"--set {setting}: '{text}' is not a name; expected one, for example {known.value}")
            return text.strip()
        try:
            value = parse_quantity(text, known.unit)
        except UserError as error:
            why = "a list of values, which only `toroid traffic` takes" if "," in text else error
            raise UserError(f"--set {setting}: {why}") from error
        if problem := value_problem(value, known):
            raise UserError(f"--set {setting}: {problem}")
        return fitting_value(value, known)

    def text(self) -> str:
        """A complete description of this very machine, changes included, that load_machine() takes: the text of the
        file at the end of the chain of bases, with what differs from it replaced."""
        complete = read_description(self.files[-1])
        yaml = YAML(typ="rt")
        yaml.preserve_quotes = True
        tree = yaml.load(read_text(self.files[-1]))
        if self.title != complete.content.title:
            tree["title"] = DoubleQuotedScalarString(self.title)
        if self.dimensions != complete.content.dimensions:
            tree["dimensions"] = self.dimensions
        if self.modes != complete.content.modes:
            tree["modes"] = {name: mode.model_dump() for name, mode in self.modes.items()}
        for name, entry in complete.entries():
            now = self.parameters[name]
            if (now.value, now.mark, now.source) == (entry.value, entry.mark, entry.source):
                continue
            group, _, short_name = name.partition(".")
            written = tree["parameters"][group][short_name]
            written["value"], written["mark"] = now.value, now.mark
            written["source"] = DoubleQuotedScalarString(now.source)
        yaml.width = _NEVER_FOLD
        yaml.indent(mapping=2, sequence=4, offset=2)
        text = StringIO()
        yaml.dump(tree, text)
        return text.getvalue()


def machine_names() -> list[str]:
    return sorted(path.stem for path in paths.MACHINES.glob("*.yaml"))


def load_machine(name_or_file: str) -> Machine:
    """A machine by its name, or by the path of a description file."""
    path = _shipped_or(Path(name_or_file), name_or_file)
    if not path.exists():
        raise UserError(f"no machine and no description file '{name_or_file}'; machines: {', '.join(machine_names())}")
    if not path.is_file():  # a pipe, which could be read only once, or a directory
        raise UserError(f"{path}: a machine description must be a regular file, which this is not")
    chain = _chain(path)
    *changes, complete = chain
    assert isinstance(complete.content, Complete)
    name = complete.content.machine
    _check_complete(complete)
    shipped = shipped_entries(name)
    parameters = {
        key: Parameter(
            key, fitting_value(entry.value, shipped[key]), entry.unit, entry.mark, entry.source, complete.origin(key)
        )
        for key, entry in complete.entries()
    }
    title, dimensions, modes = complete.content.title, complete.content.dimensions, complete.content.modes
    mode_origins = complete.mode_origins()
    for file in reversed(changes):
        if problems := list(check_entries(file, shipped)):
            raise FileError(file.path, problems)
        for key, entry in file.entries():
            value = fitting_value(entry.value, shipped[key])
            parameters[key] = Parameter(
                key, value, entry.unit, entry.mark, entry.source, file.origin(key), parameters[key]
            )
        title = file.content.title or title
        dimensions = file.content.dimensions or dimensions
        assert isinstance(file.content, Changes)
        modes = modes | (file.content.modes or {})
        mode_origins |= file.mode_origins()
    files = tuple(file.path for file in chain)
    return Machine(name, title, dimensions, modes, parameters, mode_origins, files)


def _shipped_or(path: Path, name: str) -> Path:
    return paths.MACHINES / f"{name}.yaml" if name in machine_names() else path


def _chain(path: Path) -> list[DescriptionFile]:
    """A description, its base, the base's base, down to a complete one."""
    chain = [read_description(path)]
    while isinstance(content := chain[-1].content, Changes):
        file = chain[-1]
        base = _shipped_or(file.path.parent / content.base, content.base)
        mistake = None
        if any(base.resolve() == other.path.resolve() for other in chain):
            mistake = "is based on itself: " + " -> ".join(paths.shown(each.path) for each in chain)
            mistake += f" -> {paths.shown(base)}"
        elif not base.is_file():
            mistake = f"no machine and no description file there; machines: {', '.join(machine_names())}"
        if mistake is not None:
            raise FileError(file.path, [file.problem(("base",), f"base: {content.base}: {mistake}")])
        chain.append(read_description(base))
    return chain


def _check_complete(file: DescriptionFile) -> None:
    assert isinstance(file.content, Complete)
    machine = file.content.machine
    if machine in machine_names():
        problems = list(check_entries(file, shipped_entries(machine)))
    else:
        hint = suggestion(machine, machine_names())
        problems = [file.problem(("machine",), f"machine: unknown machine '{machine}'; {hint}")]
    if problems:
        raise FileError(file.path, problems)
