# SPDX-License-Identifier: Apache-2.0
"""toroid cc, c++ and fc: the cross compilers, with the emulated machine's headers and libraries; mpicc, mpicxx and
mpifort: the same with MPI.

Every option goes to the compiler as it stands, and so does its exit status back.
"""

from __future__ import annotations

import os

import click

from toroid import build, options
from toroid.guest import compiler_command


def _command(name: str, language: str, *, mpi: bool = False) -> click.Command:
    short_help = f"Compile a {language} program{' that uses MPI' if mpi else ''}."

    @click.command(name, cls=options.VerbatimCommand, add_help_option=False, short_help=short_help)
    @click.pass_context
    def command(ctx: click.Context) -> None:
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
