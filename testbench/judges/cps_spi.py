#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile and run programs on the published headers of Blue Gene/P's DMA SPI.

    testbench/judges/cps_spi.py CHECKOUT [--chip CHIP]

CHECKOUT: a clone of RBC-UKQCD/CPS_public. CHIP: a clone of jmcadden/EBBlib; then the published headers of the chip and
of the personality stand in for ours as well, and ours are the kernel's alone.

Prints a line for each thing tried; status 1 if one of them failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_OWN = Path(__file__).resolve().parent / "cps_spi"
_PROGRAMS = _ROOT / "firmware/programs/bgp"
# Where the headers lie in a checkout; programs include them as <spi/...>.
_HEADERS = "cps_pp/src/util/dirac_op/d_op_wilson/bg_bagel_spi/SPI_NEW/include"
_TRANSFERS = ("dma_put", "spi_put", "spi_message", "spi_get")
_MODES = ("smp", "vn")


class Judge:
    """What was tried, and how it went."""

    def __init__(self, headers: Path, chip: Path | None, build: Path) -> None:
        self._flags = [f"-I{headers}"]
        if chip is not None:
            # Their inline functions name an address of the kernel's header, and instructions of the double FPU.
            self._flags += ["-fgnu89-inline", f"-I{chip}", f"-I{chip / 'arch/ppc32'}"]
            self._flags += ["-include", "cnk/bgp_VirtualMap.h", "-include", "bpcore/bgp_assembler.h"]
        self._chip = chip is not None
        self._build = build
        self.failures = 0

    def report(self, what: str, error: str | None) -> bool:
        print(f"{'ok    ' if error is None else 'FAILED'}  {what}", flush=True)
        if error is not None:
            self.failures += 1
            print(error.rstrip(), file=sys.stderr, flush=True)
        return error is None

    def compile(self, name: str, sources: Sequence[Path], *, published: bool, standard: str | None) -> Path | None:
        """The program, or None if it does not compile or link."""
        headers = "published" if published else "own"
        output = self._build / f"{name}.{headers}.{standard or 'c++'}"
        command = [str(_ROOT / "toroid"), "cc" if standard else "c++", "--machine", "bgp", "-o", str(output)]
        command += [f"-std={standard}"] if standard else []
        command += self._flags if published else []
        done = subprocess.run([*command, *map(str, sources)], capture_output=True, text=True, check=False)
        what = f"compile {name}, {standard or 'C++'}, {headers} headers"
        return output if self.report(what, None if done.returncode == 0 else done.stderr) else None

    def run(self, name: str, program: Path, shape: str, mode: str) -> str | None:
        """What the program's ranks print; None if it fails."""
        results = self._build / f"{program.name}.{mode}.results"
        command = [str(_ROOT / "toroid"), "run", "--machine", "bgp", "--shape", shape, "--mode", mode]
        command += ["--results", str(results), str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        error = None if done.returncode == 0 else done.stdout + done.stderr
        if not self.report(f"run {name} on {shape} in {mode} mode", error):
            return None
        return done.stdout

    def same_layouts(self) -> None:
        """Layouts, constants and functions: layout.txt with their headers as with ours."""
        expected = (_OWN / "layout.txt").read_text(encoding="utf-8")
        for published in (False, True):
            for standard in ("gnu89", "gnu99", "gnu11"):
                program = self.compile("layout", [_OWN / "layout.c"], published=published, standard=standard)
                if program is None:
                    continue
                printed = self.run(f"layout ({program.name})", program, "1x1x1", "smp")
                if printed is None:
                    continue
                lines = len(printed.splitlines())
                self.report(
                    f"{lines} lines of layouts, constants and functions are as they should be ({program.name})",
                    None if printed == expected else "they differ",
                )

    def same_descriptors(self) -> None:
        """Descriptors of their C++ classes: the same words as of our builders."""
        if self._chip:  # the chip's headers are C
            return
        program = self.compile("descriptors", [_OWN / "descriptors.cpp"], published=True, standard=None)
        if program is not None and (printed := self.run("descriptors", program, "3x4x5", "smp")) is not None:
            print(f"        {printed.splitlines()[0]}")

    def transfers(self) -> None:
        """Programs that put, send and get."""
        for name in _TRANSFERS:
            sources = [_PROGRAMS / f"{name}.c", _PROGRAMS / "spi_program.c"]
            for standard in ("gnu99", "gnu11"):
                program = self.compile(name, sources, published=True, standard=standard)
                if program is None or standard != "gnu11":
                    continue
                for mode in _MODES:
                    self.run(name, program, "2x2x1", mode)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile and run programs on the published headers of the DMA SPI.")
    parser.add_argument("checkout", type=Path, help="a clone of RBC-UKQCD/CPS_public")
    parser.add_argument("--chip", type=Path, help="a clone of jmcadden/EBBlib: its headers of the chip as well")
    args = parser.parse_args()
    headers = args.checkout / _HEADERS
    if not (headers / "spi/DMA_InjFifo.h").is_file():
        parser.error(f"{headers}/spi: there are no headers of the SPI; give a clone of RBC-UKQCD/CPS_public")
    chip = args.chip.resolve() if args.chip else None
    if chip is not None and not (chip / "arch/ppc32/bpcore/bgp_types.h").is_file():
        parser.error(f"{chip}: there are no headers of the chip; give a clone of jmcadden/EBBlib")
    with tempfile.TemporaryDirectory() as build:
        judge = Judge(headers.resolve(), chip, Path(build))
        judge.same_layouts()
        judge.same_descriptors()
        judge.transfers()
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
