// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgl/lockbox_regs.h"
#include "nic/common/pending_work.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// The Blue Gene/L lockbox: the only device with atomic operations between a node's two cores; neither the processor
/// nor the memory has any.
///
/// A lock is taken by a read and released by a write (lockbox_regs.h). A barrier tells each core whether it still waits
/// for the other: the core that arrives second releases both, so a fast core may arrive at the next barrier before the
/// slow one has polled. Barriers and locks of the same slots are independent; software must not use both.
///
/// Accesses of 4 bytes at multiples of 4; each takes effect at its own simulated time: b_transport waits for the
/// initiator's time offset. The core accounts for the cost of accesses.
///
/// Errors, each with a FaultReason:
///   not 4 bytes at a multiple of 4       TLM_BURST_ERROR_RESPONSE
///   write of a query register            TLM_COMMAND_ERROR_RESPONSE
///   no register there                    TLM_ADDRESS_ERROR_RESPONSE
///   write of another value than above    TLM_GENERIC_ERROR_RESPONSE
class LockboxDevice : public sc_core::sc_module, public WatchedDevice, public PendingWorkSource {
 public:
  static constexpr unsigned kLocks = BGL_LOCKBOX_GROUP_COUNT;
  static constexpr unsigned kLocksABarrier = 8;
  static constexpr unsigned kCores = 2;

  tlm_utils::simple_target_socket<LockboxDevice, 32> bus_in;  ///< physical addresses; BusMaster identifies the core

  explicit LockboxDevice(const sc_core::sc_module_name& name);

  // WatchedDevice. Queries and polls of barriers are pure reads, attempts to take a lock are not.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  /// The response to an access that is invalid in any state; `reason` says why.
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& access, std::string& reason) const;
  std::uint32_t read(unsigned lock, unsigned offset, unsigned core);
  void write(unsigned lock, unsigned offset, unsigned core, std::uint32_t value);
  void take(unsigned lock, unsigned core);
  void announce();

  /// Which core took a lock and when, and which cores have found it taken since then: for reports.
  struct Holder {
    unsigned core = 0;
    sc_core::sc_time since;
    std::array<bool, kCores> refused{};
  };

  std::array<bool, kLocks> taken_{};
  std::array<Holder, kLocks> holders_{};                                     ///< of those that are taken
  std::array<std::array<bool, kCores>, kLocks / kLocksABarrier> waiting_{};  ///< by barrier and core
  std::array<sc_core::sc_time, kLocks / kLocksABarrier> arrived_{};          ///< arrival time of the waiting core
  sc_core::sc_event changed_;
  sc_core::sc_time last_change_;
};

}  // namespace toroid
