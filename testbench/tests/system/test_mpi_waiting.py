# SPDX-License-Identifier: Apache-2.0
"""Ranks that wait in MPI are parked, so they cost no time of the host."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers import compiled, toroid

from toroid import paths
from toroid.trace import records
from toroid.trace.reader import read_trace

MACHINES = ("bgl", "bgp", "bgq")


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The program for each machine."""
    source = paths.ROOT / "testbench" / "tests" / "mpi" / "passive" / "waiting.c"
    return {
        machine: compiled(source, tmp_path_factory.mktemp(machine), "mpicc", ["--machine", machine])
        for machine in MACHINES
    }


@pytest.mark.parametrize("how", ["barrier", "receive"])
@pytest.mark.parametrize(
    ("machine", "job"),
    [
        ("bgl", ["2x2x1"]),
        ("bgp", ["2x2x1"]),
        ("bgp", ["2x1x1", "--mode", "dual"]),
        ("bgp", ["2x1x1", "--mode", "vn"]),
        ("bgq", ["2x2x1x1x1"]),
        ("bgq", ["2x1x1x1x1", "--ranks-per-node", "4"]),
    ],
    ids=str,
)
def test_ranks_that_wait_are_parked(
    waiting: dict[str, Path], tmp_path: Path, machine: str, job: list[str], how: str
) -> None:
    done = toroid(
        "run", "--machine", machine, "--results", tmp_path, "--trace", tmp_path / "trace", "--shape", *job,
        waiting[machine], how,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    trace = read_trace(tmp_path / "trace")
    waits = trace["waits"][trace["waits"]["state"] == records.PARKED]
    for rank in range(1, len(trace.metadata.ranks)):
        parked = waits[waits["rank"] == rank]
        # Of the five milliseconds, in picoseconds.
        assert int(np.sum(parked["end"] - parked["time"])) > 4.8e9, rank
