# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in a program or in the network ends with one clear line, a status that is not zero, and the results
of everybody else; never with a crash or a hang."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import LAUNCHER, PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths

FAULTS = [
    # program, arguments, functions one of which the report names, what it says
    pytest.param("illegal", [], ["execute_illegal"], "illegal instruction", id="illegal instruction"),
    pytest.param("null", [], ["store_through_null"], "NULL", id="null pointer"),
    pytest.param("jumpdata", [], ["data", "jump_to_data"], "data", id="jump to data"),
    pytest.param("stackoverflow", [], ["recurse"], "stack overflow: write to ", id="stack overflow"),
    pytest.param("stackoverflow", ["array"], ["large_array"], "by a frame of 104857", id="array larger than the stack"),
    pytest.param("stackoverflow", ["variable"], ["variable_array"], "by a frame of 10 MiB", id="length at run time"),
    pytest.param(
        "stackoverflow", ["second"], ["recurse"], "below the second core's stack", id="stack overflow on core 1"
    ),
    pytest.param(
        "stackoverflow", ["interrupt"], ["recurse"], "below the interrupt handler's stack", id="in an interrupt"
    ),
    pytest.param("malformed_header", ["hints"], [], "header", id="both hints of a dimension"),
    pytest.param("malformed_header", ["channel"], [], "header", id="dynamic on the bubble channel"),
    pytest.param("malformed_header", ["destination"], [], "header", id="destination outside"),
    pytest.param("read_empty", [], ["read_empty_fifo", "bgl_torus_peek"], "empty", id="read an empty FIFO"),
    pytest.param("flood_full", [], ["flood", "bgl_torus_inject_gather"], "full", id="flood a full FIFO"),
]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.mark.parametrize(("name", "arguments", "functions", "says"), FAULTS)
def test_fault(
    programs: Path, tmp_path: Path, name: str, arguments: list[str], functions: list[str], says: str
) -> None:
    program = compiled(PROGRAMS / f"{name}.c", programs)
    done = toroid("run", "--results", tmp_path, program, *arguments)
    assert done.returncode == 1, done.stderr
    result = read_result(tmp_path)
    assert result["ended"] == "fault"
    faulted = [rank for rank in result["ranks"] if rank["fault"] is not None]
    assert len(faulted) == 1
    report = faulted[0]["fault"]
    assert "\n" not in report
    assert re.match(rf"rank {faulted[0]['rank']} \(node \d+,\d+,\d+\)(, core 1)?: .* 0x[0-9a-f]{{8}} \(\w+", report)
    assert says in report
    assert not functions or any(function in report for function in functions)
    told = [line for line in done.stderr.splitlines() if report in line]
    assert len(told) == 1, done.stderr
    # The others' counts are there.
    assert len(result["ranks"]) == 32
    assert sum(rank["instructions"] > 0 for rank in result["ranks"]) > 1


def test_fifos_are_as_deep_as_drivers_take_them_to_be(tmp_path: Path) -> None:
    header = (paths.ROOT / "nic" / "bgl" / "torus_packet.h").read_text()
    match = re.search(r"#define BGL_TORUS_USABLE_CHUNKS (\d+)u", header)
    assert match
    usable = int(match[1])
    for depth in (8, usable - 1):
        done = toroid("run", "--results", tmp_path, "--set", f"torus_fifo.depth={depth}", paths.guest_program("stress"))
        assert done.returncode == 2
        assert done.stderr.startswith(
            f"toroid-sim: --set torus_fifo.depth={depth}: torus_fifo.depth is {depth} chunks; it must be from {usable} "
        )
        assert "where programs run: drivers fill a FIFO up to" in done.stderr
    call: Arguments = ["--results", tmp_path, "--shape", "2x2x2", "--set", f"torus_fifo.depth={usable}"]
    done = toroid("run", *call, paths.guest_program("stress"))
    assert done.returncode == 0, done.stderr
    # The network alone knows no drivers.
    done = toroid("traffic", "--shape", "2x2x2", "--load", "0.3", "--set", "torus_fifo.depth=8")
    assert done.returncode == 0, done.stderr


def test_exit_status_of_one_rank(programs: Path, tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "exit_on_one_rank.c", programs)
    done = toroid("run", "--results", tmp_path, program, "5", "42")
    assert done.returncode == 42
    assert "rank 5: exit status 42" in done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(f"rank {rank} was here" for rank in range(32))
    result = read_result(tmp_path)
    assert result["ended"] == "completed"
    assert [rank["status"] for rank in result["ranks"]] == [42 if rank == 5 else 0 for rank in range(32)]


def test_timeout_bounds_simulated_time(programs: Path, tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "forever.c", programs)
    done = toroid("run", "--results", tmp_path, "--timeout", "1ms", program)
    assert done.returncode == 124
    assert "timeout after 1 ms" in done.stderr
    result = read_result(tmp_path)
    assert result["ended"] == "timeout"
    assert result["simulated_ns"] == 1_000_000
    assert all(rank["status"] is None and rank["instructions"] > 10_000 for rank in result["ranks"])


