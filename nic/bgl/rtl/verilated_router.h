// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstring>
#include <string>

#include "nic/bgl/rtl/router_pins.h"
#include "torus/rtl/fault.h"
#include "torus/rtl/verilated_model.h"

namespace toroid::rtl {

/// torus_router.sv, with its default parameters, behind its pins. Model is the class that Verilator has generated from
/// it.
template <class Model>
class VerilatedRouter final : public VerilatedModel<RouterPins, Model> {
 public:
  /// `name` is the name of the router in waveforms.
  explicit VerilatedRouter(const std::string& name = "router") : VerilatedModel<RouterPins, Model>(name) {}

  void reset(const RouterSettings& settings) override {
    if (settings.buffer_chunks > kMaxBufferChunks) {
      throw RtlFault("torus router: its virtual channels are built for " + std::to_string(kMaxBufferChunks) +
                     " chunks, not " + std::to_string(settings.buffer_chunks));
    }
    set(settings);
    apply(RouterInputs{});
    this->pulse_reset();
  }

  void set(const RouterSettings& settings) override {
    model_.coordinates = bytes(settings.coordinates);
    model_.cut_off_plus = bytes(settings.cut_off_plus);
    model_.cut_off_minus = bytes(settings.cut_off_minus);
    model_.ring = static_cast<std::uint8_t>(settings.ring[0] | settings.ring[1] << 1 | settings.ring[2] << 2);
    model_.links = settings.links;
    model_.buffer_chunks = settings.buffer_chunks;
    model_.reception_chunks = settings.reception_chunks;
    model_.bubble_chunks = settings.bubble_chunks;
    model_.wire_overhead = settings.wire_overhead;
    model_.fullness_cycles = settings.fullness_cycles;
    model_.random_cycles = settings.random_cycles;
    model_.priority_injection = settings.priority_injection;
    model_.seed = settings.seed;
  }

  void clock(const RouterInputs& in, RouterOutputs& out) override {
    apply(in);
    this->tick();
    sample(out);
  }

 private:
  using VerilatedModel<RouterPins, Model>::model_;

  static constexpr unsigned kMaxBufferChunks = 32;  ///< parameter BUFFER_CHUNKS
  static constexpr unsigned kIndexBits = 5;         ///< of a requester's number

  static std::uint32_t bytes(const std::array<std::uint8_t, 3>& value) {
    return static_cast<std::uint32_t>(value[0] | value[1] << 8 | value[2] << 16);
  }

  void apply(const RouterInputs& in) {
    unsigned valid = 0;
    unsigned first = 0;
    std::uint64_t data = 0;
    for (unsigned link = 0; link < kLinks; ++link) {
      const LinkByte& byte = in.link[link];
      if (!byte.valid) continue;
      valid |= 1u << link;
      first |= unsigned{byte.first} << link;
      data |= std::uint64_t{byte.data} << (8 * link);
    }
    model_.link_in_valid = static_cast<std::uint8_t>(valid);
    model_.link_in_first = static_cast<std::uint8_t>(first);
    model_.link_in_data = data;
    // Wide pins are words, lowest first; so are the bytes of arrays on the little-endian hosts of this program.
    static_assert(sizeof(model_.tokens_in) == sizeof in.tokens);
    static_assert(sizeof(model_.write_data) == sizeof in.write_data);
    std::memcpy(&model_.tokens_in, in.tokens.data(), sizeof in.tokens);
    std::memcpy(&model_.reception_free, in.reception_free.data(), sizeof in.reception_free);
    model_.stop = in.stop;
    model_.write = in.write;
    if (in.write) {
      model_.write_first = in.write_first;
      model_.write_fifo = in.write_fifo;
      std::memcpy(&model_.write_data, in.write_data.data(), sizeof in.write_data);
    }
  }

  void sample(RouterOutputs& out) const {
    const unsigned valid = model_.link_out_valid;
    const unsigned delivered = model_.deliver_valid;
    for (unsigned link = 0; link < kLinks; ++link) {
      LinkByte& byte = out.link[link];
      byte.valid = valid >> link & 1;
      byte.first = model_.link_out_first >> link & 1;
      byte.data = static_cast<std::uint8_t>(model_.link_out_data >> (8 * link));
      byte.from = static_cast<std::uint8_t>(model_.link_out_from >> (kIndexBits * link) & 0x1F);
      byte.channel = static_cast<std::uint8_t>(model_.link_out_channel >> (2 * link) & 3);
      RouterOutputs::Delivery& delivery = out.deliver[link];
      delivery.valid = delivered >> link & 1;
      if (!delivery.valid) continue;
      delivery.copy = model_.deliver_copy >> link & 1;
      delivery.from = static_cast<std::uint8_t>(kLinkChannels * link + (model_.deliver_from >> (2 * link) & 3));
      delivery.fifo = static_cast<std::uint8_t>(model_.deliver_fifo >> (4 * link) & 0xF);
    }
    std::memcpy(out.tokens.data(), &model_.tokens_out, sizeof out.tokens);
    out.taken = model_.taken;
    out.read = model_.read;
    if (out.read) {
      out.read_first = model_.read_first;
      out.read_last = model_.read_last;
      out.read_fifo = model_.read_fifo;
      std::memcpy(out.read_data.data(), &model_.read_data, sizeof out.read_data);
    }
    out.idle = model_.idle;
  }
};

}  // namespace toroid::rtl
