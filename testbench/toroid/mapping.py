# SPDX-License-Identifier: Apache-2.0
"""Mapping files: which node each rank runs on, one line a rank in increasing rank order: x y z t.

t is the processor of the node. It is 0 where one process runs on a node. Text after # is a comment, empty lines count
for nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

from toroid.errors import FileError, Problem, UserError
from toroid.shape import Shape, dimension_names


def load_mapping(path: Path, shape: Shape, ranks: int) -> list[list[int]]:
    """Coordinates of each rank. A file may name more ranks than take part: those beyond `ranks` are checked and left
    out. Raises FileError for the first mistake."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as a mapping file: {error}") from error
    mapping: list[list[int]] = []
    first_line_of: dict[tuple[int, ...], int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.split("#", 1)[0].strip():
            continue
        place = _parse_line(path, number, line, shape)
        if place in first_line_of:
            where = " ".join(str(c) for c in place)
            _fail(path, number, line, f"rank {len(mapping)}: node {where} already has a rank, from line "
                                      f"{first_line_of[place]}; each node takes one rank")  # fmt: skip
        first_line_of[place] = number
        mapping.append(list(place))
    if len(mapping) < ranks:
        free = next((*c, 0) for c in map(shape.coordinates, range(shape.nodes)) if (*c, 0) not in first_line_of)
        raise FileError(path, [Problem(max(1, len(lines)), 1,
            f"rank {len(mapping)} has no line: {len(mapping)} ranks mapped, {ranks} take part; a free node is "
            f"{' '.join(str(c) for c in free)} (or run with --ranks {len(mapping)})")])  # fmt: skip
    return mapping[:ranks]


def _fail(path: Path, number: int, line: str, text: str) -> None:
    column = len(line) - len(line.lstrip()) + 1
    raise FileError(path, [Problem(number, column, text)])


def _parse_line(path: Path, number: int, line: str, shape: Shape) -> tuple[int, ...]:
    names = [*dimension_names(len(shape.extents)).lower(), "t"]
    words = list(re.finditer(r"\S+", line.split("#", 1)[0]))
    if len(words) != len(names):
        _fail(path, number, line, f"{len(words)} numbers, expected {len(names)}: {' '.join(names)}")
    place = []
    for name, extent, word in zip(names, [*shape.extents, 1], words, strict=True):
        text = word.group()
        if not re.fullmatch(r"\d+", text) or int(text) >= extent:
            what = f"{name} is {text}, expected 0" if extent == 1 else f"{name} is {text}, expected 0 to {extent - 1}"
            why = " (one process runs on a node)" if name == "t" else f" on a machine of shape {shape}"
            raise FileError(path, [Problem(number, word.start() + 1, what + why)])
        place.append(int(text))
    return tuple(place)
