# SPDX-License-Identifier: Apache-2.0
"""Random programs for x86-64: sequences of instructions on registers and memory, whose results the program prints."""

from __future__ import annotations

import random
from dataclasses import dataclass

# Registers that sequences use: not the stack pointer, nor r15, which points to the data.
GENERAL = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14"]
_NARROW = {
    "rax": ("eax", "ax", "al"),
    "rbx": ("ebx", "bx", "bl"),
    "rcx": ("ecx", "cx", "cl"),
    "rdx": ("edx", "dx", "dl"),
    "rsi": ("esi", "si", "sil"),
    "rdi": ("edi", "di", "dil"),
    "rbp": ("ebp", "bp", "bpl"),
} | {f"r{i}": (f"r{i}d", f"r{i}w", f"r{i}b") for i in range(8, 15)}
_SIZES = {8: "qword", 4: "dword", 2: "word", 1: "byte"}
DATA_BYTES = 512
_FLAGS = {"C": 0x001, "P": 0x004, "A": 0x010, "Z": 0x040, "S": 0x080, "O": 0x800}
ALL = frozenset(_FLAGS)
_CONDITIONS = {"o": "O", "no": "O", "c": "C", "nc": "C", "z": "Z", "nz": "Z", "s": "S", "ns": "S", "p": "P", "np": "P",
               "be": "CZ", "a": "CZ", "l": "SO", "ge": "SO", "le": "ZSO", "g": "ZSO"}  # fmt: skip

_PACKED = [
    "paddb", "paddw", "paddd", "paddq", "psubb", "psubw", "psubd", "psubq", "pmullw", "pmulhw", "pmuludq", "pcmpeqb",
    "pcmpeqd", "pcmpgtw", "pand", "por", "pxor", "pandn", "andpd", "xorps", "punpcklbw", "punpckhdq", "punpcklqdq",
    "packuswb", "pminub", "pmaxsw", "pavgb", "psadbw", "unpcklpd",
]  # fmt: skip


@dataclass
class Sequence:
    """Lines of assembler, and the flags that are defined behind them."""

    lines: list[str]
    flags: int


