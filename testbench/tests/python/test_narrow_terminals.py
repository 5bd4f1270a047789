# SPDX-License-Identifier: Apache-2.0
"""Tables on narrow terminals: columns are left out and texts folded, but no number is cut."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.table import Table

from toroid import console
from toroid.report import Row, comparison_table
from toroid.run_summary import summary_table

Toroid = Callable[..., int]


def printed(table: Table, width: int) -> str:
    output = Console(file=io.StringIO(), width=width, emoji=False)
    console.print_table(output, table)
    assert isinstance(output.file, io.StringIO)
    return output.file.getvalue()


@pytest.mark.parametrize("width", [10, 20, 40])
def test_figures_of_a_run(width: int) -> None:
    rows = [Row("run", "retransmissions of all links", "count", None, 123_456_789), Row("run", "z", "s", None, 0)]
    said = printed(summary_table("prog", rows), width)
    assert " 123,456,789 " in said
    assert "…" not in said


@pytest.mark.parametrize("width", [10, 20, 40])
def test_figures_that_were_published(width: int) -> None:
    said = printed(comparison_table("title", [Row("fig", "a long name", "us", 1234.5, 2345.6)]), width)
    assert re.search(r"1,?23\d.* 2,?34\d.*\+90\.0 %", said)
    assert "…" not in said


@pytest.mark.parametrize(
    ("width", "headings"),
    [(160, 10), (80, 5), (40, 2), (20, 2), (10, 2)],
)
def test_columns_of_traffic(
    toroid: Toroid, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], width: int, headings: int
) -> None:
    def tables(*, stderr: bool = False) -> Console:
        return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)

    monkeypatch.setattr(console, "tables", tables)
    assert toroid("traffic", "--shape", "2x2x2", "--load", "0.3,0.6") == 0
    out = capfd.readouterr().out
    assert "…" not in out
    row = next(line for line in out.splitlines() if re.match(r"│ +0\.3 │", line))
    assert row.count("│") == headings + 1
    assert " 0.300 " in row
    assert ("left out" in " ".join(out.split())) == (width < 160)
