// SPDX-License-Identifier: Apache-2.0
#include "torus/base/progress.h"

namespace toroid {
namespace {

constexpr std::uint32_t kAfterAll = ~std::uint32_t{0};  ///< watches are the last of a cycle's services

}  // namespace

void ProgressWatch::arm(Cycle now) {
  armed_ = true;
  last_move_ = now;  // entering counts: an empty network has been idle without being stuck
  wheel_.post_service(now + stuck_after_, *this, 0, kAfterAll);
}

/// What was stuck has moved after all: watch on.
void ProgressWatch::resume(Cycle now) {
  stuck_ = false;
  if (!armed_) arm(now);
}

void ProgressWatch::on_event(std::uint32_t, std::uint32_t) {
  if (!in_flight_()) {
    armed_ = false;
    return;
  }
  const Cycle due = last_move_ + stuck_after_;
  if (due > wheel_.now()) {
    wheel_.post_service(due, *this, 0, kAfterAll);
    return;
  }
  // Not armed again until a packet enters: a network that is stuck for good leaves the wheel empty.
  armed_ = false;
  stuck_ = true;
  if (on_stuck_) on_stuck_();
}

}  // namespace toroid
