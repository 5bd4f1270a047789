// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/core.h"
#include "hw/kernel/abi/abi.h"
#include "hw/kernel/guest_words.h"

namespace toroid {

/// A set of signals as programs have it: words, the lowest signals in the first.
std::uint64_t load_signals(const std::uint8_t* from, const WordLayout& words);
void store_signals(std::uint8_t* to, std::uint64_t signals, const WordLayout& words);

/// The frames of a process's handlers, as bytes that go onto its stack and come back.
class SignalFrames {
 public:
  SignalFrames(const SignalFrame& layout, const Isa& isa);

  const SignalFrame& layout() const { return layout_; }
  /// The whole frame but struct siginfo: `core` stands at `pc`. From the software of the core, in one of its callbacks.
  std::vector<std::uint8_t> make(Core& core, std::uint64_t pc, const SignalFrameFacts& facts) const;
  /// Gives the core, which has again the registers with which the frame was made, what a handler has left there.
  /// Returns where it goes on.
  std::uint64_t take(const std::uint8_t* frame, Core& core) const;
  std::uint64_t blocked(const std::uint8_t* frame) const;

 private:
  struct Place {
    Register which;
    bool is_vector;
    ContextRegister in_frame;
  };

  const SignalFrame& layout_;
  const WordLayout words_;
  const Register pc_;
  std::vector<Place> places_;
};

}  // namespace toroid
