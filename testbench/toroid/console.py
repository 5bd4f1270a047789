# SPDX-License-Identifier: Apache-2.0
"""What people see: messages and progress on standard error, tables on standard output."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

from toroid.errors import escaped

# Nothing that is printed is markup: texts of users and files are among it.
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
# Without a terminal a table keeps its natural width instead of being folded to 80 columns.
_WIDTH_OF_FILES = 160


def tables(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False)
    return (
        console if console.is_terminal else Console(stderr=stderr, highlight=False, markup=False, width=_WIDTH_OF_FILES)
    )


def say(text: str) -> None:
    """Lines on standard error, without anything that would do something to the terminal."""
    errors.print(escaped(text, keep="\n"))


def status(text: str) -> None:
    """One line on standard error, whatever is in it."""
    say(f"toroid: {escaped(text)}")


class Bar:
    """Progress of one job. `unseen`: its title, where there is nothing to see of it on a terminal."""

    def __init__(self, bars: Progress | None, task: TaskID | None, unseen: str | None = None) -> None:
        self._bars = bars
        self._task = task
        self._unseen = unseen

    def announce(self) -> None:
        """Says once that the job has begun, where no bar shows it: for jobs that may take minutes."""
        if self._unseen is not None:
            status(f"{self._unseen} ...")
            self._unseen = None

    def update(self, fraction: float | None, note: str = "") -> None:
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=fraction, note=note)
            if fraction is not None:
                self._bars.update(self._task, total=1.0)


@contextmanager
def progress(title: str, *, show: bool = True) -> Iterator[Bar]:
    """A bar on the terminal while a job runs. Where standard error is no terminal, one line for a job that took longer
    than a second."""
    started = time.monotonic()
    title = escaped(title)
    if not show:
        yield Bar(None, None)
    elif not errors.is_terminal:
        yield Bar(None, None, title)
        if time.monotonic() - started > 1:
            status(f"{title}: {time.monotonic() - started:.0f} s")
    else:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            TimeElapsedColumn(),
            console=errors,
            transient=True,
        ) as bars:
            yield Bar(bars, bars.add_task(title, total=None, note=""))
