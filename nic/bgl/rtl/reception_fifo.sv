// SPDX-License-Identifier: Apache-2.0
//
// One reception FIFO of the torus: stores the quads of packets; `read` removes the oldest quad, which is on `quad` in
// the next cycle. It also counts its room, in chunks, which the node returns: a packet takes its chunks when it is
// admitted.
module reception_fifo #(
  parameter int QUADS = 64  // a power of 2
) (
  input  logic         clk,
  input  logic         rst,
  input  logic [7:0]   reset_chunks,
  input  logic [7:0]   freed,
  input  logic         take,
  input  logic [2:0]   take_size,   // chunks - 1
  output logic [7:0]   tokens,
  input  logic         write,
  input  logic [127:0] write_quad,  // byte k in bits 8k+7 .. 8k
  input  logic         write_first,
  input  logic         write_last,
  output logic         ready,       // a whole quad is available
  input  logic         read,
  output logic [127:0] quad,
  output logic         quad_first,
  output logic         quad_last
);
  localparam int ADDRESS = $clog2(QUADS);

  logic [129:0] quads[0:QUADS-1];
  logic [129:0] quad_read;

  logic [ADDRESS-1:0] write_at, read_at;
  logic [ADDRESS:0]   count;  // quads

  assign ready = count != '0;
  assign {quad_last, quad_first, quad} = quad_read;

  always_ff @(posedge clk) begin
    if (write) quads[write_at] <= {write_last, write_first, write_quad};
  end
  always_ff @(posedge clk) begin
    if (read) quad_read <= quads[read_at];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      tokens <= reset_chunks;
      write_at <= '0;
      read_at <= '0;
      count <= '0;
    end else begin
      if (take | (freed != 8'd0)) tokens <= tokens + freed - (take ? {5'd0, take_size} + 8'd1 : 8'd0);
      if (write | read) begin
        if (write) write_at <= write_at + 1'b1;
        if (read) read_at <= read_at + 1'b1;
        count <= count + (ADDRESS + 1)'(write) - (ADDRESS + 1)'(read);
      end
    end
  end

`ifndef SYNTHESIS
  int unsigned taken = 0;
  always_ff @(posedge clk) begin
    if (rst) begin
      taken <= 0;
    end else begin
      if (take | (freed != 8'd0)) begin
        taken <= taken + (take ? 32'(take_size) + 1 : 0) - 32'(freed);
        assert (32'(freed) <= taken) else $error("reception FIFO: %0d chunks freed, %0d taken", freed, taken);
        assert (!take || taken + 32'(take_size) + 1 <= 32'(reset_chunks)) else $error("reception FIFO: no room");
      end
      if (write | read) begin
        assert (!write || count < (ADDRESS + 1)'(QUADS)) else $error("reception FIFO overflow");
        assert (!read || ready) else $error("reception FIFO underflow");
      end
    end
  end
`endif
endmodule
