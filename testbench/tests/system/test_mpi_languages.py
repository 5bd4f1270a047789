# SPDX-License-Identifier: Apache-2.0
"""MPI from Fortran and C++: every function is there, and programs that check the bindings themselves."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

SOURCES = paths.ROOT / "testbench" / "tests" / "mpi"
MACHINES = {"odd": ["--shape", "3x1x1"], "vn": ["--shape", "2x2x1", "--mode", "vn"]}
COMPILERS = {"C": "mpicc", "CXX": "mpicxx", "Fortran": "mpifort"}
# In C alone, or under other names in Fortran.
C_ONLY = {"Status_c2f", "Status_f2c", "DUP_FN"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What has been compiled so far, by name."""
    return {"": tmp_path_factory.mktemp("languages")}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("source", sorted(SOURCES.glob("fortran_*.f*")), ids=lambda source: source.stem)
def test_fortran_binding(programs: dict[str, Path], tmp_path: Path, source: Path, machine: str) -> None:
    if source.stem not in programs:
        programs[source.stem] = compiled(source, programs[""], "mpifort")
    done = toroid("run", "--results", tmp_path, "--directory", tmp_path, *MACHINES[machine], programs[source.stem])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "ok\n"


@pytest.mark.parametrize("standard", ["c++98", "c++17"])
def test_cpp(tmp_path: Path, standard: str) -> None:
    program = tmp_path / "program"
    strict = [f"-std={standard}", "-pedantic", "-Wall", "-Wextra", "-Wold-style-cast", "-Werror"]
    done = toroid("mpicxx", *strict, SOURCES / "from_cpp.cpp", "-o", program)
    assert done.returncode == 0, done.stderr
    done = toroid("run", "--shape", "3x1x1", program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "ok\n"


@pytest.mark.parametrize("name", ["prog.f", "prog.f90"])
@pytest.mark.parametrize("access", ["module", "include"])
def test_module_and_include_in_both_source_forms(tmp_path: Path, name: str, access: str) -> None:
    lines = ["program prog", "use mpi", "implicit none", "integer ierr, n", "call mpi_init(ierr)"]
    if access == "include":
        lines[1:3] = ["implicit none", "include 'mpif.h'"]
    lines += ["call mpi_comm_size(MPI_COMM_WORLD, n, ierr)", "print *, n", "call mpi_finalize(ierr)", "end"]
    (tmp_path / name).write_text("".join(f"      {line}\n" for line in lines))
    done = toroid("run", "--shape", "2x1x1", compiled(tmp_path / name, tmp_path, "mpif90"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "2"]


def test_the_module_checks_arguments(tmp_path: Path) -> None:
    source = tmp_path / "wrong.f90"
    source.write_text("use mpi\ninteger :: n\ncall mpi_init()\ncall mpi_barrier(mpi_comm_world)\nend\n")
    done = toroid("mpifort", "-c", source, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("Missing actual argument for argument") == 2


def _functions() -> set[str]:
    header = (paths.ROOT / "firmware" / "mpi" / "mpi.h").read_text(encoding="utf-8")
    names = set(re.findall(r"\bMPI_([A-Z]\w*)\(", re.sub(r"(?m)^#.*|^typedef.*|(?s:/\*.*?\*/)", "", header)))
    assert {"Init", "Wtime", "Aint_add", "Type_create_struct"} <= names
    return names


@pytest.fixture(scope="module")
def library() -> dict[str, set[str]]:
    """The names that each object of libmpi.a defines."""
    archive = paths.guest_libraries() / "libmpi.a"
    listed = subprocess.run(
        ["powerpc-linux-gnu-nm", "-A", "--defined-only", archive], capture_output=True, text=True, check=True
    ).stdout
    objects: dict[str, set[str]] = {}
    for line in listed.splitlines():
        place, _, name = line.rpartition(" ")
        objects.setdefault(place.split(":")[1], set()).add(name)
    return objects


def test_every_function_is_there(library: dict[str, set[str]]) -> None:
    defined = set().union(*library.values())
    for name in _functions():
        assert {f"MPI_{name}", f"PMPI_{name}"} <= defined, name


def test_every_function_has_a_fortran_name(library: dict[str, set[str]]) -> None:
    defined = set().union(*library.values())
    for name in _functions() - C_ONLY:
        assert {f"mpi_{name.lower()}_", f"pmpi_{name.lower()}_"} <= defined, name


def test_a_fortran_program_gets_no_more_than_one_in_c(library: dict[str, set[str]]) -> None:
    """An object with functions under their Fortran names has those of one object in C."""
    functions = frozenset(name.lower() for name in _functions() - C_ONLY)
    in_c = {functions & {name[4:].lower() for name in names if name.startswith("MPI_")} for names in _frozen(library)}
    in_fortran = {functions & {name[4:-1] for name in names if name.startswith("mpi_")} for names in _frozen(library)}
    assert in_fortran - {frozenset()} == in_c - {frozenset()}


def _frozen(library: dict[str, set[str]]) -> list[frozenset[str]]:
    return [frozenset(names) for names in library.values()]


@pytest.mark.parametrize("name", ["mpi", "mpi_f08"])
def test_the_modules_know_every_function(name: str) -> None:
    module = (paths.guest_headers().parent / "generated" / "mpi" / f"{name}.f90").read_text(encoding="utf-8")
    for function in _functions() - C_ONLY:
        assert re.search(rf"^ *(SUBROUTINE|FUNCTION) MPI_{function}\(", module, re.M | re.I), function


def test_the_librarys_own_headers_are_not_in_the_way(tmp_path: Path) -> None:
    source = tmp_path / "own.c"
    source.write_text(
        "#include <mpi.h>\n#include <error.h>\n"
        'int main(void) {\n  MPI_Init(NULL, NULL);\n  error(0, 0, "said");\n  return MPI_Finalize();\n}\n'
    )
    done = toroid("run", "--shape", "1x1x1", compiled(source, tmp_path, "mpicc"))
    assert done.returncode == 0, done.stderr
    assert "said" in done.stderr


def _path_with_compilers() -> dict[str, str]:
    return {"PATH": f"{paths.ROOT / 'testbench' / 'bin'}:{os.environ['PATH']}"}


def test_the_compilers_are_found_by_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "all: ring heat\nring: ring.c\n\tmpicc $< -o $@\nheat: heat.f90\n\tmpif90 $< -o $@\n"
    )
    for source in ["ring.c", "heat.f90"]:
        (tmp_path / source).write_text((SOURCES / "programs" / source).read_text())
    done = subprocess.run(
        ["make"], cwd=tmp_path, env=os.environ | _path_with_compilers(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, tmp_path / "ring")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("languages", ["C", pytest.param("C CXX Fortran", marks=pytest.mark.long)])
def test_cmake_finds_mpi(tmp_path: Path, languages: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.20)\nproject(mine {languages})\nfind_package(MPI REQUIRED)\n"
        "add_executable(mine mine.c)\ntarget_link_libraries(mine MPI::MPI_C)\n"
    )
    (tmp_path / "mine.c").write_text((SOURCES / "programs" / "ring.c").read_text())
    compilers = [f"-DCMAKE_{language}_COMPILER={name}" for language, name in COMPILERS.items()]
    for command in [
        ["cmake", "-B", "build", "-DCMAKE_SYSTEM_NAME=Linux", *compilers],
        ["cmake", "--build", "build"],
    ]:
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | _path_with_compilers(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    done = toroid("run", "--shape", "2x1x1", "--results", tmp_path, tmp_path / "build" / "mine")
    assert done.returncode == 0, done.stderr
