# SPDX-License-Identifier: Apache-2.0
"""Latency and bandwidth over the footprint, and streams: caches of Blue Gene/Q and of Opterons, on the test chips."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
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


def _figures(
    toroid: Toroid, machine: str, *arguments: str, described_by: str = "", options: Sequence[str] = ()
) -> dict[str, float]:
    """By the words before them; of several processes, those of one."""
    program = paths.guest_program("levels", machine)
    command = ["run", "--machine", described_by or machine, "--shape", "1", "--results", "out", *options]
    status, out, err = toroid(*command, program, *arguments)
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

# Bytes a cycle of a core that reads one word behind the other. From the first level, what its loads take at most: one
# of eight bytes a cycle on the A2, two on the Opteron. From a level behind which the prefetcher fetches, the lines that
# are under way together, in that level's latency. The A2 takes a line of 128 bytes out of L1P in its latency.
RATES = {
    OPTERON: [
        *[(32 * KIB, 16), (64 * KIB, 16), (2 * MIB, 64 * 4 / 57), (4 * MIB, 64 * 4 / 57), (8 * MIB, 64 * 4 / 137)],
        (16 * MIB, 64 * 4 / 137),
    ],
    A2: [(8 * KIB, 8), (16 * KIB, 8), (1 * MIB, 128 / 24), (16 * MIB, 128 / 24), (64 * MIB, 128 * 4 / 400)],
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


@pytest.mark.parametrize("machine", RATES)
def test_each_level_has_its_bandwidth(toroid: Toroid, machine: str) -> None:
    found = _figures(toroid, machine, "bandwidth", str(RATES[machine][-1][0] // MIB))
    for footprint, rate in RATES[machine]:
        in_loop = footprint <= 64 * KIB  # whose other instructions take a tenth of it
        measured = found[f"bandwidth {footprint}"]
        assert measured == pytest.approx(0.94 * rate if in_loop else rate, rel=0.06 if in_loop else 0.01), footprint


@pytest.mark.long
def test_memory_behind_32_mib_is_a_plateau(toroid: Toroid) -> None:
    found = _figures(toroid, A2, "latency", "128", "64")
    assert found[f"latency {16 * MIB}"] == pytest.approx(82, rel=0.08)
    assert found[f"latency {64 * MIB}"] == pytest.approx(400, rel=0.05)


def test_the_second_half_of_a_line_is_in_the_prefetch_buffer(toroid: Toroid) -> None:
    found = _figures(toroid, A2, "pairs", "64", "1")
    assert found[f"pairs {MIB}"] == pytest.approx((82 + 24) / 2, rel=0.05)


def test_istanbul_differs_behind_its_second_level(toroid: Toroid, tmp_path: Path) -> None:
    istanbul = _istanbul(tmp_path)
    latencies = _figures(toroid, OPTERON, "latency", "64", "16", described_by=istanbul)
    rates = _figures(toroid, OPTERON, "bandwidth", "16", described_by=istanbul)
    magny_cours = _figures(toroid, OPTERON, "latency", "64", "6")
    assert latencies[f"latency {256 * KIB}"] == magny_cours[f"latency {256 * KIB}"]
    assert latencies[f"latency {4 * MIB}"] == pytest.approx(56, rel=0.05)
    assert rates[f"bandwidth {4 * MIB}"] == pytest.approx(64 * 4 / 56, rel=0.01)
    # Its third level is a megabyte larger: the probe filter takes none of it.
    assert latencies[f"latency {6 * MIB}"] < 65
    assert magny_cours[f"latency {6 * MIB}"] > 70
    assert latencies[f"latency {16 * MIB}"] == pytest.approx(203, rel=0.01)
    assert rates[f"bandwidth {16 * MIB}"] == pytest.approx(64 * 4 / 203, rel=0.01)


@pytest.mark.parametrize("machine", [A2, OPTERON])
def test_streams_are_read_ahead(toroid: Toroid, machine: str) -> None:
    line, depth, latency = {A2: (128, 3, 400), OPTERON: (64, 3, 137)}[machine]
    option = {A2: "cache.l1p_size=0", OPTERON: "cache.prefetch_size=0"}[machine]
    ahead = _figures(toroid, machine, "stream", "16")
    assert read_result(Path("out"))["ranks"][0]["memory"]["memory_reads"] > 0
    alone = _figures(toroid, machine, "stream", "16", options=["--set", option])
    # Not triad, whose arithmetic takes as long on the A2, nor copy, for which compilers call a library.
    assert ahead["stream add"] > 3 * alone["stream add"]
    # Three streams, of which two are read, or read all three; counted are all of them.
    assert ahead["stream add"] < 3 * line * (depth + 1) / latency


# A quarter of the chip: four of 16 processors, each with a process that has a 16th of memory.
QUARTER = ["--mode", "vn", "--set", "core.threads=1", "--set", "cache.memory_line_cycles=22"]


def test_memory_limits_the_streams_of_a_whole_chip(toroid: Toroid) -> None:
    """128 bytes in 5.5 cycles: what counts, and lines that are fetched for the stream that is written."""
    found = _figures(toroid, A2, "stream", "24", options=QUARTER)
    assert 16 * found["stream add"] == pytest.approx(128 / 5.5 * 3 / 4, rel=0.02)
    assert 16 * found["stream scale"] == pytest.approx(128 / 5.5 * 2 / 3, rel=0.02)


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
