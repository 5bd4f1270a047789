# SPDX-License-Identifier: Apache-2.0
"""ARMCI on emulated machines: its own tests in each mode of progress, and programs that use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import Arguments, check_snippets, toroid

from toroid import paths

GUIDE = paths.ROOT / "docs" / "guide" / "armci.md"
SOURCES = paths.ROOT / "testbench" / "tests" / "armci"
PROGRAMS = paths.ROOT / "firmware" / "programs"
MODES = {
    "interrupts": ["bgp", "2x2x1"],
    "thread": ["bgp", "2x2x1", "--env", "ARMCI_PROGRESS=thread"],
    "polling": ["bgp", "2x2x1", "--env", "ARMCI_PROGRESS=polling"],
    "virtual nodes": [
        "bgp",
        "2x1x1",
        "--mode",
        "vn",
        "--env",
        "ARMCI_PROGRESS=polling",
        "--env",
        "ARMCI_PACK_BELOW=512",
    ],
    "virtual nodes, interrupts": ["bgp", "2x1x1", "--mode", "vn"],
    "bgq thread": ["bgq", "2x1x1x1x1"],
    "bgq two contexts": ["bgq", "2x1x1x1x1", "--env", "ARMCI_CONTEXTS=2", "--env", "ARMCI_PROGRESS=thread"],
    "bgq without regions": ["bgq", "2x1x1x1x1", "--env", "ARMCI_REGIONS=0"],
    "bgq polling": ["bgq", "2x1x1x1x1", "--ranks-per-node", "2", "--env", "ARMCI_PROGRESS=polling"],
}
Programs = Callable[[str, str], Path]


def built(source: Path, directory: Path, machine: str) -> Path:
    program = directory / f"{source.stem}.{machine}"
    done = toroid("cc", "--machine", machine, source, "-o", program, cwd=directory)
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """A program by its name and machine, compiled when it is first asked for."""
    directory = tmp_path_factory.mktemp("armci")
    sources = [*SOURCES.glob("*.c"), *(SOURCES / "whole").glob("*.c"), *PROGRAMS.glob("armci_*.c")]
    paths_of = {source.stem: source for source in sources}
    made: dict[tuple[str, str], Path] = {}

    def program(name: str, machine: str) -> Path:
        if (name, machine) not in made:
            made[name, machine] = built(paths_of[name], directory, machine)
        return made[name, machine]

    return program


def test_the_guide_shows_parts_of_a_program_that_works(tmp_path: Path) -> None:
    assert check_snippets(GUIDE) == 3
    source = GUIDE.with_name("armci_example.c")
    for machine in (["bgp", "2x2x1"], ["bgq", "1x1x1x1x1", "--ranks-per-node", "4"]):
        assert "4 processes: right\n" in run(lambda _, name: built(source, tmp_path, name), "", tmp_path, machine)


def run(programs: Programs, name: str, tmp_path: Path, mode: list[str], *arguments: str) -> str:
    machine, shape, *options = mode
    program = programs(name, machine)
    where: Arguments = ["--machine", machine, "--results", tmp_path, "--shape", shape, *options]
    done = toroid("run", *where, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "mode", ["interrupts", "thread", "virtual nodes", "virtual nodes, interrupts", "bgq two contexts", "bgq polling"]
)
@pytest.mark.parametrize("name", ["atomicity", "conflicts", "groups", "operations", "order", "refused"])
def test_parts(programs: Programs, tmp_path: Path, name: str, mode: str) -> None:
    machine = [*MODES[mode], "--env", "ARMCI_TEST_OPERATIONS=100"]
    assert "ok\n" in run(programs, name, tmp_path, machine)


@pytest.mark.parametrize("mode", ["polling", "bgq polling"])
def test_one_status_for_a_target_waits_more_often(programs: Programs, tmp_path: Path, mode: str) -> None:
    """Gets of the factors of a product wait for accumulates to the product only where all memory has one status."""
    waits = {}
    for kept in ("region", "target"):
        settings = ["--env", f"ARMCI_CONFLICTS={kept}", "--env", "ARMCI_STATISTICS=1"]
        printed = run(programs, "conflicts", tmp_path, [*MODES[mode], *settings])
        assert "ok\n" in printed
        waits[kept] = int(re.findall(r"^ARMCI ranks=\d+ .* waits=(\d+) follows=\d+$", printed, re.MULTILINE)[0])
    assert waits["region"] < waits["target"]


@pytest.mark.long
@pytest.mark.parametrize("pack", [0, 256, 8192])
@pytest.mark.parametrize("mode", ["interrupts", "thread", "polling"])
def test_many_operations(programs: Programs, tmp_path: Path, mode: str, pack: int) -> None:
    """More than 10^5 of them in all."""
    settings = ["ARMCI_TEST_OPERATIONS=3500", f"ARMCI_PACK_BELOW={pack}", f"ARMCI_TEST_SEED={pack + 1}"]
    machine = [*MODES[mode], *(word for setting in settings for word in ("--env", setting))]
    assert "ok\n" in run(programs, "operations", tmp_path, machine)


@pytest.mark.parametrize(
    ("mode", "served"),
    [
        ("interrupts", "meanwhile"),
        ("thread", "meanwhile"),
        ("polling", "later"),
        ("virtual nodes", "later"),
        ("virtual nodes, interrupts", "meanwhile"),
        ("bgq thread", "meanwhile"),
        ("bgq polling", "later"),
    ],
)
def test_a_target_that_computes(programs: Programs, tmp_path: Path, mode: str, served: str) -> None:
    assert f"served={served}\n" in run(programs, "computing", tmp_path, MODES[mode])


@pytest.mark.parametrize("mode", ["interrupts", "polling"])
def test_processes_that_wait_are_parked(programs: Programs, tmp_path: Path, mode: str) -> None:
    """A turn of the loop that finds nothing writes to no device and changes no memory."""
    name, shape, *options = MODES[mode]
    machine: Arguments = ["--machine", name, "--results", tmp_path, "--timeout", "1ms", "--shape", shape, *options]
    done = toroid("run", *machine, programs("waiting", name))
    ranks = re.findall(r"^toroid: rank (\d) \(node \S+\): (runs|polls) at", done.stderr, re.MULTILINE)
    assert ranks == [("0", "runs"), ("1", "polls"), ("2", "polls"), ("3", "polls")], done.stderr


@pytest.mark.parametrize("machine", [*MODES.values(), ["bgp", "1x1x1", "--mode", "vn"]], ids=" ".join)
def test_a_flag_behind_a_request_reaches_a_process_outside_armci(
    programs: Programs, tmp_path: Path, machine: list[str]
) -> None:
    assert run(programs, "flag", tmp_path, [*machine, "--timeout", "5ms"]) == "ok\n"


@pytest.mark.parametrize("mode", ["interrupts", "thread", "bgq two contexts"])
def test_threads(programs: Programs, tmp_path: Path, mode: str) -> None:
    assert "ok\n" in run(programs, "threads", tmp_path, MODES[mode])


@pytest.mark.parametrize("accumulate", ["source", "pipelined"])
@pytest.mark.parametrize("name", ["atomicity", "conflicts", "operations"])
def test_accumulates_by_their_source(programs: Programs, tmp_path: Path, name: str, accumulate: str) -> None:
    mode = MODES["bgq polling" if name == "atomicity" else "bgq thread"]
    settings = ["--env", "ARMCI_TEST_OPERATIONS=100", "--env", f"ARMCI_ACCUMULATE={accumulate}"]
    assert "ok\n" in run(programs, name, tmp_path, [*mode, *settings])


def test_a_get_without_memory_regions_takes_the_target(programs: Programs, tmp_path: Path) -> None:
    """It waits for a target that computes and polls, by RDMA it does not."""
    cycles = {}
    for regions in (0, 8):
        settings = ["--env", f"ARMCI_REGIONS={regions}", "--env", "ARMCI_PROGRESS=polling"]
        printed = run(programs, "armci_latency", tmp_path, ["bgq", "2x1x1x1x1", *settings], "8", "2")
        cycles[regions] = float(re.findall(r"target=computes operation=get size=8 rounds=2 local=([\d.]+)", printed)[0])
    assert cycles[0] > 50000 > cycles[8]  # the target calls ARMCI every 100,000 cycles


@pytest.mark.parametrize("name", ["conflicts", "operations", "order"])
def test_without_memory_regions(programs: Programs, tmp_path: Path, name: str) -> None:
    """Puts and gets that the target's library carries out."""
    mode = [*MODES["bgq without regions"], "--env", "ARMCI_TEST_OPERATIONS=100", "--env", "ARMCI_PACK_BELOW=0"]
    assert "ok\n" in run(programs, name, tmp_path, mode)


