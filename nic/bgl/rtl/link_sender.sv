// SPDX-License-Identifier: Apache-2.0
//
// The sender of a torus link: numbers packets, keeps each in the resend FIFO until the receiver has acknowledged it,
// and after a time-out resends all unacknowledged ones in order (go back N).
//
// The bytes of a packet arrive one in each cycle, without gaps; its length is in bits 7 to 5 of byte 2 (chunks of 32
// bytes, minus one). All bytes pass through the resend FIFO: byte i that is sampled in cycle c + i is on the wire in c
// + 3 + i. A frame occupies the wire for W = bytes + `overhead` cycles; `overhead` is 8 or more.
//
// In terms of the router, which grants the link to a packet in cycle T, so that byte i arrives in T + 3 + i:
// - the tail has left in T + W; the oldest packet's time-out ends `timeout` cycles later. Resent packets are on the
//   wire as if granted in that cycle, or when the link becomes free; `again` in cycle c says that one is sent as if
//   granted in c + 1, unless the router has granted another packet by then;
// - `hold` in cycle c: the router must not grant a packet in c + 1. It is set while the resend FIFO has `window`
//   packets, and while packets are resent or wait for that. Packets granted before are sent: at once if the wire is
//   free, otherwise in turn;
// - an acknowledgement sampled in cycle c counts for grants in c + 1. `ack_next` is the number expected next: all
//   before it have arrived. If a time-out and an acknowledgement coincide in a cycle, the time-out comes first.
//
// `idle`: without inputs the state does not change; the clock may stop.
module link_sender #(
    parameter int RESEND_PACKETS = 8,  // a power of two, at most 64
    localparam int SLOT = $clog2(RESEND_PACKETS),
    localparam int TIME = 17
) (
    input logic clk,
    input logic rst,

    // Settings: may be changed at any time, except `window` and `overhead`.
    input logic [SLOT:0] window,    // packets that the resend FIFO may hold, 1 to RESEND_PACKETS
    input logic [   8:0] overhead,
    input logic [  15:0] timeout,   // 1 or more

    input  logic       in_valid,
    input  logic       in_first,
    input  logic [7:0] in_data,
    output logic       hold,

    input logic       ack_valid,
    input logic [7:0] ack_next,

    output logic       wire_valid,
    output logic       wire_first,
    output logic [7:0] wire_data,
    output logic [7:0] wire_sequence,  // of the frame whose first byte is on the wire

    output logic [7:0] begin_sequence,  // of the oldest packet in the resend FIFO
    output logic [7:0] end_sequence,    // of the next new packet
    output logic       again,           // a packet is selected to be resent in the next cycle
    output logic [7:0] again_sequence,
    output logic       idle
);

  // The resend FIFO. Packet number n is in slot n modulo RESEND_PACKETS.
  logic [SLOT:0] count, count_next;
  logic [SLOT:0] cursor, cursor_next;  // the next packet to resend, counted from the oldest one
  logic resending, resending_next;
  logic [7:0] begin_next;
  logic [2:0] chunks[0:RESEND_PACKETS-1];  // less one
  logic [TIME-1:0] tail[0:RESEND_PACKETS-1];  // when its tail left most recently
  logic [RESEND_PACKETS-1:0] armed;  // it has left since its latest transmission was started
  logic [TIME-1:0] now;

  // Input.
  logic [SLOT-1:0] write_slot, writing_slot;
  logic [7:0] write_index;
  logic [7:0] next_index;

  // A packet to be resent starts 4 cycles after its selection, like a packet that the arbiter selects.
  logic pending, pending_next;
  logic pending_fresh, pending_fresh_next;  // hold was not set before: the router may have granted a packet meanwhile
  logic [1:0] pending_cycles, pending_cycles_next;
  logic [7:0] again_sequence_next;

  // The frame that occupies the wire.
  logic sending, sending_again;
  logic [9:0] since;  // cycles since its start
  logic [9:0] wire_cycles;
  logic [7:0] sending_sequence;
  logic [SLOT-1:0] sending_slot;
  logic tail_leaves;

  logic time_out, free, chosen, start, start_in;
  logic [7:0] chosen_sequence;
  logic [7:0] acknowledged;
  logic [SLOT-1:0] oldest;

  assign end_sequence = begin_sequence + 8'(count);
  assign write_slot = in_first ? end_sequence[SLOT-1:0] : writing_slot;
  assign write_index = in_first ? 8'd0 : next_index;
  assign oldest = begin_sequence[SLOT-1:0];
  assign acknowledged = ack_next - begin_sequence;

  assign sending_slot = sending_sequence[SLOT-1:0];
  assign wire_cycles = {2'd0, chunks[sending_slot], 5'd0} + 10'd32 + {1'b0, overhead};
  // 4 cycles before the first cycle in which the next frame may start.
  assign tail_leaves = sending && since + 10'd4 == wire_cycles;
  assign free = !pending && (!sending || since + 10'd4 >= wire_cycles);

  assign time_out = count != '0 && armed[oldest] && now - tail[oldest] >= TIME'(timeout) &&
      !(resending && cursor == '0);

  always_comb begin
    begin_next = begin_sequence;
    count_next = count;
    cursor_next = cursor;
    resending_next = resending;
    pending_next = pending;
    pending_fresh_next = pending_fresh;
    pending_cycles_next = pending_cycles - 2'd1;
    again_sequence_next = again_sequence;
    chosen = 1'b0;
    chosen_sequence = begin_sequence;

    // The selected packet starts, or gives way to a packet that was granted before the router saw hold.
    start = pending && pending_cycles == 2'd0;
    start_in = in_valid && in_first && !sending && (!pending || pending_fresh);
    if (start) pending_next = 1'b0;
    if (start_in && pending) begin
      start = 1'b0;
      pending_next = 1'b0;
      cursor_next = '0;
      resending_next = 1'b1;
    end

    if (in_valid && in_first) begin
      count_next = count + 1'b1;
      if (!start_in && !resending) begin
        resending_next = 1'b1;
        cursor_next = count;
      end
    end

    if (time_out) begin
      cursor_next = '0;
      resending_next = 1'b1;
      if (free && !start_in) begin
        chosen = 1'b1;
        cursor_next = (SLOT + 1)'(1);
        resending_next = count_next != (SLOT + 1)'(1);
      end
    end

    if (ack_valid && acknowledged != 8'd0 && acknowledged <= 8'(count)) begin
      begin_next  = ack_next;
      count_next  = count_next - acknowledged[SLOT:0];
      cursor_next = cursor_next > acknowledged[SLOT:0] ? cursor_next - acknowledged[SLOT:0] : '0;
      if (cursor_next == count_next) resending_next = 1'b0;
    end

    if (!chosen && resending_next && free && !start_in) begin
      chosen = 1'b1;
      chosen_sequence = begin_next + 8'(cursor_next);
      cursor_next = cursor_next + 1'b1;
      resending_next = cursor_next != count_next;
    end

    if (chosen) begin
      pending_next = 1'b1;
      pending_fresh_next = !hold;
      pending_cycles_next = 2'd3;
      again_sequence_next = chosen_sequence;
    end
  end

  always_ff @(posedge clk) begin
    now <= now + 1'b1;

    begin_sequence <= begin_next;
    count <= count_next;
    cursor <= cursor_next;
    resending <= resending_next;
    pending <= pending_next;
    pending_fresh <= pending_fresh_next;
    pending_cycles <= pending_cycles_next;
    again <= chosen;
    again_sequence <= again_sequence_next;

    if (in_valid) begin
      writing_slot <= write_slot;
      next_index   <= write_index + 8'd1;
      if (!in_first && next_index == 8'd2) chunks[writing_slot] <= in_data[7:5];
      if (in_first) armed[write_slot] <= 1'b0;
    end

    since <= since + 10'd1;
    if (tail_leaves) begin
      tail[sending_slot]  <= now;
      armed[sending_slot] <= 1'b1;
    end
    if (sending && since + 10'd1 == wire_cycles) sending <= 1'b0;
    if (start_in || start) begin
      sending <= 1'b1;
      sending_again <= !start_in;
      sending_sequence <= start_in ? end_sequence : again_sequence;
      since <= 10'd1;
    end
    if (chosen) armed[chosen_sequence[SLOT-1:0]] <= 1'b0;

    hold <= resending_next || pending_next || count_next >= window || start ||
        (sending && sending_again && since + 10'd4 < wire_cycles);

    if (rst) begin
      now <= '0;
      begin_sequence <= 8'd0;
      count <= '0;
      cursor <= '0;
      resending <= 1'b0;
      pending <= 1'b0;
      pending_fresh <= 1'b0;
      again <= 1'b0;
      pending_cycles <= 2'd0;
      armed <= '0;
      sending <= 1'b0;
      sending_again <= 1'b0;
      sending_sequence <= 8'd0;
      hold <= 1'b0;
    end
  end

  // Out of the FIFO: a byte is read in the cycle after it was written at the earliest.
  logic read_valid;
  logic [7:0] read_index, address_index;
  logic address_valid, read_last, address_last;
  logic [7:0] read_data;
  logic framer_busy;

  link_memory #(
      .BYTES(RESEND_PACKETS * 256)
  ) resend_fifo (
      .clk,
      .write(in_valid),
      .write_address({write_slot, write_index}),
      .write_data(in_data),
      .read_address({sending_slot, address_index}),
      .read_data
  );

  assign address_last = address_index == {chunks[sending_slot], 5'd31};

  always_ff @(posedge clk) begin
    if (address_valid) begin
      address_index <= address_index + 8'd1;
      if (address_last) address_valid <= 1'b0;
    end
    if (start_in || start) begin
      address_valid <= 1'b1;
      address_index <= 8'd0;
    end
    read_valid <= address_valid;
    read_index <= address_index;
    read_last  <= address_last;

    if (rst) begin
      address_valid <= 1'b0;
      read_valid <= 1'b0;
    end
  end

  link_framer framer (
      .clk,
      .rst,
      .valid(read_valid),
      .last(read_last),
      .index(read_index),
      .data(read_data),
      .sequence_number(sending_sequence),
      .wire_valid,
      .wire_first,
      .wire_data,
      .wire_sequence,
      .busy(framer_busy)
  );

  always_ff @(posedge clk) begin
    if (rst) idle <= 1'b1;
    else idle <= count_next == '0 && !pending_next && !start && !start_in && !sending && !address_valid &&
          !read_valid && !framer_busy;
  end

`ifndef SYNTHESIS
  logic [7:0] in_length;  // of the arriving packet, minus one
  logic in_packet;
  logic [7:0] newest;  // number of the packet that has not been on the wire yet

  always_ff @(posedge clk) begin
    if (rst) begin
      in_packet <= 1'b0;
      in_length <= 8'd255;
      newest <= 8'd0;
    end else begin
      if (in_valid) begin
        if (in_first) in_length <= 8'd255;
        else if (next_index == 8'd2) in_length <= {in_data[7:5], 5'd31};
        in_packet <= in_first || next_index != in_length;
        assert (in_first != in_packet) else $error("bytes of the router are not those of one packet after the other");
        assert (!in_first || count < window) else $error("the router sends, but the resend FIFO is full");
      end else begin
        assert (!in_packet) else $error("a gap within a packet of the router");
      end
      assert (count <= (SLOT + 1)'(RESEND_PACKETS)) else $error("resend FIFO overflow");
      assert (cursor <= count && (!resending || cursor < count)) else $error("resends what is not in the FIFO");
      assert (!ack_valid || acknowledged <= 8'(count) || acknowledged >= 8'd128)
      else $error("acknowledged up to %0d, but %0d is the next packet to come", ack_next, end_sequence);
      if (start_in) begin
        newest <= end_sequence + 8'd1;
        assert (end_sequence == newest) else $error("sequence number %0d follows %0d", end_sequence, newest - 8'd1);
      end else if (start) begin
        if (again_sequence == newest) newest <= newest + 8'd1;
        assert (newest - again_sequence <= 8'(RESEND_PACKETS))
        else $error("sequence number %0d follows %0d", again_sequence, newest - 8'd1);
      end
    end
  end
`endif

endmodule
