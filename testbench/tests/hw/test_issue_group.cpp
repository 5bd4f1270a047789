// SPDX-License-Identifier: Apache-2.0
//
// What threads of a processor leave to each other of its units, and when they see that.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "hw/core/issue_group.h"

namespace toroid {
namespace {

constexpr CoreCycle kApart{100};
constexpr unsigned kClockMhz = 1000;
constexpr std::uint8_t kWhole = IssueWants::kWhole;
const int kSoftware = 0, kOtherSoftware = 0;  // their addresses stand for processes

CoreConfig core_config() {
  CoreConfig config{};
  config.clock_mhz = kClockMhz;
  config.quantum = CoreCycle{10000};
  config.outstanding_reads = 1;
  return config;
}

Block block(std::uint32_t integers, std::uint32_t floats = 0) {
  Block made;
  made.issues = {integers, floats};
  return made;
}

/// A thread with a time of its own, without a core.
class Thread final : private IssueShare::Client {
 public:
  Thread(IssueGroup& group, unsigned number)
      : time(core_config(), number, ledger), share(group, time, ledger, static_cast<IssueShare::Client&>(*this)) {}

  /// It begins a block at the cycle. True if what the others leave has changed.
  bool begin_block_at(unsigned cycle, const Block& begun = block(1)) {
    time.reach(CoreCycle{cycle});
    return share.begin_block(begun);
  }
  CoreCycle of_integers(std::uint32_t instructions) const { return share.least_cycles(block(instructions)); }
  CoreCycle of_floats(std::uint32_t instructions) const { return share.least_cycles(block(0, instructions)); }
  void sleep_at(unsigned cycle) { share.fall_asleep(time.begin_of(CoreCycle{cycle})); }
  void wake_at(unsigned cycle) { share.wake_up(time.begin_of(CoreCycle{cycle})); }

  BlockLedger ledger;
  LocalTime time;
  IssueShare share;
  unsigned changes = 0;  ///< that it has been told of

 private:
  void on_issue_change() override { ++changes; }
};

/// A processor whose threads run from the beginning.
struct Processor {
  explicit Processor(unsigned threads, unsigned running) {
    for (unsigned number = 0; number < threads; ++number) all.push_back(std::make_unique<Thread>(group, number));
    for (unsigned number = 0; number < running; ++number) (*this)[number].share.begin(&kSoftware);
  }
  Thread& operator[](unsigned number) { return *all[number]; }

