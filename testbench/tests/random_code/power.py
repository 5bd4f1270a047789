# SPDX-License-Identifier: Apache-2.0
"""Random code of PowerPC, of 32 and of 64 bits, by what it computes with.

Left out is what processors of one instruction set do differently: estimates, bits that an instruction leaves undefined
(the upper half of a word's product or quotient in 64 bits, a quotient by zero).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from random_code.program import DATA_BYTES, Code, Layout, Program

_LENGTH = 24  # steps of a sequence
_FIRST = 14  # of the general purpose registers that sequences use, to 31; r5 points to the middle of the data
_FLOATS = 16
_MIDDLE = DATA_BYTES // 2

_THREE = ["add", "subf", "and", "or", "xor", "nand", "nor", "eqv", "andc", "orc"]
_WORDS = ["slw", "srw", "sraw", "mullw"]
_CARRYING = ["addc", "subfc", "adde", "subfe"]
_DOUBLE = ["sld", "srd", "srad", "mulld"]
_OVERFLOW = ["add", "subf", "addc", "subfc", "adde", "subfe", "mullw", "neg", "addme", "addze", "subfme", "subfze"]
_TWO = ["neg", "addme", "addze", "subfme", "subfze", "extsb", "extsh", "cntlzw"]
_IMMEDIATE = ["addi", "addis", "mulli", "subfic", "addic", "addic."]
_LOGICAL_IMMEDIATE = ["ori", "oris", "xori", "xoris", "andi.", "andis."]
_CONDITION = ["crand", "cror", "crxor", "crnand", "crnor", "creqv", "crandc", "crorc"]
_LOADS = ["lwz", "lha", "lhz", "lbz"]
_STORES = ["stw", "sth", "stb"]
_INDEXED_LOADS = ["lwzx", "lhax", "lhzx", "lbzx", "lwbrx", "lhbrx"]
_INDEXED_STORES = ["stwx", "sthx", "stbx", "stwbrx", "sthbrx"]
# By their extended opcodes: which halves; products without and with signs, and sums without signs that saturate. QEMU
# 7.2 is wrong in the other sums (testbench/tests/hw/test_emulator.cpp).
_HALVES = [halves | kind for halves in (0, 128, 384) for kind in (8, 40, 76)]
_CONDITIONS = ("lt", "gt", "eq", "ge", "le", "ne")

# XER: summary overflow, overflow, carry. All of the condition register. FPSCR: see _Floats.
_XER, _CR = 0xE0000000, 0xFFFFFFFF


class _Writer:
    def __init__(self, dice: random.Random, word: int) -> None:
        self.dice = dice
        self.wide = word == 8
        self.lines: list[str] = []
        self.masks = [self.mask_now()]

    def mask_now(self) -> tuple[int, int, int]:
        return _CR, _XER, 0xFFFFFFFF

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.masks.append(self.mask_now())

    def one_in(self, many: int) -> bool:
        return self.dice.randrange(many) == 0

    def general(self) -> int:
        return self.dice.randrange(_FIRST, 32)

    def float(self) -> int:
        return self.dice.randrange(_FLOATS)

    def signed(self) -> int:
        return self.dice.randrange(-32768, 32768)

    def record(self) -> str:
        return self.dice.choice(("", "."))

    def offset(self, size: int) -> int:
        return self.dice.randrange(-_MIDDLE, _MIDDLE - size + 1)

    def index(self) -> str:
        """Leaves one from -128 on in r6, of what a register holds: a block's addresses are told through such code."""
        some = self.general()
        if self.wide and self.one_in(2):
            low = self.dice.choice(("56; extsb 6,6", "57; sldi 6,6,1; addi 6,6,-128"))
            return f"rldicl 6,{some},{self.dice.randrange(64)},{low}"
        return f"rlwinm 6,{some},{self.dice.randrange(32)},24,31; addi 6,6,-128"

    def branch(self) -> None:
        """Over a step or two, on a bit of the condition register or on the count."""
        condition = f"b{self.dice.choice(_CONDITIONS)} {self.dice.randrange(8)},9f"
        count = f"mtctr {self.general()}; {self.dice.choice(('bdnz', 'bdz'))} 9f"
        self.add(self.dice.choice((condition, condition, count)))
        for _ in range(self.dice.randrange(1, 3)):
            self.step()
        self.add("9:")

    def step(self) -> None:
        raise NotImplementedError

    def code(self) -> Code:
        return Code(self.lines, self.masks)


