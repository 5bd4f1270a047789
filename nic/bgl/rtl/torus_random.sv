// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random bits, 32 new ones a cycle: a linear feedback shift register that performs many steps at once, in the
// form of Marsaglia's xorshift (period 2^32 - 1).
module torus_random (
  input  logic        clk,
  input  logic        rst,
  input  logic [31:0] seed,
  output logic [31:0] state
);
  logic [31:0] step1, step2;

  assign step1 = state ^ (state << 13);
  assign step2 = step1 ^ (step1 >> 17);

  always_ff @(posedge clk) begin
    if (rst) state <= (seed == 32'd0) ? 32'd1 : seed;
    else state <= step2 ^ (step2 << 5);
  end
endmodule
