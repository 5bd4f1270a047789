# SPDX-License-Identifier: Apache-2.0
"""A program for another machine is refused with a line that says for which it was compiled, and how to do so again."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid.guest import toolchain

OTHER = {"bgl": "bgp", "bgp": "bgl"}
SOURCE = '#include <stdio.h>\nint main(void) { puts("here"); return 0; }\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "prog.c"
    file.write_text(SOURCE)
    return file


def run(directory: Path, machine: str, program: Path) -> subprocess.CompletedProcess[str]:
    return toroid("run", "--machine", machine, "--shape", "1x1x1", "--results", directory / "results", program)


@pytest.mark.parametrize("machine", OTHER)
def test_of_the_same_instruction_set(tmp_path: Path, source: Path, machine: str) -> None:
    program = compiled(source, tmp_path, options=["--machine", machine])
    done = run(tmp_path, machine, program)
    assert (done.returncode, done.stdout) == (0, "here\n"), done.stderr
    other = OTHER[machine]
    done = run(tmp_path, other, program)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"toroid-sim: {program}: compiled for the machine {machine}, and this one is {other}; "
        f"compile it again with toroid cc --machine {other}\n"
    )


def test_a_machine_of_ones_own_is_that_of_its_base(tmp_path: Path, source: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("base: bgp\ntitle: Mine\n")
    program = compiled(source, tmp_path, options=["--machine", str(mine)])
    assert run(tmp_path, str(mine), program).returncode == 0
    assert run(tmp_path, "bgp", program).returncode == 0
    assert "this one is bgl" in run(tmp_path, "bgl", program).stderr


@pytest.mark.parametrize("machine", OTHER)
def test_a_program_that_does_not_say_so_runs(tmp_path: Path, source: Path, machine: str) -> None:
    """As programs that other tools have linked."""
    program = tmp_path / "prog"
    compiler = toolchain(machine).tool("gcc")
    subprocess.run([compiler, "-static", "-no-pie", "-fno-pic", "-mcpu=powerpc", source, "-o", program], check=True)
    done = run(tmp_path, machine, program)
    assert (done.returncode, done.stdout) == (0, "here\n"), done.stderr


@pytest.mark.parametrize("machine", OTHER)
def test_of_another_instruction_set(tmp_path: Path, source: Path, machine: str) -> None:
    program = tmp_path / "prog"
    subprocess.run(["cc", "-static", "-no-pie", source, "-o", program], check=True)
    done = run(tmp_path, machine, program)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "and the machine's cores are 32-bit big-endian PowerPC" in done.stderr
    assert f"(toroid cc --machine {machine} makes one)" in done.stderr


@pytest.mark.parametrize("machine", OTHER)
def test_the_note_moves_nothing(tmp_path: Path, source: Path, machine: str) -> None:
    """It is in the file and in no segment, so addresses and times are what they are without it."""
    program = compiled(source, tmp_path, options=["--machine", machine])

    def listed(what: str) -> str:
        command = [toolchain(machine).tool("readelf"), what, "--wide", str(program)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert ".note.toroid" in listed("--sections")
    assert ".note.toroid" not in listed("--segments")