@pytest.mark.parametrize("limit", [(), ("--timeout", "1s")])
def test_deadlock_of_programs_that_all_poll(programs: Path, tmp_path: Path, limit: tuple[str, ...]) -> None:
    program = compiled(PROGRAMS / "poll_forever.c", programs)
    done = toroid("run", "--results", tmp_path, *limit, program)
    assert done.returncode == 1
    assert "deadlock" in done.stderr
    assert read_result(tmp_path)["ended"] == "deadlock"


def test_network_that_stops_moving(programs: Path, tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "unread.c", programs)
    done = toroid("run", "--results", tmp_path, "--set", "torus.stuck_after=50000", program)
    assert done.returncode == 1
    result = read_result(tmp_path)
    assert result["ended"] == "stuck"
    for word in ("packet", "credit"):
        assert word in result["stuck"] or word.replace("credit", "token") in result["stuck"]
    assert result["stuck"].splitlines()[0] in done.stderr
    assert sum(rank["status"] == 0 for rank in result["ranks"]) == 30


@pytest.mark.parametrize(("number", "presses"), [(signal.SIGINT, 1), (signal.SIGINT, 3), (signal.SIGTERM, 1)])
def test_interrupt_keeps_the_results(programs: Path, tmp_path: Path, number: signal.Signals, presses: int) -> None:
    source = programs / "up_forever.c"
    source.write_text(
        '#include <stdio.h>\nint main(void) { puts("up"); fflush(stdout); for (volatile int i = 0;; ++i); }\n'
    )
    program = compiled(source, programs)
    process = subprocess.Popen(
        [LAUNCHER, "run", "--results", tmp_path, program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    for _ in range(presses):
        process.send_signal(number)
        time.sleep(0.01)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.count("interrupted") == 1
    assert "interrupted after" in err
    assert "result.json" in err
    result = read_result(tmp_path)
    assert result["ended"] == "interrupted"
    assert all(rank["instructions"] > 0 for rank in result["ranks"])


@pytest.mark.parametrize("content", [b"", b"just a text\n", b"#!/bin/sh\n", b"\x7fEL"])
def test_not_a_program(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "prog").write_bytes(content)
    done = toroid("run", tmp_path / "prog")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "not an ELF executable" in done.stderr


def test_a_program_of_another_machine() -> None:
    done = toroid("run", sys.executable)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a program for 64-bit little-endian " in done.stderr
    assert "the machine's cores are 32-bit big-endian PowerPC" in done.stderr
    assert "toroid cc --machine bgl makes one" in done.stderr


def simulator(*arguments: str | Path) -> str:
    """What the simulator itself, without the command line, says in refusing."""
    command = [paths.simulator(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("toroid-sim: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def simulator_refuses(tmp_path: Path, program: Path) -> str:
    """What the simulator itself says of a program that the command line let pass, or would not have."""
    hello = paths.guest_program("hello")
    assert toroid("run", "--results", tmp_path, hello).returncode == 0
    configuration = tmp_path / "configuration.json"
    configuration.write_text(configuration.read_text().replace(str(hello), str(program)))
    said = simulator(configuration, tmp_path / "again.json")
    assert str(program) in said
    assert not (tmp_path / "again.json").exists()
    return said


def test_simulator_refuses_a_program_of_the_host(tmp_path: Path) -> None:
    assert "PowerPC" in simulator_refuses(tmp_path, Path("/bin/true"))


def test_simulator_refuses_a_cut_off_program(tmp_path: Path) -> None:
    program = tmp_path / "cut"
    program.write_bytes(paths.guest_program("hello").read_bytes()[:2000])
    simulator_refuses(tmp_path, program)


def test_simulator_refuses_an_object_file(tmp_path: Path) -> None:
    program = tmp_path / "null.o"
    assert toroid("cc", "-c", PROGRAMS / "null.c", "-o", program).returncode == 0
    simulator_refuses(tmp_path, program)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"version": 2}', '{"version": 1, "kind": "run"}', '{"version": 1, "knid": "run"}']
)
def test_simulator_refuses_a_wrong_configuration(tmp_path: Path, text: str) -> None:
    (tmp_path / "configuration.json").write_text(text)
    simulator(tmp_path / "configuration.json", tmp_path / "result.json")


def test_simulator_refuses_a_time_out_beyond_its_time(tmp_path: Path) -> None:
    assert toroid("run", "--results", tmp_path, "--timeout", "1e7s", paths.guest_program("hello")).returncode == 0
    configuration = tmp_path / "configuration.json"
    longest = f'"timeout_ns": {10**16}'
    text = configuration.read_text()
    assert longest in text
    configuration.write_text(text.replace(longest, f'"timeout_ns": {10**16 + 1}'))
    assert '"timeout_ns" must be at most 10000000000000000' in simulator(configuration, tmp_path / "again.json")


def test_simulator_without_arguments() -> None:
    assert "CONFIG.json RESULT.json" in simulator()
