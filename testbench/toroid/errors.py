# SPDX-License-Identifier: Apache-2.0
"""Errors that users can correct: each says what is wrong, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Exit statuses of every command. A program run on the machine may of course return any of them as well.
EXIT_FAILURE = 1  # what was asked for went wrong
EXIT_USAGE = 2  # what was asked for cannot be done: a wrong option, file or value
EXIT_INTERRUPTED = 130  # Ctrl-C; as shells have it, 128 and the number of the signal


def escaped(text: str, keep: str = "") -> str:
    """A text that somebody else wrote, fit for a terminal's line: control characters, line breaks, invisible ones, and
    bytes of names that are no text, as escape sequences; those in `keep` stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
# Bytes that are no UTF-8, as Python keeps them in names of files and arguments (surrogateescape).
_FIRST_BYTE, _LAST_BYTE, _BYTE_BASE = 0xDC80, 0xDCFF, 0xDC00


def _escape(character: str) -> str:
    code = ord(character)
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        code -= _BYTE_BASE
    form = "\\x{:02x}" if code < 0x100 else "\\u{:04x}" if code < 0x10000 else "\\U{:08x}"
    return _SHORT_ESCAPES.get(character) or form.format(code)


class ToroidError(Exception):
    """Something went wrong that is not a mistake in the request: a failed build, a crashed simulator."""

    exit_status = EXIT_FAILURE


class UserError(ToroidError):
    """The request cannot be carried out as it stands. Reported in one line, whatever is in it."""

    exit_status = EXIT_USAGE

    def __init__(self, text: str = "") -> None:
        super().__init__(escaped(text, self._line_breaks))

    _line_breaks = ""


class RefusedError(UserError):
    """The simulator did not start, and has printed the reason on standard error: there is nothing to add."""

    def __init__(self, exit_status: int) -> None:
        super().__init__()
        self.exit_status = exit_status


_MOST_PROBLEMS_TOLD = 20


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in a file. Lines and columns count from 1."""

    line: int
    column: int
    text: str


class FileError(UserError):
    """One or more mistakes in a file that somebody wrote, a line each."""

    _line_breaks = "\n"

    def __init__(self, path: Path, problems: Iterable[Problem]) -> None:
        self.path = path
        self.problems = sorted(set(problems))
        where = escaped(str(path))
        lines = [f"{where}:{p.line}:{p.column}: {escaped(p.text)}" for p in self.problems[:_MOST_PROBLEMS_TOLD]]
        if (more := len(self.problems) - _MOST_PROBLEMS_TOLD) > 0:
            lines.append(f"{where}: and {more} more mistakes")
        super().__init__("\n".join(lines))


def write_text(path: Path, text: str) -> None:
    """Writes a whole file, and creates its directory. Raises ToroidError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ToroidError(f"{path}: cannot be written: {error.strerror}") from error


# A letter more, less, other or in another place in a name of three letters and more.
_NEAR = 0.65


def _nearness(name: str, other: str) -> float:
    """From 0 to 1. Of names with dots each part must be near; that they share the first says nothing of the rest."""
    parts, others = name.split("."), other.split(".")
    if len(parts) < len(others):  # the group left out
        others = others[-len(parts) :]
    elif len(parts) > len(others):
        parts, others = [name], [other]
    return min(
        difflib.SequenceMatcher(None, part.lower(), their.lower()).ratio()
        for part, their in zip(parts, others, strict=True)
    )


def suggestion(name: str, known: Iterable[str], where: str = "`toroid info`") -> str:
    """'did you mean X?' for a name that is not among those known, or the names there are; `where` has them all."""
    names = sorted(known)
    nearness, nearest = max(((_nearness(name, other), other) for other in names), default=(0.0, ""))
    if nearness >= _NEAR:
        return f"did you mean {nearest}?"
    return f"known: {', '.join(names)}" if len(names) <= 12 else f"see {where} for those there are"
