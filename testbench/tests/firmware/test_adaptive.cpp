// SPDX-License-Identifier: Apache-2.0
// Adaptive eager messages over a network that turns the order of their packets round.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/mail.h"

namespace toroid::testing {
namespace {

using Adversary = TorusDouble::Adversary;

class Adaptive : public ::testing::Test {
 protected:
  void expect_clean() {
    EXPECT_TRUE(mail.all_done());
    EXPECT_EQ(mail.errors, std::vector<std::string>{});
    EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
  }

  Job job{4, 2, 1};
  Mail mail{job, false};
};

TEST_F(Adaptive, EverySizeBackwards) {
  job.torus.adversary = Adversary::reverse;
  for (std::uint32_t length = 0; length <= 1000; ++length) {
    mail.post(Kind::adaptive, 0, length % 2 == 0 ? 1 : 6, length, 16 * length);
    mail.post(Kind::adaptive, 0, 0, length, length + 5);
    job.settle();
  }
  expect_clean();
  EXPECT_GT(bglml_counters()->early_packets + job.counters(1).early_packets, 400u);
}

/// All packets of a message but the last are held back: recvnew is called for the last, and the sender goes on.
TEST_F(Adaptive, AnyPacketMayBeTheFirst) {
  job.torus.adversary = Adversary::reverse;
  const Letter& first = mail.post(Kind::adaptive, 0, 1, 600, 1);
  const Letter& second = mail.post(Kind::adaptive, 0, 1, 50, 2);
  job.advance(0);
  EXPECT_TRUE(first.sent);
  EXPECT_FALSE(second.sent) << "waits for the confirmation";
  EXPECT_FALSE(job.advance(0));
  EXPECT_EQ(job.torus.sent.size(), 3u);
  while (job.torus.move(0, 0, 0)) {
  }
  ASSERT_TRUE(job.torus.deliver(1));
  EXPECT_TRUE(job.advance(1));
  EXPECT_TRUE(first.begun);
  EXPECT_FALSE(first.done);
  while (job.torus.move(1, 1, 0)) {  // the confirmation, into the network
  }
  ASSERT_TRUE(job.torus.deliver(0));
  EXPECT_TRUE(job.advance(0));
  EXPECT_TRUE(second.sent);
  while (job.torus.move(0, 0, 0)) {
  }
  ASSERT_TRUE(job.torus.deliver(1));  // the last that was sent
  EXPECT_TRUE(job.advance(1));
  EXPECT_TRUE(second.done) << "overtakes what it follows, once that has begun";
  EXPECT_FALSE(first.done);
  job.settle();
  expect_clean();
  EXPECT_EQ(job.counters(1).disordered_messages, 1u);
}

/// Messages that have begun and are not complete are no limited number: their states are the user's.
TEST_F(Adaptive, ManyIncompleteMessagesOfOneSender) {
  job.torus.adversary = Adversary::reverse;
  constexpr unsigned kMessages = 20;
  for (unsigned i = 0; i < kMessages; ++i) mail.post(Kind::adaptive, 0, 1, 500, i);
  // One packet of each message arrives, the others stay where they are.
  for (unsigned i = 0; i < kMessages; ++i) {
    while (job.advance(0)) {
    }
    while (job.torus.move(0, 0, 0)) {
    }
    ASSERT_TRUE(job.torus.deliver(1));
    job.advance(1);
    while (job.torus.move(1, 1, 0)) {
    }
    ASSERT_TRUE(job.torus.deliver(0));
  }
  EXPECT_EQ(mail.begun.size(), kMessages);
  EXPECT_TRUE(mail.done.empty());
  job.settle();
  expect_clean();
}

TEST_F(Adaptive, NoPacketIsDeterministic) {
  mail.post(Kind::adaptive, 0, 1, 1000, 1);
  mail.post(Kind::adaptive, 0, 1, 0, 2);
  job.settle();
  expect_clean();
  for (const auto& sent : job.torus.sent) EXPECT_EQ(sent.fields.dynamic, 1);
}

/// A message of another protocol starts after the confirmation, without a fence; the other way round there is one, and
/// only where something was sent before.
TEST_F(Adaptive, FencesWhereTheClassChanges) {
  job.torus.adversary = Adversary::reverse;
  const auto controls = [&] { return job.counters(0).sent.packets[BGLML_COUNT_CONTROL]; };
  mail.post(Kind::adaptive, 0, 1, 600, 1);
  mail.post(Kind::eager, 0, 1, 600, 2);
  job.settle();
  EXPECT_EQ(controls(), 0u);
  mail.post(Kind::adaptive, 0, 1, 600, 3);
  job.settle();
  EXPECT_EQ(controls(), 1u);
  mail.post(Kind::adaptive, 0, 1, 600, 4);
  mail.post(Kind::adaptive, 0, 2, 600, 5);
  job.settle();
  EXPECT_EQ(controls(), 1u);
  mail.post(Kind::rendezvous, 0, 1, 600, 6);
  mail.post(Kind::one_packet, 0, 1, 60, 7);
  mail.post(Kind::adaptive, 0, 1, 600, 8);
  job.settle();
  EXPECT_EQ(controls(), 2u) << "one for all that came before";
  expect_clean();
}

/// The fence is confirmed before the first adaptive packet leaves; it follows the eager packets in their FIFO.
TEST_F(Adaptive, AdaptivePacketsDoNotOvertakeDeterministicOnes) {
  job.torus.adversary = Adversary::reverse;
  mail.post(Kind::eager, 0, 1, 300, 1);
  const Letter& adaptive = mail.post(Kind::adaptive, 0, 1, 100, 2);
  const Letter& other = mail.post(Kind::adaptive, 0, 2, 100, 3);
  while (job.advance(0)) {
  }
  EXPECT_TRUE(other.sent) << "another peer's messages go on";
  EXPECT_FALSE(adaptive.sent);
  ASSERT_EQ(job.torus.sent.size(), 4u);
  const auto& fence = job.torus.sent.back();
  EXPECT_EQ(bglml_word2_handler(fence.word2), BGLML_HANDLER_FENCE);
  EXPECT_EQ(fence.fields.dynamic, 0);
  EXPECT_EQ(fence.fields.chunks, 1);
  job.settle();
  expect_clean();
}

class AdaptiveDeathTest : public Adaptive {};

TEST_F(AdaptiveDeathTest, AMessageOutOfOrder) {
  const std::uint32_t port = job.state(0).handler_count - 2;
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(port, 1), 0}, 2);  // asks for confirmation 0
  job.select(0);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "rank 1 asks for confirmation 0, where 1 was to follow: messages out of order");
}

TEST_F(AdaptiveDeathTest, AConfirmationThatNobodyAskedFor) {
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(BGLML_HANDLER_CONFIRMATION, 1), 1}, 1);
  job.select(0);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "confirmation 1 from rank 1; 0 were asked for");
}

}  // namespace
}  // namespace toroid::testing
