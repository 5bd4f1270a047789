// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {

/// A structure in a process's memory, whose fields the kernel reads and writes by their offsets.
class GuestStructure {
 public:
  /// False if the process may not write all of it.
  static bool is_there(Process& process, std::uint64_t address, std::uint64_t bytes) {
    return process.memory()->writable(address, bytes) != nullptr;
  }
  /// It is there.
  GuestStructure(Process& process, std::uint64_t address, std::uint64_t bytes)
      : at_(process.memory()->writable(address, bytes)) {}

  std::uint32_t word(unsigned offset) const { return load_be32(at_ + offset); }
  std::uint16_t half(unsigned offset) const { return load_be16(at_ + offset); }
  std::uint8_t byte(unsigned offset) const { return at_[offset]; }
  void set_word(unsigned offset, std::uint32_t value) { store_be32(at_ + offset, value); }
  void set_half(unsigned offset, std::uint32_t value) { store_be16(at_ + offset, static_cast<std::uint16_t>(value)); }
  void set_byte(unsigned offset, std::uint32_t value) { at_[offset] = static_cast<std::uint8_t>(value); }
  void set_wide(unsigned offset, std::uint64_t value) { store_be64(at_ + offset, value); }
  void clear(std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) at_[i] = 0;
  }

 private:
  std::uint8_t* at_;
};

}  // namespace toroid
