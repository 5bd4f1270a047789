# SPDX-License-Identifier: Apache-2.0
"""A task's performance in virtual node mode against coprocessor mode, on kernels that compute and communicate as the
NAS parallel benchmarks do (Fig. 10).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 8.3 and Fig. 10: class B on 32
nodes, 25 (BT, SP) or 32 tasks in coprocessor mode and 64 in virtual node mode; a task loses 2 to 20 %. The kernels
here are our own, at sizes of class A, for fewer iterations.
"""

from __future__ import annotations

from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig10"
SHAPE = "4x4x2"
# Each kernel's --size: class A's, but that 25 and 64 tasks need multiples of 40 for BT and SP (64 points in class A,
# 102 in B), and that FT's box is a cube (256 x 256 x 128 in class A).
KERNELS = {"bt": 80, "cg": 14000, "ft": 128, "is": 1 << 23, "lu": 64, "mg": 256, "sp": 80}
SQUARE = ("bt", "sp")  # need a square number of tasks
VIRTUAL_TASKS = 64
BAND = (0.80, 0.98)
ENOUGH = 5  # kernels in the band
# Sums of another number of tasks round otherwise.
SAME_RESULT = 1e-9


def _tasks(kernel: str, nodes: int) -> int:
    return int(nodes**0.5) ** 2 if kernel in SQUARE else nodes


def _one(output: str, kernel: str) -> dict[str, str]:
    found = records(output, "nas")
    if len(found) != 1:
        raise ToroidError(f"nas_{kernel} printed {len(found)} measurements, expected 1")
    return found[0]


def fig10(lab: Lab) -> Findings:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    runs = []
    for kernel, size in KERNELS.items():
        program, arguments = f"nas_{kernel}", ("--iterations", "1", "--size", str(size))
        runs.append(ProgramRun(f"{program}-co", program, arguments, shape, ranks=_tasks(kernel, shape.nodes)))
        runs.append(ProgramRun(f"{program}-vn", program, arguments, shape, ranks=VIRTUAL_TASKS, mode="vn"))
    outputs = iter(lab.run(runs))
    rows = []
    efficiency = {}
    for kernel in KERNELS:
        alone, shared = _one(next(outputs), kernel), _one(next(outputs), kernel)
        if abs(float(alone["result"]) / float(shared["result"]) - 1) > SAME_RESULT:
            raise ToroidError(f"nas_{kernel}: another result with {shared['tasks']} tasks than with {alone['tasks']}")
        speed = {
            mode: float(record["operations"]) / float(record["seconds"]) / int(record["tasks"]) / 1e6
            for mode, record in (("co", alone), ("vn", shared))
        }
        efficiency[kernel] = speed["vn"] / speed["co"]
        rows.append(
            Row(EXPERIMENT, f"{kernel}, {alone['tasks']} tasks, a task in coprocessor mode", "Mop/s", None, speed["co"])
        )
        rows.append(
            Row(
                EXPERIMENT,
                f"{kernel}, {shared['tasks']} tasks, virtual node mode's share of it",
                "share",
                None,
                efficiency[kernel],
            )
        )
    inside = sum(BAND[0] <= value <= BAND[1] for value in efficiency.values())
    rows.append(Row(EXPERIMENT, f"kernels that lose 2 to 20 % a task, of {len(KERNELS)}", "count", None, inside))
    rows.append(claim(EXPERIMENT, f"at least {ENOUGH} of {len(KERNELS)} lose 2 to 20 % a task", inside >= ENOUGH))
    title = f"{lab.machine.title} {shape}: a task in virtual node mode against coprocessor mode"

    def draw(path: Path) -> None:
        shares = {kernel.upper(): 100 * value for kernel, value in efficiency.items()}
        plots.bars(
            path, title, "performance of a task, %", {"measured": shares}, {"published": (100 * BAND[0], 100 * BAND[1])}
        )

    return Findings(rows, draw)
