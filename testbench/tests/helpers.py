# SPDX-License-Identifier: Apache-2.0
"""What tests share: the command line as a person uses it, programs for the machine, and a machine file to spoil."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pytest
from command_server import CommandServer

from toroid import cli, paths
from toroid.experiments.figures import FIGURES

LAUNCHER = paths.ROOT / "toroid"
PROGRAMS = paths.ROOT / "testbench" / "tests" / "programs"
# What a command line is made of.
Arguments = list[str | Path]
# The command line in a test's own process: its arguments; status, standard output and error.
Toroid = Callable[..., tuple[int, str, str]]

SHIPPED = paths.MACHINES / "bgl.yaml"


def toroid(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    stdin: str = "",
) -> subprocess.CompletedProcess[str]:
    """Runs ./toroid to its end, by way of a process that has loaded its modules (command_server). A command that hangs
    fails the test."""
    command = ["toroid", *map(str, arguments)]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        streams = [stream.fileno() for stream in (given, out, err)]
        status = CommandServer.running().run(command, cwd or Path.cwd(), os.environ | dict(env or {}), streams, timeout)
        return subprocess.CompletedProcess(command, status, _text(out), _text(err))


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return io.TextIOWrapper(stream, encoding="utf-8").read()


def command_line_here(
    machines: Path, simulator: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Toroid:
    """The command line in this process, with these descriptions and this simulator."""
    monkeypatch.setattr(paths, "MACHINES", machines)
    monkeypatch.setattr(paths, "simulator", lambda _preset=None: simulator)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["toroid", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert isinstance(ended.value.code, int)
        return ended.value.code, *capfd.readouterr()

    return call


def compiled(source: Path, directory: Path, command: str = "cc", options: Sequence[str] = ()) -> Path:
    """A program for the machine, built as a person builds one; in the directory, where Fortran leaves its modules."""
    program = directory / source.stem
    done = toroid(command, *options, source.absolute(), "-o", program, cwd=directory)
    assert done.returncode == 0, done.stderr
    return program


def read_result(directory: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((directory / "result.json").read_text())
    return loaded


def reproduced(directory: Path, machine: str, *arguments: str) -> dict[str, float]:
    """What `toroid reproduce` measures of a machine's figures, by the rows' names."""
    done = toroid("reproduce", machine, *arguments, "--results", directory, timeout=300)
    assert done.returncode == 0, done.stderr
    names = [name for name in arguments if not name.startswith("-")]
    for name in names or FIGURES[machine]:
        assert (directory / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    rows = json.loads((directory / "rows.json").read_text())["rows"]
    return {row["row"]: row["measured"] for row in rows}


def spoiled_machine(directory: Path, old: str, new: str) -> tuple[Path, int]:
    """A copy of the shipped description with one change, and the number of the first line that changed."""
    text = SHIPPED.read_text()
    assert old in text, f"{old!r} is not in the shipped description"
    copy = directory / "mine.yaml"
    copy.write_text(text.replace(old, new, 1))
    return copy, text[: text.index(old)].count("\n") + 1


def marked_part(source: str, mark: str) -> str:
    """The lines between `// [mark]` and the next `// [end]`, less their common indentation."""
    lines = source.splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip() == f"// [{mark}]")
    last = next(i for i in range(first, len(lines)) if lines[i].strip() == "// [end]")
    indentation = len(lines[first]) - len(lines[first].lstrip())
    return "\n".join(line[indentation:] for line in lines[first + 1 : last]) + "\n"


def check_snippets(guide: Path) -> int:
    """Each code block of a guide that names its source is that part of it. Returns how many there are."""
    found = re.findall(
        r"<!-- snippet: (\S+) \[(\w+)\] -->\n```c\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL
    )
    for path, mark, shown in found:
        assert shown == marked_part((paths.ROOT / path).read_text(encoding="utf-8"), mark), f"{path} [{mark}]"
    return len(found)
