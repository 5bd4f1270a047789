// SPDX-License-Identifier: Apache-2.0
//
// Converts packets to frames: writes the sequence number to byte 6 and the CRC-8 of bytes 0 to 6 to byte 7, and appends
// the CRC-24 of the whole and the marker 0xA5.
//
// A byte whose `valid`, `index` and `data` are at the inputs in cycle c is on the wire in cycle c + 2.
// `sequence_number` is constant from the packet's first byte to its last. A packet has 32 to 256 bytes; after its last
// one `valid` pauses for 4 cycles or more.
module link_framer (
    input  logic       clk,
    input  logic       rst,
    input  logic       valid,
    input  logic       last,
    input  logic [7:0] index,
    input  logic [7:0] data,
    input  logic [7:0] sequence_number,
    output logic       wire_valid,
    output logic       wire_first,
    output logic [7:0] wire_data,
    output logic [7:0] wire_sequence,
    output logic       busy
);

  logic [7:0] header_byte;
  logic [7:0] crc8;
  logic [7:0] crc8_next;
  logic framed_valid, framed_first, framed_last;
  logic [ 7:0] framed_data;
  logic [23:0] crc24;
  logic [23:0] crc24_next;
  logic [ 2:0] trailer;  // bytes of it still to be sent

  assign header_byte = index == 8'd6 ? sequence_number : data;

  link_crc8 header_check (
      .crc (index == 8'd0 ? 8'd0 : crc8),
      .data(header_byte),
      .next(crc8_next)
  );

  link_crc24 packet_check (
      .first(framed_first),
      .crc  (crc24),
      .data (framed_data),
      .next (crc24_next)
  );

  assign busy = framed_valid || trailer != 3'd0;

  always_ff @(posedge clk) begin
    framed_valid <= valid;
    framed_first <= valid && index == 8'd0;
    framed_last  <= valid && last;
    framed_data  <= index == 8'd7 ? crc8 : header_byte;
    if (valid && index < 8'd7) crc8 <= crc8_next;

    wire_valid <= framed_valid || trailer != 3'd0;
    wire_first <= framed_first;
    wire_data  <= framed_data;
    if (framed_first) wire_sequence <= sequence_number;
    if (framed_valid) begin
      crc24   <= crc24_next;
      trailer <= framed_last ? 3'd4 : 3'd0;
    end else if (trailer != 3'd0) begin
      wire_data <= trailer == 3'd1 ? 8'hA5 : crc24[23:16];
      crc24     <= {crc24[15:0], 8'd0};
      trailer   <= trailer - 3'd1;
    end

    if (rst) begin
      framed_valid <= 1'b0;
      framed_first <= 1'b0;
      framed_last  <= 1'b0;
      wire_valid   <= 1'b0;
      wire_first   <= 1'b0;
      trailer      <= 3'd0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (!(framed_valid && trailer != 3'd0))
      else $error("a packet begins before the CRC of the one before has left");
    end
  end
`endif

endmodule
