# SPDX-License-Identifier: Apache-2.0
"""How programs of the emulated machine are compiled: the cross compilers, with the machine's headers and libraries."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toroid import paths
from toroid.errors import ToroidError, suggestion

COMPILERS = {"C": "powerpc-linux-gnu-gcc", "C++": "powerpc-linux-gnu-g++", "Fortran": "powerpc-linux-gnu-gfortran"}

# The quad accesses of the network FIFOs are AltiVec loads and stores; other vector instructions the machine does not
# have, so the compiler shall not put any into programs. The machine's kernel loads static programs only,
# at the address they are linked to.
_TARGET = ["-mcpu=powerpc", "-maltivec", "-mabi=altivec", "-fno-tree-vectorize", "-fno-pic", "-static", "-no-pie"]
_LIBRARIES = ["-lmsglayer", "-lbgl"]
# Programs that include mpif.h pass buffers of several types to one function, which Fortran did not mean to allow.
_MISMATCH = "-fallow-argument-mismatch"
# With these nothing is linked.
_NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}
# These take the next word as their value.
_WITH_VALUE = {"-o", "-I", "-J", "-L", "-D", "-U", "-x", "-T", "-include", "-MF", "-MT", "-MQ", "-Xlinker", "-isystem"}
_NM = "powerpc-linux-gnu-nm"
_FUNCTION = re.compile(r"^[0-9a-f]+ [tTwWi] (.+)$", re.MULTILINE)
# Where MPI and its transport read their variables, which are named there without the transport's prefix.
_MPI = paths.ROOT / "firmware" / "mpi"
_VARIABLES = (_MPI / "environment.c", _MPI / "transport" / "bgl" / "limits.c")
_VARIABLE = re.compile(r'[{(]"([A-Z_]+)",')
_MPI_PREFIX = "BGLMPI_"
_C_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")
# Questions to the MPI wrappers, as MPICH's know them: the whole command line, or what it is for compiling or linking.
_SHOW = {"-show": None, "-compile_info": False, "-link_info": True}


def compiler_command(language: str, arguments: Sequence[str], *, mpi: bool = False) -> list[str]:
    """The whole command line of a cross compiler for the arguments a person gave."""
    compiler = COMPILERS[language]
    if shutil.which(compiler) is None:
        raise ToroidError(f"{compiler} is not installed; packages.txt names the package")
    command = [compiler, *_TARGET]
    if not any(argument.startswith("-O") for argument in arguments):
        command.append("-O2")
    # Faults then name source lines. It costs the program nothing but the size of its file.
    if not any(argument.startswith("-g") for argument in arguments):
        command.append("-g1")
    inputs = _inputs(arguments)
    if mpi and language == "Fortran" and not (inputs and all(name.endswith(_C_SOURCES) for name in inputs)):
        command.append(_MISMATCH)
    command += [*arguments, f"-I{paths.ROOT}"]
    if mpi:
        command.append(f"-I{paths.guest_headers()}")
        if language != "Fortran":
            # As the system's headers: no warnings of a program's own strictness. CMake's FindMPI reads -I alone.
            command += ["-isystem", str(paths.guest_headers())]
    if inputs and not _NO_LINK.intersection(arguments):
        command += _link_options(mpi)
    return command


def shown_command(language: str, arguments: Sequence[str]) -> list[str] | None:
    """The command line that a person asks an MPI wrapper for instead of running it, or None without such a question."""
    asked = [word for word in arguments if word in _SHOW]
    if not asked:
        return None
    others = [word for word in arguments if word not in _SHOW]
    command = compiler_command(language, others, mpi=True)
    link = _SHOW[asked[-1]]
    if _inputs(others) or link is False or _NO_LINK.intersection(others):
        return command
    return command + _link_options(mpi=True)


def function_names(program: Path) -> list[str]:
    """The functions that a program's symbols name; none where it has been stripped of them."""
    listed = subprocess.run([_NM, "--defined-only", program], capture_output=True, text=True, check=False)
    return _FUNCTION.findall(listed.stdout)


def environment_warnings(environment: Mapping[str, str]) -> Iterator[str]:
    """Of variables that look like those of the machine's MPI and are none."""
    names = (name for source in _VARIABLES for name in _VARIABLE.findall(source.read_text(encoding="utf-8")))
    known = {_MPI_PREFIX + name for name in names}
    for name in environment:
        if name.startswith(_MPI_PREFIX) and name not in known:
            yield f"--env {name}: MPI has no such variable; {suggestion(name, known, 'docs/reference/mpi.md')}"


def _link_options(mpi: bool) -> list[str]:
    return [f"-L{paths.guest_libraries()}", *(["-lmpi"] if mpi else []), *_LIBRARIES]


def _inputs(arguments: Sequence[str]) -> list[str]:
    """The files to compile or link. Without one the compiler only says something about itself."""
    words = iter(arguments)
    found = []
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith("-") or word == "-":
            found.append(word)
    return found
