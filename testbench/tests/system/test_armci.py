# SPDX-License-Identifier: Apache-2.0
"""ARMCI on an emulated Blue Gene/P: its own tests in each mode of progress, and programs that use it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import Arguments, check_snippets, toroid

from toroid import paths

GUIDE = paths.ROOT / "docs" / "guide" / "armci.md"
SOURCES = paths.ROOT / "testbench" / "tests" / "armci"
PROGRAMS = paths.ROOT / "firmware" / "programs" / "bgp"
MODES = {
    "interrupts": ["2x2x1"],
    "thread": ["2x2x1", "--env", "ARMCI_PROGRESS=thread"],
    "polling": ["2x2x1", "--env", "ARMCI_PROGRESS=polling"],
    "virtual nodes": ["2x1x1", "--mode", "vn", "--env", "ARMCI_PROGRESS=polling", "--env", "ARMCI_PACK_BELOW=512"],
}


def built(source: Path, directory: Path) -> Path:
    program = directory / source.stem
    done = toroid("cc", "--machine", "bgp", source, "-o", program, cwd=directory)
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("armci")
    sources = [*SOURCES.glob("*.c"), *(SOURCES / "whole").glob("*.c"), *PROGRAMS.glob("armci_*.c")]
    return {source.stem: built(source, directory) for source in sources}


def test_the_guide_shows_parts_of_a_program_that_works(tmp_path: Path) -> None:
    assert check_snippets(GUIDE) == 3
    example = built(GUIDE.with_name("armci_example.c"), tmp_path)
    assert "4 processes: right\n" in run(example, tmp_path, ["2x2x1"])


def run(program: Path, tmp_path: Path, machine: list[str], *arguments: str) -> str:
    done = toroid("run", "--machine", "bgp", "--results", tmp_path, "--shape", *machine, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("mode", ["interrupts", "thread", "virtual nodes"])
@pytest.mark.parametrize("name", ["atomicity", "groups", "operations", "order", "refused"])
def test_parts(programs: dict[str, Path], tmp_path: Path, name: str, mode: str) -> None:
    machine = [*MODES[mode], "--env", "ARMCI_TEST_OPERATIONS=100"]
    assert "ok\n" in run(programs[name], tmp_path, machine)


@pytest.mark.long
@pytest.mark.parametrize("pack", [0, 256, 8192])
@pytest.mark.parametrize("mode", ["interrupts", "thread", "polling"])
def test_many_operations(programs: dict[str, Path], tmp_path: Path, mode: str, pack: int) -> None:
    """More than 10^5 of them in all."""
    settings = ["ARMCI_TEST_OPERATIONS=3500", f"ARMCI_PACK_BELOW={pack}", f"ARMCI_TEST_SEED={pack + 1}"]
    machine = [*MODES[mode], *(word for setting in settings for word in ("--env", setting))]
    assert "ok\n" in run(programs["operations"], tmp_path, machine)


@pytest.mark.parametrize(
    ("mode", "served"), [("interrupts", "meanwhile"), ("thread", "meanwhile"), ("polling", "later")]
)
def test_a_target_that_computes(programs: dict[str, Path], tmp_path: Path, mode: str, served: str) -> None:
    assert f"served={served}\n" in run(programs["computing"], tmp_path, MODES[mode])


@pytest.mark.parametrize("mode", ["interrupts", "polling"])
def test_processes_that_wait_are_parked(programs: dict[str, Path], tmp_path: Path, mode: str) -> None:
    """A turn of the loop that finds nothing writes to no device and changes no memory."""
    machine: Arguments = ["run", "--machine", "bgp", "--results", tmp_path, "--timeout", "1ms", "--shape", *MODES[mode]]
    done = toroid(*machine, programs["waiting"])
    ranks = re.findall(r"^toroid: rank (\d) \(node \S+\): (runs|polls) at", done.stderr, re.MULTILINE)
    assert ranks == [("0", "runs"), ("1", "polls"), ("2", "polls"), ("3", "polls")], done.stderr


@pytest.mark.parametrize("machine", [*MODES.values(), ["1x1x1", "--mode", "vn"]], ids=" ".join)
def test_a_flag_behind_a_request_reaches_a_process_outside_armci(
    programs: dict[str, Path], tmp_path: Path, machine: list[str]
) -> None:
    assert run(programs["flag"], tmp_path, [*machine, "--timeout", "5ms"]) == "ok\n"


@pytest.mark.parametrize("mode", ["interrupts", "thread"])
def test_threads(programs: dict[str, Path], tmp_path: Path, mode: str) -> None:
    assert "ok\n" in run(programs["threads"], tmp_path, MODES[mode])


@pytest.mark.parametrize("machine", [["2x2x1"], ["3x1x1", "--mode", "vn"]], ids=" ".join)
def test_patches(programs: dict[str, Path], tmp_path: Path, machine: list[str]) -> None:
    printed = run(programs["armci_patches"], tmp_path, machine, "40", "13")
    assert re.search(r"armci_patches ranks=\d+ dimension=40 patch=13 tasks=64 most=\d+ right=yes", printed), printed


def test_latency(programs: dict[str, Path], tmp_path: Path) -> None:
    machine = ["2x1x1", "--env", "ARMCI_PROGRESS=thread"]
    printed = run(programs["armci_latency"], tmp_path, machine, "16", "2")
    assert len(re.findall(r"^armci_latency target=(?:waits|computes) operation=", printed, re.MULTILINE)) == 12


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("early", "ARMCI_Fence is called before ARMCI_Init() or after ARMCI_Finalize()"),
        ("mutex", "ARMCI_Lock: process 0 has 0 mutexes, and none of number 0"),
        ("process", "ARMCI_Fence: there is no process 2; the job has 2"),
        ("group", "armci_msg_group_barrier: this is no group, or it has been freed"),
        ("operation", "a reduction of type -99 by 'average' is not defined"),
        ("bits", "a reduction of type -306 by 'or' is not defined"),
        ("error", "the program is not content (7)"),
        ("unlock", "ARMCI_Unlock: process 1 unlocks mutex 0, which it does not hold"),
        ("length", "a message of process 0 with tag 1 has 4 bytes; the buffer has 2"),
    ],
)
def test_mistakes(programs: dict[str, Path], tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--machine", "bgp", "--shape", "2x1x1", "--results", tmp_path, programs["wrong"], what)
    assert done.returncode != 0
    assert line in done.stderr


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("ARMCI_PROGRESS=sometimes", "ARMCI_PROGRESS is 'sometimes'; it may be interrupts, thread or polling"),
        ("ARMCI_PACK_BELOW=8193", "ARMCI_PACK_BELOW is '8193'; it may be 0 to 8192 bytes"),
        ("ARMCIX_DCMF_REQUESTPOOL_MAX=0", "ARMCIX_DCMF_REQUESTPOOL_MAX is '0'; it may be 1 to 1000000"),
    ],
)
def test_settings(programs: dict[str, Path], tmp_path: Path, setting: str, line: str) -> None:
    machine = ["--shape", "2x1x1", "--env", setting]
    done = toroid("run", "--machine", "bgp", "--results", tmp_path, *machine, programs["groups"])
    assert done.returncode != 0
    assert line in done.stderr
