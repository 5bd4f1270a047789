# SPDX-License-Identifier: Apache-2.0
"""What `toroid cc` adds to a compiler's command line, and what it leaves alone."""

from __future__ import annotations

import pytest

from toroid import paths
from toroid.guest import compiler_command, shown_command

CC = "C"


def test_a_program_is_linked_statically_with_the_libraries_after_it() -> None:
    command = compiler_command(CC, ["prog.c", "-o", "prog", "-Wall", "-lm"])
    assert {"-static", "-mcpu=powerpc", "-maltivec", "-O2", f"-I{paths.ROOT}"} <= set(command)
    assert command.index("prog.c") < command.index("-lm") < command.index("-lmsglayer") < command.index("-lbgl")


def test_own_optimisation_level_stays() -> None:
    assert "-O2" not in compiler_command(CC, ["-O0", "prog.c"])


def test_source_lines_are_kept_unless_asked_otherwise() -> None:
    assert "-g1" in compiler_command(CC, ["prog.c"])
    assert "-g1" not in compiler_command(CC, ["-g0", "prog.c"])


@pytest.mark.parametrize("option", ["-c", "-S", "-E", "-MM", "-fsyntax-only"])
def test_nothing_to_link_with_where_nothing_is_linked(option: str) -> None:
    assert "-lbgl" not in compiler_command(CC, [option, "prog.c"])


@pytest.mark.parametrize("arguments", [["--version"], ["-dumpmachine"], [], ["-o", "prog"]])
def test_no_libraries_without_an_input(arguments: list[str]) -> None:
    assert "-lbgl" not in compiler_command(CC, arguments)


def test_user_options_keep_their_order() -> None:
    own = ["-Iown", "a.c", "--", "b.c", "-DX=1", "-o", "out"]
    command = compiler_command(CC, own)
    at = command.index(own[0])
    assert command[at : at + len(own)] == own


def test_mpi_programs_find_its_headers_and_library() -> None:
    command = compiler_command(CC, ["prog.c"], mpi=True)
    assert command[command.index("-isystem") + 1] == str(paths.guest_headers())
    assert f"-I{paths.guest_headers()}" in compiler_command("Fortran", ["prog.f"], mpi=True)
    assert command.index("-lmpi") < command.index("-lmsglayer")


@pytest.mark.parametrize(
    ("language", "arguments", "expected"),
    [
        ("Fortran", ["prog.f90"], True),
        ("Fortran", ["main.f", "part.c"], True),
        ("Fortran", ["part.c"], False),
        ("C", ["prog.c"], False),
    ],
)
def test_mismatched_arguments_are_for_fortran_only(language: str, arguments: list[str], expected: bool) -> None:
    assert ("-fallow-argument-mismatch" in compiler_command(language, arguments, mpi=True)) is expected
    assert "-fallow-argument-mismatch" not in compiler_command(language, arguments)


def test_the_mpi_wrappers_show_what_they_would_run() -> None:
    assert shown_command(CC, ["prog.c"]) is None
    assert shown_command(CC, ["-show", "prog.c", "-o", "prog"]) == compiler_command(
        CC, ["prog.c", "-o", "prog"], mpi=True
    )
    for question, links in {"-show": True, "-link_info": True, "-compile_info": False}.items():
        shown = shown_command(CC, [question])
        assert shown is not None and ("-lmpi" in shown) is links and str(paths.guest_headers()) in shown
