# SPDX-License-Identifier: Apache-2.0
"""All cores run as processors of one instance of Unicorn from source. Programs print the same and have the same
results, faults included, in other ways: with an instance for each core; with a code buffer that is filled again and
again; with Debian's Unicorn, an earlier version without our patches (only libtoroid_unicorn.so differs). What blocks
cost is counted by their code (hw/core/block_counting.h); on engines of their own, and with `blocks called`, by the core
in every block, and with `blocks checked` by both, which must agree block by block."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import Arguments, compiled, read_result, toroid

from toroid import paths

LIBRARIES = {"LD_LIBRARY_PATH": str(paths.BUILD / paths.preset() / "lib" / "debian")}
# The library that the simulator loads with a process's environment.
USED = "libunicorn.so.2 => "


def unicorn_of(env: dict[str, str]) -> str:
    listed = subprocess.run(["ldd", paths.simulator()], env=env, capture_output=True, text=True, check=True).stdout
    return next(line.partition(USED)[2].split()[0] for line in listed.splitlines() if USED in line)


WAYS = {
    "own": {"TOROID_ENGINES": "own"},
    "small buffer": {"TOROID_CODE_BUFFER": "4"},
    "Debian": LIBRARIES,
    "blocks called": {"TOROID_BLOCKS": "called"},
    "blocks checked": {"TOROID_BLOCKS": "checked"},
}

PROGRAMS: dict[str, Arguments] = {
    "ping-pong": ["--shape", "4x2x2", "pingpong", "--protocol", "eager", "--size", "700"],
    "stress": ["--shape", "2x2x2", "--seed", "5", "stress", "--messages", "50"],
    "C++": ["--shape", "2x1x1", "hello_cpp"],
    "Fortran": ["--shape", "2x1x1", "hello_fortran"],
    "MPI": ["--shape", "2x2x1", "nas_is"],
    "MPI, no caches": ["--shape", "2x2x1", "--set", "core.caches=false", "nas_is"],
    "MPI, no pipelines": ["--shape", "2x2x1", "--set", "core.pipeline=false", "nas_is"],
    "MPI, stores that write through": [
        *["--shape", "2x2x1", "--set", "cache.l1_writes=write_through", "--set", "cache.store_cycles=3"],
        "nas_is",
    ],
    "MPI, floating point": ["--shape", "2x2x1", "nas_mg"],
    "two cores": ["--shape", "2x1x1", "coherence"],
    "interrupts": ["--shape", "1x1x1", "--set", "global_interrupts.wire_cycles=300", "interrupts"],
    "illegal instruction": ["--shape", "2x1x1", "illegal"],
    "null pointer": ["--shape", "2x1x1", "null"],
    "jump into data": ["--shape", "2x1x1", "jumpdata"],
    "full stack": ["--shape", "2x1x1", "stackoverflow"],
}


def run(directory: Path, arguments: Arguments, env: dict[str, str]) -> tuple[int, str, dict[str, Any]]:
    """Exit status, output, result."""
    done = toroid("run", "--results", directory, *arguments, env=env, timeout=300)
    result = read_result(directory)
    if env is LIBRARIES:
        # Where the others were when one failed: Debian's Unicorn may tell the PC of an earlier block of theirs.
        for rank in result["ranks"]:
            rank.pop("waiting", None)
    return done.returncode, done.stdout, result


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[int, str, dict[str, Any]]]:
    """What a program does on one engine, run once."""

    @cache
    def first(name: str) -> tuple[int, str, dict[str, Any]]:
        return run(tmp_path_factory.mktemp("shared") / "result", arguments_of(name), {})

    return first


def arguments_of(name: str) -> list[str | Path]:
    programs = {program: paths.guest_program(program) for program in map(str, PROGRAMS[name])}
    return [programs[word] if programs[word].is_file() else word for word in map(str, PROGRAMS[name])]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_results(
    tmp_path: Path, name: str, way: str, shared: Callable[[str], tuple[int, str, dict[str, Any]]]
) -> None:
    if way == "Debian" and unicorn_of({}) == unicorn_of(LIBRARIES):
        pytest.skip("the build is one with Debian's Unicorn (TOROID_UNICORN=debian)")
    status, output, result = shared(name)
    if way == "Debian":
        result = {**result, "ranks": [{k: v for k, v in rank.items() if k != "waiting"} for rank in result["ranks"]]}
    assert run(tmp_path / "other", arguments_of(name), WAYS[way]) == (status, output, result)


UNMAP_CODE = r"""
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096
#define PAGES 600
__asm__(".text\n .balign 4096\n .globl unused\nunused: .skip 4096 * 600\n");
extern char unused[];

static int __attribute__((noinline)) work(int i) { return i * 3 + 1; }

int main(void)
{
    int sum = 0;
    for (int i = 0; i < PAGES; i += 2) {
        if (munmap(unused + i * PAGE, PAGE) != 0) {
            perror("munmap");
            return 1;
        }
        sum += work(i);
    }
    printf("%d\n", sum);
    fflush(stdout);
    ((void (*)(void))(unused + 4 * PAGE))();
    return 0;
}
"""


def test_code_may_go_page_by_page(tmp_path: Path) -> None:
    """Each page less is another set of translations, of which an engine has 255 at a time; what has gone faults."""
    source = tmp_path / "unmap.c"
    source.write_text(UNMAP_CODE)
    program = compiled(source, tmp_path)
    arguments: Arguments = ["--shape", "2x1x1", program]
    found = run(tmp_path / "shared", arguments, {})
    status, output, result = found
    assert (status, output) == (1, f"{sum(3 * i + 1 for i in range(0, 600, 2))}\n" * 2), result["error"]
    assert "which is not mapped" in result["error"]
    assert run(tmp_path / "own", arguments, {"TOROID_ENGINES": "own"}) == found


UNMAP_ONE = r"""
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
__asm__(".text\n .balign 4096\n .globl unused\nunused: .skip 4096 * 300\n");
extern char unused[];

int main(void)
{
    if (munmap(unused + getpid() % 300 * PAGE, PAGE) != 0)
        perror("munmap");
    else
        puts("done");
    return 0;
}
"""


def test_too_many_sets_of_code_are_an_error_for_the_program(tmp_path: Path) -> None:
    """Each of 280 ranks leaves out another page of its code. Those for which the engine has no room stay as they are,
    and go on."""
    source = tmp_path / "unmap.c"
    source.write_text(UNMAP_ONE)
    done = toroid("run", "--shape", "8x7x5", "--results", tmp_path / "result", compiled(source, tmp_path))
    assert done.returncode == 0, done.stderr
    refused = done.stderr.count("munmap: Cannot allocate memory\n")
    assert 280 - 255 <= refused < 50
    assert done.stdout.count("done\n") == 280 - refused


def test_a_full_code_buffer_ends_the_run_with_a_line(tmp_path: Path) -> None:
    """Translations that suspended cores return into cannot go, and the smallest buffer has few parts."""
    arguments: Arguments = ["--shape", "4x4x4", paths.guest_program("stress")]
    _, _, result = run(tmp_path, arguments, {"TOROID_CODE_BUFFER": "1"})
    assert "no room for further translations" in result["error"]
