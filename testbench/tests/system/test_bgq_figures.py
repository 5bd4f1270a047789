# SPDX-License-Identifier: Apache-2.0
"""Published figures of Blue Gene/Q, in forms that take seconds."""

from __future__ import annotations

import pytest
from helpers import reproduced


@pytest.fixture(scope="module")
def short_forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return reproduced(tmp_path_factory.mktemp("short"), "bgq", "latency", "bandwidth", "--short")


def test_puts_and_gets_take_what_the_way_of_their_data_takes(short_forms: dict[str, float]) -> None:
    for size in (16, 1024, 4096):
        assert short_forms[f"put, {size} bytes"] < short_forms[f"get, {size} bytes"]
    # 4096 bytes take 2.28 us on a link, at 1.8 GB/s, and the Messaging Units wait for whole packets.
    assert 2.28 < short_forms["get, 4096 bytes"] - short_forms["get, 16 bytes"] < 2 * 2.28


def test_many_operations_fill_the_link(short_forms: dict[str, float]) -> None:
    for kind in ("put", "get"):
        assert short_forms[f"{kind}, 16 under way, 65536 bytes"] == pytest.approx(1800, rel=0.05)
        alone = short_forms[f"{kind}, one at a time, 4096 bytes"]
        assert alone < short_forms[f"{kind}, 16 under way, 4096 bytes"] < 1803