class _Integers(_Writer):
    """Words, or doublewords if `double`."""

    def __init__(self, dice: random.Random, word: int, double: bool) -> None:
        self.double = double
        super().__init__(dice, word)

    def arithmetic(self) -> None:
        t, a, b = self.general(), self.general(), self.general()
        names = _THREE + _CARRYING + (_DOUBLE if self.double else _WORDS)
        self.add(f"{self.dice.choice(names)}{self.record()} {t},{a},{b}")

    def overflow(self) -> None:
        t, a, b = self.general(), self.general(), self.general()
        name = self.dice.choice([*_OVERFLOW, "mulld"] if self.double else _OVERFLOW)
        third = f",{b}" if name in ("add", "subf", "addc", "subfc", "adde", "subfe", "mullw", "mulld") else ""
        self.add(f"{name}o{self.record()} {t},{a}{third}")

    def two(self) -> None:
        names = [*_TWO, "extsw", "cntlzd"] if self.double else _TWO
        self.add(f"{self.dice.choice(names)}{self.record()} {self.general()},{self.general()}")

    def immediate(self) -> None:
        t, a = self.general(), self.general()
        if self.one_in(2):
            self.add(f"{self.dice.choice(_IMMEDIATE)} {t},{a},{self.signed()}")
        else:
            self.add(f"{self.dice.choice(_LOGICAL_IMMEDIATE)} {t},{a},{self.dice.getrandbits(16)}")

    def rotate(self) -> None:
        t, a, b, pick = self.general(), self.general(), self.general(), self.dice.randrange
        dot = self.record()
        if self.double:
            forms = [f"{name}{dot} {t},{a},{pick(64)},{pick(64)}" for name in ("rldicl", "rldicr", "rldic", "rldimi")]
            forms += [f"{name}{dot} {t},{a},{b},{pick(64)}" for name in ("rldcl", "rldcr")]
            forms += [f"sradi{dot} {t},{a},{pick(64)}"]
        else:
            masks = f"{pick(32)},{pick(32)}"
            forms = [f"{name}{dot} {t},{a},{pick(32)},{masks}" for name in ("rlwinm", "rlwimi")]
            forms += [f"rlwnm{dot} {t},{a},{b},{masks}", f"srawi{dot} {t},{a},{pick(32)}"]
        self.add(self.dice.choice(forms))

    def divide(self) -> None:
        t, a, b = self.general(), self.general(), self.general()
        if self.double and self.one_in(2):
            name = self.dice.choice(("divd", "divdu", "mulhd", "mulhdu"))
            self.add(f"ori 6,{b},1; srdi 7,{a},1; {name}{self.record()} {t},7,6")
            return
        name = self.dice.choice(("divw", "divwu", "mulhw", "mulhwu"))
        if self.wide:  # the upper half is undefined, and so is what is recorded of it
            self.add(f"ori 6,{b},1; srwi 7,{a},1; {name} {t},7,6; extsw {t},{t}")
        else:
            self.add(f"ori 6,{b},1; srwi 7,{a},1; {name}{self.dice.choice(('', '.'))} {t},7,6")

    def compare(self) -> None:
        field, a, b, letter = self.dice.randrange(8), self.general(), self.general(), "d" if self.double else "w"
        forms = [f"cmp{letter} {field},{a},{b}", f"cmpl{letter} {field},{a},{b}",
                 f"cmp{letter}i {field},{a},{self.signed()}",
                 f"cmpl{letter}i {field},{a},{self.dice.getrandbits(16)}"]  # fmt: skip
        self.add(self.dice.choice(forms))

    def condition(self) -> None:
        t, a, b, pick = self.general(), self.general(), self.general(), self.dice.randrange
        forms = [
            f"mfcr {t}", f"mtcrf {pick(1, 256)},{a}", f"mcrf {pick(8)},{pick(8)}",
            f"{self.dice.choice(_CONDITION)} {pick(32)},{pick(32)},{pick(32)}", f"mtctr {a}; mfctr {t}",
            f"mflr 6; mtlr {a}; mflr {t}; mtlr 6", f"mfxer {t}", f"mtxer {a}",
        ]  # fmt: skip
        # QEMU's 440 lacks isel, and its 64-bit processors mcrxr.
        forms.append(f"isel {t},{a},{b},{pick(32)}" if self.wide else f"mcrxr {pick(8)}")
        self.add(self.dice.choice(forms))

    def find(self) -> None:
        """What only one of the two processors has."""
        t, a, b = self.general(), self.general(), self.general()
        if self.wide:
            two = self.dice.choice(("popcntb", "popcntw", "popcntd", "prtyd", "prtyw"))
            self.add(self.dice.choice((f"{two} {t},{a}", f"cmpb {t},{a},{b}", f"bpermd {t},{a},{b}")))
        else:
            # dlmzb, and products of halves
            form = self.dice.choice([31 << 26 | 78 << 1] + [4 << 26 | extended << 1 for extended in _HALVES])
            self.add(f".long {form | t << 21 | a << 16 | b << 11:#x}")

    def load_or_store(self) -> None:
        t, pick = self.general(), self.dice.choice
        loads, stores, indexed_loads, indexed_stores = _LOADS, _STORES, _INDEXED_LOADS, _INDEXED_STORES
        if self.double and self.one_in(2):
            loads, stores, indexed_loads, indexed_stores = (
                ["ld", "lwa"],
                ["std"],
                ["ldx", "lwax", "ldbrx"],
                ["stdx", "stdbrx"],
            )
        kind = self.dice.randrange(6)
        if kind == 0:
            self.add(f"{pick(loads)} {t},{self.offset(8) & ~3}(5)")
        elif kind == 1:
            self.add(f"{pick(stores)} {t},{self.offset(8) & ~3}(5)")
        elif kind == 2:
            self.add(f"{pick(loads[:1] + _LOADS)} {t},{self.offset(8) & ~3}(5)")
        elif kind == 3:
            self.add(f"{self.index()}; {pick(indexed_loads)} {t},5,6")
        elif kind == 4:
            self.add(f"{self.index()}; {pick(indexed_stores)} {t},5,6")
        else:
            self.update(t)

    def update(self, t: int) -> None:
        offset = self.offset(16) & ~7
        size = "ld" if self.double and self.one_in(2) else "lwz"
        kind = self.dice.randrange(6)
        if kind == 0:
            self.add(f"mr 6,5; {size}u {t},{offset}(6); subf 6,5,6; add {self.general()},6,6")
        elif kind == 1:
            self.add(f"mr 6,5; {size.replace('l', 'st', 1).replace('z', '')}u {t},{offset}(6)")
        elif kind == 2:
            self.add(f"li 7,{offset}; mr 6,5; {self.dice.choice(('lbzux', 'lhzux', 'lhaux', 'lwzux'))} {t},6,7")
        elif kind == 3:
            self.add(f"li 7,{offset}; mr 6,5; {self.dice.choice(('stbux', 'sthux', 'stwux'))} {t},6,7")
        elif kind == 4:
            load, store = ("ldarx", "stdcx.") if self.double else ("lwarx", "stwcx.")
            self.add(f"addi 6,5,{offset}; {load} {t},0,6; {store} {self.general()},0,6")
        else:
            self.add(f"{self.dice.choice(('lmw', 'stmw'))} 28,{offset}(5)")

    def step(self) -> None:
        self.dice.choice(
            [self.arithmetic, self.arithmetic, self.arithmetic, self.overflow, self.two, self.immediate, self.immediate,
             self.rotate, self.rotate, self.divide, self.compare, self.compare, self.condition, self.find,
             self.load_or_store, self.load_or_store, self.load_or_store]
        )()  # fmt: skip


