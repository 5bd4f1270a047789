# SPDX-License-Identifier: Apache-2.0
"""What prepares a report's numbers: loads over time, categories of calls, pieces of a timeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trace_files import trace_of

from toroid.page.calls import COLLECTIVE, OTHER, RECEIVE, SEND, UNCLASSIFIED, WAIT, category
from toroid.page.links import bins_for, loads_over_time
from toroid.page.run_page import TEMPLATE, filled
from toroid.page.timeline import PIECE, Row, merged, pieces_of, times_by_category
from toroid.trace import records


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("MPI_Send", SEND), ("MPI_Ibsend", SEND), ("PMPI_Isend", SEND), ("mpi_ssend_", SEND), ("MPI_Put", SEND),
        ("MPI_Recv", RECEIVE), ("MPI_Irecv", RECEIVE), ("MPI_Sendrecv", RECEIVE), ("mpi_recv_", RECEIVE),
        ("MPI_Waitall", WAIT), ("MPI_Test", WAIT), ("MPI_Iprobe", WAIT), ("MPI_Probe", WAIT),
        ("MPI_Win_unlock", WAIT), ("MPI_Win_lock_all", WAIT),
        ("MPI_Barrier", COLLECTIVE), ("MPI_Iallreduce", COLLECTIVE),
        ("mpi_reduce_scatter_block_", COLLECTIVE), ("MPI_Neighbor_alltoallw", COLLECTIVE),
        ("MPI_Win_fence", COLLECTIVE),
        ("MPI_Init", COLLECTIVE), ("MPI_Init_thread", COLLECTIVE), ("MPI_Finalize", COLLECTIVE),
        ("mpi_finalize_", COLLECTIVE), ("MPI_Comm_split", COLLECTIVE), ("MPI_Comm_dup", COLLECTIVE),
        ("MPI_Comm_create_group", COLLECTIVE), ("MPI_Comm_free", COLLECTIVE), ("MPI_Cart_create", COLLECTIVE),
        ("MPI_Win_create", COLLECTIVE), ("MPI_Win_allocate_shared", COLLECTIVE), ("MPI_Win_free", COLLECTIVE),
        ("MPI_Comm_free_keyval", OTHER), ("MPI_Win_create_errhandler", OTHER), ("MPI_Comm_create_keyval", OTHER),
        ("MPI_Initialized", OTHER),
        ("MPI_Type_commit", OTHER), ("MPI_Comm_test_inter", OTHER), ("MPI_Reduce_local", OTHER),
        ("bglml_eager_post", SEND), ("bglml_wait", WAIT), ("bglml_tree_sum", COLLECTIVE), ("main", UNCLASSIFIED),
    ],
)  # fmt: skip
def test_categories_of_functions(function: str, expected: int) -> None:
    assert category(function) == expected


def test_loads_of_a_link_over_time() -> None:
    trace = trace_of(
        end=1000,
        torus_sent=[
            {"time": 0, "end": 100, "node": 1, "direction": 2},
            {"time": 400, "end": 700, "node": 1, "direction": 2},
            {"time": 0, "end": 1000, "node": 1, "direction": 3},
        ],
    )
    loads = loads_over_time(trace, np.array([1, 1, 0]), np.array([2, 3, 0]), 4)
    assert loads == pytest.approx(np.array([[0.4, 0.4, 0.8, 0.0], [1, 1, 1, 1], [0, 0, 0, 0]]))


def test_slices_of_time_are_as_many_as_a_page_holds() -> None:
    assert bins_for(0) == bins_for(3072) == 240
    assert 24 <= bins_for(20_000) < 240
    assert bins_for(10**6) == 24


def test_calls_within_calls_and_waits_outside_of_them() -> None:
    trace = trace_of(
        end=1000,
        functions=("MPI_Recv", "bglml_wait", "main"),
        calls=[
            {"time": 0, "end": 1000, "function": 2},
            {"time": 100, "end": 300, "function": 0},
            {"time": 150, "end": 250, "function": 1},
            {"time": 500, "end": 600, "function": 1},
        ],
        waits=[
            {"time": 160, "end": 240, "state": records.PARKED},
            {"time": 350, "end": 400, "state": records.WAITING},
            {"time": 450, "end": 480, "state": records.PARKED},
        ],
    )
    rows = [Row(0, 0, 900)]
    pieces = pieces_of(trace, rows)
    told = [(int(piece["begin"]), int(piece["end"]), int(piece["category"])) for piece in pieces]
    assert told == [(100, 300, RECEIVE), (350, 400, 5), (450, 480, WAIT), (500, 600, WAIT)]
    assert times_by_category(pieces, rows)[0].tolist() == [520, 0, 200, 130, 0, 50, 0]


def test_short_pieces_become_one_of_what_took_most() -> None:
    pieces = np.zeros(2001, PIECE)
    pieces["begin"][:2000] = np.arange(2000) * 10
    pieces["end"][:2000] = pieces["begin"][:2000] + np.where(np.arange(2000) % 2, 6, 2)
    pieces["category"][:2000] = np.where(np.arange(2000) % 2, SEND, WAIT)
    pieces["function"][:2000] = np.arange(2000) % 2
    pieces[2000] = (20_000, 40_000, 0, COLLECTIVE, 7, 1, 1.0)
    pieces["merged"], pieces["filled"] = 1, 1.0
    same, shortest = merged(pieces, 1, 40_000, 5000)
    assert same is pieces
    assert shortest is None
    shown, shortest = merged(pieces, 1, 40_000, 100)
    assert shortest == 800
    assert len(shown) <= 100
    assert shown["merged"].sum() == len(pieces)
    assert shown[-1]["category"] == COLLECTIVE
    assert shown[-1]["merged"] == 1
    assert set(shown["category"][:-1]) == {SEND}
    assert set(shown["function"][:-1]) == {1}
    assert shown["filled"][:-1] == pytest.approx(0.4, abs=0.02)
    assert np.all(shown["begin"][1:] >= shown["end"][:-1])


def test_nothing_ends_the_data_of_a_page() -> None:
    data = {"program": "</script><script>alert(1)</script>@STYLE@", "more": "<!--"}
    page = filled("index.html", "<b>&", data, ("base.js",))
    assert page.count("</script>") == 2
    assert "<title>&lt;b&gt;&amp;</title>" in page
    assert "alert(1)\\u003c/script>@STYLE@" in page


def test_templates_ask_nobody_for_anything() -> None:
    for file in sorted(Path(TEMPLATE).iterdir()):
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http" not in text.replace("http-equiv", ""), file
        assert "//cdn" not in text, file
