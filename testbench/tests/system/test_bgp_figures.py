# SPDX-License-Identifier: Apache-2.0
"""Published figures of Blue Gene/P's software, in forms that take seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import reproduced


@pytest.fixture(scope="module")
def short_forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return reproduced(
        tmp_path_factory.mktemp("short"), "bgp", "contention_8x8x8", "flush", "barrier", "collective", "--short"
    )


def test_puts_suffer_from_contention_more_than_gets(short_forms: dict[str, float]) -> None:
    assert short_forms["put by all nodes takes more than twice a get"] == 1
    assert short_forms["put, all nodes, 4096 bytes, mean"] > short_forms["put, every 4th plane, 4096 bytes, mean"]


def test_a_flush_costs_what_was_sent(short_forms: dict[str, float]) -> None:
    for processes in (2, 8, 16):
        nothing = short_forms[f"all at a time, behind gets: nothing, {processes} processes"]
        assert nothing < short_forms[f"all at a time, behind puts: put and confirmation, {processes} processes"]
        assert nothing < short_forms[f"all at a time, behind accumulates: send and answer, {processes} processes"]


def test_barriers_and_the_collective_network(short_forms: dict[str, float]) -> None:
    assert short_forms["faster over the global interrupts than by messages"] == 1
    assert short_forms["8 nodes, network alone"] < short_forms["8 nodes, DCMF over global-interrupts"]
    assert short_forms["broadcast, 16384 bytes"] > short_forms["sum of doubles, 16384 bytes"]


def test_modes_orders_and_local_copies(tmp_path: Path) -> None:
    rows = reproduced(tmp_path, "bgp", "modes", "ordering", "local")
    assert rows["a helper thread costs a put time"] == 1
    assert rows["atomics cost less than the critical section"] == 1
    assert rows["up to 4096 bytes, strict order takes at least 10 % longer"] == 1
    assert rows["OSPRI, copies: put, 8 bytes"] < rows["OSPRI, DMA: put, 8 bytes"]
    assert rows["OSPRI, copies: put, 262144 bytes"] > rows["OSPRI, DMA: put, 262144 bytes"]
