# SPDX-License-Identifier: Apache-2.0
"""When and where a run went wrong: what its page shows first."""

from __future__ import annotations

from toroid.page.packing import Json
from toroid.result import Rank, Result
from toroid.trace import records
from toroid.trace.reader import Trace

# Tables of what moves in the networks, and the field that says when it did.
_MOVEMENTS = (("torus_sent", "end"), ("torus_received", "time"), ("tree_sent", "end"))


def place_of_trouble(trace: Trace, result: Result) -> Json | None:
    """The moment, and the ranks and nodes that it is about; None if nothing points to one."""
    if result.ended == "fault":
        ranks = [rank for rank in result.ranks if rank.fault is not None]
        moment = min((_end_of(trace, rank) for rank in ranks), default=trace.end)
    elif result.ended == "deadlock":
        # When the last core began to wait for what never came.
        waits = trace["waits"]
        last = waits["time"][waits["flags"] & records.UNFINISHED != 0]
        ranks = [rank for rank in result.ranks if rank.waiting is not None]
        moment = int(last.max()) if len(last) else trace.end
    elif result.ended == "stuck":
        ranks = [rank for rank in result.ranks if rank.waiting is not None]
        moment = max((int(trace[table][field].max()) for table, field in _MOVEMENTS if len(trace[table])), default=0)
    else:
        return None
    places = {place.rank: place.node for place in trace.metadata.ranks}
    return {
        "time_ns": min(moment, trace.end) / 1000,
        "ranks": [rank.rank for rank in ranks],
        "nodes": list(dict.fromkeys(places[rank.rank] for rank in ranks)),
    }


def _end_of(trace: Trace, rank: Rank) -> int:
    return min(trace.end, round(rank.cycles * 1e6 / trace.metadata.core_mhz))
