# SPDX-License-Identifier: Apache-2.0
"""Files of Fortran programs with OpenMP, whose library brings a part of those for threads."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

SOURCE = paths.ROOT / "testbench/tests/programs/closes.f90"


@pytest.mark.parametrize(("machine", "shape"), [("bgl", "1x1x1"), ("bgp", "1x1x1"), ("bgq", "1x1x1x1x1")])
def test_files_are_written_read_and_deleted(machine: str, shape: str, tmp_path: Path) -> None:
    program = tmp_path / "closes"
    built = toroid("fc", "--machine", machine, "-fopenmp", SOURCE, "-o", program)
    assert built.returncode == 0, built.stderr
    done = toroid("run", "--machine", machine, "--shape", shape, "--directory", tmp_path, program)
    assert (done.returncode, done.stdout) == (0, "read 55\n"), done.stderr
    assert not (tmp_path / "closes.tmp").exists()
