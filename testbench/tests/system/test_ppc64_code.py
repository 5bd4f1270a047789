# SPDX-License-Identifier: Apache-2.0
"""Random code of 64-bit PowerPC leaves the same in registers and memory as QEMU does, an emulator of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import chips
import ppc64_code
import pytest
from chips import Toroid

# As many programs as the environment asks for, from another seed on if it names one.
PROGRAMS = int(os.environ.get("TOROID_PPC64_PROGRAMS", "4"))
FIRST = int(os.environ.get("TOROID_PPC64_SEED", "1"))
COMPILER = "powerpc64-linux-gnu-gcc"
QEMU = "qemu-ppc64"


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def compiled(directory: Path, seed: int) -> Path:
    main, code = ppc64_code.sources(seed)
    (directory / "main.c").write_text(main, encoding="utf-8")
    (directory / "code.s").write_text(code, encoding="utf-8")
    program = directory / "program"
    options = ["-mcpu=power7", "-O1", "-static", "-no-pie", "-fno-pic"]
    subprocess.run(
        [COMPILER, *options, "-mno-altivec", "-mno-vsx", "main.c", "code.s", "-o", program], cwd=directory, check=True
    )
    return program


@pytest.mark.skipif(shutil.which(COMPILER) is None or shutil.which(QEMU) is None, reason="needs compiler and QEMU")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_registers_and_memory(toroid: Toroid, tmp_path: Path, seed: int) -> None:
    program = compiled(tmp_path, seed)
    expected = subprocess.run([QEMU, program], capture_output=True, text=True, check=True).stdout
    status, out, err = toroid("run", "--machine", "test-ppc64", "--shape", "1", "--results", "out", program)
    assert status == 0, err
    assert out.splitlines() == expected.splitlines()
