// SPDX-License-Identifier: Apache-2.0
// The order of messages and callbacks, and messages posted in callbacks.
#include <gtest/gtest.h>

#include <random>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

TEST(Order, RecvnewComesWithTheFirstPacketAndRecvdoneWithTheLast) {
  Job job(4, 1, 1);
  Inbox inbox[4];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  const auto bytes = pattern(224 + 2 * 240, 1);
  bglml_eager_t message;
  unsigned sent = 0;
  job.on(0, [&] {
    bglml_eager_init(&message, inbox[0].eager, 1, nullptr, bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                     count, &sent);
    bglml_eager_post(&message);
    EXPECT_EQ(job.torus.accesses, 0u) << "a post only queues";
  });
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(sent, 1u) << "all three packets fit, so the buffer is free";
  for (const char* events : {"N", "N", "ND"}) {
    EXPECT_TRUE(job.torus.move(0, 0, 0));
    EXPECT_TRUE(job.advance(1));
    EXPECT_EQ(std::string(inbox[1].events.begin(), inbox[1].events.end()), events);
  }
  EXPECT_FALSE(job.advance(1));
  EXPECT_EQ(inbox[1].messages[0].buffer.bytes(), bytes);
}

/// Messages to one peer stay in the order of their posting, whatever their protocol and size.
TEST(Order, OneMessageAtATimeToAPeer) {
  Job job(4, 2, 2);
  const unsigned ranks = job.size();
  constexpr unsigned kMessages = 60;
  std::vector<Inbox> inbox(ranks);
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  std::mt19937 random(7);
  std::deque<bglml_eager_t> eager;
  std::deque<bglml_one_packet_t> one_packet;
  const auto bytes = pattern(2000, 9);
  job.on_all([&](unsigned rank) {
    for (std::uint32_t number = 0; number < kMessages; ++number) {
      for (unsigned peer = 0; peer < ranks; ++peer) {
        if (random() % 2) {
          bglml_metadata_t metadata{};
          std::memcpy(metadata.bytes, &number, sizeof number);
          eager.emplace_back();
          bglml_eager_init(&eager.back(), inbox[rank].eager, peer, &metadata, bytes.data(), random() % 2000, nullptr,
                           nullptr);
          bglml_eager_post(&eager.back());
        } else {
          one_packet.emplace_back();
          bglml_one_packet_init(&one_packet.back(), inbox[rank].one_packet, peer, number, bytes.data(), random() % 241,
                                nullptr, nullptr);
          bglml_one_packet_post(&one_packet.back());
        }
      }
    }
  });
  // Anything may happen at any time, but no FIFO lets a packet pass another.
  const auto all_there = [&] {
    for (const Inbox& box : inbox) {
      if (box.messages.size() < ranks * kMessages) return false;
    }
    return true;
  };
  for (unsigned step = 0; step < 20000000 && !all_there(); ++step) {
    const unsigned rank = random() % ranks;
    if (random() % 8 == 0) {
      job.advance(rank);
    } else {
      job.torus.move(rank, random() % 2, random() % 3);
    }
  }
  ASSERT_TRUE(all_there());
  job.settle();
  for (unsigned rank = 0; rank < ranks; ++rank) {
    std::vector<std::uint32_t> next(ranks, 0);
    for (Inbox::Message& message : inbox[rank].messages) {
      std::uint32_t number = message.argument;
      if (message.eager) std::memcpy(&number, message.metadata.bytes, sizeof number);
      ASSERT_EQ(number, next[message.source]++) << "rank " << rank << " from " << message.source;
      ASSERT_TRUE(message.done);
      ASSERT_EQ(message.buffer.bytes(), std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + message.length));
    }
  }
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

