# SPDX-License-Identifier: Apache-2.0
"""Programs on Blue Gene/Q's SPI: its headers beside the machine's own, what the Messaging Unit moves."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from helpers import check_snippets, read_result, toroid

from toroid import paths

LAYOUTS = paths.ROOT / "testbench/tests/system/spi_layouts"
HEADERS = """
#include <cnk/include/Config.h>
#include <cnk/include/SPI_syscalls.h>
#include <hwi/include/bqc/nd_x2_dcr.h>
#include <spi/include/kernel/MU.h>
#include <spi/include/kernel/collective.h>
#include <spi/include/kernel/gi.h>
#include <spi/include/kernel/thread.h>
#include <spi/include/l2/lock.h>
#include <spi/include/mu/GIBarrier.h>
#include <spi/include/wu/wait.h>
"""

# As libfabric's provider does it in each of its files: the headers' functions are its own, and two it defines.
OWN_TOKENS = """
#define __INLINE__ static inline
#include <spi/include/kernel/MU.h>
int32_t Kernel_GetNDExpectedTokens(uint32_t link, uint32_t channel, uint32_t* tokens) {
  *tokens = link + channel;
  return 0;
}
int32_t Kernel_GetNDExpectedTokensDCR(uint32_t link, uint64_t* tokens) {
  *tokens = link;
  return 0;
}
"""
# Prints when a node enters each of three barriers and when it leaves it; another one is late each time.
LATE = """
#include <spi/include/kernel/location.h>
#include <spi/include/mu/GIBarrier.h>
#include <stdio.h>
int main(void) {
  MUSPI_GIBarrier_t barrier;
  uint64_t times[6];
  MUSPI_GIBarrierInit(&barrier, 0);
  for (unsigned i = 0; i < 3; ++i) {
    if (Kernel_GetRank() == i) DelayTimeBase(200000);
    times[2 * i] = GetTimeBase();
    MUSPI_GIBarrierEnterAndWait(&barrier);
    times[2 * i + 1] = GetTimeBase();
  }
  for (unsigned i = 0; i < 6; ++i) printf("%lu%c", times[i], i == 5 ? '\\n' : ' ');
  return 0;
}
"""
# What a rank's line says, of `ranks` ranks; processes a node.
TRANSFERS = {
    "spi_put": ("60 puts of 1 to 20000 bytes and of words: 0 are wrong", (1, 16)),
    "spi_message": ("40 messages in 75 packets: 0 are wrong", (1, 16)),
    "spi_get": ("15 gets from rank {behind}, and 5 numbers: 0 are wrong", (1, 16)),
    "spi_allreduce": ("16 reductions over {nodes} nodes: 0 words are wrong", (1,)),
}


def compile_program(source: Path, *options: str | Path) -> None:
    compiled = toroid("cc", "--machine", "bgq", *options, source)
    assert compiled.returncode == 0, compiled.stderr


def run(*arguments: str | Path) -> str:
    done = toroid("run", "--machine", "bgq", *arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_layouts_and_constants_are_those_of_the_machine(tmp_path: Path) -> None:
    """Each line of the table is an expression and its value on the machine's own headers."""
    source = tmp_path / "layouts.c"
    facts = [line.rsplit(" ", 1) for line in (LAYOUTS / "bgq.txt").read_text().splitlines()]
    assert len(facts) > 900
    checks = [f'_Static_assert((unsigned long long)({what}) == {value}ull, "{what}");' for what, value in facts]
    source.write_text("\n".join([HEADERS, *checks, ""]))
    compile_program(source, "-c", "-o", tmp_path / "layouts.o")


@pytest.mark.parametrize("name", ["bgq_descriptors", "bgq_fifos"])
def test_functions_are_those_of_the_machine(name: str, tmp_path: Path) -> None:
    """What each program is to print is what it printed when it was compiled on the machine's own headers."""
    compile_program(LAYOUTS / f"{name}.c", "-std=gnu89", "-o", tmp_path / name)
    assert run("--shape", "1x1x1x1x1", tmp_path / name) == (LAYOUTS / f"{name}.txt").read_text()


@pytest.mark.parametrize("shape", ["1x1x1x1x1", "2x1x2x1x1"])
@pytest.mark.parametrize(("name", "processes"), [(name, count) for name, (_, of) in TRANSFERS.items() for count in of])
def test_transfers(name: str, processes: int, shape: str) -> None:
    """On one node all messages are local; with 16 processes a node, those from one process to the next."""
    shape = shape if processes == 1 else shape.replace("2x1x2", "2x1x1")
    nodes = {"1x1x1x1x1": 1, "2x1x1x1x1": 2, "2x1x2x1x1": 4}[shape]
    ranks = nodes * processes
    line = TRANSFERS[name][0]
    expected = {f"rank {rank}: " + line.format(behind=(rank + 1) % ranks, nodes=nodes) for rank in range(ranks)}
    printed = run("--shape", shape, "--ranks-per-node", str(processes), paths.guest_program(name, "bgq"))
    assert set(printed.splitlines()) == expected


