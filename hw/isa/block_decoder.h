// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/isa/block.h"
#include "hw/isa/engine.h"

namespace toroid {

/// What one instruction is about to do to memory.
struct UpcomingAccess {
  AccessKind kind = AccessKind::load;
  std::uint64_t address = 0;
  std::uint32_t size = 0;  ///< bytes moved; 0 if the instruction alone does not tell, and of cache instructions
  /// The engine does it on the side and does not tell of it (EngineClient::on_access).
  bool hidden = false;
};

/// Reads a program's code: what blocks and instructions cost and access. One for each program, shared by its cores.
class BlockDecoder {
 public:
  virtual ~BlockDecoder() = default;

  /// Fills in all of the block but `address`, `size`, `number` and `lines`, which are given. Numbers rise by one from 1
  /// on.
  virtual void decode(Block& block) = 0;
  /// What `block` costs right behind `previous`, which owes it something.
  virtual std::uint32_t cycles_behind(const Block& previous, const Block& block) const = 0;

  /// What the instruction at `pc` is about to access, with the registers as they are in `engine`; nullopt: nothing.
  virtual std::optional<UpcomingAccess> upcoming_access(std::uint64_t pc, const Engine& engine) const = 0;
  /// The instruction's encoding as a number, for messages: "0x7c0802a6"; that of zeros outside the code.
  virtual std::string encoding_at(std::uint64_t pc) const = 0;
  /// Whether the instruction makes a stack frame, by a store below the stack pointer.
  virtual bool makes_frame(std::uint64_t pc) const = 0;
};

}  // namespace toroid
