#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare published headers of Blue Gene/P's chip with ours, and run published programs of the SPI's second level.

    testbench/judges/ebb_spi.py CHECKOUT     CHECKOUT: a clone of jmcadden/EBBlib, branch development

Prints a line for each thing tried; status 1 if one of them failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_OWN = Path(__file__).resolve().parent / "ebb_chip"
_HEADERS = "arch/ppc32"  # bpcore/ and common/ lie here, and include one another by their path from the checkout
_PROGRAMS = "contrib/jmcddn/cnk_apps"
_TIMED_OUT = 124


class Judge:
    """What was tried, and how it went."""

    def __init__(self, checkout: Path, build: Path) -> None:
        self._checkout = checkout
        self._build = build
        self.failures = 0

    def report(self, what: str, error: str | None) -> bool:
        print(f"{'ok    ' if error is None else 'FAILED'}  {what}", flush=True)
        if error is not None:
            self.failures += 1
            print(error[:4000].rstrip(), file=sys.stderr, flush=True)
        return error is None

    def compile(self, name: str, sources: Sequence[Path], flags: Sequence[str]) -> Path | None:
        """The program, or None if it does not compile or link."""
        output = self._build / name
        command = [str(_ROOT / "toroid"), "cc", "--machine", "bgp", "-o", str(output), *flags, *map(str, sources)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return output if self.report(f"compile {name}", None if done.returncode == 0 else done.stderr) else None

    def run(self, program: Path, shape: str, limit: str | None) -> str | None:
        """What the program's ranks print; None if it fails. With a limit, it has to run until then."""
        command = [str(_ROOT / "toroid"), "run", "--machine", "bgp", "--shape", shape]
        command += ["--results", str(self._build / f"{program.name}.results")]
        command += ["--timeout", limit] if limit else []
        done = subprocess.run([*command, str(program)], capture_output=True, text=True, check=False)
        error = None if done.returncode == (_TIMED_OUT if limit else 0) else done.stdout + done.stderr
        until = f", for {limit}" if limit else ""
        return done.stdout if self.report(f"run {program.name} on {shape}{until}", error) else None

    def same_layouts(self) -> None:
        """Layouts, constants and functions: layout.txt with their headers as with ours."""
        expected = (_OWN / "layout.txt").read_text(encoding="utf-8")
        # Their inline functions name an address of the kernel's header.
        published = ["-fgnu89-inline", f"-I{self._checkout}", f"-I{self._checkout / _HEADERS}"]
        published += ["-include", "cnk/bgp_VirtualMap.h", "-include", "bpcore/bgp_assembler.h"]
        for standard in ("gnu89", "gnu99", "gnu11"):
            for headers, flags in (("own", []), ("published", published)):
                name = f"layout.{headers}.{standard}"
                program = self.compile(name, [_OWN / "layout.c"], [f"-std={standard}", *flags])
                if program is None or (printed := self.run(program, "1x1x1", None)) is None:
                    continue
                lines = len(expected.splitlines())
                self.report(f"{name}: {lines} lines as they should be", None if printed == expected else "they differ")

    def programs(self) -> None:
        """Their programs; they end in a loop without end, so each runs for a time."""
        folder = self._checkout / _PROGRAMS
        flags = ["-std=gnu89", "-O0", "-w", f"-I{folder}"]
        self.compile("dmem", [folder / "dmem.c", folder / "sg.c"], flags)  # it overruns its memory: not run
        mini = self.compile("mini", [folder / "mini.c"], flags)
        if mini is not None and (printed := self.run(mini, "2x2x1", "20ms")) is not None:
            for what, line in (("rank 1 has what rank 0 put", "0" * 64), ("rank 0 has what rank 2 holds", "2" * 64)):
                self.report(f"mini: {what}", None if line in printed.splitlines() else printed)
        scatter = self.compile("sg-app", [folder / "sg-app.c", folder / "sg.c"], flags)
        if scatter is not None and (printed := self.run(scatter, "4x2x2", "5ms")) is not None:
            self.report("sg-app: rank 0 scatters to all others", scattered(printed, 16))


def scattered(printed: str, ranks: int) -> str | None:
    """Each rank but 0 has words of its rank, but in the place of its rank what rank 0 wrote to all."""
    written = set()
    for rank in range(1, ranks):
        line = re.search(rf"^{rank}:([\d,]+),$", printed, re.MULTILINE)
        words = line[1].split(",") if line else []
        others = {word for place, word in enumerate(words) if place != rank}
        if len(words) != ranks or others != {str(rank)}:
            return f"rank {rank} has {words}"
        written.add(words[rank])
    return None if len(written) == 1 else f"rank 0 has written {sorted(written)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare headers of the chip, and run programs of the second level.")
    parser.add_argument("checkout", type=Path, help="a clone of jmcadden/EBBlib, branch development")
    checkout = parser.parse_args().checkout.resolve()
    for needed in (f"{_HEADERS}/bpcore/bgp_types.h", f"{_PROGRAMS}/mini.c"):
        if not (checkout / needed).is_file():
            parser.error(f"{checkout / needed} is missing; give a clone of jmcadden/EBBlib, branch development")
    with tempfile.TemporaryDirectory() as build:
        judge = Judge(checkout, Path(build))
        judge.same_layouts()
        judge.programs()
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