@pytest.mark.parametrize("shape", ["4x2x1x1x1", "5x1x1x1x1"])
def test_messages_leave_copies_along_a_line(shape: str) -> None:
    """Each node sends six messages two nodes on, into rings that hold three of the twelve that come to each."""
    printed = run("--shape", shape, paths.guest_program("spi_deposit", "bgq"))
    ranks = {"4x2x1x1x1": 8, "5x1x1x1x1": 5}[shape]
    expected = {f"rank {rank}: 12 copies of messages over 2 nodes: 0 are wrong" for rank in range(ranks)}
    assert set(printed.splitlines()) == expected


def test_no_node_leaves_a_barrier_before_the_last_one_has_come(tmp_path: Path) -> None:
    """Also of the first barrier, whose state the job begins with."""
    source = tmp_path / "barrier.c"
    source.write_text(LATE)
    compile_program(source, "-o", tmp_path / "barrier")
    times = [line.split() for line in run("--shape", "3x2x1x1x1", tmp_path / "barrier").splitlines()]
    for first in range(0, 3 * 2, 2):
        assert min(int(line[first + 1]) for line in times) > max(int(line[first]) for line in times)


def test_the_result_does_not_depend_on_how_it_is_simulated(tmp_path: Path) -> None:
    results = []
    for number, options in enumerate((["--set", "core.quantum=100"], ["--no-park"], [])):
        run(
            "--shape", "2x1x1x1x1", *options, "--results", tmp_path / str(number), paths.guest_program("spi_get", "bgq")
        )
        result = read_result(tmp_path / str(number))
        results.append((result["simulated_ns"], result["network"], result["mu"]))
    assert results[0] == results[1] == results[2]


def test_the_guide_shows_parts_of_programs() -> None:
    assert check_snippets(paths.ROOT / "docs/guide/bgq_spi.md") == 10


def test_files_of_a_program_may_define_what_the_kernel_lacks(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(OWN_TOKENS, encoding="utf-8")
    (tmp_path / "two.c").write_text(OWN_TOKENS + "int main(void) { return 0; }\n", encoding="utf-8")
    built = toroid("cc", "--machine", "bgq", "one.c", "two.c", "-o", "tokens", cwd=tmp_path)
    assert built.returncode == 0, built.stderr


def test_ranks_have_places_by_orders_and_files(tmp_path: Path) -> None:
    """All orders of letters that there are, a file of lines that do not fit a buffer at once, one that goes on by an
    order, and ones that say nothing of use."""
    sizes = dict(zip("ABCDET", (2, 3, 1, 2, 2, 2), strict=True))

    def in_order(letters: str) -> list[str]:
        every = itertools.product(*(range(sizes[d]) for d in letters))
        return ["".join(str(dict(zip(letters, at, strict=True))[d]) for d in "ABCDET") for at in every]

    places = in_order("TCABED")
    lines = [" ".join(place) for place in places]
    goes_on = [*lines[:3], "#mapping EDCBAT"]
    texts = {
        "file": "\n".join(["# places", "", *(f"{line}  # rank {rank}" for rank, line in enumerate(lines))]),
        "goes_on": "\n".join([*goes_on, "not looked at"]) + "\n",
        "mpmd": "\n".join(["#mpmdbegin 0-3", *lines]) + "\n",
        "short": "\n".join(lines[:47]) + "\n",
        "outside": "\n".join(["0 3 0 0 0 0", *lines]) + "\n",
        "word": "\n".join(["0 0 zero 0 0 0", *lines]) + "\n",
        "no_order": "#mapping ABCDE\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    orders = ["".join(letters) for letters in itertools.islice(itertools.permutations("ABCDET"), 0, None, 37)]
    wrong = ["ABCDE", "ABCDEE", "ABCDETX", "abcdet", "short", "outside", "word", "no_order", "nowhere"]
    given = [*orders, "file", "goes_on", "mpmd", *wrong]
    node = ["--machine", "bgq", "--shape", "1x1x1x1x1"]
    done = toroid("run", *node, "--directory", tmp_path, paths.guest_program("rank_map", "bgq"), *given)
    assert done.returncode == 0, done.stderr
    expected = {order: in_order(order) for order in orders}
    expected |= {"file": places, "mpmd": places, "goes_on": [*places[:3], *in_order("EDCBAT")[3:]]}
    for name, line in zip(given, done.stdout.splitlines(), strict=True):
        if name in wrong:
            assert line.startswith(f"{name}: -1 "), line
        else:
            rank = expected[name].index("120011")
            assert line == f"{name}: 0 {rank} {int(name == 'mpmd')} {' '.join(expected[name])}"
