# SPDX-License-Identifier: Apache-2.0
"""What was published of Blue Gene/Q."""

from __future__ import annotations

from toroid.experiments import armci_neighbours
from toroid.experiments.figure import Figure

FIGURES = {
    "latency": Figure("ARMCI's puts and gets over their size (Fig. 4 and 6)", armci_neighbours.latency, short=True),
    "bandwidth": Figure("the same, their bandwidth (Fig. 5 and 7)", armci_neighbours.bandwidth, short=True),
}
