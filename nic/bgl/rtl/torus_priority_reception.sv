// SPDX-License-Identifier: Apache-2.0
//
// Admits one packet at a time to each of the two priority reception FIFOs, which the local paths of all links share:
// round-robin arbitration in each cycle among the links whose priority packet is ready. The selection is combinational;
// the registers hold the last grants.
//
// This differs from the C++ model, in which packets of several links may enter a priority FIFO in parallel and arrive
// at the same time.
module torus_priority_reception #(
  parameter int LINKS = 6
) (
  input  logic             clk,
  input  logic             rst,
  input  logic [LINKS-1:0] requests,
  input  logic [LINKS-1:0] pid,
  input  logic [1:0]       taken,    // a packet is entering the FIFO
  output logic [LINKS-1:0] allowed
);
  logic [LINKS-1:0] last0, last1;  // one bit: whose turn it was
  logic [LINKS-1:0] requests0, requests1, behind0, behind1, allowed0, allowed1;

  always_comb begin
    requests0 = '0;
    requests1 = '0;
    behind0 = '0;
    behind1 = '0;
    allowed0 = '0;
    allowed1 = '0;
    if (requests != '0) begin
      requests0 = taken[0] ? '0 : requests & ~pid;
      requests1 = taken[1] ? '0 : requests & pid;
      behind0 = requests0 & ~((last0 << 1) - 1'b1);
      behind1 = requests1 & ~((last1 << 1) - 1'b1);
      if (behind0 == '0) behind0 = requests0;
      if (behind1 == '0) behind1 = requests1;
      allowed0 = behind0 & (~behind0 + 1'b1);
      allowed1 = behind1 & (~behind1 + 1'b1);
    end
    allowed = allowed0 | allowed1;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      last0 <= '0;
      last1 <= '0;
    end else if (requests != '0) begin
      if (allowed0 != '0) last0 <= allowed0;
      if (allowed1 != '0) last1 <= allowed1;
    end
  end
endmodule
