# SPDX-License-Identifier: Apache-2.0
"""Latency of DCMF's puts and gets over their size, between neighbours, and the rate of puts one behind the other.

Published: the data files that came with A1, the runtime that Hammond et al. describe in "OSPRI: an optimized one-sided
communication runtime for leadership-class machines"; Blue Gene/P in SMP mode, two ranks. Local completion is that of
many puts in a row, remote completion and gets are one at a time. 357.6 MiB/s is the rate of one link: 240 of 272 bytes
of a packet at 425 MB/s.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toroid import plots
from toroid.errors import ToroidError
from toroid.experiments.harness import Findings, Lab, ProgramRun, records
from toroid.report import Row
from toroid.shape import Shape, parse_shape

EXPERIMENT = "bgp latency"
SHAPE = "4x2x2"  # the neighbour is one link away, and no other way is as short
# us by bytes.
PUBLISHED: Mapping[str, Mapping[int, float]] = {
    "put, local completion": {
        8: 1.62, 32: 1.62, 128: 1.62, 256: 1.61, 512: 1.91, 1024: 3.19, 2048: 5.75, 4096: 11.51, 8192: 22.40,
        16384: 44.16, 65536: 175.36, 524288: 1398.40,
    },
    "put, remote completion": {
        8: 3.29, 32: 3.28, 128: 3.28, 256: 3.61, 512: 4.31, 1024: 5.62, 2048: 8.13, 4096: 13.96, 8192: 24.73,
        16384: 46.50, 65536: 177.63, 524288: 1400.80,
    },
    "get": {
        8: 3.29, 32: 3.34, 128: 3.35, 256: 4.23, 512: 5.11, 1024: 6.40, 2048: 8.91, 4096: 14.43, 8192: 25.46,
        16384: 47.14, 65536: 178.51, 524288: 1401.61, 1048576: 2799.93,
    },
}  # fmt: skip
_FIELDS = {"put, local completion": "put_local", "put, remote completion": "put_remote", "get": "get"}
PUBLISHED_RATE = 357.59  # MiB/s of long puts
_LONG = 524288

Curve = dict[int, float]


def measure(lab: Lab, shape: Shape) -> dict[str, Curve]:
    """us by bytes, of each kind."""
    (output,) = lab.run([ProgramRun("dcmf-latency", "dcmf_latency", (), shape, ranks=2)])
    curves: dict[str, Curve] = {kind: {} for kind in _FIELDS}
    for record in records(output, "dcmf_latency"):
        for kind, field in _FIELDS.items():
            curves[kind][int(record["bytes"])] = float(record[field])
    if not all(curves.values()):
        raise ToroidError("dcmf_latency printed no measurements")
    return curves


def rows(curves: Mapping[str, Curve]) -> list[Row]:
    found = [
        Row(EXPERIMENT, f"{kind}, {size} bytes", "us", published, curves[kind].get(size))
        for kind, sizes in PUBLISHED.items()
        for size, published in sizes.items()
    ]
    found.append(Row(EXPERIMENT, f"rate of puts of {_LONG} bytes", "MiB/s", PUBLISHED_RATE, rate(curves)))
    return found


def rate(curves: Mapping[str, Curve]) -> float:
    """MiB/s of long puts, one behind the other."""
    return _LONG / 2**20 / (curves["put, local completion"][_LONG] / 1e6)


def latency(lab: Lab) -> Findings:
    shape = parse_shape(SHAPE, lab.machine.dimensions)
    curves = measure(lab, shape)
    return Findings(rows(curves), lambda path: plot(path, title(lab, shape), curves))


def title(lab: Lab, shape: Shape) -> str:
    return f"{lab.machine.title} {shape}: puts and gets of DCMF between neighbours"


def plot(path: Path, text: str, curves: Mapping[str, Curve]) -> None:
    lines = []
    for number, (kind, curve) in enumerate(curves.items()):
        lines.append(plots.Line(kind, sorted(curve.items()), f"C{number}o-"))
        lines.append(plots.Line(f"{kind}, published", sorted(PUBLISHED[kind].items()), f"C{number}x--"))
    panel = plots.Panel("latency", "bytes", "us", lines, x_scale="log", y_scale="log")
    plots.panels(path, text, [panel])
