# SPDX-License-Identifier: Apache-2.0
"""The launcher, where it cannot go on: it says what is missing and what would help."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from toroid import paths


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The launcher and its lists, away from this checkout's set-up, and commands of ours before the system's."""
    for name in ("toroid", "packages.txt", "requirements.txt"):
        shutil.copy(paths.ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    return tmp_path


def command(checkout: Path, name: str, script: str) -> None:
    path = checkout / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def environment(checkout: Path) -> dict[str, str]:
    return os.environ | {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}


def launch(checkout: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    env = env or environment(checkout)
    return subprocess.run(
        [checkout / "toroid", "info"], env=env, capture_output=True, text=True, timeout=60, check=False
    )


ALL_BUT_CMAKE = "shift 2; for package; do [ $package = cmake ] || echo installed $package; done"


def test_without_the_right_to_install(checkout: Path) -> None:
    command(checkout, "dpkg-query", ALL_BUT_CMAKE)
    command(checkout, "id", "echo 1000")
    command(checkout, "sudo", "exit 1")
    done = launch(checkout)
    assert done.returncode == 1
    assert "missing, and you have no right to install them: cmake\n" in done.stderr
    assert "apt-get install --no-install-recommends cmake\n" in done.stderr


def test_package_servers_out_of_reach(checkout: Path) -> None:
    command(checkout, "dpkg-query", ALL_BUT_CMAKE)
    command(checkout, "id", "echo 0")
    command(checkout, "apt-get", "echo 'E: Could not resolve host'; exit 100")
    done = launch(checkout)
    assert done.returncode == 1
    assert "installing Debian packages (once): cmake\n" in done.stderr
    assert "the package servers could not be reached" in done.stderr
    assert "build/log/apt-update.log" in done.stderr


@pytest.mark.timeout(60)
def test_interrupt_during_set_up(checkout: Path) -> None:
    command(checkout, "dpkg-query", ALL_BUT_CMAKE)
    command(checkout, "id", "echo 0")
    # Like apt-get and pip, it takes the signal for a failure of its own.
    command(checkout, "apt-get", "trap 'echo E: cancelled; exit 100' INT; touch asleep; sleep 50 & wait")
    with subprocess.Popen(
        [checkout / "toroid", "info"],
        env=environment(checkout),
        cwd=checkout,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not (checkout / "asleep").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == (
        "toroid: installing Debian packages (once): cmake\ntoroid: interrupted; the next command takes up the set-up\n"
    )


def test_not_a_debian_system(checkout: Path) -> None:
    # Only what the launcher needs up to that point is there.
    for name in ("bash", "dirname", "readlink", "env"):
        (checkout / "bin" / name).symlink_to(shutil.which(name) or "")
    done = launch(checkout, {"PATH": str(checkout / "bin")})
    assert done.returncode == 1
    assert "not a Debian system" in done.stderr


def test_package_list_gives_a_reason_for_each() -> None:
    for name in ("packages.txt", "requirements.txt"):
        for line in (paths.ROOT / name).read_text().splitlines():
            if line and not line.startswith("#"):
                assert line.partition("#")[2].strip(), f"{name}: no reason given: {line}"


def test_requirements_are_pinned() -> None:
    lines = (paths.ROOT / "requirements.txt").read_text().splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))
