# SPDX-License-Identifier: Apache-2.0
"""What is made of a trace: a timeline that Perfetto opens, and packets that Wireshark's tshark dissects."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths
from toroid.page.protocols import protocol_shares
from toroid.shape import parse_shape
from toroid.trace import records
from toroid.trace.messages import message_pairs, ports
from toroid.trace.perfetto import write_perfetto
from toroid.trace.reader import Trace, read_trace

DISSECTOR = paths.ROOT / "testbench" / "wireshark" / "toroid.lua"
PING_PONG: Arguments = ["--shape", "2x2x1", paths.guest_program("pingpong"), "--iterations", "4"]
EAGER_PORT = 10  # which pingpong's eager protocol gets


def run(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    done = toroid("run", "--results", directory, *arguments)
    assert done.returncode == 0, done.stderr
    return read_result(directory)


# Perfetto ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def timeline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, list[dict[str, Any]]]:
    where = tmp_path_factory.mktemp("timeline")
    run(where, "--trace", where / "t", "--perfetto", where / "t.json.gz", *PING_PONG)
    with gzip.open(where / "t.json.gz") as file:
        return read_trace(where / "t"), json.load(file)["traceEvents"]


def test_the_timeline_holds_every_call_link_and_arrow(timeline: tuple[Trace, list[dict[str, Any]]]) -> None:
    trace, events = timeline
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert names[1] == "rank 0 (node 0,0,0, t 0)"
    assert {"FIFOs of node 0,0,0", "links of node 1,1,0", "tree at I/O 0"} <= set(names.values())
    slices = [event for event in events if event["ph"] == "X"]
    on_links = [event for event in slices if names[event["pid"]].startswith("links")]
    assert len(on_links) == len(trace["torus_sent"])
    calls = [event for event in slices if event["name"].startswith("bglml_")]
    assert len(calls) == len(trace["calls"])
    for begin, end in (("s", "f"), ("b", "e")):
        begun = {(event["cat"], event["id"]): event["ts"] for event in events if event["ph"] == begin}
        ended = {(event["cat"], event["id"]): event["ts"] for event in events if event["ph"] == end}
        assert begun.keys() == ended.keys()
        assert all(begun[key] <= ended[key] for key in begun)
    arrows = [event for event in events if event.get("cat") == "packet" and event["ph"] == "s"]
    assert len(arrows) == len(trace["torus_written"])
    # Slices of a track nest: what begins in another ends with it.
    open_until: dict[tuple[int, int], list[float]] = {}
    for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
        stack = open_until.setdefault((event["pid"], event["tid"]), [])
        while stack and stack[-1] <= event["ts"] + 1e-9:
            stack.pop()
        if names[event["pid"]].startswith("rank"):
            assert not stack or event["ts"] + event["dur"] <= stack[-1] + 1e-5
        stack.append(event["ts"] + event["dur"])


def test_arrows_lead_from_the_call_that_sends_to_the_one_that_receives(
    timeline: tuple[Trace, list[dict[str, Any]]],
) -> None:
    trace, _ = timeline
    pairs = list(message_pairs(trace))
    assert {(sender, receiver) for sender, _, receiver, _ in pairs} >= {(0, 1), (1, 0), (0, 3), (3, 0)}
    for sender, sent_at, receiver, read_at in pairs:
        assert sent_at < read_at
        for rank, at in ((sender, sent_at), (receiver, read_at)):
            mine = trace["calls"][trace["calls"]["rank"] == rank]
            assert np.any((mine["time"] <= at) & (at <= mine["end"]))


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("size", [4, 400, 40_000], ids=["one-packet", "eager", "rendezvous"])
def test_arrows_of_mpi_lead_from_the_send_to_where_it_is_received(tmp_path: Path, mode: str, size: int) -> None:
    program = compiled(PROGRAMS / "mpi_arrows.c", tmp_path, "mpicc")
    run(tmp_path, "--shape", "2x2x1", "--mode", mode, "--trace", tmp_path / "t", program, str(size))
    trace = read_trace(tmp_path / "t")
    names, calls = trace.metadata.functions, trace["calls"]

    def call_at(rank: int, at: int) -> str:
        mine = calls[(calls["rank"] == rank) & (calls["depth"] == 0) & (calls["time"] <= at) & (at <= calls["end"])]
        return names[int(mine["function"][0])]

    arrows = [(s, call_at(s, begin), r, call_at(r, end)) for s, begin, r, end in message_pairs(trace)]
    # Rank 0 to 1 with MPI_Send, everybody to the next but one without waiting: 2 and 4 times. What the two processes
    # of a node send to each other goes through no network.
    size_of_world = len(trace.metadata.ranks)
    assert arrows.count((0, "MPI_Send", 1, "MPI_Recv")) == 2
    for rank in range(size_of_world):
        to = (rank + 2) % size_of_world
        between_nodes = trace.metadata.ranks[rank].node != trace.metadata.ranks[to].node
        mine = [arrow for arrow in arrows if arrow[0] == rank and arrow[1] == "MPI_Isend"]
        # A receiver that has had no time to wait yet may read it in any call.
        assert [arrow[2] for arrow in mine] == [to] * (4 if between_nodes else 0)
    assert {arrow[3] for arrow in arrows if arrow[1] == "MPI_Isend"} & {"MPI_Wait", "MPI_Waitall"}


def test_the_same_timeline_to_the_byte(timeline: tuple[Trace, list[dict[str, Any]]], tmp_path: Path) -> None:
    trace, events = timeline
    for name in ("one.json.gz", "two.json.gz"):
        write_perfetto(trace, tmp_path / name)
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()
    write_perfetto(trace, tmp_path / "plain.json")
    assert json.loads((tmp_path / "plain.json").read_text())["traceEvents"] == events


# Captures ------------------------------------------------------------------------------------------------------------


def tshark(capture: Path, *arguments: str) -> list[list[str]]:
    """The fields named, a list a packet."""
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{DISSECTOR}", "-r", capture, "-T", "fields", *arguments],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Lua:" not in done.stderr, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def fields(*names: str) -> list[str]:
    return [word for name in names for word in ("-e", name)]


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Trace, dict[str, Any]]:
    where = tmp_path_factory.mktemp("capture")
    result = run(
        where, "--pcap", where / "all.pcapng", "--trace", where / "t",
        *PING_PONG, "--protocol", "eager", "--size", "700",
    )  # fmt: skip
    return where / "all.pcapng", read_trace(where / "t"), result


def test_tshark_sees_every_packet_on_every_link(capture: tuple[Path, Trace, dict[str, Any]]) -> None:
    file, trace, result = capture
    seen = tshark(file, "-Y", "toroid_torus", *fields(
        "frame.time_epoch", "toroid_torus.node", "toroid_torus.direction", "toroid_torus.destination",
        "toroid_torus.serial", "frame.interface_name", "frame.len",
    ))  # fmt: skip
    assert len(seen) == len(trace["torus_sent"]) == result["network"]["packet_hops"]
    metadata = trace.metadata
    to = {int(row["packet"]): metadata.node_name(int(row["destination"])) for row in trace["torus_written"]}
    for line, row in zip(seen, trace["torus_sent"], strict=True):
        node = metadata.node_name(int(row["node"]))
        assert round(float(line[0]) * 1e9) == int(row["time"]) // 1000
        assert line[1:5] == [node, str(row["direction"]), to[int(row["packet"])], str(int(row["packet"]) & 0xFFFFFFFF)]
        assert line[5] == f"{node} {'XYZ'[row['direction'] // 2]}{'+-'[row['direction'] % 2]}"
        assert int(line[6]) == 20 + 32 * int(row["chunks"])
    tree = tshark(file, "-Y", "toroid_tree", *fields("toroid_tree.node", "toroid_tree.class", "toroid_tree.vc"))
    assert len(tree) == result["tree"]["packet_hops"]
    assert {(line[1], line[2]) for line in tree} == {("12", "1"), ("13", "1")}  # calls to the I/O node and answers


def test_tshark_takes_messages_apart(capture: tuple[Path, Trace, dict[str, Any]]) -> None:
    file, _, _ = capture
    seen = tshark(
        file, "-Y", f"toroid_ml.port == {EAGER_PORT}",
        *fields("toroid_ml.protocol", "toroid_ml.source", "toroid_ml.length", "toroid_ml.offset", "toroid_torus.node"),
    )  # fmt: skip
    from_rank_0 = [line for line in seen if line[1] == "0" and line[4] == "0,0,0"]
    assert len(from_rank_0) >= 3 * 3 * 4
    # 700 bytes: the first packet holds 224 of them behind the metadata, the others 240.
    assert [line[2:4] for line in from_rank_0[:3]] == [["700", ""], ["", "224"], ["", "464"]]
    assert all(line[0] == "eager" for line in seen)


def test_tshark_names_ports_as_the_report_does(tmp_path: Path) -> None:
    """Those of the layer's own, of which the all-to-all is one, and those of the program, which MPI is."""
    program = compiled(PROGRAMS / "mpi_ports.c", tmp_path, "mpicc")
    run(tmp_path, "--shape", "2x2x2", "--pcap", tmp_path / "c", "--trace", tmp_path / "t", program)
    trace = read_trace(tmp_path / "t")
    known = {str(number): name for number, (name, _) in ports(trace).items()}
    named = {line[0]: line[1] for line in tshark(tmp_path / "c", *fields("toroid_ml.port", "toroid_ml.protocol"))}
    named.pop("")  # of the tree
    assert named == {port: known[port] for port in named}
    assert {"all-to-all by packets", "one-packet", "eager", "rendezvous", "rendezvous data"} <= set(named.values())
    page = {share.protocol for share in protocol_shares(trace)}
    assert page == set(named.values())


