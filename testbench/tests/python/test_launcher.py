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
        [checkout / "toroid", "info"], env=env, cwd=checkout, capture_output=True, text=True, timeout=60, check=False
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
@pytest.mark.parametrize("caller", [[], ["env", "--ignore-signal=INT"]], ids=["a terminal", "a job in the background"])
def test_interrupt_during_set_up(checkout: Path, caller: list[str]) -> None:
    command(checkout, "dpkg-query", ALL_BUT_CMAKE)
    command(checkout, "id", "echo 0")
    # Like apt-get and pip, it takes the signal for a failure of its own.
    command(checkout, "apt-get", "trap 'echo E: cancelled; exit 100' INT; touch asleep; sleep 50 & wait")
    with subprocess.Popen(
        [*caller, checkout / "toroid", "info"],
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


def test_completing_a_word_installs_nothing(checkout: Path) -> None:
    command(checkout, "dpkg-query", ALL_BUT_CMAKE)
    shutil.copytree(paths.ROOT / "testbench" / "help", checkout / "testbench" / "help")
    done = subprocess.run(
        [checkout / "toroid"], env=environment(checkout) | {"_TOROID_COMPLETE": "bash_complete"}, cwd=checkout,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_not_a_debian_system(checkout: Path) -> None:
    # Only what the launcher needs up to that point is there.
    for name in ("bash", "dirname", "readlink", "env"):
        (checkout / "bin" / name).symlink_to(shutil.which(name) or "")
    done = launch(checkout, {"PATH": str(checkout / "bin")})
    assert done.returncode == 1
    assert "not a Debian system" in done.stderr


def install(checkout: Path, heading: str) -> subprocess.CompletedProcess[str]:
    env = environment(checkout) | {"TOROID_INSTALL": heading}
    return subprocess.run(
        [checkout / "toroid"], env=env, cwd=checkout, capture_output=True, text=True, timeout=60, check=False
    )


def test_what_some_commands_need_is_installed_for_them(checkout: Path) -> None:
    """Neither by other commands, nor what else is missing."""
    (checkout / "packages.txt").write_text("cmake  # a\n\n[tests]\nqemu-user  # b\n[a-b]\n\ngcc-a-b # c\nmake # d\n")
    command(checkout, "dpkg-query", "shift 2; for package; do [ $package != make ] || echo installed make; done")
    command(checkout, "id", "echo 0")
    command(checkout, "apt-get", 'echo "$@" >>asked')
    done = install(checkout, "a-b")
    assert (done.returncode, done.stderr) == (0, "toroid: installing Debian packages (once): gcc-a-b\n")
    asked = (checkout / "asked").read_text().splitlines()
    assert asked[-1].endswith("install -y --no-install-recommends gcc-a-b")
    command(checkout, "apt-get", "exit 100")
    assert "installing Debian packages (once): cmake\n" in launch(checkout).stderr


def test_package_list_gives_a_reason_for_each() -> None:
    for name in ("packages.txt", "requirements.txt"):
        for line in (paths.ROOT / name).read_text().splitlines():
            if line and not line.startswith(("#", "[")):
                assert line.partition("#")[2].strip(), f"{name}: no reason given: {line}"


def test_requirements_are_pinned() -> None:
    lines = (paths.ROOT / "requirements.txt").read_text().splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))


@pytest.fixture
def set_up_checkout(checkout: Path) -> Path:
    """One with all packages and an environment, whose Python notes what it is asked to run, as dpkg-query does."""
    command(checkout, "dpkg-query", "echo asked >>queries; shift 2; for package; do echo installed $package; done")
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\n[ "$1" != -V ] || exec echo Python 3\necho "$@" >>runs\n')
    python.chmod(0o755)
    stamp = subprocess.run(
        "{ cat requirements.txt; .venv/bin/python -V; } | sha256sum", shell=True, cwd=checkout, capture_output=True,
        text=True, check=True,
    ).stdout  # fmt: skip
    (checkout / ".venv" / ".stamp").write_text(stamp)
    return checkout


def times_looked(checkout: Path) -> int:
    return len((checkout / "queries").read_text().splitlines())


def test_what_is_installed_is_looked_at_once(set_up_checkout: Path) -> None:
    for _ in range(3):
        done = launch(set_up_checkout)
        assert (done.returncode, done.stderr) == (0, "")
    assert times_looked(set_up_checkout) == 1
    assert (set_up_checkout / "runs").read_text() == 3 * "-m toroid info\n"


@pytest.mark.parametrize("name", ["packages.txt", "requirements.txt", "toroid", ".venv/.stamp"])
def test_what_is_installed_is_looked_at_again_after_a_change(set_up_checkout: Path, name: str) -> None:
    assert launch(set_up_checkout).returncode == 0
    (set_up_checkout / name).touch()
    assert launch(set_up_checkout).returncode == 0
    assert times_looked(set_up_checkout) == 2


def test_an_environment_of_other_requirements_is_made_anew(set_up_checkout: Path) -> None:
    assert launch(set_up_checkout).returncode == 0
    with (set_up_checkout / "requirements.txt").open("a") as file:
        file.write("another==1.0  # a reason\n")
    command(set_up_checkout, "rm", "echo removed >>queries; exit 1")
    assert launch(set_up_checkout).returncode == 1
    assert (set_up_checkout / "queries").read_text().splitlines()[-1] == "removed"


def test_a_link_to_the_launcher_is_followed(set_up_checkout: Path) -> None:
    (set_up_checkout / "elsewhere").mkdir()
    (set_up_checkout / "elsewhere" / "link").symlink_to("../toroid")
    (set_up_checkout / "elsewhere" / "directory").symlink_to("..")
    for name in ("link", "directory/toroid"):
        done = subprocess.run(
            [set_up_checkout / "elsewhere" / name, "info"], env=environment(set_up_checkout), cwd=set_up_checkout,
            timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0
    assert (set_up_checkout / "runs").read_text() == 2 * "-m toroid info\n"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--version"], "toroid {version}\n"),
        (["mpirun", "--version"], "toroid {version}\n"),
        (["--help"], "help/toroid.txt"),
        (["run", "-h"], "help/run.txt"),
        (["mpirun", "--help"], "help/run.txt"),
        ([], "help/toroid.txt"),
    ],
    ids=" ".join,
)
def test_help_and_version_need_no_set_up(checkout: Path, arguments: list[str], answer: str) -> None:
    shutil.copy(paths.ROOT / "VERSION", checkout / "VERSION")
    shutil.copytree(paths.ROOT / "testbench" / "help", checkout / "testbench" / "help")
    command(checkout, "dpkg-query", "touch asked; exit 1")
    done = subprocess.run(
        [checkout / "toroid", *arguments], env=environment(checkout), cwd=checkout, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    text = (checkout / "testbench" / answer).read_text() if "/" in answer else answer.format(version=paths.version())
    assert (done.returncode, done.stdout, done.stderr) == ((0, text, "") if arguments else (2, "", text))
    assert not (checkout / "asked").exists()
    assert not (checkout / "build").exists()


def test_help_of_a_compiler_is_the_compilers(set_up_checkout: Path) -> None:
    shutil.copytree(paths.ROOT / "testbench" / "help", set_up_checkout / "testbench" / "help")
    done = subprocess.run(
        [set_up_checkout / "toroid", "cc", "--help"], env=environment(set_up_checkout), cwd=set_up_checkout,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert (set_up_checkout / "runs").read_text() == "-m toroid cc --help\n"
