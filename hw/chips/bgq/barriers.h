// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "nic/bgq/mu.h"
#include "nic/bgq/mu_registers.h"
#include "torus/base/network_clock.h"
#include "torus/collective/global_interrupts.h"

namespace toroid {

/// The global interrupts of one node: joins the registers of its Messaging Unit to the trees of the network.
class NodeBarriers final : public MuBarriers, private GlobalInterruptPort {
 public:
  /// Everything is kept by reference.
  NodeBarriers(MuDevice& mu, InterruptClasses& classes, std::uint32_t node, NetworkClock& clock)
      : mu_(mu), classes_(classes), node_(node), clock_(clock) {
    classes.attach(node, *this);
    mu.connect_barriers(*this);
  }

  void set_control(unsigned number, unsigned bits) override { classes_.write(node_, number, bits); }
  unsigned control(unsigned number) const override { return classes_.control(node_, number); }
  unsigned status(unsigned number) const override { return classes_.status(node_, number); }

 private:
  void level_received(unsigned, bool) override { mu_.barriers_changed(clock_.time_of(clock_.wheel().now())); }

  MuDevice& mu_;
  InterruptClasses& classes_;
  const std::uint32_t node_;
  NetworkClock& clock_;
};

}  // namespace toroid
