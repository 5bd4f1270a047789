# SPDX-License-Identifier: Apache-2.0
"""The message layer in both modes of a node: two processes a node, and a coprocessor."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, check_snippets, read_result, spoiled_machine, toroid

from toroid import paths

PROTOCOLS = ["one-packet", "eager", "adaptive-eager", "rendezvous"]


def outcome(directory: Path, *arguments: str | Path) -> dict[str, Any]:
    """The result but for the configuration it was asked with, and the output."""
    done = toroid("run", "--results", directory, *arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_result(directory)
    del result["configuration"]
    return result | {"output": done.stdout}


# Virtual node mode. ---------------------------------------------------------------------------------------------------


def test_ranks_have_a_fourth_coordinate() -> None:
    done = toroid("run", "--mode", "vn", "--shape", "2x2x1", paths.guest_program("hello"))
    assert done.returncode == 0, done.stderr
    expected = {f"hello from rank {r} of 8 at ({r % 2}, {r // 2 % 2}, 0, {r // 4})" for r in range(8)}
    assert set(done.stdout.splitlines()) == expected


@pytest.mark.parametrize("sizes", [("cache.l3_size=1",), ("cache.l3_size=16", "cache.l3_ways=128")])
def test_half_of_a_cache_must_be_a_cache(sizes: tuple[str, ...]) -> None:
    settings = [argument for size in sizes for argument in ("--set", size)]
    done = toroid("run", "--mode", "vn", "--shape", "1x1x1", *settings, paths.guest_program("hello"))
    assert done.returncode == 2
    assert "cache.l3_size" in done.stderr
    assert "virtual node mode" in done.stderr


@pytest.mark.parametrize("shape", ["1x1x1", "2x1x1", "3x2x2"])
def test_stress_between_the_processes_of_a_node_and_across(shape: str) -> None:
    done = toroid(
        "run", "--mode", "vn", "--shape", shape, paths.guest_program("stress"), "--disordered", "0", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mismatches=0" in done.stdout


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_reaches_the_other_process(tmp_path: Path, protocol: str) -> None:
    """The other process is no link away, and no packet of its messages is on the torus."""
    result = outcome(tmp_path, "--mode", "vn", "--shape", "1x1x1",
                     paths.guest_program("pingpong"), "--protocol", protocol, "--size", "240",
                     "--peers", "1")  # fmt: skip
    match = re.search(r"peer=1 hops=0 .* cycles=(\d+)", result["output"])
    assert match
    assert 200 < int(match[1]) < 20_000
    assert result["network"]["packets_injected"] == 0


def test_a_limit_of_ranks_may_part_the_processes_of_a_node() -> None:
    done = toroid("run", "--mode", "vn", "--shape", "2x1x1", "--ranks", "3", paths.guest_program("stress"),
                  "--disordered", "0")  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ranks=3" in done.stdout
    assert "mismatches=0" in done.stdout


def test_waiting_processes_are_parked() -> None:
    """Only parked cores let the simulator see that nothing can happen any more."""
    done = toroid("run", "--mode", "vn", "--shape", "2x1x1", paths.guest_program("poll_forever"), timeout=60)
    assert done.returncode != 0
    assert "deadlock" in done.stderr


@pytest.mark.parametrize(
    "change", [["--no-park"], *(["--set", f"core.quantum={q}"] for q in (17, 100_000))], ids=" ".join
)
def test_neither_quantum_nor_parking_changes_anything(tmp_path: Path, change: list[str]) -> None:
    arguments: Arguments = ["--mode", "vn", "--shape", "2x1x1", paths.guest_program("stress"), "--messages", "40",
                            "--disordered", "0"]  # fmt: skip
    assert outcome(tmp_path / "usual", *arguments) == outcome(tmp_path / "other", *change, *arguments)


@pytest.mark.parametrize("shape", ["1x1x1", "2x2x1"])
def test_rendezvous_of_all_shapes_between_processes_and_nodes(shape: str) -> None:
    done = toroid("run", "--mode", "vn", "--shape", shape, paths.guest_program("rendezvous_mix"), timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "coprocessor=0 mismatches=0" in done.stdout


# Coprocessor mode. ----------------------------------------------------------------------------------------------------


def test_work_units_run_in_order_while_messages_flow() -> None:
    done = toroid("run", "--shape", "2x2x1", paths.guest_program("work_units"), timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "work_units units=200 wrong=0 permanent=1 messages=200\n"


def test_there_are_no_work_units_in_virtual_node_mode() -> None:
    done = toroid("run", "--mode", "vn", "--shape", "1x1x1", paths.guest_program("work_units"))
    assert done.returncode != 0
    assert "without a coprocessor; it runs in coprocessor mode unless the options say unused" in done.stderr


@pytest.mark.parametrize(
    ("options", "helps"),
    [
        pytest.param([], True, id="both cores receive"),
        pytest.param(["--units", "20"], True, id="work units in between"),
        pytest.param(["--max-size", "70", "--messages", "200"], True, id="short messages"),
        pytest.param(["--max-size", "90000", "--messages", "12"], True, id="longer than the cache"),
        pytest.param(["--dawdle", "2000"], True, id="packets pile up"),
        pytest.param(["--unused", "1"], False, id="second core unused"),
    ],
)
def test_the_coprocessor_receives_what_it_may(options: list[str], helps: bool) -> None:
    """About five of eight messages go into whole lines; the others are the first core's."""
    done = toroid("run", "--shape", "2x2x1", paths.guest_program("rendezvous_mix"), *options, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"messages=(\d+) bytes=\d+ coprocessor=(\d+) mismatches=0", done.stdout)
    assert found
    messages, coprocessor = map(int, found.groups())
    if helps:
        assert messages / 10 < coprocessor < 3 * messages / 4
    else:
        assert coprocessor == 0


