// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "nic/bgq/mu.h"

namespace toroid {

/// Who may use what of a node's Messaging Unit, as its kernel keeps it: in the unit's own registers. A FIFO is free
/// while its START is 0, a base address while it is BGQ_BASE_FREE. Numbers are those within a subgroup.
class MuResources {
 public:
  /// The unit is kept by reference.
  explicit MuResources(MuDevice& mu) : mu_(mu) {}

  /// What the kernel does before a job: engines work, users' packets may reach memory [0, bytes), nothing is a
  /// user's but class 0 of the global interrupts, errors interrupt.
  void set_up(std::uint64_t memory_bytes);

  struct InjectionSettings {
    bool remote_get;
    bool priority;
  };
  bool is_injection_free(unsigned subgroup, unsigned fifo) const;
  void take_injection(unsigned subgroup, unsigned fifo, const InjectionSettings& settings);
  void free_injection(unsigned subgroup, unsigned fifo);
  bool is_reception_free(unsigned subgroup, unsigned fifo) const;
  void take_reception(unsigned subgroup, unsigned fifo);
  void free_reception(unsigned subgroup, unsigned fifo);
  bool is_base_free(unsigned subgroup, unsigned slot) const;
  void take_base(unsigned subgroup, unsigned slot);
  void free_base(unsigned subgroup, unsigned slot);

  /// ORs `bits` into RMFIFO_ENABLE of a group.
  void enable_reception(unsigned group, std::uint64_t bits);
  /// Whether a crossed threshold of the FIFO interrupts, and a packet that has come.
  void set_injection_interrupt(unsigned subgroup, unsigned fifo, bool threshold);
  void set_reception_interrupts(unsigned subgroup, unsigned fifo, bool threshold, bool packet);
  void set_injection_threshold(std::uint64_t value);
  void set_remote_get_threshold(std::uint64_t value);
  void set_reception_threshold(std::uint64_t value);
  /// Whether a subgroup's interrupts go to the global event aggregator, and bit `bit` of a class of global interrupts
  /// interrupts.
  void set_aggregation(unsigned subgroup, bool on);
  void set_barrier_interrupt(unsigned number, unsigned bit, bool on);

 private:
  void set_priority(unsigned subgroup, unsigned fifo, bool priority);
  bool are_bases_system(unsigned subgroup) const;
  void change(unsigned dcr, std::uint64_t bits, bool set);
  void change_injection(unsigned dcr, unsigned subgroup, unsigned fifo, bool set);
  void change_reception(unsigned dcr, unsigned subgroup, unsigned fifo, bool set);

  MuDevice& mu_;
};

}  // namespace toroid
