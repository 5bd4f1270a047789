// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hw/core/block_ledger.h"
#include "hw/core/device_windows.h"
#include "hw/isa/block.h"
#include "hw/isa/isa.h"
#include "hw/isa/register_set.h"

namespace toroid {

/// The access to a device that a program's instruction makes, put together from the pieces in which the engine
/// delivers it: one payload of the instruction's size.
class DeviceAccess {
 public:
  /// The block entered last is the ledger's.
  DeviceAccess(const Isa& isa, const BlockLedger& ledger) : isa_(isa), ledger_(ledger) {}

  /// The core makes accesses for the instruction at `pc`, the last of its block, itself.
  void stand_at(std::uint64_t pc) {
    pc_ = pc;
    left_ = 0;
    modifies_ = false;
    move_cursor(pc, 0);
  }
  /// Another block has begun, or none: no access of it has been made.
  void begin_block() {
    move_cursor(0, 0);
    left_ = 0;
    modifies_ = false;
  }

  /// Whether a piece belongs to the access under way.
  bool continues(std::uint64_t address, bool store) const {
    if (repeats(address, store)) return true;
    return left_ != 0 && store_ == store && address == address_ + size_ - left_;
  }
  /// Works out which access of the program a first piece belongs to. Returns why it cannot be made, or nothing.
  std::optional<std::string> begin(const GeneralRegisters& registers, const DeviceWindows& windows,
                                   std::uint64_t address, unsigned size, bool store);
  /// Where it goes; nullptr if that is no window.
  const DeviceWindows::Window* window() const { return window_; }
  std::uint64_t address() const { return address_; }
  unsigned size() const { return size_; }
  std::uint8_t* data() { return data_.data(); }
  /// Of the instruction.
  std::uint64_t pc() const { return pc_; }

  /// The number that a piece of what was loaded is.
  std::uint64_t take(std::uint64_t address, unsigned size);
  /// A piece to be stored. True if it is the last.
  bool put(std::uint64_t address, unsigned size, std::uint64_t value);

  /// The device has refused the access.
  void refuse() { move_cursor(pc_, 0); }
  /// The instruction of the block that makes a refused access, or where the block begins.
  std::uint64_t faulting_pc(const GeneralRegisters& registers, std::uint64_t address) const;
  /// The instruction of the block that loads from or stores to `address`; nullopt if there is none.
  std::optional<std::uint64_t> instruction_at(const GeneralRegisters& registers, std::uint64_t address,
                                              bool store) const;
  /// Whether no more than one instruction of the block can be that one. One that moves several registers, or
  /// whose size the code does not tell, can always be.
  bool is_told_apart(const GeneralRegisters& registers, std::uint64_t address, bool store) const;

 private:
  /// The instruction of the current block that makes an access.
  struct Located {
    bool found = false;
    bool vector = false;
    std::uint64_t pc = 0;
    std::uint64_t next = 0;     ///< the instruction behind it
    std::uint64_t address = 0;  ///< effective address
    unsigned size = 0;
    unsigned site = 0;  ///< its number among the block's accesses
  };

  /// An instruction that loads and then stores at one place loads once, however often the engine asks before it stores:
  /// for a locked negation it does so until two answers are the same.
  bool repeats(std::uint64_t address, bool store) const {
    return modifies_ && !store && left_ == 0 && address - address_ < size_;
  }

  /// Looks from instruction `from`, no access before number `first`, to the end of the current block.
  Located locate(const GeneralRegisters& registers, std::uint64_t from, unsigned first, std::uint64_t address,
                 bool store) const;
  /// The effective address by the registers as they are.
  std::uint64_t address_now(const GeneralRegisters& registers, const MemoryOperand& operand) const;
  void move_cursor(std::uint64_t pc, unsigned site) {
    cursor_ = pc;
    next_site_ = site;
  }

  const Block* block() const { return ledger_.block; }

  const Isa& isa_;
  const BlockLedger& ledger_;
  std::uint64_t pc_ = 0;
  std::uint64_t cursor_ = 0;  ///< the block's instructions before this address have made their device accesses
  unsigned next_site_ = 0;    ///< no access of the block before this one lies behind the cursor
  const DeviceWindows::Window* window_ = nullptr;
  std::uint64_t address_ = 0;
  unsigned size_ = 0;
  unsigned left_ = 0;  ///< bytes still to be delivered; 0: no access is under way
  bool store_ = false;
  bool modifies_ = false;  ///< it has loaded, and the store to the same place is still to come
  std::array<std::uint8_t, 16> data_{};
};

}  // namespace toroid
