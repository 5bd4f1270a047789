# SPDX-License-Identifier: Apache-2.0
"""What is seen of a job while it runs: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from toroid import console, paths
from toroid.progress import BatchProgress, Narrator, ProgressReport, together

Toroid = Callable[..., int]


def test_a_run_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.0, 30.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    narrator = Narrator(ranks=32)
    first = ProgressReport(simulated_ns=1_250_000, packets=18_000, instructions=100_000_000, live_ranks=32)
    assert narrator.words(first) == "1.250 ms simulated, 18,000 packets, 32 of 32 ranks"
    later = ProgressReport(simulated_ns=2_500_000, packets=36_000, instructions=300_000_000, live_ranks=30)
    assert narrator.words(later).endswith(", 30 of 32 ranks, 100 M instructions/s")
    assert narrator.words(later).endswith(", 0.0 M instructions/s")  # of the last moments


def test_a_batch_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    reports = [ProgressReport(1e6, 1.0, packets=5, packet_hops=9), ProgressReport(2e6, 0.5, packets=6), None, None]
    sum_of_all = together(reports, 4)
    assert sum_of_all == ProgressReport(3e6, 0.375, packets=11, packet_hops=9)
    narrator = Narrator()
    narrator.words(ProgressReport())
    said = narrator.batch_words(BatchProgress(4, 1, sum_of_all), "loads")
    assert said == "1 of 4 loads, 3.000 ms simulated, 11 packets, 0.0 M packet-hops/s"


def test_lines_without_a_terminal(
    toroid: Toroid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "LINE_S", 0.2)

    def interrupt() -> None:
        while not (tmp_path / "out" / "sleeping").exists():
            time.sleep(0.01)
        time.sleep(1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    assert toroid("run", "--results", "out", "prog", "sleep") == 130
    line = r"^toroid: prog: \d s, 0\.001 ms simulated, 7 packets, 31 of 32 ranks$"
    assert re.search(line, capfd.readouterr().err, re.MULTILINE)


def test_a_short_run_prints_none(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("run", "prog") == 0
    assert "toroid: prog:" not in capfd.readouterr().err


def on_a_terminal(program: str) -> str:
    """What a terminal gets of a Python program."""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # as in a container without /dev/pts
        pytest.skip(f"no terminal is to be had here: {error}")
    env = os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench"), "TERM": "xterm", "COLUMNS": "150"}
    with subprocess.Popen([sys.executable, "-c", program], env=env, stdin=theirs, stdout=theirs, stderr=theirs) as run:
        os.close(theirs)
        got = b""
        try:
            while text := os.read(ours, 1 << 16):
                got += text
        except OSError:  # all have closed the terminal
            pass
    os.close(ours)
    assert run.returncode == 0, got
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", got.decode())


def test_a_bar_and_a_program_share_a_terminal() -> None:
    said = on_a_terminal(
        "import subprocess; from toroid import console; console._MOMENT_S = 0.2\n"
        "with console.progress('job') as bar, console.shared_terminal(bar) as output:\n"
        "    bar.update(0.5, '3 of 6 things')\n"
        "    script = 'echo one; sleep 1; echo two; printf \"what? \"; sleep 1; echo that'\n"
        "    subprocess.run(['sh', '-c', script], stdout=output, check=True)\n"
        "print('done')\n"
    )
    # The bar comes after the first line, goes before the second, and stays away from the question.
    one, _, rest = said.partition("one\r\n")
    assert one == ""
    bar, _, rest = rest.partition("two\r\n")
    assert "job" in bar
    assert "3 of 6 things" in bar
    assert rest == "what? that\r\ndone\r\n"


def test_a_moment_shows_no_bar() -> None:
    assert on_a_terminal("from toroid import console\nwith console.progress('job'): print('done')\n") == "done\r\n"
