# SPDX-License-Identifier: Apache-2.0
"""A machine all of whose routers are Verilog under everything that the message layer can do, and one whose Verilog is
broken."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import Arguments, read_result, toroid

from toroid import paths

STRESS: Arguments = [paths.guest_program("stress"), "--messages", "20", "--max-size", "20000"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--shape", "4x4x2", "--rtl", "router@all"], marks=pytest.mark.long),
        ["--shape", "3x2x2", "--rtl", "router@all", "--rtl", "link@all", "--set", "torus.bit_error_rate=1e-5"],
        ["--shape", "4x2x2", "--rtl", "router@1,1,0", "--rtl", "link@0,1,0", "--rtl", "tree@all", "--mode", "vn"],
    ],
    ids=["routers", "routers-and-links-with-errors", "some-of-each"],
)
def test_every_byte_of_every_message(options: Arguments, tmp_path: Path) -> None:
    done = toroid("run", *options, "--results", tmp_path, *STRESS, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"mismatches=(\d+)", done.stdout)[1] == "0"  # type: ignore[index]
    rtl = read_result(tmp_path)["rtl"]
    assert isinstance(rtl, dict)
    assert rtl["changed_bytes"] == 0
    assert rtl["clock_cycles"] > 100_000


def test_a_fault_of_the_verilog_ends_the_run_with_a_line(tmp_path: Path) -> None:
    # What the simulator was asked for, played to one beside which lies a library with a broken link.
    done = toroid("run", "--shape", "2x1x1", "--rtl", "link@0,0,0/x+", "--results", tmp_path / "sound", *STRESS)
    assert done.returncode == 0, done.stderr
    simulator = paths.simulator()
    planted = simulator.parent.parent / "planted" / "lib" / "libtoroid_rtl.so"
    for folder, file in (("bin", simulator), ("lib", planted)):
        (tmp_path / folder).mkdir()
        shutil.copy(file, tmp_path / folder)
    command = [tmp_path / "bin" / simulator.name, tmp_path / "sound" / "configuration.json", tmp_path / "result.json"]
    broken = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert broken.returncode == 1
    result = read_result(tmp_path)
    assert result["ended"] == "fault"
    assert re.fullmatch(
        r"link@0,0,0/x\+, network cycle \d+: the receiver says that packet 0 is damaged, but it is good",
        str(result["error"]),
    )
