# SPDX-License-Identifier: Apache-2.0
"""The benchmarks, in a short form: that each runs to its end and gives a figure; and how they are chosen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import helpers
import pytest

from toroid.benchmarks.benchmark import Benchmark, Figure
from toroid.benchmarks.suite import SUITE
from toroid.commands.bench import _choose, _measure

Bench = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """`toroid bench` with results of its own: in one directory there is one command at a time."""
    return lambda *arguments: helpers.toroid("bench", *arguments, env={"TOROID_RESULTS": str(tmp_path)})


FIGURES = [figure for benchmark in SUITE for figure in benchmark.figures]
# Verilator's code for SystemC takes the compiler long.
LONG = ("router in Verilog, a SystemC module",)


@pytest.mark.parametrize(
    "benchmark",
    [
        pytest.param(each, id=each.figures[0].name, marks=pytest.mark.long if each.figures[0].name in LONG else ())
        for each in SUITE
    ],
)
def test_every_benchmark_runs(bench: Bench, benchmark: Benchmark) -> None:
    names = [figure.name for figure in benchmark.figures]
    done = bench("--short", "--json", "-", *names)
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows.keys() >= set(names)
    for name in names:
        assert rows[name]["value"] > 0
        assert rows[name]["of_target"] == pytest.approx(rows[name]["value"] / rows[name]["target"])


def test_figures_have_names_of_their_own() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)


def test_the_longest_run_only_if_they_are_chosen() -> None:
    assert "fig9, all runs" not in [figure.name for each in _choose(()) for figure in each.figures]
    assert [each.figures[0].name for each in _choose(("FIG9",))] == ["fig9, all runs"]


def test_rounds_are_interleaved(tmp_path: Path) -> None:
    made: list[str] = []

    def measured(name: str, values: list[float]) -> Benchmark:
        def measure(_directory: Path, _short: bool) -> list[float]:
            made.append(name)
            return [values.pop(0)]

        return Benchmark((Figure(name, "s", 1.0),), measure)

    both = [measured("one", [3.0, 1.0, 2.0]), measured("other", [5.0, 7.0, 6.0])]
    values = _measure(both * 3, tmp_path, short=True)
    assert made == ["one", "other"] * 3
    assert [values[each.figures[0]] for each in both] == [[3.0, 1.0, 2.0], [5.0, 7.0, 6.0]]


def test_benchmarks_are_chosen_by_any_part_of_their_names(bench: Bench) -> None:
    done = bench("--short", "--json", "-", "POLLING", "busy")
    assert [figure["name"] for figure in json.loads(done.stdout)["rows"]] == [
        "32 busy cores",
        "512 busy cores",
        "32 busy x86-64 cores",
        "512 busy x86-64 cores",
        "32 busy ppc64 cores",
        "512 busy ppc64 cores",
        "64 polling nodes, 1 s simulated",
        "64 nodes polling a DMA counter, 1 s simulated",
        "64 nodes polling a Messaging Unit's counter, 1 s simulated",
    ]


def test_an_unknown_benchmark_is_told_with_those_that_there_are(bench: Bench) -> None:
    done = bench("network", "nothing of the kind")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "toroid: no benchmark has 'nothing of the kind' in its name; there are 'network 8x8x8"
    )
    assert [figure.name for figure in FIGURES if f"'{figure.name}'" not in done.stderr] == []


def test_figures_of_short_runs_are_no_baseline(bench: Bench) -> None:
    done = bench("--short", "--update-baseline", "polling")
    assert done.returncode == 2
    assert "--short --update-baseline: " in done.stderr
