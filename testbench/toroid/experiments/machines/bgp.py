# SPDX-License-Identifier: Apache-2.0
"""What was published of Blue Gene/P."""

from __future__ import annotations

from toroid.experiments import (
    accumulate_progress,
    armci_contiguous,
    armci_patches,
    dcmf_contention,
    dcmf_latency,
    dcmf_networks,
    get_ordering,
    local_operations,
    one_sided_bandwidth,
    ospri_flush,
    ospri_modes,
    torus_contention,
    torus_displacements,
)
from toroid.experiments.figure import Figure

FIGURES = {
    "latency": Figure("puts and gets of DCMF over their size", dcmf_latency.latency),
    "bandwidth": Figure("puts and gets of OSPRI over their size, many under way", one_sided_bandwidth.bandwidth),
    "modes": Figure("OSPRI's puts against DCMF's, by its mode", ospri_modes.modes),
    "contiguous": Figure("puts and gets of OSPRI and of ARMCI", armci_contiguous.contiguous),
    "patches": Figure("patches of a matrix, by OSPRI and by ARMCI", armci_patches.patches),
    "local": Figure("operations on the own memory, by OSPRI and by ARMCI", local_operations.local),
    "flush": Figure("remote completion, by what was sent", ospri_flush.flush, short=True),
    "ordering": Figure("gets behind a put, with strict and with partial order", get_ordering.ordering),
    "progress": Figure("accumulates, by who makes progress", accumulate_progress.progress),
    "barrier": Figure("barriers over the global interrupts", dcmf_networks.barrier, short=True),
    "collective": Figure("bandwidth of the collective network", dcmf_networks.collective, short=True),
    "displacements_32x32x32": Figure(
        "every node to the one at a fixed displacement, the network alone",
        torus_displacements.displacements,
        short=True,
    ),
    "contention_8x8x8": Figure("every node, or a part, to (+4,+4,+4), by DCMF", dcmf_contention.contention, short=True),
    "contention_8x8x8_network": Figure(
        "every node, or a part, to (+4,+4,+4), the network alone", torus_contention.contention, short=True
    ),
}
