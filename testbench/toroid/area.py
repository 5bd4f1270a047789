# SPDX-License-Identifier: Apache-2.0
"""The hardware cost of the units in Verilog: yosys elaborates them with generic cells, and counts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toroid import paths
from toroid.errors import ToroidError

FOLDERS = (paths.ROOT / "torus" / "rtl", *sorted(paths.ROOT.glob("nic/*/rtl")))

# Memories are counted before, all else after they have become cells of their own. What a memory does with its read
# register, and what an FPGA or a library would make of all this, is not looked at: these are generic gates.
_ELABORATE = """
read_verilog -sv -DSYNTHESIS {sources}
hierarchy -check -top {top}
proc
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr
check -assert
"""
_COUNT = """
opt_clean
tee -q -o {memories} stat -json
opt -fast -full
memory -nomap
opt -fast -full
techmap
opt -fast
abc -fast
opt_clean
tee -q -o {cells} stat -json
"""
_INSTANCE = r"^\s*{name}\s*(#\s*\(|\w+\s*\()"
_FLIP_FLOP = re.compile(r"\$_\w*DFF")
_MOST_LINES = 12


@dataclass(frozen=True)
class Area:
    """One module in a top module: all its instances together, without the modules inside."""

    top: str
    module: str
    instances: int
    gates: int
    flip_flops: int
    memory_bits: int


def sources() -> list[Path]:
    return sorted(file for folder in FOLDERS for file in folder.glob("*.sv"))


def tops(files: Iterable[Path]) -> list[str]:
    """Modules that no other module instantiates."""
    code = {file.stem: re.sub(r"//.*", "", file.read_text(encoding="utf-8")) for file in files}
    return [
        name
        for name in code
        if not any(re.search(_INSTANCE.format(name=name), text, re.MULTILINE) for text in code.values())
    ]


def elaborate(top: str, files: Iterable[Path]) -> None:
    """Raises ToroidError if yosys cannot elaborate it, or finds a latch or a signal with several drivers."""
    _run_yosys(top, files, "")


def measure(top: str, files: Iterable[Path]) -> list[Area]:
    """Elaborates it, and counts."""
    with tempfile.TemporaryDirectory(prefix="toroid-") as name:
        memories, cells = Path(name) / "memories.json", Path(name) / "cells.json"
        _run_yosys(top, files, _COUNT.format(memories=memories, cells=cells))
        return _areas(top, _statistics(memories), _statistics(cells))


def _run_yosys(top: str, files: Iterable[Path], then: str) -> None:
    if shutil.which("yosys") is None:
        raise ToroidError("yosys is not installed")
    with tempfile.NamedTemporaryFile("w", prefix="toroid-", suffix=".ys", encoding="utf-8") as script:
        script.write(_ELABORATE.format(sources=" ".join(map(str, files)), top=top) + then)
        script.flush()
        done = subprocess.run(["yosys", "-q", "-s", script.name], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToroidError(f"{top}: yosys refuses it:\n{_complaints(done.stdout + done.stderr)}")


def _complaints(output: str) -> str:
    lines = [line for line in output.splitlines() if re.search("warning|error", line, re.IGNORECASE)]
    return "\n".join(lines[-_MOST_LINES:])


def _statistics(path: Path) -> dict[str, Any]:
    """The counts by module. Yosys 0.23 prints the hierarchy into the middle of its JSON."""
    lines = path.read_text(encoding="utf-8").splitlines()
    good = [line for line in lines if re.match(r'\s*(["{}\]]|$)', line)]
    modules: dict[str, Any] = json.loads("\n".join(good))["modules"]
    return {_plain(name): module for name, module in modules.items()}


def _plain(name: str) -> str:
    return name.removeprefix("\\")


def _module_of(name: str) -> str:
    """$paramod$1234\\torus_queue is a torus_queue."""
    return name.rpartition("\\")[2] if name.startswith("$paramod$") else name.split("\\")[1 if "\\" in name else 0]


def _areas(top: str, memories: dict[str, Any], cells: dict[str, Any]) -> list[Area]:
    instances: Counter[str] = Counter()

    def count(name: str, times: int) -> None:
        instances[name] += times
        for kind, number in cells[name]["num_cells_by_type"].items():
            if _plain(kind) in cells:
                count(_plain(kind), times * number)

    count(top, 1)
    sums: dict[str, list[int]] = {}
    for name, times in instances.items():
        by_kind = cells[name]["num_cells_by_type"]
        gates = sum(number for kind, number in by_kind.items() if kind.startswith("$_") and not _FLIP_FLOP.match(kind))
        flip_flops = sum(number for kind, number in by_kind.items() if _FLIP_FLOP.match(kind))
        found = sums.setdefault(_module_of(name), [0, 0, 0, 0])
        bits = memories[name]["num_memory_bits"]
        for place, value in enumerate((1, gates, flip_flops, bits)):
            found[place] += times * value
    return [Area(top, module, *numbers) for module, numbers in sorted(sums.items())]
