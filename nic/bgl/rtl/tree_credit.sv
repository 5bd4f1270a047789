// SPDX-License-Identifier: Apache-2.0
//
// Whether an output accepts another packet: the tokens of its two virtual channels, each of which is room for a packet
// at the other end, and the cycles until its link is free. A combined packet arrives ALU_CYCLES after its grant, so it
// is granted that much earlier.
//
// Timing: inputs of cycle c (tokens, hold, occupied) count in cycle c; a grant of cycle T counts from T + 1 on.
module tree_credit #(
    parameter int ALU_CYCLES = 2
) (
    input logic clk,
    input logic rst,
    input logic [3:0] packets,  // tokens at reset
    input logic [8:0] wire_cycles,

    input logic [1:0] token,
    input logic [1:0] hold,      // the link's error control accepts no packets of these virtual channels
    input logic       occupied,  // it resends a frame from this cycle on

    input logic spend,
    input logic spend_vc,
    input logic spend_combined,

    output logic [1:0] takes,           // accepts a packet that is not combined
    output logic [1:0] takes_combined,
    output logic       busy
);

  logic [3:0] tokens0, tokens1;
  logic [1:0] held;
  logic [8:0] left;  // cycles until the link is free

  always_ff @(posedge clk) begin
    if (rst) begin
      tokens0 <= packets;
      tokens1 <= packets;
      held <= '0;
      left <= '0;
    end else begin
      tokens0 <= tokens0 + {3'd0, token[0]} - {3'd0, spend && !spend_vc};
      tokens1 <= tokens1 + {3'd0, token[1]} - {3'd0, spend && spend_vc};
      held <= hold;
      if (occupied) left <= wire_cycles;
      else if (spend) left <= wire_cycles - 9'd1 + (spend_combined ? 9'(ALU_CYCLES) : 9'd0);
      else if (left != '0) left <= left - 9'd1;
    end
  end

  logic [1:0] room;

  assign room = {tokens1 != '0, tokens0 != '0} & ~held;
  assign takes = left == '0 ? room : '0;
  assign takes_combined = left <= 9'(ALU_CYCLES) ? room : '0;
  assign busy = left != '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (tokens0 <= packets && tokens1 <= packets)
      else $error("more tokens than the other end has room for packets");
      assert (!(spend && !takes_combined[spend_vc]))
      else $error("a packet goes out without a token");
      assert (!(occupied && (left > 9'd1 || spend)))
      else $error("a frame is sent again while another is sent");
    end
  end
`endif

endmodule
