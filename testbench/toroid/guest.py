# SPDX-License-Identifier: Apache-2.0
"""Compiles programs of the emulated machine: the cross compilers, with the machine's headers and libraries."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from toroid import paths
from toroid.errors import ToroidError

COMPILERS = {"C": "powerpc-linux-gnu-gcc", "C++": "powerpc-linux-gnu-g++", "Fortran": "powerpc-linux-gnu-gfortran"}

# The quad accesses of the network FIFOs are AltiVec loads and stores. Linked statically: the machine has no loader.
_TARGET = ["-mcpu=powerpc", "-maltivec", "-mabi=altivec", "-static"]
_LIBRARIES = ["-lmsglayer", "-lbgl"]
# With these nothing is linked.
_NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}
# These take the next word as their value.
_WITH_VALUE = {"-o", "-I", "-L", "-D", "-U", "-x", "-T", "-include", "-MF", "-MT", "-MQ", "-Xlinker", "-isystem"}


def compiler_command(compiler: str, arguments: Sequence[str]) -> list[str]:
    """The whole command line of a cross compiler for the arguments a person gave."""
    if shutil.which(compiler) is None:
        raise ToroidError(f"{compiler} is not installed; packages.txt names the package")
    command = [compiler, *_TARGET]
    if not any(argument.startswith("-O") for argument in arguments):
        command.append("-O2")
    command += [*arguments, f"-I{paths.ROOT}"]
    if _has_input(arguments) and not _NO_LINK.intersection(arguments):
        command += [f"-L{paths.guest_libraries()}", *_LIBRARIES]
    return command


def compile_program(source: Path, program: Path) -> None:
    """A C program from one source. Raises ToroidError with what the compiler said."""
    command = compiler_command(COMPILERS["C"], [str(source), "-o", str(program)])
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToroidError(f"{source}: does not compile:\n{done.stderr}")


def _has_input(arguments: Sequence[str]) -> bool:
    """Whether a file to compile or link is named. Without one the compiler only says something about itself."""
    words = iter(arguments)
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith("-") or word == "-":
            return True
    return False
