// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/isa/address_plan.h"
#include "hw/isa/engine.h"
#include "hw/isa/register_set.h"

namespace toroid {

/// The general purpose registers at a block's entry, wherever the engine keeps them.
class EntryRegisters {
 public:
  explicit EntryRegisters(unsigned word_bytes) : wide_(word_bytes == 8) {}

  GeneralRegisters of(Engine& engine) { return given_ ? given_ : find(engine); }

 private:
  GeneralRegisters find(Engine& engine) {
    given_ = engine.general_registers();
    if (given_) return given_;
    engine.read_snapshot(copy_);
    if (wide_) return GeneralRegisters(copy_.values.data());
    std::transform(copy_.values.begin(), copy_.values.begin() + narrow_.size(), narrow_.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    return GeneralRegisters(narrow_.data());
  }

  const bool wide_;
  GeneralRegisters given_;                                       ///< the engine's own, if it exposes them
  RegisterSnapshot copy_;                                        ///< otherwise
  std::array<std::uint32_t, AddressPlan::kRegisters> narrow_{};  ///< the same, for 32-bit instruction sets
};

}  // namespace toroid
