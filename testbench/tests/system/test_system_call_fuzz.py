# SPDX-License-Identifier: Apache-2.0
"""Random system calls end a program in some way of its own, and never the simulator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import LAUNCHER, PROGRAMS, compiled, read_result

CALLS = 2000
SEEDS = [*range(1, 5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 200))]
BUILDS = ["release", pytest.param("asan", marks=pytest.mark.slow)]
ENGINES = ["shared", "own"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "system_call_fuzz.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("preset", BUILDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_calls(program: Path, tmp_path: Path, seed: int, preset: str) -> None:
    calls = {engines: random_calls(program, tmp_path / engines, seed, preset, engines) for engines in ENGINES}
    assert calls["shared"] == calls["own"]


def random_calls(program: Path, tmp_path: Path, seed: int, preset: str, engines: str) -> dict[str, Any]:
    """The result."""
    job = tmp_path / "job"
    job.mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.write_text("not the program's\n")
    # SystemC leaves the list of events that a coroutine waits for when its time limit ends a run.
    suppressions = tmp_path / "leaks"
    suppressions.write_text("leak:std::vector<sc_core::sc_event const*\n")
    limits = ["--shape", "1x1x1", "--timeout", "20s", "--directory", str(job), "--results", str(tmp_path / "results")]
    # What it prints is any bytes. Files that it makes long are cut off.
    command = ["bash", "-c", 'ulimit -f 65536; exec "$@"', "bash", str(LAUNCHER), "run", *limits, str(program)]
    done = subprocess.run(
        [*command, str(seed), str(CALLS)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ
        | {"TOROID_PRESET": preset, "TOROID_ENGINES": engines}
        | {"LSAN_OPTIONS": f"suppressions={suppressions}:print_suppressions=0"},
        timeout=300,
        check=False,
    )
    said = done.stderr.decode(errors="replace")
    assert done.returncode >= 0, said
    assert "runtime error" not in said
    assert "AddressSanitizer" not in said
    # Its own end, a fault, a sleep beyond the time limit, or a wait that nothing ends.
    result = read_result(tmp_path / "results")
    assert result["ended"] in ("completed", "fault", "timeout", "deadlock"), (result["error"], said)
    assert sum(result["ranks"][0]["system_calls"].values()) > 10
    assert outside.read_text() == "not the program's\n"
    del result["configuration"]
    return result
