# SPDX-License-Identifier: Apache-2.0
"""Random programs for 64-bit PowerPC: what each register and every byte of memory holds at the end is printed."""

from __future__ import annotations

import random

BLOCKS = 40
INSTRUCTIONS = 60  # of a block

_THREE = [
    "add",
    "subf",
    "and",
    "or",
    "xor",
    "nand",
    "nor",
    "eqv",
    "andc",
    "orc",
    "sld",
    "srd",
    "srad",
    "slw",
    "srw",
    "sraw",
    "addc",
    "subfc",
    "adde",
    "subfe",
    "mulld",
    "mullw",
]  # with a record bit
_THREE_PLAIN = ["mulhd", "mulhdu", "cmpb", "bpermd"]
_TWO = ["neg", "addme", "addze", "subfme", "subfze", "extsb", "extsh", "extsw", "cntlzd", "cntlzw"]
_TWO_PLAIN = ["popcntb", "popcntw", "popcntd", "prtyd", "prtyw"]
_IMMEDIATE = ["addi", "addis", "mulli", "subfic", "addic", "addic."]
_LOGICAL_IMMEDIATE = ["ori", "oris", "xori", "xoris", "andi.", "andis."]
_ARITHMETIC = ["fadd", "fsub", "fmul", "fdiv"]
_FUSED = ["fmadd", "fmsub", "fnmadd", "fnmsub", "fsel"]
_ONE = [
    "fneg",
    "fabs",
    "fnabs",
    "fmr",
    "frsp",
    "fctid",
    "fctidz",
    "fctiw",
    "fctiwz",
    "fcfid",
    "fcfidu",
    "frin",
    "friz",
    "frip",
    "frim",
]
_MEMORY = (
    ("ld", 8), ("std", 8), ("lwa", 4), ("lwz", 4), ("stw", 4), ("lha", 2), ("lhz", 2), ("sth", 2), ("lbz", 1),
    ("stb", 1),
)  # fmt: skip
_INDEXED = [
    "ldx",
    "stdx",
    "lwax",
    "lwzx",
    "stwx",
    "lhax",
    "lhzx",
    "sthx",
    "lbzx",
    "stbx",
    "ldbrx",
    "stdbrx",
    "lwbrx",
    "stwbrx",
    "lhbrx",
    "sthbrx",
]
_FLOAT_MEMORY = ["lfd", "stfd", "lfs", "stfs"]
_FLOAT_INDEXED = ["lfdx", "stfdx", "lfiwax", "lfiwzx", "stfiwx"]

_PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void run(uint64_t* registers, double* floats, uint8_t* middle);
static uint64_t registers[34];
static double floats[16];
static uint8_t memory[1024] __attribute__((aligned(64)));

