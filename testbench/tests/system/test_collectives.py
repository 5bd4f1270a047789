# SPDX-License-Identifier: Apache-2.0
"""Collective operations of the message layer: random data against a plain reference, on every kind of shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import Arguments, check_snippets, toroid

from toroid import paths

COLLECTIVES = paths.guest_program("collectives")
# From one node up; rings, meshes and both mixed; sizes that are no powers of two.
SHAPES: list[Arguments] = [
    ["1x1x1"], ["2x1x1"], ["3x1x1", "--mesh", "X"], ["5x1x1"], ["3x2x1"], ["4x4x1", "--mesh", "XY"],
    ["3x3x2", "--mesh", "Y"], ["2x3x4", "--mesh", "Z"],
]  # fmt: skip
LARGE_SHAPES: list[Arguments] = [["5x3x3"], ["4x4x4"], ["4x4x4", "--mesh", "XYZ"]]
both_modes = pytest.mark.parametrize("mode", ["co", "vn"])


def by_shape(shape: Arguments) -> str:
    return "-".join(map(str, shape))


def checked(*arguments: str, machine: Arguments) -> int:
    """How many operations went well."""
    done = toroid("run", *machine, COLLECTIVES, *arguments, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"checked=(\d+)", done.stdout)
    assert found is not None
    return int(found[1])


@both_modes
@pytest.mark.parametrize("shape", SHAPES, ids=by_shape)
def test_all_operations(shape: Arguments, mode: str) -> None:
    assert checked("--rounds", "5", machine=["--shape", *shape, "--mode", mode]) >= 5


@pytest.mark.parametrize("shape", LARGE_SHAPES, ids=by_shape)
def test_once_on_a_larger_machine(shape: Arguments) -> None:
    assert checked("--rounds", "1", machine=["--shape", *shape]) >= 1


@pytest.mark.long
@both_modes
@pytest.mark.parametrize("shape", LARGE_SHAPES, ids=by_shape)
def test_all_operations_on_a_larger_machine(shape: Arguments, mode: str) -> None:
    assert checked("--rounds", "5", machine=["--shape", *shape, "--mode", mode]) >= 5


# Full packets that go straight to whole cache lines, and to quads that are none; a full one and part of another; less
# than one.
PACKET_SIZES = "224,448,2240,240,1360,225,200"


@both_modes
@pytest.mark.parametrize("order", ["random", "scheduled"])
@pytest.mark.parametrize(
    "shape", ["2x2x3", *(pytest.param(shape, marks=pytest.mark.long) for shape in ("3x3x2", "8x2x1"))]
)
def test_packets_straight_to_their_places(shape: str, order: str, mode: str) -> None:
    arguments = ("--operation", f"alltoall-{order}", "--sizes", PACKET_SIZES, "--rounds", "2")
    done = toroid("run", "--shape", shape, "--mode", mode, COLLECTIVES, *arguments, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall("operation=", done.stdout)) == len(PACKET_SIZES.split(","))


def test_slices_of_every_length() -> None:
    """Relayed messages whose last slice is short: a packet's, an eager message's, nearly whole."""
    sizes = "16385,17000,33000,49153,65636"
    machine: Arguments = ["--shape", "3x2x1"]
    for operation in ("broadcast-binomial", "broadcast-neighbours"):
        arguments = ("--operation", operation, "--rounds", "1", "--check-sizes", sizes)
        assert checked(*arguments, machine=machine) >= 1


def test_without_the_second_core() -> None:
    assert checked("--rounds", "5", "--second-core", "unused", machine=["--shape", "3x3x2"]) >= 5


@both_modes
def test_fewer_ranks_than_places(mode: str) -> None:
    """Lines then lead past nodes without a process."""
    assert checked("--rounds", "5", machine=["--shape", "3x3x2", "--ranks", "11", "--mode", mode]) >= 5


def test_any_map(tmp_path: Path) -> None:
    mapping = tmp_path / "map"
    places = [(x, y, z) for x in range(3) for z in range(2) for y in reversed(range(3))]
    mapping.write_text("".join(f"{x} {y} {z} 0\n" for x, y, z in places))
    assert checked("--rounds", "5", machine=["--shape", "3x3x2", "--map", mapping]) >= 5


def test_over_links_that_make_errors() -> None:
    assert checked("--rounds", "5", machine=["--shape", "3x3x2", "--set", "torus.bit_error_rate=1e-6"]) >= 5


def test_long_messages() -> None:
    assert checked("--rounds", "3", "--max-size", "300000", machine=["--shape", "4x4x1", "--mesh", "XY"]) >= 3


def test_unknown_operations_are_refused() -> None:
    done = toroid("run", "--shape", "2x1x1", COLLECTIVES, "--operation", "gossip")
    assert done.returncode == 2
    assert "--operation gossip" in done.stderr
    assert "broadcast-deposit" in done.stderr


# The guide's program. -------------------------------------------------------------------------------------------------

EXAMPLE = paths.guest_program("torus_collectives_example")


def test_the_guide_shows_compiled_code() -> None:
    assert check_snippets(paths.ROOT / "docs/guide/torus_collectives.md") == 4


@both_modes
@pytest.mark.parametrize("machine", [["1x1x1"], ["3x2x2"], ["4x4x1", "--mesh", "XY"], ["3x2x2", "--ranks", "5"]],
                         ids=" ".join)  # fmt: skip
def test_the_guide_s_program_sorts(machine: list[str], mode: str) -> None:
    done = toroid("run", "--shape", *machine, "--mode", mode, EXAMPLE)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = [int(count) for count in re.findall(r"rank \d+: (\d+) of \d+ numbers, all in order", done.stdout)]
    assert sum(counts) == 500 * len(counts)
    assert f" of {500 * len(counts)} numbers" in done.stdout
    if "--ranks" in machine:
        assert len(counts) == 5


def test_the_guide_s_program_keeps_the_caches_coherent() -> None:
    done = toroid("run", "--check-coherence", "--shape", "2x2x1", EXAMPLE, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
