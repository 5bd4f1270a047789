# SPDX-License-Identifier: Apache-2.0
"""Experiments without a simulator: from what programs print to rows, and from rows to files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from toroid import batch
from toroid.errors import ToroidError, UserError
from toroid.experiments import (
    alltoall_bandwidth,
    barrier_time,
    broadcast_bandwidth,
    link_bandwidth,
    mapping_scaling,
    multipartition_map,
    packet_read,
)
from toroid.experiments.figures import FIGURES, chosen_figures
from toroid.experiments.harness import Lab, ProgramRun
from toroid.experiments.link_bandwidth import Case
from toroid.experiments.mapping_scaling import Point as MappingPoint
from toroid.experiments.packet_read import Point
from toroid.experiments.pingpong_latency import PUBLISHED_CYCLES, Measurement, Peer
from toroid.machine import load_machine
from toroid.report import Row, claim, comparison_table
from toroid.shape import Shape, parse_shape


def test_figures_come_in_the_order_of_the_paper() -> None:
    assert list(chosen_figures("bgl", ["fig8", "fig6"])) == ["fig6", "fig8"]
    assert chosen_figures("bgl", []) == FIGURES["bgl"]
    with pytest.raises(UserError, match="no such figure"):
        chosen_figures("bgl", ["fig6", "fig1"])


def test_order_of_the_protocols() -> None:
    def order(cycles: dict[str, float]) -> float | None:
        return Measurement({name: [Peer((1, 0, 0), 1, value)] for name, value in cycles.items()}).order().measured

    assert order(dict(PUBLISHED_CYCLES)) == 1
    fastest_last = {name: -value for name, value in PUBLISHED_CYCLES.items()}
    assert order(fastest_last) == 0


def test_claims_are_shown_in_words() -> None:
    rows = [claim("e", "it rains", True), claim("e", "it pours", False), Row("e", "rain", "mm", 10.0, 12.0)]
    assert [row.as_json()["measured"] for row in rows] == [1.0, 0.0, 12.0]
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(comparison_table("weather", rows))
    lines = [line.replace("│", " ").split() for line in console.export_text().splitlines()]
    assert ["it", "rains", "yes", "yes"] in lines
    assert ["it", "pours", "yes", "no"] in lines
    assert ["rain", "mm", "10", "12", "+20.0", "%"] in lines


def points(realigned: float) -> list[Point]:
    return [
        Point(256, 0, 230, 230, 500),
        Point(256, 1, 230, realigned, 700),
        Point(256, 2, 230, realigned, 720),
        Point(32, 1, 77, 140, 210),
    ]


def test_savings_of_realigning_while_reading() -> None:
    rows = {row.row: row for row in packet_read.rows(points(300))}
    assert rows["read 256 bytes, aligned"].published == 204
    assert rows["savings, 256 bytes, mean"].measured == pytest.approx(410)
    assert rows["realigning while reading saves cycles, at every size and offset"].measured == 1
    assert packet_read.rows(points(710))[-1].measured == 0


def test_reading_into_an_aligned_buffer_is_a_reference_line() -> None:
    panel = packet_read.over_offsets([*points(300), Point(256, 15, 231, 300, 720)])
    assert {line.label: [x for x, _ in line.points] for line in panel.lines} == {
        "realigned while reading": [0, 1, 2, 15],
        "read, then copied": [0, 1, 2, 15],
    }
    assert list(panel.limits) == [("aligned: 230", 230), ("published: 204", 204)]


def test_barriers_compare_with_what_was_published_for_the_full_machine() -> None:
    times = barrier_time.Times({8: 0.2, 65536: 1.2}, {barrier_time.WIRED: {8: 0.5}, barrier_time.MESSAGES: {8: 0.4}})
    rows = barrier_time.rows(times)
    assert [row.published for row in rows] == [None, 1.5, None, None, 1.0]
    assert rows[1].deviation == pytest.approx(-0.2)
    assert rows[-1].measured == 0


def program_run(*arguments: str) -> ProgramRun:
    machine = load_machine("bgl")
    return ProgramRun("one", "pingpong", arguments, parse_shape("2x1x1", machine.dimensions))


def test_a_failed_run_is_told_with_its_call(fake_simulator: None, tmp_path: Path) -> None:
    lab = Lab(load_machine("bgl"), tmp_path)
    with pytest.raises(ToroidError, match=r"pingpong exit 3: exit status 3; files in .*one"):
        lab.run([program_run("exit", "3")])


def test_runs_are_shared_and_their_cost_counted_once(fake_simulator: None, tmp_path: Path) -> None:
    lab = Lab(load_machine("bgl"), tmp_path)
    first, second = lab.run([program_run(), program_run()])
    assert first == second == lab.run([program_run()])[0] == "output of the program\n"
    assert (lab.cost.runs, lab.cost.instructions, lab.cost.packets) == (1, 100, 2)
    assert (tmp_path / "one" / batch.OUTPUT).read_text() == first
    assert "1,000" not in str(lab.cost)
    assert "0 M instructions and 0 k packets emulated in 0.1 s" in str(lab.cost)


def test_bandwidth_counts_both_directions() -> None:
    # 3 links, 1000 bytes out and in on each in 7000 cycles at 700 MHz, which is 10 us.
    assert link_bandwidth.bandwidth(3, 1000, 1, 7000, 700) == pytest.approx(600)
    assert link_bandwidth.bandwidth(3, 1000, 2, 7000, 700) == pytest.approx(1200)


def test_half_size_lies_between_the_sizes_measured() -> None:
    assert link_bandwidth.half_size({256: 80.0, 1024: 230.0, 4096: 300.0}, 310) == pytest.approx(512)
    assert link_bandwidth.half_size({256: 155.0, 1024: 300.0}, 310) == 256
    assert link_bandwidth.half_size({256: 80.0, 1024: 150.0}, 310) is None


def test_links_kept_busy() -> None:
    def curves(*highest: float) -> dict[int, link_bandwidth.Curve]:
        return {links: {1024: value / 2, 65536: value} for links, value in enumerate(highest, start=1)}

    assert link_bandwidth.busy_links(curves(278)) == 0
    assert link_bandwidth.busy_links(curves(300)) == 1
    assert link_bandwidth.busy_links(curves(300, 559, 700, 600)) == 2
    assert link_bandwidth.busy_links(curves(300, 557, 700, 600)) == 1
    assert link_bandwidth.busy_links(curves(300, 600, 900, 950)) == 3
    assert link_bandwidth.link_equivalents(curves(300, 600, 900, 930, 920)) == pytest.approx(3)


def test_bandwidth_rows() -> None:
    helped, slow = Case("e", "with help", (), 3, ">"), Case("d", "slow", (), 2, "<")
    steep = {1: {512: 155.0, 1024: 200.0, 65536: 300.0}, 2: {65536: 600.0}, 4: {65536: 961.0}}
    found = {row.row: row for row in link_bandwidth.rows({link_bandwidth.EAGER: steep, helped: steep, slow: steep})}
    assert found["a: one link, eager, highest bandwidth"].deviation == pytest.approx(-10 / 310)
    assert found["a: one link, eager, size at half of 310 MB/s"].measured == 512
    assert found["a: that size lies between 0.7 and 1.5 KB"].measured == 0
    assert (found["b: eager, links kept busy"].published, found["b: eager, links kept busy"].measured) == (2, 2)
    assert found["e: with help, highest bandwidth, in links"].measured == pytest.approx(3.1)
    assert found["e: with help, links kept busy"].published is None
    assert found["e: with help, more than 3"].measured == 1
    assert found["d: slow, fewer than 2"].measured == 0


def grid(side: int, text: str) -> tuple[int, Shape]:
    return side, parse_shape(text, "XYZ")


def test_peers_of_the_multipartition_scheme() -> None:
    others = multipartition_map.peers(4)
    # Rank 5 is (1, 1): (2,1), (0,1), (1,2), (1,0), (2,0), (0,2).
    assert others[5] == [6, 4, 9, 1, 2, 8]
    # The grid closes: rank 0 is (0, 0).
    assert others[0] == [1, 3, 4, 12, 13, 7]
    # Who is a peer has one in return.
    assert all(rank in others[peer] for rank in range(16) for peer in others[rank])


@pytest.mark.parametrize(("side", "text"), [(4, "4x4x2"), (8, "4x4x4"), (12, "8x8x4"), (16, "8x8x4")])
def test_folding_makes_every_step_along_the_grid_one_hop(side: int, text: str) -> None:
    _, shape = grid(side, text)
    places = multipartition_map.folded(side, shape)
    assert places is not None
    assert len(set(places)) == side * side
    # Four peers at one hop, the two on the diagonal at two.
    assert multipartition_map.mean_hops(side, shape, places) == pytest.approx(8 / 6)


def test_a_squeezed_grid_keeps_neighbours_near() -> None:
    places = multipartition_map.squeezed(22, 16)
    assert len(set(places)) == 22 * 22
    assert {column for column, _ in places} == set(range(16))
    assert max(row for _, row in places) <= 31  # 484 processes in 16 columns: 30.25 rows on average
    for rank in range(22 * 21):
        (column, row), (next_column, next_row) = places[rank], places[rank + 22]
        assert min((column - next_column) % 16, (next_column - column) % 16) <= 1
        assert 0 <= next_row - row <= 3


def test_a_grid_that_cannot_be_folded() -> None:
    assert multipartition_map.folded(*grid(4, "2x2x2")) is None
    assert multipartition_map.folded(*grid(22, "8x8x8")) is not None


@pytest.mark.parametrize(("side", "text"), [(5, "3x3x3"), (9, "9x3x3"), (9, "4x4x6"), (4, "4x4x2")])
def test_an_optimised_map_is_whole_shorter_and_always_the_same(side: int, text: str) -> None:
    side, shape = grid(side, text)
    places = multipartition_map.optimised(side, shape)
    assert len(set(places)) == side * side
    assert set(places) <= {shape.coordinates(index) for index in range(shape.nodes)}
    naive = multipartition_map.mean_hops(side, shape, multipartition_map.naive(side, shape))
    assert multipartition_map.mean_hops(side, shape, places) <= naive
    assert places == multipartition_map.optimised(side, shape)


def test_a_written_map(tmp_path: Path) -> None:
    multipartition_map.write_map(tmp_path / "new" / "map", [(1, 0, 0), (0, 2, 3)])
    assert (tmp_path / "new" / "map").read_text() == "1 0 0 0\n0 2 3 0\n"


def test_mapping_rows() -> None:
    def last_three(naive: tuple[float, float], optimised: tuple[float, float]) -> list[float | None]:
        measured = {
            name: [MappingPoint(16, 1.5, values[0]), MappingPoint(400, 4.5, values[1])]
            for name, values in (("naive", naive), ("optimised", optimised))
        }
        rows = mapping_scaling.rows(measured)
        assert rows[0].row == "16 processes, naive, performance a process"
        assert (rows[0].published, rows[0].measured, rows[1].measured) == (None, naive[0], 1.5)
        return [row.measured for row in rows[-3:]]

    assert last_three((0.8, 0.5), (0.8, 0.75)) == [1, 1, 1]
    assert last_three((0.8, 0.79), (0.7, 0.5)) == [0, 0, 0]
    assert last_three((0.8, 0.5), (0.793, 0.75)) == [1, 1, 1]
    assert last_three((0.8, 0.5), (0.791, 0.75)) == [1, 1, 0]


def test_broadcast_rows() -> None:
    ways = broadcast_bandwidth.WAYS
    measured = {ways[0]: {100: 54.0, 200: 308.0}, ways[1]: {100: 50.0, 200: 250.0}, ways[2]: {100: 10.0, 200: 60.0}}
    rows = {row.row: row for row in broadcast_bandwidth.rows(measured, {broadcast_bandwidth.CASES[0]: 155.0})}
    assert rows["deposit bit, highest bandwidth"].deviation == 0
    size = rows["mesh-aware, from messages, size at 200 MB/s"].measured
    assert size is not None
    assert 100 < size < 200
    assert rows["deposit bit ahead at every size"].measured == 1
    assert rows["deposit bit, line of 8"].deviation == 0
    measured[ways[1]][100] = 55.0
    rows = {row.row: row for row in broadcast_bandwidth.rows(measured, {})}
    assert rows["deposit bit ahead at every size"].measured == 0


def test_peak_of_an_all_to_all() -> None:
    bgl = load_machine("bgl")

    def peak(shape: str, mesh: str = "") -> float:
        return alltoall_bandwidth.peak_cycles(parse_shape(shape, "XYZ", mesh), 240, 240, bgl)

    # 64 nodes' packets of 270 bytes, 4/8 of which cross one link at 0.25 bytes a cycle.
    assert peak("4x4x4") == 64 * 270 * 0.5 * 4
    assert peak("8x4x4") == 4 * peak("4x4x4")
    assert peak("4x4x4", "X") == 2 * peak("4x4x4")


def test_all_to_all_rows() -> None:
    measured = {
        alltoall_bandwidth.AT_ONCE: {64: 0.1, 4096: 0.84},
        alltoall_bandwidth.PAIRS: {64: 0.05, 4096: 0.4},
        alltoall_bandwidth.RANDOM: {64: 0.12, 4096: 0.5},
    }
    rows = {row.row: row for row in alltoall_bandwidth.rows(measured)}
    assert rows["all at once, 4096 bytes"].deviation == 0
    assert rows["packets ahead of both up to 224 bytes"].measured == 1
    measured[alltoall_bandwidth.RANDOM][64] = 0.105  # of a lower peak
    rows = {row.row: row for row in alltoall_bandwidth.rows(measured)}
    assert rows["packets ahead of both up to 224 bytes"].measured == 0
