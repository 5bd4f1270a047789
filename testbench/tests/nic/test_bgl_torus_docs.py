# SPDX-License-Identifier: Apache-2.0
"""The generated register files and the guide of the BG/L torus FIFOs say what the sources say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guide/bgl_torus_fifo.md"


def marked_part(source: str, mark: str) -> str:
    """The lines between `// [mark]` and the next `// [end]`, less their common indentation."""
    lines = source.splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip() == f"// [{mark}]")
    last = next(i for i in range(first, len(lines)) if lines[i].strip() == "// [end]")
    indentation = len(lines[first]) - len(lines[first].lstrip())
    return "\n".join(line[indentation:] for line in lines[first + 1 : last]) + "\n"


def snippets(text: str) -> list[tuple[str, str, str]]:
    """File, mark and text of each code block that names its source."""
    return re.findall(r"<!-- snippet: (\S+) \[(\w+)\] -->\n```c\n(.*?)```", text, re.DOTALL)


def test_generated_registers_are_current() -> None:
    command = [sys.executable, str(ROOT / "nic/generate_registers.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_guide_shows_compiled_code() -> None:
    found = snippets(GUIDE.read_text(encoding="utf-8"))
    assert len(found) == 4
    for path, mark, shown in found:
        assert shown == marked_part((ROOT / path).read_text(encoding="utf-8"), mark), f"{path} [{mark}]"


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
