// SPDX-License-Identifier: Apache-2.0
//
// One injection FIFO of the torus: packets arrive as quads, their headers when the packet may request a link, and leave
// byte by byte. It holds one packet that is leaving and one that waits.
//
// With T the cycle in which the head is granted a link (`start`), its byte i is on `stream` in cycle T + 2 + i. The
// next packet requests a link when `done` says that the tail of the previous one has left.
module injection_fifo #(
  parameter int QUADS = 64,   // a power of 2
  parameter int HEADER = 13,
  parameter int SIZE = 6      // position of chunks - 1 in a header
) (
  input  logic              clk,
  input  logic              rst,
  input  logic              write,
  input  logic [127:0]      write_data,   // byte k in bits 8k+7 .. 8k
  input  logic              arrive,
  input  logic [HEADER-1:0] arrive_header,
  output logic              ask,
  output logic [HEADER-1:0] head,
  input  logic              start,
  input  logic              done,
  output logic              stream_valid,
  output logic              stream_first,
  output logic [7:0]        stream_data,
  output logic              busy
);
  localparam int ADDRESS = $clog2(QUADS);

  logic [127:0]       quads[0:QUADS-1];
  logic [127:0]       quad;
  logic [ADDRESS-1:0] write_at;
  logic [ADDRESS+3:0] read_at;  // address of a byte
  logic [3:0]         place;    // position of the stream's byte in its quad
  logic [8:0]         left;     // bytes to read
  logic               head_valid, reading, begins;

  assign ask = head_valid & ~reading;
  assign stream_data = stream_valid ? quad[8*place+:8] : 8'd0;

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      write_at <= '0;
      read_at <= '0;
      place <= 4'd0;
      left <= 9'd0;
      head_valid <= 1'b0;
      reading <= 1'b0;
      begins <= 1'b0;
      stream_valid <= 1'b0;
      stream_first <= 1'b0;
      head <= '0;
    end else if (write | arrive | busy) begin
      busy <= write | arrive | head_valid | reading | stream_valid;
      if (write) begin
        quads[write_at] <= write_data;
        write_at <= write_at + 1'b1;
      end
      if (arrive) begin
        head <= arrive_header;
        head_valid <= 1'b1;
      end
      if (done) reading <= 1'b0;
      begins <= start;
      if (left != 9'd0) begin
        if (read_at[3:0] == 4'd0) quad <= quads[read_at[ADDRESS+3:4]];
        left <= left - 9'd1;
        read_at <= read_at + 1'b1;
      end
      if (start) begin
        head_valid <= 1'b0;
        reading <= 1'b1;
        left <= {1'b0, head[SIZE+:3], 5'd0} + 9'd32;
      end
      place <= read_at[3:0];
      stream_valid <= left != 9'd0;
      stream_first <= begins;
    end
  end

`ifndef SYNTHESIS
  int unsigned stored = 0;
  always_ff @(posedge clk) begin
    if (rst) begin
      stored <= 0;
    end else if (write | arrive | start | (left != 9'd0)) begin
      stored <= stored + (write ? 1 : 0) - ((left != 9'd0 && read_at[3:0] == 4'd0) ? 1 : 0);
      assert (!write || stored < QUADS) else $error("injection FIFO overflow");
      assert (left == 9'd0 || read_at[3:0] != 4'd0 || stored != 0)
      else $error("injection FIFO underflow: a packet's quads come slower than they leave");
      assert (!arrive || !head_valid) else $error("injection FIFO: a third packet, or a second that waits");
      assert (!start || ask) else $error("an injection FIFO without a packet that asks is granted a link");
    end
  end
`endif
endmodule
