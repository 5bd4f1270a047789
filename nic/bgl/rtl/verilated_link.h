// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nic/bgl/rtl/link_pins.h"
#include "torus/rtl/verilated_model.h"

namespace toroid::rtl {

/// The pins of a class that Verilator has generated from link_pair.sv, or from a copy.
template <typename Model>
class VerilatedLink final : public VerilatedModel<LinkPins, Model> {
 public:
  explicit VerilatedLink(const std::string& name) : VerilatedModel<LinkPins, Model>(name) { reset(LinkSettings{}); }

  void reset(const LinkSettings& settings) override {
    set(settings);
    drive(LinkInputs{});
    this->pulse_reset();
  }

  void set(const LinkSettings& settings) override {
    model_.window = settings.window;
    model_.overhead = settings.overhead;
    model_.timeout = settings.timeout;
  }

  void clock(const LinkInputs& in, LinkOutputs& out) override {
    drive(in);
    this->tick();
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

 private:
  using VerilatedModel<LinkPins, Model>::model_;

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
};

}  // namespace toroid::rtl
