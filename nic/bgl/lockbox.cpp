// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/lockbox.h"

#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr std::uint64_t kSize = std::uint64_t{LockboxDevice::kLocks} * BGL_LOCKBOX_GROUP_STRIDE;

}  // namespace

LockboxDevice::LockboxDevice(const sc_core::sc_module_name& name)
    : sc_module(name), bus_in("bus_in"), changed_("changed") {
  bus_in.register_b_transport(this, &LockboxDevice::b_transport);
  bus_in.register_transport_dbg(this, &LockboxDevice::transport_dbg);
}

bool LockboxDevice::is_pure_read(std::uint64_t address) const {
  const std::uint64_t at = address - BGL_LOCKBOX_BASE;
  const std::uint64_t offset = at % BGL_LOCKBOX_GROUP_STRIDE;
  return at < kSize && (offset == BGL_LOCKBOX_QUERY_OFFSET || offset == BGL_LOCKBOX_BARRIER_OFFSET);
}

std::string LockboxDevice::name_of(std::uint64_t address) const {
  const std::uint64_t at = address - BGL_LOCKBOX_BASE;
  const std::string lock = std::to_string(at / BGL_LOCKBOX_GROUP_STRIDE);
  return at % BGL_LOCKBOX_GROUP_STRIDE == BGL_LOCKBOX_BARRIER_OFFSET ? "the barrier at lock " + lock : "lock " + lock;
}

