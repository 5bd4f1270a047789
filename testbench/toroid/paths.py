# SPDX-License-Identifier: Apache-2.0
"""Paths in a checkout, and the directories of results."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from toroid.errors import UserError, escaped


def results() -> Path:
    """The directory in which the command was called, or which a variable names."""
    return Path(os.environ.get("TOROID_RESULTS") or "results")


ROOT = Path(__file__).resolve().parents[2]
MACHINES = ROOT / "hw" / "machines"
# Of commands that name no machine.
DEFAULT_MACHINE = "bgl"
BUILD = ROOT / "build"
LOGS = BUILD / "log"
UNICORN_SOURCE = ROOT / "third_party" / "unicorn"
RESULTS = results()
_ELSEWHERE = "name another place with --results or TOROID_RESULTS"
# As messages name it.
WHAT_CAN_BE_CHANGED = "docs/what_can_be_changed.md"
BENCH_BASELINE = ROOT / "testbench" / "bench" / "baseline.json"


def version() -> str:
    """Of Toroid."""
    return (ROOT / "VERSION").read_text(encoding="utf-8").strip()


def preset() -> str:
    """The CMake preset whose simulator is used: release, unless TOROID_PRESET names another."""
    return os.environ.get("TOROID_PRESET", "release")


def simulator(preset_name: str | None = None) -> Path:
    return BUILD / (preset_name or preset()) / "bin" / "toroid-sim"


def guest(machine: str = DEFAULT_MACHINE) -> Path:
    """What is built for a machine's cores. It does not depend on how the simulator was compiled."""
    return BUILD / "release" / "guest" / machine


def guest_libraries(machine: str = DEFAULT_MACHINE) -> Path:
    return guest(machine) / "lib"


def guest_headers(machine: str = DEFAULT_MACHINE) -> Path:
    """What programs of MPI include: mpi.h, mpif.h, and the module mpi."""
    return guest(machine) / "include"


def guest_program(name: str, machine: str = DEFAULT_MACHINE) -> Path:
    return guest(machine) / "bin" / name


def new_result_directory(command: str, name: str) -> Path:
    """A new directory for one run: results/<command>/<name>-<number>, with increasing numbers."""
    parent = RESULTS / command
    for number in itertools.count(1):
        directory = parent / f"{name}-{number:03}"
        try:
            parent.mkdir(parents=True, exist_ok=True)
            directory.mkdir()
        except FileExistsError:
            if directory.exists():
                continue
            raise UserError(f"{parent}: cannot be created: a part of it is not a directory; {_ELSEWHERE}") from None
        except OSError as error:
            raise UserError(f"{directory}: cannot be created: {error.strerror}; {_ELSEWHERE}") from error
        return directory
    raise AssertionError("unreachable")


def shown(path: Path) -> str:
    """A path as a person at the current directory would type it, for a message."""
    absolute = path.absolute()
    here = Path.cwd()
    return escaped(str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute))
