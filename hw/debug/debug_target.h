// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/isa/register_set.h"
#include "hw/memory/byte_order.h"

namespace toroid {

/// What is being debugged, as far as the protocol goes. Threads are numbered from 1.
class DebugTarget {
 public:
  virtual ~DebugTarget() = default;

  // The instruction set's.
  virtual const RegisterSet& registers() const = 0;
  virtual ByteOrder byte_order() const = 0;
  virtual unsigned word_bytes() const = 0;
  virtual unsigned code_alignment() const = 0;

  /// Those that run something, in ascending order of number; never none.
  virtual std::vector<unsigned> threads() const = 0;
  virtual std::string describe_thread(unsigned thread) const = 0;

  virtual std::uint64_t read_register(unsigned thread, Register which) const = 0;
  /// False if it cannot be written now.
  virtual bool write_register(unsigned thread, Register which, std::uint64_t value) = 0;

  /// The bytes of a register that is no number (RegisterSet::Use) as they lie in memory; nullopt if they are not known
  /// now.
  virtual std::optional<std::string> read_vector(unsigned thread, Register which) const = 0;
  virtual bool write_vector(unsigned thread, Register which, std::string_view bytes) = 0;

  /// As many of the bytes from `address` on as can be read without changing anything; maybe none.
  virtual std::string read_memory(unsigned thread, std::uint64_t address, std::uint64_t size) = 0;
  /// False if not all of them can be written.
  virtual bool write_memory(unsigned thread, std::uint64_t address, std::string_view bytes) = 0;

  /// The program's path on the host.
  virtual std::string program() const = 0;
  /// The answer to gdb's `monitor`: lines.
  virtual std::string monitor(unsigned thread, const std::string& command) = 0;
  /// A warning about a watchpoint for stores there, one line; empty if it works as expected.
  virtual std::string about_watch(std::uint64_t address, std::uint64_t size) const = 0;
};

}  // namespace toroid
