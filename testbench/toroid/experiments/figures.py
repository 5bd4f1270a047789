# SPDX-License-Identifier: Apache-2.0
"""The published figures that can be reproduced, by machine and name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from toroid.errors import UserError, suggestion
from toroid.experiments import machines
from toroid.experiments.figure import Figure

FIGURES: dict[str, dict[str, Figure]] = {
    module.name: importlib.import_module(f"{machines.__name__}.{module.name}").FIGURES
    for module in pkgutil.iter_modules(machines.__path__)
}


def chosen_figures(machine: str, names: Sequence[str]) -> dict[str, Figure]:
    """The figures of those names, in the order of the paper; all there are without a name. Raises UserError."""
    if machine not in FIGURES:
        raise UserError(f"reproduce {machine}: nothing published of such a machine; {suggestion(machine, FIGURES)}")
    known = FIGURES[machine]
    for name in names:
        if name not in known:
            hint = suggestion(name, known, "`toroid reproduce --help`")
            raise UserError(f"reproduce {machine} {name}: no such figure; {hint}")
    return {name: figure for name, figure in known.items() if name in names or not names}
