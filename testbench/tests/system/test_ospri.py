# SPDX-License-Identifier: Apache-2.0
"""OSPRI on an emulated Blue Gene/P: its programs in its modes, and ARMCI's own tests over it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

ARMCI_TESTS = paths.ROOT / "testbench" / "tests" / "armci"
# Who makes progress, by which lock, and in which order.
MODES = {
    "helper": ["2x2x1"],
    "atomic lock": ["2x2x1", "--env", "A1D_MPI_ACTIVE=0"],
    "alone": ["2x2x1", "--env", "A1D_ENABLE_CHT=0"],
    "interrupts": ["2x2x1", "--env", "A1D_ENABLE_CHT=0", "--env", "A1D_ENABLE_INTERRUPTS=1"],
    "strict": ["2x2x1", "--env", "A1D_ORDERING=strict"],
    "no order": ["2x2x1", "--env", "OSPD_ORDERING=none"],
    "dual": ["2x1x1", "--mode", "dual"],
    "virtual nodes": ["2x1x1", "--mode", "vn"],
}
OSP_PROGRAM = """
#include <osp.h>
#include <stdio.h>
int main(void) {
  OSP_Initialize(OSP_THREAD_SINGLE);
  osp_counter_t counter;
  long before;
  OSP_Create_counter(OSP_GROUP_WORLD, &counter);
  for (int i = 0; i < 5; ++i) OSP_Incr_counter(counter, 2, &before);
  OSP_Sync_group(OSP_GROUP_WORLD);
  OSP_Incr_counter(counter, 0, &before);
  OSP_Barrier_group(OSP_GROUP_WORLD);
  printf("rank %d of %d: %ld\\n", OSP_Process_id(OSP_GROUP_WORLD), OSP_Process_total(OSP_GROUP_WORLD), before);
  OSP_Destroy_counter(OSP_GROUP_WORLD, &counter);
  return OSP_Finalize();
}
"""


def run(program: str | Path, tmp_path: Path, machine: list[str], *arguments: str) -> str:
    path = paths.guest_program(program, "bgp") if isinstance(program, str) else program
    done = toroid("run", "--machine", "bgp", "--results", tmp_path, "--shape", *machine, path, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(output: str) -> list[dict[str, str]]:
    return [dict(word.split("=") for word in line.split()[1:]) for line in output.splitlines() if "=" in line]


@pytest.mark.parametrize("mode", MODES)
def test_patches_of_a_distributed_matrix(tmp_path: Path, mode: str) -> None:
    output = run("ospri_patches", tmp_path, MODES[mode], "--dimension", "40", "--patches", "8")
    assert "right=yes" in output


def test_patches_that_no_process_has_alone(tmp_path: Path) -> None:
    assert "right=yes" in run("ospri_patches", tmp_path, ["3x1x1"], "--dimension", "25", "--patches", "5")


def test_programs_that_measure_print_a_line_for_each_measurement(tmp_path: Path) -> None:
    machine = ["2x1x1", "--env", "A1D_ENABLE_CHT=0"]
    latency = rows(run("ospri_latency", tmp_path, machine, "--sizes", "8,512", "--rounds", "2"))
    assert [row["operation"] for row in latency] == ["dcmf-put", "put", "get", "accumulate"] * 2
    assert all(0 < float(row["local"]) <= float(row["remote"]) for row in latency)
    strided = rows(run("ospri_strided", tmp_path, machine, "--rows", "1,5", "--rounds", "1"))
    assert [int(row["bytes"]) for row in strided] == [8, 8, 8, 200, 200, 200]
    local = rows(run("ospri_local", tmp_path, machine, "--sizes", "8,100", "--rounds", "1"))
    assert [row["operation"] for row in local] == ["put", "get", "accumulate", "put", "get"]
    progress = rows(run("ospri_progress", tmp_path, machine, "--sizes", "64", "--rounds", "1", "--target", "waits"))
    assert [row["target"] for row in progress] == ["waits"]


def test_a_flush_does_what_the_operations_before_it_need(tmp_path: Path) -> None:
    flush = rows(run("ospri_flush", tmp_path, ["2x2x1", "--env", "A1D_ENABLE_CHT=0"], "--rounds", "1"))
    cycles = {row["after"]: float(row["cycles"]) for row in flush}
    assert cycles["get"] < cycles["put"]
    assert cycles["get"] < cycles["accumulate"]


def test_strict_order_flushes_before_a_get(tmp_path: Path) -> None:
    def time(order: str) -> float:
        machine = ["2x1x1", "--env", "A1D_ENABLE_CHT=0", "--env", f"A1D_ORDERING={order}"]
        return float(rows(run("ospri_ordering", tmp_path, machine, "--sizes", "8", "--rounds", "2"))[0]["cycles"])

    assert time("strict") > 1.5 * time("partial")


def test_bad_arguments_and_settings_are_told(tmp_path: Path) -> None:
    for machine, arguments, text in [
        (["1x1x1"], [], "ospri_latency: 2 processes are needed, there are 1"),
        (["2x1x1"], ["--sizes", "8,none"], "ospri_latency: --sizes 8,none: expected numbers from 1 to 4194304"),
        (["2x1x1", "--env", "A1D_USE_HANDOFF=yes"], [], "A1D_USE_HANDOFF=yes: expected a number from 0 to 1"),
    ]:
        path = paths.guest_program("ospri_latency", "bgp")
        done = toroid("run", "--machine", "bgp", "--results", tmp_path, "--shape", *machine, path, *arguments)
        assert done.returncode != 0
        assert text in done.stdout + done.stderr


def test_the_later_names(tmp_path: Path) -> None:
    source = tmp_path / "names.c"
    source.write_text(OSP_PROGRAM)
    compiled = toroid("cc", "--machine", "bgp", source, "-o", tmp_path / "names")
    assert compiled.returncode == 0, compiled.stderr
    output = run(tmp_path / "names", tmp_path, ["3x1x1"])
    assert sorted(output.splitlines())[:3] == [f"rank {rank} of 3: 30" for rank in range(3)]


@pytest.fixture(scope="module")
def over_ospri(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("armci_ospri")
    programs = {}
    for source in ARMCI_TESTS.glob("*.c"):
        programs[source.stem] = directory / source.stem
        done = toroid("cc", "--machine", "bgp", source, "-larmci_ospri", "-o", programs[source.stem], cwd=directory)
        assert done.returncode == 0, done.stderr
    return programs


@pytest.mark.parametrize("mode", ["helper", "alone", "interrupts"])
@pytest.mark.parametrize("name", ["atomicity", "groups", "operations", "order"])
def test_armci_over_ospri(over_ospri: dict[str, Path], tmp_path: Path, name: str, mode: str) -> None:
    strict = ["--env", "A1_ARMCI_STRICT_ORDERING=1", "--env", "ARMCI_TEST_OPERATIONS=60"]
    assert "ok\n" in run(over_ospri[name], tmp_path, [*MODES[mode], *strict])


def test_the_guide_names_all_settings() -> None:
    source = (paths.ROOT / "firmware/ospri/dcmf/settings.c").read_text(encoding="utf-8")
    guide = (paths.ROOT / "docs/guide/ospri.md").read_text(encoding="utf-8")
    names = {f"A1D_{name}" for name in re.findall(r'(?:NUMBER|FLAG)\("([A-Z_]+)"', source)}
    names |= set(re.findall(r'"(A1D?_[A-Z_]+[A-Z])"', source))
    for kind in re.findall(r'PACKING\("([A-Z]+)"', source):
        names |= {f"A1D_{kind}_{part}" for part in ("PACKING_LIMIT", "PACKETSIZE", "BUFFERPOOL_SIZE")}
    assert len(names) >= 20
    assert [name for name in sorted(names) if f"`{name}`" not in guide] == []
