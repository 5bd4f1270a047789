# SPDX-License-Identifier: Apache-2.0
"""What lies on the stack while a signal's handler runs, as on the host: programs/signal_frames.cpp says what."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from each_machine import MACHINES, run_on
from helpers import compiled

from toroid import paths

SOURCE = paths.ROOT / "testbench" / "tests" / "programs" / "signal_frames.cpp"
# Exceptions out of handlers of faults, from any instruction.
OPTIONS = ["-O2", "-std=c++17", "-fnon-call-exceptions", "-fasynchronous-unwind-tables", "-pthread"]
WITHOUT_THREADS = ["bgl"]
PARTS = [
    (machine, part)
    for machine in MACHINES
    for part in ("frames", "threads")
    if part == "frames" or machine not in WITHOUT_THREADS
]


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("native") / "signal_frames"
    subprocess.run(["g++", *OPTIONS, SOURCE, "-o", program], check=True)
    return program


@pytest.mark.parametrize(("machine", "part"), PARTS)
def test_as_on_the_host(
    native: Path,
    tmp_path: Path,
    machine: str,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    expected = subprocess.run([native, part], capture_output=True, text=True, check=True).stdout
    assert expected.count("~") > 2
    program = compiled(SOURCE, tmp_path, "c++", ["--machine", machine, *OPTIONS])
    capfd.readouterr()
    status, out, err = run_on(machine, program, tmp_path, monkeypatch, capfd, (part,))
    assert (status, out) == (0, expected), err
