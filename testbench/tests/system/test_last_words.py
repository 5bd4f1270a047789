# SPDX-License-Identifier: Apache-2.0
"""What a program has printed is shown, whatever ends its job, and as it prints it: by lines."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from helpers import LAUNCHER, PROGRAMS, Arguments, compiled, read_result, toroid

LANGUAGES = {
    "C": ("mpicc", "last_words.c"),
    "C++": ("mpicxx", "last_words_cpp.cpp"),
    "Fortran": ("mpif90", "last_words_fortran.f90"),
}

ENDS = {"deadlock": ("deadlock", 1), "fault": ("fault", 1), "abort": ("aborted", 7), "forever": ("timeout", 124)}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("programs")
    return {
        language: compiled(PROGRAMS / source, directory, command) for language, (command, source) in LANGUAGES.items()
    }


def words(language: str, how: str, rank: int) -> list[str]:
    return [f"rank {rank} of {language}", f"about to {how} on {rank}", f"{rank}: no newline"]


def lines_of(output: str, rank: int) -> list[str]:
    """With --prefix."""
    return [line[3:] for line in output.splitlines() if line.startswith(f"{rank}: ")]


@pytest.mark.parametrize("preset", ["release", pytest.param("asan", marks=pytest.mark.slow)])
@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_shown_whatever_the_end(
    programs: dict[str, Path], tmp_path: Path, language: str, how: str, preset: str
) -> None:
    # At a fault, Fortran's library prints where it is, for which it sorts all functions.
    limit = "100ms" if (language, how) == ("Fortran", "fault") else "2ms"
    options: Arguments = ["--results", tmp_path, "--shape", "2x1x1", "--timeout", limit, "--prefix"]
    # The leak checker itself faults, where a run ends in the middle of a core's coroutine.
    environment = {"TOROID_PRESET": preset, "ASAN_OPTIONS": "detect_stack_use_after_return=0:detect_leaks=0"}
    ended, status = ENDS[how]
    # Buffered by lines; and `held`, in one large buffer, which Fortran has not.
    for held in ([], ["held"]) if language != "Fortran" else ([],):
        done = toroid("run", *options, programs[language], *held, how, env=environment, timeout=300)
        assert done.returncode == status, done.stderr
        assert read_result(tmp_path)["ended"] == ended
        for rank in (0, 1):
            assert lines_of(done.stdout, rank) == words(language, how, rank), done.stdout
        # Nothing else.
        assert len(done.stdout.splitlines()) == 6
        written = [rank["io"]["request_bytes"] for rank in read_result(tmp_path)["ranks"]]
        # By lines: two of them have gone out long before the end.
        lines = len(words(language, how, 0)[0]) + len(words(language, how, 0)[1]) + 2
        assert held or all(count >= lines for count in written)


@pytest.mark.parametrize("held", [[], ["held"]])
@pytest.mark.parametrize("language", ["C", "C++"])
def test_a_timeout_at_any_time_shows_each_byte_once(
    programs: dict[str, Path], tmp_path: Path, language: str, held: list[str]
) -> None:
    """In the middle of the calls that print, before them, and behind them."""
    whole = {rank: "\n".join(words(language, "forever", rank)) for rank in (0, 1)}
    shown = set()
    for step in range(10):
        options: Arguments = ["--results", tmp_path, "--shape", "2x1x1", "--prefix"]
        time = f"{146 + 2 * step if language == 'C' else 200 + 20 * step}us"
        done = toroid("run", *options, "--timeout", time, programs[language], *held, "forever")
        assert done.returncode == 124
        for rank in (0, 1):
            shown_now = "\n".join(lines_of(done.stdout, rank))
            assert whole[rank].startswith(shown_now), (time, done.stdout)
            shown.add(len(shown_now))
    assert len(shown) > 2


def test_interrupted(programs: dict[str, Path], tmp_path: Path) -> None:
    """A line shows as soon as it is printed; the rest with the end."""
    options = ["--results", str(tmp_path), "--shape", "2x1x1"]
    command = [str(LAUNCHER), "run", *options, str(programs["C"]), "forever"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(4)]
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert sorted(line.rstrip("\n") for line in first) == sorted(
        line for rank in (0, 1) for line in words("C", "forever", rank)[:2]
    )
    assert all(line in ("0: no newline", "1: no newline") for line in rest.splitlines()), rest
    assert read_result(tmp_path)["ended"] == "interrupted"


REDIRECTED = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  (void)argv;
  printf("to the user\n");
  if (argc > 1) {
    fflush(stdout);
    const int file = open("out", O_WRONLY | O_CREAT, 0644);
    if (dup2(file, 1) != 1) return 2;
  } else if (freopen("out", "w", stdout) == NULL) {
    return 2;
  }
  for (int i = 0; i < 100; ++i) printf("to the file\n");
  fflush(stdout);
  printf("lost, as anywhere: held back for a file");
  abort();
}
"""


@pytest.mark.parametrize("arguments", [[], ["dup2"]])
def test_a_file_is_buffered_in_whole(tmp_path: Path, arguments: list[str]) -> None:
    source = tmp_path / "redirected.c"
    source.write_text(REDIRECTED)
    program = compiled(source, tmp_path)
    job = tmp_path / "job"
    job.mkdir()
    done = toroid("run", "--results", tmp_path, "--shape", "1x1x1", "--directory", job, program, *arguments)
    assert done.returncode == 1
    assert done.stdout == "to the user\n"
    assert (job / "out").read_text() == 100 * "to the file\n"
    if not arguments:
        assert read_result(tmp_path)["ranks"][0]["system_calls"]["write"] < 4


ASK = r"""
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int a, b;
  printf("two numbers? ");
  if (scanf("%d %d", &a, &b) != 2) return 3;
  printf("%d, at a terminal: %d\n", a + b, isatty(1));
  return getchar() == '\n' && getchar() == EOF ? 0 : 4;
}
"""


def test_a_question_is_shown_before_its_answer_is_read(tmp_path: Path) -> None:
    source = tmp_path / "ask.c"
    source.write_text(ASK)
    program = compiled(source, tmp_path)
    command = [str(LAUNCHER), "run", "--results", str(tmp_path), "--shape", "1x1x1", str(program)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        question = b"two numbers? "
        assert process.stdout.read(len(question)) == question
        rest, err = process.communicate(b"19 23\n", timeout=120)
    assert process.returncode == 0, err
    assert rest == b"42, at a terminal: 0\n"


def test_streams_in_a_circle_are_shown_once(tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "streams_in_a_circle.c", tmp_path)
    done = toroid("run", "--results", tmp_path / "results", "--shape", "1x1x1", program)
    assert read_result(tmp_path / "results")["ended"] == "fault"
    assert done.stdout == "x" * 4096 + "\n"