class _Floats(_Writer):
    """Singles, or doubles if `double`. FPSCR has the rounding mode of the state."""

    def __init__(self, dice: random.Random, word: int, double: bool) -> None:
        self.double = double
        super().__init__(dice, word)

    def name(self, name: str) -> str:
        return name if self.double else name + "s"

    def arithmetic(self) -> None:
        t, a, b = self.float(), self.float(), self.float()
        self.add(f"{self.name(self.dice.choice(('fadd', 'fsub', 'fmul', 'fdiv')))}{self.record()} {t},{a},{b}")

    def fused(self) -> None:
        t, a, b, c = self.float(), self.float(), self.float(), self.float()
        name = self.dice.choice(("fmadd", "fmsub", "fnmadd", "fnmsub"))
        # QEMU 7.2 negates before it rounds, which only rounding to nearest does not show.
        nearest = "mtfsfi 7,0; " if name.startswith("fn") else ""
        self.add(f"{nearest}{self.name(name)}{self.record()} {t},{a},{c},{b}")

    def move(self) -> None:
        t, a, b, c = self.float(), self.float(), self.float(), self.float()
        name = self.dice.choice(("fneg", "fabs", "fnabs", "fmr"))
        self.add(self.dice.choice((f"{name}{self.record()} {t},{a}", f"fsel{self.record()} {t},{a},{b},{c}")))

    def convert(self) -> None:
        t, a = self.float(), self.float()
        forms = [f"{name} 16,{a}; {self.index()}; stfiwx 16,5,6" for name in ("fctiw", "fctiwz")]
        forms.append(f"frsp{self.record()} {t},{a}")
        if self.wide:
            # 64 bits of an integer; and back.
            forms += [f"{name} 16,{a}; {self.index()}; stfdx 16,5,6" for name in ("fctid", "fctidz")]
            rounded = f"frsp {t},{t}" if not self.double else "nop"
            forms += [f"{self.index()}; lfdx 16,5,6; fcfid {t},16; {rounded}"]
            forms += [f"{name}{self.record()} {t},{a}" for name in ("frin", "friz", "frip", "frim")]
            forms += [f"fcpsgn {t},{a},{self.float()}"]
        self.add(self.dice.choice(forms))

    def compare(self) -> None:
        field, a, b = self.dice.randrange(8), self.float(), self.float()
        self.add(f"{self.dice.choice(('fcmpu', 'fcmpo'))} {field},{a},{b}")

    def status(self) -> None:
        kind = self.dice.randrange(4)
        if kind == 0:
            self.add(f"mcrfs {self.dice.randrange(8)},{self.dice.randrange(8)}")
        elif kind == 1:
            self.add(f"{self.dice.choice(('mtfsb0', 'mtfsb1'))} {self.dice.choice((30, 31))}")
        elif kind == 2:
            self.add(f"mtfsfi 7,{self.dice.randrange(4)}")
        else:
            self.add(f"mffs 16; {self.index()}; stfiwx 16,5,6")

    def load_or_store(self) -> None:
        letter = "d" if self.double else "s"
        t, size = self.float(), 8 if self.double else 4
        name = self.dice.choice(("lf", "stf")) + letter
        kind = self.dice.randrange(4)
        if kind == 0:
            self.add(f"{self.index()}; {name}x {t},5,6")
        elif kind == 1:
            self.add(f"mr 6,5; {name}u {t},{self.offset(size)}(6)")
        elif kind == 2:
            self.add(f"li 7,{self.offset(size)}; mr 6,5; {name}ux {t},6,7")
        else:
            self.add(f"{name} {t},{self.offset(size)}(5)")

    def step(self) -> None:
        self.dice.choice(
            [self.arithmetic, self.arithmetic, self.arithmetic, self.fused, self.fused, self.move, self.convert,
             self.compare, self.status, self.load_or_store, self.load_or_store]
        )()  # fmt: skip


