# SPDX-License-Identifier: Apache-2.0
"""gdb at programs of each instruction set: threads, and functions that gdb calls."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from gdb_session import TEST_CHIPS, assert_in_order, running
from helpers import LAUNCHER, Arguments, compiled

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
