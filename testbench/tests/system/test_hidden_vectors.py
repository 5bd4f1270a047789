# SPDX-License-Identifier: Apache-2.0
"""64-bit PowerPC has neither AltiVec nor VSX here, as the A2 has not: programs are not told of them, and their
instructions are illegal. The compiler's assembler knows them, and the engine's other processors execute them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from each_machine import MACHINES, instruction_set, run_on
from helpers import compiled

WIDE = [machine for machine in MACHINES if instruction_set(machine)[0:3:2] == ("ELF64", "PowerPC64")]
# Each with its operands: of every kind of encoding that has them, but for those that are the quad extension's as well
# (vsel and vperm are qvfadd there, vmaddfp is qvfsel).
INSTRUCTIONS = {
    # AltiVec: loads and stores, by bytes too; its status; moves, arithmetic and permutation.
    "lvx": "0,0,3", "stvx": "0,0,3", "lvebx": "0,0,3", "stvewx": "0,0,3", "lvsl": "0,0,3", "dss": "0",
    "mfvscr": "0", "mtvscr": "0", "vspltisw": "0,1", "vaddubm": "0,0,0", "vxor": "0,0,0", "vaddfp": "0,0,0",
    "vmsumubm": "0,0,0,0", "vsldoi": "0,0,0,1", "vcmpequw.": "0,0,0",
    # VSX: loads and stores, scalars and vectors of either precision, moves to and from general registers.
    "lxvd2x": "0,0,3", "stxvd2x": "0,0,3", "lxsdx": "0,0,3", "stxsdx": "0,0,3", "lxvw4x": "0,0,3", "lxvdsx": "0,0,3",
    "xsadddp": "0,0,0", "xvadddp": "0,0,0", "xvmaddasp": "0,0,0", "xxlor": "0,0,0", "xxpermdi": "0,0,0,1",
    "xxsel": "0,0,0,0", "xscvdpsp": "0,0", "xscmpudp": "0,0,0", "mfvsrd": "4,0", "mtvsrd": "0,4",
    "lxv": "0,0(3)", "stxv": "0,0(3)", "lxsd": "0,0(3)", "stxsd": "0,0(3)", "xsaddqp": "0,0,0",
}  # fmt: skip
SOURCE = """
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
/* PPC_FEATURE_HAS_ALTIVEC, _HAS_VSX; of later processors, PPC_FEATURE2 has what needs them. */
enum { ALTIVEC = 0x10000000, VSX = 0x80 };
static char bytes[64] __attribute__((aligned(64)));
int main(int argc, char** argv) {
  register char* at __asm__("r3") = bytes;
  const char* const what = argc > 1 ? argv[1] : "";
  printf("AltiVec %d, VSX %d, others %lx\\n", (getauxval(AT_HWCAP) & ALTIVEC) != 0, (getauxval(AT_HWCAP) & VSX) != 0,
         getauxval(AT_HWCAP2));
  fflush(stdout);
EXECUTED
  if (argc > 1) printf("%s was executed\\n", what);
  return 0;
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By machine: a program that says what it is told, and executes the instruction whose name it gets."""
    executed = "".join(
        f'  if (strcmp(what, "{name}") == 0) __asm__ volatile(".machine push; .machine power9; {name} {operands}; '
        f'.machine pop" : : "r"(at) : "r4", "memory");\n'
        for name, operands in INSTRUCTIONS.items()
    )
    found = {}
    for machine in WIDE:
        source = tmp_path_factory.mktemp(machine) / "vectors.c"
        source.write_text(SOURCE.replace("EXECUTED\n", executed))
        found[machine] = compiled(source, source.parent, options=["--machine", machine])
    return found


def test_there_are_such_machines() -> None:
    assert {"bgq", "test-ppc64"} <= set(WIDE)


@pytest.mark.parametrize("machine", WIDE)
def test_programs_are_not_told_of_them(
    programs: dict[str, Path],
    tmp_path: Path,
    machine: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run_on(machine, programs[machine], tmp_path, monkeypatch, capfd)[:2] == (0, "AltiVec 0, VSX 0, others 0\n")


@pytest.mark.parametrize("name", INSTRUCTIONS)
@pytest.mark.parametrize("machine", WIDE)
def test_their_instructions_are_illegal(
    programs: dict[str, Path],
    tmp_path: Path,
    machine: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    status, out, err = run_on(machine, programs[machine], tmp_path, monkeypatch, capfd, (name,))
    assert status == 1
    assert "was executed" not in out
    place = r"at 0x[0-9a-f]+ \(main\+0x[0-9a-f]+, vectors\.c:\d+\)"
    assert re.search(rf"illegal instruction 0x[0-9a-f]{{8}} {place}", err), err
