# SPDX-License-Identifier: Apache-2.0
"""Options of commands whose machine may have units in Verilog (nic/<machine>/rtl), and what they ask of build and
simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from toroid import build, options
from toroid.configuration import RtlSection, WavesSection
from toroid.errors import UserError
from toroid.units import parse_duration_ns

_UNITS = ("router", "link", "tree")


def rtl_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """--rtl; `RtlRequest` takes it."""
    return click.option(
        "--rtl", "rtl_units", multiple=True, metavar="UNIT@WHERE",
        help="Let a unit be Verilog instead of a C++ model: router, link or tree at x,y,z or all, for example "
        "router@0,0,0 or link@0,0,0/x+. Repeatable.",
    )(function)  # fmt: skip


def rtl_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--rtl and --waves; they come as keyword arguments of RtlRequest."""
    decorators = [
        rtl_option,
        click.option(
            "--waves", "waves_path", type=options.OutputPath(), metavar="FILE", callback=options.checked_output,
            help="Write the signals of these units over time as FST, which GTKWave opens.",
        ),
        click.option(
            "--waves-scope", "waves_scopes", multiple=True, metavar="SCOPE",
            help="Only this unit, or a part of it: router@0,0,0 or router@0,0,0.arbiter. Repeatable. Default: all of "
            "--rtl.",
        ),
        click.option("--waves-from", metavar="TIME", help="Write nothing before this simulated time, such as 20us."),
        click.option("--waves-to", metavar="TIME", help="Write nothing after this simulated time."),
    ]  # fmt: skip
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


@dataclass(frozen=True)
class RtlRequest:
    """What a command was asked to have in Verilog; nothing, most of the time."""

    rtl_units: tuple[str, ...] = ()
    waves_path: Path | None = None
    waves_scopes: tuple[str, ...] = ()
    waves_from: str | None = None
    waves_to: str | None = None

    def build(self, check: Callable[[], None], targets: tuple[str, ...] = build.SIMULATOR) -> None:
        """Builds `targets`, and units in Verilog if any are asked for: that takes minutes, so first `check` has the
        simulator say whether the machine has such."""
        build.ensure(targets=targets)
        if self.rtl_units:
            check()
            build.ensure(targets=("rtl",))

    def section(self) -> RtlSection | None:
        """For the simulator. Raises UserError for what cannot be."""
        for unit in self.rtl_units:
            kind, at, where = unit.partition("@")
            if kind not in _UNITS or not at or not where:
                raise UserError(f"--rtl {unit}: expected UNIT@WHERE: {', '.join(_UNITS)} at x,y,z or all")
        if self.waves_path is None:
            given = {
                "--waves-scope": self.waves_scopes,
                "--waves-from": self.waves_from,
                "--waves-to": self.waves_to,
            }
            if lone := [name for name, value in given.items() if value]:
                raise UserError(f"{lone[0]}: no waves are written; give --waves FILE as well")
        elif not self.rtl_units:
            raise UserError("--waves: only units in Verilog have signals; give --rtl router@0,0,0, for example")
        if not self.rtl_units:
            return None
        return RtlSection(units=list(self.rtl_units), waves=self._waves())

    def _waves(self) -> WavesSection | None:
        if self.waves_path is None:
            return None
        begin = parse_duration_ns(self.waves_from) if self.waves_from is not None else None
        end = parse_duration_ns(self.waves_to) if self.waves_to is not None else None
        if begin is not None and end is not None and begin > end:
            raise UserError(f"--waves-to {self.waves_to}: comes before --waves-from {self.waves_from}")
        options.prepared_directory(self.waves_path.resolve().parent)
        return WavesSection(
            file=str(self.waves_path.resolve()), scopes=list(self.waves_scopes), from_ns=begin, to_ns=end
        )
