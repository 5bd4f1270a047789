// SPDX-License-Identifier: Apache-2.0
//
// One virtual channel's queue in the receiver of a link: the bytes of its packets in a memory with one write and one
// read port, the headers of waiting packets, and the head that requests a link.
//
// A header, `arrive`, is { dynamic, deposit, pid, chunks - 1, hints by direction }: the fields that arbitration needs.
//
// With T the cycle in which the head is granted a link, or the local path (`start`), its byte i is on `stream` in cycle
// T + 2 + i. A packet that is granted in the first cycle of its request (`fresh`) bypasses the memory: it comes from
// the receiver's pipeline (`pass`). The next packet becomes the head at once, and requests a link when `done` says that
// the tail of the previous one has left, because the queue has one read port.
module torus_queue #(
  parameter int BUFFER_CHUNKS = 32,  // a power of 2
  parameter bit BUBBLE = 1'b0,       // a packet takes the space of the largest one
  parameter int HINTS = 6,
  localparam int HEADER = HINTS + 6,
  localparam int COUNT = $clog2(BUFFER_CHUNKS + 1)
) (
  input  logic              clk,
  input  logic              rst,
  input  logic              arrive,
  input  logic [HEADER-1:0] arrive_header,
  // This cycle's byte of the pipeline belongs to this queue: it is stored, or bypasses the memory.
  input  logic              write,
  input  logic              pass,
  input  logic              byte_first,
  input  logic [7:0]        byte_data,
  input  logic [7:0]        passed_data,  // byte_data, a cycle later
  output logic              ask,
  output logic [HEADER-1:0] head,
  output logic              fresh,
  output logic [COUNT-1:0]  held,         // chunks occupied by waiting packets
  input  logic              start,
  input  logic              done,
  output logic [3:0]        charge,       // chunks to return for the packet that started last
  output logic              stream_valid,
  output logic              stream_first,
  output logic [7:0]        stream_data,
  output logic              busy
);
  localparam int BYTES = 32 * BUFFER_CHUNKS;
  localparam int ADDRESS = $clog2(BYTES);
  localparam int ENTRY = $clog2(BUFFER_CHUNKS);
  localparam int SIZE = HINTS;  // position of chunks - 1 in a header

  logic [7:0]         bytes[0:BYTES-1];
  logic [ADDRESS-1:0] write_at, read_at;
  logic [7:0]         byte_read;
  logic [8:0]         left;  // bytes to read
  logic               begins, passed;

  logic [HEADER-1:0] headers[0:BUFFER_CHUNKS-1];  // of packets after the second one
  logic [ENTRY:0]    header_write_at, header_read_at;  // one bit wider, to distinguish full from empty
  logic [HEADER-1:0] second;
  logic              second_valid, head_valid, reading;

  function automatic logic [3:0] charged(input logic [2:0] chunks_less_1);
    charged = BUBBLE ? 4'd8 : {1'b0, chunks_less_1} + 4'd1;
  endfunction

  assign ask = head_valid & ~reading;
  assign stream_data = passed ? passed_data : byte_read;

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      write_at <= '0;
      read_at <= '0;
      left <= 9'd0;
      begins <= 1'b0;
      passed <= 1'b0;
      stream_valid <= 1'b0;
      stream_first <= 1'b0;
      header_write_at <= '0;
      header_read_at <= '0;
      second_valid <= 1'b0;
      head_valid <= 1'b0;
      reading <= 1'b0;
      fresh <= 1'b0;
      held <= '0;
      head <= '0;
      charge <= 4'd0;
    end else if (arrive | busy) begin
      busy <= arrive | head_valid | second_valid | reading | stream_valid | (header_write_at != header_read_at);

      // Headers: written to the memory unless the queue is empty; read from it into the second place, and from there
      // into the head.
      fresh <= 1'b0;
      if (arrive) begin
        if (head_valid | second_valid | (header_write_at != header_read_at)) begin
          headers[header_write_at[ENTRY-1:0]] <= arrive_header;
          header_write_at <= header_write_at + 1'b1;
        end else begin
          head <= arrive_header;
          head_valid <= 1'b1;
          fresh <= 1'b1;
        end
      end
      if (second_valid) begin
        if (~head_valid) begin
          head <= second;
          head_valid <= 1'b1;
          second_valid <= 1'b0;
        end
      end else if (header_write_at != header_read_at) begin
        second <= headers[header_read_at[ENTRY-1:0]];
        second_valid <= 1'b1;
        header_read_at <= header_read_at + 1'b1;
      end
      if (arrive | start) begin
        held <= held + (arrive ? COUNT'(charged(arrive_header[SIZE+:3])) : '0) -
            (start ? COUNT'(charged(head[SIZE+:3])) : '0);
      end

      // Bytes.
      if (write) begin
        bytes[write_at] <= byte_data;
        write_at <= write_at + 1'b1;
      end
      if (left != 9'd0) begin
        byte_read <= bytes[read_at];
        read_at <= read_at + 1'b1;
        left <= left - 9'd1;
      end
      passed <= pass;
      stream_valid <= (left != 9'd0) | pass;
      stream_first <= pass ? byte_first : begins;

      begins <= start;
      if (done) reading <= 1'b0;
      if (start) begin
        head_valid <= 1'b0;
        reading <= 1'b1;
        charge <= charged(head[SIZE+:3]);
        if (~fresh) left <= {1'b0, head[SIZE+:3], 5'd0} + 9'd32;
      end
    end
  end

`ifndef SYNTHESIS
  // The chunks that the sender at the other end of the link counts as occupied here.
  int unsigned used = 0;
  always_ff @(posedge clk) begin
    if (rst) begin
      used <= 0;
    end else if (arrive | done | start) begin
      used <= used + (arrive ? 32'(charged(arrive_header[SIZE+:3])) : 0) - (done ? 32'(charge) : 0);
      assert (!arrive || used + 32'(charged(arrive_header[SIZE+:3])) <= BUFFER_CHUNKS)
      else $error("virtual channel buffer overflow: %0d chunks used", used);
      assert (!start || ask) else $error("a queue without a packet that asks is granted a link");
      assert (!done || reading) else $error("a packet is done that never started");
    end
  end
`endif
endmodule
