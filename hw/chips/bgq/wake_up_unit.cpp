// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/wake_up_unit.h"

#include <algorithm>
#include <cstring>

#include "hw/memory/big_endian.h"
#include "nic/bgq/wu_regs.h"
#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr unsigned kWord = 8;
constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr std::uint64_t kAddress = BGQ_WU_WAC_BASE_ADDRESS_MASK;                     // bits that count
constexpr std::uint64_t kBelow = std::uint64_t{1} << BGQ_WU_WAC_BASE_ADDRESS_SHIFT;  // that do not
constexpr unsigned kEnables = 32;  // how much lower an enable is than its status

// What software changes; the other status bits are others' to hold up.
constexpr std::uint64_t kSettable =
    BGQ_WU_THREAD_SET_WAC_STATUS_MASK | BGQ_WU_THREAD_SET_SOFTWARE_STATUS_MASK | ((std::uint64_t{1} << kEnables) - 1);

std::uint64_t seen_by(unsigned comparator) {
  return std::uint64_t{1} << (63 - comparator);
}

bool is_up_in(std::uint64_t word) {
  return (word >> kEnables & word) != 0;
}

}  // namespace

WakeUpUnit::WakeUpUnit(const sc_core::sc_module_name& name, NodeMemory& memory, WatchedMemory& watched,
                       MemoryReaders& readers, MuDevice& mu)
    : sc_module(name), bus("bus"), memory_(memory), watched_(watched), readers_(readers), mu_(mu) {
  bus.register_b_transport(this, &WakeUpUnit::b_transport);
  bus.register_transport_dbg(this, &WakeUpUnit::transport_dbg);
  SC_HAS_PROCESS(WakeUpUnit);
  SC_METHOD(mu_changed);
  sensitive << mu.interrupt_source().changed();
  dont_initialize();
}

WakeUpUnit::~WakeUpUnit() = default;

WakeUpUnit::Unit& WakeUpUnit::unit(unsigned core) {
  if (units_[core] == nullptr) {
    units_[core] = std::make_unique<Unit>();
    for (Comparator& each : units_[core]->comparators) each.base = each.mask = kAllOnes;
  }
  return *units_[core];
}

// Interrupts between cores would wake a thread as well: they are enabled, and none comes. A thread that has just been
// chosen to run has its comparator set, so that its first wait lets it look.
void WakeUpUnit::begin(unsigned thread) {
  const unsigned place = thread % kThreadsOfACore;
  const std::uint64_t own = seen_by(place);
  const std::uint64_t cores = std::uint64_t{3} << (BGQ_WU_THREAD_SET_CORES_ENABLE_SHIFT + 6 - 2 * place);
  unit(thread / kThreadsOfACore).events[place] = own | own >> kEnables | cores;
}

// Registers. ----------------------------------------------------------------------------------------------------------

void WakeUpUnit::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = serve(access, delay, reason);
  respond(access, response, reason);
}

std::optional<unsigned> WakeUpUnit::thread_at(std::uint64_t offset, bool& clears) {
  const std::uint64_t from = offset - BGQ_WU_THREAD_SET_OFFSET;
  const std::uint64_t within = from % BGQ_WU_THREAD_SET_STRIDE;
  clears = within == BGQ_WU_THREAD_CLEAR_OFFSET - BGQ_WU_THREAD_SET_OFFSET;
  if (offset < BGQ_WU_THREAD_SET_OFFSET || from / BGQ_WU_THREAD_SET_STRIDE >= kThreadsOfACore ||
      (within != 0 && !clears))
    return std::nullopt;
  return static_cast<unsigned>(from / BGQ_WU_THREAD_SET_STRIDE);
}

