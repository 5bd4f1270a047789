# SPDX-License-Identifier: Apache-2.0
"""The checks of `toroid lint`. Each looks at the files that git knows or would know, and returns its findings."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toroid import paths

_C_FAMILY = (".h", ".c", ".cpp")
_LICENSED = (*_C_FAMILY, ".py", ".sh", ".cmake", ".yaml", ".toml", ".rdl", ".sv", ".f90", ".js", ".css", ".html")
_LICENCE_LINE = "SPDX-License-Identifier: Apache-2.0"
_GENERATORS = {
    "registers": paths.ROOT / "nic" / "common" / "generate_registers.py",
    "ports of the dissector": paths.ROOT / "testbench" / "wireshark" / "generate_ports.py",
    "help texts": paths.ROOT / "testbench" / "generate_help.py",
}
# The head of a generated file says so, in words that generators share.
_GENERATED = re.compile(r"generated (by|from)|do not edit", re.IGNORECASE)

_SHELL = re.compile(r"#!(/usr/bin/env (-S .* )?bash|/bin/sh)")

# What holds on one machine only: home directories and scratch places, and options that name a package server.
_MACHINE_PATH = re.compile(r"""(?<![\w.$}>-])/(home|root|work|tmp|opt|Users)/[\w.]""")
_PACKAGE_SERVER = re.compile(
    r"--(extra-)?index-url|--find-links|--trusted-host|https?://[\w.-]*(index|registry|proxy|mirror)\."
)
# Places that hold such text on purpose: the licence, tests of it, and this file.
_PATHS_ALLOWED = ("LICENSE", "testbench/toroid/lint.py", "testbench/tests/python/test_lint.py")


@dataclass(frozen=True)
class Check:
    title: str
    run: Callable[[], list[str]]


def project_files(*endings: str) -> list[Path]:
    """Files that belong to the project: tracked, or new and not ignored. All, or those with one of the endings."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=paths.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    files = sorted({paths.ROOT / name for name in listed if not endings or name.endswith(endings)})
    return [file for file in files if file.is_file()]


def _tool(*command: str | Path) -> list[str]:
    """Lines that a tool printed when it was not content."""
    done = subprocess.run(command, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    lines = (done.stdout + done.stderr).splitlines()
    return lines or [f"{command[0]}: exit status {done.returncode}"]


def _python_module(name: str, *arguments: str) -> list[str]:
    return _tool(sys.executable, "-m", name, *arguments)


def _environment_tool(name: str) -> Path:
    """A program from the same environment as this interpreter."""
    return Path(sys.executable).parent / name


def _relative(file: Path) -> str:
    return str(file.relative_to(paths.ROOT))


def _head(file: Path, lines: int = 5) -> str:
    return "\n".join(file.read_text(encoding="utf-8", errors="replace").splitlines()[:lines])


def is_generated(file: Path) -> bool:
    return _GENERATED.search(_head(file)) is not None


def _python_files() -> list[str]:
    return [str(file) for file in project_files(".py")]


def _clang_format() -> list[str]:
    files = [file for file in project_files(*_C_FAMILY) if not is_generated(file)]
    said = _tool(_environment_tool("clang-format"), "--dry-run", "-Werror", *files) if files else []
    return [line for line in said if ": error: " in line] or said


def _shell_scripts() -> list[Path]:
    return [file for file in project_files() if file.suffix == ".sh" or _SHELL.match(_head(file, 1))]


def _verilator() -> list[str]:
    """Each SystemVerilog file as a top of its own; modules that it uses are looked for wherever there are some."""
    files = project_files(".sv")
    if not files:
        return []
    if shutil.which("verilator") is None:
        return ["verilator is not installed"]
    folders = [text for folder in sorted({file.parent for file in files}) for text in ("-y", str(folder))]
    return [
        line
        for file in files
        for line in _tool("verilator", "--lint-only", "-Wall", *folders, "--top-module", file.stem, file)
    ]


def _current(generator: Path) -> Callable[[], list[str]]:
    return lambda: _tool(sys.executable, generator, "--check")


def _licence_lines() -> list[str]:
    files = [file for file in project_files(*_LICENSED) if not is_generated(file)]
    return [
        f"{_relative(file)}:1: the line '{_LICENCE_LINE}' is missing"
        for file in files
        if _LICENCE_LINE not in _head(file)
    ]


def machine_specific_lines(files: Sequence[Path]) -> list[str]:
    """Lines that name a path or a package server of one machine."""
    findings = []
    for file in files:
        if _relative(file) in _PATHS_ALLOWED:
            continue
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(lines, start=1):
            if _MACHINE_PATH.search(line) or _PACKAGE_SERVER.search(line):
                findings.append(f"{_relative(file)}:{number}: names a place of one machine: {line.strip()[:100]}")
    return findings


CHECKS = [
    Check(
        "Python: lint", lambda: _python_module("ruff", "check", "--quiet", "--output-format=concise", *_python_files())
    ),
    Check("Python: format", lambda: _python_module("ruff", "format", "--quiet", "--check", *_python_files())),
    Check("Python: types", lambda: _python_module("mypy", "--no-error-summary")),
    Check("C and C++: format", _clang_format),
    Check("shell", lambda: _tool(_environment_tool("shellcheck"), *_shell_scripts())),
    Check("SystemVerilog", _verilator),
    *(Check(f"generated {what} are current", _current(generator)) for what, generator in _GENERATORS.items()),
    Check("licence lines", _licence_lines),
    Check("no paths or package servers of one machine", lambda: machine_specific_lines(project_files())),
]
