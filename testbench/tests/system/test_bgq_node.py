# SPDX-License-Identifier: Apache-2.0
"""A node of Blue Gene/Q as programs see it: modes, personality, kernel calls, the Messaging Unit by its registers."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

PROCESSES = {f"c{count}": count for count in (1, 2, 4, 8, 16, 32, 64)}
THREADS = 64
HW_PROGRAMS = paths.ROOT / "testbench/tests/hw/guest"


def guest(name: str) -> Path:
    return paths.guest_program(name, "bgq")


def run(*arguments: str | Path, results: Path | None = None) -> str:
    options: list[str | Path] = ["--results", results] if results else []
    done = toroid("run", "--machine", "bgq", *options, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("shape", "most", "dimension"), [("1x1x1x1x3", 2, "E"), ("1x65x1x1x1", 64, "B")])
def test_machines_are_as_large_as_coordinates_of_programs(shape: str, most: int, dimension: str) -> None:
    done = toroid("run", "--machine", "bgq", "--shape", shape, guest("hello"))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"shape {shape}: programs run on machines of at most {most} nodes along {dimension}, " in done.stderr


@pytest.mark.parametrize("mode", PROCESSES)
def test_ranks_fill_a_node_and_go_on_along_e(mode: str) -> None:
    """In the machine's usual order of ranks, ABCDET: the last letter counts fastest."""
    processes = PROCESSES[mode]
    shape = (2, 1, 1, 1, 2)
    places = list(itertools.product(*(range(extent) for extent in shape), range(processes)))
    expected = {
        f"rank {rank} on node ({a},{b},{c},{d},{e}) of 2x1x1x1x2, 1600 MHz: "
        f"hardware thread {t * THREADS // processes}, {processes} processes a node"
        for rank, (a, b, c, d, e, t) in enumerate(places)
    }
    assert set(run("--mode", mode, "--shape", "2x1x1x1x2", guest("hello")).splitlines()) == expected
    if processes == 16:
        assert set(run("--ranks-per-node", "16", "--shape", "2x1x1x1x2", guest("hello")).splitlines()) == expected


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--ranks-per-node", "3"], "--ranks-per-node 3: Blue Gene/Q has no such process mode; it has 1, 2, 4, 8, 16"),
        (["--ranks-per-node", "2", "--mode", "c2"], "--mode and --ranks-per-node say the same; one of them is enough"),
        (["--shape", "2x2x2"], "3 dimensions given, this machine has 5"),
        (["--env", "BG_SHAREDMEMSIZE=much"], "it is shared memory of a node in MB, or +MB beside the usual 64"),
        (["--env", "BG_THREADLAYOUT=3"], "it is 1, where new threads go from core to core, or 2, where they fill each"),
        (["--set", "core.threads=2"], "core.threads is 2; it must be 4, the threads of a core, or 1"),
        (["--set", "core.reservation=48"], "core.reservation is 48; it must be 0 or a power of two from 8 on"),
    ],
)
def test_what_a_node_cannot_be_is_said(options: list[str], says: str) -> None:
    shape = [] if "--shape" in options else ["--shape", "1x1x1x1x1"]
    done = toroid("run", "--machine", "bgq", *shape, *options, guest("hello"))
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize(
    ("processes", "layout", "places"),
    [
        (1, "1", [4, 8, 12, 16, 20]),
        (1, "2", [2, 1, 3, 4, 6]),
        (8, "1", [4, 2, 6, 1, 5]),
        (8, "2", [2, 1, 3, 4, 6]),
        (32, "2", [1]),
    ],
)
def test_new_threads_go_from_core_to_core_or_fill_each(
    processes: int, layout: str, places: list[int], tmp_path: Path
) -> None:
    node = ["--shape", "1x1x1x1x1", "--ranks-per-node", str(processes), "--ranks", "1"]
    variable = ["--env", f"BG_THREADLAYOUT={layout}"]
    printed = run(*node, *variable, guest("thread_layout"), str(len(places)), results=tmp_path)
    assert printed == " ".join(map(str, places)) + "\n"


