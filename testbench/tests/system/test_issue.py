# SPDX-License-Identifier: Apache-2.0
"""Hardware threads that share what their processor can issue (hw/core/issue_group.h)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chips
import pytest
from helpers import Toroid, read_result

from toroid import paths

MACHINE = "test-ppc64"
AWAKE: dict[str, list[str]] = {"usual": [], "short": ["--set", "core.quantum=97"], "awake": ["--no-park"]}


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("issue") / "issue"
    chips.compiled(MACHINE, chips.FOLDER / "languages" / "issue.c", program, ["-O2"])
    return program


def issued(toroid: Toroid, program: Path, kinds: list[str], threads: int = 4) -> list[float]:
    """Instructions a cycle of each thread."""
    options = ["--set", f"core.threads={threads}", "--shape", "1", "--results", "out"]
    status, out, err = toroid("run", "--machine", MACHINE, *options, program, *kinds)
    assert status == 0, err
    lines = [line.split() for line in out.splitlines()]
    assert [name for name, _ in lines] == kinds
    return [int(per_thousand) / 1000 for _, per_thousand in lines]


def near(value: float) -> Any:
    return pytest.approx(value, abs=0.02)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["integers", "streams"])
def test_a_unit_takes_one_instruction_a_cycle_of_all_threads(
    toroid: Toroid, program: Path, kind: str, threads: int
) -> None:
    """One thread reaches that alone: half of what both units take together."""
    assert issued(toroid, program, [kind] * threads) == [near(1 / threads)] * threads


@pytest.mark.parametrize("kind", ["floats", "loads"])
def test_four_threads_hide_latency(toroid: Toroid, program: Path, kind: str) -> None:
    """Each instruction waits for the one before: alone, a thread leaves most slots to others."""
    (alone,) = issued(toroid, program, [kind])
    assert alone < 0.25
    assert issued(toroid, program, [kind] * 4) == [near(alone)] * 4


def test_two_threads_reach_both_units_peak(toroid: Toroid, program: Path) -> None:
    assert issued(toroid, program, ["both"]) == [near(1)]
    assert issued(toroid, program, ["both"] * 2) == [near(1)] * 2
    assert issued(toroid, program, ["both"] * 4) == [near(1 / 2)] * 4


def test_threads_of_different_units_do_not_meet(toroid: Toroid, program: Path) -> None:
    """But for the branches of the loops."""
    integers, streams = issued(toroid, program, ["integers", "streams"])
    assert streams == near(1)
    assert 0.5 <= integers < 1


def test_a_thread_that_waits_for_memory_leaves_its_slots(toroid: Toroid, program: Path) -> None:
    (alone,) = issued(toroid, program, ["chases"])
    assert alone < 0.02
    integers, chases = issued(toroid, program, ["integers", "chases"])
    assert integers > 0.95
    assert chases == pytest.approx(alone, rel=0.05)
    integers, more_integers, *_ = issued(toroid, program, ["integers", "integers", "chases", "chases"])
    assert integers == near(more_integers)
    assert 0.47 < integers < 0.5


def test_a_thread_that_waits_for_a_device_leaves_its_slots(toroid: Toroid, program: Path) -> None:
    (alone,) = issued(toroid, program, ["devices"])
    assert alone < 0.1
    integers, devices = issued(toroid, program, ["integers", "devices"])
    assert integers > 0.9
    assert devices == pytest.approx(alone, rel=0.05)


@pytest.mark.parametrize("threads", [1, 2])
def test_processors_are_groups_of_threads(toroid: Toroid, program: Path, threads: int) -> None:
    assert issued(toroid, program, ["integers"] * 4, threads) == [near(1 / threads)] * 4


def test_a_processor_has_one_two_or_four_threads(toroid: Toroid, program: Path) -> None:
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--set", "core.threads=3", program, "both")
    assert status != 0
    assert "core.threads must be 1, 2 or 4, not 3" in err


# Neither the quantum nor parking changes a result. --------------------------------------------------------------------


def same_awake(toroid: Toroid, options: list[str], program: list[str | Path]) -> None:
    seen = []
    for name, awake in AWAKE.items():
        status, out, err = toroid(
            "run", "--machine", MACHINE, "--shape", "1", "--results", name, *options, *awake, *program
        )
        assert status == 0, err
        result = read_result(Path(name))
        seen.append((sorted(out.splitlines()), result["simulated_ns"], result["ranks"]))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("apart", [150, 1000])
@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("mode", "seed"), [("smp", 1), ("smp", 101), ("dual", 201), ("vn", 301)])
def test_threads_at_random_are_the_same(toroid: Toroid, mode: str, seed: int, threads: int, apart: int) -> None:
    options = ["--mode", mode, "--set", f"core.cores_apart={apart}", "--set", f"core.threads={threads}"]
    same_awake(toroid, options, [paths.guest_program("random_threads", MACHINE), str(seed), "100"])


@pytest.mark.parametrize(
    "kinds", [["integers", "chases", "floats", "chases"], ["chases", "both"], ["devices", "both", "chases"]]
)
def test_waits_for_memory_and_devices_are_the_same(toroid: Toroid, program: Path, kinds: list[str]) -> None:
    same_awake(toroid, [], [program, *kinds])


@pytest.mark.parametrize("kinds", [["integers", "floats", "both", "chases"], ["both", "loads"]])
def test_blocks_count_themselves_alike(
    toroid: Toroid, program: Path, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = issued(toroid, program, kinds)
    for counting in ("called", "checked"):
        monkeypatch.setenv("TOROID_BLOCKS", counting)
        assert issued(toroid, program, kinds) == usual
