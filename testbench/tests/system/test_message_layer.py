# SPDX-License-Identifier: Apache-2.0
"""The message layer's protocols on the machine: contents, order, back-pressure, and what they are for."""

from __future__ import annotations

import re
import subprocess

import pytest
from helpers import Arguments, toroid

from toroid import paths

STRESS = paths.guest_program("stress")
PROTOCOLS = ["one-packet", "eager", "adaptive-eager", "rendezvous"]


def stress(*arguments: str, machine: Arguments | None = None) -> dict[str, int]:
    """What a stress that has gone well counted."""
    done = toroid("run", *(machine or []), STRESS, *arguments, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", done.stdout)}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_message_arrives(protocol: str) -> None:
    counted = stress("--protocols", protocol, "--messages", "100", "--max-size", "20000", "--second-core", "unused")
    assert counted["messages"] == 3200
    assert counted["mismatches"] == 0
    assert counted["direct"] + counted["realigned"] + counted["copied"] >= counted["bytes"]
    if protocol in ("one-packet", "eager"):
        assert counted["disordered"] == 0
    else:
        assert counted["disordered"] > 0


@pytest.mark.parametrize("mode", ["co", "vn"])
def test_all_protocols_with_link_errors(mode: str) -> None:
    machine: Arguments = ["--mode", mode, "--set", "torus.bit_error_rate=1e-6", "--shape", "4x2x2"]
    counted = stress("--messages", "150", "--seed", "9", "--max-size", "50000", machine=machine)
    assert counted["mismatches"] == 0


def test_many_senders_to_one_receiver() -> None:
    counted = stress("--target", "5", "--messages", "40", "--max-size", "20000")
    assert counted["messages"] == 32 * 40
    assert counted["mismatches"] == 0


def test_a_run_that_shows_no_disorder_fails() -> None:
    done = toroid("run", "--shape", "1x1x1", STRESS, "--protocols", "adaptive-eager", timeout=300)
    assert done.returncode == 1
    assert "0 messages arrived out of order, at least 1 are wanted" in done.stderr
    assert " mismatches=0 " in done.stdout
    stress("--protocols", "adaptive-eager", "--disordered", "0", machine=["--shape", "1x1x1"])


def test_unknown_protocols_are_refused() -> None:
    done = toroid("run", "--shape", "2x1x1", STRESS, "--protocols", "eager,telepathy")
    assert done.returncode == 2
    assert "--protocols eager,telepathy: one-packet, eager, adaptive-eager and rendezvous" in done.stderr


def test_the_layer_allocates_at_its_start_only() -> None:
    """Bounded memory: nothing but initialisation calls malloc and its like."""
    library = paths.guest_program("x").parent.parent / "lib" / "libmsglayer.a"
    listing = subprocess.run(["powerpc-linux-gnu-nm", "-u", library], capture_output=True, text=True, check=True).stdout
    users = set()
    member = ""
    for line in listing.splitlines():
        if line.endswith(":"):
            member = line.removesuffix(":")
        elif re.search(r"\b(malloc|calloc|realloc|aligned_alloc|posix_memalign)$", line):
            users.add(member)
    assert users == {"coprocessor.c.o", "init.c.o", "personality.c.o", "tree_messages.c.o"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_ping_pong_brings_back_what_it_sent(protocol: str) -> None:
    size = "200" if protocol == "one-packet" else "3001"
    arguments: Arguments = ["--protocol", protocol, "--size", size, "--iterations", "4", "--peers", "1,5"]
    done = toroid("run", "--shape", "4x2x1", paths.guest_program("pingpong"), *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"pingpong protocol={protocol} size={size} ") == 2


def test_ping_pong_knows_its_protocols() -> None:
    done = toroid("run", "--shape", "2x1x1", paths.guest_program("pingpong"), "--protocol", "pigeon")
    assert done.returncode == 2
    assert "--protocol pigeon" in done.stderr
