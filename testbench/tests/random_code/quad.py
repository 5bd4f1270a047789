# SPDX-License-Identifier: Apache-2.0
"""Random code of the quad processing extension of 64-bit PowerPC, and a model of the nine operations that Toroid has of
it, because no other emulator has any.

Doubles are moved as their bits; sums are those of the host, which rounds to nearest as well. Of two operands that are
no numbers, the first is the result, made quiet (Power ISA, book I, of floating-point operands).
"""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_LENGTH = 24  # operations of a program
_REGISTERS = 16
_QUAD = 32  # bytes
_BYTES = 1024  # a program's memory: registers, data
_STRIDE = _BYTES + _QUAD  # with the sum of the addresses that were written back
_DATA = _REGISTERS * _QUAD
_QUIET = 0x0008000000000000
_DEFAULT = 0x7FF8000000000000  # the sum of infinities of both signs
_ONE, _MINUS_ONE = 0x3FF0000000000000, 0xBFF0000000000000
_EDGES = [0, 1 << 63, 1, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000001, 0x7FF0000000000001, _ONE,
          0xFFF8123400000000, 0x7FEFFFFFFFFFFFFF]  # fmt: skip
# Extended opcodes: of loads and stores, with and without update; of arithmetic.
_ACCESSES = {"qvlfdx": 583, "qvlfdux": 615, "qvstfdx": 711, "qvstfdux": 743}
_ARITHMETIC = {"qvfadd": 21, "qvfsel": 23, "qvfcmpgt": 32, "qvfmr": 72, "qvfcmplt": 96}

Four = list[int]

_MAIN = """
#include <stdint.h>
#include <stdio.h>
extern void (*const programs[])(uint64_t* memory);
extern uint64_t memory[][{stride}];
int main(void) {{
  for (unsigned i = 0; i < {count}; ++i) {{
    programs[i](memory[i]);
    for (unsigned n = 0; n < {words}; ++n) printf(n == 0 ? "%016llx" : " %016llx", (unsigned long long)memory[i][n]);
    printf("\\n");
  }}
  return 0;
}}
"""


def _is_nan(bits: int) -> bool:
    return bits & ~(1 << 63) > 0x7FF0000000000000


def _double(bits: int) -> float:
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value


