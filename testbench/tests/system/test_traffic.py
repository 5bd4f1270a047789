# SPDX-License-Identifier: Apache-2.0
"""The network alone: patterns, routing, dimensions, saturation, size."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from helpers import Arguments, spoiled_machine, toroid

from toroid import paths
from toroid.traffic_patterns import PATTERNS


def sweep(tmp_path: Path, *arguments: str | Path, timeout: float = 300) -> dict[float, dict[str, float]]:
    """Measured figures by load and name."""
    rows = tmp_path / "rows.json"
    done = toroid("traffic", "--results", tmp_path, "--json", rows, *arguments, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return {row["load"]: row for row in json.loads(rows.read_text())["rows"]}


SHORT = ["--warmup", "1000", "--measure", "4000", "--check"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("routing", ["adaptive", "deterministic"])
def test_light_load_is_accepted(tmp_path: Path, pattern: str, routing: str) -> None:
    options = ["--shape", "4x4x4", "--pattern", pattern, "--routing", routing, "--load", "0.2"]
    figures = sweep(tmp_path, *options, *SHORT)[0.2]
    assert figures["accepted"] == pytest.approx(0.2, rel=0.15)
    assert figures["p50"] <= figures["p95"] <= figures["p99"] <= figures["max"]
    assert 0 < figures["link_load_mean"] <= figures["link_load_max"] <= 1


EXAMPLES = paths.ROOT / "docs" / "examples"


@pytest.mark.parametrize(
    ("machine", "shape", "end", "hop", "on_wire", "width"),
    [
        ("bgl", "3x1x1", 8, 16, 256 + 14, 1),
        ("bgq", "3x1x1x1x1", 4, 18, 544 + 24, 4),
        ("bgq", "1x1x1x1x2", 4, 18, 544 + 24, 4),
        (EXAMPLES / "twin_links.yaml", "3x1x1", 8, 16, 120 + 14, 4),
        (EXAMPLES / "twin_links.yaml", "1x3x1", 8, 16, 120 + 14, 2),
    ],
    ids=["bgl", "five dimensions", "two links to one node", "wide twin links", "narrow single links"],
)
@pytest.mark.parametrize("routing", ["adaptive", "deterministic"])
def test_each_family_at_light_load(
    tmp_path: Path, machine: str | Path, shape: str, end: int, hop: int, on_wire: int, width: int, routing: str
) -> None:
    options: Arguments = ["--machine", machine, "--shape", shape, "--pattern", "neighbour", "--routing", routing]
    figures = sweep(tmp_path, *options, "--load", "0.01", "--measure", "200000", "--check")[0.01]
    # Injection FIFO, router and link, the packet and its overhead on the wire, reception FIFO.
    assert figures["p50"] == end + hop + -(-on_wire // width) + end


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (
            "router",
            "dragonfly",
            "torus.router is dragonfly: no router family 'dragonfly'; there are blue_gene_lp, blue_gene_q, "
            "twin_links (docs/what_can_be_changed.md)",
        ),
        (
            "adaptive_vcs",
            "2, unit: count",
            "torus.adaptive_vcs must be at most 1 (routers of family twin_links are compiled so; "
            "docs/what_can_be_changed.md)",
        ),
        (
            "dimension_order",
            "XYY",
            "torus.dimension_order is XYY; it must be as_named, or the letter of each dimension once: XYZ in some "
            "order",
        ),
        (
            "direction_bytes_per_cycle",
            '"U:2", unit: bytes/cycle',
            "torus.direction_bytes_per_cycle names the dimension U; the machine has XYZ",
        ),
        (
            "direction_bytes_per_cycle",
            '"X:2 X+:4", unit: bytes/cycle',
            "torus.direction_bytes_per_cycle names the direction X+ twice",
        ),
        (
            "direction_bytes_per_cycle",
            '"X:65", unit: bytes/cycle',
            "torus.direction_bytes_per_cycle is 65 bytes/cycle; it must be a whole number from 1 to 64",
        ),
    ],
)
def test_what_a_router_cannot_be_is_refused(tmp_path: Path, name: str, value: str, expected: str) -> None:
    (tmp_path / "mine.yaml").write_text(
        f"base: {EXAMPLES / 'twin_links.yaml'}\nparameters:\n  torus:\n    {name}: {{value: {value}}}\n"
    )
    done = toroid("traffic", "--machine", "mine.yaml", "--shape", "3x3x3", "--load", "0.1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"toroid-sim: mine.yaml:4: {expected}\n"


@pytest.mark.parametrize(
    ("machine", "sizes", "expected"),
    [
        (
            "bgl",
            "33",
            "a packet of 33 bytes; packets have multiples of 32 bytes, up to 256 (routers of family blue_gene_lp",
        ),
        ("bgl", "32,288", "a packet of 288 bytes; packets have multiples of 32 bytes, up to 256 (routers"),
        (
            EXAMPLES / "twin_links.yaml",
            "256",
            "a packet of 256 bytes; packets have multiples of 24 bytes, up to 120 (routers",
        ),
    ],
)
def test_sizes_are_those_of_the_routers(tmp_path: Path, machine: str | Path, sizes: str, expected: str) -> None:
    done = toroid("traffic", "--machine", machine, "--shape", "2x2x2", "--sizes", sizes, "--results", tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr


def test_other_routers_carry_no_programs_and_have_no_verilog(tmp_path: Path) -> None:
    other: Arguments = ["--machine", EXAMPLES / "twin_links.yaml", "--shape", "2x2x2"]
    done = toroid("run", *other, "/bin/true", cwd=tmp_path)
    assert done.returncode == 2
    assert "torus.router is twin_links; programs need the routers of family blue_gene_lp" in done.stderr
    done = toroid("traffic", *other, "--load", "0.1", "--rtl", "router@all", cwd=tmp_path)
    assert done.returncode != 0
    assert "units in Verilog have the pins of routers of family blue_gene_lp" in done.stderr


def test_five_dimensions_and_lines(tmp_path: Path) -> None:
    machine, _ = spoiled_machine(tmp_path, "dimensions: XYZ", "dimensions: ABCDE")
    options: Arguments = ["--machine", machine, "--shape", "3x3x2x2x2", "--mesh", "AE", "--load", "0.2"]
    assert sweep(tmp_path, *options, *SHORT)[0.2]["accepted"] == pytest.approx(0.2, rel=0.15)


@pytest.mark.slow
def test_uniform_traffic_saturates_near_the_bisection_bound(tmp_path: Path) -> None:
    figures = sweep(tmp_path, "--shape", "8x8x8", "--load", "0.3,1", "--measure", "20000")
    assert 0.8 < figures[1.0]["accepted"] < 1.0
    assert figures[0.3]["mean"] < figures[1.0]["mean"]


@pytest.mark.slow
def test_the_largest_machine_that_was_built(tmp_path: Path) -> None:
    options = ["--shape", "64x32x32", "--load", "0.1", "--warmup", "200", "--measure", "500"]
    figures = sweep(tmp_path, *options)
    assert figures[0.1]["link_load_mean"] > 0
    host = json.loads((tmp_path / "load-0.1" / "host.json").read_text())
    assert host["peak_memory_kib"] / 65536 <= 16


def test_shape_on_which_no_node_sends(tmp_path: Path) -> None:
    done = toroid("traffic", "--results", tmp_path, "--pattern", "tornado", "--shape", "2x2x2")
    assert done.returncode == 2
    assert done.stdout == ""
    expected = "toroid-sim: traffic: no node of shape 2x2x2 sends; the pattern tornado needs a dimension of at least "
    assert done.stderr.count(expected + "three nodes\n") == 1
    assert "Traceback" not in done.stderr


def test_rings_without_a_bubble_are_warned_of_once(tmp_path: Path) -> None:
    options: Arguments = ["--results", tmp_path, "--shape", "2x2x2", "--load", "0.1,0.2,0.3", *SHORT]
    done = toroid("traffic", *options, "--set", "torus.bubble_chunks=0")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("toroid-sim: warning: torus.bubble_chunks is 0") == 1
    assert "warning" not in toroid("traffic", *options).stderr


def test_several_series_in_one_table(tmp_path: Path) -> None:
    options: Arguments = ["--shape", "3x3x2", "--load", "0.2,0.4", *SHORT, "--results", tmp_path]
    compared: Arguments = ["--routing", "deterministic", "--routing", "adaptive", "--set", "torus.buffer_chunks=16,64"]
    done = toroid("traffic", *options, *compared, "--csv", "-", "--plot", tmp_path / "plot.png")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [(row["routing"], row["torus.buffer_chunks"], row["load"]) for row in rows] == [
        (routing, chunks, load)
        for routing in ("deterministic", "adaptive") for chunks in ("16", "64") for load in ("0.2", "0.4")
    ]  # fmt: skip
    assert "buffer_chunks" in done.stderr
    # A series is what a call for it alone finds.
    alone = toroid("traffic", *options, "--routing", "adaptive", "--set", "torus.buffer_chunks=64", "--json", "-")
    assert json.loads(alone.stdout)["rows"][0]["p99"] == float(rows[6]["p99"])
    assert len({row["p99"] for row in rows}) > 4


def test_a_value_that_will_not_do_is_refused_before_anything_runs(tmp_path: Path) -> None:
    done = toroid("traffic", "--set", "torus.buffer_chunks=16,3", "--results", tmp_path / "out")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("toroid: --set torus.buffer_chunks=3: torus.buffer_chunks must be from 16 ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_wrong_key_and_shape_through_the_launcher(tmp_path: Path) -> None:
    machine, line = spoiled_machine(tmp_path, "buffer_chunks:", "bufer_chunks:")
    mistakes: list[tuple[Arguments, str]] = [
        (["traffic", "--machine", machine], f"{machine}:{line}:5: torus.bufer_chunks: unknown parameter"),
        (["traffic", "--shape", "300x1x1"], "300 nodes along X, expected 1 to 255"),
    ]
    for arguments, expected in mistakes:
        done = toroid(*arguments)
        assert done.returncode == 2
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1


def test_zones_of_a_description(tmp_path: Path) -> None:
    """Freedom to choose among all dimensions makes a difference at load; a zone that leaves one out is refused."""
    loaded = ["--machine", "bgq", "--shape", "4x4x2x2x2", "--load", "0.9", *SHORT]
    rows = tmp_path / "rows.json"
    zones = "torus.zone0=by_shape,A B C D E,ABCDE"
    done = toroid("traffic", "--results", tmp_path, "--json", rows, *loaded, "--set", zones)
    assert done.returncode == 0, done.stderr
    assert len({row["mean"] for row in json.loads(rows.read_text())["rows"]}) == 3
    done = toroid("traffic", *loaded, "--set", "torus.zone0=AB CD", cwd=tmp_path)
    assert done.returncode == 2
    assert "torus.zone0 is AB CD; it must name each dimension of ABCDE" in done.stderr
    done = toroid("traffic", *loaded, "--set", "torus.zone0=AB CF", cwd=tmp_path)
    assert "torus.zone0 names the dimension F; the machine has ABCDE" in done.stderr
