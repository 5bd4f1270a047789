# SPDX-License-Identifier: Apache-2.0
"""Builds the simulator and the emulated machine's software, when something has changed."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from toroid import guest, packages, paths
from toroid.console import progress, status
from toroid.errors import ToroidError, UserError

# A step of ninja's, but for its look at directories whose files the build lists, which precedes every answer.
_STEP = re.compile(r"\[(\d+)/(\d+)\] (?!Re-checking globbed directories)")
_TAIL_LINES = 40
_LONGEST_END_S = 10
# How often to look whether another command is still building.
_LOOK_SECONDS = 0.2

# Targets: what runs people's own programs; what they are linked with; both, with the programs that come with the
# machine; and with the C++ tests and the units in Verilog; also with what only long tests need. On the sanitizer build,
# the short part of the suite needs the simulator and most C++ tests: programs are the optimised build's.
SIMULATOR = ("toroid-sim",)
ALL = ("all",)
WITH_TESTS = ("all", "tests", "rtl", "more_tests")
WITH_LONG_TESTS = (*WITH_TESTS, "long_tests")
SANITIZED_TESTS = (*SIMULATOR, "tests")
# A benchmark of cores, with programs for all instruction sets.
BENCH_CORE = "toroid-bench-core"
# Where sources lie.
_SOURCES = (
    "CMakeLists.txt", "CMakePresets.json", "cmake", "drivers", "firmware", "hw", "nic", "testbench/tests",
    "third_party", "torus",
)  # fmt: skip
# What emulates the cores: Unicorn from source, which all presets share, or Debian's.
_UNICORNS = ("source", "debian")


def ensure(preset: str | None = None, targets: tuple[str, ...] = ALL) -> None:
    """Brings targets of a preset's build up to date. Raises ToroidError with the end of the output if it fails. With
    TOROID_NO_BUILD set nothing is done: the tests build once and then run many commands.
    """
    if os.environ.get("TOROID_NO_BUILD"):
        return
    packages.ensure(*_packages_for(targets))
    preset = preset or paths.preset()
    directory = paths.BUILD / preset
    # What most commands need goes first: one that waits for us need not wait for the rest, such as units in Verilog.
    first = tuple(target for target in targets if target in (*SIMULATOR, *ALL))
    rest = tuple(target for target in targets if target not in first)
    with _lock(preset, targets) as ours:
        if not ours:
            return
        unicorn = _unicorn()
        if unicorn == "source":
            _ensure_unicorn()
        if not _configured(directory, unicorn):
            configure = ["cmake", "--preset", preset, "--fresh", f"-DTOROID_UNICORN={unicorn}"]
            _run(configure, f"configure-{preset}", f"configuring ({preset})", at_once=True)
        for step in filter(None, (first, rest)):
            _build(preset, step)


def _build(preset: str, targets: tuple[str, ...]) -> None:
    directory = paths.BUILD / preset
    # The time of a file, as those of sources are: the clock itself is finer.
    beginning = _stamp(directory, "at-work")
    beginning.touch()
    begun = beginning.stat().st_mtime_ns
    # Ninja itself: by way of cmake it takes half as long again to find that there is nothing to do.
    _run(["ninja", "-C", str(directory), *targets], f"build-{preset}", f"building ({preset})")
    for target in _with_included(targets):
        stamp = _stamp(directory, target)
        stamp.touch()
        os.utime(stamp, ns=(begun, begun))


def ensure_guest_libraries(machine: str) -> None:
    """The libraries with which programs of a machine are linked. They are in the release build."""
    ensure("release", (_guest_libraries(machine),))


def _guest_libraries(machine: str) -> str:
    return f"guest_{machine}_libraries"


def _packages_for(targets: tuple[str, ...]) -> Iterator[str]:
    """Headings of packages.txt: the compilers of the machines whose software is built."""
    if set(targets) & {"tests", "more_tests", BENCH_CORE}:
        yield from packages.headings()
        return
    for machine in (*guest.machines(), *guest.test_chips()):
        of_all = machine in guest.machines() and "all" in targets
        if of_all or _guest_libraries(machine) in targets:
            yield guest.toolchain(machine).triple


def _unicorn() -> str:
    """Which Unicorn emulates the cores."""
    chosen = os.environ.get("TOROID_UNICORN") or _UNICORNS[0]
    if chosen not in _UNICORNS:
        raise UserError(f"TOROID_UNICORN={chosen}: it must be {' or '.join(_UNICORNS)}")
    return chosen


def _ensure_unicorn() -> None:
    """Brings the library that all presets share up to date. What it is made of is compared only if a file has changed:
    ninja's own question would cost every command a process."""
    source, built = paths.UNICORN_SOURCE, paths.BUILD / "unicorn" / ".built"
    try:
        since = built.stat().st_mtime_ns
        if all(path.stat().st_mtime_ns < since for path in source.rglob("*")):
            return
    except OSError:
        pass  # never built, or a patch that is just going away
    _run([sys.executable, str(source / "build.py")], "build-unicorn", "building Unicorn (once)", own_words="unicorn: ")