def test_a_node_is_told_where_it_is_in_its_rack(tmp_path: Path) -> None:
    printed = run("--shape", "2x2x2x4x2", "--prefix", guest("location"), results=tmp_path)
    assert sorted(printed.splitlines(), key=lambda line: int(line.split(":")[0])) == [
        f"{rank}: 13 R**-M*-N**-J** R00-M0-N{rank // 32:02}-J{rank % 32:02}" for rank in range(64)
    ]


@pytest.mark.parametrize("shape", ["1x1x1x1x1", "2x1x1x1x1", "3x2x2x2x2"])
def test_registers_alone_send_a_packet_and_put_with_a_counter(shape: str, tmp_path: Path) -> None:
    printed = run("--shape", shape, guest("mu_put"), results=tmp_path)
    assert printed.splitlines() == ["received: a packet for the memory FIFO", "put: 4000 bytes, 0 wrong"]
    mu = read_result(tmp_path)["mu"]
    packets = 1 + 8  # 4000 bytes are eight packets
    assert (mu["descriptors"], mu["packets_injected"], mu["packets_received"]) == (2, packets, packets)
    assert mu["atomics"] == 8
    assert mu["packets_local"] == (packets if shape == "1x1x1x1x1" else 0)


def test_results_depend_on_neither_quantum_nor_parking(tmp_path: Path) -> None:
    """Though cores poll memory that the Messaging Unit writes."""
    found = []
    for number, options in enumerate(
        [[], ["--no-park"], ["--set", "core.quantum=100"], ["--set", "core.quantum=70000"]]
    ):
        run("--shape", "2x2x1x1x1", *options, guest("mu_put"), results=tmp_path / str(number))
        found.append(read_result(tmp_path / str(number)))
    for other in found[1:]:
        for key in ("simulated_ns", "ranks", "mu", "network"):
            assert other[key] == found[0][key], key


def test_a_thread_that_computes_looks_seldom(tmp_path: Path) -> None:
    """It sees what the Messaging Unit has written later, by no more than core.devices_apart; when, depends on neither
    quantum nor parking."""
    apart, devices_apart, computes, asks, turn = 160, 640, (0, 1), 2, 50

    def looks(*options: str) -> list[list[int]]:
        printed = run("--shape", "2x1x1x1x1", *options, guest("late_looks"), results=tmp_path / str(len(options)))
        return [[int(number) for number in line.split()] for line in printed.splitlines()]

    found = looks()
    for options in (["--no-park"], ["--set", "core.quantum=100"], ["--set", "core.quantum=70000", "--no-park"]):
        assert looks(*options) == found, options
    often = looks("--set", f"core.devices_apart={apart}")
    late = [(kind, seen - before) for (_, kind, seen, _), (_, _, before, _) in zip(found, often, strict=True)]
    assert all(abs(by) <= apart + turn for kind, by in late if kind == asks), late
    assert all(-turn <= by <= devices_apart + turn for kind, by in late if kind in computes), late
    assert any(by > apart + turn for kind, by in late if kind in computes), late


@pytest.mark.parametrize("processes", [1, 4, 16, 64])
def test_processes_draw_tickets_in_the_l2(processes: int) -> None:
    """Each ticket once; every operation gives what it should; the process window shows the other processes' stores."""
    printed = run("--ranks-per-node", str(processes), "--shape", "1x1x1x1x1", guest("l2_atomics"))
    assert printed == f"{processes} processes: {20 * processes + 21} answers, 0 wrong\n"


@pytest.mark.parametrize("processes", [4, 16])
def test_processes_that_wait_for_each_others_memory_wake_up(processes: int, tmp_path: Path) -> None:
    """They are parked, and see each store when they would see it awake: of shared memory, and in another's own."""
    found = []
    for number, options in enumerate([[], ["--no-park"]]):
        printed = run(
            "--ranks-per-node", str(processes), "--shape", "1x1x1x1x1", *options, guest("shared_turns"),
            results=tmp_path / str(number),
        )  # fmt: skip
        assert set(printed.splitlines()) == {f"process {rank} of {processes}" for rank in range(processes)}
        found.append(read_result(tmp_path / str(number)))
    for key in ("simulated_ns", "ranks"):
        assert found[0][key] == found[1][key], key


