// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/time.h"

namespace toroid {

/// Observes what the DMA engines of a machine do, for records of what happened. An engine without one pays a look at a
/// null pointer.
///
/// Calls come in the order in which the simulator works, which may be ahead of the times they tell. `fifo` and
/// `counter` count over the groups of a node: group x 32 + FIFO, group x 8 + FIFO (32 + group: its header FIFO), group
/// x 64 + counter.
class DmaObserver {
 public:
  enum class Kind : std::uint8_t { memory_fifo, put, remote_get, prefetch };
  enum class Side : std::uint8_t { injection, reception };

  struct Message {
    std::uint32_t node;
    std::uint32_t number;  ///< of the message at its node, from 0
    unsigned fifo;
    Kind kind;
    bool local;
    std::array<std::uint32_t, 8> words;  ///< of the descriptor
  };
  /// A descriptor has come from memory and is good.
  virtual void on_descriptor(const Message& message, Cycle at) = 0;
  /// All bytes of the message have been read.
  virtual void on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) = 0;
  /// Packet `serial` of the node (Packet::serial) belongs to message `number`.
  virtual void on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) = 0;
  /// The engine has changed a counter; `hit_zero`: to zero; `error`: below zero.
  virtual void on_counter(std::uint32_t node, Side side, unsigned counter, std::uint32_t value, bool hit_zero,
                          bool error, Cycle at) = 0;
  /// Bytes that a ring holds have changed.
  virtual void on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint32_t bytes, Cycle at) = 0;

 protected:
  ~DmaObserver() = default;
};

}  // namespace toroid