std::uint64_t* WakeUpUnit::comparator_register(unsigned core, std::uint64_t offset) {
  const std::uint64_t within = offset % BGQ_WU_WAC_BASE_STRIDE;
  if (offset / BGQ_WU_WAC_BASE_STRIDE >= kComparators ||
      (within != BGQ_WU_WAC_BASE_OFFSET && within != BGQ_WU_WAC_MASK_OFFSET))
    return nullptr;
  Comparator& comparator = unit(core).comparators[offset / BGQ_WU_WAC_BASE_STRIDE];
  return within == BGQ_WU_WAC_BASE_OFFSET ? &comparator.base : &comparator.mask;
}

tlm::tlm_response_status WakeUpUnit::serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                           std::string& reason) {
  if (access.get_data_length() != kWord || access.get_address() % kWord != 0) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the wake-up unit, whose registers have 8 at multiples of 8";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = (master == nullptr ? 0 : master->core) / kThreadsOfACore;
  const std::uint64_t offset = access.get_address() - BGQ_WU_BASE;  // in front of it: beyond all registers
  bool clears = false;
  std::uint64_t* const setting = comparator_register(core, offset);
  const std::optional<unsigned> thread = thread_at(offset, clears);
  if (setting == nullptr && !thread) {
    reason =
        "the wake-up unit has no register there that programs may use; they have address comparators 0 to 3 and the "
        "events of threads 0 to 3";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  // Only now is everything done that another core or a bus master does before this access.
  wait_out(delay);
  watched_.settle();
  observe(core);
  if (access.is_read()) {
    store_be64(access.get_data_ptr(), setting != nullptr ? *setting : word(core, *thread));
    return tlm::TLM_OK_RESPONSE;
  }
  const std::uint64_t value = load_be64(access.get_data_ptr());
  if (thread) {
    std::uint64_t& events = unit(core).events[*thread];
    events = clears ? events & ~(value & kSettable) : events | (value & kSettable);
    wake(core, sc_core::sc_time_stamp());
  } else if (*setting != value) {
    *setting = value;
    watch(unit(core).comparators[offset / BGQ_WU_WAC_BASE_STRIDE]);
  }
  return tlm::TLM_OK_RESPONSE;
}

unsigned WakeUpUnit::transport_dbg(tlm::tlm_generic_payload& access) {
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = (master == nullptr ? 0 : master->core) / kThreadsOfACore;
  return debug_read<kWord>(access, [&](std::uint64_t address, std::uint8_t* to, std::string& reason) {
    bool clears = false;
    const std::uint64_t* const setting = comparator_register(core, address - BGQ_WU_BASE);
    const std::optional<unsigned> thread = thread_at(address - BGQ_WU_BASE, clears);
    if (setting == nullptr && !thread) {
      reason = "the wake-up unit has no register there";
      return false;
    }
    store_be64(to, setting != nullptr ? *setting : word(core, *thread));
    return true;
  });
}

// Events. -------------------------------------------------------------------------------------------------------------

void WakeUpUnit::watch(Comparator& comparator) {
  comparator.held.clear();
  comparator.begin = comparator.base & comparator.mask & kAddress;
  const bool may_match = comparator.begin < memory_.size();
  const std::uint64_t free = ~comparator.mask & kAddress;  // bits of an address that may be any
  const std::uint64_t bytes = (free | (kBelow - 1)) + 1;
  comparator.sees_all = may_match && ((bytes & (bytes - 1)) != 0 || bytes > kMostWatched);
  if (!may_match || comparator.sees_all) return;
  const std::uint64_t begin = comparator.begin;
  const std::uint64_t end = std::min<std::uint64_t>(comparator.begin + bytes, memory_.size());
  comparator.held.assign(memory_.host(begin), memory_.host(begin) + (end - comparator.begin));
}

void WakeUpUnit::observe(Unit& unit, unsigned comparator) {
  Comparator& what = unit.comparators[comparator];
  if (!what.sees_all) {
    if (what.held.empty()) return;
    const std::uint8_t* const now = memory_.host(what.begin);
    if (std::memcmp(now, what.held.data(), what.held.size()) == 0) return;
    std::memcpy(what.held.data(), now, what.held.size());
  }
  for (std::uint64_t& events : unit.events) events |= seen_by(comparator);
}

void WakeUpUnit::observe(unsigned core) {
  for (unsigned comparator = 0; comparator < kComparators; ++comparator) observe(unit(core), comparator);
}

std::uint64_t WakeUpUnit::word(unsigned core, unsigned thread) {
  const unsigned lines = mu_.interrupts(core);
  std::uint64_t word = unit(core).events[thread];
  constexpr unsigned kFirst = BGQ_WU_THREAD_SET_MU_STATUS_SHIFT + BGQ_WU_THREAD_SET_MU_STATUS_WIDTH - 1;
  for (unsigned s = 0; s < kThreadsOfACore; ++s) word |= std::uint64_t{lines >> s & 1} << (kFirst - s);
  return word;
}

bool WakeUpUnit::is_up(unsigned thread) {
  const unsigned core = thread / kThreadsOfACore, place = thread % kThreadsOfACore;
  watched_.settle();
  observe(core);
  const std::uint64_t events = unit(core).events[place];
  if ((events & BGQ_WU_THREAD_SET_MU_ENABLE_MASK) == 0) return is_up_in(events);
  return is_up_in(word(core, place));
}

const sc_core::sc_event& WakeUpUnit::begin_wait(unsigned thread) {
  if (woken_[thread] == nullptr) woken_[thread] = std::make_unique<sc_core::sc_event>();
  if (waiting_ == 0) readers_.add(*this);
  waiting_ |= std::uint64_t{1} << thread;
  return *woken_[thread];
}

void WakeUpUnit::end_wait(unsigned thread) {
  waiting_ &= ~(std::uint64_t{1} << thread);
  if (waiting_ == 0) readers_.remove(*this);
}

void WakeUpUnit::wake(unsigned core, const sc_core::sc_time& at) {
  for (unsigned place = 0; place < kThreadsOfACore; ++place) {
    const unsigned thread = core * kThreadsOfACore + place;
    if (is_waiting(thread) && is_up_in(units_[core]->events[place]))
      woken_[thread]->notify(at - sc_core::sc_time_stamp());
  }
}

/// Only what may end a wait is compared: comparators that a waiting thread has enabled, and that have seen nothing yet.
void WakeUpUnit::look(const sc_core::sc_time& at) {
  for (unsigned core = 0; core < kCores; ++core) {
    if ((waiting_ >> core * kThreadsOfACore & 0xF) == 0) continue;
    Unit& here = *units_[core];
    std::uint64_t awaited = 0;
    for (unsigned place = 0; place < kThreadsOfACore; ++place) {
      if (is_waiting(core * kThreadsOfACore + place)) awaited |= here.events[place] << kEnables & ~here.events[place];
    }
    for (unsigned comparator = 0; comparator < kComparators; ++comparator) {
      if ((awaited & seen_by(comparator)) != 0) observe(here, comparator);
    }
    wake(core, at);
  }
}

void WakeUpUnit::on_memory_write(std::uint64_t address, std::uint32_t bytes) {
  for (unsigned core = 0; core < kCores; ++core) {
    if (units_[core] == nullptr) continue;
    for (unsigned comparator = 0; comparator < kComparators; ++comparator) {
      const Comparator& each = units_[core]->comparators[comparator];
      if (each.held.empty() || address >= each.begin + each.held.size() || each.begin >= address + bytes) continue;
      for (std::uint64_t& events : units_[core]->events) events |= seen_by(comparator);
      wake(core, sc_core::sc_time_stamp());
    }
  }
}

void WakeUpUnit::mu_changed() {
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const unsigned core = thread / kThreadsOfACore;
    if (!is_waiting(thread)) continue;
    const std::uint64_t events = units_[core]->events[thread % kThreadsOfACore];
    if ((events & BGQ_WU_THREAD_SET_MU_ENABLE_MASK) != 0) woken_[thread]->notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace toroid
