# SPDX-License-Identifier: Apache-2.0
"""A null pointer where a function of MPI needs something gives an error code of the right class, never a fault."""

from __future__ import annotations

from pathlib import Path

import null_pointers
from helpers import toroid

from toroid import paths


def test_null_pointers_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "nulls.c"
    source.write_text(null_pointers.program())
    checks = f"-I{paths.ROOT / 'testbench' / 'tests' / 'mpi'}"
    done = toroid("mpicc", checks, source, "-o", tmp_path / "nulls")
    assert done.returncode == 0, done.stderr
    done = toroid(
        "run", "--shape", "2x1x1", "--directory", tmp_path, "--results", tmp_path / "results", tmp_path / "nulls"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    count = len(list(null_pointers.cases()))
    assert count > 500
    assert done.stdout.splitlines() == [f"{count} cases", "ok"]
