# SPDX-License-Identifier: Apache-2.0
"""How programs of a machine are compiled: its cross compilers, with its headers and libraries."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from toroid import paths
from toroid.errors import ToroidError, UserError, suggestion

_COMPILERS = {"C": "gcc", "C++": "g++", "Fortran": "gfortran"}
# Programs that include mpif.h pass buffers of several types to one function, which Fortran did not mean to allow.
_MISMATCH = "-fallow-argument-mismatch"
# With these nothing is linked.
_NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}
# These take the next word as their value.
_WITH_VALUE = {"-o", "-I", "-J", "-L", "-D", "-U", "-x", "-T", "-include", "-MF", "-MT", "-MQ", "-Xlinker", "-isystem"}
_FUNCTION = re.compile(r"^[0-9a-f]+ [tTwWi] (.+)$", re.MULTILINE)
_FIRMWARE = paths.ROOT / "firmware"
_TEST_CHIPS = paths.ROOT / "testbench" / "tests" / "test_chip"
# MPI and its transport read their variables there, by names without the transport's prefix.
_MPI = _FIRMWARE / "mpi"
_VARIABLE = re.compile(r'[{(]"([A-Z_]+)",')
_MPI_PREFIX = re.compile(r'\bmpit_prefix\[\] = "(\w+)"')
_C_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")
# Questions to the MPI wrappers, as MPICH's know them: the whole command line, or what it is for compiling or linking.
_SHOW = {"-show": None, "-compile_info": False, "-link_info": True}


@dataclass(frozen=True)
class Toolchain:
    """How programs for a machine's cores are compiled; cmake/guest.cmake reads the same file, and more of it."""

    triple: str
    compile: list[str]
    link: list[str]
    libraries: list[str]
    # Directories of the repository in which programs find headers under the machine's own names.
    headers: list[str]
    # Where the machine itself has headers and libraries, below it the directory that its compilers search for headers,
    # and patterns of those compilers' own options with what stands for them. The machine's makefiles have all of these.
    installed: str = ""
    searched: str = ""
    options: tuple[tuple[str, str], ...] = ()
    # Of C alone, unless a person says to which standard a program is written.
    compile_c: tuple[str, ...] = ()
    # Files of assembler macros in the repository, which go before every source.
    assembler: tuple[str, ...] = ()
    # Of programs with OpenMP alone.
    link_openmp: tuple[str, ...] = ()

    def tool(self, name: str) -> str:
        return f"{self.triple}-{name}"


def machines() -> list[str]:
    """The machines that have a toolchain."""
    return sorted(path.parent.name for path in _FIRMWARE.glob("*/toolchain.json"))


def test_chips() -> list[str]:
    """Machines that only the tests run."""
    return sorted(path.parent.name for path in _TEST_CHIPS.glob("*/toolchain.json"))


def has_toolchain(machine: str) -> bool:
    return _description(machine) is not None


def _description(machine: str) -> Path | None:
    folders = (_FIRMWARE, _TEST_CHIPS) if machine and "/" not in machine else ()
    files = (folder / machine / "toolchain.json" for folder in folders)
    return next((file for file in files if file.is_file()), None)


def toolchain(machine: str) -> Toolchain:
    """Raises UserError if no programs can be compiled for the machine."""
    description = _description(machine)
    if description is None:
        raise UserError(f"--machine {machine}: no compiler is known for it, but for {', '.join(machines())}")
    read = json.loads(description.read_text(encoding="utf-8"))
    installed = read.get("installed", {})
    read |= {"installed": installed.get("at", ""), "searched": installed.get("searched", "")}
    return Toolchain(**{field.name: read[field.name] for field in fields(Toolchain) if field.name in read})


def has_mpi(machine: str) -> bool:
    return (_MPI / "transport" / machine).is_dir()


