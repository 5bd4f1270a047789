// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgl/rtl/router_adapter.h"
#include "nic/bgl/rtl/verilated_router.h"
#include "testbench/tests/torus/replay.h"

namespace toroid::test {

/// Puts routers of the Verilated class `Model` into networks, and looks after what they tell.
template <class Model>
class RtlRouters {
 public:
  using Choice = std::function<bool(std::uint32_t node)>;
  static bool all(std::uint32_t) { return true; }

  explicit RtlRouters(Choice choice = all) : choice_(std::move(choice)) {}

  void install(TorusNetwork& network) {
    run_ = std::make_unique<rtl::RtlRun>(network.wheel());
    for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
      if (!choice_(node)) continue;
      const std::string name = "router@" + std::to_string(node);
      auto router = std::make_unique<rtl::RtlRouter>(network, node, name,
                                                     std::make_unique<rtl::VerilatedRouter<Model>>(name), *run_);
      routers.push_back(router.get());
      network.stand_in(std::move(router));
    }
  }

  /// `options` with these routers.
  ReplayOptions in(ReplayOptions options) {
    options.install = [this](TorusNetwork& network) { install(network); };
    options.failed = [this] { return !fault().empty(); };
    return options;
  }

  std::uint64_t changed_bytes() const {
    std::uint64_t sum = 0;
    for (const rtl::RtlRouter* router : routers) sum += router->changed_bytes();
    return sum;
  }

  /// What a router was found to do that it must not; empty when nothing.
  std::string fault() const { return run_->fault().value_or(""); }

  std::vector<rtl::RtlRouter*> routers;  ///< of the network installed last, which owns them

 private:
  Choice choice_;
  std::unique_ptr<rtl::RtlRun> run_;
};

}  // namespace toroid::test
