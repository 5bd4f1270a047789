// SPDX-License-Identifier: Apache-2.0
//
// What the descriptor of its class says about the head of one queue. A packet that came from a source of its class goes
// to the targets; with an opcode it is combined with those of all other sources, and the result goes up, or, where no
// target channel leads elsewhere (this is the root), to all targets. A packet that came from elsewhere came down the
// tree: it goes to the sources and, if that is a target, to the local client. A point-to-point packet is received by
// the node it names only. No packet leaves by the channel by which it came, unless it was combined. Combinational.
module tree_route #(
    parameter int PORT = 0
) (
    input logic [31:0] head,
    input logic [15:0] descriptor,  // of its class
    input logic [ 3:0] exists,      // ports, 3 is the local client
    input logic [23:0] address,
    input logic        accepts_all,

    output logic       combines,  // else it goes by itself
    output logic       has_way,
    output logic [3:0] outputs,
    output logic [3:0] sources    // of what it is combined with
);

  localparam logic [3:0] SELF = 4'(1 << PORT);
  localparam logic [3:0] CHANNELS = 4'b0111;

  logic [3:0] targets;
  logic [3:0] onwards;  // target channels that are no sources
  logic accepted, from_source;

  always_comb begin
    sources = {descriptor[1], descriptor[14:12]} & exists;
    targets = {descriptor[0], descriptor[10:8]} & exists;
    onwards = targets & CHANNELS & ~sources;
    accepted = !head[27] || head[25:2] == address || accepts_all;
    from_source = (sources & SELF) != '0;
    combines = from_source && !head[27] && head[25:23] != '0;
    has_way = from_source || (targets & SELF) != '0;
    if (combines) outputs = onwards == '0 ? targets : onwards;
    else outputs = (((from_source ? targets : sources) & CHANNELS) | (accepted ? targets & ~CHANNELS : '0)) & ~SELF;
  end

  // Pins that say nothing about routing.
  logic unused;
  assign unused = &{1'b0, head[31:28], head[26], head[1:0], descriptor[15], descriptor[11], descriptor[7:2]};

endmodule
