# SPDX-License-Identifier: Apache-2.0
"""gdb at a rank: sessions of the real gdb-multiarch, and what is left of them in the results, which is nothing."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from gdb_session import LONG, assert_in_order, outcome, plain, rest_of, running
from helpers import PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths
from toroid.trace.reader import read_trace

DEBUGGED_SOURCE = PROGRAMS / "debugged.c"
DEBUGGED = paths.guest_program("debugged")


def test_the_printed_command_finds_all_sources_from_anywhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "it's here"
    elsewhere.mkdir()
    program = compiled(DEBUGGED_SOURCE, elsewhere)
    with running(tmp_path / "gdb", "1", "--shape", "2x1x1", program) as run:
        commands = ["set debuginfod enabled off", "info line bglml_barrier", "list bgl_torus_inject", "continue"]
        words = " ".join(f"-ex '{command}'" for command in commands)
        done = subprocess.run(
            f"{run.command} -nx -batch {words}", shell=True, cwd="/", stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=LONG, check=False,
        )  # fmt: skip
        assert run.finish() == 0
    assert 'of "firmware/bgl/msglayer/barrier.c"' in done.stdout
    assert "void bgl_torus_inject(unsigned group" in done.stdout
    assert "No such file" not in done.stdout + done.stderr
    assert "exited normally" in done.stdout


def test_stops_at_packets(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("driver_mistakes"), "half_read"]
    with running(tmp_path / "gdb", "1", *arguments) as run:
        out = run.gdb("monitor break inject", "monitor break receive R1 0", "monitor break receive R0",
                      "monitor break receive R7", "monitor break", "continue", "monitor where", "backtrace",
                      "monitor delete 2", "monitor delete 2", "continue", "continue")  # fmt: skip
        assert run.finish() == 1
    assert "1: inject\n2: receive R1, group 0\n3: receive R0\n" in out
    assert 'there is no FIFO "R7" to receive' in out
    stop = "toroid: packet break 2: a packet of 1 chunk from (0,0,0) is in R1 of group 0\n"
    assert out.count(stop) == 1
    assert re.search(re.escape(stop) + r"\nProgram received signal SIGTRAP.*\n(.*\n)*.*wait_for_packet", out)
    assert "packet break 2 deleted" in out
    assert 'there is no packet break "2"' in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_stops_where_a_packet_is_written(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("driver_mistakes"), "half_read"]
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("monitor break inject I0", "monitor break inject I1", "continue", "backtrace", "continue",
                      "monitor delete", "monitor break", "continue")  # fmt: skip
    assert out.count("packet break 1: a packet of 1 chunk to (1,0,0) is in I0 of group 0") == 2
    assert re.search(r"#\d .*bgl_torus_inject_gather .*\n(.*\n)*#\d .* half_read ", out)
    assert "no packet breaks\n" in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_shows_the_dma_of_a_node(tmp_path: Path) -> None:
    program = paths.guest_program("dma_put", "bgp")
    arguments: Arguments = ["--machine", "bgp", "--shape", "2x1x1", program]
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("monitor help", "break bgp_dma_inject", "continue", "monitor dma counter inj 0 0",
                      "monitor dma counter rec 0 0", "delete", "monitor break inject I0 0", "continue", "monitor dma",
                      "monitor dma fifo rec 0 9", "monitor delete", "continue")  # fmt: skip
    assert "monitor dma counter inj|rec GROUP NUMBER" in out
    assert re.search(r"DMA injection counter 0 of group 0: value 64, base 0x\w+, enabled", out)
    assert re.search(r"DMA reception counter 0 of group 0: value (64|0), base 0x\w+, last byte 0x\w+, .*enabled", out)
    stop = "toroid: packet break 1: the tail of DMA injection FIFO 0 of group 0 was written"
    assert out.count(stop) == 1
    assert re.search(r"DMA injection FIFO 0 of group 0: START .* 1 descriptors?\n", out[out.index(stop) :])
    assert "there is no such FIFO or counter; groups are 0 to 3" in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_shows_the_messaging_unit_of_a_node(tmp_path: Path) -> None:
    """The sender's FIFO with the descriptor that has just been written, then the receiver's, and its counter."""
    arguments: Arguments = ["--machine", "bgq", "--shape", "2x1x1x1x1", paths.guest_program("mu_put", "bgq")]
    undisturbed = plain(tmp_path / "plain", *arguments)
    with running(tmp_path / "0", "0", *arguments) as run:
        out = run.gdb("monitor help", "break mu_inject", "continue", "delete", "monitor break inject", "continue",
                      "monitor mu", "monitor mu fifo inj 0 0", "continue", "monitor mu fifo inj 0 0",
                      "monitor mu fifo inj 68 0", "monitor mu base", "monitor delete", "continue")  # fmt: skip
    assert outcome(tmp_path / "0") == undisturbed
    assert "monitor mu route [CLASS]" in out
    ring = r"injection FIFO 0 of subgroup 0: START 0x(\w+), SIZE 0x0000003ff, HEAD 0x\w+, TAIL 0x\w+, enabled, "
    way = r"    channel deterministic, no hints, network FIFOs: all links\n"
    assert_in_order(out, [
        r"toroid: packet break 1: the tail of injection FIFO 0 of subgroup 0 was written",
        r"1 message in work, .*\n" + ring + r"1 descriptor waiting, 0 descriptors done\n" + ring +
        r"1 descriptor waiting, 0 descriptors done\n"
        r"  descriptor at 0x\w+: a memory FIFO message of 29 bytes to \(1,0,0,0,0\), from 0x\w+, packets of 512 bytes\n"
        r"    to reception FIFO 0 of subgroup 0, put offset 0x0\n" + way,
        ring + r"1 descriptor waiting, 1 descriptor done\n"
        r"  descriptor at 0x\w+: a put of 4000 bytes to \(1,0,0,0,0\), from 0x\w+, packets of 512 bytes\n"
        r"    to base address 0 of subgroup 0 \+ 0x0, counted at base address 1 of subgroup 0 \+ 0x0\n" + way,
        r"there is no injection FIFO 0 of subgroup 68: subgroups are 0 to 67, and the numbers of each 0 to 7\n",
        r"monitor mu base: what there is is monitor mu, monitor mu fifo inj\|rec SUBGROUP NUMBER, ",
    ])  # fmt: skip
    with running(tmp_path / "1", "1", *arguments) as run:
        out = run.gdb("break receive", "continue", "delete", "monitor break receive", "continue", "monitor mu",
                      "monitor mu fifo rec 0 0", "monitor mu base 0 1", "monitor delete", "continue")  # fmt: skip
    assert outcome(tmp_path / "1") == undisturbed
    base = r"base address 1 of subgroup 0: 0x\w+, atomic \(add\), the word there is 4000\n"
    assert_in_order(out, [
        r"a packet of 2 chunks from \(0,0,0,0,0\) is in reception FIFO 0 of subgroup 0",
        r"1 packet from it.*\nreception FIFO 0 of subgroup 0: .*, enabled, 64 bytes\n",
        r"base address 0 of subgroup 0: 0x\w+\n" + base,
        r"  packet at 0x\w+: 32 bytes of payload, channel deterministic, .*\n" + base,
    ])  # fmt: skip


# The second node sets its end of two classes late.
LATE_ROUTES = """
#include <spi/include/kernel/collective.h>
#include <spi/include/kernel/gi.h>
#include <spi/include/kernel/location.h>
#include <spi/include/mu/GIBarrier.h>
enum { CLASS = 3, LOCAL = 1, PLUS_A = 0x400, MINUS_A = 0x800, OF_SOME = 0x2000 };
volatile int passed;
__attribute__((noinline)) static void here(void) { ++passed; }
int main(void) {
  const int first = Kernel_GetRank() == 0;
  ClassRoute_t route = {first ? PLUS_A | LOCAL : LOCAL, first ? 0 : MINUS_A};
  if (!first) DelayTimeBase(200000);
  Kernel_AllocateGlobalInterruptClassRoute(CLASS, NULL);
  Kernel_SetGlobalInterruptClassRoute(CLASS, &route);
  Kernel_AllocateCollectiveClassRoute(CLASS);
  route.input |= OF_SOME;
  Kernel_SetCollectiveClassRoute(CLASS, &route);
  Kernel_AllocateCollectiveClassRoute(CLASS + 1);
  here();
  DelayTimeBase(400000);
  here();
  return 0;
}
"""


def test_shows_routes_of_classes_and_the_ends_that_are_missing(tmp_path: Path) -> None:
    source = tmp_path / "late_routes.c"
    source.write_text(LATE_ROUTES, encoding="utf-8")
    program = tmp_path / "late_routes"
    assert toroid("cc", "--machine", "bgq", "-g", source, "-o", program).returncode == 0
    with running(tmp_path / "gdb", "0", "--machine", "bgq", "--shape", "2x1x1x1x1", program) as run:
        out = run.gdb("break here", "continue", "monitor mu route", "continue", "monitor mu route 3",
                      "monitor mu route 5", "monitor mu route 16", "continue")  # fmt: skip
        assert run.finish() == 0
    own = "down local, A+{}; up none, the root"
    missing = " (node (1,0,0,0,0) does not have it up)"
    assert (
        f"""
