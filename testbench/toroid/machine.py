# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions: loads, checks and changes the files in hw/machines and those that people copy from them.

Every mistake is reported with file, line, column and key. A description is compared with the shipped one of the same
machine, which settles which parameters there are, in which units, and which of them are whole numbers (those written
without a decimal point).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictFloat, StrictInt, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from toroid import paths
from toroid.errors import FileError, Problem, UserError, suggestion
from toroid.units import UNITS, is_unit, parse_quantity
from toroid.yaml_file import Node, read_text, read_yaml

Mark = Literal["published", "driver", "assumed"]
Number = StrictInt | StrictFloat
Key = tuple[str | int, ...]
# Where they are told, and what is none.
PARAMETERS = f"`toroid info bgl` and {paths.WHAT_CAN_BE_CHANGED}"
# Columns; a parameter keeps its line, however long.
_NEVER_FOLD = 100_000


def _distinct(letters: str) -> str:
    if len(set(letters)) != len(letters):
        raise ValueError("letters are repeated")
    return letters


class ParameterEntry(BaseModel):
    """One parameter as the file gives it."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    value: Number
    unit: str
    mark: Mark
    source: Annotated[str, Field(min_length=1)]


class ProcessMode(BaseModel):
    """How the processes of a job share a node."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    title: Annotated[str, Field(min_length=1)]
    processes: Annotated[int, Field(ge=1, le=255)]  # of a node
    cores: Annotated[int, Field(ge=1, le=255)]  # of a process


class Description(BaseModel):
    """A whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    machine: str
    title: str
    dimensions: Annotated[str, Field(pattern="^[A-Z]{1,5}$"), AfterValidator(_distinct)]
    modes: Annotated[dict[Annotated[str, Field(pattern="^[a-z0-9_]{1,16}$")], ProcessMode], Field(min_length=1)]
    parameters: dict[str, dict[str, ParameterEntry]]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a machine, by its dotted name."""

    name: str
    value: int | float
    unit: str
    mark: Mark
    source: str


@dataclass(frozen=True)
class Machine:
    name: str
    title: str
    dimensions: str  # a letter each
    modes: dict[str, ProcessMode]  # the first is the usual one
    parameters: dict[str, Parameter]
    path: Path

    def flat(self) -> dict[str, int | float]:
        """Values by dotted name, as the simulator takes them."""
        return {name: parameter.value for name, parameter in self.parameters.items()}

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
                raise UserError(f"--set {setting}: unknown parameter {name}; {suggestion(name, changed, PARAMETERS)}")
            old = changed[name]
            try:
                value = parse_quantity(text, old.unit)
            except UserError as error:
                why = "a list of values, which only `toroid traffic` takes" if "," in text else error
                raise UserError(f"--set {setting}: {why}") from error
            if problem := _value_problem(value, whole=isinstance(_shipped_value(self.name, name), int)):
                raise UserError(f"--set {setting}: {problem}")
            changed[name] = replace(old, value=value, mark="assumed", source="set on the command line")
        return replace(self, parameters=changed)

    def text(self) -> str:
        """A description file of this very machine, changes included, that load_machine() takes: the text of the file it
        came from, with the parameters that differ from it replaced."""
        description = _parse(self.path).description
        yaml = YAML(typ="rt")
        yaml.preserve_quotes = True
        tree = yaml.load(read_text(self.path))
        for name, entry in _flat(description):
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
    if name_or_file in machine_names():
        return _load(paths.MACHINES / f"{name_or_file}.yaml")
    path = Path(name_or_file)
    if not path.is_file():
        if path.exists():  # a pipe, which could be read only once, or a directory
            raise UserError(f"{path}: a machine description must be a regular file, which this is not")
        raise UserError(f"no machine and no description file '{name_or_file}'; machines: {', '.join(machine_names())}")
    return _load(path)


class _Parsed(NamedTuple):
    tree: Node
    description: Description


def _load(path: Path) -> Machine:
    tree, description = _parse(path)
    problems: list[Problem] = []
    shipped = description
    if description.machine not in machine_names():
        hint = suggestion(description.machine, machine_names())
        problems.append(_problem(tree, ("machine",), f"machine: unknown machine '{description.machine}'; {hint}"))
    elif path.parent != paths.MACHINES:
        shipped = _parse(paths.MACHINES / f"{description.machine}.yaml").description
    problems += _compare(tree, description, shipped)
    if problems:
        raise FileError(path, problems)
    parameters = {
        name: Parameter(name, entry.value, entry.unit, entry.mark, entry.source) for name, entry in _flat(description)
    }
    return Machine(description.machine, description.title, description.dimensions, description.modes, parameters, path)


def _parse(path: Path) -> _Parsed:
    """The file as a tree that knows its lines, and as a checked description."""
    tree = read_yaml(path)
    if not isinstance(tree.value, dict):
        text = "not a machine description: expected the keys machine, title, ..."
        raise FileError(path, [tree.place.problem(text)])
    try:
        return _Parsed(tree, Description.model_validate(tree.plain()))
    except ValidationError as error:
        raise FileError(path, _validation_problems(tree, error)) from error


