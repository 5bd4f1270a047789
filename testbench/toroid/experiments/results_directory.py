# SPDX-License-Identifier: Apache-2.0
"""The results directory of `reproduce`: all its results were measured on the machine that it describes."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from toroid.errors import ToroidError
from toroid.machine import Machine

MACHINE = "machine.yaml"
ROWS = "rows.json"
RUNS = "runs"


def renew(where: Path, machine: Machine, figures: Iterable[str]) -> None:
    """Takes away what an earlier call has left, of all `figures` there are, and writes the machine's description. The
    old description goes last: where this is interrupted, a later call still knows the rest for an earlier call's.
    Without a description, plots and runs in the directory belong to someone else and are kept. Raises ToroidError."""
    description = machine.text()  # before anything goes: --machine may name the very file
    try:
        (where / ROWS).unlink(missing_ok=True)
        if (where / MACHINE).exists():
            for name in figures:
                (where / f"{name}.png").unlink(missing_ok=True)
            _remove_runs(where / RUNS)
            (where / MACHINE).unlink()
        (where / MACHINE).write_text(description, encoding="utf-8")
    except OSError as error:
        raise ToroidError(f"{error.filename or where}: cannot be renewed: {error.strerror}") from error


def _remove_runs(runs: Path) -> None:
    """The simulations' directories and their maps, but no other files that a user may have put there."""
    for configuration in runs.glob("*/configuration.json"):
        shutil.rmtree(configuration.parent)
    for mapping in runs.glob("*.map"):
        mapping.unlink()
