// SPDX-License-Identifier: Apache-2.0
//
// Which of the heads that can go does: virtual channels take turns, then ports. Place 2 * port + virtual channel.
//
// Timing: grants in the cycle of the request; the place behind the one granted is the first to be looked at from the
// next cycle on.
module tree_arbiter (
    input logic clk,
    input logic rst,

    input  logic [7:0] requests,
    output logic       granted,
    output logic [2:0] grant
);

  logic [2:0] turn;
  logic [2:0] place;

  always_comb begin
    granted = requests != '0;
    grant   = turn;
    place   = turn;
    for (int i = 7; i >= 0; i--) begin
      place = turn + 3'(i);
      if (requests[place]) grant = place;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) turn <= '0;
    else if (granted) turn <= grant + 3'd1;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (!granted || requests[grant])
      else $error("a place is granted that does not ask");
    end
  end
`endif

endmodule
