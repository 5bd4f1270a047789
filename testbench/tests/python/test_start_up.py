# SPDX-License-Identifier: Apache-2.0
"""What makes the command line start fast."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toroid import paths

_SLOW = ("matplotlib", "numpy", "rich.progress")


def test_what_no_command_needs_to_start_is_not_imported() -> None:
    program = (
        "import sys, click; from toroid.cli import toroid; context = click.Context(toroid); "
        "[toroid.get_command(context, name) for name in toroid.list_commands(context)]; "
        f"print([name for name in {_SLOW} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_bytecode_is_kept_whatever_the_environment_says(tmp_path: Path) -> None:
    copy = tmp_path / "testbench" / "toroid"
    shutil.copytree(paths.ROOT / "testbench" / "toroid", copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(paths.ROOT / "VERSION", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "toroid", "no-such-command"],
        env=os.environ | {"PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert any((copy / "__pycache__").glob("cli.*.pyc"))


@pytest.mark.parametrize(
    ("arguments", "name"), [(["--help"], "toroid"), (["run", "--help"], "run"), (["test", "--help"], "test")]
)
def test_help_is_the_same_with_and_without_set_up(arguments: list[str], name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toroid", *arguments],
        env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench"), "COLUMNS": "120"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == (paths.ROOT / "testbench" / "help" / f"{name}.txt").read_text()


def test_a_command_line_without_a_command_is_told_what_there_is() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toroid"],
        env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench"), "COLUMNS": "120"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    expected = (paths.ROOT / "testbench" / "help" / "toroid.txt").read_text()
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
