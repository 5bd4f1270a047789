// SPDX-License-Identifier: Apache-2.0
//
// Lets one packet at a time into each of the two priority reception FIFOs, which the local paths of all links share: of
// the links whose priority packet could go, one a cycle, in turn. A combinational choice; the registers are whose turn
// it is.
//
// This is where the hardware differs from the C++ model, in which packets of several links may go into a priority FIFO
// side by side, and are there at the same time.
module torus_priority_reception #(
  parameter int LINKS = 6
) (
  input  logic             clk,
  input  logic             rst,
  input  logic [LINKS-1:0] wishes,
  input  logic [LINKS-1:0] pid,
  input  logic [1:0]       taken,    // a packet is on its way into the FIFO
  output logic [LINKS-1:0] allowed
);
  logic [LINKS-1:0] last0, last1;  // one bit: whose turn it was
  logic [LINKS-1:0] wishes0, wishes1, behind0, behind1, allowed0, allowed1;

  always_comb begin
    wishes0 = '0;
    wishes1 = '0;
    behind0 = '0;
    behind1 = '0;
    allowed0 = '0;
    allowed1 = '0;
    if (wishes != '0) begin
      wishes0 = taken[0] ? '0 : wishes & ~pid;
      wishes1 = taken[1] ? '0 : wishes & pid;
      behind0 = wishes0 & ~((last0 << 1) - 1'b1);
      behind1 = wishes1 & ~((last1 << 1) - 1'b1);
      if (behind0 == '0) behind0 = wishes0;
      if (behind1 == '0) behind1 = wishes1;
      allowed0 = behind0 & (~behind0 + 1'b1);
      allowed1 = behind1 & (~behind1 + 1'b1);
    end
    allowed = allowed0 | allowed1;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      last0 <= '0;
      last1 <= '0;
    end else if (wishes != '0) begin
      if (allowed0 != '0) last0 <= allowed0;
      if (allowed1 != '0) last1 <= allowed1;
    end
  end
endmodule
