// SPDX-License-Identifier: Apache-2.0
//
// Route computation for the head of one queue, from the descriptor of its class. A packet from a source of its class
// goes to the targets; with an opcode it is combined with those of all other sources, and the result goes up or, if no
// target channel leads to another node (this is the root), to all targets. A packet from a channel that is no source
// came down the tree: it goes to the sources and, if the local client is a target, to the client. A point-to-point
// packet is received only by the node that it names. No packet leaves through the channel from which it came, unless it
// was combined. Combinational.
module tree_route #(
    parameter int PORT = 0
) (
    input logic [31:0] head,
    input logic [15:0] descriptor,  // of its class
    input logic [ 3:0] exists,      // ports, 3 is the local client
    input logic [23:0] address,
    input logic        accepts_all,

    output logic       combines,  // otherwise it is not combined
    output logic       has_way,
    output logic [3:0] outputs,
    output logic [3:0] sources    // sources of the packets with which it is combined
);

  localparam logic [3:0] SELF = 4'(1 << PORT);
  localparam logic [3:0] CHANNELS = 4'b0111;

  logic [3:0] targets;
  logic [3:0] onwards;  // target channels that are not sources
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

  // Inputs that do not affect routing.
  logic unused;
  assign unused = &{1'b0, head[31:28], head[26], head[1:0], descriptor[15], descriptor[11], descriptor[7:2]};

endmodule
