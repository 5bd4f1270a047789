# SPDX-License-Identifier: Apache-2.0
"""Random machine code. What is well formed gives the same results to the cycle however it is executed; anything else
ends a program in some way of its own, the same in all ways, and never the simulator."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import LAUNCHER, Arguments, compiled, read_result

FUNCTIONS = 24
INSTRUCTIONS = 50  # of a function
RETURN = 0x4E800020
# General purpose registers.
_CHANGED = (0, 4, 5, 6, 7, 8, 9, 10, 11)
_USED = (3, 12, *_CHANGED)

PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "firmware/bgl/msglayer/msglayer.h"

__asm__(".text\n .balign 32\nfuzzed:\n" CODE);
extern const char fuzzed[];
static uint8_t memory[8192] __attribute__((aligned(32)));

int main(void)
{
    bglml_init(NULL);
    uint32_t next = bglml_rank() + 1, sum = 0;
    for (unsigned round = 0; round < 300; ++round) {
        next = next * 1664525u + 1013904223u;
        register const char* code __asm__("r12") = fuzzed + (next >> 16) % FUNCTIONS * (4 * (INSTRUCTIONS + 1));
        register uint8_t* middle __asm__("r3") = memory + sizeof memory / 2;
        register uint32_t given __asm__("r4") = next;
        __asm__ volatile("mtctr %0\n bctrl" : "+r"(code), "+r"(middle), "+r"(given) :
                         : "r0", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "fr0", "fr1", "fr2", "fr3", "ctr", "lr",
                           "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "xer", "memory");
        sum = sum * 31 + given;
    }
    for (unsigned i = 0; i < sizeof memory; ++i) sum = sum * 31 + memory[i];
    printf("rank %u: %08x\n", (unsigned)bglml_rank(), (unsigned)sum);
    return 0;
}
"""


class Code:
    """Instructions that use r3 as a pointer, change r0, r4 to r11 and f0 to f3, and go on at some later one."""

    def __init__(self, seed: int, one_wild_in: int | None) -> None:
        self._random = random.Random(seed)
        self._one_wild_in = one_wild_in

    def function(self) -> list[int]:
        return [self._instruction(INSTRUCTIONS - number) for number in range(INSTRUCTIONS)] + [RETURN]

    def _instruction(self, left: int) -> int:
        pick = self._random
        if self._one_wild_in is not None and pick.randrange(self._one_wild_in) == 0:
            return pick.getrandbits(32)
        kind = pick.choice(
            (self._immediate, self._logical_immediate, self._arithmetic, self._logical, self._rotate, self._compare,
             self._memory, self._memory, self._cache, self._special, self._floating)
        )  # fmt: skip
        return self._branch(left) if pick.randrange(8) == 0 else kind()

    def _changed(self) -> int:
        return self._random.choice(_CHANGED)

    def _used(self) -> int:
        return self._random.choice(_USED)

    def _form(self, primary: int, first: int, second: int, low: int) -> int:
        return primary << 26 | first << 21 | second << 16 | low

    def _immediate(self) -> int:  # addi, addis, mulli, subfic, addic, addic.
        low = self._random.getrandbits(16)
        return self._form(self._random.choice((14, 15, 7, 8, 12, 13)), self._changed(), self._used(), low)

    def _logical_immediate(self) -> int:  # ori, oris, xori, andi.
        low = self._random.getrandbits(16)
        return self._form(self._random.choice((24, 25, 26, 28)), self._used(), self._changed(), low)

    def _extended(self, extended: int, record: int) -> int:
        return self._used() << 11 | extended << 1 | record

    def _arithmetic(self) -> int:  # add, subf, mullw, divw, divwu, mulhw, adde, addze, neg
        extended = self._random.choice((266, 40, 235, 491, 459, 75, 138, 202, 104))
        low = self._extended(extended, self._random.getrandbits(1))
        if extended in (202, 104):
            low &= 0x7FF
        return self._form(31, self._changed(), self._used(), low)

    def _logical(self) -> int:  # and, or, xor, slw, srw, sraw, srawi, cntlzw
        extended = self._random.choice((28, 444, 316, 24, 536, 792, 824, 26))
        low = self._extended(extended, self._random.getrandbits(1))
        return self._form(31, self._used(), self._changed(), low & 0x7FF if extended == 26 else low)

    def _rotate(self) -> int:  # rlwinm
        return self._form(21, self._used(), self._changed(), self._random.getrandbits(16))

    def _compare(self) -> int:  # cmpwi, cmplwi
        field = self._random.randrange(8) << 2
        return self._form(self._random.choice((11, 10)), field, self._used(), self._random.getrandbits(16))

    def _memory(self) -> int:  # by way of r3
        offset = self._random.randrange(-4000, 4000) & 0xFFFF
        primary = self._random.choice((32, 34, 40, 42, 36, 38, 44, 48, 50, 52, 54))
        if primary >= 48:
            return self._form(primary, self._random.randrange(4), 3, offset & 0xFFF8)
        return self._form(primary, self._changed(), 3, offset)

    def _cache(self) -> int:  # dcbst, dcbf, dcbt, dcbz of r3's line
        return self._form(31, 0, 0, 3 << 11 | self._random.choice((54, 86, 278, 1014)) << 1)

    def _special(self) -> int:  # mfcr, mtcrf, mfctr, mtctr, mfxer, mftb
        word = self._random.choice((0x7C000026, 0x7C0FF120, 0x7C0902A6, 0x7C0903A6, 0x7C0102A6, 0x7C0C42E6))
        return word | self._changed() << 21

    def _floating(self) -> int:  # fadd, fsub, fmul, fmadd, fneg, fmr
        t, a, b, c = (self._random.randrange(4) for _ in range(4))
        extended = self._random.choice((21, 20, 25, 29, 40, 72))
        if extended >= 40:
            return 63 << 26 | t << 21 | b << 11 | extended << 1
        fields = {25: c << 6, 29: c << 6 | b << 11}.get(extended, b << 11)
        return 63 << 26 | t << 21 | a << 16 | fields | extended << 1

    def _branch(self, left: int) -> int:
        ahead = 4 * self._random.randint(1, min(left, 12))
        if self._random.randrange(4) == 0:
            return 18 << 26 | ahead
        options = self._random.choice((4, 12, 16, 18))  # if not, if, bdnz, bdz
        return 16 << 26 | options << 21 | self._random.randrange(32) << 16 | ahead


