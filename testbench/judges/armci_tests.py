#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run ARMCI's own tests on our ARMCI, beside MPI, on an emulated Blue Gene/P.

    testbench/judges/armci_tests.py CHECKOUT [TEST...]     CHECKOUT: a clone of GlobalArrays/ga, at August 2010

Prints a line for each test; status 1 if one of them failed. The tests are compiled unchanged. They include the header
that names the message layer's functions, which is taken from the checkout as it is, and one of the library's internal
header files, of which they need three macros. Pauses of whole seconds are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
# What each prints at its end if all was right.
_TESTS = {
    "msgcheck": "Time per reduce",
    "perf": "Tests Completed.",
    "perf_aggr": "Success!!",
    "perf_nb": "Success!!",
    "test": "All tests passed",
    "test2": "Accumulate and Collective tests passed",
    "test_groups": "Collective groups: Success!!",
    "testitr": "Success",
    "testnotify": "OK",
}
_HEADERS = ("STDLIB", "STDIO", "STRING", "UNISTD", "MATH", "ASSERT", "SYS_TIME", "STDARG")
_INTERNAL = """\
#include <armci.h>
#include <message.h>
#define ARMCI_ABS(a) ((a) >= 0 ? (a) : -(a))
#define ARMCI_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ARMCI_MIN(a, b) ((a) < (b) ? (a) : (b))
"""
_NO_PAUSES = "#include <unistd.h>\n#define sleep(seconds) 0\n"


def tried(name: str, source: Path, build: Path, shape: str) -> str | None:
    """What went wrong."""
    program = build / name
    flags = ["-w", "-std=gnu89", "-DMPI", f"-I{build}", "-include", str(build / "no_pauses.h")]
    flags += [f"-DHAVE_{header}_H=1" for header in _HEADERS]
    toroid = str(_ROOT / "toroid")
    command = [toroid, "mpicc", "--machine", "bgp", *flags, str(source), "-lm", "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr
    command = [
        toroid,
        "run",
        "--machine",
        "bgp",
        "--shape",
        shape,
        "--timeout",
        "60s",
        "--results",
        f"{program}.results",
    ]
    done = subprocess.run([*command, str(program)], capture_output=True, text=True, check=False)
    right = done.returncode == 0 and _TESTS[name] in done.stdout
    return None if right else done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description="Run ARMCI's own tests on our ARMCI.")
    parser.add_argument("checkout", type=Path, help="a clone of GlobalArrays/ga at a commit of August 2010")
    parser.add_argument("tests", nargs="*", help=f"some of {', '.join(_TESTS)}; default: all")
    parser.add_argument("--shape", default="2x2x1", help="default: 2x2x1")
    arguments = parser.parse_args()
    armci = arguments.checkout.resolve() / "armci"
    if not (armci / "src" / "mp3.h").is_file():
        parser.error(f"{armci}/src/mp3.h is missing; give a clone of GlobalArrays/ga at a commit of August 2010")
    if unknown := set(arguments.tests) - set(_TESTS):
        parser.error(f"there is no test {', '.join(sorted(unknown))}; there are {', '.join(_TESTS)}")
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        build = Path(directory)
        (build / "mp3.h").symlink_to(armci / "src" / "mp3.h")
        (build / "armcip.h").write_text(_INTERNAL, encoding="utf-8")
        (build / "no_pauses.h").write_text(_NO_PAUSES, encoding="utf-8")
        for name in arguments.tests or _TESTS:
            error = tried(name, armci / "testing" / f"{name}.c", build, arguments.shape)
            print(f"{'ok    ' if error is None else 'FAILED'}  {name}", flush=True)
            if error is not None:
                failures += 1
                print(error[-4000:].rstrip(), file=sys.stderr, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
