# SPDX-License-Identifier: Apache-2.0
"""gdb reads and writes the registers of each instruction set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import chips
import pytest
from gdb_session import TEST_CHIPS, running
from helpers import Arguments

from toroid import paths


def test_vector_registers_hold_what_quad_loads_and_stores_move(tmp_path: Path) -> None:
    arguments: Arguments = ["--shape", "2x1x1", paths.guest_program("driver_mistakes"), "half_read"]
    # The header of a packet to (1,0,0): in memory, then in the register that is stored to the FIFO.
    with running(tmp_path / "gdb", "0", *arguments) as run:
        out = run.gdb("monitor break inject I0", "break bgl_torus_inject_gather", "continue", "print/x header->word",
                      "next", "next", "x/2i $pc", "info registers vr0 vr1 vscr", "continue", "print/x $vr0.v4_int32",
                      "set var $vr31.v4_int32[3] = 0x1234", "print/x $vr31.v4_int32[3]", "delete", "monitor delete",
                      "continue")  # fmt: skip
    header = re.search(r"\$1 = (\{0x\w+, 0x\w+, 0x0, 0x0\})", out)
    assert header, out
    assert header[1] in out[header.end() :] or f"v4_int32 = {header[1]}" in out
    assert "<unavailable>" in out
    assert re.search(r"= 0x1234\n", out)


HALF = """
__attribute__((noinline)) static double half(double number) { return number / 2; }
"""
ALTIVEC = """
#include <altivec.h>
typedef vector unsigned words;
"""
SSE2 = """
typedef unsigned words __attribute__((vector_size(16)));
"""
VECTORS = """
#include <stdio.h>
__attribute__((noinline)) static unsigned second(words number) { return ((unsigned*)&number)[1]; }
int main(void) {
  volatile double number = 3;
  words four = {1, 2, 3, 4};
  __asm__ volatile("" : "+CONSTRAINT"(four));
  const double answer = half(number);
  printf("%g %u\\n", answer, second(four));
  return 0;
}
"""
NUMBERS = """
#include <stdio.h>
int main(void) {
  volatile double number = 3;
  printf("%g 77\\n", half(number));
  return 0;
}
"""
VECTOR_SESSION = ["print/x {0}.v4_int32", "set var {0}.v4_int32[1] = 77", "print {0}.v4_int32[1]",
                  "print {0}.v16_int8[{1}]"]  # fmt: skip


@dataclass(frozen=True)
class Registers:
    """How an instruction set passes a double and a vector; not all have vectors."""

    source: str
    options: list[str]
    double: str
    vector: str = ""
    low: int = 0  # where the lowest byte of a vector's first word is


REGISTERS = {
    "test-ppc32": Registers(HALF + ALTIVEC + VECTORS.replace("CONSTRAINT", "v"), ["-maltivec", "-mabi=altivec"],
                            "$f1", "$vr2", 3),
    "test-ppc64": Registers(HALF + NUMBERS, [], "$f1"),
    "test-x86_64": Registers(HALF + SSE2 + VECTORS.replace("CONSTRAINT", "x"), [], "$xmm0.v2_double[0]", "$xmm0"),
}  # fmt: skip


@pytest.mark.parametrize("machine", chips.MACHINES)
def test_what_gdb_writes_to_registers_is_there(tmp_path: Path, machine: str) -> None:
    """Floating-point and vector registers: arguments that gdb changes before their functions read them."""
    registers = REGISTERS[machine]
    source, program = tmp_path / "registers.c", tmp_path / "registers"
    source.write_text(registers.source)
    chips.compiled(machine, source, program, ["-O1", "-g", *registers.options])
    session = ["break *half", "continue", f"print {registers.double}", f"set var {registers.double} = 42.5"]
    if registers.vector:
        each = [command.format(registers.vector, registers.low) for command in VECTOR_SESSION]
        session += ["break *second", "continue", *each]
    with running(tmp_path / "gdb", "0", "--machine", machine, "--shape", "1", program, launcher=TEST_CHIPS) as run:
        out = run.gdb(*session, "continue")
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = 3\n" in out
    if registers.vector:
        assert "$2 = {0x1, 0x2, 0x3, 0x4}" in out
        assert "$3 = 77\n" in out
        assert "$4 = 1\n" in out
    assert printed == "21.25 77\n", out


X87 = """
#include <stdio.h>
int main(void) {
  long double sum;
  unsigned short control;
  __asm__ volatile("fldpi; fld1\\nloaded: faddp; fstpt %0; fnstcw %1" : "=m"(sum), "=m"(control) : : "st", "st(1)");
  printf("%Lg %#x\\n", sum, control);
  return 0;
}
"""


@pytest.mark.skipif("test-x86_64" not in chips.MACHINES, reason="the host's compiler makes the program")
def test_registers_of_the_x87(tmp_path: Path) -> None:
    source, program = tmp_path / "x87.c", tmp_path / "x87"
    source.write_text(X87)
    chips.compiled("test-x86_64", source, program, ["-O1", "-g"])
    arguments: Arguments = ["--machine", "test-x86_64", "--shape", "1", program]
    with running(tmp_path / "gdb", "0", *arguments, launcher=TEST_CHIPS) as run:
        out = run.gdb("break *&loaded", "continue", "print $st0", "print $st1 > 3.14159 && $st1 < 3.1416",
                      "print/x $fctrl", "print/x $ftag", "print ($fstat >> 11) & 7", "set var $st1 = 2.5",
                      "set var $fctrl = 0x77f", "continue")  # fmt: skip
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = 1\n" in out
    assert "$2 = 1\n" in out
    assert "$3 = 0x37f\n" in out
    assert "$4 = 0xfff\n" in out.replace("0x0fff", "0xfff")
    assert "$5 = 6\n" in out
    assert printed == "3.5 0x77f\n", out


QUAD = """
#include <stdio.h>
static double in[4] __attribute__((aligned(32))) = {1, 2, 3, 4}, out[4] __attribute__((aligned(32)));
int main(void) {
  register double* from __asm__("r14") = in;
  register double* to __asm__("r15") = out;
  __asm__ volatile(".long 31<<26 | 7<<21 | 14<<11 | 583<<1\\n"  // qvlfdx f7,0,r14
                   "loaded: .long 31<<26 | 7<<21 | 15<<11 | 711<<1\\n"  // qvstfdx f7,0,r15
                   :: "r"(from), "r"(to) : "fr7", "memory");
  printf("%g %g %g %g\\n", out[0], out[1], out[2], out[3]);
  return 0;
}
"""


def test_registers_of_four_doubles(tmp_path: Path) -> None:
    """The first element is the floating-point register, the others are registers of their own."""
    source, program = tmp_path / "quad.c", tmp_path / "quad"
    source.write_text(QUAD)
    chips.compiled("test-ppc64", source, program, ["-O1", "-g"])
    arguments: Arguments = ["--machine", "test-ppc64", "--shape", "1", program]
    with running(tmp_path / "gdb", "0", *arguments, launcher=TEST_CHIPS) as run:
        out = run.gdb("break *&loaded", "continue", "print $q7", "print $f7", "set var $f7 = 10", "set var $q7.e2 = 30",
                      "set var $q7.e3 = $q7.e1", "info registers q7", "continue")  # fmt: skip
        printed = run.process.stdout.read() if run.process.stdout else ""
        assert run.finish() == 0, run.stderr()
    assert "$1 = {e1 = 2, e2 = 3, e3 = 4}" in out
    assert "$2 = 1\n" in out
    assert re.search(r"q7 .*\{e1 = 2, e2 = 30, e3 = 2\}", out)
    assert "10 2 30 2\n" in printed
