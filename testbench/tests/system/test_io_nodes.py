# SPDX-License-Identifier: Apache-2.0
"""Calls about files and output go over the tree to I/O nodes: what arrives, what it costs, and what is counted."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers import LAUNCHER, PROGRAMS, compiled, read_result, toroid

# A call's request has 32 bytes before its data, an answer 8; a packet holds 240 bytes of a message.
REQUEST_HEAD, PACKET_DATA = 32, 240


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAMS / "files.c", tmp_path_factory.mktemp("programs"))


def run(
    program: Path, tmp_path: Path, *arguments: str, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    job = tmp_path / "job"
    job.mkdir(exist_ok=True)
    return toroid("run", "--results", tmp_path / "results", "--directory", job, *options, program, *arguments)


def packets(message_bytes: int) -> int:
    return -(-message_bytes // PACKET_DATA)


@pytest.mark.parametrize("mode", ["co", "vn"])
@pytest.mark.parametrize("what", [["pieces"], ["large", "70001"], ["calls"]])
@pytest.mark.parametrize("errors", ["0.0", "1e-5"])
def test_what_is_written_is_read_back(program: Path, tmp_path: Path, mode: str, what: list[str], errors: str) -> None:
    options = ("--shape", "3x2x2", "--mode", mode, "--set", f"tree.bit_error_rate={errors}")
    done = run(program, tmp_path, *what, options=options)
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_result(tmp_path / "results")
    assert (result["tree"]["retransmissions"] > 0) == (errors != "0.0")
    if what[0] != "calls":
        # On the host: each rank's own, all of them different.
        files = sorted((tmp_path / "job").iterdir())
        assert len(files) == len(result["ranks"])
        assert len({file.read_bytes() for file in files}) == len(files)


# In one answer, and in several: the C library asks for 32 KB.
@pytest.mark.parametrize("entries", [0, 1, 7, 900])
def test_directories_are_listed(program: Path, tmp_path: Path, entries: int) -> None:
    shape = "2x1x1" if entries > 100 else "3x2x1"
    done = run(program, tmp_path, "directory", str(entries), options=("--shape", shape))
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_result(tmp_path / "results")
    assert len(list((tmp_path / "job").iterdir())) == len(result["ranks"])
    assert result["ranks"][0]["system_calls"]["getdents64"] >= 4
    assert "unknown" not in str(result["ranks"][0]["system_calls"])


def test_both_cores_of_a_node_call(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "both", "20000", options=("--shape", "2x2x1"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_process_ends_behind_the_call_of_its_other_core(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "leave", options=("--shape", "2x2x1"))
    assert done.returncode == 0, done.stderr
    # Whole blocks: a call that the I/O node has begun to receive is performed.
    for file in (tmp_path / "job").iterdir():
        assert file.stat().st_size % 100_000 == 0
        assert file.stat().st_size > 0


def test_a_path_out_of_the_job_directory_is_refused(program: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("outside\n")
    done = run(program, tmp_path, "calls", options=("--shape", "2x1x1"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "outside.d").exists()
    assert list((tmp_path / "job").iterdir()) == []


def test_traffic_is_counted(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "large", "5000", options=("--shape", "4x2x1", "--set", "tree.nodes_per_io_node=4"))
    assert done.returncode == 0, done.stderr
    result = read_result(tmp_path / "results")
    # open, write, lseek, read, close.
    written, path = packets(REQUEST_HEAD + 5000), len("large.0")
    want = {
        "calls": 5,
        "request_packets": 4 + written,
        "reply_packets": 4 + packets(8 + 5000),
        "request_bytes": path + 5000,
        "reply_bytes": 5000,
    }
    assert [rank["io"] for rank in result["ranks"]] == [want] * 8
    assert [node["tree_address"] for node in result["io_nodes"]] == [8, 9]
    for node in result["io_nodes"]:
        assert node["ranks"] == 4
        assert {name: node[name] for name in want} == {name: 4 * count for name, count in want.items()}
    assert result["tree"]["io_packets"] == 8 * (want["request_packets"] + want["reply_packets"])
    assert result["tree"]["packets_injected"] == 0  # by the program itself


def test_the_start_of_a_process_reads_nothing(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "print", "0", options=("--shape", "2x2x2"))
    assert done.returncode == 0, done.stderr
    assert all(rank["io"]["calls"] == 0 for rank in read_result(tmp_path / "results")["ranks"])


def cycles(program: Path, tmp_path: Path, *options: str) -> tuple[int, int]:
    done = run(program, tmp_path, "time", options=("--shape", "1x1x1", *options))
    assert done.returncode == 0, done.stderr
    one, many = done.stdout.split()
    return int(one), int(many)


def test_costs_show_in_simulated_time(program: Path, tmp_path: Path) -> None:
    one, many = cycles(program, tmp_path)
    # 10 us of service at 700 MHz, and what packets and system call take beyond.
    assert 7000 < one < 7000 + 3000
    # 64,000 bytes at 8 ns each, and the packets on the tree before them (152 ns of 266 bytes at least, each).
    least = 64_000 * 8 * 0.7 + packets(64_032) * 133 * 4
    assert least < many < 1.5 * least
    slow, _ = cycles(program, tmp_path, "--set", "io.service_time=50us")
    assert abs(slow - one - 28_000) < 60
    _, free = cycles(program, tmp_path, "--set", "io.byte_time=0.0")
    assert abs(many - free - 64_000 * 8 * 0.7) < 60


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_quantum_and_parking_change_nothing(program: Path, tmp_path: Path, mode: str) -> None:
    results = []
    outputs = []
    for index, options in enumerate(([], ["--no-park"], ["--set", "core.quantum=777"])):
        place = tmp_path / str(index)
        place.mkdir()
        done = run(program, place, "print", "7", options=("--shape", "3x2x1", "--mode", mode, *options))
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
        result = read_result(place / "results")
        del result["configuration"]
        results.append(result)
    assert outputs[0] == outputs[1] == outputs[2]
    assert results[0] == results[1] == results[2]


def test_output_that_has_reached_the_io_node_is_not_lost(program: Path, tmp_path: Path) -> None:
    # The daemon takes a second for the call, and the run ends before that.
    options = ("--shape", "2x1x1", "--timeout", "10ms", "--set", "io.service_time=1s")
    done = run(program, tmp_path, "print", "3", options=options)
    assert done.returncode == 124
    assert sorted(done.stdout.splitlines()) == ["line 0 of rank 0", "line 0 of rank 1"]
    waiting = read_result(tmp_path / "results")["ranks"][0]["waiting"]
    assert "waits for the I/O node's answer to write, called at" in waiting


def test_a_long_wait_for_an_answer_is_no_deadlock(program: Path, tmp_path: Path) -> None:
    options = ("--shape", "2x1x1", "--set", "io.service_time=40ms")
    done = run(program, tmp_path, "print", "2", options=options)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_programs_keep_off_what_the_kernel_needs(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "registers", options=("--shape", "2x1x1"))
    assert (done.returncode, done.stdout) == (0, "good\ngood\n"), done.stderr
    done = run(program, tmp_path, "window", options=("--shape", "1x1x1"))
    assert done.returncode == 1
    assert "bad device access to 0xb1000040: this window is the kernel's own, at " in done.stderr


OPEN_ONE = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "firmware/bgl/msglayer/msglayer.h"

int main(void) {
  bglml_init(NULL);
  const int file = open("all", O_CREAT | O_WRONLY | O_APPEND, 0644);
  bglml_barrier();
  return file >= 0 ? 0 : errno == EMFILE ? 24 : 1;
}
"""


@pytest.mark.parametrize("descriptors", [64, 30])
def test_processes_share_the_hosts_descriptors(tmp_path: Path, descriptors: int) -> None:
    """A file each is more than the host gives: it holds some of them open at a time."""
    source = tmp_path / "open_one.c"
    source.write_text(OPEN_ONE)
    program = compiled(source, tmp_path)
    job = tmp_path / "job"
    job.mkdir()
    command = f'ulimit -n {descriptors}; exec "$@"'
    arguments: list[str | Path] = [LAUNCHER, "run", "--results", tmp_path / "results", "--directory", job, program]
    done = subprocess.run(["bash", "-c", command, "bash", *arguments], capture_output=True, text=True, timeout=120)
    assert {rank["status"] for rank in read_result(tmp_path / "results")["ranks"]} == {0}, done.stderr
