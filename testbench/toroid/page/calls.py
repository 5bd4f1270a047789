# SPDX-License-Identifier: Apache-2.0
"""What calls of MPI and of the message layer are for, and how much time went into them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import numpy as np

from toroid.page.packing import Json
from toroid.trace.functions import message_layers
from toroid.trace.messages import INITIALISATIONS, POSTS, REGISTRATIONS
from toroid.trace.reader import Trace

# In the order of the page's colours. A core that is in no call and does not wait computes.
CATEGORIES = ("compute", "send", "receive", "wait", "collective", "input and output", "other calls")
COMPUTE, SEND, RECEIVE, WAIT, COLLECTIVE, INPUT_OUTPUT, OTHER = range(len(CATEGORIES))
UNCLASSIFIED = 255

_MPI = re.compile(r"P?(?:MPI_|mpi_)(\w+?)_{0,2}")
_RULES = (
    (re.compile(r"sendrecv(_replace)?|[im]?m?recv(_init)?"), RECEIVE),
    (re.compile(r"i?[bsr]?send(_init)?|put|r?accumulate|rput|buffer_detach"), SEND),
    (re.compile(r"r?get|get_accumulate|r?get_accumulate|fetch_and_op|compare_and_swap"), RECEIVE),
    (
        re.compile(r"(wait|test)(all|any|some)?|test_cancelled|i?m?probe|win_(wait|test|(un)?lock(_all)?|flush\w*)"),
        WAIT,
    ),
    (
        re.compile(
            r"i?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?"
            r"|scan|exscan|neighbor_\w+)|win_(fence|post|start|complete)"
            # What makes and frees the things of a group waits for the group as well.
            r"|init(_thread)?|finalize|win_(create(_dynamic)?|allocate(_shared)?|free)"
            r"|comm_(i?dup(_with_info)?|split(_type)?|create(_group)?|free|disconnect)|intercomm_(create|merge)"
            r"|cart_(create|sub)|(dist_)?graph_create(_adjacent)?"
        ),
        COLLECTIVE,
    ),
)
# Patterns of the message layers' functions.
_MESSAGE_LAYERS = tuple(
    (pattern, CATEGORIES.index(purpose))
    for layer in message_layers()
    for purpose, patterns in layer.usual.items()
    for pattern in patterns
)
_MOST_FUNCTIONS = 80


def category(function: str) -> int:
    """Of a function by its name; UNCLASSIFIED: neither MPI's nor the message layer's."""
    if match := _MPI.fullmatch(function):
        name = match[1].lower()
        return next((number for rule, number in _RULES if rule.fullmatch(name)), OTHER)
    return next((number for pattern, number in _MESSAGE_LAYERS if fnmatchcase(function, pattern)), UNCLASSIFIED)


def call_section(trace: Trace) -> Json:
    """A line for each function that was called."""
    calls, names = trace["calls"], trace.metadata.functions
    lines = []
    called = np.unique(calls["function"])
    # What is recorded in any case, to know the messages. In programs of MPI that is in its calls.
    hidden = set(REGISTRATIONS) | INITIALISATIONS
    if any(_MPI.fullmatch(names[function]) for function in called):
        hidden |= POSTS
    for function in called:
        if names[function] in hidden:
            continue
        mine = calls[calls["function"] == function]
        took = (mine["end"] - mine["time"]).astype(float) / 1000
        kind = category(names[function])
        lines.append({
            "name": names[function], "category": None if kind == UNCLASSIFIED else kind, "calls": len(mine),
            "ranks": len(np.unique(mine["rank"])), "total_ns": round(float(took.sum()), 3),
            "mean_ns": round(float(took.mean()), 3), "max_ns": round(float(took.max()), 3),
            "unfinished": int((mine["flags"] & 1).sum()),
        })  # fmt: skip
    lines.sort(key=lambda line: (-line["total_ns"], line["name"]))
    return {"functions": lines[:_MOST_FUNCTIONS], "left_out": max(0, len(lines) - _MOST_FUNCTIONS)}
