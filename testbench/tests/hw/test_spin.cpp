// SPDX-License-Identifier: Apache-2.0
//
// Parked spinning: the same results with and without, at every phase of a change against the loop.
#include <gtest/gtest.h>

#include "guest_run.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

constexpr unsigned kMhz = 700;

GuestRun spin(const std::string& what, std::vector<ToyDevice::Change> changes, bool park) {
  GuestRun run;
  run.program = "spin";
  run.arguments = {what};
  run.changes = std::move(changes);
  run.core.park = park;
  return run;
}

void expect_same(const GuestResult& a, const GuestResult& b) {
  EXPECT_EQ(a.error, "");
  EXPECT_EQ(b.error, "");
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(a.report, b.report);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.device_reads, b.device_reads);
  EXPECT_EQ(a.device_writes, b.device_writes);
  EXPECT_EQ(a.device_log, b.device_log);
  EXPECT_EQ(a.system_calls, b.system_calls);
}

struct Loop {
  const char* what;
  bool parks;
};

class Loops : public testing::TestWithParam<Loop> {};

// The second word changes 7 cycles after the first: in some phases between a turn's two reads.
TEST_P(Loops, AreTheSameWithAndWithoutParkingAtEveryPhase) {
  constexpr CoreCycle kStart = 200'000;  // the program's own start is over
  // All phases for the loop whose turn has the most places to change at, every third for the others.
  const CoreCycle step = std::string(GetParam().what) == "two-always" ? 1 : 3;
  for (CoreCycle phase = 0; phase < 130; phase += step) {
    std::vector<ToyDevice::Change> changes{{time_of(kStart + phase, kMhz), 0, 1},
                                           {time_of(kStart + phase + 7, kMhz), 1, 1}};
    const GuestResult parked = run_guest(spin(GetParam().what, changes, true));
    const GuestResult plain = run_guest(spin(GetParam().what, changes, false));
    expect_same(parked, plain);
    EXPECT_EQ(parked.state, "finished");
    EXPECT_EQ(parked.times_parked > 0, GetParam().parks);
    EXPECT_EQ(plain.times_parked, 0u);
    if (HasFailure()) FAIL() << GetParam().what << " at phase " << phase;
    if (!GetParam().parks) phase += 30;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Loops,
                         testing::Values(Loop{"direct", true}, Loop{"calls", true}, Loop{"pointers", true},
                                         Loop{"two", true}, Loop{"two-always", true}, Loop{"two-calls", true},
                                         Loop{"quad", true}, Loop{"slow", true}, Loop{"memory", true},
                                         Loop{"vector-clear", true}, Loop{"two-callers", true},
                                         Loop{"overwritten", true},
                                         // Their turns differ, or do what a parked core would miss.
                                         Loop{"counter", false}, Loop{"counter-in-memory", false},
                                         Loop{"counter-behind-pointer", false}, Loop{"hidden-counter", false},
                                         Loop{"counter-behind-arithmetic", false}, Loop{"yield", false},
                                         Loop{"floating-counter", false}, Loop{"vector-counter", false},
                                         Loop{"time-base", false}, Loop{"fifo", false}, Loop{"misses", false}),
                         [](const testing::TestParamInfo<Loop>& loop) {
                           std::string name = loop.param.what;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// Without caches, a loop of which only caches change is steady; one that flushes what it polls is not.
TEST(Parking, IsTheSameInLessDetail) {
  struct Detail {
    bool caches, pipeline;
  };
  struct Case {
    const char* what;
    bool parks;
  };
  for (const Detail detail : {Detail{false, true}, Detail{true, false}, Detail{false, false}}) {
    for (const Case each : {Case{"two-always", true}, Case{"calls", true}, Case{"misses", !detail.caches},
                            Case{"flushes", false}, Case{"counter-in-memory", false}}) {
      GuestRun run =
          spin(each.what, {{time_of(CoreCycle{200'037}, kMhz), 0, 1}, {time_of(CoreCycle{200'044}, kMhz), 1, 1}}, true);
      run.core = test_core(detail.caches, detail.pipeline);
      const GuestResult parked = run_guest(run);
      EXPECT_EQ(parked.state, "finished");
      EXPECT_EQ(parked.times_parked > 0, each.parks);
      run.core.quantum = 13;
      expect_same(parked, run_guest(run));
      run.core.park = false;
      expect_same(parked, run_guest(run));
      if (HasFailure()) FAIL() << each.what << ", caches " << detail.caches << ", pipeline " << detail.pipeline;
    }
  }
}

TEST(Parking, IsTheSameWithStoresThatGoThrough) {
  for (const char* what : {"two-always", "calls", "memory", "counter-in-memory"}) {
    GuestRun run =
        spin(what, {{time_of(CoreCycle{200'037}, kMhz), 0, 1}, {time_of(CoreCycle{200'044}, kMhz), 1, 1}}, true);
    run.core.memory.l1_writes = MemoryConfig::Writes::through;
    run.core.memory.store_cycles = 5;
    const GuestResult parked = run_guest(run);
    EXPECT_EQ(parked.state, "finished");
    EXPECT_EQ(parked.times_parked > 0, std::string(what) != "counter-in-memory");
    run.core.quantum = 13;
    expect_same(parked, run_guest(run));
    run.core.park = false;
    expect_same(parked, run_guest(run));
    if (HasFailure()) FAIL() << what;
  }
}

/// The device lies at other addresses of the bus.
TEST(Parking, IsTheSameWhereverTheDeviceLiesOnTheBus) {
  GuestRun run =
      spin("two-always", {{time_of(CoreCycle{200'037}, kMhz), 0, 1}, {time_of(CoreCycle{200'044}, kMhz), 1, 1}}, true);
  const GuestResult usual = run_guest(run);
  run.device_on_bus = 0x6'0000'0000;
  const GuestResult moved = run_guest(run);
  expect_same(usual, moved);
  EXPECT_GT(moved.times_parked, 0u);
  EXPECT_EQ(moved.times_parked, usual.times_parked);
}

TEST(Parking, SurvivesChangesThatDoNotEndTheLoop) {
  std::vector<ToyDevice::Change> changes;
  for (std::uint32_t i = 1; i <= 5; ++i) {
    changes.push_back({time_of(CoreCycle{200'000 + i * 50'000 + i}, kMhz), 1, i});
    changes.push_back({time_of(CoreCycle{200'000 + i * 50'000 + i * 1003}, kMhz), 0, i});
  }
  const GuestResult parked = run_guest(spin("five-changes", changes, true));
  const GuestResult plain = run_guest(spin("five-changes", changes, false));
  expect_same(parked, plain);
  EXPECT_GE(parked.times_parked, 5u);
}

TEST(Parking, DoesNotDependOnTheQuantum) {
  GuestRun run = spin("pointers", {{time_of(CoreCycle{345'678}, kMhz), 0, 1}}, true);
  const GuestResult usual = run_guest(run);
  run.core.quantum = 13;
  expect_same(usual, run_guest(run));
}

TEST(Parking, IsTheSameAtEveryTimeLimit) {
  for (CoreCycle limit = 200'000; limit < 200'130; limit += 3) {
    GuestRun run = spin("two", {}, true);
    run.limit = limit;
    const GuestResult parked = run_guest(run);
    run.core.park = false;
    const GuestResult plain = run_guest(run);
    expect_same(parked, plain);
    EXPECT_EQ(parked.state, "timed out");
    EXPECT_EQ(parked.status, 124);
    EXPECT_GT(parked.times_parked, 0u);
    if (HasFailure()) FAIL() << "at limit " << limit;
  }
}

TEST(Parking, TellsWhereACoreWaitsForEver) {
  const GuestResult result = run_guest(spin("for-ever", {}, true));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.how, static_cast<int>(ProcessEnd::running));
  EXPECT_EQ(result.state.substr(0, 12), "parked at 0x") << result.state;
  EXPECT_NE(result.state.find("(read_status+0x"), std::string::npos) << result.state;
}

TEST(Parking, LeavesABusyLoopToTheTimeLimit) {
  GuestRun run = spin("busy", {}, true);
  run.limit = 1'000'000;
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.state, "timed out");
  EXPECT_EQ(result.report, "rank 0 (node 0,0,0): stopped at the time limit");
  EXPECT_GE(result.cycles, 1'000'000u);
  EXPECT_LT(result.cycles, 1'000'100u);
}

}  // namespace
}  // namespace toroid
