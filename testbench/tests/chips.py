# SPDX-License-Identifier: Apache-2.0
"""The machines of testbench/tests/test_chip, one for each instruction set, and the command line with them alone."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from toroid import cli, paths

FOLDER = paths.ROOT / "testbench" / "tests" / "test_chip"
MACHINES = sorted(path.parent.name for path in FOLDER.glob("*/toolchain.json"))
Toroid = Callable[..., tuple[int, str, str]]


_COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}


def compiled(machine: str, source: Path, program: Path, options: Sequence[str] = ()) -> None:
    """As `toroid cc` compiles for the machines that have drivers and libraries."""
    toolchain = json.loads((FOLDER / machine / "toolchain.json").read_text())
    compiler = f"{toolchain['triple']}-{_COMPILERS[source.suffix]}"
    subprocess.run([compiler, *toolchain["compile"], *toolchain["link"], *options, source, "-o", program, "-lm"],
                   check=True, cwd=program.parent)  # fmt: skip


def compiled_natively(source: Path, program: Path, options: Sequence[str] = ()) -> None:
    subprocess.run([_COMPILERS[source.suffix], *options, source, "-o", program, "-lm"], check=True, cwd=program.parent)


def command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    """The command line in this process: status, standard output and error. It works in the directory."""
    machines = tmp_path / "machines"
    machines.mkdir()
    for machine in MACHINES:
        shutil.copy(FOLDER / machine / f"{machine}.yaml", machines)
    simulator = paths.simulator()
    monkeypatch.setattr(paths, "MACHINES", machines)
    monkeypatch.setattr(paths, "simulator", lambda _preset=None: simulator.with_name("toroid-sim-test"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["toroid", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert isinstance(ended.value.code, int)
        return ended.value.code, *capfd.readouterr()

    return call
