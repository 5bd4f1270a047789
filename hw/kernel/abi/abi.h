// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/kernel/system_call.h"
#include "hw/memory/byte_order.h"

namespace toroid {

/// What the kernel tells of a file. Owners and times are the host's own business, and zero.
struct FileStatus {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::uint32_t mode = 0;
  std::uint32_t links = 0;
  std::uint64_t special_device = 0;  ///< that the file stands for
  std::uint64_t size = 0;
  std::uint32_t block_size = 0;
  std::uint64_t blocks = 0;  ///< of 512 bytes
};

/// The binary interface between a kernel and the programs of one instruction set: numbers and arguments of its system
/// calls, and the layouts of structures that are more than words one after the other. What word size and byte order
/// tell (hw/isa/isa.h) is written once for all of them, in hw/kernel/calls.
struct Abi {
  const char* name;              ///< "linux_ppc32"
  const char* machine;           ///< uname()'s
  std::vector<CallTable> calls;  ///< a number stands in one of them
  /// As struct stat has it, in zeroed memory.
  unsigned status_bytes;
  void (*store_status)(std::uint8_t* to, const FileStatus& status, ByteOrder order);
};

}  // namespace toroid
