# SPDX-License-Identifier: Apache-2.0
"""How programs of the emulated machine are compiled: the cross compilers, with the machine's headers and libraries."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from toroid import paths
from toroid.errors import ToroidError

COMPILERS = {"C": "powerpc-linux-gnu-gcc", "C++": "powerpc-linux-gnu-g++", "Fortran": "powerpc-linux-gnu-gfortran"}

# The quad accesses of the network FIFOs are AltiVec loads and stores; other vector instructions the machine does not
# have, so the compiler shall not put any into programs. The machine's kernel loads static programs only,
# at the address they are linked to.
_TARGET = ["-mcpu=powerpc", "-maltivec", "-mabi=altivec", "-fno-tree-vectorize", "-fno-pic", "-static", "-no-pie"]
_LIBRARIES = ["-lmsglayer", "-lbgl"]
# Fortran before 2018 has no way to say that a buffer may be of any type: MPI programs pass several to one function.
_MPI_OPTIONS = {"Fortran": ["-fallow-argument-mismatch"]}
# With these nothing is linked.
_NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}
# These take the next word as their value.
_WITH_VALUE = {"-o", "-I", "-L", "-D", "-U", "-x", "-T", "-include", "-MF", "-MT", "-MQ", "-Xlinker", "-isystem"}


def compiler_command(language: str, arguments: Sequence[str], *, mpi: bool = False) -> list[str]:
    """The whole command line of a cross compiler for the arguments a person gave."""
    compiler = COMPILERS[language]
    if shutil.which(compiler) is None:
        raise ToroidError(f"{compiler} is not installed; packages.txt names the package")
    command = [compiler, *_TARGET]
    if not any(argument.startswith("-O") for argument in arguments):
        command.append("-O2")
    if mpi:
        command += _MPI_OPTIONS.get(language, [])
    command += [*arguments, f"-I{paths.ROOT}"]
    if mpi:
        command.append(f"-I{paths.MPI_HEADERS}")
    if _has_input(arguments) and not _NO_LINK.intersection(arguments):
        command += [f"-L{paths.guest_libraries()}", *(["-lmpi"] if mpi else []), *_LIBRARIES]
    return command


def _has_input(arguments: Sequence[str]) -> bool:
    """Whether a file to compile or link is named. Without one the compiler only says something about itself."""
    words = iter(arguments)
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith("-") or word == "-":
            return True
    return False
