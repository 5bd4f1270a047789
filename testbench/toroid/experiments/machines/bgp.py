# SPDX-License-Identifier: Apache-2.0
"""What was published of Blue Gene/P."""

from __future__ import annotations

from toroid.experiments import dcmf_latency, torus_contention, torus_displacements
from toroid.experiments.figure import Figure

FIGURES = {
    "latency": Figure("puts and gets of DCMF over their size", dcmf_latency.latency),
    "displacements_32x32x32": Figure(
        "every node to the one at a fixed displacement, the network alone",
        torus_displacements.displacements,
        short=True,
    ),
    "contention_8x8x8_network": Figure(
        "every node, or a part, to (+4,+4,+4), the network alone", torus_contention.contention, short=True
    ),
}
