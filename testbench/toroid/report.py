# SPDX-License-Identifier: Apache-2.0
"""Rows that commands print as tables and write as JSON: what was published, what was measured, and how far they lie
apart."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table

from toroid.errors import write_text
from toroid.units import number


@dataclass(frozen=True)
class Row:
    """One figure. `experiment` and `row` name it; `published` is None if there is no published figure."""

    experiment: str
    row: str
    unit: str
    published: float | None
    measured: float | None

    @property
    def deviation(self) -> float | None:
        """Of the measured figure from the published one, as a fraction of the published one."""
        if self.published is None or self.measured is None or self.published == 0:
            return None
        return (self.measured - self.published) / self.published

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "deviation": self.deviation}


# The unit of rows that say whether something published holds: 1 or 0.
YES_NO = "yes/no"


def claim(experiment: str, text: str, holds: bool) -> Row:
    """A published statement that has no number, and whether it was found to hold."""
    return Row(experiment, text, YES_NO, 1.0, float(holds))


# As a file's name: standard output.
STANDARD_OUTPUT = Path("-")


def write_rows(path: Path, rows: Sequence[dict[str, object]]) -> None:
    _write(path, json.dumps({"rows": list(rows)}, indent=1) + "\n")


def write_csv(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """One line of headings, one a row. All rows have the same columns."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    _write(path, text.getvalue())


def _write(path: Path, text: str) -> None:
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_text(path, text)


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f} %"


def comparison_table(title: str, rows: Sequence[Row]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("figure")
    table.add_column("unit")
    for heading in ("published", "measured", "deviation"):
        table.add_column(heading, justify="right")
    for row in rows:
        if row.unit == YES_NO:
            table.add_row(row.row, "", *("yes" if value else "no" for value in (row.published, row.measured)), "")
        else:
            table.add_row(row.row, row.unit, number(row.published), number(row.measured), percent(row.deviation))
    return table
