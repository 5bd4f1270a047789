// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/core/core_observer.h"

namespace toroid {

enum class CoreState : std::uint8_t {
  idle,  ///< nothing to run
  running,
  waiting,   ///< in a call of its software, for a device or for another core; see Core::poll_device() and wait_for()
  sleeping,  ///< in a call of its software, until a time; see Core::sleep()
  parked,    ///< polls devices in a steady loop that only a device change ends; see Core::parked_pc()
  finished,  ///< its software called Core::finish()
  faulted,
  timed_out,  ///< reached the cycle given to Core::set_limit()
};
const char* name_of(CoreState state);

/// What a core is doing, for all parts of it.
struct RunState {
  explicit RunState(Core& of) : core(of) {}

  CoreState state = CoreState::idle;
  bool stopping = false;  ///< the engine is about to leave the program
  bool stopped = false;   ///< from outside, by Core::stop()
  Core& core;
  CoreObserver* observer = nullptr;

  void tell() const {
    if (observer != nullptr) observer->on_state(core);
  }
};

}  // namespace toroid