class _Writer:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.lines: list[str] = []
        self.known = set(ALL)

    def general(self, size: int) -> str:
        whole = self.dice.choice(GENERAL)
        return whole if size == 8 else _NARROW[whole][{4: 0, 2: 1, 1: 2}[size]]

    def memory(self, size: int, aligned: bool = False) -> str:
        at = self.dice.randrange(0, DATA_BYTES - 16)
        if aligned:
            at &= ~15
        return f"{_SIZES.get(size, 'xmmword')} ptr [r15 + {at}]"

    def source(self, size: int) -> str:
        kind = self.dice.randrange(4)
        if kind == 0:
            return self.memory(size)
        if kind == 1:
            return str(self.dice.randrange(-128, 128) if size < 4 else self.dice.randrange(-(1 << 31), 1 << 31))
        return self.general(size)

    def vector(self) -> str:
        return f"xmm{self.dice.randrange(16)}"

    def vector_source(self) -> str:
        return self.memory(16, aligned=True) if self.dice.randrange(4) == 0 else self.vector()

    def add(self, line: str, defines: str = "", undefines: str = "") -> None:
        self.lines.append(line)
        self.known |= set(defines)
        self.known -= set(undefines)

    def condition(self) -> str:
        usable = [name for name, flags in _CONDITIONS.items() if set(flags) <= self.known]
        return self.dice.choice(usable) if usable else ""

    def arithmetic(self) -> None:
        size = self.dice.choice([1, 2, 4, 8])
        name = self.dice.choice(["add", "sub", "and", "or", "xor", "cmp", "test", "adc", "sbb"])
        if name in ("adc", "sbb") and "C" not in self.known:
            name = "add"
        to = self.general(size)
        if self.dice.randrange(4) == 0 and name != "test":
            to, source = self.memory(size), self.general(size)
        else:
            source = self.source(size)
            if name == "test" and "ptr" in source:
                source = self.general(size)
        logic = name in ("and", "or", "xor", "test")
        self.add(f"{name} {to}, {source}", "CPZSO" + ("" if logic else "A"), "A" if logic else "")

    def one(self) -> None:
        size = self.dice.choice([1, 2, 4, 8])
        name = self.dice.choice(["inc", "dec", "neg", "not"])
        to = self.memory(size) if self.dice.randrange(4) == 0 else self.general(size)
        self.add(f"{name} {to}", {"not": "", "neg": "CPAZSO"}.get(name, "PAZSO"))

    def shift(self) -> None:
        size = self.dice.choice([1, 2, 4, 8])
        name = self.dice.choice(["shl", "shr", "sar", "rol", "ror"])
        count = self.dice.randrange(1, size * 8)
        rotates = name in ("rol", "ror")
        overflow = "O" if count == 1 else ""
        defined = "C" + overflow + ("" if rotates else "PZS")
        undefined = ("" if overflow else "O") + ("" if rotates else "A")
        self.add(f"{name} {self.general(size)}, {count}", defined, undefined)

    def double_shift(self) -> None:
        size = self.dice.choice([4, 8])
        count = self.dice.randrange(1, size * 8)
        self.add(f"{self.dice.choice(['shld', 'shrd'])} {self.general(size)}, {self.general(size)}, {count}",
                 "CPZS", "AO")  # fmt: skip

    def multiply(self) -> None:
        size = self.dice.choice([2, 4, 8])
        if self.dice.randrange(2):
            self.add(f"imul {self.general(size)}, {self.general(size)}", "CO", "PAZS")
        else:
            self.add(f"{self.dice.choice(['mul', 'imul'])} {self.general(size)}", "CO", "PAZS")

    def divide(self) -> None:
        size = self.dice.choice([4, 8])
        divisor = self.dice.choice(["rbx", "rcx", "rsi", "r9"])
        narrow = divisor if size == 8 else _NARROW[divisor][0]
        self.add(f"or {narrow}, 1", "CPZSO", "A")
        self.add("xor edx, edx", "CPZSO", "A")
        self.add(f"div {narrow}", "", "CPAZSO")

    def move(self) -> None:
        kind = self.dice.randrange(7)
        size = self.dice.choice([1, 2, 4, 8])
        if kind == 0:
            self.add(f"mov {self.memory(size)}, {self.general(size)}")
        elif kind == 1:
            self.add(f"mov {self.general(size)}, {self.source(size)}")
        elif kind == 2:
            narrow = self.dice.choice([1, 2])
            wide = self.dice.choice([4, 8])
            source = self.memory(narrow) if self.dice.randrange(2) else self.general(narrow)
            self.add(f"{self.dice.choice(['movzx', 'movsx'])} {self.general(wide)}, {source}")
        elif kind == 3:
            scale = self.dice.choice([1, 2, 4, 8])
            self.add(f"lea {self.general(8)}, [{self.general(8)} + {scale} * {self.general(8)} + "
                     f"{self.dice.randrange(-1000, 1000)}]")  # fmt: skip
        elif kind == 4:
            self.add(f"xchg {self.general(size)}, {self.memory(size)}")
        elif kind == 5:
            self.add(f"push {self.general(8)}")
            self.add(f"pop {self.general(8)}")
        else:
            self.add(self.dice.choice(["cdqe", "cqo", "cdq", "cwde", "bswap r10", "bswap r11d", "movsxd rsi, ecx"]))

    def conditional(self) -> None:
        condition = self.condition()
        if not condition:
            return
        if self.dice.randrange(2):
            size = self.dice.choice([2, 4, 8])
            self.add(f"cmov{condition} {self.general(size)}, {self.general(size)}")
        else:
            self.add(f"set{condition} {self.general(1)}")

    def locked(self) -> None:
        name = self.dice.choice(["add", "xadd", "cmpxchg", "sub"])
        # One of 32 bits that finds what it compares with clears the upper half of rax in the engine.
        size = self.dice.choice([1, 2, 8] if name == "cmpxchg" else [1, 2, 4, 8])
        self.add(f"lock {name} {self.memory(size)}, {self.general(size)}", "CPAZSO")

    def bits(self) -> None:
        size = self.dice.choice([4, 8])
        if self.dice.randrange(2):
            self.add(f"bt {self.general(size)}, {self.dice.randrange(size * 8)}", "C", "PASO")
        else:
            self.add(f"popcnt {self.general(size)}, {self.general(size)}", "CPAZSO")

    def floating(self) -> None:
        name = self.dice.choice(["add", "sub", "mul", "div", "min", "max"])
        kind = self.dice.choice(["sd", "ss", "pd", "ps"])
        self.add(f"{name}{kind} {self.vector()}, {self.vector()}")

    def conversion(self) -> None:
        kind = self.dice.randrange(6)
        if kind == 0:
            self.add(f"cvtsi2sd {self.vector()}, {self.general(self.dice.choice([4, 8]))}")
        elif kind == 1:
            self.add(f"cvttsd2si {self.general(self.dice.choice([4, 8]))}, {self.vector()}")
        elif kind == 2:
            self.add(f"{self.dice.choice(['cvtsd2ss', 'cvtss2sd', 'cvtps2pd', 'cvtpd2ps', 'cvtdq2pd', 'cvttps2dq'])} "
                     f"{self.vector()}, {self.vector()}")  # fmt: skip
        elif kind == 3:
            self.add(f"{self.dice.choice(['sqrtsd', 'sqrtps', 'sqrtpd'])} {self.vector()}, {self.vector()}")
        else:
            self.add(f"{self.dice.choice(['ucomisd', 'comiss'])} {self.vector()}, {self.vector()}", "CPAZSO")

    def packed(self) -> None:
        self.add(f"{self.dice.choice(_PACKED)} {self.vector()}, {self.vector_source()}")

    def shuffle(self) -> None:
        kind = self.dice.randrange(5)
        if kind == 0:
            self.add(f"{self.dice.choice(['pshufd', 'shufps', 'shufpd'])} {self.vector()}, {self.vector_source()}, "
                     f"{self.dice.randrange(256)}")  # fmt: skip
        elif kind == 1:
            self.add(f"{self.dice.choice(['psllw', 'pslld', 'psllq', 'psrlw', 'psrld', 'psrlq', 'psraw', 'psrad'])} "
                     f"{self.vector()}, {self.dice.randrange(70)}")  # fmt: skip
        elif kind == 2:
            self.add(f"movq {self.vector()}, {self.general(8)}")
        elif kind == 3:
            self.add(f"movq {self.general(8)}, {self.vector()}")
        else:
            self.add(f"pmovmskb {self.general(4)}, {self.vector()}")

    def vector_move(self) -> None:
        kind = self.dice.randrange(6)
        if kind == 0:
            self.add(f"movups {self.vector()}, {self.memory(16)}")
        elif kind == 1:
            self.add(f"movdqu {self.memory(16)}, {self.vector()}")
        elif kind == 2:
            self.add(f"movaps {self.memory(16, aligned=True)}, {self.vector()}")
        elif kind == 3:
            self.add(f"movntdq {self.memory(16, aligned=True)}, {self.vector()}")
        elif kind == 4:
            size = self.dice.choice([4, 8])
            self.add(f"movnti {self.memory(size)}, {self.general(size)}")
        else:
            self.add(f"movhpd {self.vector()}, {self.memory(8)}")


