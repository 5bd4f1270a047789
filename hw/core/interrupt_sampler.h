// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "nic/common/interrupt_line.h"
#include "nic/common/watched_device.h"
#include "torus/base/time.h"

namespace toroid {

/// When a core looks at its interrupt line: at the first block that begins in each run of kCycles cycles, whatever the
/// quantum. Each look makes SystemC's time come up to the core's, so a core that nothing may interrupt, as all but one
/// of a process may be, looks seldom: at the first block in each run of kSeldom cycles.
class InterruptSampler {
 public:
  /// Powers of two: how late an interrupt may be seen, beside the length of a block; and how late the core sees that it
  /// may be interrupted.
  static constexpr CoreCycle kCycles = 64, kSeldom = 4096;

  /// `core`: its number on the node.
  explicit InterruptSampler(unsigned core) : core_(core) {}

  void set_line(InterruptLine& line) { line_ = &line; }
  InterruptLine* line() const { return line_; }
  void accept(bool accept) { accepts_ = at_once_ = accept && line_ != nullptr; }
  bool accepts() const { return accepts_; }
  /// A block begins at `now`: whether the line is to be looked at.
  bool is_due(CoreCycle now) {
    const bool due = at_once_ || now / interval_ != entered_ / interval_;
    entered_ = now;
    at_once_ = false;
    return due;
  }
  /// The first cycle behind `now` at which it may be due.
  CoreCycle next_look(CoreCycle now) const { return (now / interval_ + 1) * interval_; }
  /// A look, at SystemC's time.
  bool interrupted() {
    looked_ = sc_core::sc_time_stamp();
    interval_ = line_->may_interrupt(core_) ? kCycles : kSeldom;
    return line_->interrupts(core_) != 0;
  }
  void skip(CoreCycle cycles) { entered_ += cycles; }

  /// The devices that may interrupt the core as things are.
  const std::vector<const WatchedDevice*>& sources() const {
    static const std::vector<const WatchedDevice*> none;
    return accepts_ ? line_->sources() : none;
  }
  /// SystemC's time at the last look.
  const sc_core::sc_time& looked() const { return looked_; }
  /// Whether one of these has changed since the last look: then the next one may find something.
  bool changed() const {
    for (const WatchedDevice* source : sources()) {
      if (source->last_change() > looked_) return true;
    }
    return false;
  }

 private:
  const unsigned core_;
  InterruptLine* line_ = nullptr;
  bool accepts_ = false;
  bool at_once_ = false;
  CoreCycle interval_ = kCycles;
  sc_core::sc_time looked_;
  CoreCycle entered_ = 0;  ///< when the block entered last began, while interrupts are accepted
};

}  // namespace toroid
