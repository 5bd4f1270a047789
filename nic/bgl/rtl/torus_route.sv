// SPDX-License-Identifier: Apache-2.0
//
// Route computation: the hint bits of a packet from this node. They are those of its header or, if these are all 0,
// result from the cut-offs. A destination above the node's own coordinate is reached in the plus direction if it is at
// most cut_off_plus; a destination below it in the minus direction if it is at least cut_off_minus; otherwise in the
// other direction around the ring. In a mesh there is only one direction. A combinational function of the bytes of the
// hardware header.
module torus_route #(
  parameter int DIMENSIONS = 3
) (
  input  logic [8*DIMENSIONS-1:0] coordinates,
  input  logic [8*DIMENSIONS-1:0] cut_off_plus,
  input  logic [8*DIMENSIONS-1:0] cut_off_minus,
  input  logic [DIMENSIONS-1:0]   ring,
  input  logic [7:0]              byte1,        // of the header: hints, deposit, pid
  input  logic [8*DIMENSIONS-1:0] destination,
  output logic [7:0]              routed_byte1
);
  logic [7:0] here, there;
  logic       plus;

  always_comb begin
    here = 8'd0;
    there = 8'd0;
    plus = 1'b0;
    routed_byte1 = byte1;
    if (byte1[7:2] == 6'd0) begin
      for (int d = 0; d < DIMENSIONS; d++) begin
        here = coordinates[8*d+:8];
        there = destination[8*d+:8];
        plus = there > here;
        if (ring[d]) plus = plus ? there <= cut_off_plus[8*d+:8] : there < cut_off_minus[8*d+:8];
        if (there != here) begin
          routed_byte1[7-2*d] = plus;
          routed_byte1[6-2*d] = ~plus;
        end
      end
    end
  end
endmodule
