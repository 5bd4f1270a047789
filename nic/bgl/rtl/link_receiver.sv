// SPDX-License-Identifier: Apache-2.0
//
// The receiver of a torus link: checks incoming frames, drops damaged and out-of-order ones, and acknowledges.
//
// A frame whose byte i is sampled in cycle c + i:
// - byte i of its packet is an output of cycle c + i; all bytes if the header is good and the packet is the expected
//   one, otherwise only the first 8. The consumer must wait for the verdict;
// - in cycle c + 7 `header_valid` reports the header: kGood, kDamaged (which is also the verdict), kAhead if packets
//   before it are missing, kRepeated if it has arrived before;
// - in the cycle of its last byte `verdict_valid` reports the same for the whole frame. With kGood the packet is
//   accepted;
// - in the same cycle, with kGood and kRepeated, `ack_valid` sends the next expected number to the sender. A frame that
//   ends early, or in which another one begins, is damaged.
//
// `idle`: without inputs the state does not change; the clock may stop.
module link_receiver (
    input logic clk,
    input logic rst,

    input logic       wire_valid,
    input logic       wire_first,
    input logic [7:0] wire_data,

    output logic       out_valid,
    output logic       out_first,
    output logic [7:0] out_data,

    output logic       header_valid,
    output logic [1:0] header,
    output logic       verdict_valid,
    output logic [1:0] verdict,

    output logic       ack_valid,
    output logic [7:0] ack_next,

    output logic [7:0] expected,
    output logic       idle
);

  localparam logic [1:0] kGood = 2'd0;
  localparam logic [1:0] kDamaged = 2'd1;
  localparam logic [1:0] kAhead = 2'd2;
  localparam logic [1:0] kRepeated = 2'd3;

  logic in_frame;
  logic [8:0] next_index;
  logic [8:0] index;
  logic [2:0] chunks;  // minus one
  logic [7:0] number;
  logic [7:0] crc8;
  logic [7:0] crc8_next;
  logic [23:0] crc24;
  logic [23:0] crc24_next;
  logic [23:0] crc_left;  // bytes of the computed CRC that are still to be compared
  logic bad;
  logic [1:0] order;  // kGood, kAhead or kRepeated
  logic [8:0] body;
  logic active, byte_matters, crc_here, crc_differs;
  logic header_good;
  logic packet_good;
  logic [7:0] behind;

  assign index = wire_first ? 9'd0 : next_index;
  assign active = wire_valid && (wire_first || in_frame);
  assign body = {1'b0, chunks, 5'd0} + 9'd32;  // bytes before the trailer

  link_crc8 header_check (
      .crc (index == 9'd0 ? 8'd0 : crc8),
      .data(wire_data),
      .next(crc8_next)
  );

  link_crc24 packet_check (
      .first(index == 9'd0),
      .crc  (crc24),
      .data (wire_data),
      .next (crc24_next)
  );

  assign header_good = wire_data == crc8;
  assign behind = expected - number - 8'd1;
  assign order = number == expected ? kGood : behind < 8'd128 ? kRepeated : kAhead;

  // Until byte 2 has arrived, `chunks` is that of the previous frame; any value is larger than this index.
  assign byte_matters = index < body;
  assign crc_here = index >= body && index < body + 9'd3;
  assign crc_differs = crc_here && wire_data != (index == body ? crc24[23:16] : crc_left[23:16]);
  assign packet_good = !bad && wire_data == 8'hA5;

  always_ff @(posedge clk) begin
    out_valid <= 1'b0;
    out_first <= 1'b0;
    out_data <= wire_data;
    header_valid <= 1'b0;
    verdict_valid <= 1'b0;
    ack_valid <= 1'b0;

    if (in_frame && (!wire_valid || wire_first)) begin
      in_frame <= 1'b0;
      verdict_valid <= 1'b1;
      verdict <= kDamaged;
    end

    if (active) begin
      in_frame <= 1'b1;
      next_index <= index + 9'd1;
      out_valid <= byte_matters && (index < 9'd8 || order == kGood);
      out_first <= index == 9'd0;
      if (index == 9'd0) bad <= 1'b0;
      if (index == 9'd2) chunks <= wire_data[7:5];
      if (index < 9'd7) crc8 <= crc8_next;
      if (index == 9'd6) number <= wire_data;
      if (byte_matters) crc24 <= crc24_next;
      if (crc_here) crc_left <= index == body ? {crc24[15:0], 8'd0} : {crc_left[15:0], 8'd0};
      if (crc_differs) bad <= 1'b1;

      if (index == 9'd7) begin
        header_valid <= 1'b1;
        header <= header_good ? order : kDamaged;
        if (!header_good) begin
          in_frame <= 1'b0;
          verdict_valid <= 1'b1;
          verdict <= kDamaged;
        end
      end

      if (index == body + 9'd3) begin
        in_frame <= 1'b0;
        verdict_valid <= 1'b1;
        verdict <= packet_good ? order : kDamaged;
        if (packet_good && order == kGood) expected <= expected + 8'd1;
        ack_valid <= packet_good && order != kAhead;
        ack_next  <= order == kGood ? expected + 8'd1 : expected;
      end
    end

    if (rst) begin
      in_frame <= 1'b0;
      expected <= 8'd0;
      number <= 8'd0;
      chunks <= 3'd0;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) idle <= 1'b1;
    else idle <= !wire_valid && !in_frame;
  end

`ifndef SYNTHESIS
  logic [7:0] accepted;  // number of the packet accepted last

  always_ff @(posedge clk) begin
    if (rst) begin
      accepted <= 8'hFF;
    end else if (verdict_valid && verdict == kGood) begin
      accepted <= number;
      assert (number == accepted + 8'd1)
      else $error("packet %0d is accepted after packet %0d", number, accepted);
    end
  end
`endif

endmodule
