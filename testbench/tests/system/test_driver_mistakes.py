# SPDX-License-Identifier: Apache-2.0
"""What somebody does wrong who writes a driver is named by the report, as the guide shows it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

GUIDE = paths.ROOT / "docs" / "guide" / "driver_mistakes.md"
PROGRAM = paths.guest_program("driver_mistakes")
# Beside the mistake's name: how the guide says that it is run.
REQUEST: dict[str, dict[str, Any]] = {"nobody_there": {"ranks": 1}, "interrupt_stays": {"timeout_ns": 2_000_000}}
SAID = re.findall(r"^\| [^|]+ \| `(\w+)` \| `([^`]+)` \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of a run from the command line, which says on standard error what its result says."""
    directory = tmp_path_factory.mktemp("mistakes")
    done = toroid("run", "--shape", "2x1x1", "--results", directory, PROGRAM, "header_alone")
    assert done.returncode == 1, done.stderr
    stuck = read_result(directory)["stuck"]
    assert "injection FIFO I0 of node (0,0,0) holds 1 of 2 quads of an unfinished packet" in stuck
    assert stuck in done.stderr
    loaded: dict[str, Any] = json.loads((directory / "configuration.json").read_text())
    return loaded


def test_the_guide_has_every_mistake_of_the_program() -> None:
    source = (paths.ROOT / "testbench" / "tests" / "programs" / "driver_mistakes.c").read_text(encoding="utf-8")
    assert sorted(name for name, _ in SAID) == sorted(re.findall(r'^ {6}\{"(\w+)", \w+\},$', source, re.MULTILINE))


@pytest.mark.parametrize(("name", "says"), SAID, ids=[name for name, _ in SAID])
def test_mistake(configuration: dict[str, Any], tmp_path: Path, name: str, says: str) -> None:
    request = configuration | {"run": configuration["run"] | {"arguments": [name]} | REQUEST.get(name, {})}
    (tmp_path / "configuration.json").write_text(json.dumps(request))
    command = [paths.simulator(), tmp_path / "configuration.json", tmp_path / "result.json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (1, 124), done.stderr
    result = read_result(tmp_path)
    assert result["ended"] in ("fault", "deadlock", "stuck", "timeout")
    assert says in (result["stuck"] or result["error"])


def test_a_run_that_is_cut_off_at_work_tells_nothing_of_its_devices(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "4x4x2", "--timeout", "700us", paths.guest_program("stress")]
    done = toroid("run", "--results", tmp_path, *arguments)
    assert done.returncode == 124, done.stderr
    assert read_result(tmp_path)["stuck"] is None