def program(directory: Path, seed: int, one_wild_in: int | None) -> Path:
    code = Code(seed, one_wild_in)
    words = [word for _ in range(FUNCTIONS) for word in code.function()]
    text = " ".join(f'" .long {word:#010x}\\n"' for word in words)
    defined = f"#define CODE {text}\n#define FUNCTIONS {FUNCTIONS}\n#define INSTRUCTIONS {INSTRUCTIONS}\n"
    source = directory / "fuzzed.c"
    source.write_text(defined + PROGRAM)
    return compiled(source, directory)


def run(directory: Path, call: Arguments, env: dict[str, str]) -> tuple[int, bytes, dict[str, Any]]:
    """Exit status, output, result without what was asked for."""
    job = directory / "job"
    job.mkdir(parents=True)
    limits = ["--timeout", "5ms", "--directory", str(job), "--results", str(directory / "results")]
    # What it prints is any bytes. Files that it makes long are cut off.
    command = ["bash", "-c", 'ulimit -f 65536; exec "$@"', "bash", str(LAUNCHER), "run", "--shape", "2x2x1", *limits]
    done = subprocess.run(
        [*command, *map(str, call)], stdin=subprocess.DEVNULL, capture_output=True, env=os.environ | env, timeout=300,
        check=False,
    )  # fmt: skip
    said = done.stderr.decode(errors="replace")
    assert done.returncode >= 0, said
    assert "runtime error" not in said
    assert "AddressSanitizer" not in said
    result = read_result(directory / "results")
    assert result["ended"] in ("completed", "fault", "timeout", "deadlock", "aborted"), (result["error"], said)
    del result["configuration"]
    return done.returncode, done.stdout, result


WAYS: dict[str, tuple[list[str], dict[str, str]]] = {
    "own": ([], {"TOROID_ENGINES": "own"}),
    "small buffer": ([], {"TOROID_CODE_BUFFER": "4"}),
    "not parked": (["--no-park"], {}),
    "quantum 17": (["--set", "core.quantum=17"], {}),
}
LONG = [pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 100)]


@pytest.mark.parametrize("seed", [1, 2, *LONG])
def test_code_that_is_well_formed(tmp_path: Path, seed: int) -> None:
    made = program(tmp_path, seed, None)
    options = ["--set", "core.caches=false", "--set", "core.pipeline=false"] if seed % 2 == 0 else []
    usual = run(tmp_path / "usual", [*options, made], {})
    assert usual[2]["ended"] == "completed", usual[2]["error"]
    assert usual[1].count(b"rank ") == 4
    for name, (more, env) in WAYS.items():
        assert run(tmp_path / name, [*options, *more, made], env) == usual, name


@pytest.mark.parametrize("preset", ["release", pytest.param("asan", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [1, 2, *LONG])
def test_code_that_is_not(tmp_path: Path, seed: int, preset: str) -> None:
    made = program(tmp_path, seed, 40)
    usual = run(tmp_path / "usual", [made], {"TOROID_PRESET": preset})
    # How far the other ranks are when one fails depends on the quantum, and may on parking.
    other = run(tmp_path / "small buffer", [made], {"TOROID_CODE_BUFFER": "4", "TOROID_PRESET": preset})
    assert other == usual
    own = run(tmp_path / "own", [made], {"TOROID_ENGINES": "own", "TOROID_PRESET": preset})
    assert without_places(own) == without_places(usual)


def without_places(ran: tuple[int, bytes, dict[str, Any]]) -> tuple[int, bytes, dict[str, Any]]:
    """Where a load fails that overwrites its own base register, an engine of its own shows the block's beginning."""
    status, output, result = ran
    texts = json.dumps(result)
    return status, output, json.loads(re.sub(r" at 0x\w+[^\"]*", "", texts))
