# SPDX-License-Identifier: Apache-2.0
"""What the experiments with OSPRI and ARMCI share: how their programs are run, and what they print."""

from __future__ import annotations

from collections.abc import Mapping

from toroid.errors import ToroidError
from toroid.experiments.harness import Lab, ProgramRun, records
from toroid.shape import Shape, parse_shape

Environment = tuple[tuple[str, str], ...]
Curve = dict[int, float]  # by bytes, or by what else a program varies

# Cores of a process pass locks to each other: let them see each other's stores after as many cycles.
APART = ("core.cores_apart=20",)
# OSPRI's modes. The published measurements were made without buffers in which calls leave their data.
_NO_HANDOFF = ("A1D_USE_HANDOFF", "0")
ALONE: Environment = (("A1D_ENABLE_CHT", "0"), _NO_HANDOFF)  # no helper thread: no locks
ATOMICS: Environment = (("A1D_MPI_ACTIVE", "0"), _NO_HANDOFF)
CRITICAL_SECTION: Environment = (("A1D_MPI_ACTIVE", "1"), _NO_HANDOFF)
INTERRUPTS: Environment = (("A1D_ENABLE_CHT", "0"), ("A1D_ENABLE_INTERRUPTS", "1"), _NO_HANDOFF)
# ARMCI as it was published: a put or an accumulate for each row of a patch; a thread makes progress.
ARMCI: Environment = (("ARMCI_PROGRESS", "thread"), ("ARMCI_PACK_BELOW", "0"))

PAIR = "4x2x2"  # the neighbour is one link away, and no other way is as short


def pair(lab: Lab) -> Shape:
    return parse_shape(PAIR, lab.machine.dimensions)


def between_neighbours(
    lab: Lab, name: str, program: str, arguments: tuple[str, ...], environment: Environment
) -> ProgramRun:
    """Of two processes."""
    return ProgramRun(name, program, arguments, pair(lab), ranks=2, environment=environment, settings=APART)


def microseconds(
    lab: Lab, output: str, record: str, field: str, key: str = "size", by: str = "operation"
) -> dict[str, Curve]:
    """A time that lines of `record` tell in cycles: by operation and size, or what other fields name them. Raises
    ToroidError if there is none."""
    mhz = lab.machine.number("core.clock")
    curves: dict[str, Curve] = {}
    for line in records(output, record):
        if field in line:
            curves.setdefault(line[by], {})[int(line[key])] = float(line[field]) / mhz
    if not curves:
        raise ToroidError(f"{record} printed no measurements of {field}")
    return curves


def less(curve: Mapping[int, float], than: Mapping[int, float], keys: range | tuple[int, ...]) -> float:
    """How many per cent less a curve has than another, in the mean over `keys`."""
    return 100 * (1 - sum(curve[key] / than[key] for key in keys) / len(keys))
