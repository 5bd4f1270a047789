# SPDX-License-Identifier: Apache-2.0
"""Reads the part of YAML that machine descriptions are made of: mappings from names to texts, numbers and truth values.

The YAML library finds the words (events), and what is made of them is decided here. Anchors, aliases, tags, lists as
keys, or several documents in a file, which YAML has as well, are reported as mistakes with their place: a description
needs none of them, and they are how a small file comes to mean a huge or an endless one. Every limit below is far from
what a description needs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StreamMark, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from toroid.errors import FileError, Problem, UserError, escaped

_LARGEST_FILE = 256 * 1024  # bytes
_DEEPEST = 8  # a description has four levels
_MOST_DIGITS = 18  # of a whole number: what 64 bits hold
_LONGEST_NAME = 100

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_LONG_ESCAPE = re.compile(r"\\U([0-9a-fA-F]{8})")
_INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)")


@dataclass(frozen=True)
class Place:
    """Where something begins. Lines and columns count from 1."""

    line: int
    column: int

    def problem(self, text: str) -> Problem:
        return Problem(self.line, self.column, text)


@dataclass
class Node:
    """A value of the file with its place, and the places of its keys where it is a mapping."""

    value: Scalar | list[Node] | dict[str, Node]
    place: Place
    keys: dict[str, Place] = field(default_factory=dict)

    def plain(self) -> Any:
        """Without the places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def child(self, key: str | int) -> Node | None:
        """What is below a key, if this is a mapping that has it."""
        return self.value.get(str(key)) if isinstance(self.value, dict) else None


def read_yaml(path: Path) -> Node:
    """The file's one document. Raises UserError or FileError, which is one too, for everything else."""
    return _Reader(path, read_text(path)).document()


def read_text(path: Path) -> str:
    """The text of a description file, if it can be one."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read as a machine description: {error.strerror}") from error
    if len(content) > _LARGEST_FILE:
        raise UserError(f"{path}: too large for a machine description; expected {_LARGEST_FILE // 1024} KiB at most")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise FileError(path, [Problem(line, column, "not UTF-8, which a machine description must be")]) from error


class _Mistake(Exception):  # noqa: N818  # carries a problem, and is none itself
    def __init__(self, place: Place, text: str) -> None:
        super().__init__(text)
        self.problem = place.problem(text)


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._events = self._guarded(text)

    def document(self) -> Node:
        try:
            return self._document()
        except _Mistake as mistake:
            raise FileError(self._path, [mistake.problem]) from mistake

    def _document(self) -> Node:
        found: Node | None = None
        for event in self._events:
            if isinstance(event, DocumentStartEvent) and found is not None:
                raise _Mistake(_place(event.start_mark), "a second document; expected one in a file")
            if isinstance(event, (MappingStartEvent, SequenceStartEvent, ScalarEvent, AliasEvent)):
                found = self._node(event, 1)
        return found if found is not None else Node(None, Place(1, 1))

    def _guarded(self, text: str) -> Iterator[Event]:
        """The library's events; what it has to complain about as a mistake at its place."""
        for number, line in enumerate(text.split("\n"), start=1):
            for column, character in enumerate(line, start=1):
                if not character.isprintable() and character not in "\t\r":
                    what = f"not valid YAML: the character '{escaped(character)}'; expected printable ones"
                    raise _Mistake(Place(number, column), what)
        try:
            yield from YAML(typ="safe", pure=True).parse(text)
        except MarkedYAMLError as error:
            what = (error.problem or str(error)).splitlines()[0]
            raise _Mistake(
                _place(error.problem_mark or error.context_mark), f"not valid YAML: {_short(what)}"
            ) from error
        except (YAMLError, ValueError, LookupError, ArithmeticError, AttributeError, TypeError) as error:
            # The last ones are what the library makes of some escape sequences and directives.
            if (beyond := _beyond_all_characters(text)) is not None:
                raise beyond from error
            what = (str(error).splitlines() or [type(error).__name__])[0]
            raise _Mistake(Place(1, 1), f"not valid YAML: {_short(what)}") from error

    def _node(self, event: Any, depth: int) -> Node:
        place = _place(event.start_mark)
        if isinstance(event, AliasEvent):
            raise _Mistake(place, f"the alias *{_short(event.anchor)}; expected the value itself, written out")
        if event.anchor is not None:
            raise _Mistake(place, f"the anchor &{_short(event.anchor)}; expected the value alone")
        if event.tag is not None:
            raise _Mistake(place, f"the tag {_short(str(event.tag))}; expected the value alone")
        if isinstance(event, ScalarEvent):
            return Node(_scalar(event, place), place)
        if depth > _DEEPEST:
            raise _Mistake(place, f"more than {_DEEPEST} levels of lists and mappings")
        if isinstance(event, MappingStartEvent):
            return self._mapping(place, depth)
        return self._sequence(place, depth)

    def _sequence(self, place: Place, depth: int) -> Node:
        nodes = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            nodes.append(self._node(event, depth + 1))
        return Node(nodes, place)

    def _mapping(self, place: Place, depth: int) -> Node:
        nodes: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            name, at = self._key(event, depth)
            if name in nodes:
                raise _Mistake(at, f"duplicate key {name}; the first one is in line {keys[name].line}")
            keys[name] = at
            nodes[name] = self._node(next(self._events), depth + 1)
        return Node(nodes, place, keys)

    def _key(self, event: Event, depth: int) -> tuple[str, Place]:
        node = self._node(event, depth + 1)
        if not isinstance(node.value, str):
            written = f" {_short(event.value)}" if isinstance(event, ScalarEvent) and event.value else ""
            kind = {dict: "a mapping", list: "a list", type(None): "nothing", bool: "a truth value"}
            what = kind.get(type(node.value), "a number")
            raise _Mistake(node.place, f"the key{written} is {what}; expected a name")
        if not node.value.isprintable() or len(node.value) > _LONGEST_NAME:
            raise _Mistake(node.place, f"the key {_short(node.value)}; expected a name")
        return node.value, node.place


def _scalar(event: ScalarEvent, place: Place) -> Scalar:
    text: str = event.value
    for character in text:
        if not character.isprintable() and character != "\n":
            raise _Mistake(place, f"the character '{escaped(character)}' in a text; expected printable ones")
    if event.style:  # quoted, or a block
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        if len(text) > _MOST_DIGITS:
            raise _Mistake(place, f"a number of {len(text)} digits; expected {_MOST_DIGITS} at most")
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if infinite := _INFINITE.fullmatch(text):
        return float(f"{infinite[1]}inf")
    return text


def _beyond_all_characters(text: str) -> _Mistake | None:
    """An escape sequence of a number that no character has."""
    for found in _LONG_ESCAPE.finditer(text):
        if int(found[1], 16) > sys.maxunicode:
            before = text[: found.start()]
            place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
            return _Mistake(place, f"not valid YAML: {found[0]} is not a character")
    return None


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def _place(mark: StreamMark | None) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark is not None else Place(1, 1)
