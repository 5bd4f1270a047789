// SPDX-License-Identifier: Apache-2.0
//
// toroid-bench-router-cc CYCLES: host time a clock cycle of a router in Verilog as the simulator runs it, a C++ class
// that the network's timing wheel calls. Prints one JSON object.
#include <Vtorus_router.h>

#include <cstdlib>
#include <systemc>

#include "nic/bgl/rtl/bench_router.h"
#include "nic/bgl/rtl/verilated_router.h"
#include "torus/base/wheel.h"

namespace {

using namespace toroid;
using namespace toroid::rtl;

class Bench final : public WheelUnit {
 public:
  Bench(Wheel& wheel, Cycle cycles) : wheel_(wheel), last_(cycles) {
    router_.reset(PassingPackets::settings());
    wheel_.post(1, *this, 0, 0);
  }

  void on_event(std::uint32_t, std::uint32_t) override {
    packets_.next(out_, in_);
    router_.clock(in_, out_);
    if (wheel_.now() < last_) wheel_.post(wheel_.now() + 1, *this, 0, 0);
  }

  const PassingPackets& packets() const { return packets_; }

 private:
  Wheel& wheel_;
  const Cycle last_;
  VerilatedRouter<Vtorus_router> router_{"router"};
  PassingPackets packets_;
  RouterInputs in_;
  RouterOutputs out_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const std::uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
  Wheel wheel;
  Bench bench(wheel, Cycle{cycles});
  const double begin = cpu_seconds();
  wheel.run_until(Cycle{cycles});
  bench.packets().report(cycles, cpu_seconds() - begin);
  return 0;
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
