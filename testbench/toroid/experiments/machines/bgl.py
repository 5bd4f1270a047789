# SPDX-License-Identifier: Apache-2.0
"""What was published of Blue Gene/L: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer"."""

from __future__ import annotations

from toroid.experiments import (
    alltoall_bandwidth,
    barrier_time,
    broadcast_bandwidth,
    link_bandwidth,
    mapping_scaling,
    mpi_latency,
    nas_mapping,
    nas_modes,
    packet_read,
    pingpong_latency,
    tree_bandwidth,
)
from toroid.experiments.figure import Figure

FIGURES = {
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
}
