# SPDX-License-Identifier: Apache-2.0
"""The headers of Blue Gene/P's SPI compile alone, without a warning, in every language that programs are written in."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from toroid import guest, paths

HEADERS = paths.ROOT / "drivers/bgp/include"
NAMES = sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h"))
LANGUAGES = {"gnu89": "gcc", "gnu99": "gcc", "gnu11": "gcc", "c++98": "g++", "gnu++17": "g++"}
# Both levels of the SPI, and the form before them, by the number of arguments.
CALLS = """
#include <spi/bgp_SPI.h>
static void barrier(void *a) { (void)a; }
static DMA_InjFifoGroup_t g;
int f(int *i, unsigned short *s, unsigned char *m, LockBox_Barrier_t *b) {
  int e = DMA_InjFifoGroupAllocate(0, 1, i, s, s, m, NULL, NULL, (Kernel_InterruptGroup_t)0, b, &g);
  DMA_InjFifoRgetFifoFullInit(NULL, b);
  e += DMA_InjFifoGroupAllocate(0, 1, i, s, s, m, NULL, NULL, (Kernel_InterruptGroup_t)0, barrier, NULL, &g);
  DMA_InjFifoRgetFifoFullInit(NULL, barrier, NULL);
  return e + DMA_InjFifoGroupAllocate(0, 1, i, s, s, m, &g);
}
"""


def compile_errors(texts: str | list[str], language: str, directory: Path, *options: str) -> str:
    sources = []
    for number, text in enumerate([texts] if isinstance(texts, str) else texts):
        sources.append(directory / f"{number}.c")
        sources[-1].write_text(text)
    tools = guest.toolchain("bgp")
    command = [tools.tool(LANGUAGES[language]), *tools.compile, *options, f"-std={language}", "-O0", "-fsyntax-only"]
    command += ["-Wall", "-Wextra", "-Werror", "-x", "c++" if "++" in language else "c"]
    command += [f"-I{paths.ROOT}", f"-I{HEADERS}", *map(str, sources)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_headers_together(language: str, tmp_path: Path) -> None:
    assert compile_errors("".join(f"#include <{name}>\n" for name in NAMES), language, tmp_path) == ""


def test_each_header_alone(tmp_path: Path) -> None:
    assert compile_errors([f"#include <{name}>\n" for name in NAMES], "gnu11", tmp_path) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_levels_by_the_number_of_arguments(language: str, tmp_path: Path) -> None:
    assert compile_errors(CALLS, language, tmp_path) == ""


@pytest.mark.parametrize(("level", "wrong"), [(1, "too many arguments"), (2, "too few arguments")])
def test_one_level_alone(level: int, wrong: str, tmp_path: Path) -> None:
    assert wrong in compile_errors(CALLS, "gnu11", tmp_path, f"-DBGP_SPI_LEVEL={level}")


def test_every_inline_function_is_static() -> None:
    """A program of gnu99 and later that includes a header twice must not define a function twice."""
    for name in NAMES:
        for line in (HEADERS / name).read_text().splitlines():
            assert not line.startswith(("inline", "extern inline")), f"{name}: {line}"
