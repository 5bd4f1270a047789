// SPDX-License-Identifier: Apache-2.0
//
// The memory of a resend FIFO: one write port, one read port. Data read at a clock edge is available after it.
module link_memory #(
    parameter int BYTES = 2048,
    localparam int ADDRESS = $clog2(BYTES)
) (
    input  logic               clk,
    input  logic               write,
    input  logic [ADDRESS-1:0] write_address,
    input  logic [        7:0] write_data,
    input  logic [ADDRESS-1:0] read_address,
    output logic [        7:0] read_data
);

  logic [7:0] mem[0:BYTES-1];

  always_ff @(posedge clk) begin
    if (write) mem[write_address] <= write_data;
    read_data <= mem[read_address];
  end

endmodule
