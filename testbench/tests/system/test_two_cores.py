# SPDX-License-Identifier: Apache-2.0
"""The two cores of a node: both modes, what they share, what they do not, and results that depend on neither quantum
nor parking."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

VIRTUAL_NODES: Arguments = ["--shape", "2x1x1", "--mode", "vn", paths.guest_program("virtual_nodes")]


def outcome(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    """The result but for the configuration it was asked with, and the output."""
    done = toroid("run", "--results", directory, *arguments)
    assert done.returncode == 0, done.stderr
    result = read_result(directory)
    del result["configuration"]
    return result | {"output": done.stdout}


def test_virtual_node_mode_places_ranks_in_xyzt_order(tmp_path: Path) -> None:
    output = outcome(tmp_path, *VIRTUAL_NODES)["output"]
    places = re.findall(r"rank (\d+) of (\d+) at \((\d), (\d), (\d), (\d)\), 2 processes a node, 1 cores each", output)
    expected = {(str(rank), "4", str(rank % 2), "0", "0", str(rank // 2)) for rank in range(4)}
    assert set(places) == expected


def test_virtual_nodes_share_by_lock_barrier_and_sram_only(tmp_path: Path) -> None:
    result = outcome(tmp_path, *VIRTUAL_NODES, "5000")
    assert result["ended"] == "completed"
    assert [rank["status"] for rank in result["ranks"]] == [0, 0, 0, 0]
    assert [rank["coordinates"][3] for rank in result["ranks"]] == [0, 0, 1, 1]


def test_ranks_and_mapping_files_know_the_second_process(tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    path.write_text("0 0 0 1\n0 0 0 0\n1 0 0 1\n")
    done = toroid("run", "--shape", "2x1x1", "--mode", "vn", "--ranks", "2", "--map", path,
                  paths.guest_program("virtual_nodes"))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "rank 0 of 2 at (0, 0, 0, 1)" in done.stdout
    assert "rank 1 of 2 at (0, 0, 0, 0)" in done.stdout
    refused = toroid("run", "--shape", "2x1x1", "--mode", "vn", "--ranks", "5", paths.guest_program("virtual_nodes"))
    assert refused.returncode == 2
    assert "two processes run on each" in refused.stderr


def test_memory_of_16_mib_will_do_in_coprocessor_mode(tmp_path: Path) -> None:
    hello = paths.guest_program("hello")
    small: Arguments = ["run", "--results", tmp_path, "--shape", "2x1x1", "--set", "node.memory_size=16"]
    assert toroid(*small, hello).returncode == 0
    done = toroid(*small, "--mode", "vn", hello)
    assert done.returncode == 1
    assert "; the process has 8388608" in done.stderr


@pytest.mark.parametrize("change", [["--no-park"], *(["--set", f"core.quantum={q}"] for q in (17, 1000, 1_000_000))],
                         ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("arguments", [pytest.param(VIRTUAL_NODES, id="virtual nodes")])
def test_neither_quantum_nor_parking_changes_anything(tmp_path: Path, arguments: Arguments, change: list[str]) -> None:
    assert outcome(tmp_path / "usual", *arguments) == outcome(tmp_path / "other", *change, *arguments)
