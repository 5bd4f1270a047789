// SPDX-License-Identifier: Apache-2.0
//
// Switch allocation for one link: selects one of the heads that request it in this cycle. They have tokens, and the
// link is free.
//
// High priority comes first. If both transit and injected packets have it, injected packets go first with a probability
// of priority_injection / 32. Among equals the fullest queue wins, with round robin after the one granted last, or,
// while `fullest` is low, a random one. The selection is combinational; the register holds the last grant.
module torus_arbiter #(
  parameter int REQUESTERS = 32,
  parameter int TRANSIT = 24,  // the first requesters; the others are injection FIFOs
  parameter int HELD = 6,
  localparam int INDEX = $clog2(REQUESTERS)
) (
  input  logic                       clk,
  input  logic                       rst,
  input  logic [REQUESTERS-1:0]      requests,
  input  logic [REQUESTERS-1:0]      high_priority,
  input  logic [REQUESTERS*HELD-1:0] held,                // chunks in each queue
  input  logic                       fullest,
  input  logic [4:0]                 priority_injection,
  input  logic [12:0]                random,
  output logic                       grant,
  output logic [REQUESTERS-1:0]      winner,              // one bit
  output logic [INDEX-1:0]           winner_index
);
  localparam logic [REQUESTERS-1:0] PASSING = {REQUESTERS{1'b1}} >> (REQUESTERS - TRANSIT);

  logic [INDEX-1:0]      last;
  logic [REQUESTERS-1:0] among, plane, behind;
  logic [INDEX:0]        count;
  logic [INDEX:0]        skip;

  assign grant = |requests;

  always_comb begin
    among = requests;
    plane = '0;
    behind = '0;
    count = '0;
    skip = '0;
    winner_index = '0;
    if ((requests & (requests - 1'b1)) != '0) begin
      if ((requests & high_priority) != '0) begin
        among = requests & high_priority;
        if ((among & PASSING) != '0 && (among & ~PASSING) != '0) begin
          among &= (random[4:0] < priority_injection) ? ~PASSING : PASSING;
        end
      end
      if (fullest) begin
        // From the highest bit of the chunk counts down: keeps the requesters that have the bit, if there are any.
        for (int b = HELD - 1; b >= 0; b--) begin
          plane = '0;
          for (int r = 0; r < REQUESTERS; r++) plane[r] = among[r] & held[r*HELD+b];
          if (plane != '0) among = plane;
        end
        behind = among & ({REQUESTERS{1'b1}} << last << 1);
        if (behind != '0) among = behind;
        among &= ~among + 1'b1;
      end else begin
        for (int r = 0; r < REQUESTERS; r++) count = count + (INDEX + 1)'(among[r]);
        skip = (INDEX + 1)'(((INDEX + 9)'(random[12:5]) * (INDEX + 9)'(count)) >> 8);
        for (int r = 0; r < REQUESTERS; r++) begin
          if (among[r]) begin
            plane[r] = skip == '0;
            skip = skip - 1'b1;
          end
        end
        among = plane;
      end
    end
    if (among != '0) begin
      for (int r = 0; r < REQUESTERS; r++) if (among[r]) winner_index = winner_index | INDEX'(r);
    end
    winner = among;
  end

  always_ff @(posedge clk) begin
    if (rst) last <= '0;
    else if (grant) last <= winner_index;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst && grant) begin
      assert ($onehot(winner) && (winner & ~requests) == '0)
      else $error("a link is granted to %b of %b", winner, requests);
    end
  end
`endif
endmodule