def test_a_program_without_the_message_layer_has_no_ports(tmp_path: Path) -> None:
    run(tmp_path, "--shape", "2x1x1", "--pcap", tmp_path / "c", paths.guest_program("bgl_torus_fifo_example"))
    seen = tshark(tmp_path / "c", "-Y", "toroid_torus", *fields("toroid_ml.protocol"))
    assert {line[0] for line in seen} == {"unknown"}
    # The preference tells what the capture cannot.
    seen = tshark(tmp_path / "c", "-o", "toroid_ml.ports:0:eager", "-Y", "toroid_torus", *fields("toroid_ml.protocol"))
    assert "eager" in {line[0] for line in seen}


def test_tshark_tells_source_and_destination_of_tree_packets(tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "mpi_ports.c", tmp_path, "mpicc")
    run(tmp_path, "--shape", "2x2x2", "--pcap", tmp_path / "c", "--trace", tmp_path / "t", program)
    seen = tshark(tmp_path / "c", "-Y", "toroid_tree", *fields(
        "toroid_tree.packet", "toroid_tree.source", "_ws.col.Source", "_ws.col.Destination", "toroid_tree.joined",
        "toroid_tree.opcode",
    ))  # fmt: skip
    injected = {int(row["packet"]): row for row in read_trace(tmp_path / "t")["tree_injected"]}
    assert seen
    for number, source, shown, to, joined, _ in seen:
        packet = int(source) << 32 | int(number)
        assert source == str(injected[packet]["node"])
        more = int(joined) - 1
        assert shown == f"tree {source}" + (f" and {more} more" if more else "")
        at_one = injected[packet]["flags"] & records.POINT_TO_POINT
        assert to == (
            f"tree {injected[packet]['target']}" if at_one else f"all of class {injected[packet]['route_class']}"
        )
    # A sum of all eight nodes comes down as one packet; what one node says to all is its own.
    assert {line[4] for line in seen if line[5] == "6"} >= {"1", "8"}
    assert {line[4] for line in seen if line[5] == "0"} == {"1"}


