// SPDX-License-Identifier: Apache-2.0
//
// The ALU of one output of the tree: combines the packets that `part` names, one 16-bit word of each a cycle.
//
// A frame is 2 words of header, 128 of payload, and a trailer, which is sent as zeros. The header is that of the lowest
// port that takes part. The payload is an array of unsigned operands of size + 1 words; if 128 is not a multiple of
// that, the last operand is shorter. MAX compares from the first word of an operand on and drops a contributor as soon
// as it is smaller. ADD needs the least significant word first: the payload of a packet with this opcode arrives and
// leaves last word first, so the short operand comes first. Sums are modulo the operand's size. With an opcode that the
// ALU does not have (NONE, 4, 7), the packet of the lowest port passes unchanged.
//
// Timing: the word on `words` in cycle c is on `word` in cycle c + 3. One of these cycles is the crossbar's register,
// which packets that bypass the ALU also have; so the ALU adds 2 cycles.
module tree_alu (
    input logic clk,
    input logic rst,

    input logic [ 3:0] part,   // these ports have a word
    input logic        first,  // it is the first of its packet
    input logic        vc,
    input logic [63:0] words,
    input logic [ 2:0] opcode,
    input logic [ 6:0] size,

    output logic        valid,
    output logic        word_first,
    output logic        word_vc,
    output logic [15:0] word,
    output logic        busy
);

  localparam logic [2:0] OR = 3'd1;
  localparam logic [2:0] AND = 3'd2;
  localparam logic [2:0] XOR = 3'd3;
  localparam logic [2:0] MAX = 3'd5;
  localparam logic [2:0] ADD = 3'd6;
  localparam logic [7:0] HEADER_WORDS = 8'd2;
  localparam logic [7:0] WORDS = 8'd130;

  // The crossbar's register, and the position of its word in the packet. --------------------------------------------

  logic [3:0] a_part;
  logic a_first, a_vc;
  logic [63:0] a_words;
  logic [2:0] a_opcode;
  logic [6:0] a_size;
  logic [7:0] a_index;  // WORDS: in the trailer
  logic [6:0] a_rest;   // words of the operand after this one
  logic [6:0] tail;
  logic a_start;  // of an operand

  tree_remainder of_last_operand (
      .size(a_size),
      .remainder(tail)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      a_part  <= '0;
      a_first <= 1'b0;
      a_vc    <= 1'b0;
      a_index <= WORDS;
      a_rest  <= '0;
      a_start <= 1'b0;
    end else begin
      a_part  <= part;
      a_first <= first && part != '0;
      a_vc    <= vc;
      if (part != '0) begin
        if (first) a_index <= '0;
        else if (a_index != WORDS) a_index <= a_index + 8'd1;
        if (a_index + 8'd1 == HEADER_WORDS) begin
          a_start <= 1'b1;
          a_rest  <= a_opcode == ADD ? tail : a_size;
        end else if (a_rest == '0) begin
          a_start <= 1'b1;
          a_rest  <= a_size;
        end else begin
          a_start <= 1'b0;
          a_rest  <= a_rest - 7'd1;
        end
      end
    end
    a_words <= words;
    if (first) begin
      a_opcode <= opcode;
      a_size   <= size;
    end
  end

  // First cycle: functions of the words alone. ----------------------------------------------------------------------

  logic [15:0] lowest, all_or, all_and, all_xor;
  logic [17:0] all_sum;
  logic [15:0] above;  // bit 4 * i + j: the word of port i is greater than that of port j

  always_comb begin
    lowest  = '0;
    all_or  = '0;
    all_and = '1;
    all_xor = '0;
    all_sum = '0;
    above   = '0;
    if (a_part != '0) begin
      for (int i = 3; i >= 0; i--) begin
        if (a_part[i]) begin
          lowest  = a_words[16*i+:16];
          all_or  = all_or | a_words[16*i+:16];
          all_and = all_and & a_words[16*i+:16];
          all_xor = all_xor ^ a_words[16*i+:16];
          all_sum = all_sum + {2'b00, a_words[16*i+:16]};
        end
        for (int j = 0; j < 4; j++) above[4*i+j] = a_words[16*i+:16] > a_words[16*j+:16];
      end
    end
  end

  logic [3:0] b_part;
  logic b_first, b_vc, b_start;
  logic b_max, b_add;  // else b_plain is the result
  logic [15:0] b_plain;
  logic [17:0] b_sum;
  logic [15:0] b_above;
  logic [63:0] b_words;

  always_ff @(posedge clk) begin
    if (rst) begin
      b_part  <= '0;
      b_first <= 1'b0;
      b_vc    <= 1'b0;
    end else begin
      b_part  <= a_part;
      b_first <= a_first;
      b_vc    <= a_vc;
    end
    b_start <= a_start;
    b_max   <= 1'b0;
    b_add   <= 1'b0;
    b_sum   <= all_sum;
    b_above <= above;
    b_words <= a_words;
    if (a_index == WORDS) begin
      b_plain <= '0;
    end else if (a_index < HEADER_WORDS) begin
      b_plain <= lowest;
    end else begin
      case (a_opcode)
        OR: b_plain <= all_or;
        AND: b_plain <= all_and;
        XOR: b_plain <= all_xor;
        default: b_plain <= lowest;
      endcase
      b_max <= a_opcode == MAX;
      b_add <= a_opcode == ADD;
    end
  end

  // Second cycle: functions that depend on earlier words. -----------------------------------------------------------

  logic [1:0] carry;
  logic [17:0] total;
  logic [3:0] contenders, leaders, had_led;
  logic [15:0] greatest;

  always_comb begin
    total = b_sum + (b_start ? 18'd0 : {16'd0, carry});
    contenders = b_start ? b_part : had_led;
    leaders = contenders;
    greatest = '0;
    if (b_max) begin
      for (int i = 0; i < 4; i++) begin
        for (int j = 0; j < 4; j++) begin
          if (contenders[j] && b_above[4*j+i]) leaders[i] = 1'b0;
        end
        if (leaders[i]) greatest = greatest | b_words[16*i+:16];
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      valid <= 1'b0;
      word_first <= 1'b0;
      word_vc <= 1'b0;
      word <= '0;
      carry <= '0;
      had_led <= '0;
    end else begin
      valid <= b_part != '0;
      word_first <= b_first;
      word_vc <= b_vc;
      word <= b_part == '0 ? '0 : b_add ? total[15:0] : b_max ? greatest : b_plain;
      carry <= total[17:16];
      had_led <= leaders;
    end
  end

  assign busy = a_part != '0 || b_part != '0 || valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (a_part == '0 || part == '0 || first || part == a_part)
      else $error("a packet's words stop before others' do");
      assert (!b_max || leaders != '0)
      else $error("no operand is the greatest");
    end
  end
`endif

endmodule
