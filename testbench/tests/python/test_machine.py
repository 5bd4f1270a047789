# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions: the shipped ones load, and each mistake in a copy is reported with its place and its remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import SHIPPED, spoiled_machine

from toroid.errors import FileError, UserError
from toroid.machine import load_machine, machine_names


def test_there_are_machines_and_all_load() -> None:
    assert "bgl" in machine_names()
    for name in machine_names():
        machine = load_machine(name)
        assert machine.parameters
        assert all(parameter.source for parameter in machine.parameters.values())


def test_own_copy_with_a_changed_line(tmp_path: Path) -> None:
    copy, _ = spoiled_machine(tmp_path, "buffer_chunks: {value: 32", "buffer_chunks: {value: 16")
    machine = load_machine(str(copy))
    assert machine.name == "bgl"
    assert machine.flat()["torus.buffer_chunks"] == 16
    others = {name: value for name, value in machine.flat().items() if name != "torus.buffer_chunks"}
    assert others.items() <= load_machine("bgl").flat().items()


def test_own_copy_may_have_other_dimensions(tmp_path: Path) -> None:
    copy, _ = spoiled_machine(tmp_path, "dimensions: XYZ", "dimensions: ABCDE")
    assert load_machine(str(copy)).dimensions == "ABCDE"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("buffer_chunks:", "bufer_chunks:", "did you mean torus.buffer_chunks?", id="misspelt parameter"),
        pytest.param("  torus_fifo:", "  torus_fifos:", "did you mean torus_fifo?", id="misspelt group"),
        pytest.param("title:", "titel:", "did you mean title?", id="misspelt key at the top"),
        pytest.param(
            "{value: 700, unit:", "{value: 700, unti:", "did you mean unit?", id="misspelt key of a parameter"
        ),
        pytest.param("unit: MHz", "unit: MHzz", "unknown unit 'MHzz'; did you mean MHz?", id="unknown unit"),
        pytest.param("value: 700, unit: MHz", "value: 700, unit: ns", "expected MHz", id="another kind of unit"),
        pytest.param("value: 700, unit: MHz", "value: 700, unit: GHz", "expected MHz", id="another scale"),
        pytest.param(
            "mark: driver", "mark: guessed", "expected one of published, driver, calibrated, assumed", id="unknown mark"
        ),
        pytest.param("value: 700", "value: fast", "expected a number", id="text for a number"),
        pytest.param("value: 700", "value: true", "expected a number", id="truth value for a number"),
        pytest.param("value: 700", "value: .nan", "expected a number", id="not a number"),
        pytest.param("value: 700", "value: 700.5", "not a whole number", id="fraction"),
        pytest.param("value: 700", "value: -1", "negative", id="negative"),
        pytest.param("dimensions: XYZ", "dimensions: ABCDEF", "1 to 5 different letters", id="too many dimensions"),
        pytest.param("machine: bgl", "machine: bgk", "unknown machine 'bgk'; did you mean bg", id="unknown machine"),
        pytest.param("{value: 700, ", "{", "key value is missing", id="value left out"),
        pytest.param("    clock: {value: 700,", "    clock: [value: 700,", "not valid YAML", id="syntax"),
    ],
)
def test_mistake_is_told_with_line_and_remedy(tmp_path: Path, old: str, new: str, expected: str) -> None:
    copy, line = spoiled_machine(tmp_path, old, new)
    with pytest.raises(FileError) as caught:
        load_machine(str(copy))
    assert len(caught.value.problems) == 1, str(caught.value)
    assert caught.value.problems[0].line == line
    assert str(caught.value).startswith(f"{copy}:{line}:")
    assert expected in str(caught.value)


def test_column_points_at_the_key(tmp_path: Path) -> None:
    copy, line = spoiled_machine(tmp_path, "buffer_chunks:", "bufer_chunks:")
    with pytest.raises(FileError) as caught:
        load_machine(str(copy))
    column = caught.value.problems[0].column
    assert copy.read_text().splitlines()[line - 1][column - 1 :].startswith("bufer_chunks")


def test_empty_source(tmp_path: Path) -> None:
    copy = tmp_path / "mine.yaml"
    lines = SHIPPED.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("depth:"))
    lines[at] = lines[at].partition("source:")[0] + 'source: ""}'
    copy.write_text("\n".join(lines))
    with pytest.raises(FileError, match=rf":{at + 1}:\d+: torus_fifo\.depth\.source is ''; expected a text"):
        load_machine(str(copy))


def test_parameter_left_out(tmp_path: Path) -> None:
    copy = tmp_path / "mine.yaml"
    copy.write_text("".join(line for line in SHIPPED.open() if "buffer_chunks" not in line))
    with pytest.raises(FileError, match=r"torus\.buffer_chunks: this parameter is missing"):
        load_machine(str(copy))


