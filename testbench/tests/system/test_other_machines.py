# SPDX-License-Identifier: Apache-2.0
"""A program for another machine is refused with a line that says for which it was compiled, and how to do so again.
Each pair of machines is in test_every_machine.py; here are the lines word by word, and what runs on several machines.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from each_machine import ALIKE, MACHINES, instruction_set, run_on
from helpers import compiled

from toroid import guest
from toroid.guest import toolchain

SOURCE = '#include <stdio.h>\nint main(void) { puts("here"); return 0; }\n'
UNLIKE = [(machine, other) for machine in MACHINES for other in MACHINES if (machine, other) not in ALIKE]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "prog.c"
    file.write_text(SOURCE)
    return file


def without_note(machine: str, source: Path) -> Path:
    """As other tools link it: it does not say for which machine."""
    tools = toolchain(machine)
    program = source.with_name("prog")
    processor = [option for option in tools.compile if option.startswith(("-mcpu", "-march"))]
    command = [tools.tool("gcc"), "-static", "-no-pie", "-fno-pic", *processor, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def test_all_machines_are_here() -> None:
    assert {"bgl", "bgp", "bgq"} <= set(MACHINES)
    assert {("bgl", "bgp"), ("bgl", "test-ppc32"), ("bgq", "test-ppc64")} <= set(ALIKE)
    assert {("bgq", "bgp"), ("bgp", "bgq"), ("bgq", "test-x86_64"), ("test-x86_64", "bgl")} <= set(UNLIKE)


@pytest.mark.parametrize(("machine", "other"), [pair for pair in ALIKE if pair[0] != pair[1]])
def test_of_the_same_instruction_set(
    tmp_path: Path,
    source: Path,
    machine: str,
    other: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    program = compiled(source, tmp_path, options=["--machine", machine])
    status, out, err = run_on(other, program, tmp_path, monkeypatch, capfd)
    assert (status, out) == (2, "")
    assert err.endswith(
        f": {program}: compiled for the machine {machine}, and this one is {other}; "
        f"compile it again with toroid cc --machine {other}\n"
    )


@pytest.mark.parametrize(("machine", "other"), UNLIKE)
def test_of_another_instruction_set(
    tmp_path: Path,
    source: Path,
    machine: str,
    other: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Whether or not it says for which machine it is compiled."""
    theirs, ours = instruction_set(machine)[-1], instruction_set(other)[-1]
    status, out, err = run_on(other, without_note(machine, source), tmp_path, monkeypatch, capfd)
    assert (status, out) == (2, "")
    assert err.endswith(
        f"/prog: a program for {theirs}, and the machine's cores are {ours}; a static {ours} executable is needed "
        f"(toroid cc --machine {other} makes one)\n"
    )
    assert err.count("\n") == 1


@pytest.mark.parametrize("other", [machine for machine in MACHINES if instruction_set(machine)[2] == "PowerPC64"])
def test_of_the_other_abi(
    tmp_path: Path, other: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Version 2 of the ABI, which other systems of 64-bit big-endian PowerPC have."""
    source, program = tmp_path / "prog.s", tmp_path / "prog"
    source.write_text(".abiversion 2\n.globl _start\n_start: li 0,1\nsc\n")
    command = [
        toolchain(other).tool("gcc"),
        "-mabi=elfv2",
        "-nostdlib",
        "-static",
        "-no-pie",
        str(source),
        "-o",
        str(program),
    ]
    subprocess.run(command, check=True)
    status, out, err = run_on(other, program, tmp_path, monkeypatch, capfd)
    assert (status, out) == (2, "")
    assert "a program of version 2 of the 64-bit PowerPC ELF ABI, and the machine's are of version 1; a static " in err
    assert f"(toroid cc --machine {other} makes one)" in err


@pytest.mark.parametrize(("machine", "other"), ALIKE)
def test_a_program_that_does_not_say_so_runs(
    tmp_path: Path,
    source: Path,
    machine: str,
    other: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """On all machines with its instruction set."""
    status, out, err = run_on(other, without_note(machine, source), tmp_path, monkeypatch, capfd)
    assert (status, out) == (0, "here\n"), err


@pytest.mark.parametrize("machine", guest.machines())
def test_a_machine_of_ones_own_is_that_of_its_base(
    tmp_path: Path,
    source: Path,
    machine: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"base: {machine}\ntitle: Mine\n")
    program = compiled(source, tmp_path, options=["--machine", str(mine)])
    for same in (str(mine), machine):
        status, out, err = run_on(same, program, tmp_path, monkeypatch, capfd)
        assert (status, out) == (0, "here\n"), err
    for other in guest.machines():
        if other != machine:
            status, out, err = run_on(other, program, tmp_path, monkeypatch, capfd)
            assert (status, out) == (2, ""), other
            assert f"toroid cc --machine {other}" in err


@pytest.mark.parametrize("machine", MACHINES)
def test_the_note_moves_nothing(tmp_path: Path, source: Path, machine: str) -> None:
    """It is in the file and in no segment, so addresses and times are what they are without it."""
    program = compiled(source, tmp_path, options=["--machine", machine])

    def listed(what: str) -> str:
        command = [toolchain(machine).tool("readelf"), what, "--wide", str(program)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert ".note.toroid" in listed("--sections")
    assert ".note.toroid" not in listed("--segments")
