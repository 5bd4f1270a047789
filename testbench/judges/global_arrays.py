#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build Global Arrays for an emulated Blue Gene/P, over ARMCI or over OSPRI, and run its own tests.

    testbench/judges/global_arrays.py CHECKOUT [TEST...] [--over ospri]     CHECKOUT: GlobalArrays/ga, release 5.8.2

Global Arrays is configured and compiled unchanged, in a directory of its own. The tests are those of its "make check"
that run in parallel; as there, a test passes if its status is 0. Prints a line for each test, with the processor time
that it takes on the host; status 1 if one failed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_TOROID = str(_ROOT / "toroid")
_HOST = "powerpc-linux-gnu"
_LIBRARIES = {"armci": "-larmci_mpi -larmci", "ospri": "-larmci_mpi -larmci_ospri -lospri"}
_COMPILERS = {"cc": "mpicc", "c++": "mpicxx", "fc": "mpifort"}
# Names of the library's headers that must be there before parallel make compiles what includes them.
_FIRST = ("config.fh", "global/src/ga-wapi.h", "global/src/ga-wapidefs.h", "libga.la")
# The variable of Global Arrays' Makefile that lists the tests, and a target that prints it.
_LIST = "include Makefile\nlist:\n\t@echo $(GLOBAL_PARALLEL_TESTS)\n"
# Nothing here depends on time: the fast description of the core is enough.
_FAST = ("--set", "core.caches=false", "--set", "core.pipeline=false")


def _compilers(directory: Path) -> dict[str, Path]:
    """Wrappers that are Toroid's compilers without the time these take to start."""
    made = {}
    for name, command in _COMPILERS.items():
        shown = subprocess.run(
            [_TOROID, command, "--machine", "bgp", "-show", "PROGRAM.c"], capture_output=True, text=True, check=True
        )
        words = shlex.split(shown.stdout)
        at = words.index("PROGRAM.c")
        made[name] = directory / name
        made[name].write_text(f'#!/bin/sh\nexec {shlex.join(words[:at])} "$@" {shlex.join(words[at + 1 :])}\n')
        made[name].chmod(0o755)
    return made


def _step(build: Path, log: str, command: list[str]) -> None:
    """Ends the script if the command fails."""
    with (build / log).open("w", encoding="utf-8") as output:
        done = subprocess.run(command, cwd=build, stdout=output, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"global_arrays.py: {shlex.join(command[:4])} ... failed; its output is in {build / log}")


def _configure(checkout: Path, build: Path, over: str) -> None:
    compilers = _compilers(build)
    library = _ROOT / "build" / "release" / "guest" / "bgp" / "lib"
    header = _ROOT / "firmware" / "armci" / "include"
    command = [str(checkout / "configure"), f"--host={_HOST}", "--disable-shared", "--enable-i4", "--with-mpi"]
    command += [f"--with-armci=-I{header} -L{library} {_LIBRARIES[over]}"]
    command += ["--without-blas", "--without-lapack", "--without-scalapack"]
    command += [f"{name}={compilers['cc']}" for name in ("CC", "MPICC")]
    command += [f"{name}={compilers['c++']}" for name in ("CXX", "MPICXX")]
    command += [f"{name}={compilers['fc']}" for name in ("F77", "MPIF77")]
    command += [f"AR={_HOST}-ar", f"RANLIB={_HOST}-ranlib", "FFLAGS=-fallow-argument-mismatch -std=legacy"]
    _step(build, "configure.log", command)


def _tests(build: Path) -> list[str]:
    """As Global Arrays lists them, without suffixes."""
    listed = subprocess.run(
        ["make", "-s", "-f", "-", "list"], cwd=build, input=_LIST, capture_output=True, text=True, check=True
    )
    return list(dict.fromkeys(name.removesuffix(".x") for name in listed.stdout.split()))


