// SPDX-License-Identifier: Apache-2.0
//
// Sends quads out of the reception FIFOs to the node, one in each cycle, with round-robin arbitration among the FIFOs:
// a quad that a FIFO has in cycle c can be on the pins in c + 2.
module reception_engine #(
  parameter int FIFOS = 14,
  localparam int FIFO = $clog2(FIFOS)
) (
  input  logic                 clk,
  input  logic                 rst,
  input  logic [FIFOS-1:0]     ready,
  output logic [FIFOS-1:0]     read,
  input  logic [128*FIFOS-1:0] quads,      // output of the FIFO that was read in the previous cycle
  input  logic [FIFOS-1:0]     quad_first,
  input  logic [FIFOS-1:0]     quad_last,
  // pins
  output logic                 read_valid,
  output logic                 read_first,
  output logic                 read_last,
  output logic [FIFO-1:0]      read_fifo,
  output logic [127:0]         read_data,
  output logic                 busy
);
  logic [FIFOS-1:0] last, behind;  // last: one-hot, the FIFO read last
  logic             valid;
  logic [FIFO-1:0]  index, chosen;

  assign busy = (|ready) | valid | read_valid;

  always_comb begin
    behind = '0;
    read = '0;
    chosen = '0;
    if (ready != '0) begin
      behind = ready & ~((last << 1) - 1'b1);
      if (behind == '0) behind = ready;
      read = behind & (~behind + 1'b1);
      for (int f = 0; f < FIFOS; f++) if (read[f]) chosen = chosen | FIFO'(f);
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      last <= '0;
      valid <= 1'b0;
      index <= '0;
      read_valid <= 1'b0;
      read_first <= 1'b0;
      read_last <= 1'b0;
      read_fifo <= '0;
      read_data <= 128'd0;
    end else if (busy) begin
      valid <= |ready;
      if (|ready) begin
        last <= read;
        index <= chosen;
      end
      read_valid <= valid;
      read_first <= valid & quad_first[index];
      read_last <= valid & quad_last[index];
      if (valid) begin
        read_fifo <= index;
        read_data <= quads[128*index+:128];
      end
    end
  end
endmodule
