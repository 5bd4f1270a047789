// SPDX-License-Identifier: Apache-2.0
//
// Both ends of one direction of a torus link: the sender in one node and the receiver in the next. The connection
// between them (the wire, on which bits may flip, and the return path of acknowledgements) is outside.
module link_pair #(
    parameter int RESEND_PACKETS = 8,
    localparam int SLOT = $clog2(RESEND_PACKETS)
) (
    input logic clk,
    input logic rst,

    input logic [SLOT:0] window,
    input logic [   8:0] overhead,
    input logic [  15:0] timeout,

    // The sender.
    input  logic       in_valid,
    input  logic       in_first,
    input  logic [7:0] in_data,
    output logic       hold,
    input  logic       ack_in_valid,
    input  logic [7:0] ack_in_next,
    output logic       sent_valid,
    output logic       sent_first,
    output logic [7:0] sent_data,
    output logic [7:0] sent_sequence,
    output logic [7:0] begin_sequence,
    output logic [7:0] end_sequence,
    output logic       again,
    output logic [7:0] again_sequence,

    // The receiver.
    input  logic       wire_valid,
    input  logic       wire_first,
    input  logic [7:0] wire_data,
    output logic       out_valid,
    output logic       out_first,
    output logic [7:0] out_data,
    output logic       header_valid,
    output logic [1:0] header,
    output logic       verdict_valid,
    output logic [1:0] verdict,
    output logic       ack_valid,
    output logic [7:0] ack_next,
    output logic [7:0] expected,

    output logic sender_idle,
    output logic receiver_idle
);

  link_sender #(
      .RESEND_PACKETS(RESEND_PACKETS)
  ) sender (
      .clk,
      .rst,
      .window,
      .overhead,
      .timeout,
      .in_valid,
      .in_first,
      .in_data,
      .hold,
      .ack_valid(ack_in_valid),
      .ack_next(ack_in_next),
      .wire_valid(sent_valid),
      .wire_first(sent_first),
      .wire_data(sent_data),
      .wire_sequence(sent_sequence),
      .begin_sequence,
      .end_sequence,
      .again,
      .again_sequence,
      .idle(sender_idle)
  );

  link_receiver receiver (
      .clk,
      .rst,
      .wire_valid,
      .wire_first,
      .wire_data,
      .out_valid,
      .out_first,
      .out_data,
      .header_valid,
      .header,
      .verdict_valid,
      .verdict,
      .ack_valid,
      .ack_next,
      .expected,
      .idle(receiver_idle)
  );

`ifndef SYNTHESIS
  // Packets released by the sender have been accepted; accepted packets have been sent.
  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (8'(expected - begin_sequence) <= 8'(end_sequence - begin_sequence))
      else
        $error(
            "the receiver expects packet %0d, the resend FIFO has %0d up to %0d", expected, begin_sequence,
            end_sequence
        );
    end
  end
`endif

endmodule
