// SPDX-License-Identifier: Apache-2.0
//
// The sender of one link: the crossbar's multiplexer and three stages, in which the virtual channel is written into the
// packet's header.
//
// With T the cycle in which the link is granted (`start`), a packet occupies it for W = 32 * chunks + wire_overhead
// cycles: it is free again in T + W, and `done` is high in the previous cycle. The queues' streams deliver byte i in
// cycle T + 2 + i; it is on the pins in T + 6 + i.
module torus_sender #(
  parameter int REQUESTERS = 32,
  localparam int INDEX = $clog2(REQUESTERS)
) (
  input  logic                    clk,
  input  logic                    rst,
  input  logic [7:0]              wire_overhead,
  input  logic                    start,
  input  logic [INDEX-1:0]        start_from,
  input  logic [1:0]              start_channel,
  input  logic [2:0]              start_size,     // chunks - 1
  output logic                    free,
  output logic                    done,
  output logic [INDEX-1:0]        from,
  input  logic [REQUESTERS-1:0]   stream_valid,
  input  logic [REQUESTERS-1:0]   stream_first,
  input  logic [8*REQUESTERS-1:0] stream_data,
  // pins
  output logic                    link_valid,
  output logic                    link_first,
  output logic [7:0]              link_data,
  output logic [INDEX-1:0]        link_from,
  output logic [1:0]              link_channel,
  output logic                    busy
);
  logic [8:0]       left;  // cycles until the link is free
  logic [1:0]       channel;
  logic [INDEX-1:0] from_stream;  // `from`, while its bytes arrive
  logic             ends, from_valid;
  logic [2:0]       valid, first;  // crossbar, stage 1, stage 2; stage 3 are the pins
  logic [7:0]       crossed, data1, data2;

  assign free = left == 9'd0;
  assign done = left == 9'd1;
  assign busy = ~free | ends | from_valid | (|valid) | link_valid;

  always_ff @(posedge clk) begin
    if (rst) begin
      left <= 9'd0;
      from <= '0;
      from_stream <= '0;
      ends <= 1'b0;
      from_valid <= 1'b0;
      channel <= 2'd0;
      valid <= 3'd0;
      first <= 3'd0;
      link_valid <= 1'b0;
      link_first <= 1'b0;
      link_data <= 8'd0;
      link_from <= '0;
      link_channel <= 2'd0;
    end else if (start | busy) begin
      if (start) begin
        left <= {1'b0, start_size, 5'd31} + {1'b0, wire_overhead};
        from <= start_from;
        channel <= start_channel;
      end else if (left != 9'd0) begin
        left <= left - 9'd1;
      end
      from_stream <= from;
      ends <= done;
      from_valid <= ~free | ends;
      valid <= {valid[1:0], from_valid & stream_valid[from_stream]};
      first <= {first[1:0], from_valid & stream_valid[from_stream] & stream_first[from_stream]};
      crossed <= stream_data[8*from_stream+:8];
      data1 <= first[2] ? {crossed[7:2], channel} : crossed;
      data2 <= data1;
      link_valid <= valid[2];
      link_first <= first[2];
      link_data <= data2;
      link_from <= first[2] ? from : '0;
      link_channel <= first[2] ? channel : 2'd0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst && start) begin
      assert (free) else $error("a link is granted again %0d cycles before it is free", left);
    end
  end
`endif
endmodule
