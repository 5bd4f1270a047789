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

/// The Blue Gene/L lockbox: the only thing that a node's two cores can change in one indivisible step, as neither the
/// processor nor the memory has an atomic operation between them.
///
/// A lock is taken by a read and given back by a write (lockbox_regs.h). A barrier tells each core whether it still
/// waits for the other: the one that arrives second sets both free, so that a fast core may come to the next barrier
/// while the slow one has not looked yet. Barriers and locks of the same slots do not know each other; software keeps
/// them apart.
///
/// Accesses of 4 bytes at multiples of 4; each takes effect at its own simulated time: the transport waits the
/// initiator's offset out. Costs of accesses are the core's.
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

  tlm_utils::simple_target_socket<LockboxDevice, 32> bus_in;  ///< physical addresses; BusMaster tells the core

  explicit LockboxDevice(const sc_core::sc_module_name& name);

  // WatchedDevice. Queries and polls of barriers are pure, attempts to take a lock are not.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  /// The response to an access that cannot be made whatever the state; `reason` says why not.
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& access, std::string& reason) const;
  std::uint32_t read(unsigned lock, unsigned offset, unsigned core);
  void write(unsigned lock, unsigned offset, unsigned core, std::uint32_t value);
  void take(unsigned lock, unsigned core);
  void announce();

  /// Who took a lock when, and which cores have found it taken since: for reports.
  struct Holder {
    unsigned core = 0;
    sc_core::sc_time since;
    std::array<bool, kCores> refused{};
  };

  std::array<bool, kLocks> taken_{};
  std::array<Holder, kLocks> holders_{};                                     ///< of those that are taken
  std::array<std::array<bool, kCores>, kLocks / kLocksABarrier> waiting_{};  ///< by barrier and core
  std::array<sc_core::sc_time, kLocks / kLocksABarrier> arrived_{};          ///< the core that waits
  sc_core::sc_event changed_;
  sc_core::sc_time last_change_;
};

}  // namespace toroid