def sequence(dice: random.Random, length: int = 24) -> Sequence:
    writer = _Writer(dice)
    kinds = [
        writer.arithmetic, writer.arithmetic, writer.one, writer.shift, writer.double_shift, writer.multiply,
        writer.divide, writer.move, writer.move, writer.conditional, writer.locked, writer.bits, writer.floating,
        writer.floating, writer.conversion, writer.packed, writer.packed, writer.shuffle, writer.vector_move,
    ]  # fmt: skip
    for _ in range(length):
        dice.choice(kinds)()
    return Sequence(writer.lines, sum(_FLAGS[flag] for flag in writer.known))


_MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct state {{ uint64_t general[{general}]; uint64_t flags; uint64_t vectors[32], padding; uint8_t data[{data}]; }};
extern void (*const sequences[])(struct state*);
extern const uint64_t masks[];
struct state state __attribute__((aligned(64)));

static uint64_t next(uint64_t* seed) {{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed ^ *seed >> 29;
}}
static uint64_t number(uint64_t* seed) {{
  static const double values[] = {{0.0, -0.0, 1.0, -2.5, 1e300, 1e-310, 3.25e7, -1e-30}};
  const uint64_t made = next(seed);
  double value = values[made >> 8 & 7] * (1.0 + (double)(made >> 40) / 1e7);
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return made & 1 ? bits : next(seed) >> (made >> 1 & 63);
}}
int main(void) {{
  for (unsigned i = 0; i < {count}; ++i) {{
    uint64_t seed = {seed}u + i;
    uint64_t* const words = (uint64_t*)&state;
    for (unsigned word = 0; word < sizeof state / 8; ++word) words[word] = number(&seed);
    state.flags = next(&seed) & 0x8D5;
    sequences[i](&state);
    state.flags &= masks[i];
    uint64_t sum = 14695981039346656037u;
    for (unsigned word = {general} + 34; word < sizeof state / 8; ++word) sum = (sum ^ words[word]) * 1099511628211u;
    printf("%u data %016llx flags %03llx\\n", i, (unsigned long long)sum, (unsigned long long)state.flags);
    for (unsigned word = 0; word < {general}; ++word) printf(" %llx", (unsigned long long)state.general[word]);
    for (unsigned word = 0; word < 32; ++word) printf(" %llx", (unsigned long long)state.vectors[word]);
    printf("\\n");
  }}
  return 0;
}}
"""


def program(seed: int, count: int) -> tuple[str, str]:
    """C and assembler of a program with so many sequences."""
    dice = random.Random(seed)
    made = [sequence(dice) for _ in range(count)]
    flags_at = 8 * len(GENERAL)
    data_at = flags_at + 8 + 256 + 8
    assert data_at % 16 == 0
    text = [".intel_syntax noprefix", ".text"]
    for number, each in enumerate(made):
        text += [f"sequence_{number}:", "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15"]
        text += ["push rdi", "mov r15, rdi", f"push qword ptr [r15 + {flags_at}]", "popfq"]
        text += [f"movups xmm{i}, [r15 + {flags_at + 8 + 16 * i}]" for i in range(16)]
        text += [f"mov {name}, [r15 + {8 * i}]" for i, name in enumerate(GENERAL)]
        text += [f"lea r15, [r15 + {data_at}]", *each.lines]
        text += ["pushfq", f"pop qword ptr [r15 - {data_at - flags_at}]", f"lea r15, [r15 - {data_at}]"]
        text += [f"mov [r15 + {8 * i}], {name}" for i, name in enumerate(GENERAL)]
        text += [f"movups [r15 + {flags_at + 8 + 16 * i}], xmm{i}" for i in range(16)]
        text += ["pop rdi", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx", "ret"]
    text += [".section .rodata", ".balign 8", ".globl sequences", "sequences:"]
    text += [f".quad sequence_{number}" for number in range(count)]
    text += [".globl masks", "masks:", *(f".quad {each.flags}" for each in made)]
    text += ['.section .note.GNU-stack,"",@progbits', ""]
    main = _MAIN.format(general=len(GENERAL), data=DATA_BYTES, count=count, seed=seed)
    return main, "\n".join(text)
