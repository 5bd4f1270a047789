// SPDX-License-Identifier: Apache-2.0
//
// Receives the frames of one channel, or of one virtual channel of the local client, and determines the place of each
// word. Words arrive without gaps: two of header, 128 of payload, then a trailer that is not stored.
//
// Timing: a word that arrives in cycle c goes to its queue in that cycle, from the input register.
module tree_receiver (
    input logic clk,
    input logic rst,

    input logic        in_valid,
    input logic        in_first,
    input logic        in_vc,
    input logic [15:0] in_data,

    output logic        vc,
    output logic        begins,   // the high word of a header: a packet begins
    output logic        low,      // the low word
    output logic        payload,
    output logic [ 6:0] place,    // of the payload's word
    output logic [15:0] data,
    output logic        busy
);

  localparam logic [7:0] WORDS = 8'd130;

  logic valid, first;
  logic in_frame_vc, frame_vc;
  logic [7:0] index;  // of the word in the register, if it is not the first

  always_ff @(posedge clk) begin
    if (rst) begin
      valid <= 1'b0;
      first <= 1'b0;
      in_frame_vc <= 1'b0;
      frame_vc <= 1'b0;
      index <= WORDS;
      data <= '0;
    end else begin
      valid <= in_valid;
      first <= in_valid && in_first;
      in_frame_vc <= in_vc;
      frame_vc <= vc;
      data <= in_data;
      if (valid && first) index <= 8'd1;
      else if (valid && index != WORDS) index <= index + 8'd1;
    end
  end

  assign vc = first ? in_frame_vc : frame_vc;
  assign begins = first;
  assign low = valid && !first && index == 8'd1;
  assign payload = valid && !first && index >= 8'd2 && index != WORDS;
  assign place = index[6:0] - 7'd2;
  assign busy = valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (!(first && index != WORDS))
      else $error("a packet begins within another");
      assert (!(in_valid && !in_first && !valid))
      else $error("a word comes in that belongs to no packet");
      assert (valid || index == WORDS)
      else $error("a gap in a packet that comes in");
    end
  end
`endif

endmodule
