# SPDX-License-Identifier: Apache-2.0
"""Synthesis of the units in Verilog: that they are hardware, and that what is none is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from toroid import area
from toroid.area import Area
from toroid.errors import ToroidError

PAIR = """module leaf (input logic clk, input logic [3:0] d, output logic [3:0] q);
  logic [3:0] memory [0:7];
  always_ff @(posedge clk) begin memory[d[2:0]] <= d; q <= q ^ memory[~d[2:0]]; end
endmodule
"""
TOP = """module top (input logic clk, input logic [3:0] d, output logic [3:0] a, output logic [3:0] b);
  // leaf third (
  leaf one (.clk, .d, .q(a));
  leaf two (.clk, .d, .q(b));
endmodule
"""


def written(directory: Path, **modules: str) -> list[Path]:
    files = []
    for name, text in modules.items():
        files.append(directory / f"{name}.sv")
        files[-1].write_text(text)
    return files


def test_instances_are_counted_together(tmp_path: Path) -> None:
    files = written(tmp_path, leaf=PAIR, top=TOP)
    assert area.tops(files) == ["top"]
    leaf, top = area.measure("top", files)
    assert (leaf.module, leaf.instances, leaf.gates, leaf.flip_flops, leaf.memory_bits) == ("leaf", 2, 14, 8, 64)
    assert top == Area("top", "top", 1, 0, 0, 0)


def test_a_latch_is_refused(tmp_path: Path) -> None:
    text = "module m (input logic e, input logic d, output logic q);\n  always_latch if (e) q = d;\nendmodule\n"
    with pytest.raises(ToroidError, match="latch"):
        area.elaborate("m", written(tmp_path, m=text))


def test_two_drivers_are_refused(tmp_path: Path) -> None:
    text = "module m (input logic a, input logic b, output wire q);\n  assign q = a;\n  assign q = b;\nendmodule\n"
    with pytest.raises(ToroidError, match="driver"):
        area.elaborate("m", written(tmp_path, m=text))


def test_the_units_are_there() -> None:
    assert {"torus_router", "link_pair", "tree_router"} <= set(area.tops(area.sources()))


@pytest.mark.parametrize("top", area.tops(area.sources()))
def test_every_unit_is_hardware(top: str) -> None:
    area.elaborate(top, area.sources())
