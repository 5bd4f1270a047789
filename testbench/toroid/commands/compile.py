# SPDX-License-Identifier: Apache-2.0
"""toroid cc, c++ and fc: the cross compilers, with the emulated machine's headers and libraries; mpicc, mpicxx and
mpifort, and under further names that build files use mpic++, mpif77 and mpif90: the same with MPI.

Every option goes to the compiler as it stands, and so does its exit status back.
"""

from __future__ import annotations

import os
import shlex

import click

from toroid import build, options
from toroid.guest import compiler_command, shown_command


def _command(name: str, language: str, *, mpi: bool = False, hidden: bool = False) -> click.Command:
    short_help = f"Compile a {language} program{' that uses MPI' if mpi else ''}."
    help_text = f"{short_help}\n\nEvery option goes to the compiler as it stands, and so does its exit status back."

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
        if mpi and (shown := shown_command(language, ctx.args)) is not None:
            click.echo(shlex.join(shown))
            return
        command_line = compiler_command(language, ctx.args, mpi=mpi)
        build.ensure_guest_libraries()
        os.execvp(command_line[0], command_line)

    return command


cc = _command("cc", "C")
cxx = _command("c++", "C++")
fc = _command("fc", "Fortran")
mpicc = _command("mpicc", "C", mpi=True)
mpicxx = _command("mpicxx", "C++", mpi=True)
mpifort = _command("mpifort", "Fortran", mpi=True)
mpicpp = _command("mpic++", "C++", mpi=True, hidden=True)
mpif77 = _command("mpif77", "Fortran", mpi=True, hidden=True)
mpif90 = _command("mpif90", "Fortran", mpi=True, hidden=True)
