// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "hw/debug/debug_target.h"
#include "hw/isa/power/registers.h"

namespace toroid {

/// Two threads, 64 bytes of memory at 0x1000 of which the first half can be written, and registers that keep anything
/// but the machine state register.
class FakeTarget final : public DebugTarget {
 public:
  FakeTarget() = default;
  FakeTarget(const RegisterSet& registers, ByteOrder order, unsigned word_bytes, unsigned code_alignment)
      : registers_(registers), order_(order), word_bytes_(word_bytes), code_alignment_(code_alignment) {}

  const RegisterSet& registers() const override { return registers_; }
  ByteOrder byte_order() const override { return order_; }
  unsigned word_bytes() const override { return word_bytes_; }
  unsigned code_alignment() const override { return code_alignment_; }
  std::vector<unsigned> threads() const override { return {1, 2}; }
  std::string describe_thread(unsigned thread) const override { return "core " + std::to_string(thread - 1); }
  std::uint64_t read_register(unsigned thread, Register which) const override {
    const auto found = values.find({thread, which});
    return found == values.end() ? 0 : found->second;
  }
  bool write_register(unsigned thread, Register which, std::uint64_t value) override {
    if (which == power::kMsr) return false;
    values[{thread, which}] = value;
    return true;
  }
  std::optional<std::string> read_vector(unsigned thread, Register which) const override {
    const auto found = vectors.find({thread, which});
    if (found == vectors.end()) return std::nullopt;
    return found->second;
  }
  bool write_vector(unsigned thread, Register which, std::string_view bytes) override {
    vectors[{thread, which}] = bytes;
    return true;
  }
  std::string read_memory(unsigned, std::uint64_t address, std::uint64_t size) override {
    return address < 0x1000 || address >= 0x1040 ? "" : memory.substr(address - 0x1000, size);
  }
  bool write_memory(unsigned, std::uint64_t address, std::string_view bytes) override {
    if (address < 0x1000 || address + bytes.size() > 0x1020) return false;
    memory.replace(address - 0x1000, bytes.size(), bytes);
    return true;
  }
  std::string program() const override { return "/here/program"; }
  std::string monitor(unsigned thread, const std::string& command) override {
    return command == "silent" ? "" : command + " of " + std::to_string(thread) + "\n";
  }

  std::string about_watch(std::uint64_t address, std::uint64_t) const override {
    return address < 0xB000'0000 ? "" : "a device\n";
  }

  std::map<std::pair<unsigned, Register>, std::uint64_t> values;
  std::map<std::pair<unsigned, Register>, std::string> vectors;
  std::string memory = std::string(64, 'm');

 private:
  const RegisterSet& registers_ = power::registers(power::Width::narrow);
  const ByteOrder order_ = ByteOrder::big;
  const unsigned word_bytes_ = 4;
  const unsigned code_alignment_ = 4;
};

}  // namespace toroid
