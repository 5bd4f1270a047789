# SPDX-License-Identifier: Apache-2.0
"""The benchmarks, in a short form: that each runs to its end and gives a figure; and how they are chosen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import helpers
import pytest

from toroid.benchmarks.suite import SUITE

Bench = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """`toroid bench` with results of its own: in one directory there is one command at a time."""
    return lambda *arguments: helpers.toroid("bench", *arguments, env={"TOROID_RESULTS": str(tmp_path)})


# Verilator's code for SystemC takes the compiler long.
LONG = ("router in Verilog, a SystemC module",)


@pytest.mark.parametrize(
    "name",
    [pytest.param(each.name, marks=pytest.mark.long if each.name in LONG else ()) for each in SUITE],
)
def test_every_benchmark_runs(bench: Bench, name: str) -> None:
    done = bench("--short", "--json", "-", name)
    assert done.returncode == 0, done.stderr
    (figure,) = json.loads(done.stdout)["rows"]
    assert figure["name"] == name
    assert figure["value"] > 0


def test_benchmarks_are_chosen_by_any_part_of_their_names(bench: Bench) -> None:
    done = bench("--short", "--json", "-", "POLLING", "busy")
    assert [figure["name"] for figure in json.loads(done.stdout)["rows"]] == [
        "32 busy cores",
        "64 polling nodes, 1 s simulated",
    ]


def test_an_unknown_benchmark_is_told_with_those_that_there_are(bench: Bench) -> None:
    done = bench("network", "nothing of the kind")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "toroid: no benchmark has 'nothing of the kind' in its name; there are 'network 8x8x8"
    )
    assert [benchmark.name for benchmark in SUITE if f"'{benchmark.name}'" not in done.stderr] == []


def test_figures_of_short_runs_are_no_baseline(bench: Bench) -> None:
    done = bench("--short", "--update-baseline", "polling")
    assert done.returncode == 2
    assert "--short --update-baseline: " in done.stderr
