// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "nic/common/memory_operation.h"

namespace toroid {

/// The end of a request to memory.
struct MemoryAnswer {
  std::uint64_t tag;         ///< that the request was made with
  sc_core::sc_time when;     ///< the last byte is there, or visible; SystemC's present time
  std::uint64_t before = 0;  ///< of an atomic operation: the word as it was, or kBoundReached
};

/// A bus master's side of a MemoryPort.
class MemoryClient {
 public:
  /// New requests may be made from here; waiting is not possible.
  virtual void memory_done(const MemoryAnswer& answer) = 0;

 protected:
  ~MemoryClient() = default;
};

/// A bus master's access to the memory of its node, by physical addresses, with the memory's bandwidth behind it.
///
/// A request made for the time `at`, which is not in the past, is answered by memory_done() at the time when its last
/// byte is there (a read) or visible to the cores (a write).
///   - The requests of one master are served one after the other, in the order in which it makes them.
///   - The bytes of a request are transferred in the order of their addresses: whoever sees a byte in watched memory
///     also sees those before it. Memory that is not watched may change, or be read, as late as at the end.
///   - Masters take turns, line by line: whenever the memory is free at a time t, the next master in turn that has a
///     request for t or earlier transfers bytes up to the next line boundary. This depends on the times of requests and
///     on the number of each master on its node alone, not on the order in which requests of one time are made.
///   - Within one instant, bus masters come before cores.
/// `to` and `from` must stay valid until the answer. The calls return false, and nothing happens, if the bytes are not
/// memory, or if there are none.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;

  virtual bool read(std::uint64_t address, std::uint8_t* to, std::uint32_t bytes, sc_core::sc_time at,
                    std::uint64_t tag) = 0;
  virtual bool write(std::uint64_t address, const std::uint8_t* from, std::uint32_t bytes, sc_core::sc_time at,
                     std::uint64_t tag) = 0;
  /// A word at a multiple of its size; the other word of its pair, if the operation has one, lies beside it
  /// (is_aligned()).
  virtual bool atomic(std::uint64_t address, const MemoryOperation& operation, sc_core::sc_time at,
                      std::uint64_t tag) = 0;
};

}  // namespace toroid
