# SPDX-License-Identifier: Apache-2.0
"""Kernel calls of Blue Gene/Q about classes of collectives and global interrupts, and about the program itself."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

Node = tuple[int, ...]
DIMENSIONS = 5


def run(program: str, shape: str, *arguments: str) -> tuple[int, str, str]:
    done = toroid("run", "--machine", "bgq", "--shape", shape, paths.guest_program(program, "bgq"), *arguments)
    return done.returncode, done.stdout, done.stderr


def link(dimension: int, *, plus: bool) -> int:
    return 1 << 10 - 2 * dimension + (not plus)


def job_route(shape: Node, at: Node) -> tuple[int, int]:
    """Inputs and output of a node, as MUSPI_BuildNodeClassroute() of the machine's SPI finds them."""
    root = [extent // 2 for extent in shape]
    first = next((d for d in range(DIMENSIONS) if shape[d] > 1), 0)
    inputs = 1
    for turn in range(DIMENSIONS):
        d = DIMENSIONS - 1 - (first + turn) % DIMENSIONS
        if 0 < at[d] <= root[d]:
            inputs |= link(d, plus=False)
        if root[d] <= at[d] < shape[d] - 1:
            inputs |= link(d, plus=True)
        if at[d] != root[d]:
            return inputs, link(d, plus=at[d] < root[d])
    return inputs, 0


def cut_offs(shape: Node, at: Node) -> int:
    """Of a torus with even extents, as the machine's firmware sets them."""
    word = 0
    for d in range(DIMENSIONS):
        near, far = max(0, shape[d] // 2 - 1), shape[d] // 2
        up, down = (near, far) if sum(at) % 2 else (far, near)
        word |= min(shape[d] - 1, at[d] + up) << 56 - 6 * d | max(0, at[d] - down) << 24 - 6 * d
    return word


@pytest.mark.parametrize("shape", [(1, 1, 1, 1, 1), (2, 1, 1, 1, 1), (4, 2, 1, 1, 2), (1, 1, 4, 2, 1)])
def test_classes_are_given_out_and_barriers_made_of_them(shape: Node) -> None:
    """Each node's route of the job's class; results of all calls; a class of global interrupts along E."""
    status, printed, said = run("class_routes", "x".join(map(str, shape)))
    assert status == 0, printed + said
    expected = set()
    for at in itertools.product(*(range(extent) for extent in shape)):
        inputs, output = job_route(shape, at)
        place = "".join(map(str, at))
        word = inputs << 16 | output
        expected.add(f"{place} {2 << 28 | word:08x} {word:08x} {cut_offs(shape, at):016x}")
    assert set(printed.splitlines()) == expected


def test_users_write_no_registers_of_the_network() -> None:
    status, printed, said = run("class_routes", "1x1x1x1x1", "write")
    assert (status, printed) == (1, "")
    assert "write to a control register of the network, which only the kernel may make" in said


def test_the_kernel_answers_about_a_program_and_its_objects() -> None:
    status, printed, said = run("kernel_answers", "1x1x1x1x1")
    assert status == 0, said
    assert printed.splitlines() == [
        "guest thread: 0",
        "mapping in 16 bytes: 0 ABCDET, file 0",
        "mapping in 3 bytes: 0 ABCxxx, file 0",
        "/dev/shm/queue: there, 0, errno 0",
        "/dev/shm/queue: there, -1, errno 25",
        "made anew: -1, errno 17",
        "ticket 41, then 42",
        "/dev/shm/unique-comm-agent-shmem-file: not there, -2, errno 2",
        "aggregate 0: 0 80000000 0 0",
        "aggregate 33: 0 80000000 40000000 0",
        "aggregate 66: 0 80000000 40000000 2",
        "aggregate 68: 22",
        "interrupts of class 2: 0 22 0040000000000000",
        "domains: 0, 22 0 0 0, 16",
    ]


def test_the_kernel_clears_checksums_tells_its_version_and_takes_back() -> None:
    """What is given back a second time stays free: the machine's kernel finds no fault with it."""
    status, printed, said = run("unit_calls", "1x1x1x1x1")
    assert status == 0, said
    assert printed.splitlines() == [
        "checksum: 0 72, other cleared: 0 72, cleared: 0 0 36, no FIFO: -1 -1",
        "version: 0, V1R2M2 efix0, 14",
        "injection: 8 free 6, 0: 7 00001000, 0: 7 00001000, 0: 8 00000000",
        "reception: 4 free 2, 0: 3, 0: 3, 0: 4",
        "bases: 8 free 6, 0: 7 users', 0: 7 users', 0: 8 the system's",
    ]


def test_programs_ask_for_the_version_by_the_machine_s_header(tmp_path: Path) -> None:
    source = tmp_path / "version.c"
    source.write_text(
        """
        #include <spi/include/kernel/debug.h>
        #include <stdio.h>
        int main(void) {
          uint64_t part[4] = {9, 9, 9, 9};
          const int result = Kernel_GetVersion(&part[0], &part[1], &part[2], &part[3]);
          printf("%d: %d %d %d %d", result, (int)part[0], (int)part[1], (int)part[2], (int)part[3]);
          return 0;
        }
        """,
        encoding="utf-8",
    )
    assert toroid("cc", "--machine", "bgq", source, "-o", tmp_path / "version").returncode == 0
    done = toroid("run", "--machine", "bgq", "--shape", "1x1x1x1x1", tmp_path / "version")
    assert (done.returncode, done.stdout) == (0, "0: 1 2 2 0")


@pytest.mark.parametrize(
    ("what", "subgroup", "processes", "who", "wrong"),
    [
        ("never", 0, 1, "rank 1 (node 1,0,0,0,0)", "has not been allocated, and the packet is a user's (MU-R12)"),
        ("never", 20, 4, "rank 5 (node 1,0,0,0,0, process 1)",
         "has not been allocated, and the packet is a user's (MU-R12); ranks of this node: 4 to 7"),
        ("never", 66, 4, "rank 4 (node 1,0,0,0,0, process 0)",
         "has not been allocated, and the packet is a user's (MU-R12); ranks of this node: 4 to 7"),
        ("disabled", 20, 4, "rank 5 (node 1,0,0,0,0, process 1)",
         "is allocated and not enabled (MU-R14); ranks of this node: 4 to 7"),
    ],
)  # fmt: skip
def test_a_packet_to_nobody_is_told_to_whom_it_went(
    what: str, subgroup: int, processes: int, who: str, wrong: str
) -> None:
    """The rank whose hardware thread has the subgroup, what is wrong with the FIFO, and all ranks of the node."""
    node = ["--machine", "bgq", "--shape", "2x1x1x1x1", "--ranks-per-node", str(processes)]
    done = toroid("run", *node, paths.guest_program("unit_calls", "bgq"), what, str(subgroup))
    assert done.returncode == 1
    sender = f"packet from node (0,0,0,0,0) (for reception FIFO {subgroup * 4}, 32 bytes)"
    fifo = f"reception FIFO 0 of subgroup {subgroup}"
    assert f"toroid: {who}: Messaging Unit, {sender}: {fifo} {wrong}\n" in done.stderr


@pytest.mark.parametrize("way", ["subgroup", "gea"])
@pytest.mark.parametrize("processes", ["4", "16"])
def test_interrupts_call_communication_threads(way: str, processes: str, tmp_path: Path) -> None:
    """Placed by attributes, of SCHED_COMM; with its arguments, on its hardware thread, once for each packet; each
    process has its own. Nothing depends on quantum or parking."""
    program = paths.guest_program("comm_thread", "bgq")
    seen = []
    for number, options in enumerate([[], ["--no-park"], ["--set", "core.quantum=97"]]):
        node = ["--machine", "bgq", "--shape", "1x1x1x1x1", "--ranks-per-node", processes, "--ranks", "3"]
        results = tmp_path / str(number)
        done = toroid("run", *node, *options, "--results", results, program, way)
        assert (done.returncode, done.stdout) == (0, 3 * "5 calls, 0 wrong\n"), done.stderr
        result = read_result(results)
        seen.append((result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("order", ["ABCDET", "TEDCBA", "CATBED", "file"])
def test_ranks_have_the_places_that_the_user_says(order: str, tmp_path: Path) -> None:
    """As the machine's kernel tells them: by letters, the last one fastest, or by a file, here of no order."""
    shape = {"A": 2, "B": 2, "C": 1, "D": 3, "E": 2, "T": 2}
    letters = "TEDCBA" if order == "file" else order
    places = [dict(zip(letters, at, strict=True)) for at in itertools.product(*(range(shape[d]) for d in letters))]
    if order == "file":
        places[0], places[5] = places[5], places[0]
        lines = [" ".join(str(place[d]) for d in "ABCDET") for place in places]
        (tmp_path / "places.txt").write_text("\n".join(lines), encoding="utf-8")
    node = ["--machine", "bgq", "--shape", "2x2x1x3x2", "--ranks-per-node", "2"]
    given = tmp_path / "places.txt" if order == "file" else order
    done = toroid("run", *node, "--map", given, paths.guest_program("kernel_answers", "bgq"), "ranks")
    assert done.returncode == 0, done.stderr
    # Dimension C has one node: the kernel names the first order of the alphabet that gives the same places.
    same = {"ABCDET": "ABCDET", "TEDCBA": "CTEDBA", "CATBED": "ACTBED", "file": ""}
    name = f"{same[order]}, file {int(order == 'file')}"
    expected = [" ".join(str(place[d]) for d in "ABCDET") for place in places]
    assert done.stdout.splitlines() == [name, *expected]


def test_an_order_of_ranks_has_each_letter_once() -> None:
    node = ["--machine", "bgq", "--shape", "1x1x1x1x1"]
    done = toroid("run", *node, "--map", "ABCDE", paths.guest_program("kernel_answers", "bgq"))
    assert done.returncode != 0
    assert "--map ABCDE: no file, and no order of ranks, which has each letter of ABCDET once" in done.stderr


def test_blocks_of_the_heap_lie_at_multiples_of_32_bytes(tmp_path: Path) -> None:
    """As vector loads want them: the machine's C library aligns all to that."""
    source = tmp_path / "heap.c"
    source.write_text(
        """
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
          unsigned wrong = 0;
          void* block[7];
          for (unsigned bytes = 1; bytes < 5000; bytes += 13) {
            block[0] = malloc(bytes), block[1] = calloc(bytes, 3), block[2] = realloc(NULL, bytes);
            block[3] = strdup("0123456789"), block[4] = realloc(malloc(24), bytes);
            if (posix_memalign(&block[5], 16, bytes) != 0 || posix_memalign(&block[6], 128, bytes) != 0) return 2;
            block[3] = realloc(block[3], 11 + bytes);
            for (unsigned i = 0; i < 7; ++i) wrong += (uintptr_t)block[i] % 32 != 0;
            for (unsigned i = 0; i < 3 * bytes; ++i) wrong += ((char*)block[1])[i] != 0;
            wrong += (uintptr_t)block[6] % 128 != 0 || strcmp(block[3], "0123456789") != 0;
            for (unsigned i = 0; i < 7; i += 2) free(block[i]);
            memset(block[1], 1, 3 * bytes), free(block[1]);
          }
          printf("%u wrong, %d %d\\n", wrong, calloc(1ul << 40, 1ul << 40) == NULL, posix_memalign(block, 3, 8));
          return 0;
        }
        """,
        encoding="utf-8",
    )
    program = tmp_path / "heap"
    assert toroid("cc", "--machine", "bgq", source, "-o", program).returncode == 0
    done = toroid("run", "--machine", "bgq", "--shape", "1x1x1x1x1", program)
    assert (done.returncode, done.stdout) == (0, "0 wrong, 1 22\n"), done.stderr
