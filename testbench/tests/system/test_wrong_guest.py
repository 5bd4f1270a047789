# SPDX-License-Identifier: Apache-2.0
"""Programs that use Blue Gene/P's DMA and kernel wrongly end in some way of their own, and never the simulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import paths

CASES = 500
SEEDS = [*range(1, 5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 400))]
# Which FIFO or counter, where the descriptor or packet is, and which rule.
RULE = re.compile(r"rank \d+ \(node .*\): DMA .*(FIFO|counter|packet).*\(DMA-[A-Z]+\d+\)")


@pytest.mark.parametrize("mode", ["smp", "vn"])
@pytest.mark.parametrize("seed", SEEDS)
def test_wrong_guests(seed: int, mode: str, tmp_path: Path) -> None:
    limits = ["--mode", mode, "--shape", "2x1x1", "--timeout", "20ms", "--results", str(tmp_path / "results")]
    program = paths.guest_program("wrong_guest", "bgp")
    done = toroid("run", "--machine", "bgp", *limits, program, str(seed), str(CASES), cwd=tmp_path)
    assert done.returncode >= 0, done.stderr
    assert "runtime error" not in done.stderr
    assert "AddressSanitizer" not in done.stderr
    result = read_result(tmp_path / "results")
    assert result["ended"] in ("completed", "fault", "timeout", "deadlock"), (result["error"], done.stderr)
    assert "begins" in done.stdout
    if "DMA-" in (result["error"] or ""):
        assert RULE.search(result["error"]), result["error"]


OSPRI = r"A1_{}\(\) is called before A1_Initialize\(\) or after A1_Finalize\(\)"
DCMF = r"DCMF_{}\(\) is called before DCMF_Messager_initialize\(\) or after the last DCMF_Messager_finalize\(\)"
SAME = "all processes must start the same operations in the same order, with the same sizes and roots"
REDUCTION = r"operation 0 of all processes, a reduction \(DCMF_{}\) of {} bytes over the collective network"


def wrong_calls(directory: Path, *arguments: str, status: int = 1) -> str:
    """Its errors: a line for each rank that is at fault or waits, and a status that is not zero."""
    program = paths.guest_program("wrong_calls", "bgp")
    limits = ["--shape", "2x2x1", "--timeout", "20ms", "--results", str(directory)]
    done = toroid("run", "--machine", "bgp", *limits, program, *arguments, cwd=directory)
    assert done.returncode == status, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("a1 put", r"rank 0 .*, called by .*A1_Put .*main \(wrong_calls\.c:\d+\): " + OSPRI.format("Put")),
        ("a1 handle", OSPRI.format("Allocate_handle")),
        ("a1 barrier", OSPRI.format("Barrier_group")),
        ("a1 barrier after", OSPRI.format("Barrier_group")),
        ("a1 put after", r"rank \d .*, called by .*A1_Put .*main \(wrong_calls\.c:\d+\): " + OSPRI.format("Put")),
        ("a1 handle after", OSPRI.format("Allocate_handle")),
        ("armci put", r"process 0: ARMCI_Put is called before ARMCI_Init\(\) or after ARMCI_Finalize\(\)"),
        ("armci put after", r"process 3: ARMCI_Put is called before ARMCI_Init\(\) or after ARMCI_Finalize\(\)"),
        (
            "send unregistered",
            "DCMF: rank 1: rank 0 sent a message by a protocol that it has not registered; DCMF_Send_reg",
        ),
        (
            "control unregistered",
            "DCMF: rank 1: rank 0 sent a message by a protocol that it has not registered; DCMF_Send_",
        ),
        (
            "again",
            r"DCMF: rank 2: DCMF_Messager_initialize\(\) is called after the last DCMF_Messager_finalize\(\); a proc",
        ),
        ("send after", r"DCMF is called before DCMF_Messager_initialize\(\) or after the last"),
        ("barrier", DCMF.format("GlobalBarrier")),
        ("barrier after", DCMF.format("GlobalBarrier")),
        (
            "advance after",
            r"DCMF: rank \d: DCMF_Messager_advance\(\) has been called 100000 times after the last DCMF_Messager_final",
        ),
    ],
)
def test_calls_out_of_turn_are_named(what: str, says: str, tmp_path: Path) -> None:
    errors = wrong_calls(tmp_path, what)
    assert re.search(says, errors), errors


@pytest.mark.parametrize(
    ("started", "says"),
    [
        # Rank 0 against the others, over the networks.
        ("barrier reduce:sum:4", ["a barrier over the global interrupts", REDUCTION.format("SUM", 16)]),
        ("reduce:sum:4 bcast:0:16", [REDUCTION.format("SUM", 16), "a broadcast of 16 bytes from place 0"]),
        ("reduce:sum:4 reduce:max:4", [REDUCTION.format("SUM", 16), REDUCTION.format("MAX", 16)]),
        (
            "reduce:sum:4 reduce:sum:5",
            ["DCMF_SUM of 4 DCMF_SIGNED_INT, to all", "but a.* DCMF_SUM of 5 DCMF_SIG", SAME],
        ),
        (
            "bcast:0:8 bcast:0:16",
            ["a broadcast of 16 bytes from rank 0 here, but a broadcast of 8 bytes from rank 0", SAME],
        ),
        (
            "bcast:0:8 bcast:1:8",
            ["a packet of a broadcast .*, like the last one here but for its root, has come", SAME],
        ),
        # The same by messages.
        (
            "mbarrier mreduce:sum:4",
            ["operation 0 of a geometry by messages, a barrier", "a reduction of 16 bytes to all"],
        ),
        ("mreduce:sum:4 mbcast:0:16", ["a reduction of 16 bytes to all", "a broadcast of 16 bytes from place 0"]),
        (
            "mreduce:sum:4 mreduce:sum:5",
            ["0 of geometry 7 is .* of 4 DCMF_.* but another one at rank 1, which sent 20", SAME],
        ),
        (
            "mreduce:sum:4 mreduce:sum:3",
            ["0 of geometry 7 is .* of 3 DCMF_.* but another one at rank 0, which sent 16", SAME],
        ),
        (
            "mbcast:0:8 mbcast:0:16",
            ["a broadcast of 16 bytes from rank 0 here, but another one at rank 0, which sent 8", SAME],
        ),
        (
            "mbcast:0:8 mbcast:1:8",
            [r"finalize: rank \d sent 8 bytes of operation 0 of geometry 7 that no operation took", SAME],
        ),
    ],
)
def test_collective_operations_that_do_not_match_are_named_on_both_sides(
    started: str, says: list[str], tmp_path: Path
) -> None:
    errors = wrong_calls(tmp_path, "collective", *started.split())
    for each in says:
        assert re.search(each, errors), errors
