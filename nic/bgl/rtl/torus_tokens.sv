// SPDX-License-Identifier: Apache-2.0
//
// The tokens (credits) of the sender of one link: a counter of free chunks in the receiver for each virtual channel,
// and whether a packet may go.
//
// On the dynamic channels a packet takes a token for each chunk. On the bubble channels it takes those of the largest
// packet, whatever its size: counted in chunks, packets of different sizes would fragment the place that must stay
// free. The bubble rule: a packet that enters a ring of a bubble channel must leave bubble_chunks free behind it, one
// that stays in its ring need not.
//
// Tokens count from the cycle in which they arrive.
module torus_tokens (
  input  logic        clk,
  input  logic        rst,
  input  logic [7:0]  reset_chunks,
  input  logic [7:0]  bubble_chunks,
  input  logic [31:0] returned,         // pins: chunks, a byte for each channel
  input  logic        take,
  input  logic [1:0]  take_channel,
  input  logic [2:0]  take_size,        // chunks - 1
  input  logic        take_enters,      // the packet does not come from the same ring
  output logic [7:0]  dynamic_tokens,   // of the dynamic channel with more tokens
  output logic        dynamic_channel,  // number of that channel
  output logic        bubble_stays,     // a packet that stays in its ring may take the bubble channel
  output logic        bubble_enters,    // one that enters it may
  output logic        priority_stays,
  output logic        priority_enters
);
  logic [31:0] tokens;
  logic [3:0]  charge;
  logic [8:0]  needed;

  assign dynamic_channel = tokens[15:8] > tokens[7:0];
  assign dynamic_tokens = dynamic_channel ? tokens[15:8] : tokens[7:0];
  assign needed = {1'b0, bubble_chunks} + 9'd8;
  assign bubble_stays = tokens[23:16] >= 8'd8;
  assign bubble_enters = {1'b0, tokens[23:16]} >= needed;
  assign priority_stays = tokens[31:24] >= 8'd8;
  assign priority_enters = {1'b0, tokens[31:24]} >= needed;
  assign charge = take_channel[1] ? 4'd8 : {1'b0, take_size} + 4'd1;

  always_ff @(posedge clk) begin
    if (rst) begin
      tokens <= {4{reset_chunks}};
    end else if (take | (|returned)) begin
      for (int c = 0; c < 4; c++) begin
        tokens[8*c+:8] <= tokens[8*c+:8] + returned[8*c+:8] - ((take && take_channel == 2'(c)) ? 8'(charge) : 8'd0);
      end
    end
  end

`ifndef SYNTHESIS
  // The sum of free and occupied chunks is constant.
  int unsigned taken[4];
  always_ff @(posedge clk) begin
    if (rst) begin
      for (int c = 0; c < 4; c++) taken[c] <= 0;
    end else if (take | (|returned)) begin
      for (int c = 0; c < 4; c++) begin
        assert (32'(returned[8*c+:8]) <= taken[c])
        else $error("channel %0d: %0d chunks given back, %0d taken", c, returned[8*c+:8], taken[c]);
        assert (32'(tokens[8*c+:8]) + taken[c] == 32'(reset_chunks))
        else $error("channel %0d: %0d chunks free and %0d taken", c, tokens[8*c+:8], taken[c]);
        taken[c] <= taken[c] - 32'(returned[8*c+:8]) + ((take && take_channel == 2'(c)) ? 32'(charge) : 0);
      end
      if (take) begin
        // Downstream there must be room for the largest packet and the bubble.
        assert (taken[take_channel] + 32'(charge) <= 32'(reset_chunks))
        else $error("channel %0d: a packet goes without tokens", take_channel);
        assert (!(take_channel[1] && take_enters) ||
                taken[take_channel] + 8 + 32'(bubble_chunks) <= 32'(reset_chunks))
        else $error("bubble rule: a packet enters the ring of channel %0d with %0d chunks taken", take_channel,
                    taken[take_channel]);
      end
    end
  end
`endif
endmodule
