# SPDX-License-Identifier: Apache-2.0
"""What a build says where standard error is no terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from toroid import build, paths


@pytest.fixture
def log_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "LOGS", tmp_path)
    return tmp_path


def test_a_build_says_so_when_it_begins(log_directory: Path) -> None:
    said = log_directory / "stderr"
    # The build goes on until it has been told of, and fails where nobody does.
    waits = f"echo '[1/2] one'; for i in $(seq 100); do grep -q building {said} && exit 0; sleep 0.1; done; exit 1"
    program = (
        "from pathlib import Path; from toroid import build, paths; "
        f"paths.LOGS = Path({str(log_directory)!r}); build._run(['sh', '-c', {waits!r}], 'log', 'building (x)')"
    )
    env = os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench")}
    with said.open("w") as stderr:
        done = subprocess.run([sys.executable, "-c", program], env=env, stderr=stderr, timeout=30, check=False)
    assert done.returncode == 0
    assert said.read_text().splitlines()[0] == "toroid: building (x) ..."


def test_configuring_is_told_although_it_has_no_steps(log_directory: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build._run(["sleep", "1.1"], "log", "configuring (x)", at_once=True)
    assert capfd.readouterr().err == "toroid: configuring (x) ...\ntoroid: configuring (x): 1 s\n"


def test_nothing_to_build_is_no_news(log_directory: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build._run(["echo", "ninja: no work to do."], "log", "building (x)")
    assert capfd.readouterr().err == ""
