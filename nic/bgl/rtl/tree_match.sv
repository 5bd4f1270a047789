// SPDX-License-Identifier: Apache-2.0
//
// For the head of each port: whether the packets with which it must be combined are present, that is, the heads of all
// its sources have the same class, opcode and operand size. For one virtual channel. Combinational.
module tree_match (
    input logic [127:0] heads,
    input logic [  3:0] present,
    input logic [ 15:0] sources,  // 4 of each port's head

    output logic [3:0] complete
);

  always_comb begin
    complete = '1;
    for (int i = 0; i < 4; i++) begin
      for (int j = 0; j < 4; j++) begin
        // 31:28 class, 27 point to point, 25:23 opcode, 22:16 size
        if (sources[4*i+j] && !(present[j] && heads[32*j+27+:5] == heads[32*i+27+:5]
                                && heads[32*j+16+:10] == heads[32*i+16+:10])) begin
          complete[i] = 1'b0;
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, heads[26], heads[15:0], heads[58], heads[47:32], heads[90], heads[79:64], heads[122],
                    heads[111:96]};

endmodule