tlm::tlm_response_status LockboxDevice::check(const tlm::tlm_generic_payload& access, std::string& reason) const {
  const std::uint64_t at = access.get_address() - BGL_LOCKBOX_BASE;
  const std::uint64_t lock = at / BGL_LOCKBOX_GROUP_STRIDE;
  const std::uint64_t offset = at % BGL_LOCKBOX_GROUP_STRIDE;
  if (access.get_data_length() != 4 || at % 4 != 0 || access.get_byte_enable_ptr() != nullptr ||
      access.get_streaming_width() < 4) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the lockbox, which takes aligned words of 4 bytes only";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (lock >= kLocks) {
    reason = "access to lock " + std::to_string(lock) + "; user software has locks 0 to " + std::to_string(kLocks - 1);
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const std::string name = "lock " + std::to_string(lock);
  if (offset != BGL_LOCKBOX_ACQUIRE_OFFSET && offset != BGL_LOCKBOX_QUERY_OFFSET &&
      offset != BGL_LOCKBOX_BARRIER_OFFSET) {
    reason = "access to " + name + " where there is no register";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (offset == BGL_LOCKBOX_BARRIER_OFFSET && lock % kLocksABarrier != 0) {
    reason = "barrier at " + name + "; a barrier's lock number is a multiple of " + std::to_string(kLocksABarrier);
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (access.is_read()) return tlm::TLM_OK_RESPONSE;
  if (!access.is_write() || offset == BGL_LOCKBOX_QUERY_OFFSET) {
    reason = "write to the query register of " + name + ", which can only be read";
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  const std::uint32_t value = load_word<std::uint32_t>(access.get_data_ptr());
  const bool barrier = offset == BGL_LOCKBOX_BARRIER_OFFSET;
  if (value > (barrier ? 0u : 1u)) {
    reason = "write of " + std::to_string(value) + " to " + (barrier ? "the barrier at " : "") + name +
             (barrier ? ", which takes 0" : ", which takes 0 (clear) or 1 (force)");
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

void LockboxDevice::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = check(access, reason);
  if (!respond(access, response, reason)) return;

  // Only now is everything done that the other core does before this access.
  wait_out(delay);
  const std::uint64_t at = access.get_address() - BGL_LOCKBOX_BASE;
  const auto lock = static_cast<unsigned>(at / BGL_LOCKBOX_GROUP_STRIDE);
  const auto offset = static_cast<unsigned>(at % BGL_LOCKBOX_GROUP_STRIDE);
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = master == nullptr ? 0 : master->core % kCores;
  if (access.is_read()) {
    store_word(access.get_data_ptr(), read(lock, offset, core));
  } else {
    write(lock, offset, core, load_word<std::uint32_t>(access.get_data_ptr()));
  }
}

unsigned LockboxDevice::transport_dbg(tlm::tlm_generic_payload& access) {
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = master == nullptr ? 0 : master->core % kCores;
  return debug_read<4>(access, [this, core](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    const std::uint64_t at = address - BGL_LOCKBOX_BASE;
    const auto lock = static_cast<unsigned>(at / BGL_LOCKBOX_GROUP_STRIDE);
    const auto offset = static_cast<unsigned>(at % BGL_LOCKBOX_GROUP_STRIDE);
    const bool barrier = offset == BGL_LOCKBOX_BARRIER_OFFSET && lock % kLocksABarrier == 0;
    if (lock >= kLocks || (offset != BGL_LOCKBOX_QUERY_OFFSET && !barrier)) {
      reason = at < kSize && offset == BGL_LOCKBOX_ACQUIRE_OFFSET
                   ? "a read there takes lock " + std::to_string(lock) + "; its query register is 4 bytes further"
                   : "there is no register there in the lockbox";
      return false;
    }
    store_word(word, read(lock, offset, core));
    return true;
  });
}

std::uint32_t LockboxDevice::read(unsigned lock, unsigned offset, unsigned core) {
  if (offset == BGL_LOCKBOX_BARRIER_OFFSET) return waiting_[lock / kLocksABarrier][core] ? 1 : 0;
  if (offset == BGL_LOCKBOX_QUERY_OFFSET) return taken_[lock] ? 1 : 0;
  if (taken_[lock]) {
    holders_[lock].refused[core] = true;
    return 1;
  }
  take(lock, core);
  return 0;
}

void LockboxDevice::write(unsigned lock, unsigned offset, unsigned core, std::uint32_t value) {
  if (offset == BGL_LOCKBOX_BARRIER_OFFSET) {
    std::array<bool, kCores>& waiting = waiting_[lock / kLocksABarrier];
    const bool other_waits = waiting[1 - core];
    waiting[core] = !other_waits;
    waiting[1 - core] = false;
    arrived_[lock / kLocksABarrier] = sc_core::sc_time_stamp();
    announce();
    return;
  }
  const bool takes = value != 0;
  if (taken_[lock] == takes) return;
  if (takes) {
    take(lock, core);
    return;
  }
  taken_[lock] = false;
  announce();
}

void LockboxDevice::take(unsigned lock, unsigned core) {
  taken_[lock] = true;
  holders_[lock] = {core, sc_core::sc_time_stamp(), {}};
  announce();
}

std::vector<PendingWork> LockboxDevice::pending_work(const std::string& node) const {
  std::vector<PendingWork> work;
  for (unsigned lock = 0; lock < kLocks; ++lock) {
    if (!taken_[lock]) continue;
    const Holder& holder = holders_[lock];
    for (unsigned core = 0; core < kCores; ++core) {
      if (!holder.refused[core]) continue;
      const std::string by = core == holder.core ? "it holds itself" : "core " + std::to_string(holder.core) + " holds";
      work.push_back(
          {PendingWork::Kind::awaited,
           "core " + std::to_string(core) + " of " + node + " waits for lock " + std::to_string(lock) + ", which " + by,
           holder.since});
    }
  }
  for (unsigned barrier = 0; barrier < waiting_.size(); ++barrier) {
    for (unsigned core = 0; core < kCores; ++core) {
      if (!waiting_[barrier][core]) continue;
      work.push_back({PendingWork::Kind::awaited,
                      "core " + std::to_string(core) + " of " + node + " waits at the barrier of lock " +
                          std::to_string(barrier * kLocksABarrier) + ", to which core " + std::to_string(1 - core) +
                          " has not come",
                      arrived_[barrier]});
    }
  }
  return work;
}

void LockboxDevice::announce() {
  last_change_ = sc_core::sc_time_stamp();
  changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace toroid
