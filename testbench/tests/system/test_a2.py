# SPDX-License-Identifier: Apache-2.0
"""What programs see of the A2 beside its instructions: reservations, waiting, accesses of eight bytes to devices."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from helpers import Toroid, read_result

from toroid import paths

MACHINE = "test-ppc64"
DRIVER = chips.FOLDER / "driver.c"
AWAKE = [[], ["--set", "core.quantum=97"], ["--no-park"]]

# Which store loses the reservation of a word, by the bytes of a granule; 0: the word itself, by its value.
LOST = {
    0: [],
    32: ["neighbour", "copier"],
    64: ["neighbour", "end of the line", "copier"],
    128: ["neighbour", "end of the line", "next line", "copier"],
}
TRIED = [
    "nobody", "neighbour", "end of the line", "next line", "line after", "own store", "copier", "copier elsewhere",
]  # fmt: skip

FOR_EVER = """
#include "testbench/tests/test_chip/driver.h"
static char stack[8192];
static void handler(void) {}
int main(void) {
  if (copier_on_interrupt(handler, stack, sizeof stack) == 0) __asm__ volatile(".long 0x7c00007c" : : : "memory");
  return 0;
}
"""


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def built(name: str, directory: Path) -> Path:
    program = directory / name
    options = ["-O2", "-I", str(paths.ROOT), str(DRIVER)]
    chips.compiled(MACHINE, chips.FOLDER / "languages" / f"{name}.c", program, options)
    return program


@pytest.mark.parametrize("granule", LOST)
def test_stores_of_others_to_the_granule_lose_the_reservation(toroid: Toroid, tmp_path: Path, granule: int) -> None:
    program = built("reservations", tmp_path)
    expected = [f"{name}: {'lost' if name in LOST[granule] else 'kept'}" for name in TRIED]
    expected += ["waited: long", "then: lost"] if granule != 0 else ["waited: not", "then: kept"]
    seen = []
    for options in AWAKE:
        machine = ["--machine", MACHINE, "--shape", "1", "--set", f"core.reservation={granule}", "--results", "out"]
        status, out, err = toroid("run", *machine, *options, program)
        assert (status, out.splitlines()) == (0, expected), err
        result = read_result(Path("out"))
        seen.append((result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("threads", [1, 4])
def test_wait_sleeps_until_an_interrupt(toroid: Toroid, tmp_path: Path, threads: int) -> None:
    """Not at all where none is accepted; not only until a reservation is lost."""
    program = built("waits", tmp_path)
    expected = ["not accepted: not, 0 interrupts"]
    expected += [f"accepted: long, {number} interrupts" for number in (1, 2, 3)]
    expected += ["others have stored: long, 4 interrupts", "for a loss: long, 5 interrupts"]
    seen = []
    for options in AWAKE:
        machine = ["--machine", MACHINE, "--shape", "1", "--set", f"core.threads={threads}", "--results", "out"]
        status, out, err = toroid("run", *machine, *options, program)
        assert (status, out.splitlines()) == (0, expected), err
        result = read_result(Path("out"))
        seen.append((result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]


def test_a_wait_that_nothing_ends_is_a_deadlock(toroid: Toroid, tmp_path: Path) -> None:
    source, program = tmp_path / "for_ever.c", tmp_path / "for_ever"
    source.write_text(FOR_EVER)
    options = ["-O2", "-I", str(paths.ROOT), str(DRIVER)]
    chips.compiled(MACHINE, source, program, options)
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program)
    assert status != 0
    assert read_result(Path("out"))["ended"] == "deadlock", err


def test_a_granule_is_a_power_of_two(toroid: Toroid, tmp_path: Path) -> None:
    program = built("wide_accesses", tmp_path)
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--set", "core.reservation=48", program)
    assert status != 0
    assert "core.reservation must be 0 or a power of two from 8 on, not 48" in err


def test_eight_bytes_reach_a_device_whole(toroid: Toroid, tmp_path: Path) -> None:
    program = built("wide_accesses", tmp_path)
    status, out, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program)
    assert (status, out) == (0, "0 failures\n"), err


def test_misaligned_accesses_of_a_device_are_faults(toroid: Toroid, tmp_path: Path) -> None:
    program = built("wide_accesses", tmp_path)
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program, "misaligned")
    assert status != 0
    assert "misaligned 8-byte access to a device" in err
