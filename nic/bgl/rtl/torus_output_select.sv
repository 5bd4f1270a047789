// SPDX-License-Identifier: Apache-2.0
//
// Output selection and VC allocation for the head of one queue or injection FIFO: among the links that lead to its
// destination, are free, and have tokens for it, selects the link with most tokens (join the shortest queue), and the
// virtual channel on that link. Combinational.
//
// - A dynamic packet may take any direction that its hints allow, on the dynamic channel with more tokens. If its
//   dimension-order link lacks tokens on both, it may use that link's bubble channel, the escape channel.
// - A deterministic packet takes its lowest direction, on the bubble channel or, with priority, the priority channel.
module torus_output_select #(
  parameter int LINKS = 6,
  parameter int REQUESTER = 0,  // 4 * input link + channel; 4 * LINKS + injection FIFO
  localparam int HEADER = LINKS + 6
) (
  input  logic               ask,
  input  logic [HEADER-1:0]  head,             // { dynamic, deposit, pid, chunks - 1, hints by direction }
  input  logic               high_priority,
  input  logic [LINKS-1:0]   free,
  input  logic [8*LINKS-1:0] dynamic_tokens,
  input  logic [LINKS-1:0]   dynamic_channel,
  input  logic [LINKS-1:0]   bubble_stays,
  input  logic [LINKS-1:0]   bubble_enters,
  input  logic [LINKS-1:0]   priority_stays,
  input  logic [LINKS-1:0]   priority_enters,
  output logic               picks,
  output logic [LINKS-1:0]   pick,             // one bit
  output logic [1:0]         channel
);
  // The link on which it continues in its ring: opposite to the one on which it arrived.
  localparam logic [LINKS-1:0] ONWARD = (REQUESTER < 4 * LINKS) ? LINKS'(1) << ((REQUESTER / 4) ^ 1) : '0;
  localparam logic [LINKS-1:0] BUBBLE_RING = (REQUESTER % 4 == 2) ? ONWARD : '0;
  localparam logic [LINKS-1:0] PRIORITY_RING = (REQUESTER % 4 == 3) ? ONWARD : '0;

  logic [LINKS-1:0] hints, first;
  logic [7:0]       best;

  always_comb begin
    hints = '0;
    first = '0;
    best = 8'd0;
    pick = '0;
    channel = 2'd0;
    if (ask && (head[LINKS-1:0] & free) != '0) begin
      hints = head[LINKS-1:0] & free;
      first = head[LINKS-1:0] & (~head[LINKS-1:0] + 1'b1) & free;
      if (!head[LINKS+5]) begin
        channel = {1'b1, high_priority};
      end else begin
        for (int d = 0; d < LINKS; d++) begin
          if (hints[d] && dynamic_tokens[8*d+:8] > {5'd0, head[LINKS+:3]} &&
              dynamic_tokens[8*d+:8] > best) begin
            best = dynamic_tokens[8*d+:8];
            pick = LINKS'(1) << d;
            channel = {1'b0, dynamic_channel[d]};
          end
        end
        if (best == 8'd0) channel = 2'd2;
      end
      if (channel == 2'd2) pick = first & ((bubble_enters & ~BUBBLE_RING) | (bubble_stays & BUBBLE_RING));
      if (channel == 2'd3) pick = first & ((priority_enters & ~PRIORITY_RING) | (priority_stays & PRIORITY_RING));
    end
    picks = pick != '0;
  end
endmodule
