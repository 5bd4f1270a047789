# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of machine descriptions: it takes what loads, refuses what does not, and knows what the simulator
knows. And a description with a base is a machine that runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import SHIPPED, read_result, toroid
from jsonschema import Draft202012Validator

from toroid import paths
from toroid.description import shipped_entries
from toroid.errors import UserError
from toroid.machine import load_machine, machine_names
from toroid.schema import parameters_of
from toroid.yaml_file import read_yaml

EXAMPLES = sorted((paths.ROOT / "docs" / "examples").glob("*.yaml"))
CHANGED = "base: bgl\nparameters:\n  torus:\n    buffer_chunks: {value: 64, unit: chunks}\n"


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    done = toroid("info", "--schema")
    assert done.returncode == 0, done.stderr
    text = json.loads(done.stdout)
    Draft202012Validator.check_schema(text)
    return Draft202012Validator(text)


@pytest.mark.parametrize("path", [*sorted(paths.MACHINES.glob("*.yaml")), *EXAMPLES], ids=lambda path: path.stem)
def test_descriptions_are_valid(schema: Draft202012Validator, path: Path) -> None:
    assert [error.message for error in schema.iter_errors(read_yaml(path).plain())] == []
    load_machine(str(path))


@pytest.mark.parametrize(
    ("parameter", "says"),
    [
        ("router: {value: dragonfly}", "no router family 'dragonfly'; there are blue_gene_lp"),
        ("buffer_chunks: {value: 99999999, unit: chunks}", "torus.buffer_chunks is 99999999"),
        ("clock: {value: 0, unit: MHz}", "torus.clock is 0"),
    ],
)
def test_info_and_the_schema_refuse_what_cannot_be(
    schema: Draft202012Validator, tmp_path: Path, parameter: str, says: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"base: bgl\nparameters:\n  torus:\n    {parameter}\n")
    assert not schema.is_valid(read_yaml(path).plain())
    done = toroid("info", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path}:4: " in done.stderr
    assert says in done.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("base: bgl", "bsae: bgl", id="misspelt key at the top"),
        pytest.param("base: bgl", "base: bgl\nmachine: bgl", id="a machine beside the base"),
        pytest.param("torus:", "tours:", id="misspelt group"),
        pytest.param("buffer_chunks", "bufer_chunks", id="misspelt parameter"),
        pytest.param("unit: chunks", "unti: chunks", id="misspelt key of a parameter"),
        pytest.param("unit: chunks", "unit: bytes", id="wrong unit"),
        pytest.param(", unit: chunks", "", id="no unit"),
        pytest.param("value: 64", "value: many", id="text for a number"),
        pytest.param("value: 64", "value: 64.5", id="fraction"),
        pytest.param("unit: chunks", "unit: chunks, mark: guessed", id="unknown mark"),
        pytest.param("base: bgl", "base: bgl\ndimensions: ABCDEF", id="too many dimensions"),
        pytest.param("base: bgl", "machine: bgl\ntitle: a\ndimensions: XYZ", id="incomplete"),
    ],
)
def test_what_does_not_load_is_not_valid(schema: Draft202012Validator, tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(CHANGED)
    assert schema.is_valid(read_yaml(path).plain())
    path.write_text(CHANGED.replace(old, new))
    assert not schema.is_valid(read_yaml(path).plain())
    with pytest.raises(UserError):
        load_machine(str(path))


@pytest.mark.parametrize("value", [0, 256, -1])
def test_ranges_are_the_simulators(schema: Draft202012Validator, tmp_path: Path, value: int) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(CHANGED.replace("64", str(value)))
    assert not schema.is_valid(read_yaml(path).plain())
    done = toroid("traffic", "--machine", "mine.yaml", "--shape", "2x2x2", "--load", "0.3", cwd=tmp_path)
    assert done.returncode == 2
    if value >= 0:  # which is refused without the simulator
        assert done.stderr == (
            f"toroid-sim: mine.yaml:4: torus.buffer_chunks is {value} chunks; it must be a whole number from 1 to 255\n"
        )


def test_names_of_choices_are_the_simulators(schema: Draft202012Validator, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("base: bgl\nparameters:\n  torus:\n    tie_rule: {value: minus}\n")
    assert not schema.is_valid(read_yaml(path).plain())
    done = toroid("traffic", "--machine", "mine.yaml", "--shape", "2x2x2", "--load", "0.3", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "toroid-sim: mine.yaml:4: torus.tie_rule is 'minus'; it must be parity, plus or sum_parity\n"


@pytest.mark.parametrize("value", ["1", "'true'", "on"])
def test_what_is_true_or_false_is_not_written_otherwise(
    schema: Draft202012Validator, tmp_path: Path, value: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"base: bgl\nparameters:\n  core:\n    caches: {{value: {value}}}\n")
    assert not schema.is_valid(read_yaml(path).plain())
    shown = "1" if value == "1" else repr(value.strip("'"))
    with pytest.raises(UserError, match=f"mine.yaml:4:21: core.caches.value is {shown}; expected true or false"):
        load_machine(str(path))


def test_a_parameter_left_out_of_a_complete_description_is_not_valid(schema: Draft202012Validator) -> None:
    plain = read_yaml(SHIPPED).plain()
    del plain["parameters"]["tree"]["alu_cycles"]
    assert [error.message for error in schema.iter_errors(plain)] == ["'alu_cycles' is a required property"]


def test_descriptions_and_simulator_name_the_same_parameters() -> None:
    for machine in machine_names():
        shipped = shipped_entries(machine)
        listed = parameters_of(machine)
        assert {info.name: info.unit for info in listed} == {name: entry.unit for name, entry in shipped.items()}
        for info in listed:
            kind = {"truth": bool, "choice": str, "text": str, "whole": int, "number": float}[info.type]
            assert isinstance(shipped[info.name].value, kind), f"{info.name} of {machine}"


def test_schema_goes_alone() -> None:
    done = toroid("info", "bgl", "--schema")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "toroid: --schema: it is the same for all machines; give nothing beside it\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(tmp_path: Path, example: Path) -> None:
    machine = load_machine(str(example))
    shape = "x".join(["2", *["1"] * (len(machine.dimensions) - 1)])
    call: list[str | Path] = ["--machine", example, "--shape", shape, "--results", tmp_path]
    if machine.router == "blue_gene_lp":
        done = toroid("run", *call, paths.guest_program("pingpong"), cwd=tmp_path)
    else:  # traffic alone
        done = toroid("traffic", *call, "--load", "0.1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    results = tmp_path if machine.router == "blue_gene_lp" else tmp_path / "load-0.1"
    given = read_result(results)["configuration"]["parameters"]
    assert given == machine.flat()
    assert given != load_machine("bgl").flat()
