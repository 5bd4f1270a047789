# SPDX-License-Identifier: Apache-2.0
"""Plots. matplotlib is loaded only when one is drawn: it takes longer to start than everything else together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from toroid.errors import ToroidError, UserError
from toroid.result import LoadPoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _figure() -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(7, 4.5), layout="constrained")


def _save(figure: Figure, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Told the format, matplotlib writes to this very path; it would put .png behind a name without an ending.
        figure.savefig(path, dpi=150, format=path.suffix[1:] or "png")
    except ValueError as error:  # an ending that is no picture format
        raise UserError(f"{path}: cannot be drawn: {error}") from error
    except OSError as error:
        raise ToroidError(f"{path}: cannot be written: {error.strerror}") from error


# More series than there are colours in matplotlib's cycle take them from a scale.
_CYCLE = 10
# What a load of 1 is (torus/traffic/capacity.h).
_LOAD = "offered load\n(1: ideal, balanced, minimal routing would keep the busiest link always busy)"


def latency_over_load(path: Path, title: str, series: Sequence[tuple[str, Sequence[LoadPoint]]]) -> None:
    """Latency (mean and 99th percentile) and accepted load over the offered load, a colour for each of the series; the
    name of a single one is empty."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    figure = Figure(figsize=(7, 7.5), layout="constrained")
    latency, accepted = figure.subplots(2, sharex=True)
    scale = colormaps["viridis"]
    for number, (name, measured) in enumerate(series):
        colour = f"C{number}" if len(series) <= _CYCLE else scale(number / (len(series) - 1))
        loads = [point.load for point in measured]
        latency.plot(loads, [point.latency_mean_cycles for point in measured], "o-", color=colour, markersize=4)
        latency.plot(loads, [point.p99 for point in measured], ".:", color=colour)
        accepted.plot(loads, [point.accepted for point in measured], "o-", color=colour, markersize=4, label=name)
    styles = [
        Line2D([], [], color="0.3", linestyle="-", marker="o", markersize=4, label="mean"),
        Line2D([], [], color="0.3", linestyle=":", marker=".", label="99th percentile"),
    ]
    latency.legend(handles=styles, loc="upper left", fontsize="small")
    latency.set(title=title, ylabel="latency (network cycles)", yscale="log")
    latency.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    latency.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    latency.yaxis.set_minor_formatter(NullFormatter())
    accepted.axline((0, 0), slope=1, color="0.6", linestyle="--", linewidth=1, zorder=0)
    accepted.annotate(
        "all that is offered", (0.5, 0.5), (-8, 2), textcoords="offset points", color="0.4", fontsize="small",
        ha="right",
    )  # fmt: skip
    highest = max((point.accepted for _, measured in series for point in measured), default=1)
    # Above 1 only while buffers fill, as in a short run.
    accepted.set(xlabel=_LOAD, ylabel="accepted load", xlim=(0, 1.02), ylim=(0, 1.04 * max(1, highest)))
    for axes in (latency, accepted):
        axes.grid(alpha=0.3)
    if len(series) > 1:
        figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    _save(figure, path)


def latency_over_distance(
    path: Path,
    title: str,
    series: Mapping[str, Sequence[tuple[int, float]]],
    slopes: Mapping[str, float],
    published: str,
) -> None:
    """Half round trips over the distance: `series` holds for each protocol pairs of hops and microseconds, one a peer.
    A point a peer, and a line through the means. `slopes`, in microseconds a hop, are drawn from the mean of the
    nearest peers on, as `published`."""
    from matplotlib.ticker import MaxNLocator

    figure = _figure()
    axes = figure.add_subplot()
    for name, pairs in series.items():
        distances = sorted({hops for hops, _ in pairs})
        means = [fmean(latency for hops, latency in pairs if hops == distance) for distance in distances]
        (line,) = axes.plot(distances, means, "-", label=name)
        axes.plot(
            [hops for hops, _ in pairs], [latency for _, latency in pairs], "o", color=line.get_color(), alpha=0.4
        )
        if name in slopes:
            growth = [means[0] + slopes[name] * (distance - distances[0]) for distance in distances]
            axes.plot(distances, growth, "--", color="0.25", linewidth=1, zorder=3)
    axes.plot([], [], "--", color="0.25", linewidth=1, label=published)
    axes.set(title=title, xlabel="distance (hops)", ylabel="half round trip (us)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _from_zero(axes)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    _save(figure, path)


def _from_zero(axes: Axes) -> None:
    """Lets y begin at 0, with room above the highest point, however far from 0 all of them are."""
    axes.margins(y=0)
    _, top = axes.get_ylim()
    axes.set_ylim(0, 1.06 * top)


def bars(
    path: Path,
    title: str,
    y_label: str,
    series: dict[str, dict[str, float]],
    bands: Mapping[str, tuple[float, float]] | None = None,
) -> None:
    """Groups of bars beside each other: `series` holds for each legend entry its value in each group. `bands` are
    ranges of values, shaded across all groups."""
    figure = _figure()
    axes = figure.add_subplot()
    groups = list(dict.fromkeys(group for values in series.values() for group in values))
    width = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        places = [groups.index(group) + (number - (len(series) - 1) / 2) * width for group in values]
        drawn = axes.bar(places, list(values.values()), width, label=name)
        axes.bar_label(drawn, fmt="%.0f", fontsize="small")
    for name, (low, high) in (bands or {}).items():
        axes.axhspan(low, high, color="0.5", alpha=0.25, zorder=0, label=name)
    axes.set(title=title, ylabel=y_label)
    axes.set_xticks(range(len(groups)), groups)
    axes.margins(y=0.2)
    axes.legend(ncols=2)
    _save(figure, path)


@dataclass(frozen=True)
class Line:
    """One line of a plot: its legend entry, its points, and how it looks (matplotlib's short form, such as 'o--')."""

    label: str
    points: Sequence[tuple[float, float]]
    style: str = "o-"


@dataclass(frozen=True)
class Panel:
    """One pair of axes of a plot. `limits` are horizontal lines by their label. `whole`: x counts something."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    limits: Sequence[tuple[str, float]] = ()
    x_scale: Literal["linear", "log"] = "linear"
    whole: bool = False
    y_scale: Literal["linear", "log"] = "linear"  # logarithmic axes do not begin at 0


def panels(path: Path, title: str, drawn: Sequence[Panel], columns: int = 1) -> None:
    """Several pairs of axes in one picture, row by row."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    rows = -(-len(drawn) // columns)
    figure = Figure(figsize=(7 * columns, 4.4 * rows + 0.5), layout="constrained")
    figure.suptitle(title)
    for number, panel in enumerate(drawn):
        axes = figure.add_subplot(rows, columns, number + 1)
        for line in panel.lines:
            axes.plot([x for x, _ in line.points], [y for _, y in line.points], line.style, label=line.label)
        for label, value in panel.limits:
            axes.axhline(value, color="grey", linestyle=":")
            # Beside the axes, and the legend below them: neither lies on a line.
            axes.annotate(
                label, (1, value), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                fontsize="small", va="center", annotation_clip=False,
            )  # fmt: skip
        axes.set(
            title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label, xscale=panel.x_scale, yscale=panel.y_scale
        )  # fmt: skip
        if panel.whole:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if panel.y_scale == "linear":
            _from_zero(axes)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)
    _save(figure, path)