_Make = Callable[[random.Random], _Integers | _Floats]
_MAKERS: dict[str, dict[int, _Make]] = {
    "integer 32": {4: lambda dice: _Integers(dice, 4, False), 8: lambda dice: _Integers(dice, 8, False)},
    "integer 64": {8: lambda dice: _Integers(dice, 8, True)},
    "single": {4: lambda dice: _Floats(dice, 4, False), 8: lambda dice: _Floats(dice, 8, False)},
    "double": {4: lambda dice: _Floats(dice, 4, True), 8: lambda dice: _Floats(dice, 8, True)},
}
KINDS_32 = [kind for kind, makers in _MAKERS.items() if 4 in makers]
KINDS_64 = [kind for kind, makers in _MAKERS.items() if 8 in makers]


def _code(kind: str, word: int, dice: random.Random) -> Code:
    writer = _MAKERS[kind][word](dice)
    for _ in range(_LENGTH):
        writer.branch() if writer.one_in(8) else writer.step()
    return writer.code()


def program(kind: str, word: int, seed: int, count: int) -> Program:
    dice = random.Random(f"{kind} {word} {seed}")
    made = [_code(kind, word, dice) for _ in range(count)]
    begin, end = frame(word)
    layout = layout_of(word)
    return Program(layout, made, begin, end, "b leave", ".quad" if word == 8 else ".long",
                   "SINGLES" if kind == "single" else "")  # fmt: skip


