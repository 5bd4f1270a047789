# SPDX-License-Identifier: Apache-2.0
"""A directory of results belongs to one command at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from toroid import build, paths

Toroid = Callable[..., int]


@contextmanager
def another_command_in(directory: Path) -> Iterator[None]:
    held = os.open(directory, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(held)


@pytest.mark.parametrize(
    ("command", "place", "advice"),
    [
        ("run --results out prog", "out", "wait for its end, or name another directory with --results"),
        ("traffic --results out", "out", "wait for its end, or name another directory with --results"),
        ("demo --results out", "out", "wait for its end, or name another directory with --results"),
        ("reproduce bgl fig6", "results/reproduce/bgl", "wait for its end, or name another directory with --results"),
        ("bench", "results/bench", "wait for its end"),
    ],
)
def test_a_second_command_leaves_the_results_of_the_first_alone(
    toroid: Toroid,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    command: str,
    place: str,
    advice: str,
) -> None:
    def built_all_the_same(*_arguments: object, **_named: object) -> None:
        raise AssertionError

    monkeypatch.setattr(build, "ensure", built_all_the_same)
    directory = tmp_path / place
    names = ("configuration.json", "result.json", "machine.yaml", "rows.json", "latency.png")
    directory.mkdir(parents=True)
    for name in names:
        (directory / name).write_text("of the first")
    with another_command_in(directory):
        assert toroid(*command.split()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == f"toroid: {place}: another command writes its results there; {advice}\n"
    assert {name: (directory / name).read_text() for name in names} == dict.fromkeys(names, "of the first")
    assert sorted(path.name for path in directory.iterdir()) == sorted(names)


def test_results_are_given_back_at_the_end(toroid: Toroid) -> None:
    for _ in range(2):
        assert toroid("run", "--results", "out", "prog") == 0
    assert not (paths.RESULTS / "run").exists()
