# SPDX-License-Identifier: Apache-2.0
"""What tests share: the command line as a person uses it, programs for the machine, and a machine file to spoil."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toroid import paths

LAUNCHER = paths.ROOT / "toroid"
PROGRAMS = paths.ROOT / "testbench" / "tests" / "programs"
# What a command line is made of.
Arguments = list[str | Path]

SHIPPED = paths.MACHINES / "bgl.yaml"


def toroid(
    *arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Runs ./toroid to its end. A command that hangs fails the test."""
    command = [str(LAUNCHER), *map(str, arguments)]
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=os.environ | dict(env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            # With the simulator that it started: left alone, that would run for ever.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def compiled(source: Path, directory: Path, command: str = "cc") -> Path:
    """A program for the machine, built as a person builds one."""
    program = directory / source.stem
    done = toroid(command, source, "-o", program)
    assert done.returncode == 0, done.stderr
    return program


def read_result(directory: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((directory / "result.json").read_text())
    return loaded


def spoiled_machine(directory: Path, old: str, new: str) -> tuple[Path, int]:
    """A copy of the shipped description with one change, and the number of the first line that changed."""
    text = SHIPPED.read_text()
    assert old in text, f"{old!r} is not in the shipped description"
    copy = directory / "mine.yaml"
    copy.write_text(text.replace(old, new, 1))
    return copy, text[: text.index(old)].count("\n") + 1
