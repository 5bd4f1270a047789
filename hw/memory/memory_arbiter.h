// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/memory/byte_order.h"
#include "hw/memory/memory_write_observer.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/watched_memory.h"
#include "nic/common/memory_port.h"

namespace toroid {

struct MemoryArbiterConfig {
  std::uint64_t bytes_per_second;  ///< of all bus masters together
  std::uint32_t line_bytes;        ///< after which the next master has its turn; a power of two
  ByteOrder byte_order;            ///< of words of atomic operations
};

/// What stands between the bus masters of a node and its memory: a MemoryPort for each (nic/common/memory_port.h has
/// the rules). Cores have ways of their own (hw/core/memory_path.h) and take no bandwidth from here.
///
/// What happens at a time t is decided behind it, when no request for t can come any more, and no later than anyone can
/// see it: bytes of watched memory at their time, others at the end of their request. So a long transfer costs the host
/// a few events, not one a line.
class MemoryArbiter : public sc_core::sc_module, public MemoryWrites {
 public:
  /// Throws std::invalid_argument if the configuration has no bandwidth or no line.
  MemoryArbiter(const sc_core::sc_module_name& name, NodeMemory& memory, WatchedMemory& watched,
                const MemoryArbiterConfig& config);
  ~MemoryArbiter() override;

  /// The port of a further master; they are numbered in the order of these calls. Before the simulation starts.
  MemoryPort& add_master(MemoryClient& client);
  void observe(MemoryWriteObserver& observer) override { observers_.push_back(&observer); }

  /// Bytes transferred so far.
  std::uint64_t bytes() const { return transferred_; }

 private:
  struct Request {
    enum class Kind : std::uint8_t { read, write, atomic };
    Kind kind;
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint8_t* to;
    const std::uint8_t* from;
    MemoryOperation operation;
    sc_core::sc_time at;
    std::uint64_t tag;
    std::uint32_t done = 0;  ///< bytes transferred
  };
  class Master;
  struct Burst {
    std::size_t master;
    std::uint32_t bytes;
  };
  struct Answered {
    MemoryClient* client;
    MemoryAnswer answer;
  };

  bool ask(Master& master, Request request, std::uint64_t address);
  /// Does all that happens up to `now`, but decides about no time from `now` on.
  void advance(sc_core::sc_time now);
  bool begin_burst(sc_core::sc_time now);
  void end_burst();
  void transfer(const Request& request, std::uint32_t from, std::uint32_t bytes);
  sc_core::sc_time duration(std::uint32_t bytes) const;
  std::uint32_t burst_bytes(const Request& request) const;
  /// Wakes up no later than when something can be seen.
  void schedule();
  void work();

  NodeMemory& memory_;
  WatchedMemory& watched_;
  const MemoryArbiterConfig config_;
  sc_core::sc_time line_;  ///< duration(line_bytes)
  std::vector<std::unique_ptr<Master>> masters_;
  std::vector<MemoryWriteObserver*> observers_;
  std::optional<Burst> burst_;  ///< under way until free_
  sc_core::sc_time free_;       ///< the memory is free from then on
  std::size_t last_ = 0;        ///< master that had its turn last
  std::vector<Answered> answers_;
  std::uint64_t transferred_ = 0;
  sc_core::sc_event wake_;
};

}  // namespace toroid
