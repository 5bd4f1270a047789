# SPDX-License-Identifier: Apache-2.0
"""A node of Blue Gene/P as programs see it: modes, languages, threads, its kernel's calls, communication threads."""

from __future__ import annotations

import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import PROGRAMS, Arguments, read_result, toroid

from toroid import paths

PROCESSES = {"smp": 1, "dual": 2, "vn": 4}
HW_PROGRAMS = paths.ROOT / "testbench/tests/hw/guest"


def guest(name: str) -> Path:
    return paths.guest_program(name, "bgp")


def run(*arguments: str | Path, results: Path | None = None) -> str:
    options: list[str | Path] = ["--results", results] if results else []
    done = toroid("run", "--machine", "bgp", *options, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compiled(source: Path, directory: Path, command: str = "cc", *options: str) -> Path:
    program = directory / source.stem
    done = toroid(command, "--machine", "bgp", *options, source, "-o", program, cwd=directory)
    assert done.returncode == 0, done.stderr
    return program


@pytest.mark.parametrize("mode", PROCESSES)
def test_output_goes_through_the_io_node_in_every_mode(mode: str, tmp_path: Path) -> None:
    printed = run("--mode", mode, "--shape", "2x1x1", guest("hello"), results=tmp_path)
    cores = 4 // PROCESSES[mode]
    expected = {
        f"node {node} at ({node},0,0) of 2x1x1, 850 MHz: core {process * cores} of a process of {cores}, "
        f"{PROCESSES[mode]} processes a node"
        for node in range(2)
        for process in range(PROCESSES[mode])
    }
    assert set(printed.splitlines()) == expected
    (io_node,) = read_result(tmp_path)["io_nodes"]
    assert io_node["calls"] == 2 * PROCESSES[mode]


@pytest.mark.parametrize(
    ("source", "command", "says"),
    [("hello.cpp", "c++", "hello from C++, sum 55"), ("hello.f90", "fc", "hello from Fortran, sum  10.00")],
)
def test_languages(source: str, command: str, says: str, tmp_path: Path) -> None:
    program = compiled(PROGRAMS / source, tmp_path, command)
    assert run("--shape", "2x1x1", program).splitlines() == [says, says]


def test_openmp_has_the_cores_of_a_process(tmp_path: Path) -> None:
    program = compiled(HW_PROGRAMS / "openmp.c", tmp_path, "cc", "-fopenmp")
    for mode, processes in PROCESSES.items():
        assert f"{4 // processes} threads, sum 999500.0" in run("--mode", mode, "--shape", "1x1x1", program)


def test_pthreads_have_the_cores_of_a_process(tmp_path: Path) -> None:
    program = compiled(HW_PROGRAMS / "threads.c", tmp_path, "cc", "-pthread")
    for test in ["mutex", "condition", "barrier", "many"]:
        assert f"{test}: 0 failures" in run("--shape", "1x1x1", program, test)


@pytest.mark.parametrize("mode", PROCESSES)
def test_the_kernel_answers_its_calls(mode: str) -> None:
    lines = run("--mode", mode, "--shape", "2x1x1", guest("kernel_calls")).splitlines()
    assert len(lines) == 2 * PROCESSES[mode]
    assert all(re.fullmatch(r"rank \d+: \d+ answers, 0 of them wrong", line) for line in lines), lines


# Personality and special registers. -----------------------------------------------------------------------------------

SHARED = 8  # MB
CONFIG = {"smp": 0x0F000000, "dual": 0x0C030000, "vn": 0x08040201}


@pytest.mark.parametrize("mode", PROCESSES)
def test_personality(mode: str) -> None:
    """Every byte of it, by the offsets of version 0x0A."""
    shape = (3, 2, 1)
    printed = run(
        "--mode", mode, "--shape", "3x2x1", "--mesh", "Y", "--set", "tree.nodes_per_io_node=4", guest("personality")
    )
    found: dict[int, list[tuple[bytes, list[str]]]] = {}
    for line in printed.splitlines():
        _, text, *registers = line.split()
        of_node = bytes.fromhex(text)
        found.setdefault(struct.unpack_from(">I", of_node, 168)[0], []).append((of_node, registers))
    assert sorted(found) == list(range(6))
    members = Counter(struct.unpack_from(">H", processes[0][0], 154)[0] for processes in found.values())
    assert sorted(members) == [0, 1]
    places = set()
    for node, processes in found.items():
        assert len(processes) == PROCESSES[mode]
        expected = bytearray(416)
        expected[2:4] = bytes([0x0A, 104])
        struct.pack_into(">I", expected, 4, 13 << 27 | (4 + node) << 8)
        struct.pack_into(">I", expected, 8, 850)
        struct.pack_into(">I", expected, 16, CONFIG[mode])
        struct.pack_into(">I", expected, 24, 0x67420000)
        struct.pack_into(">I", expected, 44, SHARED)
        struct.pack_into(">H", expected, 140, 2048)
        expected[148:154] = bytes([*shape, node % 3, node // 3, 0])
        # Which nodes a processing set has is the tree's choice.
        pset, rank_in_set = struct.unpack_from(">HxxxxI", processes[0][0], 154)
        places.add((pset, rank_in_set))
        struct.pack_into(">HIIIII", expected, 154, pset, members[pset], rank_in_set, 2, node, 6 + pset)
        expected[344:350] = b"toroid"
        expected[176:208] = processes[0][0][176:208]  # classes of the tree: kernel_calls compares them
        for of_node, _ in processes:
            assert of_node[:416] == bytes(expected)
            assert of_node[416:] == b"\xee" * 4  # nothing behind it
        cores = 4 // PROCESSES[mode]
        share = (2048 - SHARED) // PROCESSES[mode]
        # Where the processes' own memory leaves the addresses free, shared memory is at its physical ones.
        shared = 0 if mode == "smp" else (2048 - SHARED) << 20 | SHARED << 8
        assert sorted(registers for _, registers in processes) == sorted(
            [
                f"{shared | 0x10 | (cores - 1) << 2 | (PROCESSES[mode] - 1):08x}",
                f"{share << 20 | process * cores:08x}",
                *[f"{0x10000000 | process * share << 8:08x}"] * 2,
            ]
            for process in range(PROCESSES[mode])
        )
    assert places == {(pset, rank) for pset, size in members.items() for rank in range(size)}


# Communication threads. -----------------------------------------------------------------------------------------------


def figures(directory: Path) -> dict[str, Any]:
    result = read_result(directory)
    return {key: result[key] for key in ("simulated_ns", "ranks", "network", "dma", "tree")}


@pytest.mark.parametrize("mode", PROCESSES)
def test_counters_call_functions_on_communication_threads(mode: str) -> None:
    lines = run("--mode", mode, "--shape", "1x1x1", guest("comm_threads")).splitlines()
    cores = 4 // PROCESSES[mode]
    assert sorted(lines) == [
        f"rank {rank}: {20 * cores + 1} calls on {cores} cores, 0 wrong" for rank in range(PROCESSES[mode])
    ]


@pytest.mark.parametrize("mode", PROCESSES)
def test_a_sleeping_core_is_interrupted_and_sleeps_on(mode: str) -> None:
    lines = run("--mode", mode, "--shape", "1x1x1", "--timeout", "20ms", guest("interrupted_sleep")).splitlines()
    assert sorted(lines) == [f"rank {rank}: 11 calls, 0 wrong" for rank in range(PROCESSES[mode])]


def test_another_thread_ends_a_sleep_that_was_interrupted() -> None:
    lines = run("--shape", "1x1x1", "--timeout", "20ms", guest("interrupted_sleep"), "others").splitlines()
    assert lines == ["rank 0: 21 calls, 0 wrong"]


@pytest.mark.parametrize("mode", PROCESSES)
def test_counters_call_the_handlers_they_were_allocated_with(mode: str) -> None:
    lines = run("--mode", mode, "--shape", "1x1x1", guest("counter_interrupts")).splitlines()
    cores = 4 // PROCESSES[mode]
    assert sorted(lines) == [
        f"rank {rank}: handlers called 10 and 10 times on core {(rank + 1) * cores - 1}, 0 wrong"
        for rank in range(PROCESSES[mode])
    ]


AWAKE: dict[str, list[str]] = {"usual": [], "short": ["--set", "core.quantum=97"], "awake": ["--no-park"]}
INVARIANT = ["comm_threads", "counter_interrupts", "dma_put", "interrupted_sleep", "polled_memory", "shared_memory"]


def same_awake(machine: Arguments, program: Arguments, directory: Path) -> None:
    """Neither the quantum nor parking changes a result."""
    seen = []
    for name, options in AWAKE.items():
        lines = run(*machine, *options, *program, results=directory / name)
        seen.append((sorted(lines.splitlines()), figures(directory / name)))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("program", [*INVARIANT, "shown_stores"])
def test_neither_quantum_nor_parking_changes_results(program: str, tmp_path: Path) -> None:
    same_awake(["--mode", "dual", "--shape", "2x1x1"], [guest(program)], tmp_path)


@pytest.mark.parametrize("mode", ["dual", "vn"])
def test_windows_show_what_parked_processes_store(mode: str, tmp_path: Path) -> None:
    """What nobody else sees may change within a turn, until somebody opens a window to it."""
    same_awake(["--mode", mode, "--shape", "1x1x1"], [guest("shown_windows")], tmp_path)
    lines = run("--mode", mode, "--shape", "1x1x1", guest("shown_windows"), results=tmp_path / "told").splitlines()
    assert lines[0] == "some of 600 times set"


@pytest.mark.parametrize("apart", [150, 250, 1000])
@pytest.mark.parametrize(("mode", "seed"), [("smp", 1), ("smp", 101), ("dual", 201)])
def test_threads_that_poll_at_random_see_the_same(mode: str, seed: int, apart: int, tmp_path: Path) -> None:
    """Where cores take turns often, more of what wakes them comes in the middle of a turn."""
    machine: Arguments = ["--mode", mode, "--shape", "2x1x1", "--set", f"core.cores_apart={apart}"]
    same_awake(machine, [guest("random_polling"), str(seed), "250"], tmp_path)


@pytest.mark.parametrize("cost", [100, 9000])
@pytest.mark.parametrize("seed", [2, 8])
@pytest.mark.parametrize("mode", PROCESSES)
def test_interrupts_at_random_are_seen_the_same(mode: str, seed: int, cost: int, tmp_path: Path) -> None:
    """Where an interrupt costs little, its handler runs before the others have synchronised anyway."""
    machine: Arguments = ["--mode", mode, "--shape", "1x1x1", "--set", f"core.cost_interrupt={cost}"]
    same_awake(machine, [guest("random_interrupts"), str(seed), "150"], tmp_path)


def test_threads_that_poll_memory_for_ever_are_a_deadlock(tmp_path: Path) -> None:
    """They park: otherwise they would run into the time limit."""
    limits = ["--shape", "1x1x1", "--timeout", "100ms", "--results", str(tmp_path)]
    done = toroid("run", "--machine", "bgp", *limits, guest("polled_memory"), "forever")
    assert read_result(tmp_path)["ended"] == "deadlock", done.stderr
    assert "polls at" in done.stderr
    assert "second" in done.stderr


# Shared memory. -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", PROCESSES)
def test_processes_of_a_node_share_memory(mode: str) -> None:
    processes = PROCESSES[mode]
    lines = run("--mode", mode, "--shape", "1x1x1", guest("shared_memory")).splitlines()
    assert sorted(lines) == [
        f"rank {rank}: {25000 * processes} exchanges between {processes} processes, 0 wrong"
        for rank in range(processes)
    ]


def test_environment_gives_the_size_of_shared_memory() -> None:
    asked = ["--machine", "bgp", "--shape", "1x1x1", "--env"]
    done = toroid("run", *asked, "BG_SHAREDMEMPOOLSIZE=0", guest("shared_memory"))
    assert "shm_open" in done.stdout or "descriptor" in done.stdout, done.stdout
    assert done.returncode == 1
    for wrong in ["much", "513", "-1", ""]:
        done = toroid("run", *asked, f"BG_SHAREDMEMPOOLSIZE={wrong}", guest("shared_memory"))
        assert done.returncode == 2
        assert f"BG_SHAREDMEMPOOLSIZE is '{wrong}'; it is shared memory of a node in MB, from 0 to 512" in done.stderr


def test_the_machines_variable_places_ranks(tmp_path: Path) -> None:
    node: Arguments = ["--machine", "bgp", "--mode", "vn", "--shape", "2x1x1", "--prefix", "--results", tmp_path]
    done = toroid("run", *node, "--env", "BG_MAPPING=TXYZ", guest("hello"))
    cores = {int(rank): int(core) for rank, core in re.findall(r"^(\d+): .* core (\d) of", done.stdout, re.MULTILINE)}
    assert cores == {rank: rank % 4 for rank in range(8)}, done.stdout
    done = toroid("run", *node, "--env", "BG_MAPPING=TXY", guest("hello"))
    assert done.returncode == 2
    assert "--env BG_MAPPING TXY: no file, and no order of ranks, which has each letter of XYZT once" in done.stderr
