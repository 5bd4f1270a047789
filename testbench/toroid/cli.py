# SPDX-License-Identifier: Apache-2.0
"""The command line: imports the module of a command when it is used, and reports all errors in the same way."""

from __future__ import annotations

import errno
import importlib
import os
import re
import sys
from contextlib import suppress
from typing import Any

import click

from toroid import console, interrupts
from toroid.errors import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    FileError,
    RefusedError,
    ToroidError,
    UserError,
    suggestion,
)
from toroid.version import version_option

# command: (module, name in it)
_COMMANDS = {
    "demo": ("demo", "command"),
    "test": ("test", "command"),
    "cc": ("compile", "cc"),
    "c++": ("compile", "cxx"),
    "fc": ("compile", "fc"),
    "mpicc": ("compile", "mpicc"),
    "mpicxx": ("compile", "mpicxx"),
    "mpifort": ("compile", "mpifort"),
    "mpic++": ("compile", "mpicpp"),
    "mpif77": ("compile", "mpif77"),
    "mpif90": ("compile", "mpif90"),
    "reproduce": ("reproduce", "command"),
    "run": ("run", "command"),
    "traffic": ("traffic", "command"),
    "info": ("info", "command"),
    "bench": ("bench", "command"),
    "pictures": ("pictures", "command"),
    "area": ("area", "command"),
    "man": ("man", "command"),
    "lint": ("lint", "command"),
}
# Names that people's fingers and scripts know. --help lists them under their own name alone.
_ALIASES = {"mpirun": "run", "mpiexec": "run"}


_WRITE_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


class _InterruptedError(Exception):
    """Carries a KeyboardInterrupt through click, which would otherwise print an empty line."""


class _Commands(click.Group):
    """Imports a command only when it is used, which makes starting ten times faster."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = _ALIASES.get(cmd_name, cmd_name)
        if name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[name]
        found = getattr(importlib.import_module(f"toroid.commands.{module}"), attribute)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS | _ALIASES and not args[0].startswith("-"):
            hint = suggestion(args[0], _COMMANDS, "`toroid --help`")
            raise UserError(f"no command '{args[0]}'; {hint}")
        found = super().resolve_command(ctx, args)
        interrupts.raise_from_now_on()
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise _InterruptedError from error


@click.command(
    cls=_Commands,
    short_help="An emulated supercomputer interconnect that people can program.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version_option
def toroid() -> None:
    """Toroid: an emulated supercomputer interconnect that people can program.

    Start with `./toroid demo`; compile a program of your own with `./toroid cc` and run it with `./toroid run`.
    """


def main() -> None:
    _check_streams()
    try:
        status = _run()
    except (_InterruptedError, KeyboardInterrupt):  # the latter may come while an error is being printed
        interrupts.tell()
        status = EXIT_INTERRUPTED
    interrupts.ignore()
    try:
        sys.stdout.flush()
    except OSError as error:
        status = _system_error(error)
    interrupts.leave(status)


def _check_streams() -> None:
    """If a standard stream is closed, the next file that is opened gets its descriptor, and printed text would go into
    that file."""
    if sys.stdout is None or sys.stderr is None:
        closed = "output" if sys.stdout is None else "error"
        with suppress(OSError):
            os.write(2, f"toroid: standard {closed} is closed; send it to a file, or to /dev/null\n".encode())
        sys.exit(EXIT_USAGE)
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # takes the least descriptor, which is the one missing


def _run() -> int:
    try:
        status = toroid.main(prog_name="toroid", standalone_mode=False)
    except RefusedError as error:
        return error.exit_status
    except ToroidError as error:
        # Mistakes in files start with file:line:column, as compilers write it and editors read it.
        console.say(str(error) if isinstance(error, FileError) else f"toroid: {error}")
        return error.exit_status
    except click.exceptions.NoArgsIsHelpError as error:  # several lines, all our own
        console.say(error.format_message())
        return EXIT_USAGE
    except click.ClickException as error:
        console.status(_with_bytes(error.format_message()))
        return EXIT_USAGE
    except Exception as error:
        if interrupts.raised():  # what libraries make of KeyboardInterrupt
            raise KeyboardInterrupt from error
        if isinstance(error, OSError):
            return _system_error(error)
        raise
    if interrupts.raised():
        raise KeyboardInterrupt
    return status if isinstance(status, int) else 0


def _with_bytes(message: str) -> str:
    """click's messages show names by repr(), which writes invalid bytes in Python's internal form: \\udcff."""
    return re.sub(r"(?<!\\)((?:\\\\)*)\\udc([89a-f][0-9a-f])", r"\1\\x\2", message)


def _system_error(error: OSError) -> int:
    """Reports errors without a message of their own; most often, standard output is a file on a full disk."""
    if error.filename is None and error.errno in _WRITE_ERRORS:
        console.status(f"standard output cannot be written: {error.strerror}")
    elif not isinstance(error, BrokenPipeError):  # a reader that has gone away wants to know nothing more
        console.status(f"{error.filename}: {error.strerror}" if error.filename is not None else str(error))
    # What is still in its buffer would fail once more when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILURE
