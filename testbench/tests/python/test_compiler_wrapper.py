# SPDX-License-Identifier: Apache-2.0
"""What `toroid cc` adds to a compiler's command line, and what it leaves alone."""

from __future__ import annotations

import pytest

from toroid import paths
from toroid.guest import compiler_command

CC = "C"


def test_a_program_is_linked_statically_with_the_libraries_after_it() -> None:
    command = compiler_command(CC, ["prog.c", "-o", "prog", "-Wall", "-lm"])
    assert {"-static", "-mcpu=powerpc", "-maltivec", "-O2", f"-I{paths.ROOT}"} <= set(command)
    assert command.index("prog.c") < command.index("-lm") < command.index("-lmsglayer") < command.index("-lbgl")


def test_own_optimisation_level_stays() -> None:
    assert "-O2" not in compiler_command(CC, ["-O0", "prog.c"])


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
