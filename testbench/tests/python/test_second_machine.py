# SPDX-License-Identifier: Apache-2.0
"""The build finds the software of a machine by its folders: nothing that machines share names them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from toroid import paths

TOOLCHAIN = {
    "comment": [], "triple": "powerpc-linux-gnu", "address_bytes": 4, "compile": ["-mcpu=powerpc", "-fno-pic"],
    "link": ["-static"], "libraries": ["verbs", "doorbell"], "headers": ["drivers/second/include"],
}  # fmt: skip
FILES = {
    "nic/second/CMakeLists.txt": "message(STATUS second-nic)\n",
    "drivers/second/CMakeLists.txt": "toroid_guest_library(doorbell SOURCES doorbell.c)\n",
    "drivers/second/doorbell.c": "",
    "firmware/second/toolchain.json": json.dumps(TOOLCHAIN),
    "firmware/second/CMakeLists.txt": "toroid_guest_library(verbs SOURCES verbs.c)\n",
    "firmware/second/verbs.c": "",
    "firmware/mpi/transport/second/sources.cmake": "set(TOROID_MPI_TRANSPORT ${CMAKE_CURRENT_LIST_DIR}/over_verbs.c)\n",
    "firmware/mpi/transport/second/over_verbs.c": "",
    "firmware/programs/second/CMakeLists.txt": "toroid_guest_program(ring SOURCES ring.c LIBS verbs doorbell)\n",
    "firmware/programs/second/ring.c": "",
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build directory of this project with a second machine's software: the same files, and those above."""
    root = tmp_path_factory.mktemp("project")
    added = {Path(name) for name in FILES}
    folders = {folder for file in added for folder in file.parents}

    def bring(folder: Path) -> None:
        (root / folder).mkdir(exist_ok=True)
        if not (paths.ROOT / folder).is_dir():
            return
        for entry in (paths.ROOT / folder).iterdir():
            inside = folder / entry.name
            if inside in folders:
                bring(inside)
            elif inside not in (Path("build"), Path(".git")):
                (root / inside).symlink_to(entry)

    bring(Path())
    for file in added:
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text(FILES[str(file)])
    directory = root / "build"
    configure = ["cmake", "-G", "Ninja", "-S", str(root), "-B", str(directory), "-DTOROID_UNICORN=debian"]
    done = subprocess.run(configure, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "second-nic" in done.stdout
    return directory


def commands(build: Path, target: str) -> str:
    """What ninja would run for a target."""
    return subprocess.run(
        ["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True
    ).stdout


def test_its_own_programs(build: Path) -> None:
    made = commands(build, "guest_second_ring")
    assert "-fno-pic -O2" in made
    assert "/drivers/second/include " in made
    assert "-maltivec" not in made
    assert "guest/second/lib/libverbs.a" in made
    assert "guest/bgl" not in made


def test_programs_of_every_machine_have_its_libraries(build: Path) -> None:
    made = commands(build, "guest_second_mpi_halo")
    link = next(line for line in made.splitlines() if line.endswith("guest/second/bin/mpi_halo"))
    assert [Path(word).name for word in link.split() if word.endswith(".a")] == [
        "libmpi.a",
        "libverbs.a",
        "libdoorbell.a",
    ]
    assert "firmware/mpi/transport/second/over_verbs.c" in made
    assert "transport/bgl" not in made


def test_the_first_machine_is_built_as_before(build: Path) -> None:
    made = commands(build, "guest_bgl_mpi_halo")
    assert "transport/bgl/networks.c" in made
    assert "second" not in made.replace(str(build.parent), "").replace("second_core", "")
