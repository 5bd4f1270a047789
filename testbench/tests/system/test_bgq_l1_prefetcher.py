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
        "depth 9: 2",
        "depth 0: 2",
        "total depth 17: 2",
        "policy 5: 2",
        "disable: 0",
        "off: policy 4, depth 3 of 8, adaptive 1",
        "short: policy 2, depth 1 of 16, adaptive 0",
        "long: policy 2, depth 8 of 16, adaptive 0",
        "optimistic: policy 1, depth 8 of 16, adaptive 0",
    ]
    assert cycles["off"] > 1.5 * cycles["short"]
    assert cycles["short"] > 1.5 * cycles["start"]
    assert 0 < cycles["long"] < 0.9 * cycles["start"]
    assert cycles["optimistic"] > 0


def test_lists_are_set_up_and_stay_empty() -> None:
    """Codes are those of L1P_ErrorCode, and the kernel's EINVAL and EFAULT."""
    loop = ["start: 0", "finished: 0", "pause: 0", "resume: 0", "stop: 0", "finished: 1"]
    assert run() == [
        "start before: 6",
        "unconfigure before: 6",
        "configure: 0",
        "configure inner: 0",
        "unconfigure inner: 0",
        "threshold: 100",
        "enabled: 1",
        *loop,
        *loop,
        "depth: 0",
        "read: 0",
        "written: 0",
        "get: 0",
        "allocate: 0",
        "set: 0",
        "deallocate the thread's own: 3",
        "deallocate another: 0",
        "set a new one: 0",
        "deallocate: 0",
        "unconfigure: 0",
        "too few bytes: 22",
        "not the process's: 14",
    ]