def _processor_time() -> float:
    """Seconds of the host's processors that the commands so far have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _session_time(session: int) -> int:
    """The same of the processes of a session that still run."""
    listed = subprocess.run(["ps", "-o", "cputimes=", "-s", str(session)], capture_output=True, text=True, check=False)
    return sum(int(seconds) for seconds in listed.stdout.split())


def _run(program: Path, options: list[str], limit: float) -> tuple[str, float | None]:
    """What came of it, and the simulated time in seconds if there is a result."""
    with tempfile.TemporaryDirectory() as directory:
        results = Path(directory) / "results"
        command = [_TOROID, "run", "--machine", "bgp", "--directory", directory, "--results", str(results), *options]
        log = program.with_suffix(".log")
        with log.open("w", encoding="utf-8") as output:
            running = subprocess.Popen(
                [*command, str(program)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                while running.poll() is None and _session_time(running.pid) < limit:
                    time.sleep(0.2)
            finally:
                stopped = running.poll() is None
                if stopped:
                    running.send_signal(signal.SIGINT)  # it then says where the ranks are
                status = running.wait()
        outcome = "ok" if status == 0 else f"FAILED, status {status}"
        if stopped:
            outcome = f"FAILED, not finished after {limit:.0f} s"
        result = results / "result.json"
        if not result.is_file():
            return outcome, None
        return outcome, float(json.loads(result.read_text(encoding="utf-8"))["simulated_ns"]) / 1e9


def main() -> int:
    parser = argparse.ArgumentParser(description="Run Global Arrays' own tests on our ARMCI or OSPRI.")
    parser.add_argument("checkout", type=Path, help="GlobalArrays/ga, release 5.8.2, with its configure script")
    parser.add_argument("tests", nargs="*", help="names as in global/testing; default: all that 'make check' runs")
    parser.add_argument("--over", choices=sorted(_LIBRARIES), default="armci", help="default: armci")
    parser.add_argument("--build", type=Path, help="where to build; an earlier build there is continued")
    parser.add_argument("--limit", type=float, default=600, help="seconds of processor time for a test; default: 600")
    parser.add_argument("--shape", default="2x2x1", help="default: 2x2x1")
    parser.add_argument("--mode", default="smp", help="smp, dual or vn; default: smp")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the tests; repeatable")
    parser.add_argument("--detailed", action="store_true", help="with the times of caches and pipelines; slower")
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    if not (checkout / "configure").is_file():
        parser.error(f"{checkout}/configure is missing; run autogen.sh there (autoconf, automake and libtool)")
    build = arguments.build or Path(tempfile.mkdtemp(prefix="global_arrays_"))
    build.mkdir(parents=True, exist_ok=True)
    build = build.resolve()
    if not (build / "Makefile").is_file():
        _configure(checkout, build, arguments.over)
    jobs = f"-j{os.cpu_count() or 1}"
    _step(build, "library.log", ["make", jobs, *_FIRST])
    known = {Path(name).name: name for name in _tests(build)}
    if unknown := set(arguments.tests) - set(known):
        parser.error(f"there is no test {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    options = ["--shape", arguments.shape, "--mode", arguments.mode, *(() if arguments.detailed else _FAST)]
    options += [word for each in arguments.env for word in ("--env", each)]
    chosen = arguments.tests or list(known)
    _step(build, "tests.log", ["make", "-k", jobs, *(f"{known[name]}.x" for name in chosen)])
    failures = 0
    for name in chosen:
        began = _processor_time()
        outcome, simulated = _run(build / f"{known[name]}.x", options, arguments.limit)
        failures += outcome != "ok"
        shown = "" if simulated is None else f"{simulated:10.3f} s simulated"
        print(f"{name:20} {_processor_time() - began:7.1f} s of CPU {shown:23}  {outcome}", flush=True)
    print(f"{len(chosen) - failures} of {len(chosen)} passed; programs and their output are in {build}/global")
    if arguments.build is None and failures == 0:
        shutil.rmtree(build)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
