# SPDX-License-Identifier: Apache-2.0
"""Random machine code and random accesses to devices on each instruction set's test chip. Code that makes no sense ends
its program in some way of its own, however it is executed, and never the simulator; accesses do what the same ones do
to memory, or are refused in a line that says why. So it is with the copier's registers: whatever is done to them, the
run ends in a report.

TOROID_FUZZ_CASES is the number of accesses, and TOROID_FUZZ_PROGRAMS that of programs, of which each has some 1,000
instructions.
"""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid, read_result

from toroid import paths

ACCESSES = int(os.environ.get("TOROID_FUZZ_CASES", "20000"))
PROGRAMS = int(os.environ.get("TOROID_FUZZ_PROGRAMS", "3"))
SEED = int(os.environ.get("TOROID_FUZZ_SEED", "1"))
FUNCTIONS = 24
BYTES = 160  # of a function

ENDS = ("completed", "fault", "timeout", "deadlock", "aborted")

# Registers point to the middle of memory, or to the copier; a function may change all of them but the stack pointer.
PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
static uint8_t memory[16384] __attribute__((aligned(64)));
extern const uint8_t fuzzed[], fuzzed_end[];
extern void enter(const uint8_t* code, void* middle, uint64_t number);
int main(int argc, char** argv) {
  const unsigned first = argc > 1 ? (unsigned)argv[1][0] : 0;
  uint64_t next = first;
  for (unsigned round = 0; round < 200; ++round) {
    next = next * 6364136223846793005u + 1442695040888963407u;
    const unsigned function = (unsigned)(next >> 33) % FUNCTIONS;
    enter(fuzzed + function * SIZE, memory + sizeof memory / 2, next >> 7);
  }
  printf("through\n");
  return 0;
}
"""
ENTER = {
    "test-x86_64": """
.text
.globl enter
enter:
  push rbx; push rbp; push r12; push r13; push r14; push r15
  mov rax, rsi; mov rbx, rsi; mov rcx, rdx; mov r8, rsi; mov r9, rdx; mov r10, 0xb1150000; mov r12, rsi
  call rdi
  cld
  pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx
  ret
""",
    "test-ppc32": """
.text
.globl enter
enter:
  mflr 0; stw 0,4(1); stwu 1,-96(1); stmw 14,8(1); mtctr 3; mr 3,4; mr 14,4; mr 20,6; lis 15,0xb115; mr 25,4
  bctrl
  lmw 14,8(1); lwz 0,100(1); mtlr 0; addi 1,1,96; blr
""",
    "test-ppc64": """
.section ".opd","aw"
.align 3
.globl enter
enter: .quad .enter,.TOC.@tocbase,0
.text
.enter:
  mflr 0; std 0,16(1); stdu 1,-320(1); SAVE; mtctr 3; mr 3,4; mr 14,4; mr 20,5; lis 15,0xb115; rldicl 15,15,0,32
  mr 25,4; bctrl
  LOAD; addi 1,1,320; ld 0,16(1); mtlr 0; blr
