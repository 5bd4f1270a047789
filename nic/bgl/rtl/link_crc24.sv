// SPDX-License-Identifier: Apache-2.0
//
// Adds one byte to the CRC-24 of a packet: polynomial 0x864CFB, initial value 0xB704CE. The same as crc24() in
// torus/base/crc.h. Combinational.
module link_crc24 (
    input  logic        first,
    input  logic [23:0] crc,
    input  logic [ 7:0] data,
    output logic [23:0] next
);

  always_comb begin
    next = (first ? 24'hB704CE : crc) ^ {data, 16'b0};
    for (int i = 0; i < 8; i = i + 1) next = next[23] ? {next[22:0], 1'b0} ^ 24'h864CFB : {next[22:0], 1'b0};
  end

endmodule