def test_parameter_given_twice(tmp_path: Path) -> None:
    line = next(line for line in SHIPPED.open() if "buffer_chunks" in line)
    copy, _ = spoiled_machine(tmp_path, line, line + line)
    with pytest.raises(FileError, match="duplicate key"):
        load_machine(str(copy))


@pytest.mark.parametrize("text", ["", "just a text", "- a\n- list\n"])
def test_no_description_at_all(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(FileError, match="not a machine description"):
        load_machine(str(path))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


BUFFERS = "parameters:\n  torus:\n    buffer_chunks: {value: 64, unit: chunks}\n"


def test_base_by_name(tmp_path: Path) -> None:
    mine = load_machine(str(write(tmp_path / "mine.yaml", "base: bgl\ntitle: Mine\ndimensions: ABCDE\n" + BUFFERS)))
    shipped = load_machine("bgl")
    assert (mine.name, mine.title, mine.dimensions) == ("bgl", "Mine", "ABCDE")
    assert mine.files == (tmp_path / "mine.yaml", SHIPPED)
    assert mine.flat() == shipped.flat() | {"torus.buffer_chunks": 64}
    changed = mine.parameters["torus.buffer_chunks"]
    assert (changed.mark, changed.source) == ("assumed", "no source given")
    assert changed.origin == f"{tmp_path}/mine.yaml:6"
    assert changed.overridden == shipped.parameters["torus.buffer_chunks"]


def test_a_base_alone_is_the_machine(tmp_path: Path) -> None:
    assert load_machine(str(write(tmp_path / "mine.yaml", "base: bgl\n"))).parameters == load_machine("bgl").parameters


def test_chain_of_bases_by_relative_paths(tmp_path: Path) -> None:
    write(tmp_path / "one" / "first.yaml", "base: bgl\ntitle: First\n" + BUFFERS)
    write(tmp_path / "two" / "second.yaml", "base: ../one/first.yaml\n" + BUFFERS.replace("64", "128"))
    clock = "parameters:\n  core:\n    clock: {value: 850, unit: MHz, mark: published, source: a talk}\n"
    last = load_machine(str(write(tmp_path / "last.yaml", "base: two/second.yaml\n" + clock)))
    assert last.title == "First"
    assert last.flat() == load_machine("bgl").flat() | {"torus.buffer_chunks": 128, "core.clock": 850}
    buffers = last.parameters["torus.buffer_chunks"]
    assert buffers.overridden is not None
    assert buffers.overridden.overridden is not None
    assert [buffers.value, buffers.overridden.value, buffers.overridden.overridden.value] == [128, 64, 32]
    assert (last.parameters["core.clock"].mark, last.parameters["core.clock"].source) == ("published", "a talk")


def test_base_is_a_complete_description_of_ones_own(tmp_path: Path) -> None:
    spoiled_machine(tmp_path, "buffer_chunks: {value: 32", "buffer_chunks: {value: 16")
    machine = load_machine(str(write(tmp_path / "more.yaml", "base: mine.yaml\n")))
    assert machine.flat()["torus.buffer_chunks"] == 16


def test_what_is_written_of_a_machine_with_a_base_is_complete(tmp_path: Path) -> None:
    machine = load_machine(str(write(tmp_path / "mine.yaml", "base: bgl\ntitle: Mine\ndimensions: ABCDE\n" + BUFFERS)))
    machine = machine.with_settings(["torus.tie_rule=plus"])
    again = load_machine(str(write(tmp_path / "again.yaml", machine.text())))
    assert (again.title, again.dimensions, again.parameters) == ("Mine", "ABCDE", machine.parameters)
    assert again.files == (tmp_path / "again.yaml",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("base: mine.yaml", "1:1: base: mine.yaml: is based on itself: {mine} -> {mine}"),
        ("base: other.yaml", "1:1: base: mine.yaml: is based on itself: {mine} -> {other} -> {mine}"),
        ("\nbase: bgll", "2:1: base: bgll: no machine and no description file there; machines: {machines}"),
        ("base: .", "1:1: base: .: no machine and no description file there; machines: {machines}"),
        ("base: 5", "1:7: base is 5; expected the name of a machine or the path of a description file"),
        ("base: ''", "1:7: base is ''; expected the name of a machine or the path of a description file"),
        ("base: bgl\nmachine: bgl", "2:1: machine: unknown key; a description with a base is of its base's machine"),
        ("base: bgl\ntitel: Mine", "2:1: titel: unknown key; did you mean title?"),
        (
            "base: bgl\ndimensions: 9",
            "2:13: dimensions is 9; expected 1 to 5 different letters, one for each dimension, such as XYZ or ABCDE",
        ),
        ("base: bgl\nparameters: {tours: {}}", "2:14: tours: unknown group of parameters; did you mean torus?"),
        (
            "base: bgl\nparameters: {torus: {clok: {value: 1, unit: MHz}}}",
            "2:22: torus.clok: unknown parameter; did you mean torus.clock?",
        ),
        (
            "base: bgl\nparameters: {torus: {clock: {value: 1, unit: GHz}}}",
            "2:46: torus.clock: wrong unit 'GHz', expected MHz",
        ),
        (
            "base: bgl\nparameters: {torus: {clock: {value: 1}}}",
            "2:22: torus.clock: key unit is missing, expected MHz",
        ),
        (
            "base: bgl\nparameters: {torus: {clock: {unit: MHz}}}",
            "2:22: torus.clock: key value is missing, expected a number",
        ),
        (
            "base: bgl\nparameters: {torus: {tie_rule: {value: 1}}}",
            "2:40: torus.tie_rule.value is 1; expected a name, for example parity",
        ),
        (
            "base: bgl\nparameters: {torus: {tie_rule: {value: plus, unit: count}}}",
            "2:52: torus.tie_rule: wrong unit 'count', which this parameter does not have",
        ),
        (
            "base: bgl\nparameters: {torus.buffer_chunks: {value: 64}}",
            "2:14: torus.buffer_chunks: a parameter stands below the name of its group: write torus: "
            "{{buffer_chunks: {{value: ...}}}}",
        ),
        (
            "base: bgl\nparameters:\n  torus:\n",
            "3:3: torus is empty; expected parameters of this group, for example buffer_chunks: {{value: 64, unit: "
            "chunks}}",
        ),
        (
            "base: bgl\nparameters: {torus: {clock: true}}",
            "2:29: torus.clock is true; expected {{value: ..., unit: ..., mark: ..., source: ...}}",
        ),
        (
            "base: bgl\nmodes: {CO!: {title: a, processes: 1, cores: 1}}",
            "2:9: modes.CO!: expected a name of 1 to 16 small letters, digits and underscores",
        ),
        (
            "base: bgl\nmodes: {co: 1}",
            "2:13: modes.co is 1; expected {{title: coprocessor mode, processes: 1, cores: 2}}",
        ),
    ],
)
def test_mistake_in_a_description_with_a_base(tmp_path: Path, text: str, expected: str) -> None:
    mine = write(tmp_path / "x" / "mine.yaml", text + "\n")
    other = write(tmp_path / "x" / "other.yaml", "base: mine.yaml\n")
    with pytest.raises(FileError) as caught:
        load_machine(str(mine))
    told = str(caught.value)
    where = other if "other.yaml" in text else mine
    assert told == f"{where}:" + expected.format(mine=mine, other=other, machines=", ".join(machine_names()))


