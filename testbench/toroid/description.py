# SPDX-License-Identifier: Apache-2.0
"""Description files of machines: what is in one, with the places of its keys, and what is wrong with it.

A complete file has every parameter of its machine. One that names a `base`, a machine or another file, has only what
differs from that. Each mistake is reported with file, line, column and key. The shipped description of the same machine
settles which parameters there are, in which units, and which of them are whole numbers (those written without a decimal
point); ranges are the simulator's matter, which tells them with the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from toroid import paths
from toroid.errors import FileError, Problem, suggestion
from toroid.units import UNITS, is_unit
from toroid.yaml_file import Node, Place, read_yaml

Mark = Literal["published", "driver", "calibrated", "assumed"]
Value = StrictBool | StrictInt | StrictFloat | StrictStr  # a text is a choice
Key = tuple[str | int, ...]
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
_Text = Annotated[str, Field(min_length=1)]


def where_parameters_are(machine: str = paths.DEFAULT_MACHINE) -> str:
    """Where people find the names of a machine's parameters."""
    return f"`toroid info {machine}` and {paths.WHAT_CAN_BE_CHANGED}"


def _distinct(letters: str) -> str:
    if len(set(letters)) != len(letters):
        raise ValueError("letters are repeated")
    return letters


# A process mode as messages show it.
_MODE = "{title: coprocessor mode, processes: 1, cores: 2}"
_Dimensions = Annotated[str, Field(pattern="^[A-Z]{1,5}$"), AfterValidator(_distinct)]
_Name = Annotated[str, Field(pattern="^[a-z0-9_]{1,16}$")]


class ParameterEntry(BaseModel):
    """One parameter as a complete file gives it."""

    model_config = _STRICT

    value: Value
    unit: str = ""  # choices have none
    mark: Mark
    source: _Text


class ChangedEntry(BaseModel):
    """One parameter as a file with a base changes it."""

    model_config = _STRICT

    value: Value
    unit: str = ""
    mark: Mark = "assumed"
    source: _Text = "no source given"


class ProcessMode(BaseModel):
    """How the processes of a job share a node."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    title: _Text
    processes: Annotated[int, Field(ge=1, le=255)]  # of a node
    cores: Annotated[int, Field(ge=1, le=255)]  # of a process


_Modes = Annotated[dict[_Name, ProcessMode], Field(min_length=1)]


class Complete(BaseModel):
    """A file that has everything."""

    model_config = _STRICT

    machine: str
    title: str
    dimensions: _Dimensions
    modes: _Modes
    parameters: dict[str, dict[str, ParameterEntry]]


class Changes(BaseModel):
    """A file that has what differs from its base."""

    model_config = _STRICT

    base: _Text
    title: str | None = None
    dimensions: _Dimensions | None = None
    modes: _Modes | None = None
    parameters: dict[str, dict[str, ChangedEntry]] = {}


Entry = ParameterEntry | ChangedEntry


@dataclass(frozen=True)
class DescriptionFile:
    """One file, its form checked."""

    path: Path
    tree: Node
    content: Complete | Changes

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Parameters by their dotted names."""
        for group, entries in self.content.parameters.items():
            for name, entry in entries.items():
                yield f"{group}.{name}", entry

    def origin(self, name: str) -> str:
        """Where a parameter stands, as messages name it."""
        return self._origin(_key_of(name))

    def mode_origins(self) -> dict[str, str]:
        """Where each process mode stands."""
        return {name: self._origin(("modes", name)) for name in self.content.modes or {}}

    def _origin(self, key: Key) -> str:
        return f"{paths.shown(self.path)}:{_place(self.tree, key).line}"

    def problem(self, key: Key, text: str) -> Problem:
        return _place(self.tree, key).problem(text)


def read_description(path: Path) -> DescriptionFile:
    tree = read_yaml(path)
    if not isinstance(tree.value, dict):
        text = "not a machine description: expected the keys machine, title, ..., or base"
        raise FileError(path, [tree.place.problem(text)])
    model = Changes if "base" in tree.value else Complete
    if dotted := list(_dotted_names(tree)):
        raise FileError(path, dotted)
    try:
        return DescriptionFile(path, tree, model.model_validate(tree.plain()))
    except ValidationError as error:
        raise FileError(path, _validation_problems(tree, model, error)) from error


@cache
def shipped_entries(machine: str) -> Mapping[str, Entry]:
    """The parameters of a shipped machine."""
    return dict(read_description(paths.MACHINES / f"{machine}.yaml").entries())


def check_entries(file: DescriptionFile, shipped: Mapping[str, Entry]) -> Iterator[Problem]:
    """What is wrong with names, units and values, measured by the shipped description."""
    given = dict(file.entries())
    missing = [name for name in shipped if name not in given] if isinstance(file.content, Complete) else []
    shipped_groups = {name.partition(".")[0] for name in shipped}
    unknown_groups = file.content.parameters.keys() - shipped_groups
    for group in unknown_groups:
        hint = suggestion(group, shipped_groups, where_parameters_are())
        yield file.problem(("parameters", group), f"{group}: unknown group of parameters; {hint}")
    for group in [group for group in file.content.parameters if group not in unknown_groups]:
        for short_name, entry in file.content.parameters[group].items():
            name = f"{group}.{short_name}"
            if name in shipped:
                yield from _check_entry(file, name, entry, shipped[name])
            else:
                hint = suggestion(name, missing or shipped, where_parameters_are())
                yield file.problem(_key_of(name), f"{name}: unknown parameter; {hint}")
    # A misspelt name is one mistake, not also a missing parameter.
    if given.keys() <= shipped.keys():
        for name in missing:
            known = shipped[name]
            example = f"{written(known.value)} {known.unit}".rstrip()
            yield file.problem(("parameters",), f"{name}: this parameter is missing; the shipped machine has {example}")