_EXPECTED = {
    "value": "expected a number",
    "unit": f"expected one of {', '.join(UNITS)}",
    "mark": f"expected one of {', '.join(get_args(Mark))}",
    "source": "expected a text that says where the value comes from",
    "machine": "expected the name of a machine",
    "title": "expected a text",
    "dimensions": "expected 1 to 5 different letters, one for each dimension, such as XYZ or ABCDE",
    "modes": "expected process modes, for example co: {title: coprocessor mode, processes: 1, cores: 2}",
    "processes": "expected a whole number from 1 to 255",
    "cores": "expected a whole number from 1 to 255",
    "parameters": "expected groups of parameters",
}


def _validation_problems(tree: Node, error: ValidationError) -> Iterator[Problem]:
    # A misspelt key is one mistake, not also a missing one.
    misspelt_in = {entry["loc"][:-1] for entry in error.errors() if entry["type"] == "extra_forbidden"}
    for entry in error.errors():
        if entry["type"] == "missing" and entry["loc"][:-1] in misspelt_in:
            continue
        key = _existing_key(tree, entry["loc"])
        dotted = _dotted(key)
        if entry["type"] == "extra_forbidden":
            model = Description if len(key) == 1 else ProcessMode if key[0] == "modes" else ParameterEntry
            yield _problem(tree, key, f"{dotted}: unknown key; {suggestion(str(key[-1]), model.model_fields)}")
        elif entry["type"] == "missing":
            missing = str(entry["loc"][-1])
            where = f"{dotted}: " if key else ""
            yield _problem(tree, key, f"{where}key {missing} is missing, {_EXPECTED[missing]}")
        else:
            expected = _EXPECTED.get(
                str(key[-1]) if key else "", "expected {value: ..., unit: ..., mark: ..., source: ...}"
            )
            yield _problem(tree, key, f"{dotted}: {_shown(entry['input'])} will not do, {expected}", at_value=True)


def _compare(tree: Node, description: Description, shipped: Description) -> Iterator[Problem]:
    """What is wrong with names, units and values, measured by the shipped description."""
    known = dict(_flat(shipped))
    given = dict(_flat(description))
    missing = [name for name in known if name not in given]
    unknown_groups = description.parameters.keys() - shipped.parameters.keys()
    for group in unknown_groups:
        hint = suggestion(group, shipped.parameters, PARAMETERS)
        yield _problem(tree, ("parameters", group), f"{group}: unknown group of parameters; {hint}")
    for name, entry in given.items():
        group, _, short_name = name.partition(".")
        key = ("parameters", group, short_name)
        if name not in known:
            if group not in unknown_groups:
                yield _problem(
                    tree, key, f"{name}: unknown parameter; {suggestion(name, missing or known, PARAMETERS)}"
                )
            continue
        if not is_unit(entry.unit):
            hint = suggestion(entry.unit, UNITS)
            yield _problem(tree, (*key, "unit"), f"{name}: unknown unit '{entry.unit}'; {hint}", at_value=True)
        elif entry.unit != known[name].unit:
            text = f"{name}: wrong unit '{entry.unit}', expected {known[name].unit}"
            yield _problem(tree, (*key, "unit"), text, at_value=True)
        if problem := _value_problem(entry.value, whole=isinstance(known[name].value, int)):
            yield _problem(tree, (*key, "value"), f"{name}: {problem}", at_value=True)
    # A misspelt name is one mistake, not also a missing parameter.
    if given.keys() <= known.keys():
        for name in missing:
            yield _problem(tree, ("parameters",), f"{name}: this parameter is missing")


def _value_problem(value: int | float, *, whole: bool) -> str | None:
    if value < 0:
        return f"value {value} is negative, expected zero or more"
    if whole and not isinstance(value, int):
        return f"value {value} is not a whole number, which this parameter must be"
    return None


def _shipped_value(machine: str, name: str) -> int | float:
    return dict(_flat(_parse(paths.MACHINES / f"{machine}.yaml").description))[name].value


def _flat(description: Description) -> Iterator[tuple[str, ParameterEntry]]:
    for group, entries in description.parameters.items():
        for name, entry in entries.items():
            yield f"{group}.{name}", entry


def _dotted(key: Key) -> str:
    """A place in the file as people call it: parameters by their dotted name."""
    return ".".join(str(part) for part in (key[1:] if len(key) > 1 and key[0] == "parameters" else key))


def _existing_key(tree: Node, location: Key) -> Key:
    """The part of a location that is in the file: it ends before a missing key and before names of union members."""
    node: Node | None = tree
    key: list[str | int] = []
    for part in location:
        node = node.child(part) if node is not None else None
        if node is None:
            break
        key.append(part)
    return tuple(key)


def _problem(tree: Node, key: Key, text: str, *, at_value: bool = False) -> Problem:
    node, place = tree, tree.place
    for part in key:
        child = node.child(part)
        assert child is not None
        place = child.place if at_value else node.keys[str(part)]
        node = child
    return place.problem(text)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
