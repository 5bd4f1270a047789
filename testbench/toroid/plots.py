# SPDX-License-Identifier: Apache-2.0
"""Plots. matplotlib is loaded only when one is drawn: it takes longer to start than everything else together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from toroid.errors import UserError
from toroid.result import LoadPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _figure() -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(7, 4.5), layout="constrained")


def _save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        figure.savefig(path, dpi=150)
    except ValueError as error:  # an ending that is no picture format
        raise UserError(f"{path}: cannot be drawn: {error}") from error


def latency_over_load(path: Path, title: str, measured: Sequence[LoadPoint]) -> None:
    """Latency (mean and 99th percentile) and accepted throughput over the offered load."""
    figure = _figure()
    loads = [point.load for point in measured]
    latency = figure.add_subplot()
    latency.plot(loads, [point.latency_mean_cycles for point in measured], "o-", label="latency, mean")
    latency.plot(loads, [point.p99 for point in measured], ".:", label="latency, 99 %")
    latency.set(title=title, xlabel="offered load", ylabel="latency (network cycles)", yscale="log")
    latency.grid(alpha=0.3)
    accepted = latency.twinx()
    accepted.plot(loads, [point.accepted for point in measured], "s--", color="tab:green", label="accepted")
    accepted.set(ylabel="accepted load", ylim=(0, 1))
    lines = [*latency.lines, *accepted.lines]
    latency.legend(lines, [str(line.get_label()) for line in lines], loc="upper left")
    _save(figure, path)


def latency_over_distance(
    path: Path, title: str, series: dict[str, list[tuple[int, float]]], published: dict[str, float]
) -> None:
    """Half round trips over the distance: `series` holds for each protocol pairs of hops and microseconds, one a peer.

    A point a peer, a line through the means, and a cross for what was published for neighbours, in microseconds.
    """
    figure = _figure()
    axes = figure.add_subplot()
    for name, pairs in series.items():
        distances = sorted({hops for hops, _ in pairs})
        means = [fmean(latency for hops, latency in pairs if hops == distance) for distance in distances]
        (line,) = axes.plot(distances, means, "-", label=name)
        axes.plot(
            [hops for hops, _ in pairs], [latency for _, latency in pairs], "o", color=line.get_color(), alpha=0.4
        )
    axes.set(title=title, xlabel="distance (hops)", ylabel="half round trip (us)", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)
