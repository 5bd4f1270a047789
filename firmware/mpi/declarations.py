# SPDX-License-Identifier: Apache-2.0
"""What mpi.h declares: its functions with their parameters, and its constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER = Path(__file__).resolve().parent / "mpi.h"

_FUNCTION = re.compile(r"^(int|double|MPI_Aint) (MPI_\w+)\(([^;]*)\);", re.MULTILINE)
_PARAMETER = re.compile(r"(const )?(\w+) ?(\**) ?(\w+)((?:\[\d*\])*)")
_DEFINITION = re.compile(r"^MPII_PUBLIC\((\w+)\);", re.MULTILINE)
_CONSTANT = re.compile(r"^#define (MPI_\w+) ([^\n/]+?)(?: */\*.*)?$", re.MULTILINE)
_HANDLE = re.compile(r"\(\((?P<type>MPI_\w+)\)(?P<value>0x[0-9A-F]+)\)")
_NUMBER = re.compile(r"\(?(-?(?:0x)?[0-9A-Fa-f]+)\)?")


class DeclarationError(Exception):
    """Something in mpi.h is written in a way that nothing here knows."""


@dataclass(frozen=True)
class Parameter:
    """`const int sizes[]` is const, of type int, named sizes, a pointer of depth 1 and an array."""

    constant: bool
    type: str
    depth: int
    name: str
    array: str

    @property
    def by_value(self) -> bool:
        return self.depth == 0


@dataclass(frozen=True)
class Function:
    """`name` is without MPI_; `text` is the whole declaration."""

    text: str
    result: str
    name: str
    parameters: tuple[Parameter, ...]


def _parameter(text: str, function: str) -> Parameter:
    text = " ".join(text.split())
    if text == "...":
        return Parameter(False, "...", 0, "...", "")
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise DeclarationError(f"{function}: '{text}' is no parameter as they are written in mpi.h")
    constant, kind, stars, name, array = found.groups()
    return Parameter(constant is not None, kind, len(stars) + (1 if array else 0), name, array)


def functions() -> list[Function]:
    """The functions of mpi.h, as they stand there."""
    found = []
    for match in _FUNCTION.finditer(HEADER.read_text(encoding="utf-8")):
        result, name, inner = match.groups()
        texts = [] if inner == "void" else inner.split(",")
        found.append(
            Function(match[0], result, name.removeprefix("MPI_"), tuple(_parameter(text, name) for text in texts))
        )
    return found


def parts(sources: Sequence[Path]) -> dict[str, str]:
    """The source file, without its ending, that defines each function."""
    found: dict[str, str] = {}
    for source in sources:
        for name in _DEFINITION.findall(source.read_text(encoding="utf-8")):
            found[name] = source.stem
    return found


def _is_about_c(name: str, value: str) -> bool:
    """Macros that stand for functions, or are the library's own."""
    return name.endswith(("_", "_FN")) or value.endswith(("_FN", "_function*)0)"))


def constants() -> tuple[dict[str, int], list[str]]:
    """The constants that are numbers, and the names of those that are addresses (MPI_BOTTOM)."""
    numbers: dict[str, int] = {}
    addresses: list[str] = []
    for name, value in _CONSTANT.findall(HEADER.read_text(encoding="utf-8")):
        if _is_about_c(name, value):
            continue
        if found := _HANDLE.fullmatch(value):
            numbers[name] = int(found["value"], 0)
        elif found := _NUMBER.fullmatch(value):
            numbers[name] = int(found[1], 0)
        elif value in numbers:
            numbers[name] = numbers[value]
        elif "*)" in value:
            addresses.append(name)
        else:
            raise DeclarationError(f"{name}: '{value}' is no constant as they are written in mpi.h")
    return numbers, addresses


def handle_types() -> dict[str, str]:
    """The constants that are handles, and the type of each."""
    types: dict[str, str] = {}
    for name, value in _CONSTANT.findall(HEADER.read_text(encoding="utf-8")):
        if found := _HANDLE.fullmatch(value):
            types[name] = found["type"]
        elif value in types:
            types[name] = types[value]
    return types
