# SPDX-License-Identifier: Apache-2.0
"""Shapes and mapping files: what they mean, and each mistake with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from toroid.errors import FileError, UserError
from toroid.mapping import load_mapping
from toroid.shape import Shape, parse_shape

CUBE = parse_shape("2x2x2", 3)
CUBE_LINES = [f"{x} {y} {z} 0" for z in range(2) for y in range(2) for x in range(2)]


def test_shape() -> None:
    shape = parse_shape("8x4X2", 3, mesh="xZ")
    assert shape == Shape((8, 4, 2), (False, True, False))
    assert shape.nodes == 64
    assert str(shape) == "8x4x2"


def test_five_dimensions() -> None:
    assert parse_shape("4x4x4x4x2", 5, mesh="E").wrap == (True, True, True, True, False)


@pytest.mark.parametrize(
    ("text", "dimensions", "mesh", "expected"),
    [
        ("4x4", 3, "", "2 dimensions given, this machine has 3; for example 4x4x4"),
        ("4x4x4x4", 3, "", "4 dimensions given, this machine has 3"),
        ("4x0x4", 3, "", "0 nodes along Y, expected 1 to 255"),
        ("256x1x1", 3, "", "256 nodes along X, expected 1 to 255"),
        ("255x255x255", 3, "", "16581375 nodes, expected 65536 at most"),
        ("4x-4x4", 3, "", "expected numbers joined by x"),
        ("4,4,4", 3, "", "expected numbers joined by x"),
        ("", 3, "", "expected numbers joined by x"),
        ("4x4x4", 3, "W", "no dimension W, expected letters of XYZ"),
    ],
)
def test_impossible_shape(text: str, dimensions: int, mesh: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_shape(text, dimensions, mesh)
    assert expected in str(caught.value)


def test_distance_goes_the_short_way_round_a_ring() -> None:
    assert parse_shape("8x4x2", 3).distance((0, 0, 0), (7, 2, 1)) == 1 + 2 + 1
    assert parse_shape("8x4x2", 3, mesh="X").distance((0, 0, 0), (7, 2, 1)) == 7 + 2 + 1


def test_links() -> None:
    assert parse_shape("4x4x2", 3).links == 32 * 6
    assert parse_shape("4x4x1", 3).links == 16 * 4
    assert parse_shape("4x1x1", 3, mesh="X").links == 6


def write(directory: Path, lines: list[str]) -> Path:
    path = directory / "map.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_mapping(tmp_path: Path) -> None:
    path = write(tmp_path, ["# backwards", "", *(f"{line}  # a comment" for line in reversed(CUBE_LINES))])
    mapping = load_mapping(path, CUBE, 8)
    assert mapping[0] == [1, 1, 1, 0]
    assert mapping[7] == [0, 0, 0, 0]


def test_fewer_ranks_than_lines(tmp_path: Path) -> None:
    assert load_mapping(write(tmp_path, CUBE_LINES), CUBE, 3) == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize(
    ("index", "line", "where", "expected"),
    [
        pytest.param(2, "0 0 0 0", "3:1", "rank 2: node 0 0 0 0 already has a rank, from line 1", id="duplicate"),
        pytest.param(3, "1 1 0", "4:1", "3 numbers, expected 4: x y z t", id="missing coordinate"),
        pytest.param(3, "1 1 0 0 0", "4:1", "5 numbers, expected 4: x y z t", id="coordinate too many"),
        pytest.param(3, "1 2 0 0", "4:3", "y is 2, expected 0 to 1 on a machine of shape 2x2x2", id="out of range"),
        pytest.param(3, "  1 -1 0 0", "4:5", "y is -1, expected 0 to 1", id="negative"),
        pytest.param(3, "1 1 zero 0", "4:5", "z is zero, expected 0 to 1", id="no number"),
        pytest.param(3, "1 1 0 1", "4:7", "t is 1, expected 0 (one process runs on a node)", id="second processor"),
    ],
)
def test_mistake_in_a_line(tmp_path: Path, index: int, line: str, where: str, expected: str) -> None:
    lines = list(CUBE_LINES)
    lines[index] = line
    path = write(tmp_path, lines)
    with pytest.raises(FileError) as caught:
        load_mapping(path, CUBE, 8)
    assert str(caught.value).startswith(f"{path}:{where}: ")
    assert expected in str(caught.value)


def test_rank_without_a_line(tmp_path: Path) -> None:
    path = write(tmp_path, [line for line in CUBE_LINES if line != "0 1 0 0"])
    with pytest.raises(FileError) as caught:
        load_mapping(path, CUBE, 8)
    assert str(caught.value).startswith(f"{path}:7:1: rank 7 has no line: 7 ranks mapped, 8 take part")
    assert "a free node is 0 1 0 0" in str(caught.value)


def test_more_lines_than_nodes(tmp_path: Path) -> None:
    path = write(tmp_path, [*CUBE_LINES, "0 0 1 0"])
    with pytest.raises(FileError, match=r":9:1: rank 8: node 0 0 1 0 already has a rank, from line 5"):
        load_mapping(path, CUBE, 8)


def test_no_mapping_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read as a mapping file"):
        load_mapping(tmp_path / "none.txt", CUBE, 8)