def compiler_command(
    language: str,
    arguments: Sequence[str],
    *,
    machine: str = paths.DEFAULT_MACHINE,
    mpi: bool = False,
    shown: bool = False,
) -> list[str]:
    """The whole command line of a machine's cross compiler for the arguments a person gave, or that is only shown."""
    tools = toolchain(machine)
    compiler = tools.tool(_COMPILERS[language])
    if shutil.which(compiler) is None:
        raise ToroidError(f"{compiler} is not installed; packages.txt names the package")
    if mpi and not has_mpi(machine):
        raise UserError(f"--machine {machine}: there is no MPI for it (firmware/mpi/transport/{machine})")
    arguments = _as_of_the_machine(arguments, tools, machine)
    inputs = _inputs(arguments)
    command = [compiler, *tools.compile]
    if inputs or shown:  # without files to link, options of the linker would make the compiler call it
        command += tools.link
    command += [f"-Wa,{paths.ROOT / file}" for file in tools.assembler]
    if language == "C" and not any(argument.startswith("-std=") for argument in arguments):
        command += tools.compile_c
    if not any(argument.startswith("-O") for argument in arguments):
        command.append("-O2")
    # Faults then name source lines. It costs the program nothing but the size of its file.
    if not any(argument.startswith("-g") for argument in arguments):
        command.append("-g1")
    if mpi and language == "Fortran" and not (inputs and all(name.endswith(_C_SOURCES) for name in inputs)):
        command.append(_MISMATCH)
    command += [*arguments, f"-I{paths.ROOT}"]
    # As the system's headers: no warnings of a program's own strictness.
    if tools.searched:
        command += ["-isystem", str(paths.guest(machine) / "installed" / tools.searched)]
    for directory in tools.headers:
        command += ["-isystem", str(paths.ROOT / directory)]
    if mpi:
        headers = str(paths.guest_headers(machine))
        command.append(f"-I{headers}")
        if language != "Fortran":
            # As the system's headers, too; CMake's FindMPI reads -I alone.
            command += ["-isystem", headers]
    if inputs and not _NO_LINK.intersection(arguments):
        if "-fopenmp" in arguments:
            command += tools.link_openmp
        command += _link_options(machine, mpi)
    return command


def shown_command(language: str, arguments: Sequence[str], machine: str = paths.DEFAULT_MACHINE) -> list[str] | None:
    """The command line that a person asks an MPI wrapper for instead of running it, or None without such a question."""
    asked = [word for word in arguments if word in _SHOW]
    if not asked:
        return None
    others = [word for word in arguments if word not in _SHOW]
    command = compiler_command(language, others, machine=machine, mpi=True, shown=True)
    link = _SHOW[asked[-1]]
    if _inputs(others) or link is False or _NO_LINK.intersection(others):
        return command
    return command + _link_options(machine, mpi=True)


def function_names(program: Path, machine: str) -> list[str]:
    """The functions that the symbols of a machine's program name; none if it has been stripped of them."""
    command = [toolchain(machine).tool("nm"), "--defined-only", str(program)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return _FUNCTION.findall(listed.stdout)


def environment_warnings(environment: Mapping[str, str], machine: str) -> Iterator[str]:
    """Of variables that look like those of the machine's MPI and are none."""
    transport = [path.read_text(encoding="utf-8") for path in (_MPI / "transport" / machine).glob("*.c")]
    prefix = next((found[1] for text in transport if (found := _MPI_PREFIX.search(text))), None)
    if prefix is None:
        return
    library = (_MPI / "environment.c").read_text(encoding="utf-8")
    known = {prefix + name for text in (library, *transport) for name in _VARIABLE.findall(text)}
    for name in environment:
        if name.startswith(prefix) and name not in known:
            yield f"--env {name}: MPI has no such variable; {suggestion(name, known, 'docs/reference/mpi.md')}"


def _as_of_the_machine(arguments: Sequence[str], tools: Toolchain, machine: str) -> list[str]:
    """The arguments, if they are for the machine's own compiler: without options that only it knows, and with paths
    below the machine's own directory replaced by ours, unless this host has that directory."""
    patterns = [(re.compile(pattern), instead) for pattern, instead in tools.options]
    mapped = tools.installed and not Path(tools.installed).exists()
    path = re.compile(rf"^(-[IL]|-isystem|-Wl,-L)?{re.escape(tools.installed)}(?=/|$)")
    ours = str(paths.guest(machine) / "installed")
    found = []
    for argument in arguments:
        instead = next((instead for pattern, instead in patterns if pattern.fullmatch(argument)), argument)
        if mapped:
            instead = path.sub(lambda match: (match[1] or "") + ours, instead)
        if instead or not argument:
            found.append(instead)
    return found


def _link_options(machine: str, mpi: bool) -> list[str]:
    libraries = [*(["mpi"] if mpi else []), *toolchain(machine).libraries]
    directory = paths.guest_libraries(machine)
    # It says in the program for which machine it has been linked.
    return [str(directory / "machine_note.o"), f"-L{directory}", *(f"-l{library}" for library in libraries)]


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
