# SPDX-License-Identifier: Apache-2.0
"""Programs that the guides print whole compile and run as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

GUIDES = paths.ROOT / "docs" / "guide"
EXAMPLES = paths.ROOT / "docs" / "examples"
SHOWN = re.compile(r"^```c\n(#include.*?)^```\n\n```\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("guide", "number"), [("bgl_torus_fifo.md", 1), ("bgp_dma.md", 3)])
def test_guides_print_programs_that_work(guide: str, number: int, tmp_path: Path) -> None:
    shown = SHOWN.findall((GUIDES / guide).read_text(encoding="utf-8"))
    assert len(shown) == number
    for program, session in shown:
        name = re.search(r"docs/examples/(\w+\.c)", session)
        assert name is not None
        assert (EXAMPLES / name[1]).read_text(encoding="utf-8").endswith(f"\n{program}")
        (tmp_path / name[1]).write_text(program)
        printed: list[str] = []
        for line in session.splitlines():
            if not line.startswith("$ ./toroid "):
                printed.append(line)
                continue
            words = line.removeprefix("$ ./toroid ").replace("docs/examples/", "").split()
            done = toroid(*words, cwd=tmp_path)
            assert done.returncode == 0, done.stderr
        assert sorted(done.stdout.splitlines()) == sorted(printed)
