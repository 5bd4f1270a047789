// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/library.h"

#include <Vlink_pair.h>
#include <Vtorus_router.h>
#include <Vtree.h>

#include <stdexcept>
#include <vector>

#include "nic/bgl/rtl/link_pins.h"
#include "nic/bgl/rtl/router_pins.h"
#include "nic/bgl/rtl/verilated_link.h"
#include "nic/bgl/rtl/verilated_router.h"
#include "nic/bgl/rtl/verilated_tree.h"
#include "torus/rtl/fst_waves.h"

namespace toroid::rtl {

namespace {

class VerilatedLibrary final : public Library {
 public:
  std::unique_ptr<RouterPins> router(const std::string& name) override {
    return made<VerilatedRouter<Vtorus_router>>(name);
  }
  std::unique_ptr<LinkPins> link(const std::string& name) override { return made<VerilatedLink<Vlink_pair>>(name); }
  std::unique_ptr<TreePins> tree(const std::string& name) override { return made<VerilatedTree<Vtree>>(name); }
  std::unique_ptr<Waves> waves(const WavesRequest& request, unsigned mhz) override {
    return std::make_unique<FstWaves>(request, mhz, traced_);
  }
  void forget() override { traced_.clear(); }

 private:
  /// Pins of a unit that can be recorded: a class of verilated_*.h, which leaves its model's clock high.
  template <typename Pins>
  std::unique_ptr<Pins> made(const std::string& name) {
    auto pins = std::make_unique<Pins>(name);
    traced_.push_back({name, [unit = pins.get()](VerilatedFstC& file) { unit->trace(file); },
                       [unit = pins.get()] { unit->lower_clock(); }});
    return pins;
  }

  std::vector<Traced> traced_;
};

}  // namespace

}  // namespace toroid::rtl

extern "C" __attribute__((visibility("default"))) toroid::rtl::Library* toroid_rtl_library(unsigned interface) {
  static toroid::rtl::VerilatedLibrary library;
  return interface == toroid::rtl::kLibraryInterface ? &library : nullptr;
}
