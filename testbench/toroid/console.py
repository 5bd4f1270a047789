# SPDX-License-Identifier: Apache-2.0
"""What people see: messages and progress on standard error, tables on standard output."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from rich.console import Console

from toroid.errors import escaped

if TYPE_CHECKING:
    from rich.table import Table

# Nothing that is printed is markup or the name of an emoji: texts of users and files are among it.
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
# Without a terminal a table keeps its natural width instead of being folded to 80 columns.
_WIDTH_OF_FILES = 160
_UNLIMITED = 10_000
# Columns that are left to a text in a table, however narrow the terminal is.
_NARROWEST_TEXT = 8
# Seconds between lines of progress where there is no terminal.
LINE_S = 30.0
# A job that takes less has no bar, and no line at its end.
_MOMENT_S = 1.0
# For so long a program has printed nothing when its bar comes back.
_QUIET_S = 0.2


def tables(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_FILES
    return console


def full_width(console: Console, table: Table) -> int:
    """Columns of the terminal that a table needs if no cell is folded."""
    return console.measure(table, options=console.options.update(max_width=_UNLIMITED)).maximum


def print_table(console: Console, table: Table) -> None:
    """Prints a table with its numbers whole, which stand to the right, and columns that say so of themselves. Texts are
    folded where the terminal is narrow; where that is not enough, lines go beyond its edge."""
    texts = [column for column in table.columns if column.justify != "right" and not column.no_wrap]
    widest = [column.max_width for column in texts]
    for column in table.columns:
        column.no_wrap = column not in texts
    for column in texts:
        column.overflow, column.max_width = "fold", _NARROWEST_TEXT
    least = full_width(console, table)
    for column, width in zip(texts, widest, strict=True):
        column.max_width = width
    console.width = max(console.width, least)
    console.print(table)


def say(text: str) -> None:
    """Lines on standard error, without anything that would do something to the terminal."""
    errors.print(escaped(text, keep="\n"))


def status(text: str) -> None:
    """One line on standard error, whatever is in it."""
    say(f"toroid: {escaped(text)}")


class Bar:
    """Progress of one job."""

    def update(self, fraction: float | None, note: str = "") -> None:
        """`fraction` of the work that is done, where it is known, and what there is to say of it."""

    def announce(self) -> None:
        """Prints once that the job has begun, if there is no bar: for jobs that may take minutes."""

    def write(self, text: bytes) -> None:
        """What a program prints on the terminal of the bar, on standard output as it stands."""
        _write_out(text)

    def begin(self) -> None:
        """The job begins."""

    def end(self) -> None:
        """The job has ended."""


class _Lines(Bar):
    """Where standard error is no terminal: a line now and then; `closing`: and one at the end of a job that took longer
    than a moment."""

    def __init__(self, title: str, closing: bool) -> None:
        self._title = title
        self._closing = closing
        self._note = ""
        self._announced = False
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._teller = threading.Thread(target=self._tell, daemon=True)

    def begin(self) -> None:
        self._teller.start()

    def end(self) -> None:
        self._ended.set()
        self._teller.join()
        if self._closing and self._seconds() > _MOMENT_S:
            status(f"{self._title}: {self._seconds():.0f} s")

    def announce(self) -> None:
        if not self._announced:
            self._announced = True
            status(f"{self._title} ...")

    def update(self, fraction: float | None, note: str = "") -> None:
        self._note = note

    def _tell(self) -> None:
        while not self._ended.wait(LINE_S):
            status(", ".join(filter(None, (f"{self._title}: {self._seconds():.0f} s", self._note))))

    def _seconds(self) -> float:
        return time.monotonic() - self._started


class _Moving(Bar):
    """A bar on the terminal, after a moment. What a program prints there goes above it; while a line is unfinished, as
    a question is, there is no bar."""

    def __init__(self, title: str) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[note]}", markup=False),
            TimeElapsedColumn(),
            console=errors,
            transient=True,
        )
        self._task = self._bars.add_task(escaped(title), total=None, note="")
        self._lock = threading.Lock()
        self._shown = False
        self._line_ended = True
        self._quiet_since = time.monotonic() + _MOMENT_S - _QUIET_S
        self._ended = threading.Event()
        self._painter = threading.Thread(target=self._paint, daemon=True)

    def begin(self) -> None:
        self._painter.start()

    def end(self) -> None:
        self._ended.set()
        self._painter.join()
        with self._lock:
            self._hide()

    def update(self, fraction: float | None, note: str = "") -> None:
        self._bars.update(self._task, completed=fraction, note=escaped(note))
        if fraction is not None:
            self._bars.update(self._task, total=1.0)

    def write(self, text: bytes) -> None:
        with self._lock:
            self._hide()
            _write_out(text)
            self._line_ended = text.endswith(b"\n")
            self._quiet_since = max(self._quiet_since, time.monotonic())

    def _paint(self) -> None:
        while not self._ended.wait(_QUIET_S):
            with self._lock:
                if not self._shown and self._line_ended and time.monotonic() - self._quiet_since >= _QUIET_S:
                    self._bars.start()
                    self._shown = True

    def _hide(self) -> None:
        if self._shown:
            self._bars.stop()
            self._shown = False


def _write_out(text: bytes) -> None:
    sys.stdout.flush()
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]


@contextmanager
def shared_terminal(bar: Bar) -> Iterator[IO[bytes] | None]:
    """Where a program's output goes that has one terminal with the bar: by way of the bar. Without such a bar it goes
    where it went without us."""
    if not (isinstance(bar, _Moving) and sys.stdout.isatty()):
        yield None
        return
    read_end, write_end = os.pipe()

    def pass_on() -> None:
        # The program shall notice a terminal that is gone as it would without us.
        with suppress(OSError), os.fdopen(read_end, "rb", buffering=0) as source:
            while text := source.read(1 << 16):
                bar.write(text)

    thread = threading.Thread(target=pass_on, daemon=True)
    thread.start()
    with os.fdopen(write_end, "wb") as sink:
        yield sink
    thread.join()  # not after an exception, when it is unknown when the program will end


@contextmanager
def progress(title: str, *, show: bool = True, closing: bool = False) -> Iterator[Bar]:
    """A bar on the terminal while a job runs. Where standard error is no terminal, a line every half a minute; and with
    `closing` a last one for a job that took longer than a second."""
    bar = Bar() if not show else _Moving(title) if errors.is_terminal else _Lines(title, closing)
    bar.begin()
    try:
        yield bar
    finally:
        bar.end()
