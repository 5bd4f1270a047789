# SPDX-License-Identifier: Apache-2.0
"""Messages of synthetic sources on the network alone, and the experiments made of them in their short form."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from helpers import Arguments, toroid

RING: Arguments = ["traffic", "--machine", "bgp", "--shape", "1x1x8", "--routing", "deterministic"]
RING_OF_Q: Arguments = ["traffic", "--machine", "bgq", "--shape", "1x1x1x8x1", "--routing", "deterministic"]


@pytest.mark.parametrize(
    ("ring", "payload", "rate"),
    [
        (RING, 240, 357.63),  # 240 of 272 bytes at 425 MB/s
        (RING_OF_Q, 512, 1719.31),  # 512 of 568 bytes at 2 GB/s
    ],
    ids=["bgp", "bgq"],
)
def test_a_neighbour_gets_the_whole_link(ring: Arguments, payload: int, rate: float, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    along = "displacement:0,0,1" if ring is RING else "displacement:0,0,0,1,0"
    done = toroid(
        *ring, "--pattern", along, "--messages", f"{payload},1048576", "--operations", "3",
        "--results", tmp_path / "results", "--csv", rows,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    short, long = csv.DictReader(rows.open())
    assert (long["message_bytes"], long["senders"], long["messages"]) == ("1048576", "8", "24")
    assert float(long["rate_mean_mib_s"]) == pytest.approx(rate, rel=1e-3)
    assert float(long["link_load_max"]) == pytest.approx(1, abs=0.01)
    assert float(short["rate_mean_mib_s"]) < rate - 0.5


def test_sources_and_routers_choose_the_same_way_by_the_same_rule(tmp_path: Path) -> None:
    def results(name: str, *options: str) -> object:
        done = toroid(
            *RING, "--pattern", "displacement:0,0,4", "--messages", "4096", "--operations", "10", *options,
            "--results", tmp_path / name,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads((tmp_path / name / "messages-4096" / "result.json").read_text())["messages"]

    plus = results("plus", "--set", "torus.tie_rule=plus")
    parity = results("parity", "--tie-rule", "parity", "--set", "torus.tie_rule=plus")
    assert plus != parity
    assert results("routers", "--set", "torus.tie_rule=parity") == parity
    assert results("both", "--set", "torus.tie_rule=parity", "--tie-rule", "plus") == plus


def test_several_values_and_routings_compare(tmp_path: Path) -> None:
    rows = tmp_path / "rows.json"
    done = toroid(
        "traffic", "--machine", "bgp", "--shape", "4x4x4", "--pattern", "displacement:2,-1,2", "--senders-every", "2",
        "--messages", "512,4096", "--operations", "5", "--routing", "adaptive", "--routing", "deterministic",
        "--set", "torus.transit_first=true,false", "--json", rows, "--results", tmp_path / "results",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(rows.read_text())["rows"]
    assert len(found) == 8
    assert {row["senders"] for row in found} == {32}
    rates = {
        (row["routing"], row["torus.transit_first"]): row["rate_mean_mib_s"]
        for row in found
        if row["message_bytes"] == 4096
    }
    assert len(rates) == 4
    assert rates["adaptive", True] != rates["adaptive", False]
    assert rates["adaptive", False] > rates["deterministic", False]


def test_messages_stuck_in_the_network_are_told(tmp_path: Path) -> None:
    done = toroid(
        *RING, "--pattern", "displacement:0,0,1", "--messages", "4096", "--set", "torus.bit_error_rate=0.5",
        "--set", "torus.stuck_after=10000", "--results", tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "packets in the network do not move with messages of 4096 bytes" in done.stderr


def test_results_do_not_depend_on_the_order_of_elaboration(tmp_path: Path) -> None:
    def rows(order: str) -> bytes:
        done = toroid("reproduce", "bgp", "contention_8x8x8_network", "--short", "--results", tmp_path / order,
                      env={"TOROID_ELABORATION_ORDER": order}, timeout=300)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return (tmp_path / order / "rows.json").read_bytes()

    assert rows("1") == rows("7")


def test_short_forms_of_the_experiments(tmp_path: Path) -> None:
    done = toroid("reproduce", "bgp", "displacements_32x32x32", "contention_8x8x8_network", "--short", "--results",
                  tmp_path, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "runs of the network alone" in done.stderr
    text = (tmp_path / "rows.json").read_text()
    rows = {row["row"]: row for row in json.loads(text)["rows"]}
    neighbour = rows["put, (0,0,1), 4096 bytes, here (0,0,1)"]
    assert neighbour["unit"] == "fair shares"
    assert neighbour["measured"] == pytest.approx(0.95, abs=0.02)
    assert rows["put: slower with each dimension half-way around"]["measured"] == 1
    assert rows["put by all nodes takes more than twice a get"]["measured"] == 1
    for figure in ("displacements_32x32x32", "contention_8x8x8_network"):
        assert (tmp_path / f"{figure}.png").read_bytes().startswith(b"\x89PNG")
