# SPDX-License-Identifier: Apache-2.0
"""What generators of random code give: sequences of instructions, and how they are put together to a program."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

DATA_BYTES = 512
_MAIN = Path(__file__).with_name("main.c")


@dataclass(frozen=True)
class Code:
    """Lines of assembly language, and which bits of each status word are defined behind each of them."""

    lines: list[str]
    masks: Sequence[tuple[int, ...]]  # one more than lines: the first before them


@dataclass(frozen=True)
class Layout:
    """The state that sequences work on, as main.c has it."""

    word: int  # bytes of a general purpose register
    general: int
    status: int
    floats: int

    @property
    def status_at(self) -> int:
        return (self.word * self.general + 15) // 16 * 16

    @property
    def floats_at(self) -> int:
        return (self.status_at + 8 * self.status + 15) // 16 * 16

    @property
    def data_at(self) -> int:
        return (self.floats_at + 8 * self.floats + 63) // 64 * 64


@dataclass(frozen=True)
class Program:
    """`singles`: what main.c makes floating-point numbers of."""

    layout: Layout
    sequences: list[Code]
    begin: list[str]  # run_sequence, which jumps to a sequence
    end: list[str]  # where they jump to
    jump: str  # to the end
    pointer: str  # directive
    singles: str = ""
    first: int = 0  # state of the first sequence
    step: int = 1  # 0: all sequences have the same, and tell of every byte

    def build(self, command: Sequence[str], directory: Path, name: str, seed: int) -> Path:
        """Compiles it."""
        code = directory / f"{name}.s"
        code.write_text("\n".join([*self._assembly(), ""]), encoding="utf-8")
        layout = self.layout
        defined = {
            "SEED": f"{seed}ull",
            "COUNT": len(self.sequences),
            "FIRST": self.first,
            "STEP": self.step,
            "WORD": f"uint{8 * layout.word}_t",
            "GENERAL": layout.general,
            "STATUS": layout.status,
            "FLOATS": layout.floats,
            "DATA": DATA_BYTES,
        }
        if self.singles:
            defined[self.singles] = 1
        if self.step == 0:
            defined["WHOLE"] = 1
        definitions = [f"-D{key}={value}" for key, value in defined.items()]
        built = directory / name
        subprocess.run([*command, "-O1", *definitions, str(_MAIN), str(code), "-o", str(built)], check=True)
        return built

    def _assembly(self) -> Iterator[str]:
        yield from self.begin
        for number, each in enumerate(self.sequences):
            yield f"sequence_{number}:"
            yield from each.lines
            yield self.jump
        yield from self.end
        yield ".section .rodata"
        yield ".balign 8"
        yield ".globl sequences"
        yield "sequences:"
        yield from (f"{self.pointer} sequence_{number}" for number in range(len(self.sequences)))
        yield ".balign 8"
        yield ".globl masks"
        yield "masks:"
        yield from (f".quad {mask}" for each in self.sequences for mask in each.masks[-1])
        yield '.section .note.GNU-stack,"",@progbits'

    def prefixes(self, number: int) -> Program:
        """The beginnings of one sequence, of 0, 1, 2 lines and so on, each on its state."""
        whole = self.sequences[number]
        cut = [Code([*whole.lines[:at], "9:"], [whole.masks[at]]) for at in range(len(whole.lines) + 1)]
        return replace(self, sequences=cut, first=self.first + number, step=0)
