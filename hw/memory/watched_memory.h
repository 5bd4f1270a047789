// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/memory/byte_order.h"
#include "hw/memory/node_memory.h"
#include "nic/common/memory_operation.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// The pages of a node's memory that bus masters write and cores poll: counters, tails of FIFOs, completion queues,
/// mailboxes. The kernel registers them. Cores reach such a page by the bus, as they do a device: each access takes
/// effect at its own simulated time, and a core that polls parks until the page changes. The bytes stay in the node's
/// memory.
///
/// Accesses of 1 to 16 bytes within a page, by physical address. Others get TLM_ADDRESS_ERROR_RESPONSE.
class WatchedMemory : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kPageBytes = 4096;
  /// Each is a window of its own in the instruction-set engines.
  static constexpr std::size_t kMostPages = 256;

  tlm_utils::simple_target_socket_optional<WatchedMemory, 32> bus;

  WatchedMemory(const sc_core::sc_module_name& name, NodeMemory& memory);
  ~WatchedMemory() override;

  /// Registers the page at physical address `page`, which software knows as `shown`. A page that is registered already
  /// stays as it is. Returns nullptr if there are kMostPages.
  const WatchedDevice* watch(std::uint64_t page, std::uint64_t shown);
  std::size_t pages() const { return pages_.size(); }
  /// Whether a page of [address, address + bytes) is watched.
  bool overlaps(std::uint64_t address, std::uint32_t bytes) const;

  /// Writes bytes of any pages, now; cores that poll see it.
  void write(std::uint64_t address, const std::uint8_t* from, std::uint32_t bytes);
  /// Performs `operation` on the word at `address` and the other one of its pair, now; cores that poll see it. Words
  /// have the byte `order`. Returns what the operation gives.
  std::uint64_t apply(const MemoryOperation& operation, std::uint64_t address, ByteOrder order);
  /// Something other than write() has changed pages of [address, address + bytes), now.
  void announce(std::uint64_t address, std::uint32_t bytes);
  /// Brings what bus masters have done up to now into memory, by what was given to settle_by().
  void settle() const {
    if (settle_) settle_();
  }
  void settle_by(std::function<void()> settle) { settle_ = std::move(settle); }

 private:
  class Page;

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  bool serves(const tlm::tlm_generic_payload& access) const;

  NodeMemory& memory_;
  std::map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< by number
  std::function<void()> settle_;
};

}  // namespace toroid
