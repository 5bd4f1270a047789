// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "hw/kernel/system_call.h"

namespace toroid {

/// How often a process has made each system call.
class CallCounts {
 public:
  /// Counts a call of this number; `call` is nullptr if the kernel does not have it.
  void count(std::uint64_t number, const SystemCall* call);
  /// Counts what is no call of the program's, by name.
  void count(const char* name) { ++counts_[name]; }
  /// By name; those that the kernel does not have as "unknown 123".
  const std::map<std::string, std::uint64_t>& all() const { return counts_; }

 private:
  std::map<std::string, std::uint64_t> counts_;
  std::size_t unknown_ = 0;  ///< how many different ones
};

}  // namespace toroid
