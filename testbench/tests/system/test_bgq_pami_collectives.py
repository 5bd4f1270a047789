# SPDX-License-Identifier: Apache-2.0
"""PAMI's collective operations on Blue Gene/Q: by messages and by the network, against plain arithmetic."""

from __future__ import annotations

import pytest
from helpers import toroid

from toroid import paths

# Types with operations that have a meaning for them, and those that the network's unit has as well: sum, minimum and
# maximum of integers of 4 and 8 bytes and of doubles, bits of all integers.
ALL = 144
NETWORK = 51
BY_MESSAGES = [
    "barrier I0:Dissemination:P2P:P2P 3",
    "broadcast I0:Binomial:P2P:P2P 9",
    "broadcast I0:ScatterAllgather:P2P:P2P 9",
    f"allreduce I0:RecursiveDoubling:P2P:P2P {ALL}",
    f"allreduce I0:Ring:P2P:P2P {ALL}",
    f"reduce I0:Binomial:P2P:P2P {ALL}",
]
BY_NETWORK = [
    "barrier I0:MultiSync2Device:SHMEM:GI 3",
    "broadcast I0:MultiCast2Device:SHMEM:MU 9",
    f"allreduce I0:MultiCombine2Device:SHMEM:MU {NETWORK}",
    f"reduce I0:MultiCombine2Device:SHMEM:MU {NETWORK}",
]


def test_all_tasks_measure_every_algorithm_of_barriers_and_sums() -> None:
    """Sums are checked by the program itself. A barrier takes at least the way to a neighbour and back."""
    done = toroid("run", "--machine", "bgq", "--shape", "2x2x1x1x1", paths.guest_program("pami_world", "bgq"), "4")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [dict(word.split("=") for word in line.split()[1:]) for line in done.stdout.splitlines()]
    of_world = [line.split()[:2] for line in BY_NETWORK + BY_MESSAGES if line.split()[0] in ("barrier", "allreduce")]
    assert sorted([line["operation"], line["by"]] for line in lines) == sorted(of_world)
    assert {(line["tasks"], line["rounds"]) for line in lines} == {("4", "4")}
    assert all(float(line["cycles"]) > 2 * 58 for line in lines)  # 36 ns a hop each way


@pytest.mark.parametrize(
    ("shape", "processes", "ranks", "which"),
    [
        ("2x1x1x1x1", 1, 2, "all"),
        ("2x2x2x1x1", 1, 8, "all"),
        ("3x1x1x1x1", 2, 6, "all"),
        ("3x1x1x1x1", 2, 5, "network"),  # a node has one task, the others have two
        ("2x1x1x1x1", 16, 32, "network"),
    ],
)
def test_each_algorithm_gives_what_plain_arithmetic_gives(shape: str, processes: int, ranks: int, which: str) -> None:
    program = paths.guest_program("pami_collectives", "bgq")
    job = ["--shape", shape, "--ranks-per-node", str(processes), "--ranks", str(ranks)]
    done = toroid("run", "--machine", "bgq", *job, program, which)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = BY_NETWORK + (BY_MESSAGES if which == "all" else [])
    assert sorted(done.stdout.splitlines()) == sorted(expected)
