# SPDX-License-Identifier: Apache-2.0
"""The generated register files and the guide of the BG/L torus FIFOs say what the sources say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from helpers import check_snippets

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guide/bgl_torus_fifo.md"


def test_generated_registers_are_current() -> None:
    command = [sys.executable, str(ROOT / "nic/common/generate_registers.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_guide_shows_compiled_code() -> None:
    assert check_snippets(GUIDE) == 4


def test_planned_tests_exist() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("nic", "drivers")
        for path in sorted((ROOT / "testbench/tests" / folder).glob("test_*"))
        if path.is_file()
    )
    plan = GUIDE.read_text(encoding="utf-8").split("## Test plan")[1]
    planned = re.findall(r"`(\w+)\.(\w+)`", plan)
    assert len(planned) > 40
    for suite, name in planned:
        assert re.search(rf"TEST(_F)?\({suite}, {name}\)", sources), f"{suite}.{name} is planned but not written"


def test_existing_tests_are_planned() -> None:
    plan = GUIDE.read_text(encoding="utf-8").split("## Test plan")[1]
    source = (ROOT / "testbench/tests/nic/test_torus_fifo.cpp").read_text(encoding="utf-8")
    for suite, name in re.findall(r"TEST_F\((\w+), (\w+)\)", source):
        assert f"`{suite}.{name}`" in plan, f"{suite}.{name} is written but not planned"
