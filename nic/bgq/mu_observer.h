// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/time.h"

namespace toroid {

/// Observes what the Messaging Units of a machine do, for records of what happened. A unit without one pays a look at a
/// null pointer. Calls come in the order in which the simulator works, which may be ahead of the times they tell.
class MuObserver {
 public:
  enum class Kind : std::uint8_t { memory_fifo, put, remote_get, prefetch };
  enum class Side : std::uint8_t { injection, reception };

  struct Message {
    std::uint32_t node;
    std::uint32_t number;  ///< of the message at its node, from 0
    unsigned fifo;         ///< over all groups
    Kind kind;
    bool local;
    const std::uint8_t* descriptor;  ///< its 64 bytes
  };
  /// A descriptor has come from memory and is good.
  virtual void on_descriptor(const Message& message, Cycle at) = 0;
  /// All bytes of the message have been read.
  virtual void on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) = 0;
  /// Packet `serial` of the node (Packet::serial) belongs to message `number`.
  virtual void on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) = 0;
  /// A packet of a put, with its counter, is in memory.
  virtual void on_put(std::uint32_t node, std::uint64_t address, std::uint32_t bytes, Cycle at) = 0;
  /// Bytes that a FIFO (over all groups) holds have changed.
  virtual void on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint64_t bytes, Cycle at) = 0;

 protected:
  ~MuObserver() = default;
};

}  // namespace toroid
