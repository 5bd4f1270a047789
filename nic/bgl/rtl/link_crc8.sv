// SPDX-License-Identifier: Apache-2.0
//
// Adds one byte to the CRC-8 of a packet's header: polynomial x^8 + x^2 + x + 1, initial value 0. The same as crc8() in
// torus/base/crc.h. Combinational.
module link_crc8 (
    input  logic [7:0] crc,
    input  logic [7:0] data,
    output logic [7:0] next
);

  always_comb begin
    next = crc ^ data;
    for (int i = 0; i < 8; i = i + 1) next = next[7] ? {next[6:0], 1'b0} ^ 8'h07 : {next[6:0], 1'b0};
  end

endmodule
