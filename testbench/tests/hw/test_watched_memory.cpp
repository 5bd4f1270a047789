// SPDX-License-Identifier: Apache-2.0
//
// Memory that a DMA device writes and cores poll: the same results with and without parking, at any quantum and in any
// order of elaboration; what it costs; and what it does to caches.
#include <gtest/gtest.h>

#include "guest_run.h"

namespace toroid {
namespace {

GuestRun dma(const std::string& what) {
  GuestRun run;
  run.program = "dma";
  run.arguments = {what};
  return run;
}

void expect_same(const GuestResult& a, const GuestResult& b) {
  EXPECT_EQ(a.error, "");
  EXPECT_EQ(b.error, "");
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(a.report, b.report);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.dma_log, b.dma_log);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.device_reads, b.device_reads);
  EXPECT_EQ(a.device_writes, b.device_writes);
}

struct Transfer {
  const char* what;
  bool caches = true;
  bool pipeline = true;
};

class Transfers : public testing::TestWithParam<Transfer> {};

TEST_P(Transfers, AreTheSameWithoutParkingAndAtAnyQuantum) {
  GuestRun run = dma(GetParam().what);
  run.core = test_core(GetParam().caches, GetParam().pipeline);
  const GuestResult parked = run_guest(run);
  EXPECT_EQ(parked.state, "finished") << parked.report << parked.err;
  run.core.park = false;
  const GuestResult plain = run_guest(run);
  EXPECT_EQ(plain.times_parked, 0u);
  expect_same(parked, plain);
  for (const bool park : {true, false}) {
    run.core.park = park;
    for (const int quantum : {1, 7, 500, 1'000'000}) {
      run.core.quantum = CoreCycle(quantum);
      expect_same(parked, run_guest(run));
      if (HasFailure()) FAIL() << GetParam().what << " with quantum " << quantum << (park ? "" : ", not parked");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Transfers,
                         testing::Values(Transfer{"ring"}, Transfer{"burst"}, Transfer{"cache"}, Transfer{"add"},
                                         Transfer{"ring", false}, Transfer{"burst", false, false},
                                         Transfer{"cache", true, false}, Transfer{"cache", false, false}));

TEST(WatchedMemory, WakesACoreWhosePollingLoopReadsWhatADeviceHasWritten) {
  for (const bool caches : {true, false}) {
    GuestRun run = dma("plain-memory");
    run.core = test_core(caches);
    const GuestResult result = run_guest(run);
    EXPECT_EQ(result.state, "finished") << result.error;
    EXPECT_EQ(result.out, "1 in memory\n");
    EXPECT_GT(result.times_parked, 0u);
  }
}

TEST(WatchedMemory, ShowsMessagesInOrder) {
  const GuestResult result = run_guest(dma("ring"));
  EXPECT_EQ(result.out.substr(0, 12), "40 messages,") << result.out;
  EXPECT_GT(result.times_parked, 20u);
}

TEST(WatchedMemory, DoesNotDependOnTheOrderOfElaboration) {
  GuestRun run = dma("burst");
  run.nodes = 4;
  const GuestResult usual = run_guest(run);
  run.reversed = true;
  expect_same(usual, run_guest(run));
}

TEST(WatchedMemory, TellsWhereACoreWaitsForEverAndForWhat) {
  const GuestResult result = run_guest(dma("for-ever"));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.state.substr(0, 12), "parked at 0x") << result.state;
  EXPECT_NE(result.state.find("(await+0x"), std::string::npos) << result.state;
  EXPECT_EQ(result.polled.substr(0, 27), "the watched memory at 0x100") << result.polled;
}

TEST(WatchedMemory, CostsTheHostNothingWhileCoresPollIt) {
  GuestRun run = dma("second");
  run.nodes = 64;
  run.memory = 64u << 20;
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.state, "finished");
  EXPECT_GT(result.cycles, 700'000'000u);  // a second
  EXPECT_GT(result.all_instructions, 64 * 20'000'000u);
  // Ten messages a node, each the end of one loop; the loops before and behind are short.
  EXPECT_LT(result.all_times_parked, 64 * 40u);
}

TEST(WatchedMemory, LeavesTheCachesWhereADeviceHasWritten) {
  const GuestResult result = run_guest(dma("cache"));
  unsigned cached = 0, more = 0, first = 0, second = 0, third = 0;
  int again = 0;
  ASSERT_EQ(std::sscanf(result.out.c_str(), "cached %u, written by the device %u more, cached %d more, sums %u %x %x",
                        &cached, &more, &again, &first, &second, &third),
            6)
      << result.out << result.err << result.report;
  EXPECT_GT(more, 32u * 8) << "32 lines of L1 missed: " << result.out;
  EXPECT_EQ(again, 0);
  EXPECT_EQ(first, 0u);
  EXPECT_NE(second, 0u);
  EXPECT_EQ(second, third);
}

TEST(WatchedMemory, IsRegisteredByWholePagesOfTheProcess) {
  const GuestResult result = run_guest(dma("calls"));
  EXPECT_EQ(result.state, "finished") << result.report;
  EXPECT_EQ(result.out,
            "again 0, two pages of which one 0\n"
            "misaligned 22, no whole page 22, no size 22, text 14, nothing 14, too much 12\n"
            "munmap 22, mprotect 12\n"
            "6973616c m----igned text\n");
}

}  // namespace
}  // namespace toroid
