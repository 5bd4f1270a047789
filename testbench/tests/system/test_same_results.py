# SPDX-License-Identifier: Apache-2.0
"""The same inputs and seed give the same result to the byte: twice, in another build, however the host got there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

PING_PONG: Arguments = ["--shape", "4x2x2", paths.guest_program("pingpong"), "--protocol", "eager", "--size", "700"]
STRESS: Arguments = ["--shape", "3x2x2", "--seed", "5", paths.guest_program("stress")]
TRAFFIC: Arguments = ["--shape", "4x4x4", "--load", "0.3,0.9", "--warmup", "1000", "--measure", "4000"]
ERRORS = ["--set", "torus.bit_error_rate=1e-5"]

RUNS = [
    pytest.param(["run", *PING_PONG], id="ping-pong"),
    pytest.param(["run", *ERRORS, *STRESS], id="stress with link errors"),
    pytest.param(["traffic", *ERRORS, *TRAFFIC, "--sizes", "32:0.5,256:0.5"], id="traffic"),
]


def run(directory: Path, arguments: Arguments, preset: str | None = None) -> dict[str, bytes]:
    """Result files by their place below the directory."""
    env = {"TOROID_PRESET": preset} if preset is not None else {}
    command, *rest = arguments
    done = toroid(command, "--results", directory, *rest, env=env, timeout=500)
    assert done.returncode == 0, done.stderr
    found = {str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("result.json"))}
    assert found
    return found


@pytest.mark.parametrize("arguments", RUNS)
def test_twice(tmp_path: Path, arguments: Arguments) -> None:
    assert run(tmp_path / "first", arguments) == run(tmp_path / "second", arguments)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", RUNS)
def test_in_another_build(tmp_path: Path, arguments: Arguments) -> None:
    other = "debug" if paths.preset() == "release" else "release"
    assert run(tmp_path / "this", arguments) == run(tmp_path / "other", arguments, other)


def test_another_seed_gives_another_result(tmp_path: Path) -> None:
    arguments: Arguments = ["traffic", *TRAFFIC]
    first = run(tmp_path / "first", arguments)
    second = run(tmp_path / "second", [*arguments, "--seed", "2"])
    assert first.keys() == second.keys()

    def measured(directory: str) -> Any:
        return read_result(tmp_path / directory / "load-0.9")["traffic"]

    assert measured("first") != measured("second")


def without(directory: Path, *keys: str) -> dict[str, Any]:
    """A result, but for what was asked for."""
    result = read_result(directory)
    section = result["configuration"]
    for key in keys[:-1]:
        section = section[key]
    del section[keys[-1]]
    return result


TREE: Arguments = ["--shape", "3x3x2", "--set", "tree.bit_error_rate=1e-4", paths.guest_program("tree"),
                   "--max-size", "4000"]  # fmt: skip
TREE_WATCH: Arguments = ["--shape", "1x1x1", paths.guest_program("tree_watch")]  # a core polls what the other changes
CROWD: Arguments = [paths.guest_program("stress"), "--messages", "50"]  # packets of many nodes meet in a cycle


each_program = pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(PING_PONG, id="ping-pong"),
        pytest.param(CROWD, id="stress"),
        pytest.param(TREE, id="tree"),
        pytest.param(TREE_WATCH, id="tree watched"),
    ],
)


@each_program
def test_parked_polling_changes_nothing(tmp_path: Path, arguments: Arguments) -> None:
    run(tmp_path / "parked", ["run", *arguments])
    run(tmp_path / "executed", ["run", "--no-park", *arguments])
    assert without(tmp_path / "parked", "run", "park") == without(tmp_path / "executed", "run", "park")


@pytest.mark.parametrize("quantum", [17, 100, 1_000_000])
@each_program
def test_quantum_changes_nothing(tmp_path: Path, arguments: Arguments, quantum: int) -> None:
    run(tmp_path / "default", ["run", *arguments])
    run(tmp_path / "other", ["run", "--set", f"core.quantum={quantum}", *arguments])
    key = ("parameters", "core.quantum")
    assert without(tmp_path / "default", *key) == without(tmp_path / "other", *key)


def test_place_of_the_program_changes_nothing(tmp_path: Path) -> None:
    elsewhere = tmp_path / "in a folder with a long name" / "pingpong"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(paths.guest_program("pingpong").read_bytes())
    run(tmp_path / "here", ["run", "--shape", "2x2x1", paths.guest_program("pingpong")])
    run(tmp_path / "there", ["run", "--shape", "2x2x1", elsewhere])
    key = ("run", "program")
    assert without(tmp_path / "here", *key) == without(tmp_path / "there", *key)
