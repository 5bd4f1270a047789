# SPDX-License-Identifier: Apache-2.0
"""gdb at a rank: sessions of the real gdb-multiarch, and what is left of them in the results, which is nothing."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chips
import numpy as np
import pytest
from helpers import LAUNCHER, PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths
from toroid.trace.reader import read_trace

DEBUGGED_SOURCE = PROGRAMS / "debugged.c"
DEBUGGED = paths.guest_program("debugged")
# The command line with the machines of test_chip.
TEST_CHIPS: Arguments = ["env", f"PYTHONPATH={paths.ROOT / 'testbench'}", sys.executable, chips.__file__]
LONG = 120.0  # seconds: a host with much else to do


class Run:
    """A `toroid run --gdb` that waits for its gdb."""

    def __init__(self, process: subprocess.Popen[str], errors: Path) -> None:
        self.process = process
        self._errors = errors
        self.command = self._wait_for(r"\n(gdb-multiarch .*)\n")
        self.target = re.findall(r"'(target remote localhost:\d+)'", self.command)[0]

    def stderr(self) -> str:
        return self._errors.read_text()

    def _wait_for(self, pattern: str) -> str:
        end = time.monotonic() + LONG
        while not (found := re.search(pattern, self.stderr())):
            assert self.process.poll() is None, self.stderr()
            assert time.monotonic() < end, self.stderr()
            time.sleep(0.02)
        return found[1]

    def finish(self) -> int:
        return self.process.wait(LONG)

    def gdb(self, *commands: str) -> str:
        """A whole session; returns what gdb printed."""
        with self.start_gdb(*commands) as process:
            return rest_of(process)

    def start_gdb(self, *commands: str) -> subprocess.Popen[str]:
        settings = ["set debuginfod enabled off", "set width 0", "set pagination off"]
        each = [word for command in [*settings, self.target, *commands] for word in ("-ex", command)]
        return subprocess.Popen(
            ["gdb-multiarch", "-nx", "-batch", *each], cwd=paths.ROOT, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip


def rest_of(gdb: subprocess.Popen[str]) -> str:
    """What a gdb prints until its end. One that hangs fails the test."""
    try:
        return gdb.communicate(timeout=LONG)[0]
    except subprocess.TimeoutExpired:
        gdb.kill()
        raise


@contextmanager
def running(
    results: Path, rank: str, *arguments: str | Path, launcher: Sequence[str | Path] = (LAUNCHER,)
) -> Iterator[Run]:
    command = [*map(str, launcher), "run", "--results", str(results), "--gdb", rank, *map(str, arguments)]
    with (
        tempfile.NamedTemporaryFile() as errors,
        Path(errors.name).open("w") as stderr,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True
        ) as process,
    ):
        try:
            yield Run(process, Path(errors.name))
            process.wait(LONG)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def outcome(directory: Path) -> dict[str, Any]:
    result = read_result(directory)
    del result["configuration"]
    return result


def assert_in_order(out: str, patterns: Sequence[str]) -> None:
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(out, at)
        assert found, f"{pattern} not behind {out[:at][-80:]!r} in\n{out}"
        at = found.end()


def plain(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    toroid("run", "--results", directory, *arguments)
    return outcome(directory)


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


def test_vector_registers_hold_what_quad_loads_and_stores_move(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("driver_mistakes"), "half_read"]
    # The header of a packet to (1,0,0): in memory, then in the register that is stored to the FIFO.
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("monitor break inject I0", "break bgl_torus_inject_gather", "continue", "print/x header->word",
                      "next", "next", "x/2i $pc", "info registers vr0 vr1 vscr", "continue", "print/x $vr0.v4_int32",
                      "set var $vr31.v4_int32[3] = 0x1234", "print/x $vr31.v4_int32[3]", "delete", "monitor delete",
                      "continue")  # fmt: skip
    header = re.search(r"\$1 = (\{0x\w+, 0x\w+, 0x0, 0x0\})", out)
    assert header, out
    assert header[1] in out[header.end() :] or f"v4_int32 = {header[1]}" in out
    assert "<unavailable>" in out
    assert re.search(r"= 0x1234\n", out)


HALF = """
__attribute__((noinline)) static double half(double number) { return number / 2; }
"""
ALTIVEC = """
#include <altivec.h>
typedef vector unsigned words;
"""
SSE2 = """
typedef unsigned words __attribute__((vector_size(16)));
"""
VECTORS = """
#include <stdio.h>
__attribute__((noinline)) static unsigned second(words number) { return ((unsigned*)&number)[1]; }
int main(void) {
  volatile double number = 3;
  words four = {1, 2, 3, 4};
  __asm__ volatile("" : "+CONSTRAINT"(four));
  const double answer = half(number);
  printf("%g %u\\n", answer, second(four));
  return 0;
}
"""
NUMBERS = """
#include <stdio.h>
int main(void) {
  volatile double number = 3;
  printf("%g 77\\n", half(number));
  return 0;
}
"""
VECTOR_SESSION = ["print/x {0}.v4_int32", "set var {0}.v4_int32[1] = 77", "print {0}.v4_int32[1]",
                  "print {0}.v16_int8[{1}]"]  # fmt: skip


@dataclass(frozen=True)
class Registers:
    """How an instruction set passes a double and a vector; not all have vectors."""

    source: str
    options: list[str]
    double: str
    vector: str = ""
    low: int = 0  # where the lowest byte of a vector's first word is


REGISTERS = {
    "test-ppc32": Registers(HALF + ALTIVEC + VECTORS.replace("CONSTRAINT", "v"), ["-maltivec", "-mabi=altivec"],
                            "$f1", "$vr2", 3),
    "test-ppc64": Registers(HALF + NUMBERS, [], "$f1"),
    "test-x86_64": Registers(HALF + SSE2 + VECTORS.replace("CONSTRAINT", "x"), [], "$xmm0.v2_double[0]", "$xmm0"),
}  # fmt: skip


@pytest.mark.parametrize("machine", chips.MACHINES)
def test_what_gdb_writes_to_registers_is_there(tmp_path: Path, machine: str) -> None:
    """Floating-point and vector registers: arguments that gdb changes before their functions read them."""
    registers = REGISTERS[machine]
    source, program = tmp_path / "registers.c", tmp_path / "registers"
    source.write_text(registers.source)
    chips.compiled(machine, source, program, ["-O1", "-g", *registers.options])
    session = ["break *half", "continue", f"print {registers.double}", f"set var {registers.double} = 42.5"]
    if registers.vector:
        each = [command.format(registers.vector, registers.low) for command in VECTOR_SESSION]
        session += ["break *second", "continue", *each]
    with running(tmp_path / "gdb", "0", "--machine", machine, "--shape", "1", program, launcher=TEST_CHIPS) as run:
        out = run.gdb(*session, "continue")
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = 3\n" in out
    if registers.vector:
        assert "$2 = {0x1, 0x2, 0x3, 0x4}" in out
        assert "$3 = 77\n" in out
        assert "$4 = 1\n" in out
    assert printed == "21.25 77\n", out


X87 = """
#include <stdio.h>
int main(void) {
  long double sum;
  unsigned short control;
  __asm__ volatile("fldpi; fld1\\nloaded: faddp; fstpt %0; fnstcw %1" : "=m"(sum), "=m"(control) : : "st", "st(1)");
  printf("%Lg %#x\\n", sum, control);
  return 0;
}
"""


@pytest.mark.skipif("test-x86_64" not in chips.MACHINES, reason="the host's compiler makes the program")
def test_registers_of_the_x87(tmp_path: Path) -> None:
    source, program = tmp_path / "x87.c", tmp_path / "x87"
    source.write_text(X87)
    chips.compiled("test-x86_64", source, program, ["-O1", "-g"])
    arguments: Arguments = ["--machine", "test-x86_64", "--shape", "1", program]
    with running(tmp_path / "gdb", "0", *arguments, launcher=TEST_CHIPS) as run:
        out = run.gdb("break *&loaded", "continue", "print $st0", "print $st1 > 3.14159 && $st1 < 3.1416",
                      "print/x $fctrl", "print/x $ftag", "print ($fstat >> 11) & 7", "set var $st1 = 2.5",
                      "set var $fctrl = 0x77f", "continue")  # fmt: skip
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = 1\n" in out
    assert "$2 = 1\n" in out
    assert "$3 = 0x37f\n" in out
    assert "$4 = 0xfff\n" in out.replace("0x0fff", "0xfff")
    assert "$5 = 6\n" in out
    assert printed == "3.5 0x77f\n", out


QUAD = """
#include <stdio.h>
static double in[4] __attribute__((aligned(32))) = {1, 2, 3, 4}, out[4] __attribute__((aligned(32)));
int main(void) {
  register double* from __asm__("r14") = in;
  register double* to __asm__("r15") = out;
  __asm__ volatile(".long 31<<26 | 7<<21 | 14<<11 | 583<<1\\n"  // qvlfdx f7,0,r14
                   "loaded: .long 31<<26 | 7<<21 | 15<<11 | 711<<1\\n"  // qvstfdx f7,0,r15
                   :: "r"(from), "r"(to) : "fr7", "memory");
  printf("%g %g %g %g\\n", out[0], out[1], out[2], out[3]);
  return 0;
}
"""


def test_registers_of_four_doubles(tmp_path: Path) -> None:
    """The first element is the floating-point register, the others are registers of their own."""
    source, program = tmp_path / "quad.c", tmp_path / "quad"
    source.write_text(QUAD)
    chips.compiled("test-ppc64", source, program, ["-O1", "-g"])
    arguments: Arguments = ["--machine", "test-ppc64", "--shape", "1", program]
    with running(tmp_path / "gdb", "0", *arguments, launcher=TEST_CHIPS) as run:
        out = run.gdb("break *&loaded", "continue", "print $q7", "print $f7", "set var $f7 = 10", "set var $q7.e2 = 30",
                      "set var $q7.e3 = $q7.e1", "info registers q7", "continue")  # fmt: skip
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = {e1 = 2, e2 = 3, e3 = 4}" in out
    assert "$2 = 1\n" in out
    assert re.search(r"q7 .*\{e1 = 2, e2 = 30, e3 = 2\}", out)
    assert "10 2 30 2\n" in printed


THREADS = """
#include <pthread.h>
#include <stdio.h>
static volatile int total;
static int square(int value) { return value * value; }
static void add(int from, int to) {
  for (int i = from; i < to; ++i)
    total += square(i);
}
static void* work(void* first) {
  add(*(int*)first, *(int*)first + 3);
  return 0;
}
int main(void) {
  int first = 1;
  pthread_t thread;
  pthread_create(&thread, 0, work, &first);
  pthread_join(thread, 0);
  printf("%d\\n", total);
  return total == 100 ? 0 : 1;
}
"""


@pytest.mark.parametrize("machine", chips.MACHINES)
def test_a_session_at_a_test_chip(tmp_path: Path, machine: str) -> None:
    """Breakpoints, steps, watchpoints, threads, calls."""
    source, program = tmp_path / "threads.c", tmp_path / "threads"
    source.write_text(THREADS)
    chips.compiled(machine, source, program, ["-O0", "-g", "-pthread"])
    arguments: Arguments = ["--machine", machine, "--shape", "1", program]
    with running(tmp_path / "gdb", "0", *arguments, launcher=TEST_CHIPS) as run:
        out = run.gdb(
            "break add", "continue", "info threads", "backtrace", "print from", "next", "stepi 3", "watch total",
            "continue", "continue", "delete", "print square(7)", "print total", "set var total = 91",
            "finish", "info registers", "continue",
        )  # fmt: skip
        assert run.finish() == 0, out + run.stderr()
    expected = [
        r"Breakpoint 1, add \(from=1, to=4\) at ",
        r"\* 2    Thread 2 \(core 1, running\)",
        r"#0  add \(from=1, to=4\) at .*threads.c",
        r"#1  0x\w+ in work \(first=0x\w+\) at .*threads.c",
        r"\$1 = 1",
        r"Old value = 0",
        r"New value = 1",
        r"Old value = 1",
        r"New value = 5",
        r"\$2 = 49",
        r"\$3 = 5",
        r"work \(first=0x\w+\) at .*threads.c",
        r"(r0|rax) +0x",
        r"exited normally",
    ]
    assert_in_order(out, expected)


CALLS = """
#include <stdio.h>
static int calls;
int add(int a, int b) { ++calls; return a + b; }
double mix(int a, double b, long long c, const char* text) { return a + b + (double)c + text[1]; }
int both(int value) {
  const int first = add(value, 1);
  return first + add(value, 2);
}
int main(void) {
  const int sum = both(3);
  printf("%d %g %d\\n", sum, mix(1, 0.5, 2, "ab"), calls);
  return 0;
}
"""


@pytest.mark.parametrize("machine", [*chips.MACHINES, "bgl"])
def test_gdb_calls_functions(tmp_path: Path, machine: str) -> None:
    """Where gdb has a call return to is its own choice: the program's entry, or the stack, which is no code."""
    source, program = tmp_path / "calls.c", tmp_path / "calls"
    source.write_text(CALLS)
    arguments: Arguments = ["--machine", machine, "--shape", "1x1x1" if machine == "bgl" else "1", program]
    if machine == "bgl":
        compiled(source, tmp_path, options=["-O0", "-g"])
    else:
        chips.compiled(machine, source, program, ["-O0", "-g"])
    launcher = (LAUNCHER,) if machine == "bgl" else TEST_CHIPS
    with running(tmp_path / "gdb", "0", *arguments, launcher=launcher) as run:
        out = run.gdb(
            "break both", "continue", "print $saved = $sp", "print add(20, 22)", "print mix(1, 2.5, 4, \"ab\")",
            "print both(add(4, 5))",  # stops at its own breakpoint
            "backtrace", "delete", "break add", "continue", "backtrace", "delete", "finish", "finish",
            "print $sp == $saved", "print calls", "print both(5)", "stepi 3", "continue",
        )  # fmt: skip
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, out + run.stderr()
    expected = [
        r"Breakpoint 1, both \(value=3\) at ",
        r"\$2 = 42",
        r"\$3 = 105.5",
        r"Breakpoint 1, both \(value=9\) at ",
        r"The program being debugged stopped while in a function called from GDB",
        r"#0  both \(value=9\)",
        r"#1  <function called from gdb>",
        r"#2  both \(value=3\)",
        r"Breakpoint 2, add \(a=9, b=1\) at ",
        r"#0  add \(a=9, b=1\)",
        r"#1  .*both \(value=9\)",
        r"#2  <function called from gdb>",
        r"Value returned is \$\d+ = 10",
        r"Value returned is \$\d+ = 21",
        r"= 1",
        r"= 4",
        r"= 13",
        r"exited normally",
    ]
    assert_in_order(out, expected)
    assert "9 101.5 8\n" in printed


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
