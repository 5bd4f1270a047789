# SPDX-License-Identifier: Apache-2.0
"""The simulator's configuration file. docs/reference/simulator_files.md describes every field."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from toroid.errors import write_text
from toroid.machine import Machine
from toroid.shape import Shape


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TraceSection(_Section):
    """What the simulator records, and where."""

    file: str
    calls: list[str] = []  # patterns of functions' names
    contents: bool = False  # also what packets carry


class GdbSection(_Section):
    rank: int
    port: int = 0


class RunSection(_Section):
    program: str
    arguments: list[str] = []
    environment: dict[str, str] = {}
    mode: Literal["co", "vn"] = "co"
    ranks: int
    mapping: str | None = None
    job_directory: str
    prefix_output: bool = False
    timeout_ns: int | None = None
    park: bool = True
    check_coherence: bool = False
    trace: TraceSection | None = None
    gdb: GdbSection | None = None


class TrafficSection(_Section):
    pattern: str
    routing: Literal["adaptive", "deterministic"]
    loads: list[float]
    sizes: list[tuple[int, float]]
    warmup_cycles: int
    measure_cycles: int
    hot_fraction: float = 0.0
    check: bool = False


class WavesSection(_Section):
    """Which signals of units in Verilog are recorded, and where."""

    file: str
    scopes: list[str] = []
    from_ns: int | None = None
    to_ns: int | None = None


class RtlSection(_Section):
    """Which units are Verilog instead of C++ models."""

    units: list[str]
    waves: WavesSection | None = None


class Configuration(_Section):
    version: Literal[1] = 1
    kind: Literal["run", "traffic", "collective"]
    machine: str
    dimensions: int
    shape: list[int]
    wrap: list[bool]
    seed: int
    parameters: dict[str, int | float]
    run: RunSection | None = None
    traffic: TrafficSection | None = None
    rtl: RtlSection | None = None

    def write(self, path: Path) -> None:
        write_text(path, self.model_dump_json(indent=1, exclude_none=True) + "\n")


def configure(
    machine: Machine,
    shape: Shape,
    seed: int,
    *,
    run: RunSection | None = None,
    traffic: TrafficSection | None = None,
    rtl: RtlSection | None = None,
) -> Configuration:
    """Without `run` and `traffic`: the collective networks alone."""
    return Configuration(
        kind="run" if run is not None else "traffic" if traffic is not None else "collective",
        machine=machine.name,
        dimensions=len(shape.extents),
        shape=list(shape.extents),
        wrap=list(shape.wrap),
        seed=seed,
        parameters=machine.flat(),
        run=run,
        traffic=traffic,
        rtl=rtl,
    )
