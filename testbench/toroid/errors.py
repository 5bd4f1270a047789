# SPDX-License-Identifier: Apache-2.0
"""Errors that people can mend: each says what, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Exit statuses of every command. A program run on the machine may of course return any of them as well.
EXIT_FAILURE = 1  # what was asked for went wrong
EXIT_USAGE = 2  # what was asked for cannot be done: a wrong option, file or value
EXIT_INTERRUPTED = 130  # Ctrl-C; as shells have it, 128 and the number of the signal


class ToroidError(Exception):
    """Something went wrong that is not a mistake in the request: a failed build, a crashed simulator."""

    exit_status = EXIT_FAILURE


class UserError(ToroidError):
    """The request cannot be carried out as it stands."""

    exit_status = EXIT_USAGE


class RefusedError(UserError):
    """The simulator would not start, and has said why on standard error: nothing is left to say."""

    def __init__(self, exit_status: int) -> None:
        super().__init__()
        self.exit_status = exit_status


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in a file. Lines and columns count from 1."""

    line: int
    column: int
    text: str


class FileError(UserError):
    """One or more mistakes in a file that somebody wrote."""

    def __init__(self, path: Path, problems: Iterable[Problem]) -> None:
        self.path = path
        self.problems = sorted(set(problems))
        super().__init__("\n".join(f"{path}:{p.line}:{p.column}: {p.text}" for p in self.problems))


def write_text(path: Path, text: str) -> None:
    """Writes a whole file, and makes its directory. Raises ToroidError where that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ToroidError(f"{path}: cannot be written: {error.strerror}") from error


def suggestion(name: str, known: Iterable[str], where: str = "`toroid info`") -> str:
    """'did you mean X?' for a name that is not among those known, or the names there are; `where` has them all."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(names)}" if len(names) <= 12 else f"see {where} for those there are"
