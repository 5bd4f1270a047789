# SPDX-License-Identifier: Apache-2.0
"""Sweeps over offered loads: one simulator process a load, several at a time. A load's figures do not depend on which
others are swept, nor on how many run at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

from toroid.batch import Job, run_batch
from toroid.configuration import Configuration
from toroid.errors import EXIT_INTERRUPTED, ToroidError, UserError
from toroid.result import LoadPoint
from toroid.simulator import Outcome

CHUNK_BYTES = 32
LARGEST_PACKET_CHUNKS = 8


def parse_loads(text: str) -> list[float]:
    """'0.3', '0.1,0.2' or 'first:last:step' with both ends included. A load lies above 0 and up to 1."""
    wrong = UserError(f"--load {text}: expected loads above 0 and up to 1, as 0.3 or 0.1,0.2 or 0.05:0.95:0.05")
    try:
        if ":" in text:
            first, last, step = (Decimal(part) for part in text.split(":"))
            if not step > 0 or last < first or last > 1:
                raise wrong
            loads = [first + step * i for i in range(int((last - first) / step) + 1)]
        else:
            loads = [Decimal(part) for part in text.split(",")]
        if not all(0 < load <= 1 for load in loads):
            raise wrong
    except (InvalidOperation, ValueError) as error:
        raise wrong from error
    return [float(load) for load in loads]


def parse_sizes(text: str) -> list[tuple[int, float]]:
    """'256' or '32:0.5,256:0.5': packet sizes in bytes, with weights; as pairs of chunks and weight."""
    sizes = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?::(\d+(?:\.\d*)?|\.\d+))?", part.strip())
        count, rest = divmod(int(match[1]), CHUNK_BYTES) if match else (0, 0)
        weight = float(match[2]) if match and match[2] else 1.0
        if not 1 <= count <= LARGEST_PACKET_CHUNKS or rest or weight <= 0:
            raise UserError(
                f"--sizes {text}: expected packet sizes in bytes, multiples of {CHUNK_BYTES} up to "
                f"{CHUNK_BYTES * LARGEST_PACKET_CHUNKS}, with weights above 0: 256 or 32:0.5,256:0.5"
            )
        sizes.append((count, weight))
    return sizes


def sweep(
    configuration: Configuration,
    directory: Path,
    *,
    jobs: int | None = None,
    on_progress: Callable[[float, int], None] | None = None,
) -> list[Outcome]:
    """One outcome a load, in the order of the loads, as far as the sweep came. `on_progress` is told the fraction done
    and how many loads are complete."""
    traffic = configuration.traffic
    assert traffic is not None
    batch = [
        Job(
            configuration.model_copy(update={"traffic": traffic.model_copy(update={"loads": [load]})}),
            directory / f"load-{load:g}",
        )
        for load in traffic.loads
    ]
    done = run_batch(batch, at_once=jobs, on_progress=on_progress)
    return [outcome for outcome in done.outcomes if outcome is not None]


def points(outcomes: list[Outcome]) -> list[LoadPoint]:
    """The measured points. Raises ToroidError where the network failed at a load instead of being measured."""
    found = []
    for outcome in outcomes:
        if outcome.result is None and outcome.status == EXIT_INTERRUPTED:
            continue
        if outcome.result is None:
            raise ToroidError(f"the simulator refused {outcome.directory / 'configuration.json'}")
        if outcome.result.ended not in ("completed", "interrupted"):
            text = f"{outcome.directory.name}: {outcome.result.error or outcome.result.ended}"
            raise ToroidError(f"{text}\n{outcome.result.stuck}" if outcome.result.stuck else text)
        found += outcome.result.traffic or []
    return found
