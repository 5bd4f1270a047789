# SPDX-License-Identifier: Apache-2.0
"""The command line with a stand-in for the simulator, for tests of what surrounds it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toroid import cli, paths


@pytest.fixture
def fake_simulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """fake_simulator.py in the simulator's place, and results in the test's own directory."""
    simulator = tmp_path / "build" / "release" / "bin" / "toroid-sim"
    simulator.parent.mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "fake_simulator.py", simulator)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(paths, "RESULTS", tmp_path / "results")
    monkeypatch.setenv("TOROID_NO_BUILD", "1")
    monkeypatch.setenv("TOROID_PRESET", "release")


POWERPC_ELF = b"\x7fELF\x01\x02\x01" + bytes(9) + b"\x00\x02\x00\x14"


@pytest.fixture
def toroid(fake_simulator: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command line in this process, in a directory with a "program", and with the stand-in as its simulator."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog").write_bytes(POWERPC_ELF)

    def call(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["toroid", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert isinstance(ended.value.code, int)
        return ended.value.code

    return call
