# SPDX-License-Identifier: Apache-2.0
"""What PAMI's objects cost on Blue Gene/Q (table II), and how fast messages of 8 bytes follow each other.

Published: Vishnu et al., "Building Scalable PGAS Communication Subsystem on Blue Gene/Q", table II, for objects. The
rate is from a study of one-sided communication on Blue Gene/Q and Cray: 4.3 million transfers of 8 bytes a second that
the hardware takes with relaxed order, by an interface that it does not name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row
from toroid.shape import parse_shape

COSTS, RATE = "bgq costs", "bgq rate"
SHAPE = "4x1x1x1x1"
PUBLISHED_US = {"endpoint": 0.3, "region": 43.0, "context": 3821.0}
PUBLISHED_BYTES = {"endpoint": 4, "region": 8}
PUBLISHED_MILLIONS = 4.3


def _lines(lab: Lab, program: str, *arguments: str) -> list[dict[str, str]]:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    (output,) = lab.run([ProgramRun(program, program, arguments, shape, ranks=2)])
    return records(output, program)


def cost_rows(lines: list[dict[str, str]], mhz: float) -> list[Row]:
    found = []
    for line in lines:
        of, time = line["of"], float(line["cycles"]) / mhz
        found.append(Row(COSTS, f"{of}: time to create", "us", PUBLISHED_US[of], time))
        if of in PUBLISHED_BYTES:
            found.append(Row(COSTS, f"{of}: size", "bytes", PUBLISHED_BYTES[of], float(line["bytes"])))
    return found


def rate_rows(library: str, lines: list[dict[str, str]], mhz: float) -> list[Row]:
    return [
        Row(RATE, f"8 bytes by {library} {line['by']}", "M/s", PUBLISHED_MILLIONS, mhz / float(line["cycles"]))
        for line in lines
    ]


def _draw(lab: Lab, path: Path, what: str, unit: str, rows: list[Row]) -> None:
    def values(of: Mapping[str, float | None]) -> dict[str, float]:
        return {name: value for name, value in of.items() if value is not None}

    published = values({row.row: row.published for row in rows if row.unit == unit})
    measured = values({row.row: row.measured for row in rows if row.unit == unit})
    plots.bars(path, f"{lab.machine.title}: {what}", unit, {"published": published, "measured": measured})


def costs(lab: Lab) -> Findings:
    rows = cost_rows(_lines(lab, "pami_costs"), lab.machine.number("core.clock"))
    return Findings(rows, lambda path: _draw(lab, path, "what PAMI's objects cost", "us", rows))


def rate(lab: Lab) -> Findings:
    messages = "100" if lab.short else "1000"
    mhz = lab.machine.number("core.clock")
    rows = [
        *rate_rows("the SPI's", _lines(lab, "spi_rate", messages), mhz),
        *rate_rows("PAMI's", _lines(lab, "pami_rate", messages), mhz),
    ]
    return Findings(rows, lambda path: _draw(lab, path, "messages of 8 bytes", "M/s", rows))
