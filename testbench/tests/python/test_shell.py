# SPDX-License-Identifier: Apache-2.0
"""What makes the command line at home in a shell: words that it completes, manual pages, and links by other names."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

# As first_steps.md has it, and as bash calls it when a person presses the key.
COMPLETE = """
eval "$(_TOROID_COMPLETE=bash_source ./toroid)"
complete -p toroid >/dev/null || exit 1
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_toroid_completion "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["./toroid", "tr"], ["traffic"]),
        (["./toroid", "run", "--sha"], ["--shape"]),
        (["./toroid", "run", "--mode", ""], ["co", "vn"]),
        (["./toroid", "run", "--machine", "b"], ["bgl", "bgp", "bgq"]),
        (["./toroid", "run", "--set", "torus.bu"], ["torus.buffer_chunks=", "torus.bubble_chunks="]),
        (["./toroid", "reproduce", "b"], ["bgl", "bgp", "bgq"]),
        (["./toroid", "reproduce", "bgl", "fig7"], ["fig7", "fig7-mpi"]),
        (["./toroid", "reproduce", "bgl", "fig7", "fig7"], ["fig7-mpi"]),
        (["./toroid", "reproduce", "nowhere", "fig7"], [""]),
        (["./toroid", "pictures", "uni"], ["uniform"]),
        (["./toroid", "bench", "elab"], [r"elaboration,\ 64x32x32"]),
        (["./toroid", "bench", r"elaboration,\ 6"], [r"elaboration,\ 64x32x32"]),
        (["./toroid", "run", "--machine", "nowhere.yaml", "--set", "torus.bu"], [""]),
    ],
)
def test_the_shell_completes_words(words: list[str], expected: list[str]) -> None:
    done = subprocess.run(
        ["bash", "-c", COMPLETE, "bash", *words],
        cwd=paths.ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == expected


def test_manual_pages_tell_what_help_tells(tmp_path: Path) -> None:
    done = toroid("man", "pages", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    pages = sorted(path.name for path in (tmp_path / "pages" / "man1").iterdir())
    assert done.stderr == f"toroid: {len(pages)} manual pages: pages/man1\n"
    for name in ("toroid.1", "toroid-run.1", "toroid-reproduce.1", "toroid-mpicc.1", "toroid-c++.1"):
        assert name in pages
    assert "toroid-mpirun.1" not in pages
    for name in pages:
        said = (tmp_path / "pages" / "man1" / name).read_text().partition(".SH NAME\n")[2].splitlines()[0]
        assert said.endswith("."), said
        assert not said.endswith("..."), said
    run = (tmp_path / "pages" / "man1" / "toroid-run.1").read_text()
    for text in (r"\-\-shape", r"\-np", "built with `toroid cc`", r".SH SYNOPSIS"):
        assert text in run
    # The list of figures keeps its lines.
    assert "\n.nf\n  bgl fig4: " in (tmp_path / "pages" / "man1" / "toroid-reproduce.1").read_text()
    assert "See \\fBtoroid-traffic(1)\\fP" in (tmp_path / "pages" / "man1" / "toroid.1").read_text()


@pytest.mark.skipif(shutil.which("man") is None, reason="nothing shows manual pages here")
def test_manual_pages_are_shown_without_complaint(tmp_path: Path) -> None:
    assert toroid("man", "pages", cwd=tmp_path).returncode == 0
    for page in (tmp_path / "pages" / "man1").iterdir():
        command = ["man", "--warnings", "--encoding=UTF-8", "--local-file", str(page)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, ""), page
        assert "NAME" in done.stdout


@pytest.mark.parametrize("name", ["mpirun", "mpiexec"])
def test_links_start_programs(name: str) -> None:
    done = subprocess.run(
        [paths.ROOT / "testbench" / "bin" / name, "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.startswith(f"Usage: toroid {name} [OPTIONS] PROGRAM [ARGUMENTS]...\n")


def test_results_go_where_the_command_is_called(
    toroid: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (tmp_path / "prog").rename(here / "prog")
    monkeypatch.chdir(here)
    monkeypatch.delenv("TOROID_RESULTS", raising=False)
    monkeypatch.setattr(paths, "RESULTS", paths.results())
    assert toroid("run", "prog") == 0
    assert (here / "results" / "run" / "prog-001" / "result.json").is_file()
    monkeypatch.setenv("TOROID_RESULTS", str(tmp_path / "mine"))
    monkeypatch.setattr(paths, "RESULTS", paths.results())
    assert toroid("run", "prog") == 0
    assert (tmp_path / "mine" / "run" / "prog-001" / "result.json").is_file()


def test_no_place_for_results(
    toroid: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results").write_text("mine")
    assert toroid("run", "prog") == 2
    err = capfd.readouterr().err
    assert err.startswith("toroid: ")
    assert err.endswith("; name another place with --results or TOROID_RESULTS\n")
    assert err.count("\n") == 1
