// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
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

struct HandledFault;

/// Where a register of what a signal interrupts lies in its handler's frame.
struct ContextRegister {
  std::string name;    ///< in the instruction set's RegisterSet
  unsigned at = 0;     ///< in bytes from the frame's beginning
  unsigned bytes = 0;  ///< a number's, or the first of a vector's
  bool taken = false;  ///< the program goes on with what the handler leaves there
  /// Bits of a number that a handler can change.
  std::uint64_t changeable = ~std::uint64_t{0};
};

/// Of a handler's frame what is not a register.
struct SignalFrameFacts {
  std::uint64_t address = 0;  ///< where the frame lies
  unsigned signal = 0;
  std::uint64_t handler = 0;
  std::uint64_t blocked = 0;            ///< signals before
  const HandledFault* fault = nullptr;  ///< that the handler is called for
};

/// What lies on a program's stack where a signal's handler begins. Programs, C libraries and compilers' unwinders know
/// it: struct siginfo, and struct ucontext with the registers of what has been interrupted. It begins at the stack
/// pointer as it is when the handler has returned.
struct SignalFrame {
  unsigned bytes = 0;         ///< a multiple of 16
  unsigned information = 0;   ///< where struct siginfo begins
  unsigned context = 0;       ///< and struct ucontext
  unsigned blocked = 0;       ///< and in this the set of signals, of 8 bytes
  unsigned returns = 0;       ///< where the handler returns to, unless the program names a function for that
  bool has_restorer = false;  ///< the program can name one (SA_RESTORER)
  std::vector<ContextRegister> registers;
  /// Writes the rest into the zeroed frame, which holds the registers.
  void (*complete)(std::uint8_t* frame, const SignalFrameFacts& facts) = nullptr;
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
  SignalFrame signal_frame;
};

}  // namespace toroid
