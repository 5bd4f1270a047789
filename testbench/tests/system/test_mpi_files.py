# SPDX-License-Identifier: Apache-2.0
"""Files of MPI as the machine sees them: calls to the I/O nodes, ranks that compute, errors, and what never comes.

The programs test_mpi.py runs check what lands where.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import compiled, read_result, toroid

from toroid import paths

SOURCES = paths.ROOT / "testbench" / "tests" / "mpi"
TWO_SETS = ["--shape", "4x2x1", "--set", "tree.nodes_per_io_node=4"]
PIECES, PIECE, RANKS = 64, 32, 8


@pytest.fixture(scope="module")
def interleaved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "collective" / "interleaved.c", tmp_path_factory.mktemp("interleaved"), "mpicc")


def _calls(program: Path, directory: Path, how: str) -> list[int]:
    """Of each I/O node. The file is as it should be."""
    done = toroid("run", *TWO_SETS, "--directory", directory, "--results", directory, program, how)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "right\n"
    written = (directory / "turns.dat").read_bytes()
    expected = b"".join(
        bytes((rank * 31 + (piece * PIECE + i) * 7) % 256 for i in range(PIECE))
        for piece in range(PIECES)
        for rank in range(RANKS)
    )
    assert written == expected
    return [node["calls"] for node in read_result(directory)["io_nodes"]]


def test_gathered_accesses_need_few_calls_of_every_io_node(interleaved: Path, tmp_path: Path) -> None:
    alone = _calls(interleaved, tmp_path, "disable")
    together = _calls(interleaved, tmp_path, "automatic")
    assert len(together) == 2
    # By itself each rank writes piece by piece; what it reads it may read with the gaps.
    assert min(alone) > RANKS // 2 * PIECES
    assert max(together) < min(alone) // 4
    assert max(together) < 2 * min(together)


@pytest.fixture(scope="module")
def shared_pointer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "passive" / "shared_pointer.c", tmp_path_factory.mktemp("shared"), "mpicc")


@pytest.mark.parametrize("no_locks", ["false", "true"])
def test_the_shared_pointer_of_a_rank_that_computes(shared_pointer: Path, tmp_path: Path, no_locks: str) -> None:
    done = toroid("run", "--shape", "2x2x1", "--directory", tmp_path, "--results", tmp_path, shared_pointer, no_locks)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "disturbed" not in done.stdout
    found = re.search(r"place=12 done=([\d.]+) computed=([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    served = float(found[1]) < float(found[2])
    assert served == (no_locks == "false")


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "wrong" / "files.c", tmp_path_factory.mktemp("wrong"), "mpicc")


def test_fatal_errors_name_the_file(wrong: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--directory", tmp_path, "--results", tmp_path, wrong, "missing")
    assert done.returncode != 0
    assert re.search(r"MPI rank \d: MPI_File_open: missing\.dat: No such file or directory\n", done.stderr), done.stderr


def test_a_collective_access_that_not_all_take_part_in_is_named(wrong: Path, tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--directory", tmp_path, "--results", tmp_path, wrong, "alone")
    assert done.returncode != 0
    assert "deadlock" in done.stderr
    assert "in MPI_File_write_all on alone.dat, receiving from rank 1" in done.stderr
