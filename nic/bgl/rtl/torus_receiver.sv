// SPDX-License-Identifier: Apache-2.0
//
// The receiver of one link: an eight-byte pipeline, which examines the header and clears the hints of a dimension in
// which the packet has arrived, and four virtual-channel queues.
//
// A packet's byte i is on the pins in cycle h + i. In cycle h + 7 its hardware header is in the pipeline; from h + 8 on
// the packet is in its queue and may request a link. Two more stages follow until it is known whether the packet leaves
// at once and bypasses the queue's memory, or is written there.
//
// The tokens of a packet granted at T return on `tokens` in cycle T + W + 3 (`done` is high in T + W - 1).
module torus_receiver #(
  parameter int LINK = 0,
  parameter int LINKS = 6,
  parameter int BUFFER_CHUNKS = 32,
  localparam int HEADER = LINKS + 6,
  localparam int COUNT = $clog2(BUFFER_CHUNKS + 1)
) (
  input  logic                clk,
  input  logic                rst,
  input  logic [7:0]          coordinate,  // the node's own, in this link's dimension
  // pins
  input  logic                link_valid,
  input  logic                link_first,
  input  logic [7:0]          link_data,
  output logic [31:0]         tokens,      // returned chunks, one byte for each channel
  // heads of the four queues, and their grants
  output logic [3:0]          ask,
  output logic [4*HEADER-1:0] head,
  output logic [4*COUNT-1:0]  held,
  input  logic [3:0]          start,
  input  logic [3:0]          done,
  output logic [3:0]          stream_valid,
  output logic [3:0]          stream_first,
  output logic [31:0]         stream_data,
  output logic                busy
);
  localparam int DIMENSION = LINK / 2;
  localparam logic [7:0] HINTS_DONE = 8'hC0 >> (2 * DIMENSION);  // this dimension's, in byte 1 of a header

  // The pipeline: byte i of a packet is in place k in cycle h + i + k.
  logic [9:0]  valid, first;
  logic [63:0] bytes;  // places 7 .. 0
  logic [7:0]  data8, data9, data10;
  logic [7:0]  byte1;
  logic [1:0]  channel8, channel9;
  logic        pass9;

  logic              arrive;
  logic [HEADER-1:0] arrive_header;
  logic [3:0]        arrives, writes, passes, fresh, queue_busy;
  logic [15:0]       charge;
  logic [31:0]       returned, tokens1, tokens2, tokens3;
  logic              tokens_move;

  assign arrive = first[7];
  assign byte1 = bytes[55:48] & ~((bytes[39-8*DIMENSION-:8] == coordinate) ? HINTS_DONE : 8'h00);
  always_comb begin
    arrive_header = '0;
    arrives = 4'd0;
    if (arrive) begin
      for (int d = 0; d < LINKS; d++) arrive_header[d] = byte1[7-d];
      arrive_header[LINKS+:3] = bytes[47:45];
      arrive_header[LINKS+3] = byte1[0];
      arrive_header[LINKS+4] = byte1[1];
      arrive_header[LINKS+5] = bytes[42];
      arrives[bytes[41:40]] = 1'b1;
    end
    writes = 4'd0;
    passes = 4'd0;
    if (valid[9]) begin
      writes[channel9] = ~pass9;
      passes[channel9] = pass9;
    end
    returned = 32'd0;
    if (|done) begin
      for (int c = 0; c < 4; c++) if (done[c]) returned[8*c+:4] = charge[4*c+:4];
    end
  end
  assign tokens_move = (|tokens1) | (|tokens2) | (|tokens3) | (|tokens);
  assign busy = (|valid) | (|queue_busy) | tokens_move;

  always_ff @(posedge clk) begin
    if (rst) begin
      valid <= 10'd0;
      first <= 10'd0;
      tokens1 <= 32'd0;
      tokens2 <= 32'd0;
      tokens3 <= 32'd0;
      tokens <= 32'd0;
      channel8 <= 2'd0;
      channel9 <= 2'd0;
      pass9 <= 1'b0;
    end else begin
      if (link_valid | (|valid)) begin
        valid <= {valid[8:0], link_valid};
        first <= {first[8:0], link_valid & link_first};
        bytes <= {arrive ? byte1 : bytes[55:48], bytes[47:0], link_data};
        data8 <= bytes[63:56];
        data9 <= data8;
        data10 <= data9;
        if (arrive) channel8 <= bytes[41:40];
        if (first[8]) begin
          channel9 <= channel8;
          pass9 <= start[channel8] & fresh[channel8];
        end
      end
      if ((|done) | tokens_move) begin
        tokens1 <= returned;
        tokens2 <= tokens1;
        tokens3 <= tokens2;
        tokens <= tokens3;
      end
    end
  end

  for (genvar c = 0; c < 4; c++) begin : g_channel
    torus_queue #(
      .BUFFER_CHUNKS(BUFFER_CHUNKS),
      .BUBBLE(c >= 2),
      .HINTS(LINKS)
    ) queue (
      .clk,
      .rst,
      .arrive(arrives[c]),
      .arrive_header,
      .write(writes[c]),
      .pass(passes[c]),
      .byte_first(first[9]),
      .byte_data(data9),
      .passed_data(data10),
      .ask(ask[c]),
      .head(head[HEADER*c+:HEADER]),
      .fresh(fresh[c]),
      .held(held[COUNT*c+:COUNT]),
      .start(start[c]),
      .done(done[c]),
      .charge(charge[4*c+:4]),
      .stream_valid(stream_valid[c]),
      .stream_first(stream_first[c]),
      .stream_data(stream_data[8*c+:8]),
      .busy(queue_busy[c])
    );
  end

`ifndef SYNTHESIS
  // Framing: the bytes of a packet arrive without gaps, as many as its header says.
  int unsigned missing = 0;
  int unsigned index = 0;
  always_ff @(posedge clk) begin
    if (rst) begin
      missing <= 0;
      index <= 0;
    end else if (link_valid | (missing != 0)) begin
      assert (link_valid) else $error("a gap within a packet, %0d bytes before its end", missing);
      assert (link_first == (missing == 0)) else $error("a first byte, %0d bytes before the end of a packet", missing);
      index <= link_first ? 1 : index + 1;
      if (link_first) missing <= 31;
      else if (index == 2) missing <= 32 * (32'(link_data[7:5]) + 1) - 3;
      else missing <= missing - 1;
    end
  end
`endif
endmodule
