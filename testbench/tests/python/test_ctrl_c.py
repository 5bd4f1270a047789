# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at any moment: one line and status 130, never a traceback or an end without a word."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import LAUNCHER

from toroid import paths

POWERPC_ELF = b"\x7fELF\x01\x02\x01" + bytes(9) + b"\x00\x02\x00\x14"
# The command line as the launcher starts it, with a build directory of the test's own.
WITH_OTHER_BUILD = """
from toroid import interrupts
interrupts.install()
import sys
from pathlib import Path
from toroid import paths
paths.BUILD = Path(sys.argv.pop(1))
paths.LOGS = paths.BUILD / "log"
from toroid.cli import main
main()
"""


def with_other_build(build: Path, *arguments: str) -> list[str]:
    return ["env", "--block-signal=INT", sys.executable, "-c", WITH_OTHER_BUILD, str(build), *arguments]


def start(command: Sequence[str], cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """In a session of its own, as a terminal's foreground job; returns as soon as SIGINT does not end it any more
    without a word: before that not a line of ours has run."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench"), "TOROID_NO_BUILD": "1"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and not takes_interrupts(process.pid):
        time.sleep(0.001)
    return process


def takes_interrupts(pid: int) -> bool:
    """Whether SIGINT is blocked, or has a handler."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigBlk:", "SigCgt:"))]
    return any(mask & 1 << signal.SIGINT - 1 for mask in masks)


def interrupted(process: subprocess.Popen[str], presses: int = 1) -> tuple[int, str]:
    """Ctrl-C so many times, a few milliseconds apart; the status and what was said on standard error."""
    for _ in range(presses):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.005)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


def check_any_moment(command: Sequence[str], cwd: Path, *, seed: int, cases: int) -> None:
    began = time.monotonic()
    with start(command, cwd) as process:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    lasts = time.monotonic() - began
    random_numbers = random.Random(seed)
    ends = []
    for case in range(cases):
        with start(command, cwd) as process:
            time.sleep(lasts * case / cases * random_numbers.uniform(0.8, 1.2))
            status, said = interrupted(process, random_numbers.choice([1, 3]))
        # Towards the end it may have ended by itself.
        if status == 130:
            assert said.count("interrupted") == 1, said
            assert "Traceback" not in said
            assert "Exception" not in said
        else:
            assert (status, said) == (0, err)
        ends.append(status)
    assert 130 in ends


@pytest.mark.timeout(120)
def test_any_moment(tmp_path: Path) -> None:
    check_any_moment([str(LAUNCHER), "info", "bgl"], tmp_path, seed=1, cases=20)


@pytest.mark.timeout(120)
def test_any_moment_of_simulations_and_a_plot(fake_simulator: None, tmp_path: Path) -> None:
    command = ["traffic", "--load", "0.1,0.2", "--results", "out", "--plot", "plot.png"]
    check_any_moment(with_other_build(paths.BUILD, *command), tmp_path, seed=2, cases=12)


def test_one_line_is_all_that_is_said(tmp_path: Path) -> None:
    with start([str(LAUNCHER), "info", "bgl"], tmp_path) as process:
        assert interrupted(process, 3) == (130, "toroid: interrupted\n")


def test_while_waiting_for_another_build(tmp_path: Path) -> None:
    (tmp_path / "prog").write_bytes(POWERPC_ELF)
    build = tmp_path / "build"
    build.mkdir()
    with (build / ".release.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = with_other_build(build, "run", "--results", "out", "prog")
        with start(command, tmp_path, TOROID_NO_BUILD="", TOROID_PRESET="release") as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "toroid: waiting for another command that is building\n"
            assert interrupted(process, 3) == (130, "toroid: interrupted\n")


def test_a_build_ends_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "prog").write_bytes(POWERPC_ELF)
    (tmp_path / "bin").mkdir()
    # A compiler below ninja below CMake; the signal goes to none of them.
    cmake = tmp_path / "bin" / "cmake"
    cmake.write_text(f"#!/bin/sh\nsh -c 'echo $$ >{tmp_path}/pid; exec sleep 100'; exit 1\n")
    cmake.chmod(0o755)
    environment = {"PATH": f"{cmake.parent}:{os.environ['PATH']}", "TOROID_NO_BUILD": "", "TOROID_PRESET": "release"}
    command = with_other_build(tmp_path / "build", "run", "--results", "out", "prog")
    with start(command, tmp_path, **environment) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "toroid: configuring (release) ...\n"
        while not (tmp_path / "pid").is_file() or not (tmp_path / "pid").read_text().endswith("\n"):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "toroid: interrupted\n")
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
