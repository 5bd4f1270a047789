# SPDX-License-Identifier: Apache-2.0
"""The published figures that can be reproduced, by machine and name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toroid.errors import UserError, suggestion
from toroid.experiments import (
    alltoall_bandwidth,
    barrier_time,
    broadcast_bandwidth,
    dcmf_latency,
    link_bandwidth,
    mapping_scaling,
    mpi_latency,
    nas_mapping,
    nas_modes,
    packet_read,
    pingpong_latency,
    tree_bandwidth,
)
from toroid.experiments.harness import Findings, Lab


@dataclass(frozen=True)
class Figure:
    title: str
    measure: Callable[[Lab], Findings]


FIGURES: dict[str, dict[str, Figure]] = {
    "bgl": {
        "fig4": Figure("what the map is worth to a kernel like NAS BT, through MPI", nas_mapping.fig4),
        "fig6": Figure("cycles to read a packet", packet_read.fig6),
        "fig7": Figure("half round trips of 1-byte messages, by protocol", pingpong_latency.fig7),
        "fig7-mpi": Figure("the same through MPI", mpi_latency.fig7_mpi),
        "fig8": Figure("latency over the distance", pingpong_latency.fig8),
        "fig9": Figure("bandwidth over one to six links at once, by protocol", link_bandwidth.fig9),
        "fig10": Figure("virtual node mode against coprocessor mode, kernels like NAS", nas_modes.fig10),
        "fig12": Figure("bandwidth of broadcasts", broadcast_bandwidth.fig12),
        "fig13": Figure("all-to-all, share of the peak", alltoall_bandwidth.fig13),
        "alltoall-shapes": Figure("all-to-all on asymmetric tori", alltoall_bandwidth.alltoall_shapes),
        "fig14": Figure("the tree: bandwidth of broadcast and allreduce, latency", tree_bandwidth.fig14),
        "barrier": Figure("what a barrier takes, over the global interrupts and by messages", barrier_time.barrier),
        "mapping": Figure("what the map is worth to a code like NAS BT (Fig. 4)", mapping_scaling.mapping),
    },
    "bgp": {
        "latency": Figure("puts and gets of DCMF over their size", dcmf_latency.latency),
    },
}


def chosen_figures(machine: str, names: Sequence[str]) -> dict[str, Figure]:
    """The figures of those names, in the order of the paper; all there are without a name. Raises UserError."""
    if machine not in FIGURES:
        raise UserError(f"reproduce {machine}: nothing published of such a machine; {suggestion(machine, FIGURES)}")
    known = FIGURES[machine]
    for name in names:
        if name not in known:
            raise UserError(f"reproduce {machine} {name}: no such figure; {suggestion(name, known)}")
    return {name: figure for name, figure in known.items() if name in names or not names}