def test_modes_of_a_base_stay(tmp_path: Path) -> None:
    """A description has the lines that differ."""
    halves, one = "vn: {title: halves, processes: 2, cores: 1}", "one: {title: one, processes: 1, cores: 1}"
    text = f"base: bgl\nmodes:\n  {halves}\n  {one}\n"
    modes = load_machine(str(write(tmp_path / "mine.yaml", text))).modes
    assert list(modes) == ["co", "vn", "one"]
    assert (modes["co"].cores, modes["vn"].title) == (2, "halves")


def test_a_whole_number_may_have_a_point(tmp_path: Path) -> None:
    """As the schema has it: JSON knows one kind of numbers."""
    machine = load_machine(str(write(tmp_path / "mine.yaml", "base: bgl\n" + BUFFERS.replace("64", "64.0"))))
    value = machine.flat()["torus.buffer_chunks"]
    assert (value, type(value)) == (64, int)


def test_no_such_machine() -> None:
    with pytest.raises(UserError, match=r"no machine and no description file 'bgll'; machines: .*bgl"):
        load_machine("bgll")


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("torus.buffer_chunks=16", "torus.buffer_chunks", 16),
        ("torus.buffer_chunks=16 chunks", "torus.buffer_chunks", 16),
        ("core.clock = 1 GHz", "core.clock", 1000),
        ("node.memory_size=1GiB", "node.memory_size", 1024),
        ("torus.bit_error_rate=1e-6", "torus.bit_error_rate", 1e-6),
        ("core.load_latency=4 cycles", "core.load_latency", 4),
        ("torus.tie_rule= plus", "torus.tie_rule", "plus"),
    ],
)
def test_set(setting: str, name: str, value: float | str) -> None:
    machine = load_machine("bgl").with_settings([setting])
    changed = machine.parameters[name]
    assert changed.value == value
    assert changed.source == "set on the command line"
    assert isinstance(changed.value, type(value))


