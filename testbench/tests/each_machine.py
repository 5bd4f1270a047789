# SPDX-License-Identifier: Apache-2.0
"""All machines whose programs can be compiled, those of the tests included, and a run on any of them."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from helpers import Toroid, command_line_here

from toroid import guest, paths
from toroid.machine import load_machine

MACHINES = [*guest.machines(), *guest.test_chips()]
# By the prefix of the compilers: what readelf says of their programs, and what people call these.
SETS = {
    "powerpc": ("ELF32", "big endian", "PowerPC", "32-bit big-endian PowerPC"),
    "powerpc64": ("ELF64", "big endian", "PowerPC64", "64-bit big-endian PowerPC"),
    "x86_64": ("ELF64", "little endian", "Advanced Micro Devices X86-64", "64-bit little-endian x86-64"),
}
# Machines with one instruction set run each other's programs, where these do not say for which they are compiled.
ALIKE = [
    (machine, other)
    for machine in MACHINES
    for other in MACHINES
    if guest.toolchain(machine).triple == guest.toolchain(other).triple
]


def instruction_set(machine: str) -> tuple[str, str, str, str]:
    return SETS[guest.toolchain(machine).triple.partition("-")[0]]


def run_on(
    machine: str,
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: tuple[str, ...] = (),
) -> tuple[int, str, str]:
    """On one node of a machine, or of that of a file: exit status, standard output and error."""
    toroid: Toroid
    if machine not in guest.test_chips():
        monkeypatch.chdir(tmp_path)
        toroid = command_line_here(paths.MACHINES, paths.simulator(), monkeypatch, capfd)
    else:
        toroid = chips.command_line(tmp_path, monkeypatch, capfd)
    dimensions = len(load_machine(machine).dimensions) if machine not in guest.test_chips() else 1
    shape = "x".join(["1"] * dimensions)
    return toroid("run", "--machine", machine, "--shape", shape, "--results", "out", program, *arguments)
