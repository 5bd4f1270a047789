// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "torus/base/network_clock.h"
#include "torus/base/wheel.h"

namespace toroid {

/// Tells a device's faults to whoever reports them, at the times at which the device finds them. The network may run
/// ahead of SystemC; whoever is told may end the run, so the network goes no further first.
template <typename Fault>
class FaultTeller : public sc_core::sc_module {
 public:
  FaultTeller(const sc_core::sc_module_name& name, NetworkClock& clock, Wheel& wheel)
      : sc_module(name), clock_(clock), wheel_(wheel), found_("found") {
    SC_HAS_PROCESS(FaultTeller);
    SC_METHOD(tell_all);
    sensitive << found_;
    dont_initialize();
  }

  /// Without a listener faults are forgotten.
  void listen(std::function<void(const Fault& fault)> listener) { listener_ = std::move(listener); }

  /// The device has found `fault` at the network's present cycle.
  void add(Fault fault) {
    if (!listener_) return;
    waiting_.push_back(std::move(fault));
    if (wheel_.running()) wheel_.hold(wheel_.now());
    found_.notify(clock_.delay_to(wheel_.now()));
  }

 private:
  void tell_all() {
    for (const Fault& fault : std::exchange(waiting_, {})) listener_(fault);
  }

  NetworkClock& clock_;
  Wheel& wheel_;
  std::function<void(const Fault&)> listener_;
  std::vector<Fault> waiting_;
  sc_core::sc_event found_;
};

}  // namespace toroid
