# SPDX-License-Identifier: Apache-2.0
"""Which earlier runs of programs stand for new ones. The simulator is a stand-in (fake_simulator.py)."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from toroid import paths
from toroid.earlier import EarlierRuns
from toroid.errors import ToroidError
from toroid.experiments.harness import Lab, ProgramRun
from toroid.machine import load_machine
from toroid.shape import parse_shape

RUN = ProgramRun("run", "prog", ("exit", "0"), parse_shape("2x1x1", "XYZ"))


@pytest.fixture
def lab(fake_simulator: None, tmp_path: Path) -> Lab:
    program = paths.guest_program("prog")
    program.parent.mkdir(parents=True)
    program.touch()
    return Lab(load_machine("bgl"), tmp_path / "runs")


def found(lab: Lab, run: ProgramRun, *, of_any_age: bool = False) -> int:
    """How many runs need not be made again."""
    earlier = EarlierRuns(of_any_age=of_any_age)
    assert replace(lab, earlier=earlier, _outputs={}).run([run]) == ["output of the program\n"]
    return earlier.found


def test_a_run_is_made_once(lab: Lab) -> None:
    assert [found(lab, RUN), found(lab, RUN)] == [0, 1]


def test_a_run_of_another_configuration_is_another(lab: Lab, tmp_path: Path) -> None:
    found(lab, RUN)
    assert found(lab, replace(RUN, environment=(("A", "1"),))) == 0
    changed = replace(lab, machine=lab.machine.with_settings(["torus.buffer_chunks=16"]))
    assert found(changed, replace(RUN, environment=(("A", "1"),))) == 0
    # Where it lies does not matter.
    (tmp_path / "runs").rename(tmp_path / "moved")
    assert found(replace(changed, directory=tmp_path / "moved"), replace(RUN, environment=(("A", "1"),))) == 1


def test_a_program_that_was_built_since_runs_again(lab: Lab) -> None:
    found(lab, RUN)
    os.utime(paths.guest_program("prog"), (time.time() + 60,) * 2)
    assert found(lab, RUN, of_any_age=True) == 1
    assert found(lab, RUN) == 0


def test_a_run_that_failed_is_made_again(lab: Lab) -> None:
    for _ in range(2):
        earlier = EarlierRuns()
        with pytest.raises(ToroidError):
            replace(lab, earlier=earlier, _outputs={}).run([replace(RUN, arguments=("exit", "3"))])
        assert earlier.found == 0
