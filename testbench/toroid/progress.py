# SPDX-License-Identifier: Apache-2.0
"""How far simulations are, in the words of a progress line."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

# A speed is that of the last moments.
_SPEED_S = 5.0
_DIGITS_UP_TO = 10.0


@dataclass(frozen=True)
class ProgressReport:
    """What a simulator has done so far, or several together."""

    simulated_ns: float = 0.0
    fraction: float | None = None  # of the work
    instructions: int = 0
    packets: int = 0
    packet_hops: int = 0
    live_ranks: int | None = None  # without a program there are none


@dataclass(frozen=True)
class BatchProgress:
    """Of several simulations: how many there are and are complete, and what all of them have done together."""

    count: int
    complete: int
    together: ProgressReport

    @property
    def fraction(self) -> float:
        return self.together.fraction or 0.0


def together(reports: Iterable[ProgressReport | None], count: int) -> ProgressReport:
    """What simulations of `count` have done; None for those that have not begun."""
    begun = [report for report in reports if report is not None]
    live = [report.live_ranks for report in begun if report.live_ranks is not None]
    return ProgressReport(
        simulated_ns=sum(report.simulated_ns for report in begun),
        fraction=sum(report.fraction or 0.0 for report in begun) / count,
        instructions=sum(report.instructions for report in begun),
        packets=sum(report.packets for report in begun),
        packet_hops=sum(report.packet_hops for report in begun),
        live_ranks=sum(live) if live else None,
    )


class Narrator:
    """Puts reports into words, with the speed at which they follow each other."""

    def __init__(self, ranks: int | None = None) -> None:
        self._ranks = ranks
        self._seen: deque[tuple[float, ProgressReport]] = deque()

    def words(self, now: ProgressReport) -> str:
        """'1.250 ms simulated, 18,000 packets, 30 of 32 ranks, 95 M instructions/s', as far as there is such."""
        parts = [f"{now.simulated_ns / 1e6:,.3f} ms simulated", f"{now.packets:,} packets"]
        if now.live_ranks is not None:
            parts.append(f"{now.live_ranks:,}{f' of {self._ranks:,}' if self._ranks is not None else ''} ranks")
        if speed := self._speed(now):
            parts.append(speed)
        return ", ".join(parts)

    def batch_words(self, now: BatchProgress, what: str) -> str:
        """The same of a batch of `what`, such as loads: '3 of 19 loads, ...'."""
        return f"{now.complete} of {now.count} {what}, {self.words(now.together)}"

    def _speed(self, now: ProgressReport) -> str:
        at = time.monotonic()
        self._seen.append((at, now))
        while len(self._seen) > 2 and at - self._seen[1][0] >= _SPEED_S:
            self._seen.popleft()
        since, before = self._seen[0]
        if at == since:
            return ""
        if now.instructions:
            what, count = "instructions", now.instructions - before.instructions
        else:
            what, count = "packet-hops", now.packet_hops - before.packet_hops
        speed = count / (at - since) / 1e6
        return f"{speed:,.{0 if speed >= _DIGITS_UP_TO else 1}f} M {what}/s"
