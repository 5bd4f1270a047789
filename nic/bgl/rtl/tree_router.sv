// SPDX-License-Identifier: Apache-2.0
//
// One node's tree router: three channels and a local client, two virtual channels, packets of 256 bytes that are
// combined, forwarded and copied according to the descriptor of their class (tree_route). Pins and their timing:
// tree_pins.h.
//
//   tree_receiver -> tree_queue -> tree_route, tree_match -> tree_arbiter -> tree_output (crossbar, tree_alu, sender)
//
// Ports are numbered: channels 0, 1 (down), 2 (up), 3 (local client); queues: 2 * port + virtual channel. A packet goes
// to all its outputs at once, and waits until each has a token and is free. Queues of different virtual channels are
// read in parallel, and each output has an ALU, so packets without a common port flow in parallel.
//
// Up to four packets, or sets of combined packets, are granted in each cycle: as many as there are outputs. The model
// (torus/tree/router.cpp) makes all possible moves after each event of a cycle, in the order of the events. Here all
// events of a cycle count at once, except heads that have just arrived from a channel, because their events are among
// the last; so the order of packets occasionally differs. On the wire a frame is a header of 2 words, 128 words of
// payload and a trailer, wire_cycles words in all. The payload of a packet with opcode ADD is carried last word first,
// as sums need it.
//
// Simplifications, as in the model: tokens have separate pins, and so has the virtual channel, which is valid with a
// frame's first word; link errors are handled outside (`hold`, `occupied`).
module tree_router #(
    parameter int CHANNEL_PACKETS = 4,  // buffer of a channel, for each virtual channel
    parameter int LOCAL_PACKETS   = 8,  // injection FIFO, for each virtual channel
    parameter int RECEIVER_CYCLES = 8,
    parameter int ALU_CYCLES      = 2   // latency of tree_alu
) (
    input logic clk,
    input logic rst,

    // Settings, registered. packets: tokens at reset.
    input logic [255:0] descriptors,  // 16 of each class: sources 14:12 and 1, targets 10:8 and 0
    input logic [ 23:0] address,
    input logic [  1:0] accepts_all,
    input logic [  3:0] exists,       // ports
    input logic [  8:0] wire_cycles,  // 130 at least
    input logic [  3:0] channel_packets,
    input logic [  3:0] local_packets,

    // Incoming frames.
    input logic [ 2:0] in_valid,
    input logic [ 2:0] in_first,
    input logic [ 2:0] in_vc,
    input logic [47:0] in_data,
    // Packets of the local client, by virtual channel.
    input logic [ 1:0] inject_valid,
    input logic [ 1:0] inject_first,
    input logic [31:0] inject_data,
    // Room for a packet at the other end, by queue.
    input logic [ 7:0] tokens,
    // From the error control of links: accepts no packet of this virtual channel; resends a frame from this cycle on.
    input logic [ 5:0] hold,
    input logic [ 2:0] occupied,

    // Outgoing frames.
    output logic [ 3:0] out_valid,
    output logic [ 3:0] out_first,
    output logic [ 3:0] out_vc,
    output logic [63:0] out_data,
    // Room for a packet in a channel's buffer, by queue.
    output logic [ 5:0] out_tokens,
    // Up to four grants of this cycle: one packet from the queues of `move_inputs`.
    output logic [ 3:0] moves,
    output logic [ 3:0] move_vc,
    output logic [15:0] move_inputs,
    output logic [15:0] move_outputs,
    output logic [ 3:0] move_combined,
    // Without inputs the state does not change.
    output logic        idle
);

  // Settings. ---------------------------------------------------------------------------------------------------------

  logic [255:0] s_descriptors;
  logic [23:0] s_address;
  logic [1:0] s_accepts_all;
  logic [3:0] s_exists;
  logic [8:0] s_wire_cycles;

  always_ff @(posedge clk) begin
    s_descriptors <= descriptors;
    s_address <= address;
    s_accepts_all <= accepts_all;
    s_exists <= exists;
    s_wire_cycles <= wire_cycles;
  end

  // Inputs: queues. --------------------------------------------------------------------------------------------------

  logic [7:0] begins, low, payload, takes_in;
  logic [55:0] place;
  logic [127:0] data;
  logic [2:0] receiver_vc, receiver_begins, receiver_low, receiver_payload, receiver_busy;
  logic [20:0] receiver_place;
  logic [47:0] receiver_data;
  logic [1:0] inject_busy, inject_vc;

  logic [7:0] present, fresh, ready, queue_busy, freed;
  logic [255:0] heads;
  logic [7:0] take, take_combined;
  logic [31:0] take_outputs;
  logic [7:0] word_valid, word_first, word_combined;
  logic [127:0] words;
  logic [31:0] word_outputs;
  logic [79:0] word_operations;

  for (genvar p = 0; p < 3; p++) begin : g_channel
    tree_receiver receiver (
        .clk,
        .rst,
        .in_valid(in_valid[p]),
        .in_first(in_first[p]),
        .in_vc(in_vc[p]),
        .in_data(in_data[16*p+:16]),
        .vc(receiver_vc[p]),
        .begins(receiver_begins[p]),
        .low(receiver_low[p]),
        .payload(receiver_payload[p]),
        .place(receiver_place[7*p+:7]),
        .data(receiver_data[16*p+:16]),
        .busy(receiver_busy[p])
    );
    for (genvar v = 0; v < 2; v++) begin : g_vc
      assign takes_in[2*p+v] = receiver_vc[p] == 1'(v);
      assign begins[2*p+v] = receiver_begins[p] && takes_in[2*p+v];
      assign low[2*p+v] = receiver_low[p] && takes_in[2*p+v];
      assign payload[2*p+v] = receiver_payload[p] && takes_in[2*p+v];
      assign place[7*(2*p+v)+:7] = receiver_place[7*p+:7];
      assign data[16*(2*p+v)+:16] = receiver_data[16*p+:16];
    end
  end

  for (genvar v = 0; v < 2; v++) begin : g_local
    tree_receiver receiver (
        .clk,
        .rst,
        .in_valid(inject_valid[v]),
        .in_first(inject_first[v]),
        .in_vc(1'(v)),
        .in_data(inject_data[16*v+:16]),
        .vc(inject_vc[v]),
        .begins(begins[6+v]),
        .low(low[6+v]),
        .payload(payload[6+v]),
        .place(place[7*(6+v)+:7]),
        .data(data[16*(6+v)+:16]),
        .busy(inject_busy[v])
    );
    assign takes_in[6+v] = 1'b1;
  end

  for (genvar q = 0; q < 8; q++) begin : g_queue
    // Packets of the local client are complete when they arrive: one cycle less.
    tree_queue #(
        .PACKETS(q < 6 ? CHANNEL_PACKETS : LOCAL_PACKETS),
        .SEEN(q < 6 ? RECEIVER_CYCLES : RECEIVER_CYCLES - 1)
    ) queue (
        .clk,
        .rst,
        .wire_cycles(s_wire_cycles),
        .begins(begins[q]),
        .low(low[q]),
        .payload(payload[q]),
        .place(place[7*q+:7]),
        .data(data[16*q+:16]),
        .present(present[q]),
        .fresh(fresh[q]),
        .ready(ready[q]),
        .head(heads[32*q+:32]),
        .take(take[q]),
        .take_combined(take_combined[q]),
        .take_outputs(take_outputs[4*q+:4]),
        .word_valid(word_valid[q]),
        .word_first(word_first[q]),
        .word(words[16*q+:16]),
        .word_combined(word_combined[q]),
        .word_outputs(word_outputs[4*q+:4]),
        .word_operation(word_operations[10*q+:10]),
        .freed(freed[q]),
        .busy(queue_busy[q])
    );
  end

  // The possible move of each head. ---------------------------------------------------------------------------------

  logic [7:0] combines, has_way, complete, requests;
  logic [31:0] outputs, sources;  // 4 of each queue
  logic [7:0] takes, takes_combined;

  for (genvar q = 0; q < 8; q++) begin : g_route
    tree_route #(
        .PORT(q / 2)
    ) route (
        .head(heads[32*q+:32]),
        .descriptor(s_descriptors[16*heads[32*q+28+:4]+:16]),
        .exists(s_exists),
        .address(s_address),
        .accepts_all(s_accepts_all[q%2]),
        .combines(combines[q]),
        .has_way(has_way[q]),
        .outputs(outputs[4*q+:4]),
        .sources(sources[4*q+:4])
    );
  end

  for (genvar v = 0; v < 2; v++) begin : g_match
    logic [3:0] vc_present, vc_ready, vc_takes, vc_takes_combined, vc_complete;
    logic [127:0] vc_heads;
    logic [15:0] vc_sources;
    for (genvar p = 0; p < 4; p++) begin : g_port
      assign vc_present[p] = present[2*p+v];
      assign vc_ready[p] = ready[2*p+v];
      assign vc_takes[p] = takes[2*p+v];
      assign vc_takes_combined[p] = takes_combined[2*p+v];
      assign vc_heads[32*p+:32] = heads[32*(2*p+v)+:32];
      assign vc_sources[4*p+:4] = sources[4*(2*p+v)+:4];
      assign complete[2*p+v] = vc_complete[p];
    end
    tree_match match (
        .heads(vc_heads),
        .present(vc_present),
        .sources(vc_sources),
        .complete(vc_complete)
    );
    for (genvar p = 0; p < 4; p++) begin : g_request
      assign requests[2*p+v] = present[2*p+v] && has_way[2*p+v] && (combines[2*p+v]
          ? complete[2*p+v] && (vc_sources[4*p+:4] & ~vc_ready) == '0
            && (outputs[4*(2*p+v)+:4] & ~vc_takes_combined) == '0
          : ready[2*p+v] && (outputs[4*(2*p+v)+:4] & ~vc_takes) == '0);
    end
  end

  logic [11:0] grants;
  logic [63:0] taken;  // 8 for each queue: the queues that move together with its head
  logic [7:0] fresh_requests;

  always_comb begin
    taken = '0;
    for (int q = 0; q < 8; q++) begin
      for (int p = 0; p < 4; p++) taken[8*q+2*p+q%2] = combines[q] ? sources[4*q+p] : p == q / 2;
      // Not for the local client: the model handles its packets first.
      fresh_requests[q] = (taken[8*q+:8] & fresh & 8'h3F) != '0;
    end
  end

  tree_arbiter arbiter (
      .clk,
      .rst,
      .requests,
      .fresh(fresh_requests),
      .outputs,
      .takes(taken),
      .granted(moves),
      .grants
  );

  logic [3:0] spend, spend_vc, spend_combined;
  logic [2:0] granted;

  always_comb begin
    take = '0;
    take_combined = '0;
    take_outputs = '0;
    spend = '0;
    spend_vc = '0;
    spend_combined = '0;
    granted = '0;
    move_vc = '0;
    move_combined = '0;
    move_inputs = '0;
    move_outputs = '0;
    for (int g = 0; g < 4; g++) begin
      if (moves[g]) begin
        granted = grants[3*g+:3];
        move_vc[g] = granted[0];
        move_combined[g] = combines[granted];
        move_outputs[4*g+:4] = outputs[4*granted+:4];
        move_inputs[4*g+:4] = combines[granted] ? sources[4*granted+:4] : 4'd1 << granted[2:1];
        for (int q = 0; q < 8; q++) begin
          if (taken[8*granted+q]) begin
            take[q] = 1'b1;
            take_combined[q] = combines[granted];
            take_outputs[4*q+:4] = outputs[4*granted+:4];
          end
        end
        spend = spend | outputs[4*granted+:4];
        if (granted[0]) spend_vc = spend_vc | outputs[4*granted+:4];
        if (combines[granted]) spend_combined = spend_combined | outputs[4*granted+:4];
      end
    end
  end

  // Outputs. ---------------------------------------------------------------------------------------------------------

  logic [3:0] credit_busy, output_busy;

  for (genvar p = 0; p < 4; p++) begin : g_output
    tree_credit #(
        .ALU_CYCLES(ALU_CYCLES)
    ) credit (
        .clk,
        .rst,
        .packets(p == 3 ? local_packets : channel_packets),
        .wire_cycles(s_wire_cycles),
        .token(tokens[2*p+:2]),
        .hold(p == 3 ? 2'b00 : hold[2*(p%3)+:2]),
        .occupied(p == 3 ? 1'b0 : occupied[p%3]),
        .spend(spend[p]),
        .spend_vc(spend_vc[p]),
        .spend_combined(spend_combined[p]),
        .takes(takes[2*p+:2]),
        .takes_combined(takes_combined[2*p+:2]),
        .busy(credit_busy[p])
    );
    tree_output #(
        .PORT(p)
    ) way_out (
        .clk,
        .rst,
        .valid(word_valid),
        .first(word_first),
        .words,
        .combined(word_combined),
        .outputs(word_outputs),
        .operations(word_operations),
        .out_valid(out_valid[p]),
        .out_first(out_first[p]),
        .out_vc(out_vc[p]),
        .out_data(out_data[16*p+:16]),
        .busy(output_busy[p])
    );
  end

  // Credit return: a token goes back when a packet has left its buffer through the sender.
  logic [5:0] token_1, token_2;

  always_ff @(posedge clk) begin
    if (rst) begin
      token_1 <= '0;
      token_2 <= '0;
      out_tokens <= '0;
    end else begin
      token_1 <= freed[5:0];
      token_2 <= token_1;
      out_tokens <= token_2;
    end
  end

  assign idle = moves == '0 && queue_busy == '0 && credit_busy == '0 && output_busy == '0 && receiver_busy == '0
                && inject_busy == '0 && token_1 == '0 && token_2 == '0 && out_tokens == '0;

  logic unused;
  assign unused = &{1'b0, inject_vc, takes_in[7:6], freed[7:6]};

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert ((take & ~present) == '0)
      else $error("a packet is combined with one that is not there");
      assert ((spend & ~s_exists) == '0)
      else $error("a packet goes to a port that is not there");
      for (int g = 0; g < 4; g++) begin
        assert (move_combined[g] || (move_inputs[4*g+:4] & move_outputs[4*g+:4]) == '0)
        else $error("a packet goes back by the port by which it came");
        if (moves[g] && move_combined[g]) begin
          for (int q = 0; q < 8; q++) begin
            assert (!taken[8*grants[3*g+:3]+q] || (heads[32*q+27+:5] == heads[32*grants[3*g+:3]+27+:5]
                                                   && heads[32*q+16+:10] == heads[32*grants[3*g+:3]+16+:10]))
            else $error("packets that differ in class, opcode or size are combined");
          end
        end
      end
    end
  end
`endif

endmodule