def layout_of(word: int) -> Layout:
    return Layout(word=word, general=32 - _FIRST, status=3, floats=_FLOATS)


def frame(word: int) -> tuple[list[str], list[str]]:
    """What comes before the sequences, and behind them. Status words: condition register, XER, FPSCR."""
    layout, wide = layout_of(word), word == 8
    load, store = ("ld", "std") if wide else ("lwz", "stw")
    status = [layout.status_at + 8 * i for i in range(3)]
    low = 4  # of a doubleword, where its lower half is
    saved, floats = 64, 64 + word * (32 - _FIRST)
    size = (floats + 8 * 18 + 63) // 64 * 64
    begin = [".section .text"]
    if wide:
        descriptor = "run_sequence: .quad .run_sequence,.TOC.@tocbase,0"
        begin = ['.section ".opd","aw"', ".align 3", ".globl run_sequence", descriptor]
        begin += [".text", ".align 5", ".run_sequence:"]
    else:
        begin = [".text", ".align 5", ".globl run_sequence", "run_sequence:"]
    begin += ["mflr 0", f"{store} 0,{16 if wide else 4}(1)", "mfcr 0", f"{store} 0,-{word}(1)"]
    begin += [f"{store}u 1,-{size}(1)"]
    begin += [f"{store} {i},{saved + word * (i - _FIRST)}(1)" for i in range(_FIRST, 32)]
    begin += [f"stfd {i},{floats + 8 * (i - 14)}(1)" for i in range(14, 17)]
    begin += ["mr 8,4", "mtctr 3", f"addi 5,4,{layout.data_at + _MIDDLE}"]
    # The rounding mode alone; XER's flags.
    begin += [
        f"li 6,0; stw 6,{status[2]}(8)",
        f"lwz 6,{status[2] + low}(8)",
        f"andi. 6,6,3; stw 6,{status[2] + low}(8)",
    ]
    begin += [f"lfd 0,{status[2]}(8)", "mtfsf 255,0"]
    begin += [f"lfd {i},{layout.floats_at + 8 * i}(8)" for i in range(_FLOATS)]
    begin += [f"{load} {i},{word * (i - _FIRST)}(8)" for i in range(_FIRST, 32)]
    begin += [
        f"lwz 6,{status[1] + low}(8)",
        "rlwinm 6,6,0,0,2",
        "mtxer 6",
        f"lwz 6,{status[0] + low}(8)",
        "mtcrf 255,6",
    ]
    begin += ["li 6,0", "li 7,0", "bctr"]
    end = ["leave:", f"mfcr 6; stw 6,{status[0] + low}(8)", f"mfxer 6; stw 6,{status[1] + low}(8)"]
    end += [f"li 6,0; stw 6,{status[0]}(8); stw 6,{status[1]}(8)"]
    end += [f"stfd {i},{layout.floats_at + 8 * i}(8)" for i in range(_FLOATS)]
    end += ["mffs 0", f"stfd 0,{status[2]}(8)"]
    end += [f"{store} {i},{word * (i - _FIRST)}(8)" for i in range(_FIRST, 32)]
    end += ["mtfsfi 7,0", f"lfd 0,{status[2]}(8)"]
    end += [f"{load} {i},{saved + word * (i - _FIRST)}(1)" for i in range(_FIRST, 32)]
    end += [f"lfd {i},{floats + 8 * (i - 14)}(1)" for i in range(14, 17)]
    end += [
        f"addi 1,1,{size}",
        f"{load} 0,-{word}(1)",
        "mtcrf 255,0",
        f"{load} 0,{16 if wide else 4}(1)",
        "mtlr 0",
        "blr",
    ]
    return begin, end
