# SPDX-License-Identifier: Apache-2.0
"""Shapes: what they mean, and what is impossible."""

from __future__ import annotations

import pytest

from toroid.errors import UserError
from toroid.shape import Shape, parse_shape


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
        ("\uff14x\uff14x\uff14", 3, "", "expected numbers joined by x"),
        ("4x" + "9" * 5000 + "x4", 3, "", "9 nodes along Y, expected 1 to 255"),
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
