// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nic/bgl/rtl/tree_pins.h"
#include "torus/rtl/verilated_model.h"

namespace toroid::rtl {

/// TreePins of a class that Verilator has generated from tree_router.sv, or from a copy of it.
template <typename Model>
class VerilatedTree final : public VerilatedModel<TreePins, Model> {
 public:
  explicit VerilatedTree(const std::string& name) : VerilatedModel<TreePins, Model>(name) {}

  void reset(const TreeSettings& settings) override {
    set(settings);
    put(TreeInputs{});
    this->pulse_reset();
  }

  void set(const TreeSettings& settings) override {
    for (unsigned i = 0; i < kTreePinClasses / 2; ++i) {
      model_.descriptors[i] = static_cast<std::uint32_t>(settings.descriptors[2 * i]) |
                              static_cast<std::uint32_t>(settings.descriptors[2 * i + 1]) << 16;
    }
    model_.address = settings.address & 0xFFFFFFu;
    model_.accepts_all = settings.accepts_all;
    model_.exists = settings.exists;
    model_.wire_cycles = settings.wire_cycles;
    model_.channel_packets = settings.channel_packets;
    model_.local_packets = settings.local_packets;
  }

  void clock(const TreeInputs& in, TreeOutputs& out) override {
    put(in);
    this->tick();
    take(out);
  }

 private:
  using VerilatedModel<TreePins, Model>::model_;

  void put(const TreeInputs& in) {
    unsigned valid = 0;
    unsigned first = 0;
    unsigned vc = 0;
    unsigned tokens = 0;
    unsigned hold = 0;
    std::uint64_t data = 0;
    for (unsigned i = 0; i < kTreePinChannels; ++i) {
      const TreeWord& word = in.channel[i];
      valid |= unsigned{word.valid} << i;
      first |= unsigned{word.first} << i;
      vc |= unsigned{word.vc} << i;
      data |= std::uint64_t{word.data} << 16 * i;
      hold |= unsigned{in.hold[i]} << 2 * i;
    }
    model_.in_valid = static_cast<std::uint8_t>(valid);
    model_.in_first = static_cast<std::uint8_t>(first);
    model_.in_vc = static_cast<std::uint8_t>(vc);
    model_.in_data = data;
    model_.hold = static_cast<std::uint8_t>(hold);
    model_.occupied = in.occupied;
    const auto& inject = in.inject;
    model_.inject_valid = static_cast<std::uint8_t>(unsigned{inject[0].valid} | unsigned{inject[1].valid} << 1);
    model_.inject_first = static_cast<std::uint8_t>(unsigned{inject[0].first} | unsigned{inject[1].first} << 1);
    model_.inject_data = std::uint32_t{inject[0].data} | std::uint32_t{inject[1].data} << 16;
    for (unsigned i = 0; i < kTreePinPorts; ++i) tokens |= unsigned{in.tokens[i]} << 2 * i;
    model_.tokens = static_cast<std::uint8_t>(tokens);
  }

  void take(TreeOutputs& out) {
    for (unsigned i = 0; i < kTreePinPorts; ++i) {
      TreeWord& word = out.port[i];
      word.valid = (model_.out_valid >> i & 1) != 0;
      word.first = (model_.out_first >> i & 1) != 0;
      word.vc = model_.out_vc >> i & 1;
      word.data = static_cast<std::uint16_t>(model_.out_data >> 16 * i);
    }
    for (unsigned i = 0; i < kTreePinChannels; ++i) out.tokens[i] = model_.out_tokens >> 2 * i & 3;
    for (unsigned i = 0; i < kTreePinPorts; ++i) {
      TreeOutputs::Move& move = out.moves[i];
      move.valid = (model_.moves >> i & 1) != 0;
      if (!move.valid) break;  // the later ones are not valid either
      move.combined = (model_.move_combined >> i & 1) != 0;
      move.vc = model_.move_vc >> i & 1;
      move.inputs = model_.move_inputs >> 4 * i & 0xF;
      move.outputs = model_.move_outputs >> 4 * i & 0xF;
    }
    out.idle = model_.idle;
  }
};

}  // namespace toroid::rtl
