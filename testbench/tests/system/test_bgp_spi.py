# SPDX-License-Identifier: Apache-2.0
"""Programs on Blue Gene/P's SPI: what they compute over structures, what the kernel answers, what the DMA moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import check_snippets, read_result, toroid

from toroid import paths

MODES = {"smp": 1, "dual": 2, "vn": 4}
# What a rank's line ends with.
TRANSFERS = {
    "dma_put": "64 bytes from rank {before}",
    "spi_put": "puts of 1 to 100000 bytes from rank {before} and from itself: 0 bytes are wrong",
    "spi_get": "gets of 8 to 20000 bytes from rank {behind}: 0 bytes are wrong",
    "spi_message": "40 messages in 292 packets, then one for nobody: 0 are wrong",
}


def program(name: str) -> Path:
    return paths.guest_program(name, "bgp")


def lines(name: str, shape: str, mode: str, *arguments: str | Path) -> list[str]:
    done = toroid("run", "--machine", "bgp", "--shape", shape, "--mode", mode, *arguments, program(name), timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(done.stdout.splitlines(), key=lambda line: int(line.split()[1].rstrip(":")))


def test_the_header_fifo_is_behind_all_others_however_many_are_mapped() -> None:
    done = toroid("run", "--machine", "bgp", "--shape", "1x1x1", program("spi_headers"))
    assert (done.returncode, done.stdout) == (0, "1 normal, 1 header: failed 0, polled 5, called 5\n"), done.stderr


def test_structures_and_functions_without_a_device() -> None:
    done = toroid("run", "--machine", "bgp", "--shape", "1x1x1", program("spi_structures"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" looked at, 0 wrong\n")


@pytest.mark.parametrize("headers", ["dma", "chip"])
def test_layouts_constants_and_functions_are_those_of_the_machine(headers: str, tmp_path: Path) -> None:
    """What each program is to print is what it printed when it was compiled on published headers."""
    folder = paths.ROOT / "testbench/tests/system/spi_layouts"
    compiled = toroid("cc", "--machine", "bgp", "-std=gnu89", folder / f"{headers}.c", "-o", tmp_path / "layout")
    assert compiled.returncode == 0, compiled.stderr
    done = toroid("run", "--machine", "bgp", "--shape", "1x1x1", tmp_path / "layout")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == (folder / f"{headers}.txt").read_text()


PAIRS = """\
#include <stdio.h>
static const double from[4] __attribute__((aligned(16))) = {1.5, 2.5, 3.5, 4.5};
static double to[4] __attribute__((aligned(16)));
void copy_second(const double* from, double* to);
int main(void) {
  __asm__ volatile("lfpdx 5,0,%0\\n\\tstfpdx 5,0,%1" : : "b"(from), "b"(to) : "fr5", "memory");
  copy_second(from, to);
  printf("%g %g %g %g\\n", to[0], to[1], to[2], to[3]);
  return 0;
}
"""
COPY_SECOND = """\
\t.globl copy_second
copy_second:
\tli 5,16
\tlfpdux 0,3,5
\tstfpdux 0,4,5
\tblr
"""


def test_mnemonics_of_the_double_fpu_need_no_header(tmp_path: Path) -> None:
    (tmp_path / "pairs.c").write_text(PAIRS)
    (tmp_path / "copy.S").write_text(COPY_SECOND)
    sources = [tmp_path / "pairs.c", tmp_path / "copy.S"]
    compiled = toroid("cc", "--machine", "bgp", *sources, "-o", tmp_path / "pairs")
    assert compiled.returncode == 0, compiled.stderr
    done = toroid("run", "--machine", "bgp", "--shape", "1x1x1", tmp_path / "pairs")
    assert done.stdout == "1.5 2.5 3.5 4.5\n", done.stdout + done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_what_the_kernel_answers(mode: str) -> None:
    for line in lines("kernel_calls", "2x1x1", mode):
        assert line.endswith(" answers, 0 of them wrong")


@pytest.mark.parametrize(("caches", "checks"), [("true", 67), ("false", 49)])
def test_performance_counters(caches: str, checks: int) -> None:
    """What the program does, counted exactly, and what the unit refuses."""
    of_caches = ["--set", f"core.caches={caches}"]
    expected = [f"rank {rank}: {checks} looked at, 0 wrong" for rank in range(2)]
    assert lines("performance_counters", "2x1x1", "smp", *of_caches) == expected


@pytest.mark.parametrize(("shape", "mode"), [*(("2x2x1", mode) for mode in MODES), ("1x1x1", "dual")])
@pytest.mark.parametrize("name", TRANSFERS)
def test_transfers(name: str, shape: str, mode: str) -> None:
    """On one node, packets to the own node travel around a ring of one."""
    ranks = (4 if shape == "2x2x1" else 1) * MODES[mode]
    expected = [
        f"rank {rank}: " + TRANSFERS[name].format(before=(rank - 1) % ranks, behind=(rank + 1) % ranks)
        for rank in range(ranks)
    ]
    assert lines(name, shape, mode) == expected


@pytest.mark.parametrize("name", ["spi_message", "spi_get"])
def test_the_result_does_not_depend_on_how_it_is_simulated(name: str, tmp_path: Path) -> None:
    results = []
    for number, options in enumerate((["--set", "core.quantum=17"], ["--no-park"], [])):
        lines(name, "2x1x1", "smp", *options, "--results", tmp_path / str(number))
        result = read_result(tmp_path / str(number))
        results.append((result["simulated_ns"], result["network"]))
    assert results[0] == results[1] == results[2]


def test_the_guide_shows_parts_of_programs() -> None:
    assert check_snippets(paths.ROOT / "docs/guide/bgp_spi.md") == 4
