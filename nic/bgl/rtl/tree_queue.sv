// SPDX-License-Identifier: Apache-2.0
//
// The buffer of one virtual channel of one port: PACKETS packets, headers in registers, payloads in a memory with one
// write and one read port.
//
// Timing: a packet that `begins` announces in cycle c is visible as the head from cycle c + SEEN on. `take` in cycle T
// starts it: word i is on `word` in cycle T + 2 + i, for `wire_cycles` cycles, with the trailer as zeros. The next head
// can be taken from T + wire_cycles on (`ready`), when `freed` says that the place is free.
module tree_queue #(
    parameter int PACKETS = 4,
    parameter int SEEN = 8
) (
    input logic clk,
    input logic rst,
    input logic [8:0] wire_cycles,

    input logic        begins,
    input logic        low,
    input logic        payload,
    input logic [ 6:0] place,
    input logic [15:0] data,

    output logic        present,  // there is a head
    output logic        fresh,    // since this cycle only
    output logic        ready,    // and the previous one has left
    output logic [31:0] head,
    input  logic        take,
    input  logic        take_combined,
    input  logic [ 3:0] take_outputs,

    output logic        word_valid,
    output logic        word_first,
    output logic [15:0] word,
    output logic        word_combined,
    output logic [ 3:0] word_outputs,
    output logic [ 9:0] word_operation,  // opcode, size

    output logic freed,
    output logic busy
);

  localparam int SLOT_BITS = PACKETS > 1 ? $clog2(PACKETS) : 1;
  localparam int COUNT_BITS = $clog2(PACKETS + 1);
  localparam logic [SLOT_BITS-1:0] LAST = SLOT_BITS'(PACKETS - 1);
  localparam logic [7:0] WORDS = 8'd130;

  logic [15:0] memory[0:PACKETS*128-1];
  logic [15:0] high_words[0:PACKETS-1];
  logic [15:0] low_words[0:PACKETS-1];

  // Input. ----------------------------------------------------------------------------------------------------

  logic [SLOT_BITS-1:0] last_slot, slot;
  logic [SEEN-2:0] coming;
  logic came;
  logic [COUNT_BITS-1:0] seen, used;

  assign slot = !begins ? last_slot : last_slot == LAST ? '0 : last_slot + SLOT_BITS'(1);

  always_ff @(posedge clk) begin
    if (rst) begin
      last_slot <= LAST;
      coming <= '0;
      came <= 1'b0;
      seen <= '0;
      used <= '0;
    end else begin
      last_slot <= slot;
      coming <= {coming[SEEN-3:0], begins};
      came <= coming[SEEN-2];
      seen <= seen + COUNT_BITS'(coming[SEEN-2]) - COUNT_BITS'(take);
      used <= used + COUNT_BITS'(begins) - COUNT_BITS'(freed);
    end
    if (begins) high_words[slot] <= data;
    if (low) low_words[slot] <= data;
    if (payload) memory[{slot, place}] <= data;
  end

  // Output. ----------------------------------------------------------------------------------------------------

  logic [SLOT_BITS-1:0] head_slot, read_slot;
  logic [8:0] left;  // cycles until the next one can be taken
  logic reading;
  logic [7:0] index;
  logic [6:0] read_place;
  logic [31:0] header;
  logic combined;
  logic [3:0] outputs;
  logic from_memory;
  logic [15:0] header_word, memory_word;

  assign present = seen != '0;
  assign fresh = came && seen == COUNT_BITS'(1);
  assign ready = left == '0;
  assign head = {high_words[head_slot], low_words[head_slot]};
  assign read_place = index[6:0] - 7'd2;

  always_ff @(posedge clk) begin
    if (rst) begin
      head_slot <= '0;
      read_slot <= '0;
      left <= '0;
      reading <= 1'b0;
      index <= '0;
      header <= '0;
      combined <= 1'b0;
      outputs <= '0;
      freed <= 1'b0;
      word_valid <= 1'b0;
      word_first <= 1'b0;
      word_combined <= 1'b0;
      word_outputs <= '0;
      word_operation <= '0;
      from_memory <= 1'b0;
      header_word <= '0;
    end else begin
      freed <= left == 9'd1;
      if (take) begin
        head_slot <= head_slot == LAST ? '0 : head_slot + SLOT_BITS'(1);
        read_slot <= head_slot;
        left <= wire_cycles - 9'd1;
        reading <= 1'b1;
        index <= '0;
        header <= head;
        combined <= take_combined;
        outputs <= take_outputs;
      end else begin
        if (left != '0) left <= left - 9'd1;
        else reading <= 1'b0;
        if (index != WORDS) index <= index + 8'd1;
      end
      word_valid <= reading;
      word_first <= reading && index == '0;
      word_combined <= combined;
      word_outputs <= reading ? outputs : '0;
      word_operation <= header[25:16];
      from_memory <= reading && index >= 8'd2 && index != WORDS;
      header_word <= !reading ? '0 : index == '0 ? header[31:16] : index == 8'd1 ? header[15:0] : '0;
    end
    memory_word <= memory[{read_slot, read_place}];
  end

  assign word = from_memory ? memory_word : header_word;
  assign busy = coming != '0 || came || left != '0 || reading || freed || word_valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (!(begins && 32'(used) == PACKETS && !freed))
      else $error("overflow: a packet comes in for which there is no room");
      assert (!(take && !present))
      else $error("a packet is taken from an empty queue");
      assert (!(take && !ready))
      else $error("a packet is taken while the one before it is read");
      assert (seen <= used)
      else $error("more packets are seen than came in");
    end
  end
`endif

endmodule
