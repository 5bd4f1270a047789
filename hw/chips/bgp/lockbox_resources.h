// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "nic/bgp/counter_lockbox.h"

namespace toroid {

/// Which counters of a node's lockbox its cores have allocated. Cores that share a counter allocate it each, in any
/// order.
class LockboxResources {
 public:
  static constexpr unsigned kCounters = CounterLockbox::kCounters;

  explicit LockboxResources(CounterLockbox& device) : device_(device) {}

  /// Whether `core` can allocate a counter that `cores` cores share: no others have it, and this one has not.
  bool is_free(unsigned number, unsigned core, unsigned cores) const {
    const Counter& counter = counters_[number];
    return counter.allocated_by == 0 ||
           (counter.cores == cores && counter.times < cores && (counter.allocated_by & 1u << core) == 0);
  }
  /// It is free. A counter is set to 0 when the first core allocates it, whoever is the master: others may use it
  /// before that one comes.
  void allocate(unsigned number, unsigned core, unsigned cores) {
    Counter& counter = counters_[number];
    if (counter.times == 0) device_.set(number, 0);
    counter.cores = static_cast<std::uint8_t>(cores);
    counter.allocated_by = static_cast<std::uint8_t>(counter.allocated_by | 1u << core);
    ++counter.times;
    allocated_.notify(sc_core::SC_ZERO_TIME);
  }
  bool is_allocated_by(unsigned number, unsigned core) const {
    return (counters_[number].allocated_by & 1u << core) != 0;
  }
  /// Notified whenever one is allocated.
  const sc_core::sc_event& allocated() const { return allocated_; }

 private:
  struct Counter {
    std::uint8_t cores = 0;
    std::uint8_t times = 0;         ///< that it has been allocated
    std::uint8_t allocated_by = 0;  ///< a bit a core
  };

  CounterLockbox& device_;
  std::array<Counter, kCounters> counters_{};
  sc_core::sc_event allocated_;
};

}  // namespace toroid
