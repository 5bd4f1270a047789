// SPDX-License-Identifier: Apache-2.0
//
// The path of packets into the injection FIFOs: one quad arrives in each cycle, for one FIFO; for headers without
// hints, torus_route computes them before the quad is written to its FIFO.
//
// If w is the cycle in which a packet's first quad is on the pins, the quad is in the FIFO in w + 2, and the header,
// after a pipeline, in w + 7: from then on the packet requests a link.
module torus_injection #(
  parameter int DIMENSIONS = 3,
  parameter int FIFOS = 8,
  localparam int FIFO = $clog2(FIFOS),
  localparam int LINKS = 2 * DIMENSIONS,
  localparam int HEADER = LINKS + 7
) (
  input  logic                    clk,
  input  logic                    rst,
  input  logic [8*DIMENSIONS-1:0] coordinates,
  input  logic [8*DIMENSIONS-1:0] cut_off_plus,
  input  logic [8*DIMENSIONS-1:0] cut_off_minus,
  input  logic [DIMENSIONS-1:0]   ring,
  // pins
  input  logic                    write,
  input  logic                    write_first,
  input  logic [FIFO-1:0]         write_fifo,
  input  logic [127:0]            write_data,     // byte k in bits 8k+7 .. 8k
  // into the FIFOs
  output logic [FIFOS-1:0]        quad_valid,
  output logic [127:0]            quad,
  output logic [FIFOS-1:0]        arrive,
  output logic [HEADER-1:0]       arrive_header,  // { priority, dynamic, deposit, pid, chunks - 1, hints by direction }
  output logic                    busy
);
  localparam int STAGES = 6;

  logic                     came, came_first;
  logic [FIFO-1:0]          came_fifo;
  logic [127:0]             came_data;
  logic [7:0]               byte1;
  logic [STAGES-1:0]        valid;
  logic [STAGES*FIFO-1:0]   fifos;
  logic [STAGES*HEADER-1:0] headers;
  logic [HEADER-1:0]        header;

  torus_route #(
    .DIMENSIONS(DIMENSIONS)
  ) route (
    .coordinates,
    .cut_off_plus,
    .cut_off_minus,
    .ring,
    .byte1(came_data[15:8]),
    .destination(came_data[24+:8*DIMENSIONS]),
    .routed_byte1(byte1)
  );

  always_comb begin
    for (int d = 0; d < LINKS; d++) header[d] = byte1[7-d];
    header[LINKS+:3] = came_data[23:21];
    header[LINKS+3] = byte1[0];
    header[LINKS+4] = byte1[1];
    header[LINKS+5] = came_data[18];
    header[LINKS+6] = came_data[17:16] == 2'd3;
    quad_valid = '0;
    if (came) quad_valid[came_fifo] = 1'b1;
    quad = came_data;
    if (came_first) quad[15:8] = byte1;
    arrive = '0;
    if (valid[STAGES-1]) arrive[fifos[(STAGES-1)*FIFO+:FIFO]] = 1'b1;
    arrive_header = headers[(STAGES-1)*HEADER+:HEADER];
  end
  assign busy = came | (|valid);

  always_ff @(posedge clk) begin
    if (rst) begin
      came <= 1'b0;
      came_first <= 1'b0;
      came_fifo <= '0;
      came_data <= 128'd0;
      valid <= '0;
      fifos <= '0;
      headers <= '0;
    end else if (write | busy) begin
      came <= write;
      if (write) begin
        came_first <= write_first;
        came_fifo <= write_fifo;
        came_data <= write_data;
      end
      valid <= {valid[STAGES-2:0], came & came_first};
      fifos <= {fifos[(STAGES-1)*FIFO-1:0], came_fifo};
      headers <= {headers[(STAGES-1)*HEADER-1:0], header};
    end
  end

`ifndef SYNTHESIS
  // Framing: each FIFO receives whole packets.
  int unsigned missing[FIFOS];
  always_ff @(posedge clk) begin
    if (rst) begin
      for (int f = 0; f < FIFOS; f++) missing[f] <= 0;
    end else if (came) begin
      assert (came_first == (missing[came_fifo] == 0))
      else $error("injection FIFO %0d: a first quad, %0d before the end of a packet", came_fifo, missing[came_fifo]);
      assert (!came_first || byte1[7:2] != 6'd0)
      else $error("injection FIFO %0d: a packet for the node itself needs a hint bit", came_fifo);
      missing[came_fifo] <= came_first ? 2 * (32'(came_data[23:21]) + 1) - 1 : missing[came_fifo] - 1;
    end
  end
`endif
endmodule
