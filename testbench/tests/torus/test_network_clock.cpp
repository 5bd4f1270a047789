// SPDX-License-Identifier: Apache-2.0
// One elaboration: the scene below runs once, the tests look at what it has recorded.
#include <gtest/gtest.h>

#include <vector>

#include "torus/base/network_clock.h"

namespace toroid {
namespace {

using sc_core::sc_time;

constexpr unsigned kMhz = 175;

TEST(Clock, CyclesAndTimesAreInverse) {
  for (const unsigned mhz : {175u, 425u, 700u, 500u, 1000u}) {
    for (const Cycle cycle :
         {Cycle{0}, Cycle{1}, Cycle{2}, Cycle{3}, Cycle{174}, Cycle{175}, Cycle{123456789}, Cycle{1000000000000}}) {
      EXPECT_EQ(cycle_at(time_of(cycle, mhz), mhz), cycle);
      EXPECT_EQ(cycle_begun(time_of(cycle, mhz), mhz), cycle);
      EXPECT_EQ(cycle_begun(time_of(cycle, mhz) + sc_time::from_value(1), mhz), cycle);
      EXPECT_EQ(cycle_at(time_of(cycle, mhz) + sc_time::from_value(1), mhz), cycle + 1);
    }
  }
  EXPECT_EQ(time_of(Cycle{175}, kMhz), sc_time(1, sc_core::SC_US));
}

/// On the wheel: counts, and wakes something outside at a chosen cycle.
struct Unit final : WheelUnit {
  Unit(NetworkClock& clock_in, sc_core::sc_event& wake_in) : clock(clock_in), wake(wake_in) {}
  void on_event(std::uint32_t what, std::uint32_t arg) override {
    seen.push_back({clock.wheel().now(), what});
    if (arg) {
      const Cycle at = clock.wheel().now() + arg;
      clock.wheel().hold(at);
      wake.notify(clock.delay_to(at));
    }
  }
  NetworkClock& clock;
  sc_core::sc_event& wake;
  std::vector<std::pair<Cycle, std::uint32_t>> seen;
};

struct Scene : sc_core::sc_module {
  SC_HAS_PROCESS(Scene);
  explicit Scene(const sc_core::sc_module_name& name)
      : sc_module(name), clock("clock", wheel, kMhz), unit(clock, wake) {
    SC_THREAD(core);
    SC_THREAD(sleeper);
  }

  void core() {
    // Posts from outside wake a wheel that stands still.
    wait(sc_time(1, sc_core::SC_US));
    clock.sync_to(sc_core::sc_time_stamp());
    synced_to = wheel.now();
    wheel.post(180, unit, 1, 0);
    wheel.post(400, unit, 2, 5);  // wakes the sleeper at cycle 405
    wheel.post(406, unit, 3, 0);
    wheel.post(100000, unit, 4, 0);
    wait(sc_time(300, sc_core::SC_US));
    // Looks at the network at a local time ahead of SystemC's.
    seen_before = unit.seen.size();
    run_alone();
    clock.sync_to(sc_core::sc_time_stamp() + sc_time(10, sc_core::SC_US));
    ahead = wheel.now();
    clock.stop_at(200000);
    wheel.post(199999, unit, 5, 0);
    wheel.post(200001, unit, 6, 0);
  }

  /// From 301 us on: the network runs, and SystemC's time stays, where nothing else can act.
  void run_alone() {
    const auto after = [](double us) { return sc_time(us, sc_core::SC_US); };
    const auto cycle_after = [&](double us) { return cycle_begun(sc_core::sc_time_stamp() + after(us), kMhz); };
    alone.push_back(clock.run_alone(after(1)) && wheel.now() == cycle_after(1));
    wheel.post(cycle_after(2), unit, 7, 0);  // the clock is to wake for it
    alone.push_back(clock.run_alone(after(3)) && wheel.now() == cycle_after(3));
    wake.notify(after(4));
    alone.push_back(clock.run_alone(after(5)) || wheel.now() != cycle_after(3));
    wake.cancel();
    alone.push_back(clock.run_alone(after(100)));        // too far ahead
    wheel.post(cycle_after(6), unit, 8, 2);              // wakes somebody two cycles later
    alone.push_back(clock.run_alone(after(7)));          // which comes before
    alone.push_back(wheel.now() == cycle_after(6) + 2);  // but no further
    stayed = sc_core::sc_time_stamp() == after(301);
  }

  void sleeper() {
    wait(wake);
    woken = cycle_begun(sc_core::sc_time_stamp(), kMhz);
    clock.sync_to(sc_core::sc_time_stamp());
    wheel_when_woken = wheel.now();
    events_when_woken = unit.seen.size();
  }

  Wheel wheel;
  NetworkClock clock;
  sc_core::sc_event wake;
  Unit unit;
  Cycle synced_to = 0;
  Cycle ahead = 0;
  std::vector<bool> alone;
  bool stayed = false;
  std::size_t seen_before = 0;
  Cycle woken = 0;
  Cycle wheel_when_woken = 0;
  std::size_t events_when_woken = 0;
};

TEST(NetworkClock, DrivesTheWheelInStepWithSystemC) {
  Scene scene("scene");
  sc_core::sc_start();
  EXPECT_EQ(scene.synced_to, 175u);
  EXPECT_EQ(scene.woken, 405u);
  EXPECT_EQ(scene.wheel_when_woken, 405u);  // the hold: not past what acts outside
  EXPECT_EQ(scene.events_when_woken, 2u);   // and the event of cycle 406 has not run
  EXPECT_EQ(scene.seen_before, 3u);
  EXPECT_EQ(scene.ahead, cycle_begun(sc_time(311, sc_core::SC_US), kMhz));
  EXPECT_EQ(scene.alone, (std::vector<bool>{true, true, false, false, false, true}));
  EXPECT_TRUE(scene.stayed);
  const std::vector<std::pair<Cycle, std::uint32_t>> expected{{180, 1},   {400, 2},    {406, 3},   {53025, 7},
                                                              {53725, 8}, {100000, 4}, {199999, 5}};
  EXPECT_EQ(scene.unit.seen, expected);
  EXPECT_TRUE(scene.clock.stopped());
  EXPECT_EQ(sc_core::sc_time_stamp(), time_of(Cycle{200000}, kMhz));
}

}  // namespace
}  // namespace toroid