def test_a_coprocessor_reception_may_begin_in_a_callback() -> None:
    done = toroid("run", "--shape", "2x1x1", "--timeout", "5ms", paths.guest_program("late_accept"), timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "late_accept bytes=4096 coprocessor=1 wrong=0" in done.stdout


def test_link_errors_do_no_harm_to_the_coprocessor() -> None:
    done = toroid("run", "--shape", "2x2x1", "--set", "torus.bit_error_rate=1e-5",
                  paths.guest_program("rendezvous_mix"), timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_waiting_coprocessor_is_parked() -> None:
    done = toroid("run", "--shape", "2x1x1", paths.guest_program("poll_forever"), "unit", timeout=60)
    assert done.returncode != 0
    assert "deadlock" in done.stderr
    assert "core 1 polls" in done.stderr


@pytest.mark.parametrize(
    "change", [["--no-park"], *(["--set", f"core.quantum={q}"] for q in (17, 100_000))], ids=" ".join
)
def test_neither_quantum_nor_parking_changes_a_coprocessor(tmp_path: Path, change: list[str]) -> None:
    arguments: Arguments = [
        "--shape",
        "2x1x1",
        paths.guest_program("rendezvous_mix"),
        "--units",
        "5",
        "--messages",
        "25",
    ]
    assert outcome(tmp_path / "usual", *arguments) == outcome(tmp_path / "other", *change, *arguments)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(["rendezvous_mix", "--units", "10"], id="rendezvous and work units"),
        pytest.param(["rendezvous_mix", "--max-size", "90000", "--messages", "8"], id="longer than the cache"),
        pytest.param(["work_units"], id="work units"),
        pytest.param(["stress", "--disordered", "0"], id="all protocols"),
        pytest.param(["message_layer_ring"], id="ring of the guide"),
        pytest.param(["message_layer_units"], id="work units of the guide"),
    ],
)
def test_the_layer_keeps_the_caches_coherent(program: list[str]) -> None:
    done = toroid("run", "--check-coherence", "--shape", "2x2x1", paths.guest_program(program[0]), *program[1:],
                  timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


# The guide's programs. ------------------------------------------------------------------------------------------------


def test_the_guide_shows_compiled_code() -> None:
    assert check_snippets(paths.ROOT / "docs" / "guide" / "message_layer.md") == 5


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_ring_of_the_guide(mode: str) -> None:
    done = toroid("run", "--mode", mode, "--shape", "2x2x1", paths.guest_program("message_layer_ring"))
    assert done.returncode == 0, done.stderr
    means = [float(mean) for mean in re.findall(r"rank \d+: ([\d.]+), \d+ halos", done.stdout)]
    ranks = 4 if mode == "co" else 8
    assert len(means) == ranks
    assert sum(means) / ranks == (ranks - 1) / 2  # what one side of a border loses the other gains
    assert ("16 halos" in done.stdout) == (mode == "co")


def test_work_units_of_the_guide() -> None:
    done = toroid("run", "--shape", "2x2x1", paths.guest_program("message_layer_units"))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"rank {rank}: {2048 * (1 + 4 + 9 + 16)}" for rank in range(4)]


# Modes by name. -------------------------------------------------------------------------------------------------------


def test_a_description_may_bring_process_modes(tmp_path: Path) -> None:
    """One with a core a process and one process a node: the process has no second core to start."""
    machine, _ = spoiled_machine(tmp_path, "  vn: {", "  alone: {title: alone, processes: 1, cores: 1}\n  vn: {")
    done = toroid("run", "--machine", machine, "--mode", "alone", "--shape", "1x1x1",
                  paths.guest_program("second_core"), "starts")  # fmt: skip
    assert done.returncode != 0
    assert toroid("run", "--machine", machine, "--mode", "alone", "--shape", "2x1x1",
                  paths.guest_program("hello")).returncode == 0  # fmt: skip


def test_a_node_must_have_the_cores_of_a_mode(tmp_path: Path) -> None:
    machine, _ = spoiled_machine(tmp_path, "processes: 2, cores: 1", "processes: 2, cores: 2")
    done = toroid("run", "--machine", machine, "--results", tmp_path / "out", "--shape", "1x1x1",
                  paths.guest_program("hello"))  # fmt: skip
    assert done.returncode == 2
    assert "process mode vn: 2 processes of 2 cores each do not fit a node, which has 2 cores" in done.stderr


def test_the_simulator_knows_the_modes_of_its_machine(tmp_path: Path) -> None:
    assert toroid("run", "--results", tmp_path, "--shape", "1x1x1", paths.guest_program("hello")).returncode == 0
    path = tmp_path / "configuration.json"
    configuration = json.loads(path.read_text())
    configuration["run"]["mode"] = "smp"
    path.write_text(json.dumps(configuration))
    refused = subprocess.run(
        [paths.simulator(), path, tmp_path / "result.json"], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr == 'toroid-sim: "mode" is "smp"; the process modes of bgl are co, vn\n'
