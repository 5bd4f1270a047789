# SPDX-License-Identifier: Apache-2.0
"""The simulator's trace: it agrees with the result and with itself, repeats, and changes nothing."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths
from toroid.trace import records
from toroid.trace.reader import Metadata, Table, Trace, read_trace

STRESS: Arguments = ["--shape", "3x2x2", "--seed", "5"]
ERRORS: Arguments = ["--set", "torus.bit_error_rate=1e-5", "--set", "tree.bit_error_rate=1e-5"]


def run(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    done = toroid("run", "--results", directory, *arguments)
    assert done.returncode == 0, done.stderr
    return read_result(directory)


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, dict[str, Any]]:
    where = tmp_path_factory.mktemp("traced")
    file = where / "stress.trace"
    result = run(where, *STRESS, *ERRORS, "--trace", file, paths.guest_program("stress"))
    return read_trace(file), result


def torus_distance(metadata: Metadata, source: int, destination: int) -> int:
    hops = 0
    for a, b, extent in zip(
        metadata.coordinates(source), metadata.coordinates(destination), metadata.shape, strict=True
    ):
        hops += min((a - b) % extent, (b - a) % extent)
    return hops


def of_packet(table: Table, packet: int) -> Table:
    found: Table = table[table["packet"] == packet]
    return found


def test_totals_are_those_of_the_result(traced: tuple[Trace, dict[str, Any]]) -> None:
    trace, result = traced
    network = result["network"]
    assert trace.whole
    assert trace.end // 1000 == result["simulated_ns"]
    assert len(trace["torus_written"]) == network["packets_injected"]
    copies = trace["torus_received"]["flags"] == records.COPY
    assert len(trace["torus_received"]) == network["packets_delivered"]
    good = trace["torus_sent"]["flags"] == 0
    assert np.count_nonzero(good) == network["packet_hops"]
    assert np.count_nonzero(~good) > 0  # the links make errors
    assert np.count_nonzero(~copies) == network["packets_injected"]
    for link in network["links"]:
        sent = trace["torus_sent"]
        node = trace.metadata.node_at(tuple(link["node"]))
        mine = sent[(sent["node"] == node) & (sent["flags"] == 0)]
        names = [trace.metadata.direction_name(direction) for direction in mine["direction"]]
        assert names.count(link["direction"]) <= link["packets"]
    assert len(trace["tree_injected"]) == result["tree"]["packets_injected"] + result["tree"]["io_packets"]
    assert np.count_nonzero(trace["tree_sent"]["port"] != records.TREE_LOCAL) == result["tree"]["packet_hops"]
    assert sum(rank["io"]["calls"] for rank in result["ranks"]) == len(trace["io_calls"])


def test_a_packet_goes_step_by_step(traced: tuple[Trace, dict[str, Any]]) -> None:
    trace, _ = traced
    cycle = 1e6 / trace.metadata.network_mhz
    for written in trace["torus_written"][::97]:
        if written["flags"] & records.DEPOSIT:
            continue
        sent = of_packet(trace["torus_sent"], written["packet"])
        sent = sent[sent["flags"] == 0]
        (received,) = of_packet(trace["torus_received"], written["packet"])
        (read,) = of_packet(trace["torus_read"], written["packet"])
        assert len(sent) == torus_distance(trace.metadata, written["node"], written["destination"])
        assert received["node"] == read["node"] == written["destination"]
        assert sent[0]["node"] == written["node"] == written["packet"] >> 32
        at = written["time"]
        for hop in sent:
            assert at <= hop["asked"] <= hop["time"] < hop["end"]
            wire = trace.metadata.torus.wire_cycles[written["chunks"] - 1]
            assert hop["end"] - hop["time"] == pytest.approx(wire * cycle, abs=1)
            at = hop["time"] + (trace.metadata.torus.hop_cycles - 1) * cycle
        for hop, onward in itertools.pairwise(sent):
            assert trace.metadata.neighbour(int(hop["node"]), int(hop["direction"])) == onward["node"]
        assert at < received["asked"] <= received["begin"] < received["time"] < read["time"]


def test_links_carry_one_packet_at_a_time(traced: tuple[Trace, dict[str, Any]]) -> None:
    trace, _ = traced
    sent = trace["torus_sent"]
    links = sent["node"].astype(np.int64) * 16 + sent["direction"]
    for link in np.unique(links):
        mine = sent[links == link]
        assert np.all(mine["time"][1:] >= mine["end"][:-1])


def test_calls_nest_and_waits_do_not_overlap(tmp_path: Path) -> None:
    file = tmp_path / "barrier.trace"
    run(tmp_path, "--shape", "2x2x2", "--trace", file, paths.guest_program("barrier"))
    trace = read_trace(file)
    calls, names = trace["calls"], trace.metadata.functions
    assert set(names) >= {"bglml_barrier", "bglml_init", "bglml_wait"}
    for rank in range(8):
        mine = calls[calls["rank"] == rank]
        barriers = mine[mine["function"] == names.index("bglml_barrier")]
        assert len(barriers) >= 24 + 64  # those of firmware/programs/bgl/barrier.c, beside those of bglml_init()
        assert np.all(barriers["end"] > barriers["time"])
        open_calls: list[int] = []
        for call in mine:
            while open_calls and open_calls[-1] <= call["time"]:
                open_calls.pop()
            assert len(open_calls) == call["depth"]
            assert not open_calls or call["end"] <= open_calls[-1]
            open_calls.append(int(call["end"]))
        waits = trace["waits"][(trace["waits"]["rank"] == rank) & (trace["waits"]["core"] == 0)]
        assert len(waits) > 0
        assert np.all(waits["time"][1:] >= waits["end"][:-1])
    # No rank leaves a barrier before all have entered.
    by_rank = calls[calls["function"] == names.index("bglml_barrier")]
    rounds = [by_rank[by_rank["rank"] == rank] for rank in range(8)]
    entered = np.max([barriers["time"] for barriers in rounds], axis=0)
    left = np.min([barriers["end"] for barriers in rounds], axis=0)
    assert np.all(left > entered)


def test_arguments_and_results_of_calls(tmp_path: Path) -> None:
    file = tmp_path / "hello.trace"
    run(tmp_path, "--shape", "1x1x1", "--trace", file, "--trace-calls", "write", "--trace-calls", "main",
        paths.guest_program("hello"), "one", "two")  # fmt: skip
    trace = read_trace(file)
    names = trace.metadata.functions
    (main,) = trace["calls"][trace["calls"]["function"] == names.index("main")]
    assert main["arguments"][0] == 3
    assert main["result"] == 0
    (io_call,) = trace["io_calls"]
    assert records.IO_OPERATIONS[io_call["operation"]] == "write"
    assert io_call["descriptor"] == 1
    assert io_call["result"] == io_call["bytes"] == len("hello from rank 0 of 1 at (0, 0, 0)\n")


def test_the_same_bytes_and_the_same_result(tmp_path: Path) -> None:
    program = paths.guest_program("stress")
    file = tmp_path / "trace"
    first = run(tmp_path / "first", *STRESS, "--trace", file, program)
    bytes_of_first = file.read_bytes()
    second = run(tmp_path / "second", *STRESS, "--trace", file, program)
    assert file.read_bytes() == bytes_of_first
    plain = run(tmp_path / "plain", *STRESS, program)
    for result in (first, second):
        del result["configuration"]["run"]["trace"]
        assert result == plain


def test_a_run_that_ends_in_the_middle_leaves_what_was_under_way(tmp_path: Path) -> None:
    file = tmp_path / "trace"
    done = toroid("run", "--results", tmp_path, "--shape", "2x1x1", "--timeout", "500us", "--trace", file,
                  paths.guest_program("poll_forever"))  # fmt: skip
    assert done.returncode == 124, done.stderr
    trace = read_trace(file)
    assert trace.end == 500_000_000
    waits = trace["waits"]
    assert np.all(waits["end"] <= trace.end)
    assert np.any((waits["flags"] == records.UNFINISHED) & (waits["end"] == trace.end))


def test_what_cannot_be_recorded_is_said_before_anything_runs(tmp_path: Path) -> None:
    done = toroid("run", "--trace-calls", "MPI_*", paths.guest_program("hello"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--trace-calls: nothing is recorded" in done.stderr
    (tmp_path / "hello").write_text("a file, which cannot hold another")
    done = toroid("run", "--trace", tmp_path / "hello" / "x", "--shape", "1x1x1", paths.guest_program("hello"))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