def test_tshark_takes_rendezvous_apart(tmp_path: Path) -> None:
    run(tmp_path, "--pcap", tmp_path / "c", *PING_PONG, "--protocol", "rendezvous", "--size", "3000")
    seen = tshark(tmp_path / "c", *fields("toroid_ml.port", "toroid_ml.protocol", "toroid_ml.id", "toroid_ml.address"))
    data = [line for line in seen if line[1] == "rendezvous data"]
    acknowledged = [line for line in seen if line[1] == "rendezvous acknowledgement"]
    assert data
    assert acknowledged
    assert {line[2] for line in data} <= {line[2] for line in acknowledged}


def test_a_filter_names_the_places(capture: tuple[Path, Trace, dict[str, Any]], tmp_path: Path) -> None:
    _, trace, _ = capture
    arguments: Arguments = [*PING_PONG, "--protocol", "eager", "--size", "700"]
    run(tmp_path, "--pcap", tmp_path / "link", "--pcap-filter", "link=0,0,0:X+", *arguments)
    sent = trace["torus_sent"]
    assert len(tshark(tmp_path / "link", *fields("frame.number"))) == np.count_nonzero(
        (sent["node"] == 0) & (sent["direction"] == 0)
    )
    run(tmp_path, "--pcap", tmp_path / "node", "--pcap-filter", "node=1,0,0 tree=4", *arguments)
    places = tshark(tmp_path / "node", *fields("toroid_torus.place", "toroid_torus.node", "toroid_tree.node"))
    assert {line[1] for line in places} == {"1,0,0", ""}
    assert {line[2] for line in places} == {"4", ""}
    written = trace["torus_written"]
    assert [line[0] for line in places].count("0") == np.count_nonzero(written["node"] == 1)
    assert [line[0] for line in places].count("2") == np.count_nonzero(trace["torus_received"]["node"] == 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pcap-filter", "tree"], "--pcap-filter: no packets are written"),
        (["--pcap", "c", "--pcap-filter", "node=9,0,0"], "node=9,0,0: 9,0,0 lies outside the machine of 2x2x1"),
        (["--pcap", "c", "--pcap-filter", "node=1,0"], "'1,0' are not coordinates 0,0,0"),
        (["--pcap", "c", "--pcap-filter", "link=1,0,0:U+"], "no direction 'U+'; there are X+, X-, Y+, Y-, Z+, Z-"),
        (["--pcap", "c", "--pcap-filter", "link=0,0,0:Z+"], "2x2x1 has no such link; from there lead: X+, X-, Y+, Y-"),
        (["--mesh", "X", "--pcap", "c", "--pcap-filter", "link=1,0,0:X+"], "no such link; from there lead: X-, Y+, Y-"),
        (
            ["--pcap", "c", "--pcap-filter", "tree=5"],
            "tree=5: the tree of 2x2x1 has no such node; its nodes are 0 to 4",
        ),
        (["--pcap", "c", "--pcap-filter", "rank=1"], "expected node=0,0,0, link=0,0,0:X+, links, tree=NODE or tree"),
    ],
)
def test_filters_that_mean_nothing_are_refused(options: list[str], message: str, tmp_path: Path) -> None:
    done = toroid("run", *options, "--shape", "2x2x1", paths.guest_program("hello"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("shape", "each"), [("2x2x1", 64), ("3x5x1", 4), ("5x3x2", 7)])
def test_nodes_of_the_tree_are_counted_as_the_machine_has_them(shape: str, each: int, tmp_path: Path) -> None:
    options = ["--shape", shape, "--set", f"tree.nodes_per_io_node={each}"]
    result = run(tmp_path, *options, paths.guest_program("hello"))
    assert parse_shape(shape, "XYZ").io_nodes(each) == len(result["io_nodes"])


# Warnings ------------------------------------------------------------------------------------------------------------


def test_options_that_will_do_nothing_are_warned_of(tmp_path: Path) -> None:
    patterns = ["--trace-calls", "nosuch_*", "--trace-calls", "bglml_*"]
    variables = ["--env", "BGLMPI_EAGERR=5", "--env", "BGLMPI_SHORT=5", "--env", "EAGERR=5"]
    done = toroid("run", "--results", tmp_path, "--trace", tmp_path / "t", *patterns, *variables, *PING_PONG)
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "warning" in line] == [
        "toroid: warning: --env BGLMPI_EAGERR: MPI has no such variable; did you mean BGLMPI_EAGER?",
        "toroid: warning: --trace-calls nosuch_*: fits no function of pingpong, so it records no calls",
    ]


