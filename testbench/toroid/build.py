# SPDX-License-Identifier: Apache-2.0
"""Builds the simulator and the emulated machine's software, when something has changed."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toroid import paths
from toroid.console import progress, status
from toroid.errors import ToroidError

_STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
_TAIL_LINES = 40
_LONGEST_END_S = 10

# Targets: what users run, and the C++ tests.
WITH_TESTS = ("all", "tests", "rtl")


def ensure(preset: str | None = None, targets: tuple[str, ...] = ()) -> None:
    """Brings a preset's build up to date; all of it but the tests, or the targets named. Raises ToroidError with the
    end of the output where it fails. With TOROID_NO_BUILD set nothing is done: the tests build once and then run many
    commands.
    """
    if os.environ.get("TOROID_NO_BUILD"):
        return
    preset = preset or paths.preset()
    with _lock(preset):
        directory = paths.BUILD / preset
        if not _configured(directory):
            configure = ["cmake", "--preset", preset, "--fresh"]
            _run(configure, f"configure-{preset}", f"configuring ({preset})", at_once=True)
        _run(["cmake", "--build", str(directory), *_target_options(targets)], f"build-{preset}", f"building ({preset})")


def ensure_guest_libraries() -> None:
    """What programs of the emulated machine are linked with. It lives in the release build."""
    ensure("release", ("guest_mpi", "guest_msglayer", "guest_bgl"))


def _target_options(targets: tuple[str, ...]) -> list[str]:
    return ["--target", *targets] if targets else []


def _configured(directory: Path) -> bool:
    """Whether this build directory can be used as it is: complete, and made for this very checkout."""
    cache = directory / "CMakeCache.txt"
    if not cache.is_file() or not (directory / "build.ninja").is_file():
        return False
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={paths.ROOT}\n" in cache.read_text(encoding="utf-8", errors="replace")


@contextmanager
def _lock(preset: str) -> Iterator[None]:
    """One build of a preset at a time: several commands may start at once."""
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    with (paths.BUILD / f".{preset}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            status("waiting for another command that is building")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(command: list[str], log_name: str, title: str, *, at_once: bool = False) -> None:
    """Told as begun at the first step that ninja takes, and so not where there is none; or `at_once`."""
    log_path = paths.LOGS / f"{log_name}.log"
    with (
        log_path.open("w", encoding="utf-8") as log,
        progress(title) as bar,
        subprocess.Popen(
            command,
            cwd=paths.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=0,
        ) as process,
        _ended_on_interrupt(process),
    ):
        assert process.stdout is not None
        if at_once:
            bar.announce()
        for line in process.stdout:
            log.write(line)
            if step := _STEP.match(line):
                bar.announce()
                bar.update(int(step[1]) / int(step[2]))
    if process.returncode != 0:
        raise ToroidError(f"{title} failed; whole output in {paths.shown(log_path)}, its end:\n{_tail(log_path)}")


@contextmanager
def _ended_on_interrupt(process: subprocess.Popen[str]) -> Iterator[None]:
    """Interrupts a build with us, whoever the signal was sent to, and sees it ended before the lock is given back.
    It has a process group of its own, so that CMake does not leave ninja behind."""
    try:
        yield
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGINT)  # ninja ends its compilers and removes what they left half written
        try:
            process.communicate(timeout=_LONGEST_END_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        raise


def _tail(log_path: Path) -> str:
    """The first failure where ninja names one, else the end."""
    lines = log_path.read_text(encoding="utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("FAILED:", "CMake Error"))), None)
    chosen = lines[-_TAIL_LINES:] if first is None else lines[first : first + _TAIL_LINES]
    return "\n".join(chosen)
