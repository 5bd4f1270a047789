# SPDX-License-Identifier: Apache-2.0
"""The L1 prefetcher of Blue Gene/Q as programs see it: streams do what its register says, lists stay empty."""

from __future__ import annotations

import re

from helpers import toroid

from toroid import paths

NODE = ["--machine", "bgq", "--shape", "1x1x1x1x1", "--ranks-per-node", "16", "--ranks", "1"]


def run(*arguments: str) -> list[str]:
    done = toroid("run", *NODE, paths.guest_program("l1_prefetcher", "bgq"), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_streams_do_what_programs_set() -> None:
    """Memory that is read for the first time comes soonest to streams that read far ahead."""
    told, cycles = [], {}
    for line in run("streams"):
        told.append(re.sub(r", cycles \d+", "", line))
        if found := re.match(r"(\w+): .* cycles (\d+)", line):
            cycles[found[1]] = int(found[2])
    assert told == [
        "start: policy 3, depth 3 of 8, adaptive 1",
        "2 2 2 2 0",
        "off: policy 4, depth 3 of 8, adaptive 1",
        "short: policy 2, depth 1 of 16, adaptive 0",
        "long: policy 2, depth 8 of 16, adaptive 0",
        "optimistic: policy 1, depth 8 of 16, adaptive 0",
    ]
    assert cycles["off"] > cycles["short"] > cycles["start"] > cycles["long"] > 0
    assert cycles["optimistic"] > 0


def test_lists_are_set_up_and_stay_empty() -> None:
    assert run() == []
