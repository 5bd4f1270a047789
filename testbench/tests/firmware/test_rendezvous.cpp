// SPDX-License-Identifier: Apache-2.0
// Rendezvous messages: offers in order, data in any order, each packet to its place.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/mail.h"

namespace toroid::testing {
namespace {

using Adversary = TorusDouble::Adversary;

class Rendezvous : public ::testing::Test {
 protected:
  void expect_clean() {
    EXPECT_TRUE(mail.all_done());
    EXPECT_EQ(mail.errors, std::vector<std::string>{});
    EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
  }
  static bool is_data(const TorusDouble::Sent& sent) { return bglml_word2_handler(sent.word2) == BGLML_HANDLER_DATA; }

  Job job{4, 2, 1};
  Mail mail{job, false};
};

/// Keys run through all pairs of alignments.
TEST_F(Rendezvous, EverySizeBackwards) {
  job.torus.adversary = Adversary::reverse;
  for (std::uint32_t length = 0; length <= 1000; ++length) {
    mail.post(Kind::rendezvous, 0, length % 2 == 0 ? 1 : 6, length, 7 * length);
    mail.post(Kind::rendezvous, 0, 0, length, length + 5);
    job.settle();
  }
  expect_clean();
}

/// Scout and acknowledgement are deterministic and of the least size, the data is neither.
TEST_F(Rendezvous, WhatIsSent) {
  const Letter& letter = mail.post(Kind::rendezvous, 0, 1, 1000, 3);
  job.settle();
  expect_clean();
  ASSERT_GE(job.torus.sent.size(), 2u);
  EXPECT_EQ(job.torus.sent[0].fields.dynamic, 0);
  EXPECT_EQ(job.torus.sent[0].fields.chunks, 2);
  EXPECT_EQ(job.torus.sent[0].word3, 1000u);
  EXPECT_EQ(job.torus.sent[1].fields.dynamic, 0);
  EXPECT_EQ(job.torus.sent[1].fields.chunks, 1);
  const auto start =
      static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(const_cast<Letter&>(letter).destination.buffer()));
  std::uint32_t bytes = 0;
  for (std::size_t i = 2; i < job.torus.sent.size(); ++i) {
    EXPECT_TRUE(is_data(job.torus.sent[i]));
    EXPECT_EQ(job.torus.sent[i].fields.dynamic, 1);
    EXPECT_EQ(job.torus.sent[i].word3, start + bytes) << "the address of its own first byte";
    bytes += 240 - (start + bytes) % 16;
    EXPECT_EQ((start + bytes) % 16, 0u) << "the next one lands aligned";
  }
  EXPECT_GE(bytes, 1000u);
}

/// A message to the own rank crosses no FIFO: its packets lie in memory in between.
TEST_F(Rendezvous, ToItselfAllIsCopied) {
  mail.post(Kind::rendezvous, 0, 0, 2400, 1);
  job.settle();
  expect_clean();
  for (const auto& traffic : {job.counters(0).sent, job.counters(0).received}) {
    EXPECT_EQ(traffic.direct, 0u);
    EXPECT_EQ(traffic.realigned, 0u);
    EXPECT_EQ(traffic.copied, 2400u);
  }
}

/// What is aligned alike at both ends goes without a copy, but for the first packet, whatever that alignment is.
TEST_F(Rendezvous, ZeroCopiesWhereBothCanBeAligned) {
  std::uint32_t key = 0;
  for (;; ++key) {  // a pair of buffers that are not aligned, but alike
    const Side source(20000, key + 1, false), destination(20000, key + 2, false);
    if (source.arrangement.alignment == 9 && destination.arrangement.alignment == 9) break;
  }
  mail.post(Kind::rendezvous, 0, 1, 20000, key);
  job.settle();
  expect_clean();
  for (const auto& traffic : {job.counters(0).sent, job.counters(1).received}) {
    EXPECT_EQ(traffic.direct, 20000u - 231u);
    EXPECT_EQ(traffic.realigned, 231u);
    EXPECT_EQ(traffic.copied, 0u);
  }
}

TEST_F(Rendezvous, SeveralBetweenTheSameTwoRanks) {
  job.torus.adversary = Adversary::random;
  for (std::uint32_t i = 0; i < 30; ++i) mail.post(Kind::rendezvous, 0, 1, 3000 - 100 * i, i);
  for (std::uint32_t i = 0; i < 30; ++i) mail.post(Kind::rendezvous, 1, 0, 100 * i, i);
  job.settle();
  expect_clean();
  EXPECT_GT(job.counters(1).disordered_messages, 0u);
}

/// senddone waits for the acceptance; so does an empty message's. What comes later goes past it.
TEST_F(Rendezvous, AcceptedLate) {
  mail.defer = [](const Letter& letter) { return letter.number < 3; };
  for (const std::uint32_t length : {500u, 0u, 700u, 300u}) mail.post(Kind::rendezvous, 0, 1, length, length);
  mail.post(Kind::eager, 0, 1, 900, 1);
  job.settle();
  EXPECT_EQ(mail.begun.size(), 5u);
  ASSERT_EQ(mail.done.size(), 2u);
  EXPECT_EQ(job.state(0).busy, 0u) << "waiting for the receiver is nothing to do";
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(mail.letters[i].sent);
    ASSERT_TRUE(mail.accept(1));
    EXPECT_FALSE(mail.letters[i].done) << "callbacks come from bglml_advance() only";
    job.settle();
    EXPECT_TRUE(mail.letters[i].sent);
    EXPECT_TRUE(mail.letters[i].done);
  }
  expect_clean();
}

