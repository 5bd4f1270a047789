# SPDX-License-Identifier: Apache-2.0
"""What may include what, and where machines may be named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from toroid import paths

# Rooms: folders, without the folders in them that are rooms themselves; and the rooms and files that each may include
# besides itself. MACHINE, ISA and ABI stand for each folder of hw/chips, hw/isa and hw/kernel/abi, on both sides the
# same.
_NETWORKS = [
    "torus/base", "torus/torus", "torus/torus/families", "torus/tree", "torus/barrier", "torus/collective",
    "torus/traffic", "torus/rtl",
]  # fmt: skip
_NODE = ["hw/core", "hw/isa", "hw/kernel", "hw/memory", "nic/common", "torus/base"]
MAY_INCLUDE = {
    "torus/base": [],
    "torus/torus": ["torus/base"],
    "torus/torus/families": ["torus/base", "torus/torus"],
    "torus/tree": ["torus/base"],
    "torus/barrier": ["torus/base", "torus/tree"],
    "torus/collective": ["torus/barrier", "torus/base", "torus/torus", "torus/torus/families"],
    "torus/traffic": ["torus/base", "torus/torus", "torus/torus/families"],
    "torus/rtl": ["torus/base", "torus/torus", "torus/torus/families"],
    "nic/common": ["torus/base"],
    # Devices that several machines have, and those of one.
    "nic/collective": ["nic/common", "torus/barrier", "torus/base", "torus/tree"],
    "nic/torus": ["nic/common", "torus/base", "torus/torus", "torus/torus/families"],
    "nic/MACHINE": ["nic/collective", "nic/common", "nic/torus", *_NETWORKS],
    "hw/memory": ["nic/common", "torus/base"],
    "hw/bus": ["nic/common", "torus/base"],
    "hw/isa": ["hw/memory", "nic/common", "torus/base"],
    # Engines made of Unicorn are common to instruction sets, and so is much of PowerPC.
    "hw/isa/ISA": ["hw/isa", "hw/isa/power", "hw/isa/unicorn", "hw/memory", "nic/common", "torus/base"],
    "hw/isa/unicorn": ["hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/isa/unicorn/debian": ["hw/isa", "hw/isa/unicorn", "hw/isa/x86_64", "hw/memory", "nic/common", "torus/base"],
    "hw/isa/power": ["hw/isa", "hw/isa/unicorn", "hw/memory", "nic/common", "torus/base"],
    "hw/core": ["hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/io": ["hw/memory"],
    "hw/io/tree": ["hw/core", "hw/io", "hw/memory", "nic/collective", "torus/base", "torus/tree"],
    "hw/kernel": ["hw/core", "hw/io", "hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/kernel/abi/ABI": ["hw/kernel", "hw/core", "hw/io", "hw/isa", "hw/memory", "nic/common", "torus/base"],
    "hw/debug": _NODE,
    "hw/machine": [*_NODE, "hw/debug", "hw/io", *_NETWORKS],
    "hw/machine/torus_tree": [*_NODE, "hw/io", "hw/io/tree", "hw/machine", "nic/collective", *_NETWORKS],
    "hw/trace": [*_NODE, "hw/machine", *_NETWORKS],
    "hw/chips": ["hw/machine", "torus/base"],
    "hw/chips/MACHINE": [
        *_NODE, "hw/bus", "hw/debug", "hw/io", "hw/io/tree", "hw/machine", "hw/machine/torus_tree", "hw/trace",
        "hw/isa/ISA", "hw/kernel/abi/ABI", "nic/MACHINE", "nic/collective", "nic/torus", *_NETWORKS,
    ],
    "hw/sim": [*_NODE, "hw/chips", "hw/debug", "hw/io", "hw/machine", "hw/trace", *_NETWORKS],
    "drivers/MACHINE": ["nic/MACHINE", "nic/collective", "nic/torus", "hw/kernel/kernel_abi.h"],
    # What message layers of several machines share, and those of one.
    "firmware/hot.h": [],
    "firmware/reduction": [],
    "firmware/torus": [],
    "firmware/tree": ["nic/collective"],
    "firmware/MACHINE": [
        "drivers/MACHINE", "firmware/hot.h", "firmware/reduction", "firmware/torus", "firmware/tree",
        "hw/kernel/kernel_abi.h",
        "nic/MACHINE/kernel_services.h",
    ],
    "firmware/armci": ["firmware/hot.h", "hw/kernel/kernel_abi.h"],
    "firmware/armci/MACHINE": [
        "firmware/armci", "firmware/hot.h", "firmware/MACHINE", "drivers/MACHINE", "hw/kernel/kernel_abi.h",
    ],
    "firmware/mpi": [],
    "firmware/mpi/transport/lacking": ["firmware/mpi"],
    "firmware/mpi/transport/MACHINE": ["firmware/mpi", "firmware/MACHINE", "drivers/MACHINE", "hw/kernel/kernel_abi.h"],
    "firmware/ospri": ["firmware/armci", "hw/kernel/kernel_abi.h"],
    "firmware/programs": ["firmware/mpi"],
    "firmware/programs/MACHINE": [
        "firmware/programs", "firmware/mpi", "firmware/MACHINE", "drivers/MACHINE", "nic/MACHINE",
        "hw/kernel/kernel_abi.h",
    ],
}  # fmt: skip
# Files that belong to another room than that of their folder.
ELSEWHERE = {"torus/torus/families/family.h": "torus/torus"}
# Where machines may be named, besides the rooms of machines: tables of what there is, and what measures one machine.
MAY_NAME = (
    "torus/torus/families", "torus/traffic/families.cpp",
    "nic/collective/registers.yaml", "nic/torus/registers.yaml",  # guides show a device on one machine
    "testbench/toroid/paths.py",  # the machine of commands that name none
    "testbench/toroid/benchmarks", "testbench/toroid/experiments", "testbench/toroid/commands/demo.py",
    "testbench/toroid/commands/pictures.py",
)  # fmt: skip
NAME = re.compile(r"(?<![a-z])(bgl|bgp|bgq|gemini|seastar)|blue gene|cray", re.IGNORECASE)

_CODE = {".c", ".cpp", ".h", ".hpp", ".inc"}
_OTHERS = {".sv", ".svh", ".py", ".cmake", ".in", ".yaml", ".json"}
_INCLUDE = re.compile(r'^[ \t]*[#`][ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
_TOPS = ("torus", "nic", "hw", "drivers", "firmware")
_NAMELESS = (*_TOPS, "cmake", "testbench/toroid")
_KINDS = {"MACHINE": "hw/chips", "ISA": "hw/isa", "ABI": "hw/kernel/abi"}


def within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


@dataclass(frozen=True)
class House:
    """A checkout."""

    root: Path

    @cached_property
    def rules(self) -> dict[str, set[str]]:
        """What each room may include."""
        kinds = {kind: self._folders(folder) for kind, folder in _KINDS.items()}
        rules = {}
        for room, others in MAY_INCLUDE.items():
            kind = next((kind for kind in kinds if kind in room.split("/")), None)
            for name in kinds[kind] if kind else [""]:
                same = [other.replace(kind, name) if kind else other for other in others]
                rules[room.replace(kind, name) if kind else room] = {
                    each for one in same for each in expand(one, kinds)
                }
        return rules

    def _folders(self, folder: str) -> list[str]:
        place = self.root / folder
        return sorted(path.name for path in place.iterdir() if path.is_dir()) if place.is_dir() else []

    def files(self, *folders: str) -> Iterator[str]:
        for folder in folders:
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file() and (path.suffix in _CODE | _OTHERS or path.name == "CMakeLists.txt"):
                    yield str(path.relative_to(self.root))

    def text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def room_of(self, file: str) -> str | None:
        rooms = [room for room in self.rules if within(file, room)]
        return ELSEWHERE.get(file) or max(rooms, key=len, default=None)

    def forbidden_includes(self) -> Iterator[str]:
        for file in self.files(*_TOPS):
            if Path(file).suffix not in _CODE | {".sv", ".svh"}:
                continue
            room = self.room_of(file)
            if room is None:
                yield f"{file}: no rule says what it may include"
                continue
            for quote, header in _INCLUDE.findall(self.text(file)):
                if complaint := self._complaint(file, room, quote, header):
                    yield f"{file} includes {header}; {complaint}"

    def _complaint(self, file: str, room: str, quote: str, header: str) -> str | None:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), header))
        of_project = (self.root / header).is_file()
        if quote == "<":
            return 'headers of the project stand in ""' if of_project else None
        if ".." in header.split("/") or (not of_project and (self.root / beside).is_file()):
            return "headers of the project are named from its root"
        if not of_project:
            return None  # one that the build makes
        others = self.rules[room]
        if self.room_of(header) in (room, *others) or header in others:
            return None
        return f"{room} may include {', '.join(sorted(others)) or 'nothing else'}"

    def named_machines(self) -> Iterator[str]:
        machines = self._folders("hw/chips")
        own = [room for room in self.rules if any(machine in room.split("/") for machine in machines)]
        # A device's units in Verilog, a machine's description.
        own += [*MAY_NAME, "hw/machines"]
        for file in self.files(*_NAMELESS):
            if any(within(file, folder) for folder in own):
                continue
            for number, line in enumerate(self.text(file).splitlines(), start=1):
                if NAME.search(line):
                    yield f"{file}:{number}: {line.strip()}"


def expand(room: str, kinds: dict[str, list[str]]) -> list[str]:
    """A room, or, of a kind of rooms, all."""
    kind = next((kind for kind in kinds if kind in room.split("/")), None)
    return [room.replace(kind, name) for name in kinds[kind]] if kind else [room]


HOUSE = House(paths.ROOT)


def test_rooms_include_what_they_may() -> None:
    assert list(HOUSE.forbidden_includes()) == []


def test_what_machines_share_names_none() -> None:
    assert list(HOUSE.named_machines()) == []


def test_no_room_includes_itself_by_way_of_others() -> None:
    rules = {room: {HOUSE.room_of(other) or other for other in others} for room, others in HOUSE.rules.items()}
    while leaves := {room for room, others in rules.items() if not others & (rules.keys() - {room})}:
        for room in leaves:
            del rules[room]
    assert rules == {}


def test_every_machine_has_rooms() -> None:
    assert "bgl" in HOUSE._folders("hw/chips")
    assert {"nic/bgl", "drivers/bgl", "firmware/mpi/transport/bgl", "hw/isa/ppc32"} <= HOUSE.rules.keys()


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A small one, with two machines."""
    files = (
        "hw/chips/bgl/bgl.h", "hw/chips/bgp/bgp.h", "hw/isa/ppc32/ppc32.h", "hw/kernel/abi/linux_ppc32/linux_ppc32.h",
        "hw/machine/machine.h", "hw/machine/torus_tree/node.h", "hw/trace/trace.h", "nic/bgl/fifo.h",
        "nic/common/bank.h", "torus/base/wheel.h",
        "firmware/mpi/transport/bgl/bgl.h", "torus/torus/families/blue_gene_lp_family.h",
        "torus/torus/families/family.h",
    )  # fmt: skip
    for file in files:
        write(tmp_path, file, "")
    return House(tmp_path)