@pytest.mark.parametrize(
    "machine",
    [["bgp", "2x2x1"], ["bgp", "3x1x1", "--mode", "vn"], ["bgq", "3x1x1x1x1", "--ranks-per-node", "2"]],
    ids=" ".join,
)
def test_patches(programs: Programs, tmp_path: Path, machine: list[str]) -> None:
    printed = run(programs, "armci_patches", tmp_path, machine, "40", "13")
    assert re.search(r"armci_patches ranks=\d+ dimension=40 patch=13 tasks=64 most=\d+ right=yes", printed), printed


KERNEL_LINES = {
    "counter": r"ranks=\d+ draws=50 compute_us=0 mean_us=[\d.]+ most_us=[\d.]+ seconds=[\d.]+",
    "dgemm": r"ranks=\d+ tiles=4 edge=12 gets=128 accumulates=64 seconds=[\d.]+ mflops=[\d.]+",
    "lattice": r"ranks=\d+ edge=8 steps=4 puts=\d+ compute_s=[\d.]+ ghosts_s=[\d.]+ seconds=[\d.]+",
    "lu": r"ranks=\d+ tiles=4 edge=8 gets=\d+ seconds=[\d.]+ communicate_s=[\d.]+ mflops=[\d.]+",
    "scf": r"ranks=\d+ tiles=4 edge=8 passes=2 tasks=32 most=\d+ counter_s=[\d.]+ get_s=[\d.]+ accumulate_s=[\d.]+"
    r" work_s=[\d.]+ seconds=[\d.]+",
}


