# SPDX-License-Identifier: Apache-2.0
"""Wave files read back, through the converter of GTKWave."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Waves:
    """Signals by "scope.scope.name[7:0]", and the values of those asked for at each time at which something changed."""

    names: set[str]
    columns: list[tuple[int, dict[str, int]]]  # time in ps


def read_waves(path: Path, *wanted: str) -> Waves:
    text = subprocess.run(["fst2vcd", path], capture_output=True, text=True, check=True).stdout
    head, _, body = text.partition("$enddefinitions $end")
    assert "1ps" in head.split("$timescale")[1].split("$end")[0]
    scopes: list[str] = []
    names: dict[str, list[str]] = {}
    for line in head.splitlines():
        match line.split():
            case ["$scope", _, name, *_]:
                scopes.append(name)
            case ["$upscope", *_]:
                scopes.pop()
            case ["$var", _, _, code, name, *rest]:
                names.setdefault(code, []).append(".".join([*scopes, name]) + (rest[0] if rest[0] != "$end" else ""))
    codes = {code: name for code, of_code in names.items() for name in of_code if name in wanted}
    assert sorted(codes.values()) == sorted(wanted)
    values: dict[str, int] = {}
    columns: list[tuple[int, dict[str, int]]] = []
    time = 0
    for line in body.splitlines():
        if line.startswith("#"):
            if values:
                columns.append((time, dict(values)))
            time = int(line[1:])
        elif line.startswith("b"):
            value, code = line[1:].split()
            if code in codes:
                values[codes[code]] = int(value.replace("x", "0"), 2)
        elif line[:1] in ("0", "1", "x") and line[1:] in codes:
            values[codes[line[1:]]] = int(line[0] == "1")
    columns.append((time, dict(values)))
    return Waves({name for of_code in names.values() for name in of_code}, columns)
