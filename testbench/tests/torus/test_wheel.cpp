// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "torus/base/random.h"
#include "torus/base/wheel.h"

namespace toroid {
namespace {

struct Recorder final : WheelUnit {
  explicit Recorder(Wheel& wheel_in) : wheel(wheel_in) {}
  void on_event(std::uint32_t what, std::uint32_t arg) override {
    seen.push_back({wheel.now(), what});
    if (arg == 1) wheel.hold(wheel.now() + 2);
    if (arg == 2) wheel.post(wheel.now() + 4095, *this, what + 100, 0);
  }
  using Seen = std::vector<std::pair<Cycle, std::uint32_t>>;
  Wheel& wheel;
  Seen seen;
};

TEST(Wheel, RunsAllEventsOfACycle) {
  Wheel wheel;
  Recorder unit(wheel);
  for (std::uint32_t i = 0; i < 100; ++i) wheel.post(7, unit, i, 0);
  wheel.run_until(10);
  ASSERT_EQ(unit.seen.size(), 100u);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(unit.seen[i], std::make_pair(Cycle{7}, i));
  EXPECT_EQ(wheel.now(), 10u);
  EXPECT_EQ(wheel.next(), kNever);
}

/// Writes down in which phase it is called.
struct Phased final : WheelUnit {
  Phased(Wheel& wheel_in, std::vector<std::string>& calls_in, std::string name_in)
      : wheel(wheel_in), calls(calls_in), name(std::move(name_in)) {}
  void on_event(std::uint32_t what, std::uint32_t) override {
    calls.push_back(name + " event " + std::to_string(what));
    if (what == 0) wheel.settle(*this);
  }
  void settle() override { calls.push_back(name + " settles"); }
  Wheel& wheel;
  std::vector<std::string>& calls;
  std::string name;
};

TEST(Wheel, UnitsSettleAfterAllEventsAndServicesComeLastByWhoseTheyAre) {
  Wheel wheel;
  std::vector<std::string> calls;
  Phased a(wheel, calls, "a");
  Phased b(wheel, calls, "b");
  const auto post = [&](Cycle at) {
    wheel.post_service(at, b, 9, 2);
    wheel.post_service(at, a, 8, 3);
    wheel.post_service(at, b, 7, 2);
    wheel.post(at, a, 0, 0);
    wheel.post(at, b, 1, 0);
    wheel.post_service(at, a, 6, 1);
  };
  const std::vector<std::string> expected{"a event 0", "b event 1", "a settles", "a event 6",
                                          "b event 7", "b event 9", "a event 8"};
  for (const Cycle distance : {Cycle{5}, Cycle{9000}}) {
    calls.clear();
    post(wheel.now() + distance);
    wheel.run_until(wheel.now() + distance);
    EXPECT_EQ(calls, expected);
  }
}

TEST(Wheel, ACycleMayHaveServicesAlone) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post_service(20, unit, 2, 0);
  wheel.post_service(10, unit, 1, 0);
  EXPECT_EQ(wheel.next(), 10u);
  wheel.run_until(30);
  EXPECT_EQ(unit.seen, (Recorder::Seen{{10, 1}, {20, 2}}));
  EXPECT_EQ(wheel.next(), kNever);
}

TEST(Wheel, ShufflesTheEventsOfEachCycleAlone) {
  const auto run = [](std::uint64_t seed) {
    Wheel wheel;
    wheel.shuffle(seed);
    Recorder unit(wheel);
    for (std::uint32_t i = 0; i < 200; ++i) wheel.post(Cycle{1 + i / 100}, unit, i, 0);
    wheel.run_until(10);
    return unit.seen;
  };
  const Recorder::Seen posted = run(0);
  Recorder::Seen shuffled = run(7);
  EXPECT_NE(shuffled, posted);
  EXPECT_NE(shuffled, run(8));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, posted);
}

