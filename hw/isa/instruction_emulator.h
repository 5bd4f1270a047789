// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/isa/engine.h"

namespace toroid {

/// What instructions that are emulated reach outside their core, as that core's own loads and stores do: they take the
/// time of the access, and polling may park. Where an access cannot be made, the core has a fault, and the instruction
/// must leave everything as it is.
class EmulatedAccess {
 public:
  /// `size` bytes, in the order in which they lie in memory: a power of two up to 16, of which `address` is a multiple.
  /// False if there is a fault.
  virtual bool load(std::uint64_t address, std::uint8_t* data, unsigned size) = 0;
  virtual bool store(std::uint64_t address, const std::uint8_t* data, unsigned size) = 0;

  enum class Event : std::uint8_t { interrupt, reservation_loss, of_chip };
  /// The instruction waits for this, or for an interrupt. It may also end its wait for no reason.
  virtual void wait_for(Event event) = 0;

  /// Registers of the chip that programs reach by a number instead of an address.
  virtual bool has_control_registers() const = 0;
  virtual bool load_control(std::uint32_t number, std::uint32_t& value) = 0;
  virtual bool store_control(std::uint32_t number, std::uint32_t value) = 0;

 protected:
  ~EmulatedAccess() = default;
};

/// Executes the instructions of one core that its processor has and its engine has not, one at a time, and keeps the
/// registers that only these know. What they cost is the decoder's to say, as of all instructions.
class InstructionEmulator {
 public:
  virtual ~InstructionEmulator() = default;
  /// False if the processor has no such instruction either. The program counter is the engine's to move.
  virtual bool execute(const InstructionBytes& instruction, Engine& engine, EmulatedAccess& access) = 0;

  /// A register that it keeps (RegisterSet::Use::emulated), as a store lays it in memory; nullopt if it has none such.
  virtual std::optional<std::string> read(Register which) const {
    (void)which;
    return std::nullopt;
  }
  /// False if it has none such, or of another size.
  virtual bool write(Register which, std::string_view bytes) {
    (void)which, (void)bytes;
    return false;
  }
};

}  // namespace toroid
