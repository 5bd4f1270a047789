// SPDX-License-Identifier: Apache-2.0
// Full FIFOs: nothing is written that does not fit, nothing is lost, and a turn without effect changes no memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"
#include "testbench/tests/firmware/mail.h"

namespace toroid::testing {
namespace {

class BackPressure : public ::testing::Test {
 protected:
  BackPressure() {
    job.on_all([this](unsigned rank) { inbox[rank].open(); });
  }
  void post(bglml_eager_t& message, unsigned to, std::uint32_t length) {
    job.on(0, [&] {
      bglml_eager_init(&message, inbox[0].eager, to, nullptr, bytes.data(), length, count, &sent);
      bglml_eager_post(&message);
    });
  }

  /// All the memory that the layer has: its state and its connections.
  std::vector<std::uint8_t> memory(unsigned rank) {
    const auto* state = reinterpret_cast<const std::uint8_t*>(&job.state(rank));
    std::vector<std::uint8_t> all(state, state + sizeof(bglml_state_t));
    const auto* connections = reinterpret_cast<const std::uint8_t*>(job.state(rank).connections);
    all.insert(all.end(), connections, connections + job.size() * sizeof(bglml_connection_t));
    return all;
  }

  Job job{8, 2, 1};
  Inbox inbox[16];
  std::vector<std::uint8_t> bytes = pattern(20000, 2);
  unsigned sent = 0;
};

TEST_F(BackPressure, FillsToTheUsableDepthAndWaits) {
  bglml_eager_t message;
  post(message, 1, 20000);
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(job.torus.injection_chunks(0, 0, 0), BGL_TORUS_USABLE_CHUNKS);
  const auto before = memory(0);
  const auto message_before = std::string(reinterpret_cast<const char*>(&message), sizeof message);
  const unsigned accesses = job.torus.accesses;
  for (unsigned turn = 0; turn < 10; ++turn) EXPECT_FALSE(job.advance(0));
  EXPECT_EQ(job.torus.accesses, accesses + 20) << "two status reads a turn and nothing else";
  EXPECT_EQ(memory(0), before) << "a blocked turn must not store";
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(&message), sizeof message), message_before);
  EXPECT_EQ(sent, 0u);
  EXPECT_TRUE(job.torus.move(0, 0, 0));
  EXPECT_TRUE(job.advance(0)) << "room for one packet again";
  EXPECT_EQ(job.torus.injection_chunks(0, 0, 0), BGL_TORUS_USABLE_CHUNKS);
  job.settle();
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(inbox[1].messages.at(0).buffer.bytes(), bytes);
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

TEST_F(BackPressure, IdleTurnsStoreNothing) {
  bglml_eager_t message;
  post(message, 1, 1000);
  job.settle();
  for (const unsigned rank : {0u, 1u, 5u}) {
    const auto before = memory(rank);
    const unsigned accesses = job.torus.accesses;
    for (unsigned turn = 0; turn < 5; ++turn) EXPECT_FALSE(job.advance(rank));
    EXPECT_EQ(memory(rank), before);
    EXPECT_EQ(job.torus.accesses, accesses + 10);
  }
}

/// Not even a store that the same turn takes back: the state lies in memory that cannot be written.
TEST_F(BackPressure, IdleAndBlockedTurnsRunOnReadOnlyState) {
  bglml_eager_t message;
  post(message, 1, 20000);
  job.advance(0);
  ASSERT_FALSE(job.advance(0));
  for (const unsigned rank : {0u, 5u}) {  // blocked, idle
    void* page = mmap(nullptr, sizeof(bglml_state_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page, MAP_FAILED);
    job.select(rank);
    std::memcpy(page, bglml_instance, sizeof(bglml_state_t));
    ASSERT_EQ(mprotect(page, sizeof(bglml_state_t), PROT_READ), 0);
    bglml_instance = static_cast<bglml_state_t*>(page);
    EXPECT_FALSE(bglml_advance());
    job.select(0);
    munmap(page, sizeof(bglml_state_t));
  }
}

/// A small packet must not pass a big one that waits for room: the order is the queue's.
TEST_F(BackPressure, SmallMessagesDoNotPassWaitingOnes) {
  bglml_eager_t big, small;
  post(big, 1, 224 + 2 * 240 + 240);
  post(small, 1, 0);
  job.advance(0);
  EXPECT_EQ(job.torus.sent.size(), 3u);
  EXPECT_EQ(sent, 0u);
  ASSERT_TRUE(job.torus.move(0, 0, 0));
  job.advance(0);
  EXPECT_EQ(sent, 1u);
  job.settle();
  EXPECT_EQ(sent, 2u);
  EXPECT_EQ(inbox[1].messages.at(0).length, 944u);
  EXPECT_EQ(inbox[1].messages.at(1).length, 0u);
}

/// Nor may those of other peers on the same FIFO, or the big packet might wait for ever.
TEST_F(BackPressure, SmallPacketsDoNotStarveABigOne) {
  bglml_eager_t first, big, small;
  post(first, 2, 0);
  post(big, 1, 20000);
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(job.torus.injection_chunks(0, 0, 0), 1u + 8 + 8) << "seven chunks are left, the next packet has eight";
  post(small, 3, 0);
  EXPECT_FALSE(job.advance(0));
  ASSERT_TRUE(job.torus.move(0, 0, 0));
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(job.torus.sent.back().fields.destination[0], 1);
  job.settle();
  EXPECT_EQ(sent, 3u);
}

/// Six directions, six FIFOs: one that is full holds up no other.
TEST_F(BackPressure, OtherDirectionsGoOn) {
  bglml_eager_t blocked, free_message;
  post(blocked, 1, 20000);
  job.advance(0);
  ASSERT_FALSE(job.advance(0));
  post(free_message, 7, 100);  // X-: the other group
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(sent, 1u);
  post(free_message, 8, 100);  // Y+
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(sent, 2u);
}

/// Full reception FIFOs at a receiver that does not look: the sender waits, and all arrives in the end.
TEST_F(BackPressure, ReceiverThatDoesNotDrain) {
  bglml_eager_t message;
  post(message, 1, 20000);
  while (job.advance(0)) job.torus.settle();
  EXPECT_EQ(job.torus.reception_chunks(1, 0, BGL_TORUS_R1), BGL_TORUS_FIFO_CHUNKS);
  EXPECT_EQ(sent, 0u);
  job.settle();
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(inbox[1].messages.at(0).buffer.bytes(), bytes);
}

/// Many senders to one receiver, over a network that holds little: nothing is lost, nothing stands still, and the
/// receiver's memory is what its user gives it.
TEST(ManyToOne, AllProtocols) {
  Job all(4, 2, 2);
  Mail mail(all, true);
  all.torus.adversary = TorusDouble::Adversary::random;
  all.torus.flying_most = 3;
  std::mt19937 random(5);
  for (unsigned round = 0; round < 12; ++round) {
    for (unsigned from = 0; from < all.size(); ++from) {
      const auto kind = static_cast<Kind>((round + from) % 4);
      const std::uint32_t length = static_cast<std::uint32_t>(random()) % (kind == Kind::one_packet ? 241 : 9000);
      mail.post(kind, from, 5, length, static_cast<std::uint32_t>(random()));
    }
  }
  // The receiver looks rarely: its FIFOs are full most of the time.
  for (unsigned step = 0; step < 300; ++step) {
    for (unsigned from = 0; from < all.size(); ++from) {
      if (from != 5) all.advance(from);
    }
    all.torus.settle();
    if (step % 3 == 0) all.advance(5);
  }
  EXPECT_FALSE(mail.all_done());
  all.settle();
  EXPECT_TRUE(mail.all_done());
  EXPECT_EQ(mail.errors, std::vector<std::string>{});
  EXPECT_EQ(all.torus.errors, std::vector<std::string>{});
}

}  // namespace
}  // namespace toroid::testing
