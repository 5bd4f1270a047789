# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C (SIGINT) and SIGTERM, from the first moment of the process to its last: one line, and status 130.

The launcher starts us with SIGINT blocked, so that none is lost and none ends us before `install` has run. From then on
the signals do one of three things:

- while modules are loaded, the process ends at once: an exception in the middle of an import may come out as anything;
- while a command runs, KeyboardInterrupt is raised, so that it can tidy up (unless `stop_on_signals` of
  toroid.simulator has something better to do). More signals within a moment belong to the same key press; later ones
  end the process at once, whatever keeps it;
- once the command has ended, nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from toroid.errors import EXIT_INTERRUPTED

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# A person who presses Ctrl-C a few times in a row means one interrupt.
_BURST_S = 1.0


class _State:
    installed = False
    raising = False  # KeyboardInterrupt, instead of an end at once
    raised = False
    first: float | None = None  # when the first signal came


def install() -> None:
    """First thing in the process."""
    _State.installed = True
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    sys.unraisablehook = _on_unraisable
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def hold() -> None:
    """Keeps signals for the program that takes this process over, and calls `install` as well."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def raise_from_now_on() -> None:
    """A command begins."""
    _State.raising = True


def note() -> None:
    """A signal has arrived and has already been handled elsewhere."""
    if _State.first is None:
        _State.first = time.monotonic()


def raised() -> bool:
    """Whether the command was asked to end; its outcome is then meaningless, even a success."""
    return _State.raised


def ignore() -> None:
    """The command has ended: what is left is to leave."""
    if _State.installed:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def tell() -> None:
    """Prints that the command was interrupted, without using buffers, whose state is unknown then."""
    ignore()
    with suppress(OSError):
        # A bar may stand in this line, and it hides the cursor.
        os.write(2, (b"\r\x1b[K\x1b[?25h" if os.isatty(2) else b"") + b"toroid: interrupted\n")


def leave(status: int) -> NoReturn:
    """Ends the process. After an interrupt it does not wait for threads and exit handlers."""
    ignore()
    if _State.installed and _State.first is not None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def _on_signal(_number: int, _frame: FrameType | None) -> None:
    now = time.monotonic()
    if _State.first is None:
        _State.first = now
        if not _State.raising:
            _end()
        _State.raised = True
        raise KeyboardInterrupt
    if now - _State.first > _BURST_S:
        _end()


def _end() -> NoReturn:
    tell()
    os._exit(EXIT_INTERRUPTED)


def _on_unraisable(unraisable: Any) -> None:
    """KeyboardInterrupt in a place that cannot pass it on, such as a finaliser."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _end()
    sys.__unraisablehook__(unraisable)
