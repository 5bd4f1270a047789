# SPDX-License-Identifier: Apache-2.0
"""run and traffic up to the simulator's door and back: options become a configuration, a result becomes a report.

The simulator is a stand-in (fake_simulator.py); the real one is tested in tests/system.
"""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import LAUNCHER

from toroid import paths

Toroid = Callable[..., int]


def configuration(directory: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((directory / "configuration.json").read_text())
    return loaded


def test_options_become_a_configuration(toroid: Toroid, tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text("1 0 0 0\n0 0 0 0\n")
    options = ["--shape", "2x2x1", "--mesh", "y", "--ranks", "2", "--map", "map.txt", "--prefix", "--timeout", "10ms"]
    options += ["--seed", "7", "--set", "torus.buffer_chunks=16", "--env", "A=b=c", "--no-park", "--results", "out"]
    assert toroid("run", *options, "prog") == 0
    written = configuration(tmp_path / "out")
    assert written["kind"] == "run"
    assert written["machine"] == "bgl"
    assert (written["dimensions"], written["shape"], written["wrap"]) == ("XYZ", [2, 2, 1], [True, False, True])
    assert written["seed"] == 7
    assert written["parameters"]["torus.buffer_chunks"] == 16
    assert written["run"] == {
        "program": str(tmp_path / "prog"),
        "arguments": [],
        "environment": {"A": "b=c"},
        "mode": "co",
        "ranks": 2,
        "mapping": str(tmp_path / "map.txt"),
        "job_directory": str(tmp_path),
        "prefix_output": True,
        "timeout_ns": 10_000_000,
        "park": False,
        "check_coherence": False,
    }


@pytest.mark.parametrize("option", [["--ranks", "3"], ["-n", "3"], ["-n3"], ["-np", "3"], ["--np", "3"], ["--np=3"]])
@pytest.mark.parametrize("command", ["run", "mpirun", "mpiexec"])
def test_ranks_under_the_names_of_other_starters(
    toroid: Toroid, tmp_path: Path, command: str, option: list[str]
) -> None:
    assert toroid(command, *option, "--results", "out", "prog", "exit", "0", "-n", "5") == 0
    run = configuration(tmp_path / "out")["run"]
    assert (run["ranks"], run["arguments"]) == (3, ["exit", "0", "-n", "5"])


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_more_ranks_than_places_names_a_shape_that_has_room(
    toroid: Toroid, capfd: pytest.CaptureFixture[str], mode: str
) -> None:
    assert toroid("run", "--mode", mode, "-n", "100", "prog") == 2
    said = capfd.readouterr().err
    fits = "8x4x4" if mode == "co" else "4x4x4"
    assert said.endswith(f"; --shape {fits} has room\n")
    assert toroid("run", "--mode", mode, "-n", "100", "--shape", fits, "prog") == 0
    assert toroid("run", "--mode", mode, "-n", "1000000", "prog") == 2
    assert "has room" not in capfd.readouterr().err


@pytest.mark.parametrize("command", ["mpirun", "mpiexec"])
def test_starters_run_one_program(toroid: Toroid, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert toroid(command, "-np", "2", "prog", ":", "-np", "2", "prog") == 2
    assert capfd.readouterr().err == (
        f"toroid: {command}: one program runs on all ranks; several ones in a job, PROGRAM : PROGRAM, are not "
        "supported (`toroid run` passes : to the program)\n"
    )


@pytest.mark.parametrize("command", ["mpirun", "mpiexec", "run"])
def test_version_of_starters(toroid: Toroid, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert toroid(command, "--version") == 0
    assert capfd.readouterr().out == f"toroid {paths.version()}\n"


def test_what_follows_the_program_is_its_own(toroid: Toroid, tmp_path: Path) -> None:
    own = ["exit", "0", ":", "--shape", "9x9", "-h", "--", "--help", "", "a b"]
    assert toroid("run", "--results", "out", "prog", *own) == 0
    assert configuration(tmp_path / "out")["run"]["arguments"] == own


def test_output_first_then_summary_on_standard_error(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert toroid("run", "--json", "rows.json", "prog") == 0
    out, err = capfd.readouterr()
    assert out == "output of the program\n"
    for expected in ("simulated time", "packet hops", "link load, mean", "instructions", "host time", "result.json"):
        assert expected in err
    assert re.search(r"simulated time +│ +1 │ us ", err)
    assert re.search(r"link load, highest +│ +50.00 │ % ", err)
    # What is zero is only named.
    assert "zero: retransmissions" in " ".join(err.split())
    assert err.count("retransmissions") == 1
    rows = {row["row"]: row["measured"] for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    assert rows["retransmissions"] == 0
    assert rows["simulated time"] == 1.0
    assert rows["instructions"] == 50 * 32
    assert rows["link load, mean"] == pytest.approx(0.5 / (32 * 6))
    assert rows["speed"] == pytest.approx(0.001)


def test_each_run_has_a_directory_of_its_own(toroid: Toroid, tmp_path: Path) -> None:
    assert toroid("run", "prog") == 0
    assert toroid("run", "prog") == 0
    assert sorted(path.name for path in (tmp_path / "results" / "run").iterdir()) == ["prog-001", "prog-002"]


def test_exit_status_is_the_programs(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "prog", "exit", "3") == 3
    assert "rank 31: exit status 3" in capfd.readouterr().err


def test_fault_is_told_once_with_its_rank(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "prog", "fault") == 1
    err = capfd.readouterr().err
    assert err.count("illegal instruction") == 1
    assert "toroid: rank 1 (node 1,0,0): illegal instruction at 0x10000400 (main+0x0)\n" in err
    assert "fault after 1 us of simulated time" in err
    assert err.index("fault after") < err.index("simulated time  ")  # above the table


@pytest.mark.timeout(30)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_keeps_what_there_is(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    def interrupt() -> None:
        while not (tmp_path / "out" / "sleeping").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    threading.Thread(target=interrupt, daemon=True).start()
    assert toroid("run", "--results", "out", "prog", "sleep") == 130
    err = capfd.readouterr().err
    assert "interrupted after 1 us of simulated time" in err
    assert "result: out/result.json" in err


def test_crash_of_the_simulator(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "prog", "crash") == 1
    assert "the simulator crashed (SIGSEGV)" in capfd.readouterr().err


@pytest.fixture
def nohup() -> Iterator[None]:
    """As nohup starts the tests: with SIGHUP ignored, which processes inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(("name", "status"), [("SIGKILL", 137), ("SIGHUP", 129), ("SIGXCPU", 152)])
def test_simulator_killed_from_outside(
    toroid: Toroid, nohup: None, capfd: pytest.CaptureFixture[str], name: str, status: int
) -> None:
    assert toroid("run", "prog", "killed", name) == status
    err = capfd.readouterr().err
    assert f"the simulator was killed from outside ({name})" in err
    assert "mistake" not in err
    assert ("runs out of memory" in err) == (name == "SIGKILL")


def test_refused_configuration(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "prog", "refuse") == 2
    assert capfd.readouterr().err == "toroid-sim: the configuration is impossible\n"


def test_refused_traffic_is_told_once(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("traffic", "--shape", "2x2x2", "--pattern", "hotspot", "--hot-fraction", "1", "--jobs", "3") == 2
    said = capfd.readouterr().err.splitlines()
    # On a slow host, how long it took as well.
    assert [line for line in said if not line.endswith(" s")] == ["toroid-sim: the configuration is impossible"]


def test_warnings_of_many_simulations_are_told_once(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("traffic", "--shape", "2x2x2", "--jobs", "3") == 0
    assert capfd.readouterr().err.count("toroid-sim: warning: made up\n") == 1


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *((command, "--json") for command in ("run prog", "traffic", "demo", "info", "bench", "reproduce bgl")),
        ("traffic", "--plot"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_anything_runs(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str, option: str
) -> None:
    name, *rest = command.split()
    assert toroid(name, option, "prog/rows.json", *rest) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == f"toroid: {option} prog/rows.json: cannot be written: {tmp_path}/prog is not a directory\n"
    assert not (tmp_path / "results").exists()


def test_json_into_a_new_directory(toroid: Toroid, tmp_path: Path) -> None:
    assert toroid("info", "--json", "new/deeper/rows.json") == 0
    assert (tmp_path / "new" / "deeper" / "rows.json").is_file()


@pytest.mark.parametrize(("name", "begins"), [("curve", b"\x89PNG"), ("curve.svg", b"<?xml")])
def test_a_plot_goes_where_it_was_asked_for(toroid: Toroid, tmp_path: Path, name: str, begins: bytes) -> None:
    assert toroid("traffic", "--load", "0.3", "--plot", name) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("option", ["--json", "--plot"])
def test_full_disk_is_one_line(toroid: Toroid, capfd: pytest.CaptureFixture[str], option: str) -> None:
    assert toroid("traffic", "--load", "0.3", option, "/dev/full") == 1
    assert "toroid: /dev/full: cannot be written: No space left on device\n" in capfd.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["info"], ["info", "bgl"], ["--help"], ["traffic", "--load", "0.3"]], ids=lambda words: words[-1]
)
def test_full_standard_output_is_one_line(toroid: Toroid, tmp_path: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "toroid", *arguments],
            env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench")},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "toroid: standard output cannot be written: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "nowhere"], "nowhere: cannot be run: No such file or directory"),
        (["run", "."], ".: cannot be run: Is a directory"),
        (["run", "map.txt"], "map.txt: not an ELF executable; build it with `toroid cc`"),
        (["run"], "Missing argument 'PROGRAM'"),
        (["run", "--shape", "4x4", "prog"], "--shape 4x4: 2 dimensions given"),
        (["run", "--shape", "2x1x1", "--ranks", "3", "prog"], "--ranks 3: shape 2x1x1 has 2 nodes"),
        (["run", "--ranks", "0", "prog"], "--ranks"),
        (["run", "--map", "nowhere.txt", "prog"], "nowhere.txt"),
        (["run", "--timeout", "10", "prog"], "has no unit"),
        (["run", "--env", "A", "prog"], "--env A: expected NAME=VALUE"),
        (["run", "--set", "core.clok=1", "prog"], "did you mean core.clock?"),
        (["run", "--set", "core.caches=off", "prog"], "--set core.caches=off: 'off' is neither true nor false"),
        (["run", "--machine", "bgq9", "prog"], "no machine and no description file 'bgq9'"),
        (["run", "--sahpe", "4x4x2", "prog"], "--sahpe"),
        (["run", "--timeout", "18446744s", "prog"], "longer than a simulation can last, 10000000s at most"),
        (["traffic", "--load", "-inf:0.5:0.1"], "--load -inf:0.5:0.1: expected loads above 0"),
        (["traffic", "--load", "2"], "--load 2: expected loads above 0"),
        (["traffic", "--sizes", "big"], "--sizes big"),
        (["traffic", "--pattern", "unifrom"], "unifrom"),
        (["traffic", "--set", "torus.buffer_chunks=16,abc"], "--set torus.buffer_chunks=abc: 'abc' is not a quantity"),
        (["traffic", "--set", "torus.bufer_chunks=16,32"], "did you mean torus.buffer_chunks?"),
        (
            ["traffic", "--set", "torus.buffer_chunks=16,32,16"],
            "the value of torus.buffer_chunks=16 is there",
        ),
        (
            ["traffic", "--set", "torus.buffer_chunks=16", "--set", "torus.buffer_chunks=32"],
            "torus.buffer_chunks is set more than once; --set torus.buffer_chunks=16,32 compares the values",
        ),
        (["traffic", *2 * ["--set", "torus.buffer_chunks=16"]], "is set more than once; once is enough"),
        (["traffic", "--set", "node.memory_size=1024MiB,1 GiB"], "the value of node.memory_size=1 GiB is there"),
        (["run", "--set", "torus.buffer_chunks=16,32", "prog"], "a list of values, which only `toroid traffic` takes"),
        (["demo", "--set", "torus.buffer_chunks=16,32"], "a list of values, which only `toroid traffic` takes"),
        (["traffic", "--routing", "adaptive", "--routing", "adaptive"], "--routing adaptive: given more than once"),
        (["traffic", "--set", f"torus.stuck_after={','.join(map(str, range(1, 60)))}"], "59 series of 19 loads: 1121"),
        (["traffic", "--json", "-", "--csv", "-"], "--json - and --csv -: standard output takes one of them"),
        (["traffic", "--plot", "-"], "--plot -: does not go to standard output; name a file"),
        (["run", "--json", "-", "prog"], "--json -: does not go to standard output; name a file"),
        (["pictures", "fig99"], "pictures fig99: no such picture; did you mean fig9?"),
        (["traffc"], "did you mean traffic?"),
        (["foo"], "no command 'foo'; see `toroid --help` for those there are"),
        (["test", "--quick", "--long"], "--quick --long: one leaves out what the other adds"),
        (["reproduce"], "Missing argument 'MACHINE'"),
        (["reproduce", "xyz"], "reproduce xyz: nothing published of such a machine; known: bgl"),
        (["reproduce", "bgl", "fig7", "fig99"], "reproduce bgl fig99: no such figure"),
        (["reproduce", "bgl", "--set", "core.clok=1"], "did you mean core.clock?"),
        (["reproduce", "bgl", "--machine", "nowhere.yaml"], "no description file 'nowhere.yaml'"),
        (["reproduce", "bgl", "--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_request_is_one_line_and_status_2(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    (tmp_path / "map.txt").write_text("text\n")
    assert toroid(*arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert expected in err
    assert err.count("\n") == 1, err


def test_traffic_merges_loads_in_order(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--shape", "2x2x2", "--load", "0.1:0.9:0.1", "--json", "rows.json", "--plot", "plot.png"]
    assert toroid("traffic", *options, "--jobs", "3", "--results", "three") == 0
    assert toroid("traffic", *options, "--jobs", "1", "--results", "one") == 0
    out = capfd.readouterr().out
    assert "uniform" in out
    assert "800" not in out.splitlines()[0]
    assert (tmp_path / "one" / "rows.json").read_bytes() == (tmp_path / "three" / "rows.json").read_bytes()
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert [row["accepted"] for row in rows] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8])
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert configuration(tmp_path / "one" / "load-0.3")["traffic"]["loads"] == [0.3]


@pytest.mark.parametrize("command", ["traffic --load 0.3", "info", "info bgl"])
def test_rows_on_standard_output_are_all_there_is(
    toroid: Toroid, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    assert toroid(*command.split(), "--json", "-") == 0
    out, err = capfd.readouterr()
    rows = json.loads(out)["rows"]
    assert "━" in err  # the table
    assert toroid(*command.split(), "--csv", "-", "--json", "rows.json") == 0
    out = capfd.readouterr().out
    table = list(csv.DictReader(out.splitlines()))
    assert [list(row) for row in table] == [list(row) for row in rows]
    assert [list(row.values()) for row in table] == [[str(value) for value in row.values()] for row in rows]
    assert json.loads(Path("rows.json").read_text())["rows"] == rows


def test_lists_of_values_make_series(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lists = ["--set", "torus.buffer_chunks=16,32", "--set", "torus.clock=1 GHz,175", "--load", "0.3,0.6"]
    assert toroid("traffic", *lists, "--set", "torus.bubble_chunks=5", "--results", "out", "--plot", "plot.svg") == 0
    rows = json.loads((tmp_path / "out" / "rows.json").read_text())["rows"]
    assert [(row["torus.buffer_chunks"], row["torus.clock"], row["load"]) for row in rows] == [
        (chunks, clock, load) for chunks in (16, 32) for clock in (1000, 175) for load in (0.3, 0.6)
    ]
    assert "torus.bubble_chunks" not in rows[0]
    out = capfd.readouterr().out
    assert "torus.clock" in out
    assert "routing" not in out
    one = configuration(tmp_path / "out" / "torus.buffer_chunks=32,torus.clock=1000" / "load-0.6")
    assert (one["parameters"]["torus.buffer_chunks"], one["parameters"]["torus.clock"]) == (32, 1000)
    assert one["parameters"]["torus.bubble_chunks"] == 5


def test_pictures_are_drawn_from_runs_that_are_there(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["--results", "out", "--output", "pictures", "uniform"]

    def said(*more: str) -> str:
        assert toroid("pictures", *more, *options) == 0
        return capfd.readouterr().err

    assert "toroid: pictures/uniform.png: 19 runs; " in said()
    assert (tmp_path / "pictures" / "uniform.png").read_bytes().startswith(b"\x89PNG")
    assert "uniform.png: 19 runs, 19 of them found; " in said()
    (tmp_path / "out" / "uniform" / "load-0.3" / "result.json").unlink()
    assert "uniform.png: 19 runs, 18 of them found; " in said()
    # What was made by another simulator is not today's, unless it is to be.
    os.utime(paths.simulator())
    assert "uniform.png: 19 runs, 19 of them found; " in said("--keep")
    os.utime(paths.simulator(), (time.time() + 60,) * 2)
    assert "uniform.png: 19 runs; " in said()
    # Nor runs of another machine.
    description = tmp_path / "out" / "machine.yaml"
    text = description.read_text()
    assert "buffer_chunks: {value: 32," in text
    description.write_text(text.replace("buffer_chunks: {value: 32,", "buffer_chunks: {value: 16,"))
    assert toroid("pictures", *options) == 2
    expected = "toroid: --results out: its runs are of a changed machine; see out/machine.yaml\n"
    assert capfd.readouterr().err == expected


@pytest.mark.parametrize("command", ["reproduce bgl fig6", "demo"])
def test_a_refused_machine_leaves_the_results_of_another_alone(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    mine = {"machine.yaml": "before", "rows.json": "{}", "fig6.png": "", "latency.png": "", "runs/a/result.json": "{}"}
    for name, text in mine.items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_text(text)
    assert toroid(*command.split(), "--set", "core.clock=0", "--results", "out") == 2
    assert {name: (tmp_path / "out" / name).read_text() for name in mine} == mine
    assert toroid(*command.split(), "--set", "core.clock=0", "--results", "new") == 2
    assert not (tmp_path / "new").exists()
    assert capfd.readouterr().err == 2 * "toroid: core.clock is 0\n"


@pytest.mark.parametrize("command", ["reproduce bgl fig9", "demo", "run prog"])
def test_a_run_that_is_refused_is_told_once(toroid: Toroid, capfd: pytest.CaptureFixture[str], command: str) -> None:
    name, *rest = command.split()
    assert toroid(name, "--set", "core.clock=1", "--results", "out", *rest) == 2
    said = capfd.readouterr().err.splitlines()
    # On a slow host, how long it took as well.
    assert [line for line in said if not line.endswith(" s")] == ["toroid-sim: the host is too small"]


def test_experiments_need_three_dimensions(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (paths.MACHINES / "bgl.yaml").read_text()
    (tmp_path / "five.yaml").write_text(text.replace("dimensions: XYZ", "dimensions: ABCDE"))
    for command in ("reproduce bgl fig7", "demo"):
        assert toroid(*command.split(), "--machine", "five.yaml", "--results", "out") == 2
        assert capfd.readouterr().err == (
            f"toroid: {command}: its shapes have three dimensions; five.yaml describes a machine of five "
            "(docs/what_can_be_changed.md)\n"
        )
    assert not (tmp_path / "out").exists()
    assert toroid("traffic", "--machine", "five.yaml", "--load", "0.3") == 2
    assert capfd.readouterr().err == (
        "toroid: --shape is missing: the default, 8x8x8, does not fit a machine of five dimensions; "
        "give --shape 4x4x4x4x2, for example\n"
    )
    options = ["--shape", "2x2x2x2x2", "--load", "0.3", "--results", "out"]
    assert toroid("traffic", "--machine", "five.yaml", *options) == 0


def test_nothing_of_an_earlier_machine_stays(toroid: Toroid, tmp_path: Path) -> None:
    out = tmp_path / "out"
    # The stand-in prints no measurements: what an earlier call would have made of them.
    assert toroid("reproduce", "bgl", "fig9", "--results", "out") == 1
    for name in ("rows.json", "fig7.png", "fig9.png", "mine.txt", "runs/bt_pattern-16-naive.map", "runs/mine.txt"):
        (out / name).write_text("before")
    assert any(out.glob("runs/bandwidth-*/result.json"))
    # The machine may be the very one that is there.
    settings = ["--machine", "out/machine.yaml", "--set", "torus.buffer_chunks=16"]
    assert toroid("reproduce", "bgl", "fig6", *settings, "--results", "out") == 1
    assert "buffer_chunks: {value: 16," in (out / "machine.yaml").read_text()
    left = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.parent.name != "packet-read")
    assert left == ["machine.yaml", "mine.txt", "runs", "runs/mine.txt", "runs/packet-read"]


def test_somebody_elses_files_stay(toroid: Toroid, tmp_path: Path) -> None:
    (tmp_path / "out" / "runs" / "a").mkdir(parents=True)
    for name in ("fig7.png", "runs/a/configuration.json"):
        (tmp_path / "out" / name).write_text("mine")
    assert toroid("reproduce", "bgl", "fig6", "--results", "out") == 1
    for name in ("fig7.png", "runs/a/configuration.json"):
        assert (tmp_path / "out" / name).read_text() == "mine"


def test_reproduce_that_fails_leaves_the_machine_it_ran(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The stand-in prints no measurements.
    assert toroid("reproduce", "bgl", "fig6", "--set", "torus.buffer_chunks=16", "--results", "out") == 1
    assert "packet_cost printed no packet of 256 bytes" in capfd.readouterr().err
    assert "buffer_chunks: {value: 16," in (tmp_path / "out" / "machine.yaml").read_text()
    assert configuration(tmp_path / "out" / "runs" / "packet-read")["parameters"]["torus.buffer_chunks"] == 16


def test_units_in_verilog_become_a_section(toroid: Toroid, tmp_path: Path) -> None:
    options = [
        "--rtl",
        "router@0,0,0",
        "--rtl",
        "tree@all",
        "--waves",
        "w.fst",
        "--waves-scope",
        "router@0,0,0.arbiter",
    ]
    options += ["--waves-from", "10us", "--waves-to", "20us", "--results", "out"]
    assert toroid("run", *options, "prog") == 0
    assert configuration(tmp_path / "out")["rtl"] == {
        "units": ["router@0,0,0", "tree@all"],
        "waves": {
            "file": str(tmp_path / "w.fst"),
            "scopes": ["router@0,0,0.arbiter"],
            "from_ns": 10_000,
            "to_ns": 20_000,
        },
    }


def test_no_units_in_verilog_are_not_mentioned(toroid: Toroid, tmp_path: Path) -> None:
    assert toroid("run", "--results", "out", "prog") == 0
    assert "rtl" not in configuration(tmp_path / "out")


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["run", "--rtl", "routr@all"], "--rtl routr@all: expected UNIT@WHERE: router, link, tree at x,y,z or all"),
        (["run", "--rtl", "router"], "--rtl router: expected UNIT@WHERE"),
        (["run", "--waves", "w.fst"], "--waves: only units in Verilog have signals; give --rtl router@0,0,0"),
        (
            ["run", "--rtl", "router@all", "--waves-scope", "x"],
            "--waves-scope: no waves are written; give --waves FILE",
        ),
        (
            ["run", "--rtl", "router@all", "--waves", "w", "--waves-from", "2us", "--waves-to", "1us"],
            "--waves-to 1us: ",
        ),
        (["traffic", "--rtl", "router@all", "--waves", "w"], "--waves: 19 loads, and a file has room for one"),
    ],
)
def test_units_in_verilog_that_cannot_be(
    toroid: Toroid, capfd: pytest.CaptureFixture[str], options: list[str], wrong: str
) -> None:
    program = ["prog"] if options[0] == "run" else []
    assert toroid(*options, *program) == 2
    assert f"toroid: {wrong}" in capfd.readouterr().err.replace("\n", " ")


NOT_UTF8 = os.fsdecode(b"caf\xe9")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "prog", NOT_UTF8],
        ["run", "--env", f"A={NOT_UTF8}", "prog"],
        ["run", "--env", f"{NOT_UTF8}=1", "prog"],
        ["run", NOT_UTF8],
        ["run", "--directory", NOT_UTF8, "prog"],
        ["run", "--map", f"{NOT_UTF8}/map.txt", "prog"],
        ["run", "--perfetto", "t.json", "--trace-calls", NOT_UTF8, "prog"],
    ],
)
def test_what_is_no_utf8_is_refused_in_one_line(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    directory = tmp_path / NOT_UTF8
    if "prog" in arguments:
        directory.mkdir()
        (directory / "map.txt").write_text("0 0 0 0\n")
    else:
        (tmp_path / "prog").rename(directory)
    assert toroid(*arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith(": not UTF-8, which names, arguments and variables of a run must be\n")
    assert r"caf\xe9" in err


def test_files_of_a_run_may_have_any_name(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "--results", NOT_UTF8, "--json", f"{NOT_UTF8}.json", "prog") == 0
    assert (tmp_path / NOT_UTF8 / "result.json").is_file()
    assert (tmp_path / f"{NOT_UTF8}.json").is_file()
    assert capfd.readouterr().err.endswith("toroid: result: caf\\xe9/result.json\n")


NASTY = "a\x1b[31m\n\u202e[/]b"
ESCAPED = r"a\x1b[31m\n\u202e[/]b"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["info", "bgl", "--set", NASTY], f"toroid: --set {ESCAPED}: expected name=value, for example "),
        (["info", "bgl", "--set", f"core.clock={NASTY}"], f"toroid: --set core.clock={ESCAPED}: "),
        (["run", "--shape", NASTY, "prog"], f"toroid: --shape {ESCAPED}: "),
        (["run", "--mesh", NASTY, "prog"], f"toroid: --mesh {ESCAPED}: "),
        (["run", "--machine", NASTY, "prog"], f"toroid: no machine and no description file '{ESCAPED}'; "),
        (["run", "--bogus\udcff", "prog"], r"toroid: No such option '--bogus\xff'"),
        (["run", "--bogus\\udcff", "prog"], r"toroid: No such option '--bogus\\udcff'"),
        (["run", f"--{NASTY}", "prog"], f"toroid: No such option '--{ESCAPED}'"),
        (["run", "--seed", NASTY, "prog"], "toroid: Invalid value for '--seed': "),
        (["run", NASTY], f"toroid: {ESCAPED}: cannot be run: No such file or directory\n"),
        (["run", "--env", NASTY, "prog"], f"toroid: --env {ESCAPED}: expected NAME=VALUE\n"),
        (["run", "--timeout", NASTY, "prog"], f"toroid: '{ESCAPED}' is not a quantity; "),
        (["run", "--rtl", NASTY, "prog"], f"toroid: --rtl {ESCAPED}: "),
        (["traffic", "--load", NASTY], f"toroid: --load {ESCAPED}: "),
        (["reproduce", "bgl", NASTY], f"toroid: reproduce bgl {ESCAPED}: no such figure"),
        ([NASTY], f"toroid: no command '{ESCAPED}'; "),
    ],
)
def test_control_characters_are_not_for_the_terminal(
    toroid: Toroid, capfd: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert toroid(*arguments) == 2
    err = capfd.readouterr().err
    assert err.startswith(expected)
    assert err.endswith("\n")
    assert err[:-1].isprintable()


def test_a_program_with_a_nasty_name_runs(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = NASTY.replace("/", "")
    (tmp_path / "prog").rename(tmp_path / name)
    assert toroid("run", name) == 0
    err = capfd.readouterr().err
    assert all(line.isprintable() for line in err.splitlines())
    assert ESCAPED.replace("/", "") in err.splitlines()[0]


def test_texts_of_descriptions_are_no_markup(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (paths.MACHINES / "bgl.yaml").read_text()
    text = text.replace("title: ", "title: '[/b][red] ' #", 1)
    (tmp_path / "mine.yaml").write_text(text)
    assert toroid("info", "mine.yaml") == 0
    assert "[/b][red]" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", ":bomb:"], "toroid: :bomb:: cannot be run: No such file or directory\n"),
        (["traffic", "--sizes", "32:-1"], "toroid: --sizes 32:-1: "),
        (["info", "mine:x:.yaml"], "mine:x:.yaml:100:12: "),
    ],
)
def test_names_of_emoji_are_told_as_they_stand(
    toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    (tmp_path / "mine:x:.yaml").write_text(99 * "#\n" + "title: [1, *a]\n")
    assert toroid(*arguments) == 2
    assert capfd.readouterr().err.startswith(expected)


def test_names_of_emoji_in_tables(toroid: Toroid, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "prog").rename(tmp_path / ":bomb:")
    assert toroid("run", ":bomb:") == 0
    assert capfd.readouterr().err.count(":bomb:") >= 1
    text = (paths.MACHINES / "bgl.yaml").read_text()
    (tmp_path / ":x:.yaml").write_text(text.replace("title: ", "title: ':100:' #", 1))
    assert toroid("info", ":x:.yaml") == 0
    assert ":100: (:x:.yaml)" in capfd.readouterr().out


def test_a_closed_standard_output_is_refused() -> None:
    done = subprocess.run(
        ["bash", "-c", '"$0" info >&-', str(LAUNCHER)], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "toroid: standard output is closed; send it to a file, or to /dev/null\n"
