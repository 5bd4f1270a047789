# SPDX-License-Identifier: Apache-2.0
"""Each machine's compilers make its programs, in each language; a program of one machine is refused by each other."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import chips
import pytest
from each_machine import MACHINES, SETS, instruction_set, run_on
from helpers import compiled

from toroid import guest, paths

SOURCES = {
    "cc": ("prog.c", '#include <stdio.h>\nint main(void) { puts("C"); return 0; }\n'),
    "c++": ("prog.cpp", '#include <iostream>\nint main() { std::cout << "C++" << std::endl; }\n'),
    "fc": ("prog.f90", "program prog\n  print '(a)', 'Fortran'\nend program prog\n"),
}
SAYS = {"cc": "C", "c++": "C++", "fc": "Fortran"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """By machine and compiler."""
    found = {}
    for machine in MACHINES:
        for command, (name, text) in SOURCES.items():
            directory = tmp_path_factory.mktemp(f"{machine}-{command.replace('+', 'x')}")
            source = directory / name
            source.write_text(text)
            found[machine, command] = compiled(source, directory, command, ["--machine", machine])
    return found


def test_there_are_machines_of_each_instruction_set() -> None:
    assert {instruction_set(machine) for machine in MACHINES} == set(SETS.values())


@pytest.mark.parametrize("command", SOURCES)
@pytest.mark.parametrize("machine", MACHINES)
def test_its_compilers_make_its_programs(
    programs: dict[tuple[str, str], Path],
    tmp_path: Path,
    machine: str,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    program = programs[machine, command]
    header = subprocess.run(["readelf", "-h", program], capture_output=True, text=True, check=True).stdout
    kind, order, name, _ = instruction_set(machine)
    assert re.search(rf"Class: +{kind}\n", header)
    assert f", {order}\n" in header
    assert re.search(rf"Machine: +{re.escape(name)}\n", header)
    assert re.search(r"Type: +EXEC ", header)
    status, out, err = run_on(machine, program, tmp_path, monkeypatch, capfd)
    assert (status, out) == (0, f"{SAYS[command]}\n"), err


@pytest.mark.parametrize("machine", MACHINES)
def test_waits_for_no_file_sleep(
    tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = paths.ROOT / "testbench" / "tests" / "programs" / "sleep_without_files.c"
    program = compiled(source, tmp_path, "cc", ["--machine", machine])
    status, out, err = run_on(machine, program, tmp_path, monkeypatch, capfd)
    calls = ("select", "pselect", "poll", "ppoll")
    assert (status, out.splitlines()) == (0, [*(f"{call}: 0, 3 ms" for call in calls), "interrupted: -1, 3 ms"]), err


@pytest.mark.parametrize("machine", MACHINES)
def test_files_and_memory_answer_as_on_linux(
    tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = paths.ROOT / "testbench" / "tests" / "programs" / "linux_calls.c"
    program = compiled(source, tmp_path, "cc", ["--machine", machine])
    status, out, err = run_on(machine, program, tmp_path, monkeypatch, capfd)
    assert (status, out) == (0, "right\n"), err
    assert "does not have" not in err


@pytest.mark.parametrize("machine", MACHINES)
def test_a_frame_larger_than_the_stack_is_told(
    tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "frame.c"
    source.write_text("int main(int count, char** words) {\n  volatile char bytes[count << 24];\n"
                      "  return bytes[0] = (char)(words != 0);\n}\n")  # fmt: skip
    program = compiled(source, tmp_path, "cc", ["--machine", machine])
    status, _, err = run_on(machine, program, tmp_path, monkeypatch, capfd)
    assert status == 1
    assert re.search(r"stack overflow: write to 0x\w+, below the stack of .*, by a frame of .*MiB, at .*main", err), err


@pytest.mark.parametrize("other", MACHINES)
@pytest.mark.parametrize("machine", MACHINES)
def test_each_other_machine_refuses_them(
    programs: dict[tuple[str, str], Path],
    tmp_path: Path,
    machine: str,
    other: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """With what it was compiled for, and a command that compiles it again: one of the test above."""
    if machine == other:
        return
    program = programs[machine, "cc"]
    status, out, err = run_on(other, program, tmp_path, monkeypatch, capfd)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert f"{program}: " in err
    theirs, ours = (instruction_set(each)[-1] for each in (machine, other))
    if theirs == ours:
        assert f"compiled for the machine {machine}, and this one is {other}; compile it again with " in err
    else:
        assert f"a program for {theirs}, and the machine's cores are {ours}; " in err
    assert f"toroid cc --machine {other}" in err


def test_each_toolchain_says_how_wide_addresses_are() -> None:
    for machine in MACHINES:
        folder = paths.ROOT / "firmware" / machine if machine in guest.machines() else chips.FOLDER / machine
        described = json.loads((folder / "toolchain.json").read_text())
        assert instruction_set(machine)[0] == f"ELF{8 * described['address_bytes']}"
