# SPDX-License-Identifier: Apache-2.0
"""Packages that only some commands need: what asks for which, and how often the launcher is asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from toroid import build, guest, packages, paths
from toroid.commands import compile as compilers


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A launcher that notes in this file what it is asked to install."""
    monkeypatch.delenv("TOROID_NO_BUILD", raising=False)
    launcher = tmp_path / "toroid"
    launcher.write_text(f'#!/bin/sh\necho "$TOROID_INSTALL" >>{tmp_path / "asked"}\n[ "$TOROID_INSTALL" != broken ]\n')
    launcher.chmod(0o755)
    (tmp_path / "packages.txt").write_text("cmake # all\n[one]\na # b\n[broken]\nc # d\n")
    (tmp_path / "status").touch()
    for name in ("toroid", "packages.txt", "status"):
        os.utime(tmp_path / name, ns=(1, 1))
    monkeypatch.setattr(packages, "_LAUNCHER", launcher)
    monkeypatch.setattr(packages, "_LIST", tmp_path / "packages.txt")
    monkeypatch.setattr(packages, "_DATABASE", tmp_path / "status")
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    return tmp_path / "asked"


def test_the_launcher_is_asked_once(asked: Path) -> None:
    for _ in range(3):
        packages.ensure("powerpc-linux-gnu", "one")
    assert asked.read_text() == "one\n"


@pytest.mark.parametrize("changed", ["toroid", "packages.txt", "status"])
def test_and_again_when_something_has_changed(asked: Path, changed: str) -> None:
    packages.ensure("one")
    os.utime(asked.parent / changed)
    packages.ensure("one")
    assert asked.read_text() == "one\none\n"


def test_what_cannot_be_installed_ends_the_command(asked: Path) -> None:
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            packages.ensure("broken", "one")
        assert ended.value.code == 1
    assert asked.read_text() == "one\nbroken\nbroken\n"


def test_what_is_not_built_needs_nothing(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_NO_BUILD", "1")
    packages.ensure("one")
    assert not asked.exists()


def wanted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Collects what is asked for."""
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(packages, "ensure", lambda *names: found.append(names))
    monkeypatch.delenv("TOROID_NO_BUILD", raising=False)
    return found


@pytest.mark.parametrize(
    ("targets", "triples"),
    [
        (build.SIMULATOR, set()),
        (("guest_test-ppc64_libraries",), {"powerpc64-linux-gnu"}),
        (build.ALL, {guest.toolchain(machine).triple for machine in guest.machines()}),
        (build.WITH_TESTS, set(packages.headings())),
        (build.SANITIZED_TESTS, set(packages.headings())),
        ((*build.ALL, build.BENCH_CORE), set(packages.headings())),
    ],
    ids=["simulator", "libraries", "all", "tests", "sanitized", "bench"],
)
def test_targets_need_compilers(targets: tuple[str, ...], triples: set[str]) -> None:
    assert set(build._packages_for(targets)) == triples


def test_what_all_commands_build_needs_no_compiler_of_test_chips() -> None:
    answer = subprocess.run(
        ["ninja", "-C", paths.ROOT / "build" / "release", "-t", "inputs", "all"],
        check=True,
        capture_output=True,
        text=True,
    )
    made = {chip for chip in guest.test_chips() if f"guest/{chip}/" in answer.stdout}
    assert not made, "what is made for a test chip is for tests and benchmarks (cmake/guest.cmake)"


def test_a_compiler_comes_with_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = wanted(monkeypatch)

    class EnoughError(Exception):
        pass

    def stop(*_: object, **__: object) -> list[str]:
        raise EnoughError

    monkeypatch.setattr(compilers, "compiler_command", stop)
    for machine, triple in {"test-ppc64": "powerpc64-linux-gnu", "bgl": "powerpc-linux-gnu"}.items():
        with pytest.raises(EnoughError):
            compilers.cc.main(["--machine", machine, "prog.c"], standalone_mode=False)
        assert found.pop() == (triple,)


def test_each_heading_is_for_something() -> None:
    triples = {guest.toolchain(machine).triple for machine in (*guest.machines(), *guest.test_chips())}
    assert set(packages.headings()) <= {packages.TESTS, *triples}
