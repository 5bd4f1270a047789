# SPDX-License-Identifier: Apache-2.0
"""The tree on real cores through its driver: what arrives is right on every shape, and what stops it is named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from double_sums import bits_of, check_sums, sums
from helpers import PROGRAMS, compiled, read_result, toroid

from toroid import paths


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "tree_packets.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("shape", ["1x1x1", "2x1x1", "3x3x1", "4x4x2", "5x4x4"])
@pytest.mark.parametrize("what", ["broadcast", "reduce"])
def test_packets_arrive_right(program: Path, tmp_path: Path, shape: str, what: str) -> None:
    done = toroid("run", "--results", tmp_path, "--shape", shape, program, what, "40")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{what}: good" in done.stdout
    result = read_result(tmp_path)
    ranks, tree = len(result["ranks"]), result["tree"]
    assert tree["packets_injected"] == 40 * (ranks if what == "reduce" else 1)
    assert tree["packets_delivered"] == 40 * (ranks if what == "reduce" else ranks - 1)


def test_fewer_ranks_than_nodes_and_link_errors_change_no_result(program: Path, tmp_path: Path) -> None:
    for extra in (["--ranks", "13"], ["--set", "tree.bit_error_rate=1e-4"]):
        done = toroid("run", "--results", tmp_path, "--shape", "4x4x2", *extra, program, "reduce", "40")
        assert done.returncode == 0, done.stdout + done.stderr
        tree = read_result(tmp_path)["tree"]
        assert (tree["damaged_frames"] > 0) == ("--set" in extra)
        assert tree["retransmissions"] >= tree["damaged_frames"]
        assert tree["nacks"] >= tree["damaged_frames"]
        assert ("tree frames damaged" in done.stderr) == ("--set" in extra)


@pytest.mark.parametrize("units", ["tree@all", "tree@io0"])
@pytest.mark.parametrize("extra", [[], ["--set", "tree.bit_error_rate=1e-4"]])
def test_routers_in_verilog_change_no_result(program: Path, tmp_path: Path, units: str, extra: list[str]) -> None:
    results = []
    for name, rtl in (("model", []), ("verilog", ["--rtl", units])):
        done = toroid("run", "--results", tmp_path / name, "--shape", "3x3x1", *rtl, *extra, program, "reduce", "20")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "reduce: good" in done.stdout
        results.append(read_result(tmp_path / name))
    model, verilog = results
    rtl_report = verilog["rtl"]
    assert isinstance(rtl_report, dict)
    assert rtl_report["changed_bytes"] == 0
    assert len(rtl_report["units"]) == (10 if units == "tree@all" else 1)
    assert all(unit["clock_cycles"] > 0 for unit in rtl_report["units"])
    if not extra:
        assert verilog["tree"] == model["tree"]
    assert verilog["tree"]["packets_delivered"] == model["tree"]["packets_delivered"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing", "5"], "tree node 5, class 0 on VC0: its processor has injected nothing"),
        (["mismatch", "7"], "one of class 0 with another opcode or operand size"),
        (["unread", "9"], "tree node 9, class 1 on VC0: the reception FIFO is full and its processor does not read it"),
    ],
)
def test_what_stops_the_tree_is_named(program: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    done = toroid("run", "--results", tmp_path, program, *arguments)
    assert done.returncode == 1, done.stderr
    assert says in done.stderr
    result = read_result(tmp_path)
    assert result["ended"] == "stuck"
    # Within the watchdog's time, and what little went before it.
    assert result["simulated_ns"] < 5_715_000 + 1_000_000


@pytest.mark.parametrize(
    ("what", "says"),
    [("read_empty", "read of the empty tree header"), ("write_full", "write to the full tree payload")],
)
def test_misuse_is_a_fault(program: Path, tmp_path: Path, what: str, says: str) -> None:
    done = toroid("run", "--results", tmp_path, program, what, "3")
    assert done.returncode == 1
    assert says in done.stderr
    assert "rank 3 (node 3,0,0)" in done.stderr


# The message layer over the tree. ----------------------------------------------------------------------

TREE = paths.guest_program("tree")
SHAPES = ["1x1x1", "2x1x1", "3x1x1", "5x3x1", "3x3x2", "4x4x4"]


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("shape", SHAPES)
def test_operations_against_a_plain_reference(shape: str, mode: str) -> None:
    """Random operations, elements, roots, sizes and alignments; the program works out what must come."""
    done = toroid("run", "--shape", shape, "--mode", mode, TREE, "--rounds", "6", "--max-size", "6000", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "checked=18" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("--max-ranks", "5")])
def test_every_element_and_reduction(arguments: tuple[str, ...]) -> None:
    """So many rounds that each is drawn, doubles' with what is special among them; over the tree and by messages."""
    done = toroid("run", "--shape", "3x2x1", TREE, "--rounds", "80", "--max-size", "1600", *arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "checked=240" in done.stdout


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_fewer_ranks_than_places(mode: str) -> None:
    done = toroid("run", "--shape", "3x3x2", "--ranks", "11", "--mode", mode, TREE, "--max-size", "6000")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("ranks", [1, 2, 6, 13])
def test_messages_do_what_the_tree_cannot(tmp_path: Path, ranks: int, mode: str) -> None:
    """Processes of the job take no part in the layer: the same operations, but no packet on the tree."""
    done = toroid("run", "--results", tmp_path, "--shape", "3x3x2", "--mode", mode, TREE, "--max-ranks", str(ranks),
                  "--rounds", "6", "--max-size", "6000")  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"ranks={ranks} checked=18" in done.stdout
    assert read_result(tmp_path)["tree"]["packets_injected"] == 0


MESSAGES = ("--max-ranks", "12")  # of a job with more


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("operation", ["sum-two-pass", "sum-wide", "sum-to-root"])
def test_sums_of_doubles_are_those_of_exact_arithmetic(tmp_path: Path, operation: str, kind: int) -> None:
    root = ("--root", "7") if operation == "sum-to-root" else ()
    found = check_sums(tmp_path, operation, kind, 12, "--shape", "3x2x2", arguments=root)
    if kind == 2:
        assert any(math.isnan(v) for v in found) and any(math.isinf(v) for v in found)


def test_sums_that_lie_halfway_are_rounded_to_even_only_where_nothing_follows(tmp_path: Path) -> None:
    """Halfway as far as a double and a word more can tell: one sum in 2048."""
    check_sums(tmp_path, "sum-two-pass", 0, 2, "--shape", "2x1x1", count=8000)


@pytest.mark.parametrize("operation", ["sum-two-pass", "sum-wide"])
def test_sums_have_the_same_bits_on_every_tree_and_in_any_order(tmp_path: Path, operation: str) -> None:
    mapping = tmp_path / "map"
    mapping.write_text("".join(f"{x} {y} {z} 0\n" for x in reversed(range(3)) for z in range(2) for y in range(2)))
    machines = [
        ["--shape", "3x2x2"], ["--shape", "12x1x1"], ["--shape", "3x2x2", "--map", str(mapping)],
        ["--shape", "3x2x2", "--set", "tree.nodes_per_io_node=3"], ["--shape", "3x2x1", "--mode", "vn"],
        ["--shape", "4x4x4", "--ranks", "12"],
    ]  # fmt: skip
    found = [[bits_of(v) for v in sums(tmp_path, operation, 2, *machine)] for machine in machines]
    found.append([bits_of(v) for v in sums(tmp_path, operation, 2, "--shape", "4x4x1", arguments=MESSAGES)])
    assert all(other == found[0] for other in found[1:])


WRONG = r"""
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/tree.h"

static uint32_t word, counts[2], offsets[2];
static const char* what;

// One call of an operation: before the layer is initialised, or in a callback.
static void call(void* context) {
  (void)context;
  if (strstr(what, "barrier")) bglml_barrier();
  if (strstr(what, "tree-broadcast")) bglml_tree_broadcast(&word, sizeof word, 0);
  if (strstr(what, "allreduce")) bglml_tree_allreduce(&word, &word, 1, BGLML_INT32, BGLML_SUM);
  if (strstr(what, "tree-reduce")) bglml_tree_reduce(&word, &word, 1, BGLML_INT32, BGLML_SUM, 0);
  if (strstr(what, "sum-double")) bglml_tree_sum_double(NULL, NULL, 0, BGLML_DOUBLE_WIDE);
  if (strstr(what, "torus-broadcast")) bglml_broadcast(&word, sizeof word, 0, BGLML_BROADCAST_BINOMIAL);
  if (strstr(what, "alltoall-")) bglml_alltoall(&word, &word, 4, BGLML_ALLTOALL_RANDOM, NULL);
  if (strstr(what, "alltoallv")) bglml_alltoallv(&word, counts, offsets, &word, counts, offsets, NULL);
  if (strstr(what, "allgatherv")) bglml_allgatherv(&word, &word, counts, offsets, NULL);
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "";
  if (strncmp(what, "before-", 7) == 0) call(NULL);
  bglml_init(NULL);
  if (strcmp(what, "nowhere") == 0) bglml_tree_allreduce(&word, NULL, 1, BGLML_INT32, BGLML_SUM);
  if (strcmp(what, "nowhere-root") == 0) bglml_tree_reduce(&word, NULL, 1, BGLML_INT32, BGLML_SUM, bglml_rank());
  if (strcmp(what, "nowhere-doubles") == 0) bglml_tree_sum_double((double[]){1}, NULL, 1, BGLML_DOUBLE_WIDE);
  if (strcmp(what, "nothing") == 0) {  // this is right
    bglml_tree_allreduce(NULL, NULL, 0, BGLML_INT32, BGLML_SUM);
    bglml_tree_sum_double(NULL, NULL, 0, BGLML_DOUBLE_TWO_PASS);
    bglml_tree_reduce(&word, bglml_rank() == 1 ? &word : NULL, 1, BGLML_INT32, BGLML_SUM, 1);
    return 0;
  }
  if (strcmp(what, "reduce") == 0) bglml_tree_allreduce(&word, &word, 0x40000000, BGLML_UINT32, BGLML_SUM);
  if (strcmp(what, "broadcast") == 0) bglml_tree_broadcast(&word, 0xFFFFFFFF, 0);
  if (strcmp(what, "doubles") == 0) bglml_tree_allreduce(&word, &word, 0, BGLML_DOUBLE, BGLML_XOR);
  if (strcmp(what, "root") == 0) bglml_tree_reduce(&word, &word, 1, BGLML_INT32, BGLML_SUM, 2);
  if (strcmp(what, "sum") == 0) bglml_tree_sum_double(NULL, NULL, 0x20000000, BGLML_DOUBLE_WIDE);
  const bglml_port_t port = bglml_one_packet_register(NULL, NULL);
  bglml_one_packet_t message;
  bglml_one_packet_init(&message, port, 1 - bglml_rank(), 0, NULL, 0, call, NULL);
  bglml_one_packet_post(&message);
  for (;;) bglml_advance();
}
"""


FUNCTIONS = {
    "barrier": "bglml_barrier()",
    "tree-broadcast": "bglml_tree_broadcast()",
    "allreduce": "bglml_tree_allreduce()",
    "tree-reduce": "bglml_tree_reduce()",
    "sum-double": "bglml_tree_sum_double()",
    "torus-broadcast": "bglml_broadcast()",
    "alltoall-by-packets": "bglml_alltoall()",
    "alltoallv": "bglml_alltoallv()",
    "allgatherv": "bglml_allgatherv()",
}
NOWHERE = "called with nowhere to put its result: out is NULL"


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("reduce", "allreduce of 4294967296 bytes over the tree; at most 2147483647"),
        ("doubles", "reduction 5 of doubles; there are their sum (0), maximum (1) and minimum (2)"),
        ("root", "reduction to rank 2; the job has ranks 0..1"),
        ("broadcast", "broadcast of 4294967295 bytes over the tree; at most 2147483647"),
        ("sum", "sum of doubles of 4294967296 bytes over the tree"),
        ("nowhere", f"bglml_tree_allreduce() {NOWHERE}"),
        ("nowhere-root", f"bglml_tree_reduce() {NOWHERE}"),
        ("nowhere-doubles", f"bglml_tree_sum_double() {NOWHERE}"),
        *((f"in-{name}", f"{function} called from a callback") for name, function in FUNCTIONS.items()),
        *(
            (f"before-{name}", f"message layer: {function} called before bglml_init()")
            for name, function in FUNCTIONS.items()
        ),
    ],
)
def test_wrong_use_of_collectives_is_refused(tmp_path: Path, what: str, says: str) -> None:
    source = tmp_path / "wrong.c"
    source.write_text(WRONG)
    done = toroid("run", "--results", tmp_path, "--shape", "2x1x1", compiled(source, tmp_path), what)
    assert done.returncode == 112
    assert says in done.stderr


def test_no_result_needs_no_place(tmp_path: Path) -> None:
    source = tmp_path / "right.c"
    source.write_text(WRONG)
    done = toroid("run", "--results", tmp_path, "--shape", "2x1x1", compiled(source, tmp_path), "nothing")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("setting", ["tree.fifo_packets=4", "tree.bit_error_rate=0.9", "tree.bit_error_rate=0.01"])
def test_trees_that_cannot_work_are_refused(tmp_path: Path, setting: str) -> None:
    done = toroid("run", "--results", tmp_path, "--set", setting, paths.guest_program("hello"))
    assert done.returncode == 2
    assert setting.partition("=")[0] in done.stderr