  IssueGroup group{kApart};
  std::vector<std::unique_ptr<Thread>> all;
};

class Equals : public testing::TestWithParam<unsigned> {};

TEST_P(Equals, HaveEqualPartsOfTheIntegerUnit) {
  const unsigned running = GetParam();
  Processor processor(4, running);
  for (unsigned number = 0; number < running; ++number) {
    EXPECT_EQ(processor[number].of_integers(7), CoreCycle{7 * running});
    EXPECT_EQ(processor[number].of_floats(7), CoreCycle{7}) << "nobody has begun with floating point";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Equals, testing::Values(1u, 2u, 3u, 4u));

TEST(IssueGroup, ABlockCostsWhatItsDearerUnitDoes) {
  Processor processor(2, 2);
  EXPECT_EQ(processor[0].share.least_cycles(block(10, 15)), CoreCycle{20});
  EXPECT_EQ(processor[0].share.least_cycles(block(10, 25)), CoreCycle{25});
}

TEST(IssueGroup, OthersSeeAChangeAtTheNextMultiple) {
  Processor processor(2, 2);
  processor[1].sleep_at(150);
  EXPECT_EQ(processor[0].changes, 1u);
  EXPECT_EQ(processor[0].share.next_look(), CoreCycle{200});
  EXPECT_FALSE(processor[0].share.is_settled());
  EXPECT_FALSE(processor[0].begin_block_at(199));
  EXPECT_EQ(processor[0].of_integers(10), CoreCycle{20});
  EXPECT_TRUE(processor[0].begin_block_at(200));
  EXPECT_EQ(processor[0].of_integers(10), CoreCycle{10});
  EXPECT_TRUE(processor[0].share.is_settled());
  EXPECT_FALSE(processor[0].begin_block_at(201));
}

/// Cores' cycles begin some picoseconds apart: what one does at a multiple, no other one may have seen there.
TEST(IssueGroup, AChangeAtAMultipleIsSeenAtTheNext) {
  for (const unsigned changed : {0u, 1u}) {
    Processor processor(2, 2);
    Thread& other = processor[1 - changed];
    processor[changed].sleep_at(200);
    EXPECT_FALSE(other.begin_block_at(200)) << changed;
    EXPECT_FALSE(other.begin_block_at(299)) << changed;
    EXPECT_TRUE(other.begin_block_at(300)) << changed;
  }
}

TEST(IssueGroup, ChangesTakeEffectInTheirOrder) {
  Processor processor(3, 3);
  processor[1].sleep_at(250);
  processor[2].sleep_at(150);  // told later, and seen before: threads are ahead of each other
  processor[0].begin_block_at(200);
  EXPECT_EQ(processor[0].of_integers(6), CoreCycle{12});
  processor[0].begin_block_at(300);
  EXPECT_EQ(processor[0].of_integers(6), CoreCycle{6});
}

TEST(IssueGroup, WhatComesToTheSameIsNoChange) {
  Processor processor(2, 2);
  processor[1].sleep_at(110);
  processor[1].wake_at(120);
  EXPECT_FALSE(processor[0].begin_block_at(200));
  EXPECT_EQ(processor[0].of_integers(6), CoreCycle{12});
}

TEST(IssueGroup, ASleeperIsNotToldAndFindsWhatHasComeToBe) {
  Processor processor(3, 3);
  processor[0].sleep_at(50);
  processor[1].begin_block_at(100);
  processor[2].sleep_at(150);
  EXPECT_EQ(processor[0].changes, 0u);
  processor[0].wake_at(420);
  processor[0].begin_block_at(420);
  EXPECT_EQ(processor[0].of_integers(6), CoreCycle{12});
}

TEST(IssueGroup, ARunnerThatIsAheadIsAnError) {
  Processor processor(2, 2);
  processor[0].begin_block_at(200);
  EXPECT_THROW(processor[1].sleep_at(150), std::logic_error);
}

TEST(IssueGroup, FloatingPointIsWantedUntilNoneHasComeForAsLong) {
  Processor processor(2, 2);
  Thread &user = processor[0], &other = processor[1];
  user.begin_block_at(110, block(1, 1));
  EXPECT_FALSE(user.share.is_settled());
  EXPECT_EQ(user.share.next_look(), CoreCycle{210});
  other.begin_block_at(199);
  EXPECT_EQ(other.of_floats(6), CoreCycle{6});
  other.begin_block_at(200);
  EXPECT_EQ(other.of_floats(6), CoreCycle{12});

  user.begin_block_at(209);
  EXPECT_EQ(user.share.next_look(), CoreCycle{210});
  user.begin_block_at(210);
  EXPECT_TRUE(user.share.is_settled());
  other.begin_block_at(299);
  EXPECT_EQ(other.of_floats(6), CoreCycle{12});
  other.begin_block_at(300);
  EXPECT_EQ(other.of_floats(6), CoreCycle{6});
}

TEST(IssueGroup, ASleeperWantsNoFloatingPoint) {
  Processor processor(2, 2);
  processor[0].begin_block_at(110, block(1, 1));
  processor[0].sleep_at(120);
  processor[1].begin_block_at(200);
  EXPECT_EQ(processor[1].of_floats(6), CoreCycle{6});
  processor[0].wake_at(320);
  processor[1].begin_block_at(400);
  EXPECT_EQ(processor[1].of_floats(6), CoreCycle{12}) << "it goes on as it was";
}

// In each cycle the unit is shared alike by those that want it then; a slot's cost is rounded up to a 256th.
TEST(IssueGroup, WhoWantsLessLeavesTheRest) {
  Processor processor(3, 1);
  processor.group.tell(1, {{kWhole / 4, 0}}, processor[1].time.begin_of(CoreCycle{10}));
  processor[0].begin_block_at(100);
  EXPECT_EQ(processor[0].of_integers(300), CoreCycle{344});  // of four cycles three and a half
  processor.group.tell(2, {{kWhole, 0}}, processor[2].time.begin_of(CoreCycle{110}));
  processor[0].begin_block_at(200);
  EXPECT_EQ(processor[0].of_integers(300), CoreCycle{656});  // three halves and a third
}

TEST(IssueGroup, KnowsWhetherProcessesMeet) {
  Processor processor(3, 2);
  EXPECT_FALSE(processor.group.has_several_processes());
  processor[2].share.begin(&kOtherSoftware);
  EXPECT_TRUE(processor.group.has_several_processes());
}

TEST(IssueGroup, HasNoFifthThread) {
  Processor processor(IssueGroup::kMostThreads, 0);
  EXPECT_THROW(Thread(processor.group, IssueGroup::kMostThreads), std::invalid_argument);
}

}  // namespace
}  // namespace toroid
