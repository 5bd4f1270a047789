# SPDX-License-Identifier: Apache-2.0
"""Every C++ test executable of the build, each as one test here, so that one runner counts and times them all."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from toroid import paths

# Unit tests end in order, so leaks can be looked for, other than in runs that end in the middle of coroutines.
LEAKS = {"ASAN_OPTIONS": "detect_stack_use_after_return=0"}


@dataclass(frozen=True)
class CppTest:
    """As CTest lists it."""

    preset: str
    name: str
    command: list[str]
    directory: str
    timeout: float
    labels: list[str]


def entries(preset: str) -> list[dict[str, Any]]:
    """CTest's own listing of a preset's tests. Those that have not been built have no command."""
    build = paths.BUILD / preset
    if not (build / "CTestTestfile.cmake").is_file():
        return []
    command = ["ctest", "--test-dir", str(build), "--show-only=json-v1"]
    listing: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return list(listing["tests"])


def listed(preset: str) -> list[CppTest]:
    """The tests of a preset's build, as far as they have been built."""
    build = paths.BUILD / preset
    found = []
    for test in [test for test in entries(preset) if "command" in test]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        found.append(
            CppTest(
                preset,
                test["name"],
                test["command"],
                properties.get("WORKING_DIRECTORY", str(build)),
                float(properties.get("TIMEOUT", 600)),
                properties.get("LABELS", []),
            )
        )
    return found


def chosen() -> list[Any]:
    """All tests on the build in use, and without those marked slow on the sanitised one where that is built as well."""
    parameters = []
    for preset in dict.fromkeys((paths.preset(), "asan")):
        for test in listed(preset):
            slow = "slow" in test.labels
            if slow and preset != paths.preset():
                continue
            marks = [pytest.mark.slow] if slow or preset != paths.preset() else []
            parameters.append(pytest.param(test, id=f"{preset}-{test.name}", marks=marks))
    return parameters


def test_all_have_been_built() -> None:
    """Of the build in use; the short part on the sanitizer build leaves some out."""
    found = entries(paths.preset())
    assert found, f"{paths.shown(paths.BUILD / paths.preset())} holds no tests; has it been built?"
    assert [test["name"] for test in found if "command" not in test] == []


@pytest.mark.parametrize("test", chosen())
def test_cpp(test: CppTest, tmp_path: Path) -> None:
    run(test, tmp_path)


# Tests of mutated input take as many cases as TOROID_FUZZ_CASES says.
FUZZED = {
    "test_hw_configuration": "200000",
    "test_hw_elf_formats": "50000",
    "test_hw_program_files": "10000",
    "test_dma_fuzz": "2500000",
    "test_mu_fuzz": "2500000",
    "test_hw_unicorn_floats": "5000000",
}


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "cases"), FUZZED.items())
def test_many_mutations(name: str, cases: str, tmp_path: Path) -> None:
    for preset in dict.fromkeys((paths.preset(), "asan")):
        for test in listed(preset):
            if test.name == name:
                run(test, tmp_path, timeout=1800, TOROID_FUZZ_CASES=cases)


def run(test: CppTest, directory: Path, timeout: float | None = None, **variables: str) -> None:
    environment = os.environ | {"TMPDIR": str(directory)} | variables
    done = subprocess.run(
        test.command,
        cwd=test.directory,
        env=environment | LEAKS,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout or test.timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.long
@pytest.mark.parametrize("name", ["test_torus_deadlock", "test_torus_router_families"])
def test_long_suites(name: str, tmp_path: Path) -> None:
    test = next(test for test in listed(paths.preset()) if test.name == name)
    run(replace(test, command=[test.command[0], "--gtest_filter=*Long.*"]), tmp_path, timeout=1800)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize(
    ("name", "cases"), [("test_device_fuzz", 1_000_000), ("test_hw_gdb_fuzz", 5_000_000), ("test_dma_stress", 100_000)]
)
def test_fuzzers_for_long(name: str, cases: int, seed: int) -> None:
    test = next(test for test in listed(paths.preset()) if test.name == name)
    environment = os.environ | {"TOROID_FUZZ_CASES": str(cases), "TOROID_FUZZ_SEED": str(seed)}
    done = subprocess.run(
        test.command, env=environment | LEAKS, capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:]
