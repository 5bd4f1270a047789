// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "hw/core/memory_readers.h"
#include "hw/isa/engine.h"
#include "hw/memory/memory_view.h"
#include "torus/base/parameter.h"

namespace toroid {

/// How much memory around a word a load-and-reserve instruction reserves.
struct ReservationConfig {
  unsigned bytes = 0;  ///< a power of two; 0: the word itself, as long as it holds the same value

  /// There can be so many.
  bool is_valid() const { return (bytes & (bytes - 1)) == 0 && (bytes == 0 || bytes >= sizeof(std::uint64_t)); }
  void visit_parameters(ParameterVisitor& visitor);
};

/// The granule of memory that a core has reserved. The reservation is lost when another core or a bus master stores
/// there: this compares what the granule holds before and after others may have run, so a store of what is there
/// already is not seen. The core's own stores do not count.
class ReservedGranule final : public MemoryReader {
 public:
  static constexpr unsigned kMostBytes = 128;

  ReservedGranule(unsigned bytes, Engine& engine, const MemoryView& memory)
      : bytes_(bytes), engine_(engine), memory_(memory) {}

  /// Others may run now, beside those who have run since the last call.
  void before_wait();
  /// Others may have run.
  void look() {
    if (kept_) compare();
  }
  /// Others may have run while the core sleeps, which stores nothing: what is kept stays right until they store.
  void look_asleep() {
    if (kept_ && is_changed()) compare();
  }
  /// The core has a reservation.
  bool is_held() const { return engine_.reservation().has_value(); }
  /// Notified when it is lost while the core sleeps, if it is among the node's readers.
  const sc_core::sc_event& lost() const { return lost_; }
  // MemoryReader.
  void look(const sc_core::sc_time& at) override;

 private:
  void compare();
  bool is_changed() const;

  const unsigned bytes_;
  Engine& engine_;
  const MemoryView& memory_;
  bool kept_ = false;
  std::uint64_t begin_ = 0;  ///< of what is kept
  std::array<std::uint8_t, kMostBytes> held_{};
  sc_core::sc_event lost_;
};

}  // namespace toroid