def test_later_setting_wins() -> None:
    machine = load_machine("bgl").with_settings(["torus.buffer_chunks=16", "torus.buffer_chunks=24"])
    assert machine.flat()["torus.buffer_chunks"] == 24


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("torus.bufer_chunks=16", "did you mean torus.buffer_chunks?"),
        ("torus.buffer_chunks", "expected name=value"),
        ("torus.buffer_chunks=", "is not a quantity"),
        ("torus.buffer_chunks=many", "is not a quantity"),
        ("torus.buffer_chunks=16 cycles", "wrong unit 'cycles', expected chunks"),
        ("torus.buffer_chunks=16.5", "not a whole number"),
        ("torus.buffer_chunks=-1", "negative"),
        ("core.clock=700 ns", "wrong unit 'ns', expected MHz or GHz"),
        ("torus.tie_rule=parity,plus", "'parity,plus' is not a name; expected one, for example parity"),
    ],
)
def test_wrong_set(setting: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        load_machine("bgl").with_settings([setting])
    assert str(caught.value).startswith(f"--set {setting}: ")
    assert expected in str(caught.value)


def test_a_written_machine_is_the_same_again(tmp_path: Path) -> None:
    settings = ["torus.buffer_chunks=16", "core.load_latency=4", "torus.bit_error_rate=1e-9"]
    machine = load_machine("bgl").with_settings(settings)
    (tmp_path / "run.yaml").write_text(machine.text())
    again = load_machine(str(tmp_path / "run.yaml"))
    assert again.parameters == machine.parameters
    assert again.parameters["torus.buffer_chunks"].value == 16
    # Every line but the changed ones is as it was, comments included.
    before, after = SHIPPED.read_text().splitlines(), (tmp_path / "run.yaml").read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [line.split(":")[0].strip() for line in changed] == ["load_latency", "buffer_chunks", "bit_error_rate"]


def test_a_machine_made_from_a_written_one_keeps_its_changes(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(load_machine("bgl").with_settings(["torus.buffer_chunks=16"]).text())
    two = load_machine(str(tmp_path / "one.yaml")).with_settings(["core.clock=1 GHz"])
    (tmp_path / "two.yaml").write_text(two.text())
    both = load_machine(str(tmp_path / "two.yaml")).flat()
    assert (both["torus.buffer_chunks"], both["core.clock"]) == (16, 1000)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torus.topology", "see `toroid info bgl` and docs/what_can_be_changed.md for those there are"),
        ("torus.links", "see `toroid info bgl` and docs/what_can_be_changed.md for those there are"),
        ("router.clock", "see `toroid info bgl` and docs/what_can_be_changed.md for those there are"),
        ("tors.clock", "did you mean torus.clock?"),
        ("torus.clok", "did you mean torus.clock?"),
        ("torus.Clock", "did you mean torus.clock?"),
        ("torus.recieve_cycles", "did you mean torus.receiver_cycles?"),
        ("buffer_chunks", "did you mean torus.buffer_chunks?"),
    ],
)
def test_suggestions_are_near(name: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        load_machine("bgl").with_settings([f"{name}=1"])
    assert str(caught.value) == f"--set {name}=1: unknown parameter {name}; {expected}"


@pytest.mark.parametrize("letters", ["3", "XYX", "xyz", "ABCDEF", "''"])
def test_dimensions_are_different_letters(tmp_path: Path, letters: str) -> None:
    copy, _ = spoiled_machine(tmp_path, "dimensions: XYZ", f"dimensions: {letters}")
    with pytest.raises(FileError, match="expected 1 to 5 different letters, one for each dimension"):
        load_machine(str(copy))


def test_process_modes_are_known_by_name() -> None:
    machine = load_machine("bgl")
    assert machine.mode(None)[0] == "co"
    assert (machine.mode("vn")[1].processes, machine.mode("vn")[1].cores) == (2, 1)
    with pytest.raises(UserError) as caught:
        machine.mode("smp")
    expected = "Blue Gene/L has no such process mode; it has co (coprocessor mode), vn (virtual node mode)"
    assert str(caught.value) == f"--mode smp: {expected}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("processes: 2, cores: 1", "processes: 0, cores: 1", "is 0; expected a whole number from 1 to 255"),
        ("processes: 2, cores: 1", "proceses: 2, cores: 1", "did you mean processes?"),
        ("processes: 2, cores: 1", "cores: 1", "key processes is missing"),
    ],
)
def test_process_modes_of_a_description_are_checked(tmp_path: Path, old: str, new: str, expected: str) -> None:
    copy, _ = spoiled_machine(tmp_path, old, new)
    with pytest.raises(FileError) as caught:
        load_machine(str(copy))
    assert expected in str(caught.value)
