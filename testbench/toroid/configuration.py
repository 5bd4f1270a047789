# SPDX-License-Identifier: Apache-2.0
"""The simulator's configuration file. docs/reference/simulator_files.md describes every field."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

from toroid import paths
from toroid.description import ProcessMode
from toroid.errors import UserError, write_text
from toroid.machine import Machine
from toroid.shape import Shape
from toroid.trace.functions import MPI, of_message_layer


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _all_is_text(cls, values: Any) -> Any:
        """JSON holds text alone; names of files and arguments may be any bytes."""
        for text in _texts(values):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise UserError(
                    f"'{text}': not UTF-8, which names, arguments and variables of a run must be"
                ) from error
        return values


def _texts(values: Any) -> Iterator[str]:
    if isinstance(values, str):
        yield values
    elif isinstance(values, dict):
        for key, value in values.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(values, list):
        for value in values:
            yield from _texts(value)


class TraceSection(_Section):
    """What the simulator records, and where."""

    file: str
    calls: list[str] = []  # patterns of functions' names, as the user gives them
    usual: list[list[str]] = []  # without these: the first of these lists that fits a function of the program
    always: list[str] = []  # in any case
    contents: bool = False  # also what packets carry


class GdbSection(_Section):
    rank: int
    port: int = 0
    sources: str | None = None


class RunSection(_Section):
    program: str
    arguments: list[str] = []
    environment: dict[str, str] = {}
    mode: str | None = None  # one of the machine's; the usual one
    ranks: int
    mapping: str | None = None  # a file
    order: str | None = None  # letters: without a file
    job_directory: str
    prefix_output: bool = False
    timeout_ns: int | None = None
    park: bool = True
    check_coherence: bool = False
    trace: TraceSection | None = None
    gdb: GdbSection | None = None


class _PatternSection(_Section):
    pattern: str
    routing: Literal["adaptive", "deterministic"]
    hot_fraction: float = 0.0
    displacement: list[int] | None = None  # of each dimension, from 0 on: pattern displacement
    senders_every: int | None = None


class TrafficSection(_PatternSection):
    """Sources that offer packets at random times."""

    loads: list[float]
    sizes: list[tuple[int, float]]  # bytes and weight; none: the largest packets
    warmup_cycles: int
    measure_cycles: int
    check: bool = False


class MessagesSection(_Section):
    """Messages that each source sends one behind the other; every size in a simulation of its own network."""

    bytes: list[int]
    count: int
    header_bytes: int
    tie_rule: Literal["parity", "plus"] | None = None
    interval_cycles: int = 0
    start_within_cycles: int = 0


class MessageTrafficSection(_PatternSection):
    """Sources that work off messages as a ring of a DMA engine does."""

    messages: MessagesSection


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
    dimensions: str
    modes: dict[str, ProcessMode]
    shape: list[int]
    wrap: list[bool]
    seed: int
    elaboration_order: int | None = None  # changes no result: for tests
    parameters: dict[str, bool | int | float | str]
    description: str | None = None  # the file that `parameters` come from
    origins: dict[str, str] = {}  # where each of them stands
    mode_origins: dict[str, str] = {}  # where each of `modes` stands
    run: RunSection | None = None
    traffic: TrafficSection | MessageTrafficSection | None = None
    rtl: RtlSection | None = None

    def write(self, path: Path) -> None:
        write_text(path, self.model_dump_json(indent=1, exclude_none=True) + "\n")


def _with_functions(trace: TraceSection, machine: Machine) -> TraceSection:
    usual, always = [list(MPI)], list[str]()
    if (layer := of_message_layer(machine.name)) is not None:
        usual.append(list(layer.usual_patterns))
        always = list(layer.always)
    return trace.model_copy(update={"usual": usual, "always": always})


def _elaboration_order() -> int | None:
    """TOROID_ELABORATION_ORDER: a number above 0; no option, because only tests want it."""
    text = os.environ.get("TOROID_ELABORATION_ORDER")
    if text is None:
        return None
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise UserError(f"TOROID_ELABORATION_ORDER is '{text}'; it must be a number from 1 to 2^63-1")
    return int(text)


def configure(
    machine: Machine,
    shape: Shape,
    seed: int,
    *,
    run: RunSection | None = None,
    traffic: TrafficSection | MessageTrafficSection | None = None,
    rtl: RtlSection | None = None,
) -> Configuration:
    """Without `run` and `traffic`: the collective networks alone."""
    if run is not None:
        trace = run.trace and _with_functions(run.trace, machine)
        run = run.model_copy(update={"mode": machine.mode(run.mode)[0], "trace": trace})
    return Configuration(
        kind="run" if run is not None else "traffic" if traffic is not None else "collective",
        machine=machine.name,
        dimensions=machine.dimensions,
        modes=machine.modes,
        shape=list(shape.extents),
        wrap=list(shape.wrap),
        seed=seed,
        elaboration_order=_elaboration_order(),
        parameters=machine.flat(),
        description=paths.shown(machine.path),
        origins=machine.origins(),
        mode_origins=machine.mode_origins,
        run=run,
        traffic=traffic,
        rtl=rtl,
    )
