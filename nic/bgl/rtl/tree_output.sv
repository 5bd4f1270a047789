// SPDX-License-Identifier: Apache-2.0
//
// The output of one port: crossbar, ALU and the registers of the sender. Queues are numbered 2 * port + virtual
// channel.
//
// Timing: a word on `words` in cycle c is on `out_data` in cycle c + 4 (crossbar and sender), or in c + 6 if packets
// are combined.
module tree_output #(
    parameter int PORT = 0
) (
    input logic clk,
    input logic rst,

    input logic [  7:0] valid,
    input logic [  7:0] first,
    input logic [127:0] words,
    input logic [  7:0] combined,
    input logic [ 31:0] outputs,     // 4 for each queue: outputs of its word
    input logic [ 79:0] operations,  // 10 of each queue: opcode, size

    output logic        out_valid,
    output logic        out_first,
    output logic        out_vc,
    output logic [15:0] out_data,
    output logic        busy
);

  // Crossbar. ---------------------------------------------------------------------------------------------------------

  logic [7:0] mine, direct, to_alu;
  logic [15:0] word;
  logic [63:0] operands;
  logic [9:0] operation;
  logic [3:0] part;

  always_comb begin
    word = '0;
    operands = '0;
    operation = '0;
    part = '0;
    for (int i = 0; i < 8; i++) mine[i] = valid[i] && outputs[4*i+PORT];
    direct = mine & ~combined;
    to_alu = mine & combined;
    if (mine != '0) begin
      for (int i = 0; i < 8; i++) begin
        if (direct[i]) word = word | words[16*i+:16];
        if (to_alu[i]) begin
          part[i/2] = 1'b1;
          operands[16*(i/2)+:16] = words[16*i+:16];
          operation = operation | operations[10*i+:10];  // all have the same operation
        end
      end
    end
  end

  logic x_valid, x_first, x_vc;
  logic [15:0] x_word;

  always_ff @(posedge clk) begin
    if (rst) begin
      x_valid <= 1'b0;
      x_first <= 1'b0;
      x_vc <= 1'b0;
      x_word <= '0;
    end else begin
      x_valid <= direct != '0;
      x_first <= (direct & first) != '0;
      x_vc <= (direct & 8'hAA) != '0;
      x_word <= word;
    end
  end

  logic alu_valid, alu_first, alu_vc, alu_busy;
  logic [15:0] alu_word;

  tree_alu alu (
      .clk,
      .rst,
      .part,
      .first((to_alu & first) != '0),
      .vc((to_alu & 8'hAA) != '0),
      .words(operands),
      .opcode(operation[9:7]),
      .size(operation[6:0]),
      .valid(alu_valid),
      .word_first(alu_first),
      .word_vc(alu_vc),
      .word(alu_word),
      .busy(alu_busy)
  );

  // Sender. -----------------------------------------------------------------------------------------------------------

  logic s_valid, s_first, s_vc, t_valid, t_first, t_vc;
  logic [15:0] s_word, t_word;

  always_ff @(posedge clk) begin
    if (rst) begin
      {s_valid, s_first, s_vc, t_valid, t_first, t_vc, out_valid, out_first, out_vc} <= '0;
      s_word <= '0;
      t_word <= '0;
      out_data <= '0;
    end else begin
      s_valid <= x_valid || alu_valid;
      s_first <= x_first || alu_first;
      s_vc <= x_valid ? x_vc : alu_valid && alu_vc;
      s_word <= x_word | alu_word;
      {t_valid, t_first, t_vc, t_word} <= {s_valid, s_first, s_vc, s_word};
      {out_valid, out_first, out_vc, out_data} <= {t_valid, t_first, t_vc, t_word};
    end
  end

  assign busy = x_valid || alu_busy || s_valid || t_valid || out_valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert ((direct & (direct - 8'd1)) == '0)
      else $error("two packets go out at once");
      assert (to_alu[7:0] == '0 || (to_alu & 8'hAA) == '0 || (to_alu & 8'h55) == '0)
      else $error("packets of both virtual channels are combined");
      assert (!(x_valid && alu_valid))
      else $error("a packet goes out while a combined one does");
      for (int i = 0; i < 2; i++) begin
        assert (!direct[2*PORT+i])
        else $error("a packet leaves by the port by which it came, and was not combined");
      end
    end
  end
`endif

  logic unused;
  assign unused = &{1'b0, outputs};

endmodule
