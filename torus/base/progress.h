// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "torus/base/wheel.h"

namespace toroid {

/// Notices a network in which packets wait and none has moved for a set time. Costs one wheel event per that time, and
/// none while the network is empty.
class ProgressWatch final : public WheelUnit {
 public:
  /// `in_flight` says how many packets are in the network.
  ProgressWatch(Wheel& wheel, std::function<std::uint64_t()> in_flight, Cycle stuck_after)
      : wheel_(wheel), in_flight_(std::move(in_flight)), stuck_after_(stuck_after) {}

  void packet_entered(Cycle now) {
    if (!armed_) arm(now);
  }
  void packet_moved(Cycle now) {
    last_move_ = now;
    if (stuck_) resume(now);
  }

  /// The cycle of the last hop or reception.
  Cycle last_move() const { return last_move_; }
  /// True once nothing has moved for stuck_after cycles; false again when something does.
  bool stuck() const { return stuck_; }
  /// Called, from the wheel, when the network is found stuck.
  void set_on_stuck(std::function<void()> on_stuck) { on_stuck_ = std::move(on_stuck); }

  void on_event(std::uint32_t what, std::uint32_t arg) override;

 private:
  void arm(Cycle now);
  void resume(Cycle now);

  Wheel& wheel_;
  const std::function<std::uint64_t()> in_flight_;
  const Cycle stuck_after_;
  Cycle last_move_ = 0;
  bool armed_ = false;
  bool stuck_ = false;
  std::function<void()> on_stuck_;
};

}  // namespace toroid
