# SPDX-License-Identifier: Apache-2.0
"""The same inputs and seed give the same results: twice, in another build, however the host got there."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths
from toroid.trace.reader import Trace, read_trace

PING_PONG: Arguments = ["--shape", "4x2x2", paths.guest_program("pingpong"), "--protocol", "eager", "--size", "700"]
STRESS: Arguments = ["--shape", "3x2x2", "--seed", "5", paths.guest_program("stress")]
TRAFFIC: Arguments = ["--shape", "4x4x4", "--load", "0.3,0.9", "--warmup", "1000", "--measure", "4000"]
ERRORS = ["--set", "torus.bit_error_rate=1e-5"]
TREE: Arguments = ["--shape", "3x3x2", "--set", "tree.bit_error_rate=1e-4", paths.guest_program("tree"),
                   "--max-size", "4000"]  # fmt: skip
TREE_WATCH: Arguments = ["--shape", "1x1x1", paths.guest_program("tree_watch")]  # a core polls what the other changes
MEMORY_FLAG: Arguments = ["--shape", "1x1x1", paths.guest_program("memory_flag")]  # a core polls the other's store
CROWD: Arguments = [paths.guest_program("stress"), "--messages", "50"]  # packets of many nodes meet in a cycle
ROUGH = ["--set", "core.caches=false", "--set", "core.pipeline=false"]
BARRIER: Arguments = ["--shape", "3x2x2", paths.guest_program("barrier")]

COMMANDS: dict[str, Arguments] = {
    "ping-pong": ["run", *PING_PONG],
    "stress": ["run", *CROWD],
    "stress with link errors": ["run", *ERRORS, *STRESS],
    "tree": ["run", *TREE],
    "tree watched": ["run", *TREE_WATCH],
    "memory flag": ["run", *MEMORY_FLAG],
    "memory flag, unflushed": ["run", *MEMORY_FLAG, "unflushed"],
    "memory flag, device": ["run", *MEMORY_FLAG, "device"],
    "barrier": ["run", *BARRIER],
    "ping-pong, rough": ["run", *ROUGH, *PING_PONG],
    "memory flag, rough": ["run", *ROUGH, *MEMORY_FLAG, "device"],
    "traffic": ["traffic", *ERRORS, *TRAFFIC, "--sizes", "32:0.5,256:0.5"],
}


@dataclass(frozen=True)
class Variation:
    """What must change nothing, and what it leaves in the configuration that a result repeats."""

    name: str
    options: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    key: Sequence[str] = ()
    commands: Sequence[str] = tuple(COMMANDS)
    slow: bool = False


MEMORY_FLAGS = ("memory flag", "memory flag, unflushed", "memory flag, device", "memory flag, rough")
PROGRAMS = ("ping-pong", "ping-pong, rough", "stress", "tree", "tree watched", *MEMORY_FLAGS)
OTHER_BUILD = "asan" if paths.preset() == "release" else "release"
VARIATIONS = [
    Variation("again", commands=("ping-pong", "stress with link errors", "traffic")),
    Variation(
        "in another build",
        env={"TOROID_PRESET": OTHER_BUILD},
        commands=("ping-pong", "stress with link errors", "traffic"),
        slow=True,
    ),
    Variation("polling executed", ["--no-park"], key=("run", "park"), commands=PROGRAMS),
    *(
        Variation(
            f"quantum {quantum}", ["--set", f"core.quantum={quantum}"], key=("parameters", "core.quantum"),
            commands=PROGRAMS,
        )
        for quantum in (17, 100, 1_000_000)
    ),
    *(
        Variation(
            f"elaborated in order {order}", env={"TOROID_ELABORATION_ORDER": str(order)}, key=("elaboration_order",),
            commands=[name for name in COMMANDS if name not in MEMORY_FLAGS],
        )
        for order in (1, 2)
    ),
]  # fmt: skip


def run(directory: Path, arguments: Arguments, env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Results by their place below the directory."""
    command, *rest = arguments
    done = toroid(command, "--results", directory, *rest, env=env, timeout=500)
    assert done.returncode == 0, done.stderr
    found = {str(path.relative_to(directory)): read_result(path.parent) for path in directory.rglob("result.json")}
    assert found
    return found


def without(results: dict[str, Any], key: Sequence[str]) -> dict[str, Any]:
    """Results, but for what was asked for."""
    for result in results.values():
        section = result["configuration"]
        for name in key[:-1]:
            section = section[name]
        if key:
            section.pop(key[-1], None)
    return results


Expected = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """Results of a command as it is, each run once."""

    @cache
    def run_once(name: str) -> dict[str, Any]:
        return run(tmp_path_factory.mktemp("expected"), COMMANDS[name])

    return lambda name: copy.deepcopy(run_once(name))


@pytest.mark.parametrize(
    ("variation", "name"),
    [
        pytest.param(
            variation, name, id=f"{variation.name}, {name}", marks=[pytest.mark.slow] if variation.slow else []
        )
        for name in COMMANDS
        for variation in VARIATIONS
        if name in variation.commands
    ],
)
def test_nothing_changes(tmp_path: Path, expected: Expected, variation: Variation, name: str) -> None:
    command, *rest = COMMANDS[name]
    found = run(tmp_path, [command, *variation.options, *rest], variation.env)
    assert without(found, variation.key) == without(expected(name), variation.key)


def test_the_order_of_elaboration_changes_no_trace_and_no_output(tmp_path: Path) -> None:
    def traced(name: str, env: Mapping[str, str]) -> tuple[Trace, str]:
        file = tmp_path / name
        done = toroid("run", "--results", tmp_path / f"{name}.results", "--prefix", "--trace", file,
                      *TREE, env=env)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return read_trace(file), done.stdout

    usual, output = traced("usual", {})
    other, other_output = traced("other", {"TOROID_ELABORATION_ORDER": "3"})
    assert output == other_output
    assert usual.tables.keys() == other.tables.keys()
    for kind, table in usual.tables.items():
        assert np.array_equal(table, other.tables[kind]), kind


def test_another_seed_gives_another_result(tmp_path: Path) -> None:
    arguments: Arguments = ["traffic", *TRAFFIC]
    first = run(tmp_path / "first", arguments)
    second = run(tmp_path / "second", [*arguments, "--seed", "2"])
    assert first.keys() == second.keys()
    place = "load-0.9/result.json"
    assert first[place]["traffic"] != second[place]["traffic"]


def test_place_of_the_program_changes_nothing(tmp_path: Path) -> None:
    elsewhere = tmp_path / "in a folder with a long name" / "pingpong"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(paths.guest_program("pingpong").read_bytes())
    here = run(tmp_path / "here", ["run", "--shape", "2x2x1", paths.guest_program("pingpong")])
    there = run(tmp_path / "there", ["run", "--shape", "2x2x1", elsewhere])
    key = ("run", "program")
    assert without(here, key) == without(there, key)
