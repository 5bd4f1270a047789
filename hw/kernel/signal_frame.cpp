// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/signal_frame.h"

#include <algorithm>

namespace toroid {

std::uint64_t load_signals(const std::uint8_t* from, const WordLayout& words) {
  return words.bytes == 8 ? words.load(from, 0) : words.load(from, 0) | words.load(from, 1) << 32;
}

void store_signals(std::uint8_t* to, std::uint64_t signals, const WordLayout& words) {
  words.store(to, 0, words.bytes == 8 ? signals : signals & 0xFFFF'FFFF);
  if (words.bytes == 4) words.store(to, 1, signals >> 32);
}

SignalFrames::SignalFrames(const SignalFrame& layout, const Isa& isa)
    : layout_(layout), words_{isa.byte_order(), isa.word_bytes()}, pc_(isa.roles().pc) {
  const RegisterSet& registers = isa.registers();
  for (const ContextRegister& each : layout.registers) {
    if (const std::optional<Register> which = registers.find(each.name))
      places_.push_back({*which, registers[*which].use == RegisterSet::Use::vector, each});
  }
}

std::vector<std::uint8_t> SignalFrames::make(Core& core, std::uint64_t pc, const SignalFrameFacts& facts) const {
  std::vector<std::uint8_t> frame(layout_.bytes);
  for (const Place& each : places_) {
    std::uint8_t* const to = frame.data() + each.in_frame.at;
    if (each.is_vector) {
      const Engine::Vector value = core.engine().read_vector(each.which).value_or(Engine::Vector{});
      std::copy_n(value.begin(), each.in_frame.bytes, to);
    } else {
      const std::uint64_t value = each.which == pc_ ? pc : core.engine().read(each.which);
      store_number(to, value, each.in_frame.bytes, words_.order);
    }
  }
  store_signals(frame.data() + layout_.blocked, facts.blocked, words_);
  if (layout_.complete != nullptr) layout_.complete(frame.data(), facts);
  return frame;
}

std::uint64_t SignalFrames::take(const std::uint8_t* frame, Core& core) const {
  Engine& engine = core.engine();
  std::uint64_t pc = 0;
  for (const Place& each : places_) {
    if (!each.in_frame.taken) continue;
    const std::uint8_t* const from = frame + each.in_frame.at;
    if (each.is_vector) {
      Engine::Vector value = engine.read_vector(each.which).value_or(Engine::Vector{});
      if (std::equal(from, from + each.in_frame.bytes, value.begin())) continue;
      std::copy_n(from, each.in_frame.bytes, value.begin());
      engine.write_vector(each.which, value);
      continue;
    }
    const std::uint64_t value = load_number(from, each.in_frame.bytes, words_.order);
    if (each.which == pc_) {
      pc = value;
      continue;
    }
    const std::uint64_t before = engine.read(each.which), changeable = each.in_frame.changeable;
    const std::uint64_t after = (before & ~changeable) | (value & changeable);
    if (after != before) engine.write(each.which, after);
  }
  return pc;
}

std::uint64_t SignalFrames::blocked(const std::uint8_t* frame) const {
  return load_signals(frame + layout_.blocked, words_);
}

}  // namespace toroid
