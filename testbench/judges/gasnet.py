#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build GASNet's dcmf-conduit with its tests on our DCMF, and run them on an emulated Blue Gene/P.

    testbench/judges/gasnet.py CHECKOUT [TEST...]     CHECKOUT: a clone of GASNet that still has dcmf-conduit

Prints a row for each test and a column for each mode; status 1 if one of them failed. GASNet is built as its own files
say, in a copy of the checkout: Bootstrap, other/contrib/cross-configure-bgp with the compiler's path replaced, make.
Needs autoconf and automake. Libraries and headers stand where that script expects the machine's.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_TOROID = str(_ROOT / "toroid")
# Headers and libraries under the names that they have on the machine.
_INSTALLED = _ROOT / "build" / "release" / "guest" / "bgp" / "installed"
_DIRECTORY_OF_COMPILERS = "/bgsys/drivers/ppcfloor/gnu-linux/bin"
# What tells a failure although the status is 0.
_FAILURE = re.compile(r"^(.*(?:\bERROR:|\*\*\* FATAL).*)$", re.MULTILINE)
# One test prints this variable; the other names a directory that can be written.
_ENVIRONMENT = ("GASNET_DUMMY=GASNet dummy value", "GASNET_TMPDIR=/")


@dataclass(frozen=True)
class Test:
    arguments: str = ""
    status: int = 0
    threads: str = "seq par"
    program: str = ""  # unless it has the test's name


# Small numbers of iterations: a simulated test takes seconds.
_TESTS = {
    "testgasnet": Test(),
    "testinternal": Test("10"),
    "testenv": Test("GASNet is 'Global Address Space Networking'"),
    "testhsl": Test("0"),
    "testsmall": Test("10 2048"),
    "testlarge": Test("5 65536"),
    "testval": Test("10"),
    "testam": Test("10 4096"),
    "testmisc": Test("100"),
    "testcore1": Test("20"),
    "testcore2": Test("5 4096 4"),
    "testcore3": Test(),
    "testcore4": Test("5 2048"),
    "testcore5": Test("2 2048"),
    "testslice": Test("102400 5 5"),
    "testbarrier": Test("20"),
    "testbarrierconf": Test("10"),
    "testbarrierlate": Test("20 100"),
    "testmemset": Test("5 4096"),
    "testlogGP": Test("20 0 8 4096"),
    "testalign": Test("5"),
    "testrand": Test("1024 65536"),
    "testvis": Test("1 1"),
    "testcoll": Test("5"),
    "testcollperf": Test("256 1 1 0"),
    "testteambarrier": Test("10"),
    "testteam": Test("5"),
    "testnbr": Test("1 0"),
    "testvisperf": Test("-maxdata 2048 -maxcontig 256 1"),
    "testqueue": Test("1 8 4096"),
    "testthreads": Test("-i 10 2", threads="par"),
    "testcontend": Test("2 20", threads="par"),
    "testlockcontend": Test("2 100", threads="par"),
    "testexit1": Test("1", status=1, program="testexit"),
    "testexit2": Test("2", status=2, program="testexit"),
    "testexit6": Test("6", status=6, program="testexit"),
    "testexit10": Test("10", status=10, program="testexit"),
}


