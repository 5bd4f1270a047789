# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of machine descriptions, for editors and other tools: types, units and ranges of parameters as the
simulator lists them, and the values of the shipped machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter

from toroid.description import Entry, Mark, shipped_entries, written
from toroid.machine import machine_names
from toroid.simulator import list_parameters

Json = dict[str, Any]
_FEW: Json = {"type": "integer", "minimum": 1, "maximum": 255}
_TEXT: Json = {"type": "string", "minLength": 1}


class ParameterInfo(BaseModel):
    """A parameter as the simulator knows it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    type: Literal["whole", "number", "truth", "choice", "text"]
    unit: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    choices: list[str] = []
    pattern: str = ""
    meaning: str


def parameters_of(machine: str) -> list[ParameterInfo]:
    return TypeAdapter(list[ParameterInfo]).validate_json(list_parameters(machine))


def description_schema() -> Json:
    """Of complete descriptions and of those with a base, of all machines."""
    names = machine_names()
    known = {name: parameters_of(name) for name in names}
    of_any = {"anyOf": [_reference(name) for name in names]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Toroid machine description",
        "description": "A complete machine, or a base and what differs from it.",
        "type": "object",
        "properties": {
            "machine": {"description": "Which machine this is: the model that is built.", "enum": names},
            "base": {
                "description": "What this description changes: a machine's name, or the path of another description, "
                "relative to this one.",
                **_TEXT,
            },
            "title": {"description": "The machine's name for people.", "type": "string"},
            "dimensions": {
                "description": "A letter for each dimension of the torus. Programs need the machine's own number of "
                "dimensions; `toroid traffic` takes any.",
                "type": "string",
                "pattern": "^[A-Z]{1,5}$",
            },
            "modes": {
                "description": "How the processes of a job can share a node; the first is the usual one. "
                "Those of a description with a base replace or follow the base's by name.",
                "type": "object",
                "propertyNames": {"pattern": "^[a-z0-9_]{1,16}$"},
                "minProperties": 1,
                "additionalProperties": {
                    **_object({"title": _TEXT, "processes": _FEW, "cores": _FEW}),
                    "required": ["title", "processes", "cores"],
                },
            },
            "parameters": {"description": "Groups of parameters.", "type": "object"},
        },
        "additionalProperties": False,
        "if": {"required": ["base"]},
        "then": {
            "properties": {"machine": False},
            "if": {"properties": {"base": {"enum": names}}},
            "else": {"properties": {"parameters": of_any}},
        },
        "else": {"required": ["machine", "title", "dimensions", "modes", "parameters"]},
        "allOf": [condition for name in names for condition in _conditions(name, known[name])],
        "$defs": {
            "mark": {"description": "How far to trust the value.", "enum": list(get_args(Mark))},
            "source": {"description": "Where the value comes from, or why it was chosen.", **_TEXT},
            **{name: _groups(known[name], shipped_entries(name)) for name in names},
        },
    }


def _conditions(machine: str, parameters: Sequence[ParameterInfo]) -> list[Json]:
    """A description of this machine has its parameters, a complete one all of them."""
    groups = _by_group(parameters)
    complete = {
        "required": list(groups),
        "properties": {
            group: {
                "required": [_short(one) for one in members],
                "additionalProperties": {"required": ["mark", "source"]},
            }
            for group, members in groups.items()
        },
    }
    return [
        {
            "if": {"properties": {key: {"const": machine}}, "required": [key]},
            "then": {"properties": {"parameters": {"allOf": [_reference(machine), *more]}}},
        }
        for key, more in (("machine", [complete]), ("base", []))
    ]


def _groups(parameters: Sequence[ParameterInfo], shipped: Any) -> Json:
    return _object(
        {
            group: _object({_short(one): _parameter(one, shipped[one.name]) for one in members})
            for group, members in _by_group(parameters).items()
        }
    )


def _parameter(info: ParameterInfo, shipped: Entry) -> Json:
    value: Json
    properties: Json
    if info.type == "truth":
        value = {"type": "boolean"}
        properties = {"value": value}
    elif info.type == "choice":
        value = {"enum": info.choices}
        properties = {"value": value}
    elif info.type == "text":
        value = {"type": "string", "pattern": info.pattern}
        properties = {"value": value, **({"unit": {"const": info.unit}} if info.unit else {})}
    else:
        kind = "integer" if info.type == "whole" else "number"
        value = {"type": kind, "minimum": info.minimum, "maximum": info.maximum}
        properties = {"value": value, "unit": {"const": info.unit}}
    example = f"{written(shipped.value)} {shipped.unit}".rstrip()
    return {
        "description": f"{info.meaning}{f', in {info.unit}' if info.unit else ''} (shipped: {example})",
        **_object({**properties, "mark": {"$ref": "#/$defs/mark"}, "source": {"$ref": "#/$defs/source"}}),
        "required": list(properties),
    }


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _reference(machine: str) -> Json:
    return {"$ref": f"#/$defs/{machine}"}


def _by_group(parameters: Iterable[ParameterInfo]) -> dict[str, list[ParameterInfo]]:
    groups: dict[str, list[ParameterInfo]] = {}
    for info in parameters:
        groups.setdefault(info.name.partition(".")[0], []).append(info)
    return groups


def _short(info: ParameterInfo) -> str:
    return info.name.partition(".")[2]