@pytest.mark.parametrize(
    "machine", [["bgp", "2x2x1"], ["bgq", "3x1x1x1x1"], ["bgq", "2x1x1x1x1", "--ranks-per-node", "2"]], ids=" ".join
)
@pytest.mark.parametrize("kernel", KERNEL_LINES)
def test_kernels(programs: Programs, tmp_path: Path, kernel: str, machine: list[str]) -> None:
    printed = run(programs, f"armci_{kernel}", tmp_path, machine)
    assert re.search(rf"^armci_{kernel} {KERNEL_LINES[kernel]} right=yes$", printed, re.MULTILINE), printed


@pytest.mark.parametrize("machine", ["bgp", "bgq"])
def test_a_counter_in_a_process_that_computes(programs: Programs, tmp_path: Path, machine: str) -> None:
    """Without progress in the background a draw takes as long as a piece of its computation, with it far less."""
    piece, means = 200, {}
    for progress in ("thread", "polling"):
        mode = [machine, "x".join(["2"] + ["1"] * (2 if machine == "bgp" else 4)), "--timeout", "20ms"]
        mode += ["--env", f"ARMCI_PROGRESS={progress}"]
        printed = run(programs, "armci_counter", tmp_path, mode, "5", str(piece))
        means[progress] = float(re.findall(rf"compute_us={piece} mean_us=([\d.]+) .* right=yes", printed)[0])
    assert means["thread"] < piece / 5
    assert means["polling"] > piece / 2


def test_latency(programs: Programs, tmp_path: Path) -> None:
    machine = ["bgp", "2x1x1", "--env", "ARMCI_PROGRESS=thread"]
    printed = run(programs, "armci_latency", tmp_path, machine, "16", "2")
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
def test_mistakes(programs: Programs, tmp_path: Path, what: str, line: str) -> None:
    done = toroid("run", "--machine", "bgp", "--shape", "2x1x1", "--results", tmp_path, programs("wrong", "bgp"), what)
    assert done.returncode != 0
    assert line in done.stderr


@pytest.mark.parametrize(
    ("machine", "setting", "line"),
    [
        ("bgp", "ARMCI_PROGRESS=sometimes", "ARMCI_PROGRESS is 'sometimes'; it may be interrupts, thread or polling"),
        ("bgp", "ARMCI_PACK_BELOW=8193", "ARMCI_PACK_BELOW is '8193'; it may be 0 to 8192 bytes"),
        ("bgp", "ARMCIX_DCMF_REQUESTPOOL_MAX=0", "ARMCIX_DCMF_REQUESTPOOL_MAX is '0'; it may be 1 to 1000000"),
        (
            "bgq",
            "ARMCI_ACCUMULATE=both",
            "ARMCI_ACCUMULATE is 'both'; it may be target, source or pipelined",
        ),
        ("bgq", "ARMCI_CONFLICTS=yes", "ARMCI_CONFLICTS is 'yes'; it may be region or target"),
        ("bgq", "ARMCI_CONTEXTS=3", "ARMCI_CONTEXTS is '3'; it may be 1 to 2"),
        ("bgq", "ARMCI_REGIONS=65537", "ARMCI_REGIONS is '65537'; it may be 0 to 65536"),
    ],
)
def test_settings(programs: Programs, tmp_path: Path, machine: str, setting: str, line: str) -> None:
    where: Arguments = ["--machine", machine, "--results", tmp_path, "--env", setting]
    shape = "x".join(["2"] + ["1"] * (2 if machine == "bgp" else 4))
    done = toroid("run", *where, "--shape", shape, programs("groups", machine))
    assert done.returncode != 0
    assert line in done.stderr
