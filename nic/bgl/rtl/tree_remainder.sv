// SPDX-License-Identifier: Apache-2.0
//
// 127 modulo (size + 1): words of a packet's last operand, minus one, if its operands have size + 1 words. Seven steps
// of a division, combinational.
module tree_remainder (
    input  logic [6:0] size,
    output logic [6:0] remainder
);

  logic [7:0] divisor;
  logic [7:0] rest;

  always_comb begin
    divisor = {1'b0, size} + 8'd1;
    rest = '0;
    for (int i = 0; i < 7; i++) begin
      rest = {rest[6:0], 1'b1};
      if (rest >= divisor) rest = rest - divisor;
    end
    remainder = rest[6:0];
  end

endmodule
