// SPDX-License-Identifier: Apache-2.0
//
// The torus router of one Blue Gene/L node: a receiver with four virtual channels and a sender for each link, minimal
// adaptive and deterministic routing under token flow control and the bubble rule, deposit, and the injection and
// reception FIFOs at the node. It behaves as the C++ model (torus/torus/router.h), in the same cycles.
//
// Pins: router_pins.h defines their meaning and timing. In vectors with a part for each link, FIFO or byte, part k is
// the k-th from the least significant end. All outputs are registers (idle: a function of registers), and all inputs
// are registered.
//
// The grants of cycle T are computed from the registers of that cycle: each head selects its link
// (torus_output_select), the local paths say which copies for the deposit bit they would accept, and each link grants
// one of the heads that selected it (torus_arbiter). Requesters are the queues, 4 * link + channel, and then the
// injection FIFOs.
module torus_router #(
  parameter int DIMENSIONS = 3,         // 1 to 3: the header has no more
  parameter int BUFFER_CHUNKS = 32,     // of a virtual channel, at most; a power of 2
  parameter int INJECTION_FIFOS = 8,
  parameter int INJECTION_QUADS = 64,   // depth of each; a power of 2
  parameter int RECEPTION_QUADS = 64,
  localparam int LINKS = 2 * DIMENSIONS,
  localparam int TRANSIT = 4 * LINKS,
  localparam int REQUESTERS = TRANSIT + INJECTION_FIFOS,
  localparam int INDEX = $clog2(REQUESTERS),
  localparam int RECEPTION_FIFOS = 2 * (LINKS + 1),
  localparam int WRITE_FIFO = $clog2(INJECTION_FIFOS),
  localparam int READ_FIFO = $clog2(RECEPTION_FIFOS)
) (
  input  logic                         clk,
  input  logic                         rst,
  // Settings: constant, or changed when a driver writes a register.
  input  logic [8*DIMENSIONS-1:0]      coordinates,
  input  logic [8*DIMENSIONS-1:0]      cut_off_plus,
  input  logic [8*DIMENSIONS-1:0]      cut_off_minus,
  input  logic [DIMENSIONS-1:0]        ring,
  input  logic [LINKS-1:0]             links,
  input  logic [7:0]                   buffer_chunks,
  input  logic [7:0]                   reception_chunks,
  input  logic [7:0]                   bubble_chunks,
  input  logic [7:0]                   wire_overhead,
  input  logic [7:0]                   fullness_cycles,
  input  logic [7:0]                   random_cycles,
  input  logic [4:0]                   priority_injection,
  input  logic [31:0]                  seed,
  // Links.
  input  logic [LINKS-1:0]             link_in_valid,
  input  logic [LINKS-1:0]             link_in_first,
  input  logic [8*LINKS-1:0]           link_in_data,
  input  logic [32*LINKS-1:0]          tokens_in,
  input  logic [LINKS-1:0]             stop,
  output logic [LINKS-1:0]             link_out_valid,
  output logic [LINKS-1:0]             link_out_first,
  output logic [8*LINKS-1:0]           link_out_data,
  output logic [INDEX*LINKS-1:0]       link_out_from,
  output logic [2*LINKS-1:0]           link_out_channel,
  output logic [32*LINKS-1:0]          tokens_out,
  // Injection.
  input  logic                         write,
  input  logic                         write_first,
  input  logic [WRITE_FIFO-1:0]        write_fifo,
  input  logic [127:0]                 write_data,
  output logic [INJECTION_FIFOS-1:0]   taken,
  // Reception.
  output logic [LINKS-1:0]             deliver_valid,
  output logic [LINKS-1:0]             deliver_copy,
  output logic [2*LINKS-1:0]           deliver_from,
  output logic [READ_FIFO*LINKS-1:0]   deliver_fifo,
  output logic                         read,
  output logic                         read_first,
  output logic                         read_last,
  output logic [READ_FIFO-1:0]         read_fifo,
  output logic [127:0]                 read_data,
  input  logic [8*RECEPTION_FIFOS-1:0] reception_free,
  output logic                         idle
);
  localparam int COUNT = $clog2(BUFFER_CHUNKS + 1);
  localparam int HEADER = LINKS + 6;
  localparam int GROUP = LINKS + 1;  // reception FIFOs of a group

  // Settings, registered: values computed from them change only at clock edges.
  logic [8*DIMENSIONS-1:0] my_coordinates, my_cut_off_plus, my_cut_off_minus;
  logic [DIMENSIONS-1:0]   my_ring;
  logic [LINKS-1:0]        my_links, stopped;
  logic [7:0]              my_bubble_chunks, my_wire_overhead, my_fullness_cycles;
  logic [8:0]              period;
  logic [4:0]              my_priority_injection;

  always_ff @(posedge clk) begin
    my_coordinates <= coordinates;
    my_cut_off_plus <= cut_off_plus;
    my_cut_off_minus <= cut_off_minus;
    my_ring <= ring;
    my_links <= links;
    stopped <= stop;
    my_bubble_chunks <= bubble_chunks;
    my_wire_overhead <= wire_overhead;
    my_fullness_cycles <= fullness_cycles;
    period <= {1'b0, fullness_cycles} + {1'b0, random_cycles};
    my_priority_injection <= priority_injection;
  end

  // The position of the arbiters in the phases of fullness_cycles and random_cycles.
  logic [8:0]  phase;
  logic        fullest;
  logic [31:0] random;

  always_ff @(posedge clk) begin
    if (rst || phase + 9'd1 >= period) phase <= 9'd0;
    else phase <= phase + 9'd1;
  end
  assign fullest = phase < {1'b0, my_fullness_cycles};

  // Each link uses different bits of it; with fewer than six links some are unused.
  logic unused_random;
  assign unused_random = ^random;

  torus_random random_bits (
    .clk,
    .rst,
    .seed,
    .state(random)
  );

  // Heads, by requester.
  logic [REQUESTERS-1:0]        ask, high_priority, picks;
  logic [HEADER*REQUESTERS-1:0] heads;
  logic [LINKS*REQUESTERS-1:0]  pick;
  logic [COUNT*REQUESTERS-1:0]  held;
  logic [2*REQUESTERS-1:0]      channel;
  logic [REQUESTERS-1:0]        stream_valid, stream_first;
  logic [8*REQUESTERS-1:0]      stream_data;
  assign high_priority[TRANSIT-1:0] = {LINKS{4'b1000}};

  // Links.
  logic [LINKS-1:0]            link_free, open, sender_done, local_done, grant;
  logic [8*LINKS-1:0]          dynamic_tokens;
  logic [LINKS-1:0]            dynamic_channel, bubble_stays, bubble_enters, priority_stays, priority_enters;
  logic [REQUESTERS*LINKS-1:0] requests, winner;
  logic [INDEX*LINKS-1:0]      winner_index, sender_from;
  logic [2*LINKS-1:0]          grant_channel;
  logic [3*LINKS-1:0]          grant_size;
  logic [LINKS-1:0]            grant_enters;
  logic [REQUESTERS-1:0]       granted, done;
  logic [TRANSIT-1:0]          serve, offer;

  // Reception.
  logic [LINKS-1:0]               local_free, local_start, priority_request, priority_pid, priority_allowed;
  logic [1:0]                     priority_taken;
  logic [READ_FIFO*LINKS-1:0]     local_start_fifo, local_fifo, quad_fifo;
  logic [3*LINKS-1:0]             local_start_size;
  logic [2*LINKS-1:0]             local_from;
  logic [LINKS-1:0]               quad_valid, quad_first, quad_last;
  logic [128*LINKS-1:0]           quad;
  logic [8*RECEPTION_FIFOS-1:0]   fifo_tokens;
  logic [RECEPTION_FIFOS-1:0]     fifo_ready, fifo_read, fifo_first, fifo_last;
  logic [128*RECEPTION_FIFOS-1:0] fifo_quads;

  logic [LINKS-1:0]           receiver_busy, sender_busy, local_busy;
  logic [INJECTION_FIFOS-1:0] fifo_busy;
  logic                       injection_busy, engine_busy;

  assign idle = ~((|receiver_busy) | (|sender_busy) | (|local_busy) | (|fifo_busy) | injection_busy | engine_busy |
                  (|taken));

  // Receivers, and the local path behind each.
  for (genvar l = 0; l < LINKS; l++) begin : g_link
    torus_receiver #(
      .LINK(l),
      .LINKS(LINKS),
      .BUFFER_CHUNKS(BUFFER_CHUNKS)
    ) receiver (
      .clk,
      .rst,
      .coordinate(my_coordinates[8*(l/2)+:8]),
      .link_valid(link_in_valid[l]),
      .link_first(link_in_first[l]),
      .link_data(link_in_data[8*l+:8]),
      .tokens(tokens_out[32*l+:32]),
      .ask(ask[4*l+:4]),
      .head(heads[4*HEADER*l+:4*HEADER]),
      .held(held[4*COUNT*l+:4*COUNT]),
      .start(granted[4*l+:4] | serve[4*l+:4]),
      .done(done[4*l+:4]),
      .stream_valid(stream_valid[4*l+:4]),
      .stream_first(stream_first[4*l+:4]),
      .stream_data(stream_data[32*l+:32]),
      .busy(receiver_busy[l])
    );

    torus_local_path #(
      .LINK(l),
      .LINKS(LINKS)
    ) local_path (
      .clk,
      .rst,
      .wire_overhead(my_wire_overhead),
      .ask(ask[4*l+:4]),
      .head(heads[4*HEADER*l+:4*HEADER]),
      .picks(picks[4*l+:4]),
      .fifo_tokens({fifo_tokens[8*(GROUP+l)+:8], fifo_tokens[8*l+:8]}),
      .priority_tokens({fifo_tokens[8*(GROUP+LINKS)+:8], fifo_tokens[8*LINKS+:8]}),
      .priority_request(priority_request[l]),
      .priority_allowed(priority_allowed[l]),
      .serve(serve[4*l+:4]),
      .offer(offer[4*l+:4]),
      .granted(granted[4*l+:4]),
      .start(local_start[l]),
      .start_fifo(local_start_fifo[READ_FIFO*l+:READ_FIFO]),
      .start_size(local_start_size[3*l+:3]),
      .free(local_free[l]),
      .done(local_done[l]),
      .from(local_from[2*l+:2]),
      .fifo(local_fifo[READ_FIFO*l+:READ_FIFO]),
      .stream_valid(stream_valid[4*l+:4]),
      .stream_data(stream_data[32*l+:32]),
      .quad_valid(quad_valid[l]),
      .quad(quad[128*l+:128]),
      .quad_first(quad_first[l]),
      .quad_last(quad_last[l]),
      .quad_fifo(quad_fifo[READ_FIFO*l+:READ_FIFO]),
      .deliver_valid(deliver_valid[l]),
      .deliver_copy(deliver_copy[l]),
      .deliver_from(deliver_from[2*l+:2]),
      .deliver_fifo(deliver_fifo[READ_FIFO*l+:READ_FIFO]),
      .busy(local_busy[l])
    );
    assign priority_pid[l] = heads[HEADER*(4*l+3)+LINKS+3];
  end

  torus_priority_reception #(
    .LINKS(LINKS)
  ) priority_reception (
    .clk,
    .rst,
    .requests(priority_request),
    .pid(priority_pid),
    .taken(priority_taken),
    .allowed(priority_allowed)
  );

  // Injection.
  logic [INJECTION_FIFOS-1:0] fill, arrive;
  logic [127:0]               fill_quad;
  logic [HEADER:0]            arrive_header;

  torus_injection #(
    .DIMENSIONS(DIMENSIONS),
    .FIFOS(INJECTION_FIFOS)
  ) injection (
    .clk,
    .rst,
    .coordinates(my_coordinates),
    .cut_off_plus(my_cut_off_plus),
    .cut_off_minus(my_cut_off_minus),
    .ring(my_ring),
    .write,
    .write_first,
    .write_fifo,
    .write_data,
    .quad_valid(fill),
    .quad(fill_quad),
    .arrive,
    .arrive_header,
    .busy(injection_busy)
  );

  for (genvar f = 0; f < INJECTION_FIFOS; f++) begin : g_injection
    localparam int R = TRANSIT + f;

    injection_fifo #(
      .QUADS(INJECTION_QUADS),
      .HEADER(HEADER + 1),
      .SIZE(LINKS)
    ) fifo (
      .clk,
      .rst,
      .write(fill[f]),
      .write_data(fill_quad),
      .arrive(arrive[f]),
      .arrive_header,
      .ask(ask[R]),
      .head({high_priority[R], heads[HEADER*R+:HEADER]}),
      .start(granted[R]),
      .done(done[R]),
      .stream_valid(stream_valid[R]),
      .stream_first(stream_first[R]),
      .stream_data(stream_data[8*R+:8]),
      .busy(fifo_busy[f])
    );
    // As in the model, the occupancy of an injection FIFO is that of the one packet that may request a link.
    assign held[COUNT*R+:COUNT] = COUNT'(heads[HEADER*R+LINKS+:3]) + 1'b1;
  end
  always_ff @(posedge clk) taken <= rst ? '0 : granted[REQUESTERS-1:TRANSIT];

  // Each head selects a link.
  assign open = link_free & my_links & ~stopped;
  for (genvar r = 0; r < REQUESTERS; r++) begin : g_select
    torus_output_select #(
      .LINKS(LINKS),
      .REQUESTER(r)
    ) select (
      .ask(ask[r]),
      .head(heads[HEADER*r+:HEADER]),
      .high_priority(high_priority[r]),
      .free(open),
      .dynamic_tokens,
      .dynamic_channel,
      .bubble_stays,
      .bubble_enters,
      .priority_stays,
      .priority_enters,
      .picks(picks[r]),
      .pick(pick[LINKS*r+:LINKS]),
      .channel(channel[2*r+:2])
    );
  end

  always_comb begin
    requests = '0;
    if (picks != '0) begin
      for (int r = 0; r < REQUESTERS; r++) begin
        // The source keeps no copy.
        if (picks[r] && (r >= TRANSIT || !heads[HEADER*r+LINKS+4] || offer[r%TRANSIT])) begin
          for (int l = 0; l < LINKS; l++) requests[REQUESTERS*l+r] = pick[LINKS*r+l];
        end
      end
    end
  end

  // Each link grants one of the heads that selected it.
  for (genvar l = 0; l < LINKS; l++) begin : g_sender
    torus_arbiter #(
      .REQUESTERS(REQUESTERS),
      .TRANSIT(TRANSIT),
      .HELD(COUNT)
    ) arbiter (
      .clk,
      .rst,
      .requests(requests[REQUESTERS*l+:REQUESTERS]),
      .high_priority,
      .held,
      .fullest,
      .priority_injection(my_priority_injection),
      .random({random[3*l+:5], random[3*l+9+:8]}),
      .grant(grant[l]),
      .winner(winner[REQUESTERS*l+:REQUESTERS]),
      .winner_index(winner_index[INDEX*l+:INDEX])
    );

    torus_tokens counters (
      .clk,
      .rst,
      .reset_chunks(buffer_chunks),
      .bubble_chunks(my_bubble_chunks),
      .returned(tokens_in[32*l+:32]),
      .take(grant[l]),
      .take_channel(grant_channel[2*l+:2]),
      .take_size(grant_size[3*l+:3]),
      .take_enters(grant_enters[l]),
      .dynamic_tokens(dynamic_tokens[8*l+:8]),
      .dynamic_channel(dynamic_channel[l]),
      .bubble_stays(bubble_stays[l]),
      .bubble_enters(bubble_enters[l]),
      .priority_stays(priority_stays[l]),
      .priority_enters(priority_enters[l])
    );

    torus_sender #(
      .REQUESTERS(REQUESTERS)
    ) sender (
      .clk,
      .rst,
      .wire_overhead(my_wire_overhead),
      .start(grant[l]),
      .start_from(winner_index[INDEX*l+:INDEX]),
      .start_channel(grant_channel[2*l+:2]),
      .start_size(grant_size[3*l+:3]),
      .free(link_free[l]),
      .done(sender_done[l]),
      .from(sender_from[INDEX*l+:INDEX]),
      .stream_valid,
      .stream_first,
      .stream_data,
      .link_valid(link_out_valid[l]),
      .link_first(link_out_first[l]),
      .link_data(link_out_data[8*l+:8]),
      .link_from(link_out_from[INDEX*l+:INDEX]),
      .link_channel(link_out_channel[2*l+:2]),
      .busy(sender_busy[l])
    );
  end

  always_comb begin
    granted = '0;
    grant_channel = '0;
    grant_size = '0;
    grant_enters = '0;
    if (grant != '0) begin
      for (int l = 0; l < LINKS; l++) begin
        if (grant[l]) begin
          granted = granted | winner[REQUESTERS*l+:REQUESTERS];
          grant_channel[2*l+:2] = channel[2*winner_index[INDEX*l+:INDEX]+:2];
          grant_size[3*l+:3] = heads[HEADER*winner_index[INDEX*l+:INDEX]+LINKS+:3];
          grant_enters[l] = winner_index[INDEX*l+:INDEX] != INDEX'(4 * (l ^ 1)) + INDEX'(grant_channel[2*l+:2]);
        end
      end
    end
  end

  // Tails that leave in this cycle: the next heads of their queues may request a link, and their tokens return.
  always_comb begin
    done = '0;
    if ((sender_done | local_done) != '0) begin
      for (int l = 0; l < LINKS; l++) begin
        if (sender_done[l]) done[sender_from[INDEX*l+:INDEX]] = 1'b1;
        if (local_done[l]) done[INDEX'(4*l)+INDEX'(local_from[2*l+:2])] = 1'b1;
      end
    end
  end

  // Reception FIFOs: group * (LINKS + 1) + link or, for priority, LINKS.
  for (genvar f = 0; f < RECEPTION_FIFOS; f++) begin : g_reception
    logic         take, fifo_write, first, last;
    logic [2:0]   take_size;
    logic [127:0] data;

    if (f % GROUP != LINKS) begin : g_own
      // One link's.
      localparam int L = f % GROUP;
      assign take = local_start[L] && local_start_fifo[READ_FIFO*L+:READ_FIFO] == READ_FIFO'(f);
      assign take_size = local_start_size[3*L+:3];
      assign fifo_write = quad_valid[L] && quad_fifo[READ_FIFO*L+:READ_FIFO] == READ_FIFO'(f);
      assign first = quad_first[L];
      assign last = quad_last[L];
      assign data = quad[128*L+:128];
    end else begin : g_shared
      always_comb begin
        take = 1'b0;
        take_size = 3'd0;
        if (local_start != '0) begin
          for (int l = 0; l < LINKS; l++) begin
            if (local_start[l] && local_start_fifo[READ_FIFO*l+:READ_FIFO] == READ_FIFO'(f)) begin
              take = 1'b1;
              take_size = take_size | local_start_size[3*l+:3];
            end
          end
        end
      end
      always_comb begin
        fifo_write = 1'b0;
        first = 1'b0;
        last = 1'b0;
        data = 128'd0;
        if (quad_valid != '0) begin
          for (int l = 0; l < LINKS; l++) begin
            if (quad_valid[l] && quad_fifo[READ_FIFO*l+:READ_FIFO] == READ_FIFO'(f)) begin
              fifo_write = 1'b1;
              first = first | quad_first[l];
              last = last | quad_last[l];
              data = data | quad[128*l+:128];
            end
          end
        end
      end
      always_comb begin
        priority_taken[f/GROUP] = 1'b0;
        if (~local_free != '0) begin
          for (int l = 0; l < LINKS; l++) begin
            if (!local_free[l] && local_fifo[READ_FIFO*l+:READ_FIFO] == READ_FIFO'(f)) priority_taken[f/GROUP] = 1'b1;
          end
        end
      end
    end

    reception_fifo #(
      .QUADS(RECEPTION_QUADS)
    ) fifo (
      .clk,
      .rst,
      .reset_chunks(reception_chunks),
      .freed(reception_free[8*f+:8]),
      .take,
      .take_size,
      .tokens(fifo_tokens[8*f+:8]),
      .write(fifo_write),
      .write_quad(data),
      .write_first(first),
      .write_last(last),
      .ready(fifo_ready[f]),
      .read(fifo_read[f]),
      .quad(fifo_quads[128*f+:128]),
      .quad_first(fifo_first[f]),
      .quad_last(fifo_last[f])
    );
  end

  reception_engine #(
    .FIFOS(RECEPTION_FIFOS)
  ) engine (
    .clk,
    .rst,
    .ready(fifo_ready),
    .read(fifo_read),
    .quads(fifo_quads),
    .quad_first(fifo_first),
    .quad_last(fifo_last),
    .read_valid(read),
    .read_first,
    .read_last,
    .read_fifo,
    .read_data,
    .busy(engine_busy)
  );
endmodule
