# SPDX-License-Identifier: Apache-2.0
"""Random programs, executed by Toroid and by something else: what they leave in registers and memory must be the same.

`PYTHONPATH=testbench:testbench/tests .venv/bin/python -m random_code.compare` runs 1,000 programs of each kind;
`--programs`, `--seed` and kinds by any part of their names ("ppc64", "x86-64 single") make it others.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import chips
from random_code import power, quad, x86
from random_code.program import Program

from toroid import paths

# What a program leaves there, and here.
Both = tuple[str, str]


class Kind(Protocol):
    @property
    def name(self) -> str: ...

    def missing(self) -> str:
        """What the host lacks for it; empty if nothing."""

    def compare(self, seed: int, count: int, directory: Path) -> list[Both]:
        """Makes so many programs and runs them."""

    def explain(self, seed: int, count: int, number: int, directory: Path) -> str:
        """What is different, and the program."""


def run_here(machine: str, program: Path, directory: Path) -> list[str]:
    """What the program prints on a test chip."""
    command = [sys.executable, chips.__file__, "run", "--machine", machine, "--shape", "1", "--results"]
    done = subprocess.run(
        [*command, directory / "results", program], cwd=paths.ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": f"{paths.ROOT / 'testbench'}:{paths.ROOT / 'testbench' / 'tests'}"},
    )  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"{program.name} on {machine}: {done.stderr}")
    return done.stdout.splitlines()


@dataclass(frozen=True)
class Executed:
    """Programs that the host executes, or another emulator."""

    name: str
    machine: str
    make: Callable[[int, int], Program]  # seed, number of programs
    compiler: Sequence[str]
    reference: Sequence[str]  # the command before the program's file

    def missing(self) -> str:
        if self.machine == "test-x86_64" and platform.machine() != "x86_64":
            return "a host that is an x86-64"
        return _missing(self.compiler[0], *self.reference[:1])

    def compare(self, seed: int, count: int, directory: Path) -> list[Both]:
        return self._both(self.make(seed, count), seed, directory)

    def explain(self, seed: int, count: int, number: int, directory: Path) -> str:
        """The program up to the first line after which registers or memory differ."""
        cut = self.make(seed, count).prefixes(number)
        compared = self._both(cut, seed, directory)
        at = next((lines for lines, (there, here) in enumerate(compared) if there != here), len(compared) - 1)
        return "\n  ".join([_different(*compared[at]), *cut.sequences[at].lines[:-1]])

    def _both(self, program: Program, seed: int, directory: Path) -> list[Both]:
        built = program.build(self.compiler, directory, "random_program", seed)
        there = subprocess.run([*self.reference, built], capture_output=True, text=True, check=True).stdout
        return list(zip(there.splitlines(), run_here(self.machine, built, directory), strict=True))


@dataclass(frozen=True)
class Modelled:
    """Programs of the quad processing extension."""

    name: str
    machine: str
    compiler: Sequence[str]

    def missing(self) -> str:
        return _missing(self.compiler[0])

    def compare(self, seed: int, count: int, directory: Path) -> list[Both]:
        programs = quad.Quads.random(seed, count)
        here = run_here(self.machine, programs.build(self.compiler, directory), directory)
        return list(zip(programs.expected(), here, strict=True))

    def explain(self, seed: int, count: int, number: int, directory: Path) -> str:
        there, here = self.compare(seed, count, directory)[number]
        program = quad.Quads.random(seed, count).programs[number]
        return "\n  ".join([_different(there, here), *(operation.assembly() for operation in program)])


def _missing(*tools: str) -> str:
    return ", ".join(tool for tool in tools if shutil.which(tool) is None)


def _different(there: str, here: str) -> str:
    """By section of a line, and place in it."""
    texts = []
    for one, other in zip(there.split(", "), here.split(", "), strict=True):
        pairs = zip(one.split(), other.split(), strict=True)
        texts += [f"{one.split()[0]} {place - 1}: {a} there, {b} here" for place, (a, b) in enumerate(pairs) if a != b]
    return "; ".join(texts)


def _kinds() -> list[Kind]:
    static = ["-static", "-no-pie", "-fno-pic"]
    x86_compiler = ["gcc", "-march=amdfam10", *static]
    narrow = ["powerpc-linux-gnu-gcc", "-mcpu=powerpc", "-Wa,-m440", *static]
    wide = ["powerpc64-linux-gnu-gcc", "-mcpu=a2", "-Wa,-mpower7", *static]
    found: list[Kind] = []
    for name in x86.KINDS:
        found.append(Executed(f"x86-64 {name}", "test-x86_64", partial(x86.program, name), x86_compiler, []))
    for name in power.KINDS_32:
        emulator = ["qemu-ppc", "-cpu", "440ep"]
        found.append(Executed(f"ppc32 {name}", "test-ppc32", partial(power.program, name, 4), narrow, emulator))
    for name in power.KINDS_64:
        emulator = ["qemu-ppc64", "-cpu", "POWER7"]
        found.append(Executed(f"ppc64 {name}", "test-ppc64", partial(power.program, name, 8), wide, emulator))
    return [*found, Modelled("ppc64 quad", "test-ppc64", wide)]


KINDS = {kind.name: kind for kind in _kinds()}


def different(compared: Sequence[Both]) -> list[int]:
    """Numbers of the programs that leave something else."""
    return [number for number, (there, here) in enumerate(compared) if there != here]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=1, help="differences of each kind that are printed")
    parser.add_argument("kinds", nargs="*", help="any part of their names")
    asked = parser.parse_args()
    wrong = 0
    for name, kind in KINDS.items():
        if asked.kinds and not any(part in name for part in asked.kinds):
            continue
        if missing := kind.missing():
            print(f"{name}: not compared, for want of {missing}")
            continue
        with tempfile.TemporaryDirectory() as directory:
            found = different(kind.compare(asked.seed, asked.programs, Path(directory)))
            print(f"{name}: {asked.programs} programs, {len(found)} different", flush=True)
            for number in found[: asked.show]:
                print(f"program {number} of seed {asked.seed}: ", end="")
                print(kind.explain(asked.seed, asked.programs, number, Path(directory)))
        wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
