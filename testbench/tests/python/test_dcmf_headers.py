# SPDX-License-Identifier: Apache-2.0
"""DCMF's headers compile in the dialects that programs of the time were written in."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from toroid import paths

HEADERS = paths.ROOT / "firmware/bgp/dcmf/include"
CLIENT = paths.ROOT / "testbench/tests/firmware/dcmf_client.c"


@pytest.mark.parametrize(
    "options",
    [
        ["gcc", "-std=gnu89", "-fgnu89-inline"],
        ["gcc", "-std=gnu99"],
        ["gcc", "-std=gnu11", "-pedantic"],
        ["g++", "-x", "c++", "-std=gnu++98"],
        ["g++", "-x", "c++", "-std=gnu++17"],
    ],
    ids=lambda options: options[-1] if options[-1].startswith("-std") else options[1],
)
def test_a_client_compiles(options: list[str]) -> None:
    compiler = shutil.which(f"powerpc-linux-gnu-{options[0]}")
    assert compiler, "packages.txt names the cross compiler"
    command = [compiler, *options[1:], "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{HEADERS}", str(CLIENT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
