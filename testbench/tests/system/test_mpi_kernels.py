# SPDX-License-Identifier: Apache-2.0
"""The programs that experiments and benchmarks measure: their results do not depend on the number of tasks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

ONE = ["--shape", "1x1x1"]
FOUR = [["--shape", "2x2x1"], ["--shape", "2x1x1", "--mode", "vn"]]
# A small size of each, and iterations.
KERNELS = {"bt": (8, 1), "cg": (512, 1), "ft": (16, 2), "is": (1 << 14, 2), "lu": (8, 2), "mg": (32, 2), "sp": (12, 2)}


def _found(machine: list[str], results: Path, program: str, *arguments: str) -> dict[str, float]:
    done = toroid("run", "--results", results, *machine, paths.guest_program(program), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: float(value) for name, value in re.findall(r"(\w+)=([-+.e\d]+)(?=\s)", done.stdout)}


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_like_nas(kernel: str, tmp_path: Path) -> None:
    size, iterations = KERNELS[kernel]
    arguments = ("--size", str(size), "--iterations", str(iterations))
    alone = _found(ONE, tmp_path, f"nas_{kernel}", *arguments)
    assert alone["tasks"] == 1
    assert alone["operations"] > 0
    for machine in FOUR:
        four = _found(machine, tmp_path, f"nas_{kernel}", *arguments)
        assert four["tasks"] == 4
        assert four["operations"] == alone["operations"]
        assert four["result"] == pytest.approx(alone["result"], rel=1e-9)


@pytest.mark.parametrize("kernel", ["cg", "ft", "lu", "mg", "sp"])
def test_sizes_that_do_not_fit_are_refused(kernel: str, tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, *FOUR[0], paths.guest_program(f"nas_{kernel}"), "--size", "9")
    assert done.returncode != 0
    assert "4 tasks; there must be" in done.stderr


def test_the_halo_exchange_keeps_the_heat(tmp_path: Path) -> None:
    one = _found(ONE, tmp_path, "mpi_halo", "8", "1")
    assert one["heat"] == pytest.approx(1000)
    for machine in [["--shape", "3x2x1"], ["--shape", "2x2x1", "--mode", "vn"]]:
        assert _found(machine, tmp_path, "mpi_halo", "5", "7")["heat"] == pytest.approx(1000)


@pytest.mark.parametrize("shape", ["1x1x1", "3x2x1", "4x2x1"])
def test_the_random_exchange_finds_every_byte(shape: str, tmp_path: Path) -> None:
    found = _found(["--shape", shape], tmp_path, "mpi_exchange", "20")
    assert found["messages"] == 20 * found["ranks"]
    assert found["wrong"] == 0