""".replace("SAVE", "; ".join(f"std {i},{8 * i}(1)" for i in range(14, 32))).replace(
        "LOAD", "; ".join(f"ld {i},{8 * i}(1)" for i in range(14, 32))
    ),
}


def code(machine: str, dice: random.Random) -> bytes:
    """Functions of any bytes. Words of PowerPC often have a valid primary opcode, and bytes of x86-64 no prefix that
    nothing of that time knows; the last instruction returns."""
    if machine == "test-x86_64":
        usual = [0x0F, 0x48, 0x66, 0xF2, 0xF3, 0x89, 0x8B, 0x01, 0x03, 0x83, 0xC1, 0x31, 0x50, 0x58, 0x74, 0x75, 0xEB]
        body = bytes(dice.choice(usual) if dice.randrange(3) == 0 else dice.randrange(256) for _ in range(BYTES - 16))
        return body + b"\x90" * 15 + b"\xc3"
    primaries = [
        4,
        7,
        8,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        19,
        20,
        21,
        23,
        24,
        28,
        31,
        31,
        31,
        *range(32, 56),
        58,
        59,
        62,
        63,
        63,
    ]
    words = []
    for _ in range(BYTES // 4 - 1):
        word = dice.getrandbits(32)
        if dice.randrange(4):
            primary = dice.choice(primaries)
            # Loads and stores by a register that points somewhere.
            word = word & 0x03FFFFFF | primary << 26
            if primary >= 32:
                word = word & ~(31 << 16) | dice.choice((3, 14, 25, 15)) << 16
        words.append(word)
    return b"".join(word.to_bytes(4, "big") for word in [*words, 0x4E800020])


def program(machine: str, directory: Path, seed: int) -> Path:
    dice = random.Random(f"{machine} {seed}")
    made = b"".join(code(machine, dice) for _ in range(FUNCTIONS))
    data = "\n".join(".byte " + ",".join(map(str, made[at : at + 32])) for at in range(0, len(made), 32))
    syntax = ".intel_syntax noprefix" if machine == "test-x86_64" else ""
    assembly = f"{syntax}{ENTER[machine]}\n.balign 64\n.globl fuzzed\nfuzzed:\n{data}\n"
    (directory / "code.s").write_text(f'{assembly}.section .note.GNU-stack,"",@progbits\n', encoding="utf-8")
    source, built = directory / "fuzzed.c", directory / "fuzzed"
    source.write_text(PROGRAM)
    options = [f"-DFUNCTIONS={FUNCTIONS}", f"-DSIZE={BYTES}", "-O1", directory / "code.s"]
    chips.compiled(machine, source, built, list(map(str, options)))
    return built


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


@pytest.mark.parametrize("number", range(PROGRAMS))
@pytest.mark.parametrize("machine", MACHINES)
def test_code_of_any_bytes(
    toroid: Toroid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, number: int
) -> None:
    built = program(machine, tmp_path, 1000 * SEED + number)
    (tmp_path / "job").mkdir()

    def ended(*options: str) -> tuple[str, str]:
        where = ["--machine", machine, "--shape", "1", "--results", "out", "--directory", "job", "--timeout", "2ms"]
        status, _, err = toroid("run", *where, *options, built, "x")
        result = read_result(Path("out"))
        assert status in range(128), err
        assert result["ended"] in ENDS, (result["error"], err)
        # An engine of its own may show the block's beginning where a load fails that overwrites its own base register.
        return result["ended"], re.sub(r" at 0x\w+[^\"]*", "", json.dumps(result["error"]))

    usual = ended()
    assert ended("--no-park")[0] == usual[0]
    monkeypatch.setenv("TOROID_ENGINES", "own")
    assert ended() == usual
    monkeypatch.delenv("TOROID_ENGINES")
    monkeypatch.setenv("TOROID_CODE_BUFFER", "4")
    assert ended() == usual


@pytest.mark.parametrize("machine", MACHINES)
def test_accesses_to_a_window_do_what_they_do_to_memory(toroid: Toroid, machine: str) -> None:
    """Of all sizes and alignments, over the window's edges too; the same bits and time however they are executed."""
    found = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=17"]):
        command = ["run", "--machine", machine, "--shape", "1", "--results", "out", *options]
        count = ACCESSES if not options else ACCESSES // 10
        status, out, err = toroid(*command, paths.guest_program("accesses", machine), str(count), str(SEED))
        assert (status, out) == (0, f"{count} accesses\n"), err
        result = read_result(Path("out"))
        del result["configuration"]
        found.append(result)
    assert found[1] == found[2]


MILLION = pytest.param(1_000_000, marks=pytest.mark.long)


@pytest.mark.parametrize("count", [ACCESSES, MILLION])
@pytest.mark.parametrize("machine", MACHINES)
def test_accesses_to_registers_that_the_copier_takes(toroid: Toroid, machine: str, count: int) -> None:
    """The copies that they ask for are right; the same bits and time however they are executed."""
    found = []
    for options in ([], ["--no-park"], ["--set", "core.quantum=17"]):
        command = ["run", "--machine", machine, "--shape", "1", "--results", "out", *options]
        accesses = count if not options else count // 10
        status, out, err = toroid(*command, paths.guest_program("registers", machine), str(accesses), str(SEED))
        assert (status, out) == (0, f"{accesses} accesses\n"), err
        result = read_result(Path("out"))
        assert result["copier"]["done"] > accesses // 100
        assert result["copier"]["not_done"] == 0
        del result["configuration"]
        found.append(result)
    assert found[1] == found[2]


# One access of so many is of any kind, and how many programs there are: the fewer, the longer each of them runs.
WILD = {20: 8, 1_000: 4, 50_000: 1}


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("machine", MACHINES)
def test_any_accesses_to_registers_end_in_a_report(toroid: Toroid, machine: str, wild: int) -> None:
    """Of four cores at once. A refused one ends the program, so that many programs are needed for many of them. Each
    fourth is run twice."""
    for number in range(WILD[wild] * PROGRAMS):
        found = []
        for _ in range(2 if number % 4 == 0 else 1):
            where = ["--machine", machine, "--shape", "1", "--results", "out", "--timeout", "10ms"]
            numbers = map(str, (ACCESSES, 1000 * SEED + number, wild))
            status, out, err = toroid("run", *where, paths.guest_program("registers", machine), *numbers)
            result = read_result(Path("out"))
            assert status in range(128), err
            assert result["ended"] in ENDS, err
            if result["ended"] == "fault":
                assert "toroid: rank 0 (node 0)" in err or "descriptor" in err, err
            elif result["ended"] == "completed":
                assert (status, out) == (0, "through\n")
            found.append(result)
        assert found[0] == found[-1]
