# SPDX-License-Identifier: Apache-2.0
"""Plots: nothing lies on a point or a line, and what is counted has whole numbers on its axis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from toroid import plots
from toroid.result import LoadPoint


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures, drawn and not written."""
    figures: list[Figure] = []

    def keep(figure: Figure, _path: Path) -> None:
        figure.draw_without_rendering()
        figures.append(figure)

    monkeypatch.setattr(plots, "_save", keep)
    return figures


def shows_all(axes: Axes) -> bool:
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    # Markers too, which stand out over their points.
    return all(
        left < x < right and bottom <= y < top - 0.02 * (top - bottom)
        for line in axes.lines
        if line.get_marker() not in ("None", "")
        for x, y in np.asarray(line.get_xydata(), dtype=float)
    )


def test_panels(drawn: list[Figure]) -> None:
    lines = [plots.Line("naive", [(1, 81.0), (2, 80.0), (6, 77.0)]), plots.Line("optimised", [(1, 81), (6, 78)])]
    limits = [("one", 40.0), ("two", 80.0)]
    panels = [plots.Panel("t", "links", "MB/s", lines, limits, whole=True) for _ in range(3)]
    plots.panels(Path("p.png"), "title", panels, columns=2)
    (figure,) = drawn
    for axes in figure.axes:
        assert shows_all(axes)
        assert all(float(tick).is_integer() for tick in axes.get_xticks())
        place = axes.get_window_extent()
        legend = axes.get_legend()
        assert legend is not None
        for beside in (legend, *axes.texts):
            assert not beside.get_window_extent().overlaps(place.padded(-1))
            assert figure.bbox.x1 >= beside.get_window_extent().x1


def test_latency_over_distance_has_the_published_slope(drawn: list[Figure]) -> None:
    series = {"eager": [(1, 2.0), (1, 2.2), (5, 2.5)], "rendezvous": [(1, 6.0), (5, 7.0)]}
    plots.latency_over_distance(Path("p.png"), "title", series, {"eager": 0.1, "rendezvous": 0.3}, "published")
    (axes,) = drawn[0].axes
    assert shows_all(axes)
    assert all(float(tick).is_integer() for tick in axes.get_xticks())
    slopes = [np.asarray(line.get_ydata(), dtype=float) for line in axes.lines if line.get_linestyle() == "--"]
    assert slopes[:2] == [pytest.approx([2.1, 2.5]), pytest.approx([6.0, 7.2])]
    assert [text.get_text() for text in drawn[0].legends[0].get_texts()] == ["eager", "rendezvous", "published"]


def test_latency_over_load_has_a_panel_for_each_quantity(drawn: list[Figure]) -> None:
    def point(load: float) -> LoadPoint:
        figures = dict.fromkeys(
            ("latency_mean_cycles", "latency_p50", "p95", "p99", "max", "link_load_mean", "link_load_max"), 100 * load
        )
        return LoadPoint(load=load, offered=load, accepted=1.1 * load, packet_hops=1, **figures)

    measured = [point(load) for load in (0.1, 0.5, 1.0)]
    plots.latency_over_load(Path("p.png"), "title", [("", measured)])
    plots.latency_over_load(Path("p.png"), "title", [(f"series {i}", measured) for i in range(12)])
    for figure, entries in zip(drawn, (0, 12), strict=True):
        assert len(figure.axes) == 2  # no twin of one
        latency, accepted = figure.axes
        assert "network cycles" in latency.get_ylabel()
        assert accepted.get_xlabel().startswith("offered load\n(1: ideal, balanced, minimal routing")
        assert shows_all(accepted)
        assert sum(len(legend.get_texts()) for legend in figure.legends) == entries
    colours = {line.get_color() for line in drawn[1].axes[1].lines if line.get_marker() == "o"}
    assert len(colours) == 12
