# SPDX-License-Identifier: Apache-2.0
"""The programs of testbench/tests/mpi, which check MPI's semantics themselves, compiled and run as a person does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths

SOURCES = sorted((paths.ROOT / "testbench" / "tests" / "mpi").glob("*.c"))
MACHINES = {
    "one": ["--shape", "1x1x1"],
    "odd": ["--shape", "3x1x1"],
    "torus": ["--shape", "4x2x1"],
    "vn": ["--shape", "3x2x1", "--mode", "vn"],
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What has been compiled so far, by name."""
    return {"": tmp_path_factory.mktemp("mpi")}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_semantics(programs: dict[str, Path], tmp_path: Path, source: Path, machine: str) -> None:
    if source.stem not in programs:
        programs[source.stem] = compiled(source, programs[""], "mpicc")
    done = toroid("run", "--results", tmp_path, "--directory", tmp_path, *MACHINES[machine], programs[source.stem])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok" in done.stdout
