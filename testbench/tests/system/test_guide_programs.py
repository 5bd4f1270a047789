# SPDX-License-Identifier: Apache-2.0
"""Programs that the guides print whole compile and run as printed."""

from __future__ import annotations

import re
from pathlib import Path

from helpers import toroid

from toroid import paths


def test_the_guide_to_the_torus_fifos_prints_a_program_that_works(tmp_path: Path) -> None:
    guide = (paths.ROOT / "docs" / "guide" / "bgl_torus_fifo.md").read_text(encoding="utf-8")
    shown = re.search(r"^```c\n(#include.*?)^```\n\n```\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    assert shown is not None
    program, session = shown.groups()
    assert (paths.ROOT / "docs" / "examples" / "torus_packet.c").read_text(encoding="utf-8").endswith(f"\n{program}")
    (tmp_path / "torus_packet.c").write_text(program)
    printed: list[str] = []
    for line in session.splitlines():
        if not line.startswith("$ ./toroid "):
            printed.append(line)
            continue
        words = line.removeprefix("$ ./toroid ").replace("docs/examples/", "").split()
        done = toroid(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(printed)
