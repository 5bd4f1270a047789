# SPDX-License-Identifier: Apache-2.0
"""Programs that print the same on each instruction set as on the host: testbench/tests/isa_programs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid

from toroid import paths

SOURCES = sorted(
    path for path in (paths.ROOT / "testbench" / "tests" / "isa_programs").iterdir() if path.suffix != ".md"
)
# Results must not depend on what a compiler fuses.
OPTIONS = ["-ffp-contract=off", "-pthread"]
MORE = {"matrix.c": ["-O3"], "openmp.c": ["-O2", "-fopenmp"], "openmp.f90": ["-O2", "-fopenmp"]}
LANGUAGES = {".c": ["-std=gnu11"], ".cpp": ["-std=c++17"], ".f90": []}


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def test_there_are_programs() -> None:
    assert len(SOURCES) >= 20


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
@pytest.mark.parametrize("machine", MACHINES)
def test_as_on_the_host(
    toroid: Toroid, tmp_path: Path, machine: str, source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = [*OPTIONS, *LANGUAGES[source.suffix], *MORE.get(source.name, ["-O2"])]
    native, program = tmp_path / "native", tmp_path / "program"
    chips.compiled_natively(source, native, options)
    chips.compiled(machine, source, program, options)
    expected = subprocess.run([native], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert expected
    capfd.readouterr()  # what compilers say
    status, out, err = toroid("run", "--machine", machine, "--shape", "1", "--results", "out", program)
    assert (status, out) == (0, expected), err
