# SPDX-License-Identifier: Apache-2.0
"""What a build says where standard error is no terminal, and what it waits for."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from toroid import build, paths


@pytest.fixture
def log_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "LOGS", tmp_path)
    return tmp_path


def test_a_build_says_so_when_it_begins(log_directory: Path) -> None:
    said = log_directory / "stderr"
    # The build goes on until it has been announced, and fails if it is not.
    waits = f"echo '[1/2] one'; for i in $(seq 100); do grep -q building {said} && exit 0; sleep 0.1; done; exit 1"
    program = (
        "from pathlib import Path; from toroid import build, paths; "
        f"paths.LOGS = Path({str(log_directory)!r}); build._run(['sh', '-c', {waits!r}], 'log', 'building (x)')"
    )
    env = os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench")}
    with said.open("w") as stderr:
        done = subprocess.run([sys.executable, "-c", program], env=env, stderr=stderr, timeout=30, check=False)
    assert done.returncode == 0
    assert said.read_text().splitlines()[0] == "toroid: building (x) ..."


def test_configuring_is_told_although_it_has_no_steps(log_directory: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build._run(["sleep", "1.1"], "log", "configuring (x)", at_once=True)
    assert capfd.readouterr().err == "toroid: configuring (x) ...\ntoroid: configuring (x): 1 s\n"


@pytest.mark.parametrize("before", ["", "[0/2] Re-checking globbed directories...\n"], ids=["plain", "globs"])
def test_nothing_to_build_is_no_news(log_directory: Path, capfd: pytest.CaptureFixture[str], before: str) -> None:
    build._run(["printf", f"{before}ninja: no work to do.\n"], "log", "building (x)")
    assert capfd.readouterr().err == ""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one source, and a ninja that notes what it is asked to build."""
    for name in ("TOROID_NO_BUILD", "TOROID_UNICORN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(paths, "LOGS", tmp_path / "build" / "log")
    monkeypatch.setattr(paths, "UNICORN_SOURCE", tmp_path / "third_party" / "unicorn")
    release = tmp_path / "build" / "release"
    release.mkdir(parents=True)
    (release / "build.ninja").touch()
    (release / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={tmp_path}\nTOROID_UNICORN:STRING=source\n")
    (tmp_path / "build" / "unicorn").mkdir()
    (tmp_path / "build" / "unicorn" / ".built").touch()
    for name in build._SOURCES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    ninja = tmp_path / "bin" / "ninja"
    ninja.parent.mkdir()
    ninja.write_text(f'#!/bin/sh\nshift 2; echo "$@" >>{tmp_path}/asked\n')
    ninja.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ninja.parent}:{os.environ['PATH']}")
    return tmp_path


def asked(checkout: Path) -> list[str]:
    return (checkout / "asked").read_text().splitlines()


@contextmanager
def another_build(checkout: Path) -> Iterator[None]:
    with (checkout / "build" / ".release.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_what_is_up_to_date_waits_for_no_other_build(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build.ensure("release", build.SIMULATOR)
    with another_build(checkout):
        build.ensure("release", build.SIMULATOR)
    assert asked(checkout) == ["toroid-sim"]
    assert capfd.readouterr().err == ""


def test_units_in_verilog_come_after_what_others_may_wait_for(checkout: Path) -> None:
    build.ensure("release", build.WITH_TESTS)
    assert asked(checkout) == ["all", "tests rtl more_tests"]
    with another_build(checkout):
        build.ensure("release", build.SIMULATOR)  # is part of all
        build.ensure_guest_libraries("bgl")  # likewise


@pytest.mark.parametrize("change", ["hw/new.cpp", "hw/old.cpp"])
def test_a_changed_source_waits_for_the_other_build(
    checkout: Path, capfd: pytest.CaptureFixture[str], change: str
) -> None:
    (checkout / "hw").unlink()
    (checkout / "hw").mkdir()
    (checkout / "hw" / "old.cpp").touch()
    build.ensure("release", build.SIMULATOR)
    (checkout / change).touch()
    with another_build(checkout):
        waiting = threading.Thread(target=build.ensure, args=("release", build.SIMULATOR))
        waiting.start()
        waiting.join(3 * build._LOOK_SECONDS)
        assert waiting.is_alive()
    waiting.join()
    assert asked(checkout) == ["toroid-sim", "toroid-sim"]
    assert capfd.readouterr().err == "toroid: waiting for another command that is building\n"
