// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "hw/isa/block_table.h"
#include "hw/isa/engine.h"

namespace toroid {

class Core;

/// A fault, resolved to the instruction.
struct CoreFault {
  FaultKind kind = FaultKind::other_exception;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;  ///< of the data or the fetch, where the kind has one
  std::string detail;         ///< what a device said
  bool exact = true;          ///< `pc` is known to be the instruction's; else a good guess
};

/// What runs on a core: the kernel with its process.
class Software {
 public:
  virtual ~Software() = default;
  /// Called at each start of a core: sets its view of memory and its registers, returns the first PC.
  virtual std::uint64_t start(Core& core) = 0;
  virtual BlockTable& blocks() = 0;
  virtual void on_system_call(Core& core) = 0;
  /// EngineClient::on_machine_instruction()
  virtual void on_machine_instruction(Core& core, std::uint64_t pc, const InstructionBytes& instruction) {
    (void)core, (void)pc, (void)instruction;
  }
  virtual void on_fault(Core& core, const CoreFault& fault) = 0;
  /// Enters a handler of the program's own for a fault that the engine has met. Returns where the core goes on, or
  /// nothing if the program has ended.
  using FaultHandler = std::function<std::optional<std::uint64_t>()>;
  /// What enters the fault's handler, to be called when all before it has happened; empty if there is no handler.
  virtual FaultHandler handler_of(Core& core, const CoreFault& fault) {
    (void)core, (void)fault;
    return {};
  }
  /// The program's memory for an access that the engine does not make: where it lies on the host, or nullptr if the
  /// program may not make it.
  virtual std::uint8_t* memory_for(std::uint64_t address, std::uint64_t size, bool store) {
    (void)address, (void)size, (void)store;
    return nullptr;
  }
  /// The program has jumped to an address that is no code. Returns where to go on, or nothing: it is a fault.
  virtual std::optional<std::uint64_t> on_jump_to_data(Core& core, std::uint64_t address) {
    (void)core, (void)address;
    return std::nullopt;
  }
  /// The time has come that Core::call_at() has named, and the core stands at `pc`. As on_interrupt().
  virtual bool on_call(Core& core, std::uint64_t pc) {
    (void)core, (void)pc;
    return false;
  }
  /// The core reached its cycle limit.
  virtual void on_timeout(Core& core) = 0;
  /// The interrupt line is up and the software accepts it; `pc` is where the core stands, at the start of a block. To
  /// go on elsewhere the software writes the program counter. Returns whether it does.
  virtual bool on_interrupt(Core& core, std::uint64_t pc) {
    (void)core, (void)pc;
    return false;
  }
};

}  // namespace toroid