def write(root: Path, file: str, text: str) -> None:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("torus/torus/router.cpp", '#include "nic/bgl/fifo.h"'),
        ("torus/torus/router.h", '#include "../../nic/bgl/fifo.h"'),
        ("torus/torus/router.h", "#include <nic/bgl/fifo.h>"),
        ("torus/torus/router.h", '#  include "torus/torus/families/blue_gene_lp_family.h"'),
        ("torus/torus/router.h", '#include "families/family.h"'),
        ("nic/bgp/dma.h", '#include "nic/bgl/fifo.h"'),
        ("nic/torus/torus_dcr.h", '#include "nic/bgl/fifo.h"'),
        ("nic/collective/tree_fifo.h", '#include "torus/torus/families/family.h"'),
        ("hw/io/tree/io_node.h", '#include "hw/chips/bgl/bgl.h"'),
        ("nic/bgp/rtl/dma.sv", '`include "nic/bgl/fifo.h"'),
        ("hw/isa/isa.h", '#include "hw/isa/ppc32/ppc32.h"'),
        ("hw/core/core.h", '#include "hw/isa/ppc32/ppc32.h"'),
        ("hw/kernel/process.h", '#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"'),
        ("hw/machine/hardware.h", '#include "nic/bgl/fifo.h"'),
        ("hw/machine/hardware.h", '#include "hw/trace/trace.h"'),
        ("hw/machine/hardware.h", '#include "hw/machine/torus_tree/node.h"'),
        ("hw/machine/torus_tree/hardware.h", '#include "nic/bgl/fifo.h"'),
        ("hw/chips/registry.h", '#include "nic/bgl/fifo.h"'),
        ("hw/chips/bgp/chip.h", '#include "hw/chips/bgl/bgl.h"'),
        ("firmware/mpi/send.c", '#include "nic/bgl/fifo.h"'),
        ("firmware/mpi/send.c", '#include "firmware/mpi/transport/bgl/bgl.h"'),
        ("firmware/programs/contents.c", '#include "nic/bgl/fifo.h"'),
    ],
)
def test_other_includes_are_found(house: House, file: str, line: str) -> None:
    write(house.root, file, line)
    found = list(house.forbidden_includes())
    assert len(found) == 1
    assert found[0].startswith(f"{file} includes ")


