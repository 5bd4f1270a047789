# SPDX-License-Identifier: Apache-2.0
"""The machines of testbench/tests/test_chip, one for each instruction set, and the command line with them alone.

`PYTHONPATH=testbench python testbench/tests/chips.py run --machine test-ppc32 ...` is that command line.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import Toroid, command_line_here

from toroid import cli, paths

FOLDER = paths.ROOT / "testbench" / "tests" / "test_chip"
MACHINES = sorted(path.parent.name for path in FOLDER.glob("*/toolchain.json"))

# The libraries of C++ and Fortran ask whether there are threads by one function, and call all of these if so.
_THREADS = [
    "once", "getspecific", "setspecific", "create", "join", "equal", "self", "detach", "cancel", "mutex_lock",
    "mutex_trylock", "mutex_timedlock", "mutex_unlock", "mutex_init", "mutex_destroy", "cond_init",
    "cond_broadcast", "cond_signal", "cond_wait", "cond_timedwait", "cond_destroy", "key_create", "key_delete",
    "mutexattr_init", "mutexattr_settype", "mutexattr_destroy",
]  # fmt: skip
_COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}


def compiled(machine: str, source: Path, program: Path, options: Sequence[str] = ()) -> None:
    """As `toroid cc` compiles for the machines that have drivers and libraries."""
    toolchain = json.loads((FOLDER / machine / "toolchain.json").read_text())
    compiler = f"{toolchain['triple']}-{_COMPILERS[source.suffix]}"
    threads = [f"-Wl,-u,pthread_{name}" for name in _THREADS]
    command = [compiler, *toolchain["compile"], *toolchain["link"], *threads, *options, source, "-o", program, "-lm"]
    subprocess.run(command, check=True, cwd=program.parent)


def compiled_natively(source: Path, program: Path, options: Sequence[str] = ()) -> None:
    subprocess.run([_COMPILERS[source.suffix], *options, source, "-o", program, "-lm"], check=True, cwd=program.parent)


def descriptions(directory: Path) -> Path:
    """A directory with the descriptions of these machines."""
    machines = directory / "machines"
    machines.mkdir()
    for machine in MACHINES:
        shutil.copy(FOLDER / machine / f"{machine}.yaml", machines)
    return machines


def command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    """The command line in this process, with these machines alone. It works in the directory."""
    simulator = paths.simulator().with_name("toroid-sim-test")
    monkeypatch.chdir(tmp_path)
    return command_line_here(descriptions(tmp_path), simulator, monkeypatch, capfd)


def main() -> None:
    ours = paths.simulator().with_name("toroid-sim-test")

    def simulator(preset_name: str | None = None) -> Path:
        return ours

    with tempfile.TemporaryDirectory() as directory:
        paths.MACHINES = descriptions(Path(directory))
        paths.simulator = simulator
        cli.main()


if __name__ == "__main__":
    main()
