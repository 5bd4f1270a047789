# SPDX-License-Identifier: Apache-2.0
"""Sessions of the real gdb-multiarch at a rank, for the tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chips
from helpers import LAUNCHER, Arguments, read_result, toroid

from toroid import paths

# The command line with the machines of test_chip.
TEST_CHIPS: Arguments = ["env", f"PYTHONPATH={paths.ROOT / 'testbench'}", sys.executable, chips.__file__]
LONG = 120.0  # seconds: a host with much else to do


class Run:
    """A `toroid run --gdb` that waits for its gdb."""

    def __init__(self, process: subprocess.Popen[str], errors: Path) -> None:
        self.process = process
        self._errors = errors
        self.command = self._wait_for(r"\n(gdb-multiarch .*)\n")
        self.target = re.findall(r"'(target remote localhost:\d+)'", self.command)[0]

    def stderr(self) -> str:
        return self._errors.read_text()

    def _wait_for(self, pattern: str) -> str:
        end = time.monotonic() + LONG
        while not (found := re.search(pattern, self.stderr())):
            assert self.process.poll() is None, self.stderr()
            assert time.monotonic() < end, self.stderr()
            time.sleep(0.02)
        return found[1]

    def finish(self) -> int:
        return self.process.wait(LONG)

    def gdb(self, *commands: str) -> str:
        """A whole session; returns what gdb printed."""
        with self.start_gdb(*commands) as process:
            return rest_of(process)

    def start_gdb(self, *commands: str) -> subprocess.Popen[str]:
        settings = ["set debuginfod enabled off", "set width 0", "set pagination off"]
        each = [word for command in [*settings, self.target, *commands] for word in ("-ex", command)]
        return subprocess.Popen(
            ["gdb-multiarch", "-nx", "-batch", *each], cwd=paths.ROOT, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip


def rest_of(gdb: subprocess.Popen[str]) -> str:
    """What a gdb prints until its end. One that hangs fails the test."""
    try:
        return gdb.communicate(timeout=LONG)[0]
    except subprocess.TimeoutExpired:
        gdb.kill()
        raise


@contextmanager
def running(
    results: Path, rank: str, *arguments: str | Path, launcher: Sequence[str | Path] = (LAUNCHER,)
) -> Iterator[Run]:
    command = [*map(str, launcher), "run", "--results", str(results), "--gdb", rank, *map(str, arguments)]
    with (
        tempfile.NamedTemporaryFile() as errors,
        Path(errors.name).open("w") as stderr,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True
        ) as process,
    ):
        try:
            yield Run(process, Path(errors.name))
            process.wait(LONG)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def outcome(directory: Path) -> dict[str, Any]:
    result = read_result(directory)
    del result["configuration"]
    return result


def assert_in_order(out: str, patterns: Sequence[str]) -> None:
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(out, at)
        assert found, f"{pattern} not behind {out[:at][-80:]!r} in\n{out}"
        at = found.end()


def plain(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    toroid("run", "--results", directory, *arguments)
    return outcome(directory)
