# SPDX-License-Identifier: Apache-2.0
"""Shapes: what they mean, and what is impossible."""

from __future__ import annotations

import pytest

from toroid.errors import UserError
from toroid.shape import Shape, parse_shape


def test_shape() -> None:
    shape = parse_shape("8x4X2", "XYZ", mesh="xZ")
    assert shape == Shape((8, 4, 2), (False, True, False))
    assert shape.nodes == 64
    assert str(shape) == "8x4x2"


def test_a_fifth_dimension_has_two_nodes_for_programs() -> None:
    assert str(parse_shape("2x1x1x1x1", "ABCDE").with_room_for(128)) == "4x4x2x2x2"
    assert str(parse_shape("1x1x1x1x2", "ABCDE").with_room_for(600)) == "8x4x4x4x2"
    assert parse_shape("64x1x1x1x1", "ABCDE").with_room_for(65537) is None
    assert parse_shape("1x1x1x1x3", "ABCDE").with_room_for(6) is None


def test_five_dimensions() -> None:
    assert parse_shape("4x4x4x4x2", "ABCDE", mesh="E").wrap == (True, True, True, True, False)


@pytest.mark.parametrize(
    ("text", "dimensions", "mesh", "expected"),
    [
        ("4x4", "XYZ", "", "2 dimensions given, this machine has 3; for example 4x4x4"),
        ("4x4x4x4", "XYZ", "", "4 dimensions given, this machine has 3"),
        ("4x0x4", "XYZ", "", "0 nodes along Y, expected 1 to 255"),
        ("256x1x1", "XYZ", "", "256 nodes along X, expected 1 to 255"),
        ("255x255x255", "XYZ", "", "16581375 nodes, expected 65536 at most"),
        ("4x-4x4", "XYZ", "", "expected numbers joined by x"),
        ("4,4,4", "XYZ", "", "expected numbers joined by x"),
        ("\uff14x\uff14x\uff14", "XYZ", "", "expected numbers joined by x"),
        ("4x" + "9" * 5000 + "x4", "XYZ", "", "9 nodes along Y, expected 1 to 255"),
        ("", "XYZ", "", "expected numbers joined by x"),
        ("4x4x4", "XYZ", "W", "no dimension W, expected letters of XYZ"),
    ],
)
def test_impossible_shape(text: str, dimensions: str, mesh: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_shape(text, dimensions, mesh)
    assert expected in str(caught.value)


def test_distance_goes_the_short_way_round_a_ring() -> None:
    assert parse_shape("8x4x2", "XYZ").distance((0, 0, 0), (7, 2, 1)) == 1 + 2 + 1
    assert parse_shape("8x4x2", "XYZ", mesh="X").distance((0, 0, 0), (7, 2, 1)) == 7 + 2 + 1


def test_links() -> None:
    assert parse_shape("4x4x2", "XYZ").links == 32 * 6
    assert parse_shape("4x4x1", "XYZ").links == 16 * 4
    assert parse_shape("4x1x1", "XYZ", mesh="X").links == 6
