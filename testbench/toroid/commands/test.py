# SPDX-License-Identifier: Apache-2.0
"""toroid test: runs all tests with pytest; the last line printed is pytest's summary."""

from __future__ import annotations

import os
import shutil
import sys

import click

from toroid import build, interrupts, options, paths
from toroid.errors import UserError


@click.command(
    short_help="Build, and run the tests.",
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
)
@click.option("--quick", is_flag=True, help="Omit tests marked slow, and builds other than the optimised one.")
@click.option("--long", is_flag=True, help="Also run the tests marked long, which take many minutes each.")
@click.option("--asan", is_flag=True, help="Run the whole suite on a build with AddressSanitizer and UBSan.")
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PYTEST ARGUMENTS]...")
def command(quick: bool, long: bool, asan: bool, pytest_arguments: tuple[str, ...]) -> None:
    """Build, and run the tests: Python, C++ and whole programs on the machine.

    Everything else on the command line goes to pytest, for example `-k mapping` or the path of a test file. Without an
    option, a short part of the suite also runs on the build with AddressSanitizer and UBSan.
    """
    if quick and long:
        raise UserError("--quick --long: one leaves out what the other adds; give one of them")
    environment = os.environ | {"TOROID_PRESET": "asan" if asan else "release"}
    results = options.prepared_directory(paths.BUILD / "test-results")
    # Kept by pytest, which takes our place.
    os.set_inheritable(options.claim(results, "wait for its end"), True)
    build.ensure("release", build.WITH_LONG_TESTS if long else build.WITH_TESTS)
    if asan:
        build.ensure("asan", build.WITH_TESTS)
    elif not quick:
        build.ensure("asan", build.SANITIZED_TESTS)
    # Built once, here: tests run many commands, and several at a time.
    environment["TOROID_NO_BUILD"] = "1"
    for former in results.iterdir():
        shutil.rmtree(former, ignore_errors=True)
    environment["TOROID_RESULTS"] = str(results)
    # Coroutines have stacks of their own, at which the leak checker itself faults now and then.
    environment.setdefault("ASAN_OPTIONS", "detect_stack_use_after_return=0:detect_leaks=0")
    marked = "not slow and not long" if quick else "" if long else "not long"
    arguments = ["-m", marked, *pytest_arguments]
    sys.stdout.flush()
    os.chdir(paths.ROOT)
    interrupts.hold()
    os.execve(sys.executable, [sys.executable, "-m", "toroid.pytest_process", *arguments], environment)
