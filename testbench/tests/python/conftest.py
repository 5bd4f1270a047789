# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the simulator, for tests of what surrounds it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toroid import paths


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
