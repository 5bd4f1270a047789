// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Wheel, RunsEventsOfACycleInTheOrderOfPosting) {
  Wheel wheel;
  Recorder unit(wheel);
  for (std::uint32_t i = 0; i < 100; ++i) wheel.post(7, unit, i, 0);
  wheel.run_until(10);
  ASSERT_EQ(unit.seen.size(), 100u);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(unit.seen[i], std::make_pair(Cycle{7}, i));
  EXPECT_EQ(wheel.now(), 10u);
  EXPECT_EQ(wheel.next(), kNever);
}

TEST(Wheel, RunsEventsFromOutsideFirstAndInAnOrderThatPostingDoesNotDecide) {
  for (const bool late : {false, true}) {
    Wheel wheel;
    Recorder unit(wheel);
    const std::vector<std::uint32_t> expected{1, 2, 3, 7, 8};
    for (unsigned far = 0; far < 2; ++far) {
      const Cycle at = wheel.now() + (far ? 9000 : 9);
      if (!late) wheel.post(at, unit, 7, 0);
      wheel.post_outside(at, unit, late ? 1 : 3, 0);
      wheel.post_outside(at, unit, 2, 0);
      wheel.post_outside(at, unit, late ? 3 : 1, 0);
      if (late) wheel.post(at, unit, 7, 0);
      wheel.post(at, unit, 8, 0);
      wheel.run_until(at);
      std::vector<std::uint32_t> seen;
      for (const auto& event : unit.seen) seen.push_back(event.second);
      EXPECT_EQ(seen, expected);
      unit.seen.clear();
    }
  }
}

TEST(Wheel, OrdersEventsFromOutsideByUnit) {
  Wheel wheel;
  std::vector<unsigned> order;
  struct Unit final : WheelUnit {
    void on_event(std::uint32_t, std::uint32_t arg) override { order->push_back(arg); }
    std::vector<unsigned>* order = nullptr;
  };
  Unit units[3];
  for (Unit& unit : units) unit.order = &order;
  for (const unsigned i : {2u, 0u, 1u}) wheel.post_outside(5, units[i], 0, i);
  wheel.run_until(5);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2}));
}

TEST(Wheel, FarEventsKeepTheirCycleAndTheirOrder) {
  Wheel wheel;
  Recorder unit(wheel);
  wheel.post(10000, unit, 1, 0);
  wheel.post(10000, unit, 2, 0);
  wheel.post(5000, unit, 0, 0);
  wheel.run_until(9000);
  wheel.post(10000, unit, 3, 0);  // near by now
  EXPECT_EQ(wheel.next(), 10000u);
  wheel.run_until(20000);
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
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
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