def _check_entry(file: DescriptionFile, name: str, entry: Entry, known: Entry) -> Iterator[Problem]:
    def at(part: str, text: str) -> Problem:
        return _place(file.tree, (*_key_of(name), part), at_value=True).problem(f"{name}{text}")

    if entry.unit != known.unit:
        expected = f"expected {known.unit}" if known.unit else "which this parameter does not have"
        if not entry.unit:
            yield file.problem(_key_of(name), f"{name}: key unit is missing, {expected}")
        elif known.unit and not is_unit(entry.unit):
            yield at("unit", f": unknown unit '{entry.unit}'; {suggestion(entry.unit, UNITS)}")
        else:
            yield at("unit", f": wrong unit '{entry.unit}', {expected}")
    if _kind(known.value) is not _kind(entry.value):
        yield at("value", f".value is {_shown(entry.value)}; expected {_expected_kind(known)}")
    elif problem := value_problem(entry.value, known):
        yield at("value", f": {problem}")


def _kind(value: Value) -> type:
    return float if isinstance(value, int) and not isinstance(value, bool) else type(value)


def _expected_kind(known: Entry) -> str:
    """What kind of value a parameter has."""
    if isinstance(known.value, bool):
        return "true or false"
    return f"a name, for example {known.value}" if isinstance(known.value, str) else "a number"


def written(value: Value) -> str:
    """As descriptions write it, but for quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_problem(value: Value, known: Entry) -> str | None:
    """What is wrong with a number, measured by a shipped one."""
    if isinstance(value, bool | str):
        return None
    if value < 0:
        return f"value {value} is negative, expected zero or more"
    if isinstance(known.value, int) and not float(value).is_integer():
        return f"value {value} is not a whole number, which this parameter must be"
    return None


def fitting_value(value: Value, known: Entry) -> Value:
    """A value as the simulator takes it: 64.0 is 64 where a whole number is wanted."""
    return int(value) if isinstance(known.value, int) and isinstance(value, float) else value


_EXPECTED = {
    "value": "expected a number",
    "unit": f"expected one of {', '.join(UNITS)}",
    "mark": f"expected one of {', '.join(get_args(Mark))}",
    "source": "expected a text that says where the value comes from",
    "machine": "expected the name of a machine",
    "base": "expected the name of a machine or the path of a description file",
    "title": "expected a text",
    "dimensions": "expected 1 to 5 different letters, one for each dimension, such as XYZ or ABCDE",
    "modes": f"expected process modes, for example co: {_MODE}",
    "processes": "expected a whole number from 1 to 255",
    "cores": "expected a whole number from 1 to 255",
    "parameters": "expected groups of parameters",
}


def _expected_at(key: Key, kind: str) -> str:
    """What the file should have there; `kind` of mistake is pydantic's."""
    if len(key) == 2 and key[0] == "modes":
        if kind == "string_pattern_mismatch":
            return "expected a name of 1 to 16 small letters, digits and underscores"
        return f"expected {_MODE}"
    if len(key) == 2 and key[0] == "parameters":
        return "expected parameters of this group, for example buffer_chunks: {value: 64, unit: chunks}"
    last = str(key[-1]) if key else ""
    return _EXPECTED.get(last, "expected {value: ..., unit: ..., mark: ..., source: ...}")


def _dotted_names(tree: Node) -> Iterator[Problem]:
    """Parameters that stand where their groups should."""
    groups = tree.child("parameters")
    for name, place in groups.keys.items() if groups is not None else ():
        group, dot, short_name = name.partition(".")
        if dot:
            right = f"write {group}: {{{short_name}: {{value: ...}}}}"
            yield place.problem(f"{name}: a parameter stands below the name of its group: {right}")


def _validation_problems(tree: Node, model: type[BaseModel], error: ValidationError) -> Iterator[Problem]:
    # A misspelt key is one mistake, not also a missing one.
    misspelt_in = {entry["loc"][:-1] for entry in error.errors() if entry["type"] == "extra_forbidden"}
    for entry in error.errors():
        if entry["type"] == "missing" and entry["loc"][:-1] in misspelt_in:
            continue
        key = _existing_key(tree, entry["loc"])
        dotted = _dotted(key)
        if entry["type"] == "extra_forbidden":
            known = model if len(key) == 1 else ProcessMode if key[0] == "modes" else ParameterEntry
            hint = suggestion(str(key[-1]), known.model_fields)
            if key == ("machine",):
                hint = "a description with a base is of its base's machine"
            yield _place(tree, key).problem(f"{dotted}: unknown key; {hint}")
        elif entry["type"] == "missing":
            missing = str(entry["loc"][-1])
            where = f"{dotted}: " if key else ""
            yield _place(tree, key).problem(f"{where}key {missing} is missing, {_EXPECTED[missing]}")
        else:
            expected = _expected_at(key, entry["type"])
            if entry["loc"][-1] == "[key]":  # the name itself
                yield _place(tree, key).problem(f"{dotted}: {expected}")
            else:
                text = f"{dotted} is {_shown(entry['input'])}; {expected}"
                # An empty value is where the next line begins, to the YAML library.
                yield _place(tree, key, at_value=entry["input"] is not None).problem(text)


def _key_of(name: str) -> Key:
    group, _, short_name = name.partition(".")
    return ("parameters", group, short_name)


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


def _place(tree: Node, key: Key, *, at_value: bool = False) -> Place:
    node, place = tree, tree.place
    for part in key:
        child = node.child(part)
        assert child is not None
        place = child.place if at_value else node.keys[str(part)]
        node = child
    return place


def _shown(value: Any) -> str:
    """As a description writes it."""
    words = {True: "true", False: "false", None: "empty"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
