// SPDX-License-Identifier: Apache-2.0
// Initialisation: the limit of ranks, one instance a process, and machines of full size.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

TEST(InitDeathTest, RanksBeyondTheLimitExit) {
  Job job(4, 1, 1, 7, false);
  const bglml_options_t options = {3, BGLML_SECOND_CORE_COMMUNICATES};
  job.on(3, [&] { EXPECT_EXIT(bglml_init(&options), ::testing::ExitedWithCode(0), ""); });
  job.on(2, [&] {
    bglml_init(&options);
    EXPECT_EQ(bglml_size(), 3u);
    EXPECT_EQ(bglml_rank(), 2u);
  });
}

TEST(Init, ALimitAboveTheJobIsNone) {
  Job job(4, 1, 1, 7, false);
  const bglml_options_t options = {100, BGLML_SECOND_CORE_COMMUNICATES};
  job.on(3, [&] {
    bglml_init(&options);
    EXPECT_EQ(bglml_size(), 4u);
  });
}

TEST(InitDeathTest, NoSuchUseOfTheSecondCore) {
  Job job(2, 1, 1, 7, false);
  const bglml_options_t options = {0, static_cast<bglml_second_core_t>(7)};
  job.on(0, [&] {
    EXPECT_EXIT(bglml_init(&options), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "second_core 7; it is COMMUNICATES");
  });
}

TEST(InitDeathTest, OnlyOnce) {
  Job job(2, 1, 1);
  job.on(1, [] {
    EXPECT_EXIT(bglml_init(nullptr), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
                "message layer: rank 1: bglml_init\\(\\) called twice");
  });
}

/// The last rank of the biggest machine: its number arrives whole.
TEST(Init, SourceRanksOf65536Nodes) {
  Job job(64, 32, 32, 7, false);
  Inbox inbox[2];
  const unsigned last = 65535;
  job.on(last, [&] {
    bglml_init(nullptr);
    inbox[0].open();
  });
  job.on(0, [&] {
    bglml_init(nullptr);
    inbox[1].open();
  });
  bglml_one_packet_t message;
  job.on(last, [&] {
    bglml_one_packet_init(&message, inbox[0].one_packet, 0, 1, nullptr, 0, nullptr, nullptr);
    bglml_one_packet_post(&message);
    bglml_advance();
  });
  job.torus.settle();
  job.advance(0);
  ASSERT_EQ(inbox[1].messages.size(), 1u);
  EXPECT_EQ(inbox[1].messages[0].source, last);
}

}  // namespace
}  // namespace toroid::testing
