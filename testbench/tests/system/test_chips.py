# SPDX-License-Identifier: Apache-2.0
"""Test chips: the copier's driver and programs on each instruction set."""

from __future__ import annotations

import re
from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid, read_result

from toroid import paths

COPIES = {"lengths": 16, "chain": 40, "completions": 8, "interrupts": 5}
SAID = {what: f"{copies} copies\n" for what, copies in COPIES.items()} | {"interrupts": "3 interrupts\n"}


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def run(machine: str, *arguments: str, results: str = "out") -> list[str | Path]:
    program = paths.guest_program("copy", machine)
    return ["run", "--machine", machine, "--shape", "1", "--results", results, program, *arguments]


def test_there_are_test_chips() -> None:
    assert "test-ppc32" in MACHINES


@pytest.mark.parametrize("what", COPIES)
@pytest.mark.parametrize("machine", MACHINES)
def test_copies_are_right(toroid: Toroid, machine: str, what: str) -> None:
    status, out, err = toroid(*run(machine, what))
    assert (status, out) == (0, SAID[what]), err
    assert read_result(Path("out"))["copier"] == {"done": COPIES[what], "not_done": 0}


@pytest.mark.parametrize("what", COPIES)
@pytest.mark.parametrize("machine", MACHINES)
def test_the_same_bits_however_it_runs(toroid: Toroid, machine: str, what: str) -> None:
    found = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=17"]):
        command = run(machine, what)
        assert toroid(*command[:5], *options, *command[5:])[0] == 0
        result = read_result(Path("out"))
        del result["configuration"]
        found.append(result)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("machine", MACHINES)
def test_many_nodes(toroid: Toroid, machine: str) -> None:
    """Programs of an instruction set with one engine for all nodes."""
    command = ["run", "--machine", machine, "--shape", "20", "--results", "out"]
    status, out, err = toroid(*command, paths.guest_program("copy", machine), "chain")
    assert (status, out) == (0, 20 * SAID["chain"]), err
    assert read_result(Path("out"))["copier"] == {"done": 20 * COPIES["chain"], "not_done": 0}


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("from", "descriptor 0 of the copier copies from where the node has no memory"),
        ("to", "descriptor 0 of the copier copies to where the node has no memory"),
        ("completion", "descriptor 0 of the copier has its completion word where the node has no memory"),
        ("doorbell", "tells of 3 descriptors that are not done, and its ring has 2 slots"),
        ("back", "the copier's doorbell takes back descriptors that it has been told of"),
        ("count", "the copier's count can only be read"),
        ("bytes", "the copier's registers are words of 4 bytes"),
    ],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_device_refuses(toroid: Toroid, machine: str, what: str, says: str) -> None:
    status, _, err = toroid(*run(machine, "wrong", what))
    assert status != 0
    assert says in err


@pytest.mark.parametrize("machine", MACHINES)
def test_a_doorbell_that_is_not_rung(toroid: Toroid, machine: str) -> None:
    status, _, err = toroid(*run(machine, "wrong", "never"))
    assert status == 1
    assert "the copier's count is polled by" in err


@pytest.mark.parametrize(("what", "says"), [("core", "3 turns"), ("handler", "1 interrupts"), ("wrong", "refused")])
@pytest.mark.parametrize("machine", MACHINES)
def test_functions_that_the_kernel_enters(toroid: Toroid, machine: str, what: str, says: str) -> None:
    """They are passed as the program's pointers to functions: on 64-bit PowerPC, descriptors."""
    command = ["run", "--machine", machine, "--shape", "1", "--results", "out"]
    status, out, err = toroid(*command, paths.guest_program("entries", machine), what)
    assert (status, out) == (0, f"{says}\n"), err


THREAD_FAULT = """
#include <pthread.h>
static int* volatile nowhere;
static void* work(void* unused) {
  (void)unused;
  return (void*)(long)*nowhere;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
"""


CALLS = """
#include <stdlib.h>
static int* volatile nowhere;
static volatile int count;
__attribute__((noipa)) static int compare(const void* a, const void* b) {
  if (++count == 3) count = *nowhere;
  return *(const int*)a - *(const int*)b;
}
__attribute__((noipa)) static int order(int first) {
  int values[4] = {first, 3, 2, 1}, kept[20];
  for (int i = 0; i < 20; ++i) kept[i] = first * i;
  qsort(values, 4, sizeof values[0], compare);
  return values[0] + kept[first];
}
__attribute__((noipa)) static int outer(int first) { return order(first + 1) + first; }
int main(int argc, char** argv) {
  (void)argv;
  return outer(argc) == 5;
}
"""


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("options", [["-O2", "-fomit-frame-pointer"], ["-O0"]])
def test_a_fault_names_all_callers(toroid: Toroid, tmp_path: Path, machine: str, options: list[str]) -> None:
    """Through functions that keep no frame pointers, and through a library."""
    source, program = tmp_path / "calls.c", tmp_path / "calls"
    source.write_text(CALLS)
    chips.compiled(machine, source, program, [*options, "-g"])
    status, _, err = toroid("run", "--machine", machine, "--shape", "1", "--results", "out", program)
    assert status == 1
    chain = r"\(compare\+.*called by .*, order \(calls\.c:\d+\), outer \(calls\.c:15\), main \(calls\.c:18\)\n"
    assert re.search(chain, err), err
    assert "qsort" in err


@pytest.mark.parametrize("machine", MACHINES)
def test_a_fault_names_thread_function_and_line(toroid: Toroid, tmp_path: Path, machine: str) -> None:
    source, program = tmp_path / "fault.c", tmp_path / "fault"
    source.write_text(THREAD_FAULT)
    chips.compiled(machine, source, program, ["-O0", "-g", "-pthread"])
    status, _, err = toroid("run", "--machine", machine, "--shape", "1", "--results", "out", program)
    assert status == 1
    assert "thread 2 on core 1: read of 0x" in err
    assert "(NULL pointer), at " in err
    assert "(work+" in err
    assert "fault.c:6)" in err