# Places --------------------------------------------------------------------------------------------------------------


def test_directories_of_the_files_are_made(tmp_path: Path) -> None:
    options = ["--trace", "a/t", "--perfetto", "b/c/p.json", "--pcap", "d/c.pcapng", "--report", "e/f"]
    run(tmp_path, *[part if part.startswith("--") else tmp_path / part for part in options], *PING_PONG)
    for name in ("a/t", "b/c/p.json", "d/c.pcapng", "e/f/index.html"):
        assert (tmp_path / name).stat().st_size > 0, name


def test_a_file_that_fails_does_not_prevent_the_others(tmp_path: Path) -> None:
    arguments: Arguments = ["--perfetto", "/dev/full", "--pcap", tmp_path / "c", "--json", "/dev/full", *PING_PONG]
    done = toroid("run", "--results", tmp_path / "out", *arguments)
    lines = done.stderr.splitlines()
    assert done.returncode == 1
    assert lines[-1] == lines[-2] == "toroid: /dev/full: cannot be written: No space left on device"
    assert lines[-3] == f"toroid: result: {tmp_path}/out/result.json"
    assert lines[-4] == f"toroid: trace: {tmp_path}/c"
    assert (tmp_path / "c").stat().st_size > 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "configuration.json", "host.json", "result.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "dir"], "--report dir: cannot be written: dir/index.html is a directory"),
        (["--report", ""], "--report '': the name is empty"),
        (["--json", ""], "--json '': the name is empty"),
        (["--pcap", "a", "--perfetto", "./a"], "--perfetto a and --pcap a: the same file; each needs one of its own"),
        (["--trace", "a", "--json", "a"], "--trace a and --json a: the same file; each needs one of its own"),
        (["--report", "r", "--json", "r/index.html"], "--json r/index.html and --report r/index.html: the same file"),
        (["--pcap", "a", "--report", "a"], "--report a/index.html: cannot be written: --pcap a is a file"),
        (["--results", "dir", "--pcap", "dir/trace.bin"], "--pcap dir/trace.bin and the run's dir/trace.bin: the same"),
    ],
)
def test_places_that_cannot_be_are_refused_before_the_run(options: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "dir" / "index.html").mkdir(parents=True)
    done = toroid("run", *options, "--shape", "2x2x1", paths.guest_program("hello"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"toroid: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["dir", "index.html"]


def test_any_number_of_files_may_go_nowhere(tmp_path: Path) -> None:
    run(tmp_path, "--perfetto", "/dev/null", "--pcap", "/dev/null", *PING_PONG)


def test_a_report_of_reproduce_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    done = toroid("reproduce", "bgl", "--report", tmp_path, "--results", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr == f"toroid: --report {tmp_path}: cannot be written: {tmp_path}/index.html is a directory\n"
