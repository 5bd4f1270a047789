# SPDX-License-Identifier: Apache-2.0
"""What `toroid cc` adds to a compiler's command line, and what it leaves alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from toroid import guest, paths
from toroid.commands.compile import machine_and_rest
from toroid.errors import UserError
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


@pytest.fixture
def second_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A machine whose software is compiled by another toolchain; it has no MPI."""
    folder = tmp_path / "firmware" / "second"
    folder.mkdir(parents=True)
    description = {
        "triple": "second-linux-gnu", "compile": ["-m64"], "link": ["-static"], "libraries": ["verbs", "second"],
        "headers": ["drivers/second/include"],
    }  # fmt: skip
    (folder / "toolchain.json").write_text(json.dumps(description))
    monkeypatch.setattr(guest, "_FIRMWARE", tmp_path / "firmware")
    monkeypatch.setattr(shutil, "which", lambda program: program)
    return "second"


def test_each_machine_has_a_toolchain(second_machine: str) -> None:
    command = compiler_command(CC, ["prog.c"], machine=second_machine)
    assert command[:3] == ["second-linux-gnu-gcc", "-m64", "-static"]
    assert command[-3:] == [f"-L{paths.guest_libraries('second')}", "-lverbs", "-lsecond"]
    assert command[command.index("-isystem") + 1] == str(paths.ROOT / "drivers/second/include")
    assert paths.guest_libraries("second") != paths.guest_libraries("bgl")


def test_a_machine_without_a_part_says_so(second_machine: str) -> None:
    with pytest.raises(UserError, match="--machine second: there is no MPI for it"):
        compiler_command(CC, ["prog.c"], machine=second_machine, mpi=True)
    with pytest.raises(UserError, match="--machine bgl: no compiler is known for it, but for second"):
        compiler_command(CC, ["prog.c"], machine="bgl")


def test_the_machine_is_no_option_of_the_compiler() -> None:
    for words in (["--machine", "bgl"], ["--machine=bgl"], []):
        assert machine_and_rest([*words, "-c", "prog.c"]) == ("bgl", ["-c", "prog.c"])
    with pytest.raises(UserError, match="no machine and no description file 'bgll'"):
        machine_and_rest(["prog.c", "--machine", "bgll"])
    with pytest.raises(UserError, match="is missing"):
        machine_and_rest(["prog.c", "--machine"])


def test_makefiles_of_a_machine_name_its_own_paths_and_options() -> None:
    at = "/bgsys/drivers/ppcfloor"
    own = ["-qarch=450d", "-qsmp=omp", "-mcpu=450fp2", "-O5", f"-I{at}/comm/include", f"{at}/comm/lib/libdcmf.cnk.a"]
    command = compiler_command(CC, ["prog.c", *own, "-ldcmf.cnk"], machine="bgp")
    ours = paths.guest("bgp") / "installed" / "comm"
    start = command.index("prog.c")
    expected = ["prog.c", "-fopenmp", "-O5", f"-I{ours}/include", f"{ours}/lib/libdcmf.cnk.a", "-ldcmf.cnk"]
    assert command[start : start + len(expected)] == expected
    assert f"-I{at}s/x" in compiler_command(CC, [f"-I{at}s/x", "prog.c"], machine="bgp")
    inline = "-fgnu89-inline"
    assert inline in command and inline not in compiler_command(CC, ["-std=c11", "prog.c"], machine="bgp")
    assert inline not in compiler_command("C++", ["prog.cc"], machine="bgp")
    assert "-qarch=440d" in compiler_command(CC, ["-qarch=440d", "prog.c"], machine="bgl")