@pytest.mark.parametrize("processes", [4, 16])
def test_threads_go_where_the_program_says(processes: int, tmp_path: Path) -> None:
    """By attributes, by others and by themselves, with all they have in their registers. What they tell of their
    places, priorities and mistakes is what the machine's kernel answers; nothing depends on quantum or parking."""
    threads = 64 // processes
    seen = []
    for number, options in enumerate([[], ["--no-park"], ["--set", "core.quantum=97"]]):
        node = ["--shape", "1x1x1x1x1", "--ranks-per-node", str(processes), "--ranks", "2", "--prefix"]
        printed = run(*node, *options, guest("affinity"), results=tmp_path / str(number))
        result = read_result(tmp_path / str(number))
        seen.append((sorted(printed.splitlines()), result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0] == sorted(
        f"{rank}: {line}"
        for rank in range(2)
        for line in [
            f"of the process: {threads}, first 1",
            f"by attributes: {threads - 1} of {threads - 1}, 0 failed",
            "by itself: 4 of 4",
            "by others: 0, told +3, went to +3; 0, went to +1",
            "no processor 22, another process's 22, taken 22, its own 0, of the first thread 22",
            "fifo 2 to 98, comm 1 to 99, other -1",
            "policy 1, priority 2; fifo 99: 22, comm 99: 0, has 2 99, fifo 50: 22, 50: 0, has 2 50",
        ]
    )


@pytest.mark.parametrize(("command", "source", "options"), [("cc", "openmp.c", ["-fopenmp"]), ("cc", "threads.c", [])])
def test_threads_have_the_hardware_threads_of_a_process(
    command: str, source: str, options: list[str], tmp_path: Path
) -> None:
    program = tmp_path / Path(source).stem
    compile_it: list[str | Path] = [
        command,
        "--machine",
        "bgq",
        "-pthread",
        *options,
        HW_PROGRAMS / source,
        "-o",
        program,
    ]
    assert toroid(*compile_it, cwd=tmp_path).returncode == 0
    node: list[str | Path] = ["--ranks-per-node", "16", "--shape", "1x1x1x1x1", "--ranks", "1", program]
    if source == "openmp.c":
        assert run(*node).startswith("4 threads, sum 999500.0")
    else:
        assert "mutex: 0 failures" in run(*node, "mutex")


# What 8 stores more in a loop take, in core cycles: to memory that is there, and to a register of the unit.
STORES = """
#include <stdio.h>
#include "firmware/programs/bgq/mu.h"
enum { ROUNDS = 1000, STORES = 8 };
#define FOUR "std %0,0(%1)\\n std %0,0(%1)\\n std %0,0(%1)\\n std %0,0(%1)\\n"
static uint64_t word;
static uint64_t eight(volatile uint64_t* at) {
  const uint64_t start = time_base();
  for (unsigned i = 0; i < ROUNDS; ++i) __asm__ volatile(FOUR FOUR : : "r"(0ull), "b"(at) : "memory");
  return time_base() - start;
}
static uint64_t sixteen(volatile uint64_t* at) {
  const uint64_t start = time_base();
  for (unsigned i = 0; i < ROUNDS; ++i) __asm__ volatile(FOUR FOUR FOUR FOUR : : "r"(0ull), "b"(at) : "memory");
  return time_base() - start;
}
static double each(volatile uint64_t* at) {
  (void)eight(at), (void)sixteen(at);
  const uint64_t less = eight(at);
  return (double)(sixteen(at) - less) / ROUNDS / STORES;
}
int main(void) {
  if (mu_open_base(0, 0, 0) != 0) return 1;
  const double to_memory = each(&word);
  printf("%.2f %.2f\\n", to_memory, each(mu_register(0, BGQ_MU_BASE_ADDRESS_OFFSET)));
  return 0;
}
"""


def test_stores_take_what_the_description_says(tmp_path: Path) -> None:
    """A store to memory takes a cycle, one to a register of the Messaging Unit 8."""
    source, program = tmp_path / "stores.c", tmp_path / "stores"
    source.write_text(STORES, encoding="utf-8")
    compiled = toroid("cc", "--machine", "bgq", "-O1", "-I", paths.ROOT, source, "-o", program)
    assert compiled.returncode == 0, compiled.stderr
    shape = ["--shape", "1x1x1x1x1"]
    assert run(*shape, program) == "1.00 8.00\n"
    assert run(*shape, "--set", "mu.write=20", "--set", "cache.store_cycles=3", program) == "3.00 20.00\n"
