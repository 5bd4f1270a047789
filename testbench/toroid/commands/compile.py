# SPDX-License-Identifier: Apache-2.0
"""toroid cc, c++ and fc: a machine's cross compilers, with its headers and libraries; mpicc, mpicxx and mpifort, and
under further names that build files use mpic++, mpif77 and mpif90: the same with MPI.

Every option but --machine goes to the compiler as it stands, and so does its exit status back.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click

from toroid import build, options, packages, paths
from toroid.errors import UserError
from toroid.guest import compiler_command, has_toolchain, shown_command, toolchain


def _command(name: str, language: str, *, mpi: bool = False, hidden: bool = False) -> click.Command:
    short_help = f"Compile a {language} program{' that uses MPI' if mpi else ''}."
    help_text = (
        f"{short_help}\n\nEvery option goes to the compiler as it stands, and so does its exit status back; but for "
        f"--machine NAME|FILE, which says for which machine (default: {paths.DEFAULT_MACHINE})."
    )

    @click.command(
        name,
        cls=options.VerbatimCommand,
        add_help_option=False,
        options_metavar="[OPTION]... FILE...",
        help=help_text,
        short_help=short_help,
        hidden=hidden,
    )
    @click.pass_context
    def command(ctx: click.Context) -> None:
        machine, arguments = machine_and_rest(ctx.args)
        if mpi and (shown := shown_command(language, arguments, machine)) is not None:
            click.echo(shlex.join(shown))
            return
        if "--help" in arguments:
            click.echo(f"Usage: toroid {name} [OPTION]... FILE...\n\n{help_text}\n\nThe compiler itself says:\n")
            sys.stdout.flush()
        packages.ensure(toolchain(machine).triple)
        command_line = compiler_command(language, arguments, machine=machine, mpi=mpi)
        build.ensure_guest_libraries(machine)
        os.execvp(command_line[0], command_line)

    return command


def machine_and_rest(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The machine's name, and what the compiler gets."""
    chosen = paths.DEFAULT_MACHINE
    rest = []
    words = iter(arguments)
    for word in words:
        if word == "--machine":
            chosen = next(words, "")
        elif word.startswith("--machine="):
            chosen = word.partition("=")[2]
        else:
            rest.append(word)
            continue
        if not chosen:
            raise UserError("--machine: the name of a machine, or a description file, is missing")
    if not has_toolchain(chosen):
        from toroid.machine import load_machine  # which takes its time

        chosen = load_machine(chosen).name
    return chosen, rest


cc = _command("cc", "C")
cxx = _command("c++", "C++")
fc = _command("fc", "Fortran")
mpicc = _command("mpicc", "C", mpi=True)
mpicxx = _command("mpicxx", "C++", mpi=True)
mpifort = _command("mpifort", "Fortran", mpi=True)
mpicpp = _command("mpic++", "C++", mpi=True, hidden=True)
mpif77 = _command("mpif77", "Fortran", mpi=True, hidden=True)
mpif90 = _command("mpif90", "Fortran", mpi=True, hidden=True)
