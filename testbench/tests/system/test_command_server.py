# SPDX-License-Identifier: Apache-2.0
"""Commands that are forked from a process that has loaded them (command_server.py) are as those of the launcher."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_server import CommandServer
from helpers import LAUNCHER, toroid

from toroid import paths


@pytest.mark.parametrize("arguments", [["--version"], ["info", "nosuch"], ["info", "bgl"], ["run", "--help"], []])
def test_the_same_as_by_the_launcher(arguments: list[str]) -> None:
    launched = subprocess.run(
        [LAUNCHER, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, check=False
    )
    forked = toroid(*arguments)
    assert (forked.returncode, forked.stdout, forked.stderr) == (launched.returncode, launched.stdout, launched.stderr)


def test_a_command_has_the_directory_and_variables_that_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("nonsense: 1\n")
    assert "mine.yaml:1" in toroid("info", "mine.yaml", cwd=tmp_path).stderr
    run = toroid(
        "run", "--shape", "1x1x1", paths.guest_program("hello"), env={"TOROID_RESULTS": str(tmp_path / "kept")}
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "kept").is_dir()


def test_a_command_that_hangs_is_ended_and_the_next_one_runs(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        toroid("run", "--results", tmp_path, paths.guest_program("forever"), timeout=1)
    assert toroid("--version").returncode == 0


def test_all_commands_of_a_process_have_one_server() -> None:
    assert CommandServer.running() is CommandServer.running()
