// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <string>

#include "torus/rtl/link_pins.h"
#include "torus/rtl/verilated_hooks.h"

namespace toroid::rtl {

/// The pins of a class made by Verilator of link_pair.sv, or of a copy.
template <typename Model>
class VerilatedLink final : public LinkPins {
 public:
  explicit VerilatedLink(const std::string& name) : model_(&shared_context(), name.c_str()) { reset(LinkSettings{}); }
  ~VerilatedLink() override { model_.final(); }

  void reset(const LinkSettings& settings) override {
    set(settings);
    drive(LinkInputs{});
    model_.rst = 1;
    for (unsigned edge = 0; edge < 2; ++edge) {
      lower_clock();
      raise_clock();
    }
    model_.rst = 0;
  }

  void set(const LinkSettings& settings) override {
    model_.window = settings.window;
    model_.overhead = settings.overhead;
    model_.timeout = settings.timeout;
  }

  void clock(const LinkInputs& in, LinkOutputs& out) override {
    drive(in);
    lower_clock();
    raise_clock();
    out.wire = {model_.sent_valid != 0, model_.sent_first != 0, model_.sent_data};
    out.sequence = model_.sent_sequence;
    out.hold = model_.hold;
    out.begin = model_.begin_sequence;
    out.end = model_.end_sequence;
    out.again = model_.again;
    out.again_sequence = model_.again_sequence;
    out.packet = {model_.out_valid != 0, model_.out_first != 0, model_.out_data};
    out.header = model_.header_valid;
    out.header_verdict = static_cast<Verdict>(model_.header);
    out.done = model_.verdict_valid;
    out.verdict = static_cast<Verdict>(model_.verdict);
    out.ack = model_.ack_valid;
    out.ack_next = model_.ack_next;
    out.expected = model_.expected;
    out.idle = model_.sender_idle && model_.receiver_idle;
  }

  // For waves.
  void trace(VerilatedFstC& file) { model_.trace(&file, 99); }
  void lower_clock() {
    model_.clk = 0;
    model_.eval();
  }

 private:
  void raise_clock() {
    model_.clk = 1;
    model_.eval();
  }
  void drive(const LinkInputs& in) {
    model_.in_valid = in.packet.valid;
    model_.in_first = in.packet.first;
    model_.in_data = in.packet.data;
    model_.ack_in_valid = in.ack;
    model_.ack_in_next = in.ack_next;
    model_.wire_valid = in.wire.valid;
    model_.wire_first = in.wire.first;
    model_.wire_data = in.wire.data;
  }

  Model model_;
};

}  // namespace toroid::rtl
