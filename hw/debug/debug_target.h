// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toroid {

/// What is being debugged, as far as the protocol goes. Threads are numbered from 1; registers are gdb_register's,
/// the vector registers apart.
class DebugTarget {
 public:
  virtual ~DebugTarget() = default;

  /// Those that run something, by rising number; never none.
  virtual std::vector<unsigned> threads() const = 0;
  virtual std::string describe_thread(unsigned thread) const = 0;

  virtual std::uint64_t read_register(unsigned thread, unsigned number) const = 0;
  /// False where it cannot be written now.
  virtual bool write_register(unsigned thread, unsigned number, std::uint64_t value) = 0;

  /// 16 bytes of vector register 0 to 31, as gdb has them; nullopt where they are not known now.
  virtual std::optional<std::string> read_vector(unsigned thread, unsigned number) const = 0;
  virtual bool write_vector(unsigned thread, unsigned number, std::string_view bytes) = 0;

  /// As many of the bytes from `address` on as can be read without changing anything; maybe none.
  virtual std::string read_memory(unsigned thread, std::uint32_t address, std::uint32_t size) = 0;
  /// False where not all of them can be written.
  virtual bool write_memory(unsigned thread, std::uint32_t address, std::string_view bytes) = 0;

  /// The program's path on the host.
  virtual std::string program() const = 0;
  /// The answer to gdb's `monitor`: lines.
  virtual std::string monitor(unsigned thread, const std::string& command) = 0;
  /// A warning about a watchpoint for stores there, one line; empty if it works as expected.
  virtual std::string about_watch(std::uint32_t address, std::uint32_t size) const = 0;
};

}  // namespace toroid