/// A big message to one peer holds up no other peer of the same FIFO: they take turns packet by packet.
TEST(Order, PeersOfOneFifoTakeTurns) {
  Job job(8, 1, 1);
  Inbox inbox[8];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  const auto bytes = pattern(100000, 3);
  bglml_eager_t big, small;
  unsigned sent = 0;
  job.on(0, [&] {
    bglml_eager_init(&big, inbox[0].eager, 1, nullptr, bytes.data(), 100000, nullptr, nullptr);
    bglml_eager_init(&small, inbox[0].eager, 2, nullptr, bytes.data(), 100, count, &sent);
    bglml_eager_post(&big);
    bglml_eager_post(&small);
  });
  job.advance(0);
  EXPECT_EQ(sent, 1u);
  job.settle();
  EXPECT_EQ(inbox[1].messages.at(0).buffer.bytes(), bytes);
}

TEST(Order, MessagesPostedInCallbacks) {
  Job job(2, 1, 1);
  Inbox inbox[2];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  constexpr unsigned kTurns = 50;
  struct Player {
    Inbox* inbox;
    bglml_eager_t reply;
    std::uint32_t ball;
    unsigned done;
  } players[2] = {{&inbox[0], {}, 0, 0}, {&inbox[1], {}, 0, 0}};
  // Each recvdone posts the answer, of one byte more.
  for (Player& player : players) {
    player.inbox->on_done = [&player](Inbox::Message& message) {
      ++player.done;
      if (message.length >= kTurns) return;
      player.ball = message.length + 1;
      static const std::vector<std::uint8_t> bytes(kTurns);
      bglml_eager_init(&player.reply, player.inbox->eager, message.source, nullptr, bytes.data(), player.ball, nullptr,
                       nullptr);
      bglml_eager_post(&player.reply);
    };
  }
  bglml_eager_t first;
  job.on(0, [&] {
    bglml_eager_init(&first, inbox[0].eager, 1, nullptr, nullptr, 0, nullptr, nullptr);
    bglml_eager_post(&first);
  });
  job.settle();
  EXPECT_EQ(players[0].done + players[1].done, kTurns + 1);
}

/// A message may be posted again in its own senddone, to any peer, itself among them.
TEST(Order, PostedAgainInSenddone) {
  for (const unsigned peer : {0u, 1u}) {
    Job job(2, 1, 1);
    Inbox inbox[2];
    job.on_all([&](unsigned rank) { inbox[rank].open(); });
    struct Again {
      bglml_one_packet_t message;
      unsigned left;
    } again{{}, 100};
    job.on(0, [&] {
      bglml_one_packet_init(
          &again.message, inbox[0].one_packet, peer, 5, nullptr, 0,
          [](void* context) {
            auto* self = static_cast<Again*>(context);
            if (--self->left != 0) bglml_one_packet_post(&self->message);
          },
          &again);
      bglml_one_packet_post(&again.message);
    });
    job.settle();
    EXPECT_EQ(again.left, 0u);
    EXPECT_EQ(inbox[peer].messages.size(), 100u);
    EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
  }
}

/// To itself: the callbacks of the receiving side post to itself as well.
TEST(Order, SelfMessagesPostedWhileSelfMessagesArrive) {
  Job job(2, 1, 1);
  Inbox inbox[2];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  const auto bytes = pattern(3000, 4);
  std::deque<bglml_eager_t> messages;
  const auto post = [&](std::uint32_t length) {
    messages.emplace_back();
    bglml_eager_init(&messages.back(), inbox[0].eager, 0, nullptr, bytes.data(), length, nullptr, nullptr);
    bglml_eager_post(&messages.back());
  };
  inbox[0].on_done = [&](Inbox::Message& message) {
    if (message.length >= 500) post(message.length - 500);
  };
  job.on(0, [&] {
    post(3000);
    post(2999);
  });
  job.settle();
  EXPECT_EQ(inbox[0].messages.size(), 7u + 6u);
  for (const auto& message : inbox[0].messages) {
    EXPECT_TRUE(message.done);
    EXPECT_EQ(message.buffer.bytes(), std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + message.length));
  }
  EXPECT_TRUE(job.torus.sent.empty()) << "messages to the own rank stay in memory";
}

}  // namespace
}  // namespace toroid::testing
