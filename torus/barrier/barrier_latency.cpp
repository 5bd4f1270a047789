// SPDX-License-Identifier: Apache-2.0
#include "torus/barrier/barrier_latency.h"

#include <algorithm>

namespace toroid {
namespace {

struct Watch final : GlobalInterruptPort {
  const Wheel* wheel = nullptr;
  Cycle last = 0;
  void level_received(unsigned, bool level) override {
    if (!level) last = std::max(last, wheel->now());
  }
};

}  // namespace

Cycle measure_barrier(const GlobalInterruptConfig& config, const TreeTopology& tree) {
  Wheel wheel;
  GlobalInterrupts network(wheel, config, tree);
  Watch watch;
  watch.wheel = &wheel;
  for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
    network.attach(node, watch);
    network.send(node, 0, true);
  }
  network.start();
  for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) network.send(node, 0, false);
  wheel.run_events(kNever);
  return watch.last;
}

}  // namespace toroid
