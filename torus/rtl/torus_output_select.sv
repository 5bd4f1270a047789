// SPDX-License-Identifier: Apache-2.0
//
// Which link the head of one queue, or of one injection FIFO, asks for in this cycle: of those that lead to its
// destination, are free, and have tokens for it, the one with most (join the shortest queue), and on which virtual
// channel it would go there. A combinational function.
//
// - A dynamic packet may take any direction that its hints leave, on the dynamic channel with more tokens. Where its
//   dimension-order link lacks tokens for it on both, it may go by that link's bubble channel: the way of last resort.
// - A deterministic packet takes its lowest direction, on the bubble channel or, with priority, the priority channel.
module torus_output_select #(
  parameter int LINKS = 6,
  parameter int REQUESTER = 0  // 4 * input link + channel; 4 * LINKS + injection FIFO
) (
  input  logic               ask,
  input  logic [LINKS-1:0]   hints,
  input  logic [2:0]         size,             // chunks - 1
  input  logic               dynamic,
  input  logic               high_priority,
  input  logic [LINKS-1:0]   free,
  input  logic [8*LINKS-1:0] dynamic_tokens,
  input  logic [LINKS-1:0]   dynamic_channel,
  input  logic [LINKS-1:0]   bubble_stays,
  input  logic [LINKS-1:0]   bubble_enters,
  input  logic [LINKS-1:0]   priority_stays,
  input  logic [LINKS-1:0]   priority_enters,
  output logic [LINKS-1:0]   pick,             // one bit at most
  output logic [1:0]         channel
);
  // The link on which it goes on in the ring in which it is: the opposite one of that by which it came.
  localparam logic [LINKS-1:0] ONWARD = (REQUESTER < 4 * LINKS) ? LINKS'(1) << ((REQUESTER / 4) ^ 1) : '0;
  localparam logic [LINKS-1:0] BUBBLE_RING = (REQUESTER % 4 == 2) ? ONWARD : '0;
  localparam logic [LINKS-1:0] PRIORITY_RING = (REQUESTER % 4 == 3) ? ONWARD : '0;

  logic [LINKS-1:0] first, bubble, urgent;
  logic [8:0]       best;

  assign first = hints & (~hints + 1'b1);
  assign bubble = (bubble_enters & ~BUBBLE_RING) | (bubble_stays & BUBBLE_RING);
  assign urgent = (priority_enters & ~PRIORITY_RING) | (priority_stays & PRIORITY_RING);

  always_comb begin
    pick = '0;
    channel = 2'd0;
    best = 9'd0;
    if (ask && (hints & free) != '0) begin
      if (!dynamic) begin
        pick = first & free & (high_priority ? urgent : bubble);
        channel = {1'b1, high_priority};
      end else begin
        for (int d = 0; d < LINKS; d++) begin
          if (hints[d] && free[d] && dynamic_tokens[8*d+:8] > {5'd0, size} &&
              {1'b0, dynamic_tokens[8*d+:8]} + 9'd1 > best) begin
            best = {1'b0, dynamic_tokens[8*d+:8]} + 9'd1;
            pick = LINKS'(1) << d;
            channel = {1'b0, dynamic_channel[d]};
          end
        end
        if (best == 9'd0) begin
          pick = first & free & bubble;
          channel = 2'd2;
        end
      end
    end
  end
endmodule