def _configured(directory: Path, unicorn: str) -> bool:
    """Whether this build directory is usable: complete, and configured for this checkout and this Unicorn."""
    cache = directory / "CMakeCache.txt"
    if not cache.is_file() or not (directory / "build.ninja").is_file():
        return False
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    return {f"CMAKE_HOME_DIRECTORY:INTERNAL={paths.ROOT}", f"TOROID_UNICORN:STRING={unicorn}"} <= set(lines)


@contextmanager
def _lock(preset: str, targets: tuple[str, ...]) -> Iterator[bool]:
    """Ensures that only one command builds a preset at a time. Yields False without the lock if another command builds
    something else and the targets are up to date."""
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    with (paths.BUILD / f".{preset}.lock").open("w") as file:
        told = False
        while not _locked(file):
            if _up_to_date(paths.BUILD / preset, targets):
                yield False
                return
            if not told:
                status("waiting for another command that is building")
                told = True
            time.sleep(_LOOK_SECONDS)
        yield True


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _with_included(targets: tuple[str, ...]) -> set[str]:
    """With what is part of "all"."""
    libraries = (_guest_libraries(machine) for machine in guest.machines())
    return {*targets, *SIMULATOR, *libraries} if "all" in targets else set(targets)


def _stamp(directory: Path, target: str) -> Path:
    """A file whose time is that at which the last successful build of a target began."""
    return directory / f".built-{target}"


def _up_to_date(directory: Path, targets: tuple[str, ...]) -> bool:
    """Whether no source has changed since all targets were built: what ninja would answer, which cannot run while
    another one is running."""
    try:
        since = min(_stamp(directory, target).stat().st_mtime_ns for target in targets)
        return all(path.stat().st_mtime_ns < since for path in _sources())
    except OSError:  # never built, or a source that is just going away
        return False


def _sources() -> Iterator[Path]:
    """Files and directories; a directory changes when a file is added or removed."""
    for name in _SOURCES:
        yield paths.ROOT / name
        yield from (paths.ROOT / name).rglob("*")


def _run(command: list[str], log_name: str, title: str, *, at_once: bool = False, own_words: str = "") -> None:
    """Reports the beginning at ninja's first step, so not if there is nothing to build; or `at_once`. A last line that
    begins with `own_words` is all that is said of a failure."""
    log_path = paths.LOGS / f"{log_name}.log"
    with (
        log_path.open("w", encoding="utf-8") as log,
        progress(title, closing=True) as bar,
        subprocess.Popen(
            command,
            cwd=paths.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"NINJA_STATUS": "[%f/%t] "},
            text=True,
            errors="replace",
            process_group=0,
        ) as process,
        _ended_on_interrupt(process),
    ):
        assert process.stdout is not None
        if at_once:
            bar.announce()
        line = ""
        for line in process.stdout:
            log.write(line)
            if step := _STEP.match(line):
                bar.announce()
                bar.update(int(step[1]) / int(step[2]), f"{step[1]} of {step[2]}")
    if process.returncode != 0:
        if own_words and line.startswith(own_words):
            raise ToroidError(line.removeprefix(own_words).rstrip())
        raise ToroidError(f"{title} failed; whole output in {paths.shown(log_path)}, its end:\n{_tail(log_path)}")


@contextmanager
def _ended_on_interrupt(process: subprocess.Popen[str]) -> Iterator[None]:
    """Interrupts a build together with this process, whichever process received the signal, and waits for its end
    before the lock is released. The build has its own process group, so that CMake does not leave ninja behind."""
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
    """The first failure if ninja names one, otherwise the end."""
    lines = log_path.read_text(encoding="utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("FAILED:", "CMake Error"))), None)
    chosen = lines[-_TAIL_LINES:] if first is None else lines[first : first + _TAIL_LINES]
    return "\n".join(chosen)