def _bits(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits


def _sum(a: int, b: int) -> int:
    if _is_nan(a) or _is_nan(b):
        return (a if _is_nan(a) else b) | _QUIET
    result = _bits(_double(a) + _double(b))
    return _DEFAULT if _is_nan(result) else result


def _less(a: int, b: int) -> int:
    return _ONE if not (_is_nan(a) or _is_nan(b)) and _double(a) < _double(b) else _MINUS_ONE


def _computed(name: str, a: int, b: int, c: int) -> int:
    if name == "qvfadd":
        return _sum(a, b)
    if name == "qvfsel":
        return c if not _is_nan(a) and _double(a) >= 0 else b
    if name == "qvfmr":
        return b
    return _less(a, b) if name == "qvfcmplt" else _less(b, a)


@dataclass(frozen=True)
class Operation:
    """Registers; of an access b is an index from the middle of the data, and `based` is false without a base."""

    name: str
    t: int
    a: int = 0
    b: int = 0
    c: int = 0
    based: bool = True

    def assembly(self) -> str:
        if self.name in _ACCESSES:
            # r5: the middle of the data; r6: base; r7: index.
            base = "mr 6,5; " if self.based else ""
            index = f"li 7,{self.b}" if self.based else f"addi 7,5,{self.b}"
            number = 6 if self.based else 0
            word = 31 << 26 | self.t << 21 | number << 16 | 7 << 11 | _ACCESSES[self.name] << 1
            # What is written back is not rounded down; r8 has the sum of all.
            return (
                f"{base}{index}; .long {word:#x}; subf 6,5,6; add 8,8,6" if self.based else f"{index}; .long {word:#x}"
            )
        word = 4 << 26 | self.t << 21 | self.a << 16 | self.b << 11 | self.c << 6 | _ARITHMETIC[self.name] << 1
        return f".long {word:#x}  # {self.name} {self.t},{self.a},{self.b},{self.c}"


class Model:
    """What operations do to registers and memory."""

    def __init__(self, memory: bytes) -> None:
        self.memory = bytearray(memory)
        self.registers = [self._at(_QUAD * number) for number in range(_REGISTERS)]
        self.written_back = 0

    def _at(self, offset: int) -> Four:
        return list(struct.unpack_from(">4Q", self.memory, offset))

    def execute(self, operation: Operation) -> None:
        t, name = operation.t, operation.name
        if name in _ARITHMETIC:
            operands = (self.registers[number] for number in (operation.a, operation.b, operation.c))
            self.registers[t] = [_computed(name, a, b, c) for a, b, c in zip(*operands, strict=True)]
            return
        offset = (_DATA + (_BYTES - _DATA) // 2 + operation.b) // _QUAD * _QUAD
        if "l" in name[:3]:
            self.registers[t] = self._at(offset)
        else:
            struct.pack_into(">4Q", self.memory, offset, *self.registers[t])
        if operation.based and name.endswith("ux"):
            self.written_back += operation.b

    def finish(self) -> list[int]:
        """All words of the memory, with the registers and the sum of what was written back."""
        for number, value in enumerate(self.registers):
            struct.pack_into(">4Q", self.memory, _QUAD * number, *value)
        words = list(struct.unpack(f">{_BYTES // 8}Q", self.memory))
        return [*words, self.written_back & 0xFFFFFFFFFFFFFFFF]


@dataclass(frozen=True)
class Quads:
    """Random programs, with their memories."""

    programs: list[list[Operation]]
    memories: list[bytes]

    @staticmethod
    def random(seed: int, count: int) -> Quads:
        dice = random.Random(f"quad {seed}")
        programs = [[_operation(dice) for _ in range(_LENGTH)] for _ in range(count)]
        words = _BYTES // 8
        memories = [struct.pack(f">{words}Q", *(_number(dice) for _ in range(words))) for _ in range(count)]
        return Quads(programs, memories)

    def expected(self) -> list[str]:
        lines = []
        for program, memory in zip(self.programs, self.memories, strict=True):
            model = Model(memory)
            for operation in program:
                model.execute(operation)
            lines.append(" ".join(f"{word:016x}" for word in model.finish()))
        return lines

    def build(self, command: Sequence[str], directory: Path) -> Path:
        words = _BYTES // 8 + 1
        (directory / "quads.c").write_text(
            _MAIN.format(words=words, stride=_STRIDE // 8, count=len(self.programs)), encoding="utf-8"
        )
        (directory / "quads.s").write_text("\n".join([*self._assembly(words), ""]), encoding="utf-8")
        built = directory / "quads"
        subprocess.run([*command, "-O1", directory / "quads.c", directory / "quads.s", "-o", built], check=True)
        return built

    def _assembly(self, words: int) -> list[str]:
        text = [".text"]
        for number, program in enumerate(self.programs):
            text += [f"program_{number}:", f"addi 5,3,{_DATA + (_BYTES - _DATA) // 2}", "li 6,0", "li 8,0"]
            # Floating-point registers 14 and 15 belong to the caller.
            text += ["stfd 14,-16(1)", "stfd 15,-8(1)"]
            text += [f"li 7,{_QUAD * i}; .long {_word('qvlfdx', i, 3, 7):#x}" for i in range(_REGISTERS)]
            text += [operation.assembly() for operation in program]
            text += [f"li 7,{_QUAD * i}; .long {_word('qvstfdx', i, 3, 7):#x}" for i in range(_REGISTERS)]
            text += [f"std 8,{_BYTES}(3)", "lfd 14,-16(1)", "lfd 15,-8(1)", "blr"]
        text += ['.section ".opd","aw"', ".align 3"]
        text += [f"descriptor_{i}: .quad program_{i},.TOC.@tocbase,0" for i in range(len(self.programs))]
        text += [".section .rodata", ".align 3", ".globl programs", "programs:"]
        text += [f".quad descriptor_{i}" for i in range(len(self.programs))]
        # A word more than the memory: what was written back.
        text += [".data", ".align 5", ".globl memory", "memory:"]
        for memory in self.memories:
            text += [
                ".quad " + ",".join(f"{word:#x}" for word in struct.unpack(f">{_BYTES // 8}Q", memory)),
                f".zero {_STRIDE - _BYTES}",
            ]
        return [*text, '.section .note.GNU-stack,"",@progbits']


def _word(name: str, t: int, a: int, b: int) -> int:
    return 31 << 26 | t << 21 | a << 16 | b << 11 | _ACCESSES[name] << 1


def _number(dice: random.Random) -> int:
    kind = dice.randrange(8)
    if kind == 0:
        return dice.choice(_EDGES)
    if kind == 1:
        return dice.getrandbits(64)
    return dice.getrandbits(1) << 63 | dice.randrange(1000, 1040) << 52 | dice.getrandbits(52)


def _operation(dice: random.Random) -> Operation:
    name = dice.choice([*_ACCESSES, *_ARITHMETIC, "qvfadd", "qvfadd"])
    t, a, b, c = (dice.randrange(_REGISTERS) for _ in range(4))
    if name in _ARITHMETIC:
        return Operation(name, t, 0 if name == "qvfmr" else a, b, c if name == "qvfsel" else 0)
    half = (_BYTES - _DATA) // 2
    index = dice.randrange(-half, half)
    return Operation(name, t, b=index, based=name.endswith("ux") or dice.getrandbits(1) == 1)