@pytest.mark.parametrize("file", ["torus/newroom/unit.h", "hw/newroom/x.cpp", "nic/x.h", "firmware/shmem/put.c"])
def test_files_without_a_rule_are_found(house: House, file: str) -> None:
    write(house.root, file, "int x;")
    assert list(house.forbidden_includes()) == [f"{file}: no rule says what it may include"]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("torus/torus/router.h", '#include "torus/torus/families/family.h"'),
        ("torus/torus/router.h", "#include <vector>"),
        ("nic/bgl/rtl/unit.cpp", '#include "Vunit.h"'),
        ("hw/chips/bgl/chip.h", '#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"'),
        ("hw/trace/recorder.h", '#include "hw/machine/machine.h"'),
    ],
)
def test_these_are_fine(house: House, file: str, line: str) -> None:
    write(house.root, file, line)
    assert list(house.forbidden_includes()) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("hw/core/core.h", "// As on Blue Gene/L."),
        ("hw/core/core.h", "using Chip = BglChip;"),
        ("torus/torus/router.h", "// bgl machine"),
        ("torus/rtl/link.sv", "// as on bgl"),
        ("nic/CMakeLists.txt", "add_subdirectory(bgl)"),
        ("nic/collective/tree_packet.h", "#define BGL_TREE_QUAD_BYTES 16"),
        ("firmware/mpi/CMakeLists.txt", "  transport/bgl/limits.c"),
        ("firmware/ospri/sources.cmake", "    bgp/flush"),
        ("testbench/toroid/guest.py", 'LIBRARY = "bgl"'),
        ("cmake/guest.cmake", "set(machine bgl)"),
    ],
)
def test_names_of_machines_are_found(house: House, file: str, text: str) -> None:
    write(house.root, file, "struct Core;\n" + text + "\nint global_interrupts;")
    assert list(house.named_machines()) == [f"{file}:2: {text.strip()}"]


def test_the_kernels_interface_knows_no_network() -> None:
    """What follows from a machine's networks is beside its devices."""
    assert re.findall(r"TOROID_\w*(?:TORUS|TREE|BARRIER)\w*", HOUSE.text("hw/kernel/kernel_abi.h")) == []
