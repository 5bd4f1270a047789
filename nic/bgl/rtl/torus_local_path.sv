// SPDX-License-Identifier: Apache-2.0
//
// The path from the four queues of one link's receiver to the reception FIFOs: one packet at a time.
//
// Packets at their destination take it when their FIFO has room: priority first, then the channels in round-robin
// order. A packet with the deposit bit that continues leaves a copy here in the cycle in which it is granted its link.
// If no packet at its destination takes the path, one of the packets that request a link gets the `offer` of it, a
// different one in each cycle.
//
// A packet that starts in cycle T occupies the path for W cycles. Its byte i arrives in cycle T + 2 + i, and every 16
// bytes go to its FIFO as a quad, the first ones in T + 18.
module torus_local_path #(
  parameter int LINK = 0,
  parameter int LINKS = 6,
  localparam int HEADER = LINKS + 6,
  localparam int FIFO = $clog2(2 * LINKS + 2)
) (
  input  logic            clk,
  input  logic            rst,
  input  logic [7:0]      wire_overhead,
  // heads of the four queues
  input  logic [3:0]          ask,
  input  logic [4*HEADER-1:0] head,          // { dynamic, deposit, pid, chunks - 1, hints by direction }
  input  logic [3:0]          picks,         // it has a link on which to continue
  input  logic [15:0]     fifo_tokens,       // chunks free in this link's FIFOs, by group
  input  logic [15:0]     priority_tokens,   // in the priority FIFOs
  output logic            priority_request,     // the head of the priority channel could go
  input  logic            priority_allowed,
  output logic [3:0]      serve,             // the head is delivered to its FIFO in this cycle
  output logic [3:0]      offer,             // the head may leave a copy, if it is granted its link
  input  logic [3:0]      granted,
  output logic            start,
  output logic [FIFO-1:0] start_fifo,
  output logic [2:0]      start_size,
  output logic            free,
  output logic            done,
  output logic [1:0]      from,              // channel
  output logic [FIFO-1:0] fifo,
  input  logic [3:0]      stream_valid,
  input  logic [31:0]     stream_data,
  output logic            quad_valid,
  output logic [127:0]    quad,              // first byte lowest
  output logic            quad_first,        // of its packet
  output logic            quad_last,
  output logic [FIFO-1:0] quad_fifo,
  // pins
  output logic            deliver_valid,
  output logic            deliver_copy,
  output logic [1:0]      deliver_from,
  output logic [FIFO-1:0] deliver_fifo,
  output logic            busy
);
  localparam int GROUP = LINKS + 1;

  logic [8:0]       left;  // cycles until the path is free
  logic             ends, from_valid;
  logic [1:0]       from_stream;
  logic [FIFO-1:0]  fifo_stream;
  logic [2:0]       size_now, size_stream;
  logic [7:0]       index;  // index of the arriving byte
  logic [1:0]       last_served, turn;
  logic [31:0]      word0, word1, word2, word3;
  logic [3:0]       arrived, fits, requests, chosen;
  logic [1:0]       channel;
  logic             taken;

  assign free = left == 9'd0;
  assign done = left == 9'd1;
  assign busy = ~free | ends | from_valid | quad_valid | deliver_valid;

  assign quad = {word3, word2, word1, word0};

  always_comb begin
    arrived = 4'd0;
    requests = 4'd0;
    fits = 4'd0;
    if (free && ask != 4'd0) begin
      for (int c = 0; c < 4; c++) begin
        arrived[c] = head[HEADER*c+:LINKS] == '0;
        requests[c] = ask[c] & (arrived[c] | (head[HEADER*c+LINKS+4] & picks[c]));
      end
      for (int c = 0; c < 3; c++) begin
        fits[c] = (head[HEADER*c+LINKS+3] ? fifo_tokens[15:8] : fifo_tokens[7:0]) > {5'd0, head[HEADER*c+LINKS+:3]};
      end
      fits[3] = (head[HEADER*3+LINKS+3] ? priority_tokens[15:8] : priority_tokens[7:0]) >
          {5'd0, head[HEADER*3+LINKS+:3]};
    end
    priority_request = requests[3] & fits[3];
  end

  always_comb begin
    chosen = 4'd0;
    channel = 2'd0;
    if ((requests & fits) != 4'd0) begin
      chosen = requests & fits & {priority_allowed, 3'b111};
      if ((chosen & arrived) != 4'd0) begin
        chosen &= arrived;
        if (chosen[3]) begin
          channel = 2'd3;
        end else begin
          channel = last_served;
          for (int i = 0; i < 4; i++) if (!chosen[channel] || i == 0) channel = channel + 2'd1;
        end
      end else begin
        channel = turn;
        for (int i = 0; i < 3; i++) if (!chosen[channel]) channel = channel + 2'd1;
      end
      chosen &= 4'd1 << channel;
    end
    serve = chosen & arrived;
    offer = chosen & ~arrived;
  end

  assign taken = (serve != 4'd0) | ((offer & granted) != 4'd0);
  assign start = taken;
  always_comb begin
    start_size = 3'd0;
    start_fifo = '0;
    if (taken) begin
      start_size = head[HEADER*channel+LINKS+:3];
      start_fifo = (channel == 2'd3 ? FIFO'(LINKS) : FIFO'(LINK)) + (head[HEADER*channel+LINKS+3] ? FIFO'(GROUP) : '0);
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      left <= 9'd0;
      ends <= 1'b0;
      from <= 2'd0;
      fifo <= '0;
      from_stream <= 2'd0;
      fifo_stream <= '0;
      from_valid <= 1'b0;
      size_now <= 3'd0;
      size_stream <= 3'd0;
      index <= 8'd0;
      last_served <= 2'd0;
      turn <= 2'd0;
      quad_valid <= 1'b0;
      quad_first <= 1'b0;
      quad_last <= 1'b0;
      quad_fifo <= '0;
      deliver_valid <= 1'b0;
      deliver_copy <= 1'b0;
      deliver_from <= 2'd0;
      deliver_fifo <= '0;
    end else if (start | busy | (offer != 4'd0)) begin
      if (offer != 4'd0) turn <= channel + 2'd1;
      if (serve != 4'd0) last_served <= channel;
      deliver_valid <= start;
      deliver_copy <= start & (serve == 4'd0);
      deliver_from <= start ? channel : 2'd0;
      deliver_fifo <= start ? start_fifo : '0;
      if (start) begin
        left <= {1'b0, start_size, 5'd31} + {1'b0, wire_overhead};
        from <= channel;
        fifo <= start_fifo;
        size_now <= start_size;
      end else if (left != 9'd0) begin
        left <= left - 9'd1;
      end
      ends <= done;
      from_stream <= from;
      fifo_stream <= fifo;
      size_stream <= size_now;
      from_valid <= ~free | ends;
      quad_valid <= 1'b0;
      if (from_valid & stream_valid[from_stream]) begin
        // Words are filled from above; a full one is passed on when the next one begins.
        word3 <= {stream_data[8*from_stream+:8], word3[31:8]};
        if (index[1:0] == 2'd0) begin
          word2 <= word3;
          word1 <= word2;
          word0 <= word1;
        end
        index <= index + 8'd1;
        quad_valid <= index[3:0] == 4'd15;
        quad_first <= index[7:4] == 4'd0;
        quad_last <= index[7:4] == {size_stream, 1'b1};
        quad_fifo <= fifo_stream;
      end
      // The first byte is on the stream in the next cycle.
      if (deliver_valid) index <= 8'd0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!rst && start) assert (free) else $error("the local path is taken %0d cycles before it is free", left);
  end
`endif
endmodule