def compilers(directory: Path) -> Path:
    """Compilers of the names that GASNet's script knows."""
    directory.mkdir()
    for name, language in (("gcc", "cc"), ("g++", "c++")):
        script = directory / f"powerpc-bgp-linux-{name}"
        script.write_text(f'#!/bin/sh\nexec {_TOROID} {language} --machine bgp "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return directory


def call(command: Sequence[str], directory: Path, log: Path, **environment: str) -> bool:
    with log.open("a", encoding="utf-8") as file:
        done = subprocess.run(
            command,
            cwd=directory,
            env=os.environ | environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    return done.returncode == 0


def build(checkout: Path, work: Path) -> str | None:
    """Builds libraries and tests in `work`; what went wrong."""
    log, source, target = work / "build.log", work / "gasnet", work / "build"
    if not call([_TOROID, "cc", "--machine", "bgp", "--version"], work, log):
        return f"the machine's libraries cannot be built: {log}"
    bin_directory = compilers(work / "bin")
    shutil.copytree(checkout, source, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    target.mkdir()
    if not call(["sh", "./Bootstrap"], source, log):
        return f"Bootstrap failed: {log}"
    script = (source / "other" / "contrib" / "cross-configure-bgp").read_text(encoding="utf-8")
    (source / "cross-configure-bgp").write_text(
        script.replace(_DIRECTORY_OF_COMPILERS, str(bin_directory)), encoding="utf-8"
    )
    options = ["--enable-seq", "--enable-par", "--disable-parsync", "--disable-smp", "--disable-mpi"]
    options += ["--disable-mpi-compat", "--enable-dcmf"]
    floor = {"USE_GCC": "1", "DCMF_HOME": str(_INSTALLED), "BGP_SYS_HOME": str(_INSTALLED)}
    os.environ["TOROID_NO_BUILD"] = "1"
    if not call(["sh", str(source / "cross-configure-bgp"), *options], target, log, **floor):
        return f"configure failed: {log}"
    conduit = target / "dcmf-conduit"
    for threads in ("seq", "par"):
        # Some tests are known not to compile: the table names those that are missing.
        call(["make", "-k", f"tests-{threads}"], conduit, log)
        (work / threads).mkdir()
        for program in conduit.glob("test*"):
            if os.access(program, os.X_OK):
                shutil.copy(program, work / threads)
    return None


def tried(program: Path, test: Test, mode: str, shape: str, extra: Sequence[str], limit: int) -> str | None:
    """What went wrong."""
    if not program.is_file():
        return "it was not built"
    results = program.parent / f"{program.name}-{mode}"
    command = [_TOROID, "run", "--machine", "bgp", "--mode", mode, "--shape", shape, "--timeout", "100s"]
    command += ["--results", str(results), "--directory", str(program.parent), *extra]
    with subprocess.Popen(
        [*command, str(program), *shlex.split(test.arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        try:
            output = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # so that the simulator ends, too
            process.communicate()
            return f"did not end within {limit} s of the host's time"
    if process.returncode != test.status:
        return f"status {process.returncode}\n{output}"
    found = _FAILURE.search(output)
    return f"{found[1]}\n{output}" if found else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Build GASNet's dcmf-conduit and run its tests.")
    parser.add_argument("checkout", type=Path, help="a clone of GASNet with dcmf-conduit")
    parser.add_argument("tests", nargs="*", help=f"some of {', '.join(_TESTS)}; default: all")
    parser.add_argument("--shape", default="2x1x1", help="default: 2x1x1")
    parser.add_argument("--modes", default="smp,dual,vn", help="default: smp,dual,vn")
    parser.add_argument("--threads", default="seq,par", help="default: seq,par")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="of the tests")
    parser.add_argument("--limit", type=int, default=300, metavar="SECONDS", help="of the host, a test; default: 300")
    parser.add_argument("--work", type=Path, help="where to build; what has been built there is used again")
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    if not (checkout / "dcmf-conduit" / "gasnet_core.c").is_file():
        parser.error(f"{checkout}/dcmf-conduit is missing; give a clone of GASNet before that conduit was removed")
    if unknown := set(arguments.tests) - set(_TESTS):
        parser.error(f"there is no test {', '.join(sorted(unknown))}; there are {', '.join(_TESTS)}")
    with tempfile.TemporaryDirectory() as temporary:
        work = (arguments.work or Path(temporary)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        if not (work / "par").is_dir() and (error := build(checkout, work)):
            print(error, file=sys.stderr)
            return 1
        return run(arguments, work)


def run(arguments: argparse.Namespace, work: Path) -> int:
    """Prints the table."""
    # The conduit itself refuses threads where a process has one core.
    columns = [
        (threads, mode)
        for threads in arguments.threads.split(",")
        for mode in arguments.modes.split(",")
        if (threads, mode) != ("par", "vn")
    ]
    extra = [word for variable in (*_ENVIRONMENT, *arguments.env) for word in ("--env", variable)]
    print(f"{'test':17}" + "".join(f"{threads + ' ' + mode:10}" for threads, mode in columns), flush=True)
    failures = 0
    for name in arguments.tests or _TESTS:
        test = _TESTS[name]
        print(f"{name:17}", end="", flush=True)
        errors = []
        for threads, mode in columns:
            if threads not in test.threads:
                print(f"{'-':10}", end="", flush=True)
                continue
            error = tried(work / threads / (test.program or name), test, mode, arguments.shape, extra, arguments.limit)
            print(f"{'ok' if error is None else 'FAILED':10}", end="", flush=True)
            if error is not None:
                errors.append(f"{name} {threads} {mode}: {error[-4000:].rstrip()}")
        print(flush=True)
        failures += len(errors)
        if errors:
            print("\n".join(errors), file=sys.stderr, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
