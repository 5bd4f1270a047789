// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "nic/common/interrupt_line.h"
#include "nic/common/watched_device.h"
#include "torus/base/time.h"

namespace toroid {

/// When a core looks at its interrupt line: at the first block that begins in each run of kCycles cycles, whatever the
/// quantum.
class InterruptSampler {
 public:
  /// A power of two: how late an interrupt may be seen, beside the length of a block.
  static constexpr CoreCycle kCycles = 64;

  /// `core`: its number on the node.
  explicit InterruptSampler(unsigned core) : core_(core) {}

  void set_line(InterruptLine& line) { line_ = &line; }
  InterruptLine* line() const { return line_; }
  void accept(bool accept) { accepts_ = at_once_ = accept && line_ != nullptr; }
  bool accepts() const { return accepts_; }
  /// A block begins at `now`: whether the line is to be looked at.
  bool is_due(CoreCycle now) {
    const bool due = at_once_ || now / kCycles != entered_ / kCycles;
    entered_ = now;
    at_once_ = false;
    return due;
  }
  /// The first cycle behind `now` at which it may be due.
  static CoreCycle next_look(CoreCycle now) { return (now / kCycles + 1) * kCycles; }
  bool interrupted() const { return line_->interrupts(core_); }
  void skip(CoreCycle cycles) { entered_ += cycles; }

  /// The devices that may interrupt the core as things are.
  const std::vector<const WatchedDevice*>& sources() const {
    static const std::vector<const WatchedDevice*> none;
    return accepts_ ? line_->sources() : none;
  }
  /// Whether one of these has changed later than `time`.
  bool changed_since(const sc_core::sc_time& time) const {
    for (const WatchedDevice* source : sources()) {
      if (source->last_change() > time) return true;
    }
    return false;
  }

 private:
  const unsigned core_;
  InterruptLine* line_ = nullptr;
  bool accepts_ = false;
  bool at_once_ = false;
  CoreCycle entered_ = 0;  ///< when the block entered last began, while interrupts are accepted
};

}  // namespace toroid
