# SPDX-License-Identifier: Apache-2.0
"""The two cores of a node: both modes, what they share, what they do not, and results that depend on neither quantum
nor parking."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

VIRTUAL_NODES: Arguments = ["--shape", "2x1x1", "--mode", "vn", paths.guest_program("virtual_nodes")]


def outcome(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    """The result but for the configuration it was asked with, and the output."""
    done = toroid("run", "--results", directory, *arguments)
    assert done.returncode == 0, done.stderr
    result = read_result(directory)
    del result["configuration"]
    return result | {"output": done.stdout}


def test_virtual_node_mode_places_ranks_in_xyzt_order(tmp_path: Path) -> None:
    output = outcome(tmp_path, *VIRTUAL_NODES)["output"]
    places = re.findall(r"rank (\d+) of (\d+) at \((\d), (\d), (\d), (\d)\), 2 processes a node, 1 cores each", output)
    expected = {(str(rank), "4", str(rank % 2), "0", "0", str(rank // 2)) for rank in range(4)}
    assert set(places) == expected


def test_virtual_nodes_share_by_lock_barrier_and_sram_only(tmp_path: Path) -> None:
    result = outcome(tmp_path, *VIRTUAL_NODES, "5000")
    assert result["ended"] == "completed"
    assert [rank["status"] for rank in result["ranks"]] == [0, 0, 0, 0]
    assert [rank["coordinates"][3] for rank in result["ranks"]] == [0, 0, 1, 1]


def test_ranks_and_mapping_files_know_the_second_process(tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    path.write_text("0 0 0 1\n0 0 0 0\n1 0 0 1\n")
    done = toroid("run", "--shape", "2x1x1", "--mode", "vn", "--ranks", "2", "--map", path,
                  paths.guest_program("virtual_nodes"))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "rank 0 of 2 at (0, 0, 0, 1)" in done.stdout
    assert "rank 1 of 2 at (0, 0, 0, 0)" in done.stdout
    refused = toroid("run", "--shape", "2x1x1", "--mode", "vn", "--ranks", "5", paths.guest_program("virtual_nodes"))
    assert refused.returncode == 2
    assert "two processes run on each" in refused.stderr


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_the_kernel_gives_no_threads(tmp_path: Path, mode: str) -> None:
    program = paths.guest_program("no_threads")
    done = toroid("run", "--results", tmp_path, "--shape", "1x1x1", "--ranks", "1", "--mode", mode, program)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "pthread_create: Resource temporarily unavailable; 1 processor\n"
    assert read_result(tmp_path)["ranks"][0]["system_calls"]["clone"] == 1


def test_memory_of_16_mib_will_do_in_coprocessor_mode(tmp_path: Path) -> None:
    hello = paths.guest_program("hello")
    small: Arguments = ["run", "--results", tmp_path, "--shape", "2x1x1", "--set", "node.memory_size=16"]
    assert toroid(*small, hello).returncode == 0
    done = toroid(*small, "--mode", "vn", hello)
    assert done.returncode == 1
    assert "; the process has 8388608" in done.stderr


def test_memory_that_reaches_a_device_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "high.c"
    source.write_text("int main(void) { return 0; }\n")
    program = tmp_path / "high"
    built = toroid("cc", source, "-Wl,-Ttext-segment=0xb0000000", "-o", program)
    assert built.returncode == 0, built.stderr
    done = toroid("run", "--results", tmp_path, "--shape", "1x1x1", program)
    assert done.returncode == 1
    assert "reaches the device at 0xb1140000 to 0xb115ffff; link the program to lower addresses" in done.stderr


def second_core(*arguments: str) -> Arguments:
    return ["--shape", "1x1x1", paths.guest_program("second_core"), *arguments]


TESTS = [["starts"], ["exchange"], ["lock", "10000"], ["barrier"], ["memory"], ["memory-computing"], ["memory-locking"],
         ["exit-polling"], ["exit-computing"]]  # fmt: skip


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test[0])
def test_second_core(tmp_path: Path, test: list[str]) -> None:
    result = outcome(tmp_path, *second_core(*test))
    assert f"{test[0]}: well at" in result["output"]
    assert result["ranks"][0]["second_core"]["cycles"] > 0


FAULTS = [
    ("null", r"write to 0x00000000 \(NULL pointer\), at 0x[0-9a-f]{8} \(store_through_null\+0x"),
    ("illegal", r"illegal instruction 0x00000000 at 0x[0-9a-f]{8} \(execute_illegal\+0x"),
    (
        "device",
        r"bad device access to 0xd0000098: barrier at lock 9; a barrier's lock number is a multiple of 8, at 0x",
    ),
    ("leave", r"jump to 0x00000000 \(NULL pointer\)"),
    ("unmapped", r"read of 0x[0-9a-f]{8}, which is not mapped, at 0x[0-9a-f]{8} \(touch\+0x"),
]


@pytest.mark.parametrize(("test", "says"), FAULTS, ids=[test for test, _ in FAULTS])
def test_fault_of_the_second_core_ends_the_process(tmp_path: Path, test: str, says: str) -> None:
    done = toroid("run", "--results", tmp_path, *second_core(test))
    assert done.returncode == 1
    result = read_result(tmp_path)
    assert result["ended"] == "fault"
    assert re.match(r"rank 0 \(node 0,0,0\), core 1: " + says, result["ranks"][0]["fault"])


def test_the_second_core_makes_calls_and_ends_the_process(tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, *second_core("exits"))
    assert done.returncode == 5
    assert done.stdout == "core 1 writes\n"
    assert read_result(tmp_path)["ranks"][0]["status"] == 5


def test_where_both_cores_are_when_nothing_can_happen(tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, *second_core("deadlock"))
    assert done.returncode == 1
    result = read_result(tmp_path)
    assert result["ended"] == "deadlock"
    where = r"polls at 0x[0-9a-f]{8} \(poll_for_ever\+0x[0-9a-f]+, \w+\.\w:\d+\)(, called by [a-z_., ():0-9]+)?"
    assert re.fullmatch(rf"rank 0 \(node 0,0,0\): {where}; core 1 {where}", result["ranks"][0]["waiting"])


def test_the_time_limit_ends_both_cores(tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, "--timeout", "2ms", *second_core("computes"))
    assert done.returncode == 124
    rank = read_result(tmp_path)["ranks"][0]
    assert "core 1 runs at" in rank["waiting"]
    assert 1_400_000 <= rank["second_core"]["cycles"] < 1_400_100


def checked(tmp_path: Path, *what: str) -> tuple[int, dict[str, Any], str]:
    done = toroid("run", "--results", tmp_path, "--shape", "1x1x1", "--check-coherence",
                  paths.guest_program("coherence"), *what)  # fmt: skip
    return done.returncode, read_result(tmp_path), done.stderr


def test_the_checker_has_nothing_to_say_of_a_right_program(tmp_path: Path) -> None:
    status, result, _ = checked(tmp_path, "right")
    assert (status, result["ended"], result["coherence"], result["error"]) == (0, "completed", [], None)


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("no-flush", r"core 0 reads 0x\w+ at 0x\w+ \(read_answer\+0x\w+, LINE\), line 0x\w+: "
                     r"core 1 wrote it at 0x\w+ \(write_answer\+0x\w+, LINE\), and has not flushed that"),
        ("stale", r"core 0 reads 0x\w+ at 0x\w+ \(read_answer\+0x\w+, LINE\), line 0x\w+: "
                  r"core 1 wrote it at 0x\w+ \(write_answer\+0x\w+, LINE\), and core 0 may still hold "
                  r"a copy from before"),
        ("shared", r"core 1 writes 0x\w+ at 0x\w+ \(count\+0x\w+, LINE\), line 0x\w+: "
                   r"core 0 wrote to the line at 0x\w+ \(count\+0x\w+, LINE\), and has not flushed that"),
        ("no-start", r"core 1 reads 0x\w+ at 0x\w+ \(answer_questions\+0x\w+, LINE\), line 0x\w+: "
                     r"core 0 wrote it at 0x\w+ \(main\+0x\w+, LINE\), and has not flushed that"),
    ],
    ids=["no-flush", "stale", "shared", "no-start"],
)  # fmt: skip
def test_the_checker_finds_each_mistake(tmp_path: Path, what: str, says: str) -> None:
    status, result, told = checked(tmp_path, what)
    assert status == 1
    assert result["ended"] == "completed"
    assert "coherence errors: rank 0" in result["error"]
    says = says.replace("LINE", r"coherence\.c:\d+")
    assert re.match(r"rank 0 \(node 0,0,0\): " + says, result["coherence"][0])
    assert result["coherence"][0] in told


def test_the_programs_own_status_goes_before_the_checkers(tmp_path: Path) -> None:
    status, result, told = checked(tmp_path, "stale", "7")
    assert status == result["ranks"][0]["status"] == 7
    assert result["coherence"][0] in told


def test_the_checker_refuses_virtual_node_mode(tmp_path: Path) -> None:
    call: Arguments = ["run", "--results", tmp_path / "out", "--mode", "vn", "--shape", "1x1x1", "--check-coherence"]
    done = toroid(*call, paths.guest_program("hello"))
    assert done.returncode == 2
    assert done.stderr.startswith("toroid: --check-coherence: the cores share no cached memory in virtual node mode")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
    # Nor does the simulator itself take it.
    asked: Arguments = ["run", "--results", tmp_path, "--mode", "vn", "--shape", "1x1x1", paths.guest_program("hello")]
    assert toroid(*asked).returncode == 0
    path = tmp_path / "configuration.json"
    configuration = json.loads(path.read_text())
    configuration["run"]["check_coherence"] = True
    path.write_text(json.dumps(configuration))
    refused = subprocess.run(
        [paths.simulator(), path, tmp_path / "result.json"], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert '"check_coherence" needs the mode co' in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [second_core("exchange"), ["--shape", "1x1x1", paths.guest_program("memory_flag")]],
    ids=["exchange", "memory flag"],
)
def test_the_checker_changes_no_result(tmp_path: Path, arguments: Arguments) -> None:
    plain = outcome(tmp_path / "plain", *arguments)
    checked = outcome(tmp_path / "checked", "--check-coherence", *arguments)
    assert checked.pop("coherence") == []
    assert plain.pop("coherence") is None
    assert plain == checked


@pytest.mark.parametrize("change", [["--no-park"], *(["--set", f"core.quantum={q}"] for q in (17, 1000, 1_000_000))],
                         ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("arguments", [pytest.param(VIRTUAL_NODES, id="virtual nodes"),
                                       *(pytest.param(second_core(*test), id=test[0]) for test in TESTS)])  # fmt: skip
def test_neither_quantum_nor_parking_changes_anything(tmp_path: Path, arguments: Arguments, change: list[str]) -> None:
    assert outcome(tmp_path / "usual", *arguments) == outcome(tmp_path / "other", *change, *arguments)
