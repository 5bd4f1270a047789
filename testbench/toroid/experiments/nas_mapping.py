# SPDX-License-Identifier: Apache-2.0
"""What the map of tasks onto the torus is worth to a kernel like NAS BT, through MPI (Fig. 4).

Published: Almasi et al., "Implementing MPI on the BlueGene/L supercomputer", section 5 and Fig. 4: BT's performance
a processor, up to about 1000 processors, with the standard map and with one optimised for BT. The text gives no
values; the statement is the shape: with the standard map it falls as processors are added, with the optimised one
it stays nearly flat. Here a cell has the same points whatever the number of tasks, so that a task has as many bytes to
send for each point as ever: what is lost, the network loses.
"""

from __future__ import annotations

from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments import mapping_scaling, multipartition_map
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row, claim
from toroid.shape import parse_shape

EXPERIMENT = "bgl fig4"
# Tasks along a side of the grid, and the partition that takes them.
SIZES = ((4, "4x4x2"), (8, "4x4x4"), (12, "8x8x4"), (16, "8x8x4"), (20, "8x8x8"))
CELL = 5  # points along a side of a cell; a task has as many cells as the grid's side has tasks


def fig4(lab: Lab) -> Findings:
    runs: dict[tuple[str, int], ProgramRun] = {}
    for side, shape_text in reversed(SIZES):  # the longest first
        shape = parse_shape(shape_text, lab.machine.dimensions)
        for name, make in mapping_scaling.MAPS.items():
            run_name = f"nas_bt-{side * side}-{name}"
            path = lab.directory / f"{run_name}.map"
            multipartition_map.write_map(path, make(side, shape))
            arguments = ("--size", str(CELL * side))
            runs[name, side] = ProgramRun(run_name, "nas_bt", arguments, shape, ranks=side * side, mapping=path)
    outputs = dict(zip(runs, lab.run(list(runs.values())), strict=True))
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in mapping_scaling.MAPS}
    rows = []
    for side, _ in SIZES:
        for name in mapping_scaling.MAPS:
            found = records(outputs[name, side], "nas")
            if len(found) != 1:
                raise ToroidError(f"nas_bt printed {len(found)} measurements, expected 1")
            tasks = int(found[0]["tasks"])
            speed = float(found[0]["operations"]) / float(found[0]["seconds"]) / tasks / 1e6
            speeds[name].append((tasks, speed))
            rows.append(Row(EXPERIMENT, f"{tasks} tasks, {name} map, a task", "Mop/s", None, speed))
    kept = {name: points[-1][1] / points[0][1] for name, points in speeds.items()}
    flat = mapping_scaling.NEARLY_FLAT
    rows += [
        claim(EXPERIMENT, "naive: a task's performance falls with their number", kept["naive"] < flat),
        claim(EXPERIMENT, "optimised: it stays nearly flat (within 10 %)", kept["optimised"] >= flat),
    ]

    def draw(path: Path) -> None:
        lines = [plots.Line(f"{name} map", points) for name, points in speeds.items()]
        panel = plots.Panel("performance of a task", "tasks", "Mop/s", lines)
        plots.panels(path, f"{lab.machine.title}: a kernel like NAS BT through MPI", [panel])

    return Findings(rows, draw)
