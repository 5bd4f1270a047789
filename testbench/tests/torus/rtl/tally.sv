// SPDX-License-Identifier: Apache-2.0
//
// Counts up to LIMIT by STEP: something small for the tests of how SystemVerilog comes into C++.
module tally #(
    parameter int LIMIT = 9,
    parameter int STEP = 1
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       add,
    input  logic       greet,
    output logic [7:0] count
);

  always_ff @(posedge clk) begin
    if (rst) count <= '0;
    else if (add) count <= count + 8'(STEP);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (greet) $display("count is %0d", count);
    if (!rst) assert (32'(count) <= LIMIT) else $error("counted to %0d", count);
  end
`endif

endmodule
