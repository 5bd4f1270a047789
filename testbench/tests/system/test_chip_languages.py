# SPDX-License-Identifier: Apache-2.0
"""Programs in several languages on test chips of 64-bit PowerPC, statically linked by Debian's cross compilers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import chips
import pytest
from chips import FOLDER
from helpers import Toroid

MACHINE = "test-ppc64"
LANGUAGES = FOLDER / "languages"
SAID = {
    "exceptions.cpp": "caught from the depth\nsum 1498503, locked 3000\n",
    "series.f90": "sum 1.644924066898242 1099511627776\n",
    "regions.c": "4 threads, 24997500.0, 4 entered\n",
    "a2.c": "0 failures\n",
}
COMPILERS = {".cpp": "g++", ".f90": "gfortran", ".c": "gcc"}


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def compiled(source: str, program: Path, *options: str) -> Path:
    """The program; skips the test without the compiler."""
    tools = json.loads((FOLDER / MACHINE / "toolchain.json").read_text(encoding="utf-8"))
    compiler = f"{tools['triple']}-{COMPILERS[Path(source).suffix]}"
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, *tools["compile"], *tools["link"], "-O2", "-g1", "-fopenmp", *options]
    subprocess.run([*command, str(LANGUAGES / source), "-o", str(program), "-lm"], check=True, capture_output=True)
    return program


@pytest.mark.parametrize("source", SAID)
def test_programs_say_what_they_should(toroid: Toroid, tmp_path: Path, source: str) -> None:
    program = compiled(source, tmp_path / "program")
    status, out, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program)
    assert (status, out) == (0, SAID[source]), err


def test_one_engine_for_many_nodes(toroid: Toroid, tmp_path: Path) -> None:
    """Nodes that share translations keep data, lines and reservations of their own."""
    program = compiled("a2.c", tmp_path / "program")
    status, out, err = toroid("run", "--machine", MACHINE, "--shape", "16", "--results", "out", program)
    assert (status, out) == (0, 16 * SAID["a2.c"]), err


def test_an_atomic_access_to_an_odd_address(toroid: Toroid, tmp_path: Path) -> None:
    source = tmp_path / "odd.c"
    source.write_text(
        "#include <stdint.h>\nstatic uint64_t words[2];\n"
        "int main(void) { return (int)__atomic_fetch_add((uint64_t*)((char*)words + 4), 1, __ATOMIC_RELAXED); }\n",
        encoding="utf-8",
    )
    program = compiled(str(source), tmp_path / "odd")
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program)
    assert status != 0
    assert re.search(
        r"misaligned read of 0x[0-9a-f]+[4c] by instruction 0x7[0-9a-f]{5}a8: what it moves must lie at a multiple "
        r"of its size, at 0x[0-9a-f]+ \(main\+",
        err,
    ), err


def test_altivec_is_no_instruction_of_the_processor(toroid: Toroid, tmp_path: Path) -> None:
    source = tmp_path / "vector.s"
    source.write_text(
        '.section .opd,"aw"\n.globl _start\n_start: .quad .code, .TOC.@tocbase, 0\n.text\n.code: .long 0x7c0018ce\n',
        encoding="utf-8",
    )
    compiler = "powerpc64-linux-gnu-gcc"
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    program = tmp_path / "vector"
    subprocess.run([compiler, "-nostdlib", "-static", "-no-pie", str(source), "-o", str(program)], check=True)
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", program)
    assert status != 0
    assert "illegal instruction" in err