/// More than there are slots: the rest waits, in its own memory.
TEST_F(Rendezvous, MoreReceptionsThanSlots) {
  job.torus.adversary = Adversary::random;
  constexpr std::uint32_t kMessages = BGLML_RECEPTIONS + 100;
  mail.defer = [](const Letter&) { return true; };
  for (std::uint32_t i = 0; i < kMessages; ++i) mail.post(Kind::rendezvous, i % 7 + 1, 0, 1000 + i, i);
  job.settle();
  EXPECT_EQ(mail.begun.size(), kMessages);
  while (mail.accept(0)) {
  }
  EXPECT_NE(job.state(0).receptions.head, nullptr);
  job.settle();
  EXPECT_EQ(job.state(0).receptions.head, nullptr);
  expect_clean();
}

/// A long message leaves room for others to the same peer, and for acknowledgements.
TEST_F(Rendezvous, DataHoldsUpNobody) {
  mail.post(Kind::rendezvous, 0, 1, 100000, 1);
  job.settle();
  mail.post(Kind::rendezvous, 0, 1, 100000, 2);
  job.advance(0);
  while (job.torus.move(0, 0, 0)) {
  }
  job.advance(1);  // accepts
  while (job.torus.move(1, 1, 0)) {
  }
  const Letter& eager = mail.post(Kind::eager, 0, 1, 100, 3);
  job.advance(0);
  EXPECT_TRUE(eager.sent);
  EXPECT_FALSE(mail.letters[1].sent);
  job.settle();
  expect_clean();
}

class RendezvousDeathTest : public Rendezvous {};

TEST_F(RendezvousDeathTest, LongerThanItsReceive) {
  static bglml_rendezvous_receive_t receive;
  static std::uint8_t buffer[100];
  job.select(0);
  const bglml_port_t port = bglml_rendezvous_register(
      [](void*, const bglml_rendezvous_offer_t*) {
        bglml_rendezvous_receive_init(&receive, buffer, sizeof buffer, nullptr, nullptr);
        return &receive;
      },
      nullptr);
  bglml_rendezvous_t message;
  bglml_rendezvous_init(&message, port, 0, nullptr, buffer, 101, nullptr, nullptr);
  bglml_rendezvous_post(&message);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "rendezvous message of 101 bytes from rank 0; its receive has room for 100");
}

/// Data of a reception that is over, or for a byte that it does not have.
TEST_F(RendezvousDeathTest, DataThatMakesNoSense) {
  mail.post(Kind::rendezvous, 0, 1, 1000, 1);
  job.settle();
  const auto data = [&](std::uint32_t id, std::uint32_t address) {
    job.torus.plant(1, 0, BGL_TORUS_R1, {0, 0, bglml_word2(BGLML_HANDLER_DATA, id), address}, 8);
  };
  data(0, 0);
  job.select(1);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "no reception has it");
  Job fresh(4, 2, 1);
  Mail fresh_mail(fresh, false);
  Letter& letter = fresh_mail.post(Kind::rendezvous, 0, 1, 1000, 1);
  fresh.advance(0);
  fresh.torus.move(0, 0, 0);
  fresh.advance(1);
  const auto end = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(letter.destination.buffer())) + 1000;
  fresh.torus.plant(1, 0, BGL_TORUS_R1, {0, 0, bglml_word2(BGLML_HANDLER_DATA, 0), end}, 8);
  fresh.select(1);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "reception 0x0, address 0x");
}

}  // namespace
}  // namespace toroid::testing
