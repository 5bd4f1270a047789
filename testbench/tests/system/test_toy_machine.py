# SPDX-License-Identifier: Apache-2.0
"""The machine of docs/adding_a_machine.md: testbench/tests/toy_machine, in a simulator that knows no other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import Toroid, command_line_here, read_result

from toroid import build, paths
from toroid.guest import toolchain

FOLDER = paths.ROOT / "testbench" / "tests" / "toy_machine"
RING = paths.guest_program("ring", "toy")


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    """The command line in this process, with the toy as its only machine: status, standard output and error."""
    machines = tmp_path / "machines"
    machines.mkdir()
    shutil.copy(FOLDER / "toy.yaml", machines)
    monkeypatch.chdir(tmp_path)
    return command_line_here(machines, paths.simulator().with_name("toroid-sim-toy"), monkeypatch, capfd)


def test_a_word_goes_round(toroid: Toroid) -> None:
    ends = {}
    for rounds in (3, 13):
        status, out, err = toroid("run", "--machine", "toy", "--shape", "5", "--results", "out", RING, str(rounds))
        assert status == 0, err
        assert out == f"{5 * rounds}\n"
        result = read_result(Path("out"))
        assert result["ring"] == {"words": 5 * rounds, "in_flight": 0}
        ends[rounds] = result["simulated_ns"]
    # A hop takes the link's 500 ns, and a few polls and a store.
    assert 500 < (ends[13] - ends[3]) / (5 * 10) < 1000


@pytest.mark.parametrize(
    "options", [["--no-park"], ["--set", "core.quantum=17"], ["TOROID_ELABORATION_ORDER=2"]], ids=" ".join
)
def test_the_same_bits_however_it_runs(toroid: Toroid, options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run = ["run", "--machine", "toy", "--shape", "4"]
    assert toroid(*run, "--results", "usual", RING, "2")[0] == 0
    if "=" in options[0]:
        monkeypatch.setenv(*options.pop().split("="))
    assert toroid(*run, "--results", "other", *options, RING, "2")[0] == 0
    usual, other = (read_result(Path(name)) for name in ("usual", "other"))
    for result in (usual, other):
        del result["configuration"]
    assert usual == other


def test_who_waits_for_what(toroid: Toroid) -> None:
    status, _, err = toroid("run", "--machine", "toy", "--shape", "3", "--results", "out", RING, "1", "quiet")
    assert status == 1
    assert "all processes wait and nothing can happen any more" in err
    assert "the doorbell's count is polled by" in err


def test_a_program_of_another_machine_says_which(toroid: Toroid) -> None:
    run = ["run", "--machine", "toy", "--shape", "2", "--results", "out"]
    status, _, err = toroid(*run, paths.guest_program("hello"))
    assert status == 2
    assert "compiled for the machine bgl, and this one is toy; compile it again with toroid cc --machine toy" in err
    # One that does not say so learns it from its personality.
    subprocess.run([toolchain("bgl").tool("objcopy"), "-R", ".note.toroid", paths.guest_program("hello"), "hello"],
                   check=True)  # fmt: skip
    status, _, err = toroid(*run, "hello")
    assert status == 112
    assert "this program was built for Blue Gene/L, with 3 dimensions" in err
    assert "this machine has 1 and" in err


@pytest.mark.parametrize("command", [["info", "mine.yaml"], ["run", "--machine", "mine.yaml", "--shape", "3", RING]],
                         ids=["info", "run"])  # fmt: skip
def test_a_mode_that_the_node_has_no_cores_for_is_told_with_its_place(toroid: Toroid, command: list[str]) -> None:
    Path("mine.yaml").write_text("base: toy\nmodes:\n  dual: {title: two processes, processes: 2, cores: 1}\n")
    status, _, err = toroid(*command)
    assert status == 2
    said = "mine.yaml:3: process mode dual: 2 processes of 1 cores each do not fit a node, which has 1 cores"
    assert err.endswith(f": {said}\n"), err


def test_what_happened_can_be_seen(toroid: Toroid) -> None:
    """Although the machine records no network, and has no message layer whose functions a trace would name."""
    files = ["--report", "page", "--perfetto", "out.json", "--pcap", "out.pcapng", "--trace", "out.bin"]
    status, _, err = toroid("run", "--machine", "toy", "--shape", "3", "--results", "out", *files, RING, "1")
    assert status == 0, err
    for name in ("page/index.html", "out.json", "out.pcapng", "out.bin"):
        assert Path(name).stat().st_size > 0


def test_units_in_verilog_are_not_built_for_a_machine_without(toroid: Toroid, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    monkeypatch.setattr(build, "ensure", lambda preset=None, targets=build.ALL: built.extend(targets))
    status, _, err = toroid("run", "--machine", "toy", "--shape", "3", "--rtl", "router@all", RING, "1")
    assert (status, err) == (2, 'toroid: --rtl router@all: machine "toy" has no units in Verilog\n')
    assert built == list(build.SIMULATOR)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "--machine", "toy", "--shape", "2x2", RING], "2 dimensions given, this machine has 1"),
        (["run", "--machine", "toy", "--shape", "4", "--mode", "vn", RING], "no such process mode"),
        (["run", "--machine", "toy", "--shape", "4", "--set", "ring.link_cycles=0", RING], "ring.link_cycles"),
        (["run", "--machine", "bgl", "--shape", "4", RING], "machines: toy"),
        (["run", "--machine", "toy", "--shape", "4", "--check-coherence", RING], "no mode of Toy ring has such cores"),
        (["run", "--machine", "toy", "--shape", "4", "--pcap", "a", "--pcap-filter", "tree", RING], "has no tree"),
        (["traffic", "--machine", "toy", "--shape", "4", "--load", "0.1"], "has no torus"),
    ],
)
def test_what_it_has_not_is_said(toroid: Toroid, arguments: list[str | Path], says: str) -> None:
    status, _, err = toroid(*arguments)
    assert status == 2
    assert says in err
