# SPDX-License-Identifier: Apache-2.0
"""Latency over the footprint, and streams, on the test chips with the caches of Blue Gene/Q and of Opterons."""

from __future__ import annotations

import shutil
from pathlib import Path

import chips
import pytest
from helpers import Toroid, read_result

from toroid import paths

KIB, MIB = 1 << 10, 1 << 20
A2, OPTERON = "test-ppc64", "test-x86_64"


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def _figures(toroid: Toroid, machine: str, *arguments: str, described_by: str = "") -> dict[str, float]:
    """By the words before them."""
    program = paths.guest_program("levels", machine)
    status, out, err = toroid(
        *["run", "--machine", described_by or machine, "--shape", "1", "--results", "out"], program, *arguments
    )
    assert status == 0, err
    return {words[0]: float(words[1]) for words in (line.rsplit(" ", 1) for line in out.splitlines())}


def _istanbul(tmp_path: Path) -> str:
    folder = tmp_path / "machines"
    shutil.copy(chips.FOLDER / OPTERON / "istanbul.yaml", folder)
    return str(folder / "istanbul.yaml")


# The last plateau needs footprints beyond the last level: 8 MiB, and 64 MiB.
PLATEAUS = {
    OPTERON: [
        *[(32 * KIB, 3), (64 * KIB, 3), (256 * KIB, 16), (512 * KIB, 16)],
        *[(2 * MIB, 57), (4 * MIB, 57), (8 * MIB, 137)],
    ],
    A2: [(8 * KIB, 5), (16 * KIB, 5), (1 * MIB, 82), (4 * MIB, 82)],
}


@pytest.mark.parametrize("machine", PLATEAUS)
def test_each_level_is_a_plateau(toroid: Toroid, machine: str) -> None:
    line = {A2: "128", OPTERON: "64"}[machine]
    found = _figures(toroid, machine, "latency", line, str(PLATEAUS[machine][-1][0] // MIB))
    for footprint, latency in PLATEAUS[machine]:
        assert found[f"latency {footprint}"] == pytest.approx(latency, rel=0.08, abs=1), footprint
    memory = read_result(Path("out"))["ranks"][0]["memory"]
    levels = {A2: ["l1p_hits", "l2_hits"], OPTERON: ["l2_hits", "l3_hits"]}[machine]
    assert all(memory[level] > 0 for level in [*levels, "l1_hits", "l1_misses", "memory_reads"])


@pytest.mark.long
def test_memory_behind_32_mib_is_a_plateau(toroid: Toroid) -> None:
    found = _figures(toroid, A2, "latency", "128", "64")
    assert found[f"latency {16 * MIB}"] == pytest.approx(82, rel=0.08)
    assert found[f"latency {64 * MIB}"] == pytest.approx(400, rel=0.05)


def test_the_second_half_of_a_line_is_in_the_prefetch_buffer(toroid: Toroid) -> None:
    found = _figures(toroid, A2, "pairs", "64", "1")
    assert found[f"pairs {MIB}"] == pytest.approx((82 + 24) / 2, rel=0.05)


def test_istanbul_differs_behind_its_second_level(toroid: Toroid, tmp_path: Path) -> None:
    magny_cours = _figures(toroid, OPTERON, "latency", "64", "8")
    istanbul = _figures(toroid, OPTERON, "latency", "64", "12", described_by=_istanbul(tmp_path))
    assert istanbul[f"latency {256 * KIB}"] == magny_cours[f"latency {256 * KIB}"]
    assert istanbul[f"latency {4 * MIB}"] == pytest.approx(56, rel=0.05)
    # Its third level is a megabyte larger: the probe filter takes none of it.
    assert istanbul[f"latency {6 * MIB}"] < 65
    assert magny_cours[f"latency {6 * MIB}"] > 70
    assert istanbul[f"latency {12 * MIB}"] == pytest.approx(203, rel=0.05)


@pytest.mark.parametrize("machine", [A2, OPTERON])
def test_streams_are_read_ahead(toroid: Toroid, machine: str) -> None:
    line, depth, latency = {A2: (128, 3, 400), OPTERON: (64, 3, 137)}[machine]
    option = {A2: "cache.l1p_size=0", OPTERON: "cache.prefetch_size=0"}[machine]
    program = paths.guest_program("levels", machine)
    rates = []
    for options in ([], ["--set", option]):
        status, out, err = toroid(
            *["run", "--machine", machine, "--shape", "1", "--results", "out", *options], program, "stream", "16"
        )
        assert status == 0, err
        # Compilers copy by a library, and cores wait for scaled operands.
        rates.append(next(float(line.split()[-1]) for line in out.splitlines() if line.startswith("stream add ")))
    assert rates[0] > 1.8 * rates[1]
    # Three streams, of which two are read, or read all three; counted are all of them.
    assert rates[0] < 3 * line * (depth + 1) / latency
    assert read_result(Path("out"))["ranks"][0]["memory"]["memory_reads"] > 0


def test_the_same_bits_however_it_runs(toroid: Toroid) -> None:
    found = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=17"]):
        program = paths.guest_program("levels", OPTERON)
        command = ["run", "--machine", OPTERON, "--shape", "1", "--results", "out", *options]
        assert toroid(*command, program, "latency", "64", "1")[0] == 0
        result = read_result(Path("out"))
        del result["configuration"]
        found.append(result)
    assert found[0] == found[1] == found[2]