int main(void) {
  uint64_t next = SEED;
  for (unsigned i = 0; i < 32; ++i) {
    next = next * 6364136223846793005u + 1442695040888963407u;
    registers[i] = i % 3 == 0 ? next : i % 3 == 1 ? next >> 40 : (uint64_t)(int64_t)(int32_t)(next >> 32);
  }
  for (unsigned i = 0; i < 16; ++i) floats[i] = (double)(int64_t)registers[i] / (double)(i * 1000 + 7);
  for (unsigned i = 0; i < sizeof memory; ++i) memory[i] = (uint8_t)(i * 37 + SEED);
  run(registers, floats, memory + sizeof memory / 2);
  for (unsigned i = 14; i < 34; ++i) printf("r%u %016llx\n", i, (unsigned long long)registers[i]);
  for (unsigned i = 0; i < 16; ++i) {
    uint64_t bits;
    memcpy(&bits, &floats[i], sizeof bits);
    printf("f%u %016llx\n", i, (unsigned long long)bits);
  }
  for (unsigned i = 0; i < sizeof memory; i += 8) {
    uint64_t bytes;
    memcpy(&bytes, memory + i, sizeof bytes);
    printf("m%u %016llx\n", i, (unsigned long long)bytes);
  }
  return 0;
}
"""


class Code:
    """Instructions that use r5 as a pointer, change r14 to r31 and f0 to f15, and go on at some later one."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def _general(self) -> int:
        return self._random.randrange(14, 32)

    def _float(self) -> int:
        return self._random.randrange(16)

    def _signed(self) -> int:
        return self._random.randrange(-32768, 32768)

    def _record(self) -> str:
        return self._random.choice(("", "."))

    def _integer(self) -> list[str]:
        pick, t, a, b = self._random, self._general(), self._general(), self._general()
        kind = pick.randrange(12)
        if kind < 3:
            return [f"{pick.choice(_THREE)}{self._record()} {t},{a},{b}"]
        if kind == 3:
            return [f"{pick.choice(_THREE_PLAIN)} {t},{a},{b}"]
        if kind == 4:
            return [f"{pick.choice(_TWO)}{self._record()} {t},{a}"]
        if kind == 5:
            return [f"{pick.choice(_TWO_PLAIN)} {t},{a}"]
        if kind == 6:
            return [f"{pick.choice(_IMMEDIATE)} {t},{a},{self._signed()}"]
        if kind == 7:
            return [f"{pick.choice(_LOGICAL_IMMEDIATE)} {t},{a},{pick.getrandbits(16)}"]
        if kind == 8:
            return self._rotation(t, a, b)
        if kind == 9:
            # Nothing is said of a quotient by zero, and of the half of a register above one of words.
            operation = pick.choice(("divd", "divdu", "divw", "divwu", "mulhw", "mulhwu"))
            words = "w" in operation
            return [
                f"ori 6,{b},1",
                f"{'srwi' if words else 'srdi'} 7,{a},1",
                f"{operation} {t},7,6",
                f"extsw {t},{t}" if words else "nop",
            ]
        if kind == 10:
            field = pick.randrange(8)
            return [
                pick.choice(
                    (
                        f"cmpd {field},{a},{b}",
                        f"cmpld {field},{a},{b}",
                        f"cmpw {field},{a},{b}",
                        f"cmplw {field},{a},{b}",
                        f"cmpdi {field},{a},{self._signed()}",
                    )
                )
            ]
        return [
            pick.choice(
                (
                    f"isel {t},{a},{b},{pick.randrange(32)}",
                    f"mfcr {t}",
                    f"mtcrf {pick.randrange(1, 256)},{a}",
                    f"crxor {pick.randrange(32)},{pick.randrange(32)},{pick.randrange(32)}",
                    f"mtctr {a}",
                    f"mfctr {t}",
                )
            )
        ]

    def _rotation(self, t: int, a: int, b: int) -> list[str]:
        pick = self._random
        double, end, word = pick.randrange(64), pick.randrange(64), pick.randrange(32)
        begin, last = pick.randrange(32), pick.randrange(32)
        return [
            pick.choice(
                (f"rldicl {t},{a},{double},{end}", f"rldicr {t},{a},{double},{end}", f"rldic {t},{a},{double},{end}",
                 f"rldimi {t},{a},{double},{end}", f"rldcl {t},{a},{b},{end}", f"rldcr {t},{a},{b},{end}",
                 f"rlwinm {t},{a},{word},{begin},{last}", f"rlwimi {t},{a},{word},{begin},{last}",
                 f"rlwnm {t},{a},{b},{begin},{last}", f"sradi {t},{a},{double}", f"srawi {t},{a},{word}")
            )
        ]  # fmt: skip

    def _access(self) -> list[str]:
        pick, t = self._random, self._general()
        offset = pick.randrange(-500, 480)
        # An index that is computed: what the block's addresses are told by is followed through it.
        index = [f"rlwinm 6,{self._general()},{pick.randrange(32)},23,31", "addi 6,6,-256"]
        if pick.randrange(2):
            index = [f"rldicl 6,{self._general()},{pick.randrange(64)},56", pick.choice(("sldi 6,6,1", "extsb 6,6"))]
        kind = pick.randrange(4)
        if kind == 0:
            name, _ = pick.choice(_MEMORY)
            return [f"{name} {t},{offset & ~3}(5)"]
        if kind == 1:
            return [*index, f"{pick.choice(_INDEXED)} {t},5,6"]
        if kind == 2:
            return [f"{pick.choice(_FLOAT_MEMORY)} {self._float()},{offset}(5)"]
        return [*index, f"{pick.choice(_FLOAT_INDEXED)} {self._float()},5,6"]

    def _floating(self) -> list[str]:
        pick, t, a, b, c = self._random, self._float(), self._float(), self._float(), self._float()
        kind = pick.randrange(4)
        if kind == 0:
            return [f"{pick.choice(_ARITHMETIC)} {t},{a},{b}"]
        if kind == 1:
            return [f"{pick.choice(_FUSED)} {t},{a},{b},{c}"]
        if kind == 2:
            return [f"{pick.choice(_ONE)} {t},{a}"]
        return [pick.choice((f"fcmpu {pick.randrange(8)},{a},{b}", f"fcpsgn {t},{a},{b}"))]

    def block(self, number: int) -> list[str]:
        lines = []
        for place in range(INSTRUCTIONS):
            lines.append(f"b{number}_{place}:")
            lines += self._random.choice((self._integer, self._integer, self._access, self._floating))()
            if self._random.randrange(6) == 0:
                there = self._random.randrange(place + 1, INSTRUCTIONS + 1)
                condition = self._random.choice(("lt", "gt", "eq", "ge", "le", "ne"))
                lines.append(f"b{condition} {self._random.randrange(8)},b{number}_{there}")
        return [*lines, f"b{number}_{INSTRUCTIONS}:"]


def sources(seed: int) -> tuple[str, str]:
    """A program in C, and its function in assembly language."""
    code = Code(seed)
    general = "".join(f"std {i},{-144 + 8 * (i - 14)}(1)\n" for i in range(14, 32))
    floats = "".join(f"stfd {i},{-288 + 8 * (i - 14)}(1)\n" for i in (14, 15))
    load = "".join(f"ld {i},{8 * i}(3)\n" for i in range(14, 32)) + "".join(f"lfd {i},{8 * i}(4)\n" for i in range(16))
    save = "".join(f"std {i},{8 * i}(3)\n" for i in range(14, 32)) + "".join(
        f"stfd {i},{8 * i}(4)\n" for i in range(16)
    )
    body = "\n".join(line for number in range(BLOCKS) for line in code.block(number))
    state = "mfcr 6\nstd 6,256(3)\nli 6,0\naddze 6,6\nstd 6,264(3)\n"  # the carry, too
    back = general.replace("std", "ld") + floats.replace("stfd", "lfd")
    assembly = (
        '.section ".opd","aw"\n.align 3\n.globl run\nrun: .quad .run,.TOC.@tocbase,0\n.text\n.align 5\n.run:\n'
        f"mfcr 0\nstd 0,8(1)\nmr 5,5\n{general}{floats}{load}li 6,0\naddic 6,6,0\nmtcrf 255,6\n{body}\n"
        f"{save}{state}{back}ld 0,8(1)\nmtcrf 255,0\nblr\n"
    )
    return f"#define SEED {seed}u\n{_PROGRAM}", assembly
