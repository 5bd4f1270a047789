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
