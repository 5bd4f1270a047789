// SPDX-License-Identifier: Apache-2.0
//
// Grants heads that are ready: virtual channels take turns, then ports, and heads that have waited come before those
// that have just arrived. Requesters are numbered 2 * port + virtual channel. Up to four are granted in one cycle,
// which share neither an output nor a queue: each grant selects among the requesters that do not conflict with earlier
// grants.
//
// Timing: grants in the cycle of the request; from the next cycle on, the search starts after the requester that was
// granted last.
module tree_arbiter (
    input logic clk,
    input logic rst,

    input  logic [ 7:0] requests,
    input  logic [ 7:0] fresh,    // the request has come in this cycle
    input  logic [31:0] outputs,  // 4 of each place: wanted
    input  logic [63:0] takes,    // 8 of each place: queues whose heads it takes
    output logic [ 3:0] granted,
    output logic [11:0] grants    // 3 of each grant: the place
);

  logic [2:0] turn, next_turn, place, chosen, chosen_fresh;
  logic [3:0] outputs_left;
  logic [7:0] queues_left;
  logic found, found_fresh, possible;

  always_comb begin
    next_turn = turn;
    place = '0;
    chosen = '0;
    chosen_fresh = '0;
    found = 1'b0;
    found_fresh = 1'b0;
    possible = 1'b0;
    outputs_left = '1;
    queues_left = '1;
    granted = '0;
    grants = '0;
    if (requests != '0) begin
      for (int g = 0; g < 4; g++) begin
        found = 1'b0;
        found_fresh = 1'b0;
        for (int i = 7; i >= 0; i--) begin
          place = next_turn + 3'(i);
          possible = requests[place] && (outputs[4*place+:4] & ~outputs_left) == '0
              && (takes[8*place+:8] & ~queues_left) == '0;
          if (possible && !fresh[place]) begin
            found  = 1'b1;
            chosen = place;
          end
          if (possible && fresh[place]) begin
            found_fresh  = 1'b1;
            chosen_fresh = place;
          end
        end
        if (!found) chosen = chosen_fresh;
        if (found || found_fresh) begin
          granted[g] = 1'b1;
          grants[3*g+:3] = chosen;
          outputs_left = outputs_left & ~outputs[4*chosen+:4];
          queues_left = queues_left & ~takes[8*chosen+:8];
          next_turn = chosen + 3'd1;
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) turn <= '0;
    else turn <= next_turn;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      for (int g = 0; g < 4; g++) begin
        assert (!granted[g] || requests[grants[3*g+:3]])
        else $error("a place is granted that does not ask");
      end
      assert ((granted & (granted + 4'd1)) == '0)
      else $error("grants are not counted from the first");
    end
  end
`endif

endmodule
