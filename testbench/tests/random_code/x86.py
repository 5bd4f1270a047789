# SPDX-License-Identifier: Apache-2.0
"""Random code of x86-64, as AMD's family 10h has it, by what it computes with.

Left out is what manufacturers do differently: SSE4a, which Intel's processors lack; the estimates rcpps and rsqrtps;
the x87's transcendental functions; flags and bits that an instruction leaves undefined.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from random_code.program import DATA_BYTES, Code, Layout, Program

# Registers that sequences use: not the stack pointer, nor r15, which points to the data.
_GENERAL = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14"]
_NARROW = {
    "rax": ("eax", "ax", "al"),
    "rbx": ("ebx", "bx", "bl"),
    "rcx": ("ecx", "cx", "cl"),
    "rdx": ("edx", "dx", "dl"),
    "rsi": ("esi", "si", "sil"),
    "rdi": ("edi", "di", "dil"),
    "rbp": ("ebp", "bp", "bpl"),
} | {f"r{i}": (f"r{i}d", f"r{i}w", f"r{i}b") for i in range(8, 15)}
_LEGACY_BYTES = ["al", "bl", "cl", "dl", "ah", "bh", "ch", "dh"]  # all that can be used beside ah
_SIZES = {8: "qword", 4: "dword", 2: "word", 1: "byte"}
_FLAGS = {"C": 0x001, "P": 0x004, "A": 0x010, "Z": 0x040, "S": 0x080, "O": 0x800}
_CONDITIONS = {"o": "O", "no": "O", "c": "C", "nc": "C", "z": "Z", "nz": "Z", "s": "S", "ns": "S", "p": "P", "np": "P",
               "be": "CZ", "a": "CZ", "l": "SO", "ge": "SO", "le": "ZSO", "g": "ZSO"}  # fmt: skip
_MXCSR_COMPARED = 0xFFFD  # the emulator does not tell of denormal operands
_LENGTH = 24  # steps of a sequence
_LAYOUT = Layout(word=8, general=len(_GENERAL), status=2, floats=32)

_PACKED = [
    "paddb", "paddw", "paddd", "paddq", "paddsb", "paddsw", "paddusb", "paddusw", "psubb", "psubw", "psubd", "psubq",
    "psubsb", "psubsw", "psubusb", "psubusw", "pmullw", "pmulhw", "pmulhuw", "pmuludq", "pmaddwd", "pcmpeqb", "pcmpeqw",
    "pcmpeqd", "pcmpgtb", "pcmpgtw", "pcmpgtd", "pand", "por", "pxor", "pandn", "punpcklbw", "punpcklwd", "punpckldq",
    "punpcklqdq", "punpckhbw", "punpckhwd", "punpckhdq", "punpckhqdq", "packsswb", "packssdw", "packuswb", "pminub",
    "pmaxub", "pminsw", "pmaxsw", "pavgb", "pavgw", "psadbw",
]  # fmt: skip
_SHIFTS = ["psllw", "pslld", "psllq", "psrlw", "psrld", "psrlq", "psraw", "psrad"]


class _Writer:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.known = set(_FLAGS)  # flags that are defined
        self.lines: list[str] = []
        self.masks = [self.mask_now()]

    def one_in(self, many: int) -> bool:
        return self.dice.randrange(many) == 0

    def general(self, size: int) -> str:
        whole = self.dice.choice(_GENERAL)
        return whole if size == 8 else _NARROW[whole][{4: 0, 2: 1, 1: 2}[size]]

    def memory(self, size: int, aligned: bool = False) -> str:
        at = self.dice.randrange(DATA_BYTES - 16)
        if aligned:
            at &= ~15
        return f"{_SIZES.get(size, 'xmmword')} ptr [r15 + {at}]"

    def vector(self) -> str:
        return f"xmm{self.dice.randrange(16)}"

    def vector_source(self) -> str:
        return self.memory(16, aligned=True) if self.one_in(4) else self.vector()

    def mask_now(self) -> tuple[int, int]:
        return sum(_FLAGS[flag] for flag in self.known), _MXCSR_COMPARED

    def add(self, line: str, defines: str = "", undefines: str = "") -> None:
        self.known |= set(defines)
        self.known -= set(undefines)
        self.lines.append(line)
        self.masks.append(self.mask_now())

    def condition(self) -> str:
        usable = [name for name, flags in _CONDITIONS.items() if set(flags) <= self.known]
        return self.dice.choice(usable) if usable else ""

    def skip(self, step: Callable[[], None]) -> None:
        """A jump over a step, taken or not."""
        condition = self.condition()
        if not condition:
            return
        before = set(self.known)
        self.add(f"j{condition} 9f")
        step()
        self.add("9:", undefines="".join(set(_FLAGS) - before))

    def code(self) -> Code:
        return Code(self.lines, self.masks)


class _Integers(_Writer):
    """Of one size."""

    def __init__(self, dice: random.Random, size: int) -> None:
        super().__init__(dice)
        self.size = size

    def register(self) -> str:
        return self.general(self.size)

    def place(self) -> str:
        return self.memory(self.size)

    def constant(self) -> int:
        bits = min(8 * self.size, 32)
        small = self.one_in(2)
        return self.dice.randrange(-128, 128) if small or bits == 8 else self.dice.randrange(-(1 << 15), 1 << bits - 1)

    def source(self) -> str:
        kind = self.dice.randrange(4)
        return self.place() if kind == 0 else str(self.constant()) if kind == 1 else self.register()

    def accumulator(self) -> str:
        return "rax" if self.size == 8 else _NARROW["rax"][{4: 0, 2: 1, 1: 2}[self.size]]

    def named(self, whole: str) -> str:
        return whole if self.size == 8 else _NARROW[whole][{4: 0, 2: 1, 1: 2}[self.size]]

    def arithmetic(self) -> None:
        name = self.dice.choice(["add", "sub", "and", "or", "xor", "cmp", "test", "adc", "sbb"])
        if name in ("adc", "sbb") and "C" not in self.known:
            name = "add"
        logic = name in ("and", "or", "xor", "test")
        undefined = "A" if logic else ""
        defined = "CPZSO" + ("" if logic else "A")
        if self.size == 1 and self.one_in(4):
            self.add(f"{name} {self.dice.choice(_LEGACY_BYTES)}, {self.dice.choice(_LEGACY_BYTES)}", defined,
                            undefined)  # fmt: skip
            return
        kind = self.dice.randrange(4)
        to, source = self.register(), self.source()
        if kind == 0:
            to, source = self.place(), self.dice.choice([self.register(), str(self.constant())])
        if name == "test" and "ptr" in source:
            source = self.register()
        self.add(f"{name} {to}, {source}", defined, undefined)

    def one(self) -> None:
        name = self.dice.choice(["inc", "dec", "neg", "not"])
        to = self.place() if self.one_in(4) else self.register()
        self.add(f"{name} {to}", {"not": "", "neg": "CPAZSO"}.get(name, "PAZSO"))

    def shift(self) -> None:
        name = self.dice.choice(["shl", "shr", "sar", "rol", "ror", "rcl", "rcr"])
        rotates = name.startswith("r")
        if name in ("rcl", "rcr") and "C" not in self.known:
            name = "ror"
        to = self.place() if self.one_in(4) else self.register()
        if self.one_in(3) and name not in ("rcl", "rcr"):
            # By a register: which flags change depends on the count.
            self.add(f"{name} {to}, cl", "", "O" if rotates else "CPAZSO")
            return
        count = self.dice.randrange(1, self.size * 8)
        overflow = "O" if count == 1 else ""
        undefined = ("" if overflow else "O") + ("" if rotates else "A")
        self.add(f"{name} {to}, {count}", "C" + overflow + ("" if rotates else "PZS"), undefined)

    def double_shift(self) -> None:
        if self.size == 1:
            self.shift()
            return
        count = self.dice.randrange(1, self.size * 8)
        to = self.place() if self.one_in(4) else self.register()
        self.add(f"{self.dice.choice(['shld', 'shrd'])} {to}, {self.register()}, {count}", "CPZS", "AO")

    def multiply(self) -> None:
        if self.size == 1 or self.one_in(2):
            source = self.place() if self.one_in(3) else self.register()
            self.add(f"{self.dice.choice(['mul', 'imul'])} {source}", "CO", "PAZS")
            return
        source = self.place() if self.one_in(3) else self.register()
        constant = f", {self.constant()}" if self.one_in(2) else ""
        self.add(f"imul {self.register()}, {source}{constant}", "CO", "PAZS")

    def divide(self) -> None:
        divisor = self.named(self.dice.choice(["rbx", "rcx", "rsi", "r9"]))
        signed = self.one_in(2)
        self.add(f"or {divisor}, 1", "CPZSO", "A")
        if signed:  # not the smallest number, whose negative has no room
            self.add(f"sar {self.accumulator()}, 1", "CPZSO", "A")
            self.add({1: "cbw", 2: "cwd", 4: "cdq", 8: "cqo"}[self.size])
        elif self.size == 1:
            self.add("movzx eax, al")
        else:
            self.add("xor edx, edx", "CPZSO", "A")
        self.add(f"{'idiv' if signed else 'div'} {divisor}", "", "CPAZSO")

    def move(self) -> None:
        kind = self.dice.randrange(9)
        if kind == 0:
            self.add(f"mov {self.place()}, {self.dice.choice([self.register(), str(self.constant())])}")
        elif kind == 1:
            self.add(f"mov {self.register()}, {self.source()}")
        elif kind == 2:
            self.add(f"xchg {self.register()}, {self.place() if self.one_in(2) else self.register()}")
        elif kind == 3 and self.size > 1:
            narrow = self.dice.choice([size for size in (1, 2) if size < self.size])
            source = self.memory(narrow) if self.one_in(2) else self.general(narrow)
            self.add(f"{self.dice.choice(['movzx', 'movsx'])} {self.register()}, {source}")
        elif kind == 4 and self.size > 1:
            scale = self.dice.choice([1, 2, 4, 8])
            self.add(f"lea {self.register()}, [{self.general(8)} + {scale} * {self.general(8)} + "
                     f"{self.dice.randrange(-1000, 1000)}]")  # fmt: skip
        elif kind == 5 and self.size in (2, 8):
            source, to = (self.dice.choice([self.register(), self.place()]) for _ in range(2))
            self.add(f"push {source}; pop {to}")
        elif kind == 6 and self.size >= 4:
            self.add(f"bswap {self.register()}")
        elif kind == 7 and self.size == 1:
            self.add(f"mov {self.dice.choice(_LEGACY_BYTES)}, {self.dice.choice(_LEGACY_BYTES)}")
        elif kind == 8 and set("CPAZS") <= self.known:
            self.add(self.dice.choice(["lahf", "sahf"]), "CPAZS")
        else:
            extend = {1: "nop", 2: "cbw", 4: "cwde", 8: "cdqe"}[self.size]
            self.add(self.dice.choice([extend, {8: "movsxd rsi, ecx"}.get(self.size, extend)]))

    def conditional(self) -> None:
        condition = self.condition()
        if not condition:
            return
        if self.size > 1 and self.one_in(2):
            source = self.place() if self.one_in(3) else self.register()
            self.add(f"cmov{condition} {self.register()}, {source}")
        else:
            self.add(f"set{condition} {self.memory(1) if self.one_in(3) else self.general(1)}")

    def carry(self) -> None:
        self.add(self.dice.choice(["clc", "stc"]), "C")

    def exchange(self) -> None:
        name = self.dice.choice(["add", "sub", "and", "xadd", "cmpxchg", "inc", "bts", "xchg"])
        place = self.place()
        lock = "lock " if self.one_in(2) and name != "xchg" else ""
        if name == "cmpxchg" and self.one_in(2):
            self.add(f"mov {self.accumulator()}, {place}")  # so that it finds what it compares with
        if name in ("xadd", "cmpxchg") and self.one_in(4):
            self.add(f"{name} {self.register()}, {self.register()}", "CPAZSO")
            return
        if name == "inc":
            self.add(f"{lock}inc {place}", "PAZSO")
            return
        if name == "bts" and self.size == 1:
            name = "add"
        if name == "bts":
            self.add(f"{lock}bts {place}, {self.dice.randrange(self.size * 8)}", "C", "PASO")
            return
        flags = {"and": "CPZSO", "xchg": ""}.get(name, "CPAZSO")
        self.add(f"{lock}{name} {place}, {self.register()}", flags, "A" if name == "and" else "")

    def pair(self) -> None:
        """Two words or doublewords are compared and exchanged."""
        if self.size < 4:
            self.exchange()
            return
        place = f"[r15 + {16 * self.dice.randrange(DATA_BYTES // 16)}]"
        if self.one_in(2):
            a, d = self.named("rax"), self.named("rdx")
            self.add(f"mov {a}, {place}")
            self.add(f"mov {d}, {place[:-1]} + {self.size}]")
        name = "cmpxchg8b qword" if self.size == 4 else "cmpxchg16b xmmword"
        self.add(f"lock {name} ptr {place}", "Z")

    def bits(self) -> None:
        if self.size == 1:
            self.one()
            return
        kind = self.dice.randrange(4)
        if kind == 0:
            name = self.dice.choice(["bt", "bts", "btr", "btc"])
            index = self.dice.choice([self.register(), str(self.dice.randrange(self.size * 8))])
            self.add(f"{name} {self.register()}, {index}", "C", "PASO")
            return
        source = self.place() if self.one_in(3) else self.register()
        if kind == 1:
            self.add(f"popcnt {self.register()}, {source}", "CPAZSO")
        elif kind == 2:
            self.add(f"lzcnt {self.register()}, {source}", "CZ", "PASO")
        else:
            source = self.register()
            self.add(f"or {source}, {1 << self.dice.randrange(min(7, 8 * self.size))}", "CPZSO", "A")
            self.add(f"{self.dice.choice(['bsf', 'bsr'])} {self.register()}, {source}", "Z", "CPASO")

    def string(self) -> None:
        letter = {1: "b", 2: "w", 4: "d", 8: "q"}[self.size]
        name = self.dice.choice(["movs", "stos", "lods", "scas", "cmps"])
        forward = self.dice.randrange(8) != 0
        count = self.dice.randrange(0, 12)
        first = 128 if not forward else 0
        self.add(f"lea rsi, [r15 + {first + self.dice.randrange(256)}]")
        self.add(f"lea rdi, [r15 + {first + self.dice.randrange(256)}]")
        self.add(f"mov ecx, {count}")
        if not forward:
            self.add("std")
        if name in ("scas", "cmps"):
            # A count of zero leaves the flags as they are.
            complete = set("CPAZSO") <= self.known or count > 0
            prefix = self.dice.choice(["repe ", "repne ", ""]) if complete else ""
            self.add(f"{prefix}{name}{letter}", "CPAZSO")
        else:
            self.add(f"{self.dice.choice(['rep ', ''])}{name}{letter}")
        if not forward:
            self.add("cld")
        # They hold addresses, which differ from one process to another.
        for register in ("rsi", "rdi"):
            self.add(f"mov {register}, [r15 + {8 * self.dice.randrange(DATA_BYTES // 8)}]")

    def step(self) -> None:
        self.dice.choice(
            [self.arithmetic, self.arithmetic, self.arithmetic, self.one, self.shift, self.shift, self.double_shift,
             self.multiply, self.divide, self.move, self.move, self.conditional, self.carry, self.exchange, self.pair,
             self.bits, self.string]
        )()  # fmt: skip


class _Floats(_Writer):
    """Scalars and vectors of one precision: `letter` is s or d."""

    def __init__(self, dice: random.Random, letter: str) -> None:
        super().__init__(dice)
        self.letter = letter
        self.bytes = 4 if letter == "s" else 8

    def scalar_source(self) -> str:
        return self.memory(self.bytes) if self.one_in(4) else self.vector()

    def either(self, name: str, tail: str = "") -> None:
        if self.one_in(2):
            self.add(f"{name}s{self.letter} {self.vector()}, {self.scalar_source()}{tail}")
        else:
            self.add(f"{name}p{self.letter} {self.vector()}, {self.vector_source()}{tail}")

    def arithmetic(self) -> None:
        self.either(self.dice.choice(["add", "sub", "mul", "div", "min", "max", "sqrt"]))

    def compare(self) -> None:
        if self.one_in(2):
            self.either("cmp", f", {self.dice.randrange(8)}")
            return
        name = self.dice.choice(["ucomis", "comis"]) + self.letter
        self.add(f"{name} {self.vector()}, {self.scalar_source()}", "CPAZSO")

    def neighbours(self) -> None:
        """SSE3."""
        single = ["haddps", "hsubps", "addsubps", "movshdup", "movsldup"]
        name = self.dice.choice(single if self.letter == "s" else ["haddpd", "hsubpd", "addsubpd", "movddup"])
        source = self.vector() if name == "movddup" else self.vector_source()
        self.add(f"{name} {self.vector()}, {source}")

    def logic(self) -> None:
        self.add(f"{self.dice.choice(['and', 'or', 'xor', 'andn'])}p{self.letter} {self.vector()}, "
                 f"{self.vector_source()}")  # fmt: skip

    def shuffle(self) -> None:
        if self.one_in(2):
            name = self.dice.choice(["unpcklp", "unpckhp"]) + self.letter
            self.add(f"{name} {self.vector()}, {self.vector_source()}")
            return
        self.add(f"shufp{self.letter} {self.vector()}, {self.vector_source()}, {self.dice.randrange(256)}")

    def convert(self) -> None:
        s, other = self.letter, "sd"["sd".index(self.letter) - 1]
        kind = self.dice.randrange(6)
        whole = self.general(self.dice.choice([4, 8]))
        if kind == 0:
            self.add(f"cvtsi2s{s} {self.vector()}, {whole}")
        elif kind == 1:
            self.add(f"cvt{self.dice.choice(['', 't'])}s{s}2si {whole}, {self.scalar_source()}")
        elif kind == 2:
            self.add(f"cvts{s}2s{other} {self.vector()}, {self.vector()}")
            self.add(f"cvts{other}2s{s} {self.vector()}, {self.vector()}")
        elif kind == 3:
            self.add(f"cvtp{s}2p{other} {self.vector()}, {self.vector()}")
        elif kind == 4:
            self.add(f"cvtdq2p{s} {self.vector()}, {self.vector()}")
        else:
            self.add(f"cvt{self.dice.choice(['', 't'])}p{s}2dq {self.vector()}, {self.vector()}")

    def move(self) -> None:
        s = self.letter
        kind = self.dice.randrange(8)
        if kind == 0:
            self.add(f"movs{s} {self.vector()}, {self.scalar_source()}")
        elif kind == 1:
            self.add(f"movs{s} {self.memory(self.bytes)}, {self.vector()}")
        elif kind == 2:
            self.add(f"movap{s} {self.dice.choice([self.memory(16, True), self.vector()])}, {self.vector()}")
        elif kind == 3:
            self.add(f"movup{s} {self.dice.choice([self.memory(16), self.vector()])}, {self.vector()}")
        elif kind == 4:
            self.add(f"mov{self.dice.choice('lh')}p{s} {self.vector()}, {self.memory(8)}")
        elif kind == 5:
            self.add(f"mov{self.dice.choice('lh')}p{s} {self.memory(8)}, {self.vector()}")
        elif kind == 6:
            self.add(f"movmskp{s} {self.general(4)}, {self.vector()}")
        else:
            self.add(f"{self.dice.choice(['movhlps', 'movlhps'])} {self.vector()}, {self.vector()}")

    def step(self) -> None:
        self.dice.choice(
            [self.arithmetic, self.arithmetic, self.arithmetic, self.arithmetic, self.compare, self.neighbours,
             self.logic, self.shuffle, self.convert, self.convert, self.move, self.move]
        )()  # fmt: skip


class _Vectors(_Writer):
    """Integers in vectors."""

    def packed(self) -> None:
        self.add(f"{self.dice.choice(_PACKED)} {self.vector()}, {self.vector_source()}")

    def shift(self) -> None:
        kind = self.dice.randrange(3)
        if kind == 0:
            self.add(f"{self.dice.choice(_SHIFTS)} {self.vector()}, {self.dice.randrange(70)}")
        elif kind == 1:
            self.add(f"{self.dice.choice(_SHIFTS)} {self.vector()}, {self.vector_source()}")
        else:
            self.add(f"{self.dice.choice(['pslldq', 'psrldq'])} {self.vector()}, {self.dice.randrange(18)}")

    def shuffle(self) -> None:
        if self.one_in(3):
            if self.one_in(2):
                self.add(f"pinsrw {self.vector()}, {self.general(4)}, {self.dice.randrange(8)}")
                return
            self.add(f"pextrw {self.general(4)}, {self.vector()}, {self.dice.randrange(8)}")
            return
        name = self.dice.choice(["pshufd", "pshuflw", "pshufhw"])
        self.add(f"{name} {self.vector()}, {self.vector_source()}, {self.dice.randrange(256)}")

    def move(self) -> None:
        kind = self.dice.randrange(9)
        if kind == 0:
            self.add(f"movdqu {self.dice.choice([self.memory(16), self.vector()])}, {self.vector()}")
        elif kind == 1:
            self.add(f"movdqa {self.dice.choice([self.memory(16, True), self.vector()])}, {self.vector()}")
        elif kind == 2:
            self.add(f"lddqu {self.vector()}, {self.memory(16)}")
        elif kind == 3:
            self.add(f"{self.dice.choice(['movntdq', 'movntps', 'movntpd'])} {self.memory(16, True)}, {self.vector()}")
        elif kind == 4:
            size = self.dice.choice([4, 8])
            self.add(f"movnti {self.memory(size)}, {self.general(size)}")
        elif kind == 5:
            name, size = self.dice.choice([("movd", 4), ("movq", 8)])
            self.add(f"{name} {self.vector()}, {self.dice.choice([self.general(size), self.memory(size)])}")
        elif kind == 6:
            name, size = self.dice.choice([("movd", 4), ("movq", 8)])
            self.add(f"{name} {self.dice.choice([self.general(size), self.memory(size)])}, {self.vector()}")
        elif kind == 7:
            self.add(f"pmovmskb {self.general(4)}, {self.vector()}")
        else:
            self.add(f"movq {self.vector()}, {self.vector()}")

    def mask(self) -> None:
        self.add(f"lea rdi, [r15 + {self.dice.randrange(DATA_BYTES - 16)}]")
        self.add(f"maskmovdqu {self.vector()}, {self.vector()}")
        self.add("mov rdi, [r15]")

    def step(self) -> None:
        kinds = [self.packed] * 5 + [self.shift, self.shift, self.shuffle, self.move, self.move]
        self.mask() if self.one_in(20) else self.dice.choice(kinds)()


class _X87(_Writer):
    """Extended precision. All loads are of values that are no signalling NaNs, and stores leave no other state."""

    SLOTS = 8  # at the beginning of the data: 16 bytes each, with an extended number

    def __init__(self, dice: random.Random) -> None:
        super().__init__(dice)
        self.depth = 0
        self.add("fninit")
        rounding, precision = dice.randrange(4), dice.choice([0x300, 0x300, 0x200, 0x000])
        self.add(f"mov word ptr [r15 + 496], {0x7F | rounding << 10 | precision}")
        self.add("fldcw [r15 + 496]")
        for slot in range(self.SLOTS):
            self.add(f"fld qword ptr [r15 + {128 + 16 * slot}]")
            self.add(f"fstp tbyte ptr [r15 + {16 * slot}]")

    def slot(self) -> str:
        return f"tbyte ptr [r15 + {16 * self.dice.randrange(self.SLOTS)}]"

    def elsewhere(self, size: int) -> str:
        return f"{_SIZES[size]} ptr [r15 + {128 + 8 * self.dice.randrange(40)}]"

    def load(self) -> None:
        if self.depth == 8:
            self.store()
            return
        kind = self.dice.randrange(6)
        name = self.dice.choice(["fld1", "fldz", "fldpi", "fldl2e", "fldl2t", "fldlg2", "fldln2"])
        source = {0: f"fld {self.elsewhere(4)}", 1: f"fld {self.elsewhere(8)}", 2: name,
                  3: f"fild {self.elsewhere(self.dice.choice([2, 4, 8]))}"}  # fmt: skip
        self.add(source.get(kind, f"fld {self.slot()}"))
        self.depth += 1

    def store(self) -> None:
        kind = self.dice.randrange(5)
        name = self.dice.choice(["fistp", "fisttp"])
        to = {0: f"fstp {self.elsewhere(4)}", 1: f"fstp {self.elsewhere(8)}",
              2: f"{name} {self.elsewhere(self.dice.choice([2, 4, 8]))}"}  # fmt: skip
        self.add(to.get(kind, f"fstp {self.slot()}"))
        self.depth -= 1

    def other(self) -> str:
        return f"st({self.dice.randrange(self.depth)})"

    def arithmetic(self) -> None:
        name = self.dice.choice(["fadd", "fsub", "fsubr", "fmul", "fdiv", "fdivr"])
        kind = self.dice.randrange(5)
        if kind == 0:
            self.add(f"{name} {self.elsewhere(self.dice.choice([4, 8]))}")
        elif kind == 1:
            self.add(f"{name.replace('f', 'fi', 1)} {self.elsewhere(self.dice.choice([2, 4]))}")
        elif kind == 2:
            self.add(f"{name} {self.other()}, st")
        elif kind == 3 and self.depth > 1:
            self.add(f"{name}p st({self.dice.randrange(1, self.depth)}), st")
            self.depth -= 1
        else:
            self.add(f"{name} st, {self.other()}")

    def unary(self) -> None:
        self.add(self.dice.choice(["fchs", "fabs", "fsqrt", "frndint", f"fxch {self.other()}"]))

    def compare(self) -> None:
        kind = self.dice.randrange(3)
        if kind == 0:
            self.add(f"{self.dice.choice(['fcomi', 'fucomi'])} st, {self.other()}", "CPZ", "AOS")
        elif kind == 1:
            self.add(f"{self.dice.choice(['fcom', 'fucom'])} {self.other()}")
            self.status(0x4500)
        else:
            self.add("fxam")
            self.status(0x4700)

    def status(self, mask: int) -> None:
        self.add(f"fnstsw ax; and eax, {mask}", "CPZSO", "A")
        self.add(f"mov word ptr [r15 + {self.dice.randrange(448, 490)}], ax")

    def remainder(self) -> None:
        if self.depth > 1:
            self.add(self.dice.choice(["fprem", "fprem1"]))
            self.status(0x4700)

    def scale(self) -> None:
        if 1 < self.depth < 8 and self.one_in(2):
            self.add("fxtract")
            self.depth += 1
        elif self.depth > 1:
            self.add("fscale")

    def conditional(self) -> None:
        usable = {name: flags for name, flags in _CONDITIONS.items() if name in ("c", "nc", "z", "nz", "be", "a")}
        names = {"c": "b", "nc": "nb", "z": "e", "nz": "ne", "be": "be", "a": "nbe"}
        chosen = self.dice.choice(list(usable))
        if set(usable[chosen]) <= self.known:
            self.add(f"fcmov{names[chosen]} st, {self.other()}")

    def step(self) -> None:
        if self.depth == 0:
            self.load()
            return
        self.dice.choice(
            [self.load, self.load, self.store, self.arithmetic, self.arithmetic, self.arithmetic, self.unary,
             self.compare, self.remainder, self.scale, self.conditional]
        )()  # fmt: skip

    def code(self) -> Code:
        for slot in range(self.depth):
            self.add(f"fstp tbyte ptr [r15 + {16 * slot}]")
        self.add("fninit")
        return super().code()


_KINDS: dict[str, tuple[Callable[[random.Random], _Integers | _Floats | _Vectors | _X87], str]] = {
    "integer 8": (lambda dice: _Integers(dice, 1), ""),
    "integer 16": (lambda dice: _Integers(dice, 2), ""),
    "integer 32": (lambda dice: _Integers(dice, 4), ""),
    "integer 64": (lambda dice: _Integers(dice, 8), ""),
    "single": (lambda dice: _Floats(dice, "s"), "PAIRS"),
    "double": (lambda dice: _Floats(dice, "d"), ""),
    "vector": (_Vectors, ""),
    "x87": (_X87, ""),
}
KINDS = list(_KINDS)


def _code(kind: str, dice: random.Random) -> Code:
    writer = _KINDS[kind][0](dice)
    for _ in range(_LENGTH):
        if dice.randrange(8) == 0:
            writer.skip(lambda: writer.add("nop")) if kind == "x87" else writer.skip(writer.step)
        else:
            writer.step()
    return writer.code()


def program(kind: str, seed: int, count: int) -> Program:
    dice = random.Random(f"{kind} {seed}")
    made = [_code(kind, dice) for _ in range(count)]
    flags, mxcsr, data = _LAYOUT.status_at, _LAYOUT.status_at + 8, _LAYOUT.data_at
    text = [".intel_syntax noprefix", ".text", ".globl run_sequence", "run_sequence:"]
    text += [f"push {name}" for name in ("rbx", "rbp", "r12", "r13", "r14", "r15")]
    text += ["push rsi", "mov r15, rsi", "mov r14, rdi"]
    # Rounding, flushing of results and zeros for operands that are denormal, of the state; no exception is taken.
    text += [f"and dword ptr [r15 + {mxcsr}], 0xE040", f"or dword ptr [r15 + {mxcsr}], 0x1F80"]
    text += [f"mov dword ptr [r15 + {mxcsr + 4}], 0", f"ldmxcsr [r15 + {mxcsr}]"]
    text += [f"movups xmm{i}, [r15 + {_LAYOUT.floats_at + 16 * i}]" for i in range(16)]
    text += [f"and qword ptr [r15 + {flags}], {sum(_FLAGS.values())}", "push r14", f"push qword ptr [r15 + {flags}]"]
    text += [f"mov {name}, [r15 + {8 * i}]" for i, name in enumerate(_GENERAL)]
    text += [f"lea r15, [r15 + {data}]", "popfq", "ret"]  # to the sequence
    end = ["leave:", "cld", "pushfq", f"lea r15, [r15 - {data}]", f"pop qword ptr [r15 + {flags}]"]
    end += [f"mov [r15 + {8 * i}], {name}" for i, name in enumerate(_GENERAL)]
    end += [f"movups [r15 + {_LAYOUT.floats_at + 16 * i}], xmm{i}" for i in range(16)]
    end += [f"stmxcsr [r15 + {mxcsr}]", "push 0x1F80", "ldmxcsr [rsp]", "pop rax", "pop rsi"]
    end += [f"pop {name}" for name in ("r15", "r14", "r13", "r12", "rbp", "rbx")] + ["ret"]
    return Program(_LAYOUT, made, text, end, "jmp leave", ".quad", _KINDS[kind][1])
