# SPDX-License-Identifier: Apache-2.0
"""What may include what, and which rooms may not name a machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from toroid import paths

# A folder, and the folders and files that its own may include besides itself. The longest folder that a file lies in
# counts. "M" is a machine, the same on both sides.
MAY_INCLUDE = {
    "torus/base": [],
    "torus/torus": ["torus/base"],
    "torus/tree": ["torus/base"],
    "torus/barrier": ["torus/base", "torus/tree"],
    "torus/traffic": ["torus/base", "torus/torus"],
    "torus/rtl": ["torus/base", "torus/torus"],
    "nic/common": ["torus/base"],
    "nic/M": ["nic/common", "torus"],
    "hw/memory": ["nic/common", "torus/base"],
    "hw/bus": ["nic/common", "torus/base"],
    "hw/isa": ["hw/memory", "nic/common", "torus/base"],
    "hw/core": ["hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/io": ["hw/memory"],
    "hw/kernel": ["hw/core", "hw/io", "hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/debug": ["hw/core", "hw/isa", "hw/kernel", "hw/memory", "nic/common", "torus/base"],
    "hw/machine": [
        "hw/core",
        "hw/debug",
        "hw/io",
        "hw/isa",
        "hw/kernel",
        "hw/memory",
        "hw/trace",
        "nic/common",
        "torus",
    ],
    "hw/trace": ["hw/core", "hw/isa", "hw/kernel", "hw/machine", "nic/common", "torus"],
    "hw/sim": ["hw", "torus"],
    "hw/chips/M": ["hw", "nic/common", "nic/M", "torus"],
    "drivers/M": ["nic/M", "hw/kernel/kernel_abi.h"],
    "firmware/M": ["drivers/M", "hw/kernel/kernel_abi.h"],
    "firmware/mpi": [],
    "firmware/mpi/transport/M": ["firmware/mpi", "firmware/M", "drivers/M"],
}
MACHINES = ("bgl", "bgp", "bgq", "gemini", "seastar")
RULES = [
    (room.replace("M", machine), [other.replace("M", machine) for other in others])
    for machine in MACHINES
    for room, others in MAY_INCLUDE.items()
]
# What all machines share names none of them.
NAMELESS = (
    "torus/base", "torus/tree", "torus/barrier", "nic/common", "hw/bus", "hw/core", "hw/debug", "hw/io", "hw/isa",
    "hw/kernel", "hw/machine", "hw/memory", "hw/sim", "hw/trace",
)  # fmt: skip

SUFFIXES = {".c", ".cpp", ".h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
NAME = re.compile(r"(?<![a-z])(bgl|bgp|bgq|gemini|seastar)|blue gene|cray", re.IGNORECASE)


def sources(root: Path) -> Iterator[Path]:
    for top in ("torus", "nic", "hw", "drivers", "firmware"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SUFFIXES:
                yield file.relative_to(root)


def within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def rule_of(path: str) -> tuple[str, list[str]] | None:
    """The folder whose rule holds for a file, and what the file may include; None if there is no rule for it."""
    rooms = [rule for rule in RULES if within(path, rule[0])]
    return max(rooms, key=lambda rule: len(rule[0])) if rooms else None


def forbidden_includes(root: Path) -> list[str]:
    findings = []
    for file in sources(root):
        rule = rule_of(str(file))
        if rule is None:
            continue
        room, others = rule
        for header in INCLUDE.findall((root / file).read_text(encoding="utf-8")):
            if (root / header).is_file() and not any(within(header, other) for other in (room, *others)):
                findings.append(f"{file} includes {header}; {room} may include {', '.join(others) or 'nothing else'}")
    return findings


def named_machines(root: Path) -> list[str]:
    return [
        f"{file}:{number}: {line.strip()}"
        for file in sources(root)
        if any(within(str(file), folder) for folder in NAMELESS)
        for number, line in enumerate((root / file).read_text(encoding="utf-8").splitlines(), start=1)
        if NAME.search(line)
    ]


def test_rooms_include_what_they_may() -> None:
    assert not forbidden_includes(paths.ROOT)


def test_what_machines_share_names_none() -> None:
    assert not named_machines(paths.ROOT)


@pytest.mark.parametrize(
    ("file", "line", "finding"),
    [
        ("torus/torus/router.cpp", '#include "nic/bgl/fifo.h"', "torus/torus/router.cpp includes nic/bgl/fifo.h; "),
        ("nic/bgp/dma.h", '#include "nic/bgl/fifo.h"', "nic/bgp/dma.h includes nic/bgl/fifo.h; "),
        ("hw/machine/machine.h", '#include "nic/bgl/fifo.h"', "hw/machine/machine.h includes nic/bgl/fifo.h; "),
        ("firmware/mpi/send.c", '#include "nic/bgl/fifo.h"', "firmware/mpi/send.c includes nic/bgl/fifo.h; "),
    ],
)
def test_other_includes_are_found(file: str, line: str, finding: str, tmp_path: Path) -> None:
    for path, text in (("nic/bgl/fifo.h", ""), (file, line + "\n")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert [found[: len(finding)] for found in forbidden_includes(tmp_path)] == [finding]


def test_names_of_machines_are_found(tmp_path: Path) -> None:
    file = tmp_path / "hw" / "core" / "core.h"
    file.parent.mkdir(parents=True)
    file.write_text(
        "struct Core;\n// As on Blue Gene/L.\nusing Chip = BglChip;\nint global_interrupts;\n", encoding="utf-8"
    )
    assert named_machines(tmp_path) == [
        "hw/core/core.h:2: // As on Blue Gene/L.",
        "hw/core/core.h:3: using Chip = BglChip;",
    ]
