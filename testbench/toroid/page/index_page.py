# SPDX-License-Identifier: Apache-2.0
"""The page of a whole `reproduce`: every figure with its rows and plot, and its runs, which have pages of their own."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from toroid.errors import write_text
from toroid.machine import Machine
from toroid.report import Row
from toroid.result import Result

if TYPE_CHECKING:
    from toroid.page.packing import Json

_SCRIPTS = ("base.js", "index.js")


@dataclass
class RunLine:
    """A run, and its page in the report's directory where it has one."""

    name: str
    call: str
    shape: str
    result: Result
    page: str | None = None
    why_no_page: str = ""

    def as_json(self) -> Json:
        network = self.result.network
        return {
            "name": self.name, "call": self.call, "shape": self.shape, "ended": self.result.ended,
            "simulated_ns": self.result.simulated_ns, "ranks": len(self.result.ranks),
            "packets": network.packets_injected if network is not None else 0, "page": self.page,
            "why_no_page": self.why_no_page,
        }  # fmt: skip


@dataclass
class FigureResult:
    """A figure, with what has been found of it until now."""

    name: str
    title: str
    rows: Sequence[Row] = ()
    plot: Path | None = None
    error: str | None = None
    runs: list[str] = field(default_factory=list)

    def as_json(self, lines: Mapping[str, RunLine]) -> Json:
        picture = base64.b64encode(self.plot.read_bytes()).decode("ascii") if self.plot is not None else None
        return {
            "name": self.name, "title": self.title, "rows": [row.as_json() for row in self.rows], "plot": picture,
            "error": self.error, "runs": [lines[name].as_json() for name in self.runs if name in lines],
        }  # fmt: skip


def write_index_page(
    path: Path, machine: Machine, figures: Sequence[FigureResult], lines: Mapping[str, RunLine]
) -> None:
    """Raises ToroidError where it cannot be written."""
    from toroid.page.run_page import filled  # with all that pages of runs need

    changed = [parameter for parameter in machine.parameters.values() if parameter.source == "set on the command line"]
    data = {
        "title": f"{machine.title}: published and measured",
        "machine": machine.title,
        "changed": [f"{parameter.name} = {parameter.value} {parameter.unit}" for parameter in changed],
        "figures": [figure.as_json(lines) for figure in figures],
    }
    write_text(path, filled("reproduce.html", str(data["title"]), data, _SCRIPTS))