TEST(Wheel, FarEventsKeepTheirCycle) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(10000, unit, 1, 0);
  wheel.post(10000, unit, 2, 0);
  wheel.post(5000, unit, 0, 0);
  wheel.run_until(9000);
  wheel.post(10000, unit, 3, 0);  // near by now
  EXPECT_EQ(wheel.next(), 10000u);
  wheel.run_until(20000);
  std::sort(unit.seen.begin(), unit.seen.end());
  EXPECT_EQ(unit.seen, (Recorder::Seen{{5000, 0}, {10000, 1}, {10000, 2}, {10000, 3}}));
}

TEST(Wheel, PostingAsFarAsTheRingReachesDoesNotMeetTheRunningSlot) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(1, unit, 5, 2);
  wheel.post(1, unit, 6, 0);
  wheel.run_until(4095);
  EXPECT_EQ(unit.seen, (Recorder::Seen{{1, 5}, {1, 6}}));
  wheel.run_until(4096);
  EXPECT_EQ(unit.seen.back(), std::make_pair(Cycle{4096}, 105u));
}

TEST(Wheel, HoldEndsTheRunAfterTheCycle) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(3, unit, 0, 1);
  wheel.post(5, unit, 1, 0);
  wheel.post(6, unit, 2, 0);
  wheel.run_until(100);
  EXPECT_EQ(wheel.now(), 5u);
  EXPECT_EQ(unit.seen.size(), 2u);
  wheel.run_until(100);  // the hold was for the run before
  EXPECT_EQ(wheel.now(), 100u);
  EXPECT_EQ(unit.seen.size(), 3u);
}

TEST(Wheel, RunWithoutLimitStopsAtTheLastEvent) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(12345, unit, 0, 0);
  wheel.run_until(kNever);
  EXPECT_EQ(wheel.now(), 12345u);
}

TEST(Wheel, RunEventsDoesNotPassTimeNobodyNeeds) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(30, unit, 0, 0);
  wheel.post(90, unit, 1, 0);
  wheel.run_events(60);
  EXPECT_EQ(wheel.now(), 30u);
  EXPECT_EQ(unit.seen.size(), 1u);
}

TEST(Wheel, AgreesWithASortedListOnRandomTimes) {
  Wheel wheel;
  Recorder unit(wheel);
  std::uint64_t random = 42;
  std::vector<std::pair<Cycle, std::uint32_t>> expected;
  std::uint32_t number = 0;
  for (unsigned round = 0; round < 50; ++round) {
    for (unsigned i = 0; i < 200; ++i) {
      const std::uint32_t reach = next_random(random, 4) ? 300 : 30000;
      const Cycle at = wheel.now() + 1 + next_random(random, reach);
      wheel.post(at, unit, number, 0);
      expected.push_back({at, number++});
    }
    Cycle earliest = kNever;
    for (const auto& event : expected) {
      if (event.first > wheel.now()) earliest = std::min(earliest, event.first);
    }
    EXPECT_EQ(wheel.next(), earliest);
    wheel.run_until(wheel.now() + next_random(random, 3000));
  }
  wheel.run_until(kNever);
  EXPECT_TRUE(std::is_sorted(unit.seen.begin(), unit.seen.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; }));
  std::sort(unit.seen.begin(), unit.seen.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(unit.seen, expected);
  EXPECT_EQ(wheel.events(), expected.size());
}

TEST(Wheel, HoldsNoMoreMemoryOnceItHasSeenItsPeak) {
  Wheel wheel;
  Recorder unit(wheel);
  const auto round = [&] {
    for (std::uint32_t i = 0; i < 5000; ++i) wheel.post(wheel.now() + 1 + i % 400, unit, i, 0);
    wheel.run_until(wheel.now() + 400);
    unit.seen.clear();
  };
  round();
  const std::size_t bytes = wheel.memory_bytes();
  for (unsigned i = 0; i < 20; ++i) round();
  EXPECT_EQ(wheel.memory_bytes(), bytes);
}

}  // namespace
}  // namespace toroid
