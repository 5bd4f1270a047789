# SPDX-License-Identifier: Apache-2.0
"""Published figures of Blue Gene/Q, in forms that take seconds."""

from __future__ import annotations

import pytest
from helpers import reproduced


@pytest.fixture(scope="module")
def short_forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return reproduced(tmp_path_factory.mktemp("short"), "bgq", "--short")


def test_puts_and_gets_take_what_the_way_of_their_data_takes(short_forms: dict[str, float]) -> None:
    for size in (16, 1024, 4096):
        assert short_forms[f"put, {size} bytes"] < short_forms[f"get, {size} bytes"]
    # 4096 bytes take 2.28 us on a link, at 1.8 GB/s, and 16 bytes, a packet of 64, take 0.036 us. The Messaging Units
    # wait for whole packets.
    assert 2.24 < short_forms["get, 4096 bytes"] - short_forms["get, 16 bytes"] < 2 * 2.28


def test_many_operations_fill_the_link(short_forms: dict[str, float]) -> None:
    for kind in ("put", "get"):
        assert short_forms[f"{kind}, 16 under way, 65536 bytes"] == pytest.approx(1800, rel=0.05)
        alone = short_forms[f"{kind}, one at a time, 4096 bytes"]
        assert alone < short_forms[f"{kind}, 16 under way, 4096 bytes"] < 1803


def test_two_links_lead_to_the_neighbour_along_e(short_forms: dict[str, float]) -> None:
    """What is fetched comes over both once it is longer than 64 KiB."""
    assert short_forms["get, 16 under way, along E, 65536 bytes"] == pytest.approx(1800, rel=0.05)
    assert short_forms["get, 16 under way, along E, 131072 bytes"] == pytest.approx(3600, rel=0.05)


def test_gets_take_longer_from_farther_nodes(short_forms: dict[str, float]) -> None:
    assert short_forms["mean of 1 hops"] < short_forms["mean of 2 hops"] < short_forms["mean of 3 hops"]
    # A header takes 36 ns; when rank 0 looks whether its get has ended leaves a part of that open.
    assert short_forms["a hop"] == pytest.approx(36, rel=0.4)


def test_chunks_of_a_page_are_as_fast_as_whole_memory(short_forms: dict[str, float]) -> None:
    for kind in ("put", "get"):
        whole = short_forms[f"{kind}, chunks of 65536 bytes"]
        assert short_forms[f"{kind}, chunks of 4096 bytes"] > 0.9 * whole
    assert short_forms["there, chunks of 4096 bytes"] < short_forms["begun, chunks of 4096 bytes"]


def test_a_counter_needs_a_thread_where_its_owner_computes(short_forms: dict[str, float]) -> None:
    assert short_forms["rank 0 computes: with a thread less than twice what it takes when it waits"] == 1
    assert short_forms["rank 0 computes: without a thread more than twice"] == 1
    assert short_forms["rank 0 waits, no thread, 8 processes"] > short_forms["rank 0 waits, no thread, 2 processes"]


def test_objects_have_the_published_sizes_and_messages_follow_each_other(short_forms: dict[str, float]) -> None:
    assert short_forms["endpoint: size"] == 4
    assert short_forms["region: size"] == 8
    assert short_forms["endpoint: time to create"] < short_forms["context: time to create"]
    assert 1 < short_forms["8 bytes by PAMI's put"] < short_forms["8 bytes by PAMI's send"] < 12.5  # a packet in 80 ns


def test_the_network_beats_messages_of_many_tasks(short_forms: dict[str, float]) -> None:
    for way, other in (
        ("barrier, global interrupts", "barrier, messages"),
        ("allreduce, collective unit", "allreduce, messages"),
    ):
        grown = short_forms[f"{way}, 8 tasks"] - short_forms[f"{way}, 2 tasks"]
        assert grown < short_forms[f"{other}, 8 tasks"] - short_forms[f"{other}, 2 tasks"]
        assert short_forms[f"{way}, 8 tasks"] < short_forms[f"{other}, 8 tasks"]


def test_all_to_all_alone(short_forms: dict[str, float]) -> None:
    assert 70 < short_forms["2x2x2x2x2: share of the peak"] <= 100
