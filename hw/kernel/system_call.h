// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/isa/isa.h"

namespace toroid {

class Core;
class Process;

/// What a system call returns: a result, or a negative errno from -4095 to -1.
using CallResult = std::int64_t;

/// A signal's handler comes first, and decides: the call is made again behind it, or is -EINTR.
inline constexpr CallResult kMadeAgain = -512;

/// A system call that is being served.
struct Call {
  Process& process;
  Core& core;  ///< that makes it
  const char* name = "";
  CallArguments arguments{};

  std::uint64_t operator[](unsigned number) const { return arguments[number]; }
  /// An argument of C's type unsigned int, whose register may hold anything above it.
  std::uint32_t word(unsigned number) const { return static_cast<std::uint32_t>(arguments[number]); }
  /// An argument of C's type int.
  std::int32_t integer(unsigned number) const { return static_cast<std::int32_t>(arguments[number]); }
};

using CallHandler = CallResult (*)(const Call&);

/// A system call that an operating system has.
struct SystemCall {
  unsigned number;
  const char* name;
  CallHandler handler;
};

/// System calls by rising number.
struct CallTable {
  const SystemCall* calls = nullptr;
  std::uint64_t count = 0;

  /// Returns nullptr if there is no such call.
  const SystemCall* find(std::uint64_t number) const;
};

}  // namespace toroid
