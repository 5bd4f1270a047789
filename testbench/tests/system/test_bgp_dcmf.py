# SPDX-License-Identifier: Apache-2.0
"""Programs on DCMF, on the emulated Blue Gene/P: every byte, in every mode; and who makes progress."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from helpers import read_result, toroid

from toroid import guest, paths


def run(
    name: str,
    *arguments: str,
    shape: str = "2x1x1",
    mode: str = "smp",
    options: tuple[str, ...] = (),
    timeout: int = 300,
) -> str:
    program = paths.guest_program(name, "bgp")
    done = toroid(
        "run", "--machine", "bgp", "--shape", shape, "--mode", mode, *options, program, *arguments, timeout=timeout
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("mode", "ranks"), [("smp", 4), ("dual", 8), ("vn", 16)])
def test_puts_and_messages_in_every_mode(mode: str, ranks: int) -> None:
    puts = run("dcmf_put", shape="2x2x1", mode=mode)
    assert len(re.findall(rf"rank \d+ of {ranks}: 64 of 64 bytes from rank \d+ are right\n", puts)) == ranks
    sends = run("dcmf_send", shape="2x2x1", mode=mode)
    assert len(re.findall(rf"rank \d+ of {ranks}: 15 short and 30 long messages, 0 wrong\n", sends)) == ranks


@pytest.mark.parametrize(
    ("progress", "mode"), [("none", "smp"), ("thread", "smp"), ("interrupts", "smp"), ("interrupts", "vn")]
)
def test_a_rank_that_computes_answers(progress: str, mode: str) -> None:
    text = run("dcmf_progress", "--progress", progress, mode=mode)
    assert "rank 1 heard 20 messages while it computed\n" in text
    trips = [float(trip) for trip in re.findall(r"round_trip=([0-9.]+)\n", text)]
    assert len(trips) == 2
    assert 0 < trips[0] < trips[1]


def test_the_layer_has_no_memory_from_malloc() -> None:
    """An interrupt that comes in the middle of malloc() would wait for it without end, or break it."""
    library = paths.guest("bgp") / "lib" / "libdcmf.a"
    nm = guest.toolchain("bgp").tool("nm")
    listed = subprocess.run([nm, "-u", library], capture_output=True, text=True, check=True).stdout.split()
    assert "mmap" in listed
    assert not {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"} & set(listed)


def test_a_waiting_rank_is_parked() -> None:
    """For advance() leaves memory as it is when it finds nothing; the times are those of a core that is not."""
    arguments = ("--progress", "none")
    plain = run("dcmf_progress", *arguments)
    assert run("dcmf_progress", *arguments, options=("--no-park",)) == plain
    assert run("dcmf_progress", *arguments, options=("--set", "core.quantum=17")) == plain


def stressed(text: str, ranks: int, operations: int) -> dict[str, int]:
    """What a stress that has gone well counted."""
    found = re.search(r"^dcmf_stress (.*)$", text, re.MULTILINE)
    assert found is not None, text
    counted = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", found.group(1))}
    kinds = ("put", "put_told", "put_ordered", "get", "send", "control")
    assert counted["ranks"] == ranks
    assert sum(counted[kind] for kind in kinds) == ranks * operations
    assert min(counted[kind] for kind in kinds) > 0
    assert counted["wrong"] == 0
    return counted


@pytest.mark.parametrize("mode", ["smp", "vn"])
def test_every_byte_of_random_operations(mode: str, tmp_path: Path) -> None:
    """Up to 1 MB, over links with errors."""
    options = ("--set", "torus.bit_error_rate=1e-6", "--results", str(tmp_path))
    shape, ranks = ("2x2x1", 4) if mode == "smp" else ("2x1x1", 8)
    stressed(run("dcmf_stress", "--operations", "60", shape=shape, mode=mode, options=options), ranks, 60)
    assert read_result(tmp_path)["network"]["retransmissions"] > 0


def test_all_memory_includes_what_processes_share() -> None:
    options = ("--env", "BG_SHAREDMEMPOOLSIZE=16")
    arguments = ("--operations", "40", "--most", "20000", "--shared", "1")
    stressed(run("dcmf_stress", *arguments, shape="2x1x1", mode="vn", options=options), 8, 40)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("mode", "shape", "ranks"), [("smp", "4x4x2", 32), ("vn", "2x2x2", 32)])
def test_every_byte_of_very_many_operations(mode: str, shape: str, ranks: int, tmp_path: Path) -> None:
    options = ("--set", "torus.bit_error_rate=1e-6", "--results", str(tmp_path))
    operations = 100_000 // ranks
    arguments = ("--operations", str(operations), "--seed", "7")
    counted = stressed(
        run("dcmf_stress", *arguments, shape=shape, mode=mode, options=options, timeout=7000), ranks, operations
    )
    # Of each some ten kilobytes on average, or sizes up to 1 MB were not drawn.
    assert counted["bytes"] > 10_000 * 100_000
    network = read_result(tmp_path)["network"]
    assert network["retransmissions"] > 0
    assert network["packets_delivered"] == network["packets_injected"]
