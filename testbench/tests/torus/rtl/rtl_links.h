// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nic/bgl/rtl/link_adapter.h"
#include "nic/bgl/rtl/verilated_link.h"
#include "testbench/tests/torus/replay.h"

namespace toroid::test {

/// Puts links of the Verilated class `Model` into networks, and looks after what they tell.
template <class Model>
class RtlLinks {
 public:
  using Choice = std::function<bool(std::uint32_t node, unsigned direction)>;
  static bool all(std::uint32_t, unsigned) { return true; }

  explicit RtlLinks(Choice choice = all) : choice_(std::move(choice)) {}

  void install(TorusNetwork& network) {
    run_ = std::make_unique<rtl::RtlRun>(network.wheel());
    links.clear();
    for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
      for (unsigned d = 0; d < network.topology().directions(); ++d) {
        if (network.router(node).neighbour(d) == kNoNode || !choice_(node, d)) continue;
        const std::string name = "link@" + std::to_string(node) + "." + std::to_string(d);
        auto link =
            std::make_unique<rtl::RtlLink>(network.router(node), d, network.config(), network.link_seed(node, d), name,
                                           std::make_unique<rtl::VerilatedLink<Model>>(name), *run_);
        links.push_back(link.get());
        network.set_link(std::move(link));
      }
    }
  }

  /// `options` with these links.
  ReplayOptions in(ReplayOptions options) {
    options.install = [this](TorusNetwork& network) { install(network); };
    options.failed = [this] { return !fault().empty(); };
    return options;
  }

  std::uint64_t changed_bytes() const {
    std::uint64_t sum = 0;
    for (const rtl::RtlLink* link : links) sum += link->changed_bytes();
    return sum;
  }
  std::uint64_t clock_cycles() const {
    std::uint64_t sum = 0;
    for (const rtl::RtlLink* link : links) sum += link->clock_cycles();
    return sum;
  }

  /// What a link was found to do that it must not; empty when nothing.
  std::string fault() const { return run_ ? run_->fault().value_or("") : ""; }

  std::vector<rtl::RtlLink*> links;  ///< of the network installed last, which owns them

 private:
  Choice choice_;
  std::unique_ptr<rtl::RtlRun> run_;
};

}  // namespace toroid::test
