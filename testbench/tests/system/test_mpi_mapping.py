# SPDX-License-Identifier: Apache-2.0
"""Cartesian communicators that fit the torus: neighbours of a reordered grid are neighbours in the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import compiled, toroid

from toroid import paths


@pytest.fixture(scope="module")
def cartesian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = paths.ROOT / "testbench" / "tests" / "mpi" / "cartesian.c"
    return compiled(source, tmp_path_factory.mktemp("cartesian"), "mpicc")


@pytest.mark.parametrize(
    ("shape", "mode", "grid"),
    [
        ("4x2x2", "co", "4x4"),
        ("4x2x2", "co", "16"),
        ("4x3x2", "co", "6x4"),
        ("4x2x1", "vn", "4x4"),
    ],
)
def test_neighbours_are_one_hop_apart(cartesian: Path, tmp_path: Path, shape: str, mode: str, grid: str) -> None:
    done = toroid("run", "--shape", shape, "--mode", mode, "--results", tmp_path, cartesian, *grid.split("x"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "at most 1\n" in done.stdout
