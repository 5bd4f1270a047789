# SPDX-License-Identifier: Apache-2.0
"""Collective operations on every machine from one node up to 4x4x4, each dimension a ring or a line, in both modes:
all with --long, some always."""

from __future__ import annotations

import itertools
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from double_sums import check_sums
from helpers import toroid

from toroid import paths

LARGEST = 4  # nodes along a dimension
# Nothing, one byte, odd ones; a packet of 240 bytes and of 256 on the tree, one byte more, several; the last ones by
# rendezvous.
TORUS_SIZES = [0, 1, 241, 17, 240, 999, 2001]
TREE_SIZES = [0, 1, 8, 255, 256, 257, 1001, 2600]


@dataclass(frozen=True)
class Machine:
    extents: tuple[int, ...]
    mesh: str  # letters of the dimensions that are lines
    mode: str

    def __str__(self) -> str:
        return "x".join(map(str, self.extents)) + (f"-mesh{self.mesh}" if self.mesh else "") + f"-{self.mode}"

    @property
    def ranks(self) -> int:
        x, y, z = self.extents
        return x * y * z * (2 if self.mode == "vn" else 1)

    @property
    def options(self) -> list[str]:
        return ["--shape", "x".join(map(str, self.extents)), "--mesh", self.mesh, "--mode", self.mode]

    @property
    def seed(self) -> int:
        return zlib.crc32(str(self).encode()) % 1_000_000


def machines() -> list[Machine]:
    """A dimension of one node is neither ring nor line."""
    found = []
    for extents in itertools.product(range(1, LARGEST + 1), repeat=3):
        longer = [name for name, extent in zip("XYZ", extents, strict=True) if extent > 1]
        for count in range(len(longer) + 1):
            found += [
                Machine(extents, "".join(mesh), mode)
                for mesh in itertools.combinations(longer, count)
                for mode in ("co", "vn")
            ]
    return found


MACHINES = machines()
# The tree has one form for a shape, whatever its links to the sides.
RINGS = [machine for machine in MACHINES if not machine.mesh]


def some(among: list[Machine]) -> list[object]:
    """A few small ones for every run of the tests, spread over all; the others are long."""
    small = [machine for machine in among if machine.ranks <= 18]
    always = set(small[:: max(1, len(small) // 12)])
    return [pytest.param(m, id=str(m), marks=() if m in always else pytest.mark.long) for m in among]


def run(machine: Machine, directory: Path, program: str, *arguments: str) -> str:
    done = toroid(
        "run", "--results", directory, *machine.options, paths.guest_program(program), *arguments, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_all() -> None:
    assert len({machine.extents for machine in MACHINES}) == 64
    # 1 and 2, 3, 4 as rings and as lines.
    assert len(MACHINES) == 2 * 7**3 == len(set(map(str, MACHINES)))


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("machine", some(MACHINES))
def test_over_the_torus(machine: Machine, tmp_path: Path) -> None:
    # What all send to all takes the host as long as they are squared.
    sizes = TORUS_SIZES if machine.ranks <= 16 else TORUS_SIZES[:5] if machine.ranks <= 48 else TORUS_SIZES[:3]
    out = run(
        machine, tmp_path, "collectives", "--check-sizes", ",".join(map(str, sizes)),
        "--rounds", "2", "--max-size", "6000", "--seed", str(machine.seed),
    )  # fmt: skip
    # Each of 9 with every size and two random ones; 3 broadcasts of 10 to 20 KB from 3 roots.
    assert out == f"collectives ranks={machine.ranks} checked={9 * (len(sizes) + 2) + 9}\n"


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("machine", some(RINGS))
def test_over_the_tree(machine: Machine, tmp_path: Path) -> None:
    out = run(
        machine, tmp_path, "tree", "--check-sizes", ",".join(map(str, TREE_SIZES)),
        "--rounds", "4", "--max-size", "6000", "--seed", str(machine.seed),
    )  # fmt: skip
    assert out == f"tree ranks={machine.ranks} checked={3 * (len(TREE_SIZES) + 4)}\n"
    for operation in ("sum-two-pass", "sum-wide"):
        check_sums(tmp_path, operation, 2, machine.ranks, *machine.options, count=40)


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("machine", some(RINGS))
def test_barriers(machine: Machine, tmp_path: Path) -> None:
    for over in ("global-interrupts", "messages"):
        out = run(machine, tmp_path, "barrier", "--over", over, "--rounds", "8")
        assert f"barrier ranks={machine.ranks} over={over}" in out
        assert out.endswith("early=0\n")
