# SPDX-License-Identifier: Apache-2.0
"""What was published of Blue Gene/Q."""

from __future__ import annotations

from toroid.experiments import (
    armci_chunks,
    armci_counter,
    armci_neighbours,
    armci_ranks,
    pami_costs,
    pami_world,
    torus_alltoall,
)
from toroid.experiments.figure import Figure

FIGURES = {
    "latency": Figure("ARMCI's puts and gets over their size (Fig. 4 and 6)", armci_neighbours.latency, short=True),
    "bandwidth": Figure("the same, their bandwidth (Fig. 5 and 7)", armci_neighbours.bandwidth, short=True),
    "ranks": Figure("gets from every other node (Fig. 8)", armci_ranks.ranks, short=True),
    "strided": Figure("puts and gets of data in chunks (Fig. 9)", armci_chunks.strided, short=True),
    "counter": Figure("fetch-and-add on a shared counter (Fig. 10)", armci_counter.counter, short=True),
    "accumulate": Figure("accumulates of data in chunks (Fig. 11)", armci_chunks.accumulate, short=True),
    "costs": Figure("PAMI's endpoints, memory regions and contexts (table II)", pami_costs.costs, short=True),
    "rate": Figure("messages of 8 bytes a second", pami_costs.rate, short=True),
    "world": Figure("barriers and all-reductions of all tasks, by PAMI", pami_world.world, short=True),
    "alltoall": Figure("all-to-all, share of the peak, the network alone", torus_alltoall.alltoall, short=True),
}