collective class 0: of some nodes, down local; up A+
collective class 3: of some nodes, {own.format(missing)}
collective class 4: taken, without a route
collective class 13: of the system, down local; up A+
collective class 14: of the system, down local; up A+
collective class 15: of the system, down local; up A+
global interrupt class 0: down local; up A+; control 4, status 4
global interrupt class 3: {own.format(missing)}; control 0, status 0
global interrupt class 13: of the system, down local; up A+; control 0, status 0
"""
        in out
    )
    assert (
        f"""
collective class 3: of some nodes, {own.format("")}
global interrupt class 3: {own.format("")}; control 0, status 0
collective class 5: free
global interrupt class 5: free; control 0, status 0
there is no class 16: classes are 0 to 15
"""
        in out
    )


def test_stops_at_packets_of_the_tree(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("tree_packets"), "reduce", "3"]
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("monitor break inject tree", "monitor break receive tree", "continue", "backtrace", "continue",
                      "monitor delete", "continue")  # fmt: skip
    injected, received = (
        out.index(f"packet break {number}: a packet of class 0 is in the {what} FIFOs of tree VC0")
        for number, what in ((1, "injection"), (2, "reception"))
    )
    assert injected < out.index("bgl_tree_inject") < received < out.index("exited normally")
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_a_watchpoint_on_a_device_says_what_it_sees(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("driver_mistakes"), "half_read"]
    with running(tmp_path / "gdb", "1", *arguments) as run:
        out = run.gdb("watch *(int*)0xb1147000", "rwatch *(int*)0xb1147004", "continue", "delete", "continue")
    assert out.count("toroid: 0xb1147000 is a device's: watch stops only where a store of the rank itself") == 1
    assert "Hardware read watchpoint 2: *(int*)0xb1147004" in out
    assert "bgl_torus_read_status" in out or "wait_for_packet" in out


def test_device_control_registers_are_listed(tmp_path: Path) -> None:
    with running(tmp_path, "0", "--shape", "1x1x1", paths.guest_program("hello")) as run:
        out = run.gdb("monitor dcr", "monitor help", "continue")
    assert re.search(r"0x000 to 0x005  interrupt controller", out)
    assert re.search(r"0x1c0 to 0x1c7  tree", out)
    assert re.search(r"0x280 to 0x\w+  torus", out)
    for command in ("where", "cores", "break", "delete", "dcr", "device", "help"):
        assert f"\nmonitor {command}" in out


def test_a_session(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", DEBUGGED, "fails"]
    with running(tmp_path / "gdb", "1", *arguments) as run:
        out = run.gdb(
            "monitor where", "break square if value == 3", "continue", "backtrace", "print value", "finish",
            "print *account", "next", "next", "print account->entries", "print/x *account@1", "stepi", "info threads",
            "monitor where", "delete", "watch total", "continue", "delete", "print $f1 == $f1",
            "tbreak bglml_barrier", "continue", "print square(7)", "print total", "set var total = 5", "print total",
            "continue",
        )  # fmt: skip
        assert run.finish() == 3
    expected = [
        r"rank 1 \(node 1,0,0\), core 0: at 0x\w+ \(_start\+0x0\)",
        r"simulated time 0.000 us, core cycle 0",
        r"Breakpoint 1, square \(value=.*3\) at ",
        r"#0  square ",
        r"#1  0x\w+ in add_squares \(account=.*count=.*\) at ",
        r"#2  0x\w+ in main \(",
        r"\$1 = 3",
        r"Value returned is \$2 = 9",
        r"\$3 = {entries = 2, sum = 5.5}",
        r"\$4 = 3",
        r"\* 1    Thread 1 \(core 0, running\) .*add_squares ",
        r"Old value = 14",
        r"New value = 30",
        r"\$6 = 1",
        r"Temporary breakpoint 3, bglml_barrier ",
        r"\$7 = 49",
        r"\$8 = 79",
        r"\$9 = 5",
        r"exited with code 03",
    ]
    assert_in_order(out, expected)


STOPS = [
    pytest.param(["--shape", "2x1x1", DEBUGGED], "square", id="in a loop"),
    pytest.param(["--shape", "2x1x1", DEBUGGED], "bglml_barrier", id="at a barrier"),
    pytest.param(["--shape", "1x1x1", "--set", "global_interrupts.wire_cycles=300", paths.guest_program("interrupts")],
                 "handler", id="in an interrupt handler"),
    pytest.param(["--shape", "1x1x1", paths.guest_program("second_core"), "exchange"], "serve", id="second core"),
    pytest.param(["--shape", "2x1x1", "--mode", "vn", paths.guest_program("virtual_nodes")], "main", id="virtual node"),
    pytest.param(["--shape", "2x1x1", paths.guest_program("pingpong"), "--iterations", "3"], "bglml_advance",
                 id="while polling"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "function"), STOPS)
def test_stops_and_steps_change_no_result(tmp_path: Path, arguments: Arguments, function: str) -> None:
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb(f"break {function}", "continue", "stepi", "stepi 7", "next", "continue", "backtrace", "delete",
                      "continue")  # fmt: skip
    assert f"{function} (" in out
    assert "exited normally" in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_without_stops_nothing_changes_either(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x2x1", DEBUGGED]
    with running(tmp_path / "gdb", "2", *arguments) as run:
        assert "exited normally" in run.gdb("continue")
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_a_trace_and_a_report_are_the_same_with_a_session(tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "mpi_arrows.c", tmp_path, "mpicc")

    def arguments(name: str) -> Arguments:
        files = tmp_path / name
        return ["--shape", "2x2x1", "--trace", files / "trace", "--report", files / "report", program, "400"]

    with running(tmp_path / "gdb", "1", *arguments("gdb")) as run:
        out = run.gdb("break MPI_Waitall", "continue", "backtrace", "stepi", "next", "delete", "continue")
    assert "in main ()" in out
    assert "exited normally" in out
    toroid("run", "--results", tmp_path / "plain", *arguments("plain"))
    # The file may have its blocks in another order: cores work ahead of each other in other steps.
    first, second = (read_trace(tmp_path / name / "trace") for name in ("gdb", "plain"))
    assert len(first["calls"]) > 0
    for table, records in first.tables.items():
        assert np.array_equal(records, second[table]), table
    pages = [(tmp_path / name / "report" / "index.html").read_bytes() for name in ("gdb", "plain")]
    assert pages[0] == pages[1]


def test_both_cores_are_threads(tmp_path: Path) -> None:
    with running(tmp_path, "0", "--shape", "1x1x1", paths.guest_program("second_core"), "exchange") as run:
        out = run.gdb("break serve", "continue", "info threads", "thread 1", "backtrace", "monitor cores", "delete",
                      "continue")  # fmt: skip
    assert re.search(r"  1    Thread 1 \(core 0, \w+\) ", out)
    assert re.search(r"\* 2    Thread 2 \(core 1, running\) serve ", out)
    assert re.search(r"#\d+ .*main \(", out)
    assert re.search(r"core 0: \w+ at .*\ncore 1: running at 0x\w+ \(serve\+0x", out)


def test_device_registers_are_read_without_a_side_effect(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("pingpong"), "--iterations", "3"]
    with running(tmp_path / "gdb", "1", *arguments) as run:
        out = run.gdb("break bglml_barrier", "continue", "monitor device 0xb1147000", "x/4xw 0xb1147000",
                      "monitor device 0xb1140000", "x/xw 0xb1140000", "monitor dcr 0x280", "monitor dcr 0x3ff",
                      "monitor device 0x10", "monitor nonsense", "delete", "continue")  # fmt: skip
    assert len(re.findall(r"0xb1147000:\s0x\w{8}\s0x\w{8}\s0x\w{8}\s0x\w{8}", out)) == 2
    assert "0xb1140000: a read of torus reception FIFO R0 of group 0 takes data out of it" in out
    assert "Cannot access memory at address 0xb1140000" in out
    assert "there is no device control register 0x3ff" in out
    assert re.search(r"DCR 0x280: 0x\w{8}\n", out)
    assert "monitor nonsense: there is no such command" in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


@pytest.mark.parametrize(
    ("program", "says", "where"),
    [
        ("null", "SIGSEGV", "store_through_null"),
        ("illegal", "SIGILL", "execute_illegal"),
        ("read_empty", "SIGBUS", "read_empty_fifo"),
    ],
)
def test_a_fault_stops_where_it_happens(tmp_path: Path, program: str, says: str, where: str) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program(program)]
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("continue", "backtrace", "continue")
        assert run.finish() == 1
    assert f"Program received signal {says}" in out
    assert re.search(rf"#\d .*{where} \(\).*\n(#\d.*\n)*#\d .* main \(", out)
    assert f"Program terminated with signal {says}" in out
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


@pytest.mark.parametrize(("rank", "where"), [("0", "wait_for_nobody"), ("1", "compute_for_ever")])
def test_ctrl_c_stops_a_core_that_polls_or_computes(tmp_path: Path, rank: str, where: str) -> None:
    with running(tmp_path, rank, "--shape", "2x1x1", DEBUGGED, "computes") as run:
        gdb = run.start_gdb("echo continuing\\n", "continue", "backtrace", "break bglml_advance if total == 0",
                            "stepi", "monitor where", "echo stepped\\n", "kill")  # fmt: skip
        with gdb:
            assert gdb.stdout is not None
            while "continuing" not in gdb.stdout.readline():
                pass
            time.sleep(1)
            gdb.send_signal(signal.SIGINT)
            out = rest_of(gdb)
        assert "Program received signal SIGINT" in out
        assert re.search(rf"#\d .*{where} \(", out)
        assert re.search(r"simulated time .*\nstepped", out)
        assert run.finish() == 130


def test_ranks_that_wait_for_ever_can_be_looked_at(tmp_path: Path) -> None:
    with running(tmp_path, "0", "--shape", "2x1x1", DEBUGGED, "waits") as run:
        out = run.gdb("continue", "backtrace", "continue")
        assert run.finish() == 1
    assert "toroid: rank 0 (node 0,0,0): polls at " in out
    assert re.search(r"#\d .*wait_for_nobody \(", out)
    assert read_result(tmp_path)["ended"] == "deadlock"


@pytest.mark.parametrize("end", ["detach", "disconnect"])
def test_the_run_goes_on_without_gdb(tmp_path: Path, end: str) -> None:
    arguments: Arguments = ["--shape", "2x1x1", DEBUGGED]
    with running(tmp_path / "gdb", "0", *arguments) as run:
        run.gdb("break square", "continue", end)
        assert run.finish() == 0
    assert outcome(tmp_path / "gdb") == plain(tmp_path / "plain", *arguments)


def test_ctrl_c_ends_a_run_that_waits_for_gdb(tmp_path: Path) -> None:
    with running(tmp_path, "0", "--shape", "1x1x1", DEBUGGED) as run:
        os.killpg(run.process.pid, signal.SIGINT)
        assert run.finish() == 130


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2", "--gdb 2: there is no rank 2; the ranks are 0 to 1"),
        ("x", "--gdb x: expected RANK or RANK:PORT"),
        ("0:", "--gdb 0:: expected RANK or RANK:PORT"),
        ("0:70000", "--gdb 0:70000: there is no port 70000; the largest is 65535"),
    ],
)
def test_bad_requests_are_refused(text: str, says: str) -> None:
    done = toroid("run", "--shape", "2x1x1", "--gdb", text, DEBUGGED)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = toroid("run", "--results", tmp_path, "--shape", "2x1x1", "--gdb", f"0:{port}", DEBUGGED)
    assert done.returncode == 2
    assert f"cannot listen for gdb on port {port} of this host: Address already in use" in done.stderr
    assert len(done.stderr.splitlines()) == 1
