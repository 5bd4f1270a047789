# SPDX-License-Identifier: Apache-2.0
"""MPI above its transport belongs to no machine, and its bindings can be made for addresses of any size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from toroid import paths

MPI = paths.ROOT / "firmware" / "mpi"
LACKING = MPI / "transport" / "lacking"
INCLUDE = re.compile(r'^#include "(.+)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# What only one machine, or one kind of processor, has.
MACHINE = re.compile(r"bgl|torus|__asm__|\basm\b|powerpc|uint32_t\)\(uintptr_t\)", re.IGNORECASE)


def above() -> list[Path]:
    return [*sorted(MPI.glob("*.[ch]")), *sorted(LACKING.glob("*.c"))]


def test_there_are_files_to_look_at() -> None:
    assert {"transport.h", "messages.c", "win_access.c", "collectives.c"} <= {path.name for path in above()}


def test_belongs_to_no_machine() -> None:
    strays = []
    for path in above():
        text = path.read_text(encoding="utf-8")
        for header in INCLUDE.findall(text):
            own = header.startswith("firmware/mpi/") and not header.startswith("firmware/mpi/transport/")
            if not own and header not in (
                "mpi_profiling.h",
                "mpi_locked.h",
                "transport_inline.h",
                "transport_constants.h",
            ):
                strays.append(f"{path.name} includes {header}")
        strays += [f"{path.name} has '{stray}'" for stray in MACHINE.findall(COMMENT.sub("", text))]
    assert not strays


def command(directory: Path, address_bytes: int, sources: list[Path]) -> list[str | Path]:
    generator: list[str | Path] = [sys.executable, "-B", MPI / "generate_bindings.py", "--output", directory]
    return [*generator, "--address-bytes", str(address_bytes), *sources]


def generated(directory: Path, address_bytes: int) -> dict[str, str]:
    subprocess.run(command(directory, address_bytes, sorted(MPI.glob("*.c"))), check=True)
    return {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir()}


def test_bindings_for_longer_addresses(tmp_path: Path) -> None:
    short, long = generated(tmp_path / "short", 4), generated(tmp_path / "long", 8)
    assert short.keys() == long.keys()
    differing = {name for name in short if short[name] != long[name]}
    assert differing == {"mpif.h", "mpi.f90", "mpi_f08.f90"}
    for name in differing:
        # Handles, counts and all else stay as they are.
        changed = [
            (before, after)
            for before, after in zip(short[name].splitlines(), long[name].splitlines(), strict=True)
            if before != after
        ]
        assert all(
            "KIND" in before
            and re.sub(r"(KIND ?=) ?4", r"\g<1>8", before.replace(" = ", "=")) == after.replace(" = ", "=")
            for before, after in changed
        ), changed[:3]


def test_what_is_current_is_left_alone(tmp_path: Path) -> None:
    generated(tmp_path, 4)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    generated(tmp_path, 4)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_a_function_without_definition(tmp_path: Path) -> None:
    done = subprocess.run(command(tmp_path, 4, [MPI / "send.c"]), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("firmware/mpi/mpi.h: MPI_Init is declared, but no source file has MPII_PUBLIC of it")
