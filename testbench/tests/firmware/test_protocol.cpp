// SPDX-License-Identifier: Apache-2.0
// A protocol of a test's own, made of nothing but firmware/bgl/msglayer/protocol.h: packets of any size, read in pieces
// or not at all.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

/// Sends `count` packets of 8 chunks; word 3 counts them.
struct Burst {
  bglml_message_t base;
  const std::uint8_t* bytes;
  std::uint32_t sent, count;
};

bglml_push_t push(bglml_connection_t* connection, bglml_message_t* base) {
  auto* burst = reinterpret_cast<Burst*>(base);
  bglml_inject(connection, base->handler, burst->sent, nullptr, burst->bytes, BGLML_ONE_PACKET_MAX);
  return ++burst->sent == burst->count ? BGLML_DONE : BGLML_MORE;
}

constexpr bglml_protocol_t kBurst = {push, nullptr};

/// What the handler reads of the n-th packet: nothing; one quad; pieces of 16, 7 and 100 bytes; all.
struct Reader {
  std::vector<std::vector<std::uint8_t>> pieces;
  std::vector<std::uint32_t> sources;

  static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
    auto* reader = static_cast<Reader*>(binding->context);
    reader->sources.push_back(packet->source);
    const auto take = [&](std::uint32_t bytes, unsigned alignment) {
      Buffer buffer(bytes, alignment);
      bglml_packet_read(packet, buffer.data(), bytes);
      EXPECT_TRUE(buffer.guards_whole());
      reader->pieces.push_back(buffer.bytes());
    };
    switch (packet->argument % 4) {
      case 1:
        take(16, 0);
        break;
      case 2:
        take(16, 3), take(7, 0), take(100, 9);
        break;
      case 3:
        take(240, 0);
        break;
      default:
        break;
    }
    EXPECT_EQ(packet->memory != nullptr, packet->source == bglml_rank());
  }
};

class Protocol : public ::testing::TestWithParam<unsigned> {};

TEST_P(Protocol, HandlersReadWhatTheyLike) {
  const unsigned to = GetParam();
  Job job(2, 1, 1);
  Reader reader[2];
  std::uint8_t handler = 0;
  job.on_all([&](unsigned rank) { handler = bglml_register_handler(Reader::handle, nullptr, &reader[rank]); });
  const auto bytes = pattern(240, 5);
  Burst burst{{}, bytes.data(), 0, 8};
  unsigned sent = 0;
  job.on(0, [&] {
    bglml_message_init(&burst.base, &kBurst, handler, to, count, &sent);
    burst.base.chunks = bglml_packet_chunks(BGLML_ONE_PACKET_MAX, 0);
    bglml_message_post(&burst.base);
  });
  job.settle();
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(reader[to].sources, std::vector<std::uint32_t>(8, 0));
  const auto part = [&](unsigned first, unsigned size) {
    return std::vector<std::uint8_t>(bytes.begin() + first, bytes.begin() + first + size);
  };
  const std::vector<std::vector<std::uint8_t>> expected = {part(0, 16), part(0, 16), part(16, 7), part(32, 100),
                                                           part(0, 240)};
  ASSERT_EQ(reader[to].pieces.size(), 2 * expected.size());
  for (unsigned i = 0; i < 2 * expected.size(); ++i)
    EXPECT_EQ(reader[to].pieces[i], expected[i % expected.size()]) << i;
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(NetworkAndSelf, Protocol, ::testing::Values(1u, 0u));

/// A protocol whose messages are one packet each, after which the lane waits for a control packet of the receiver,
/// which finds the way by an id in place of a rank.
class Waiting : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr std::uint32_t kId = 0xFFFFFE;

  struct Rank {
    Waiting* test;
    bglml_control_t control{};
    unsigned arrived = 0, resumed = 0, sent = 0;
  };

  Waiting() {
    job.on_all([this](unsigned number) {
      ranks[number].test = this;
      data = bglml_register_id_handler(
          [](const bglml_binding_t* binding, bglml_packet_t* packet) {
            auto* at = static_cast<Rank*>(binding->context);
            EXPECT_EQ(packet->source, kId);
            ++at->arrived;
            at->control.sent = [](bglml_control_t* control) {
              ++reinterpret_cast<Rank*>(reinterpret_cast<char*>(control) - offsetof(Rank, control))->sent;
            };
            bglml_control_queue(&at->control, bglml_connect(packet->argument), at->test->answer, BGLML_ADAPTIVE, 77);
          },
          nullptr, &ranks[number]);
      answer = bglml_register_handler(
          [](const bglml_binding_t* binding, bglml_packet_t* packet) {
            EXPECT_EQ(packet->argument, 77u);
            EXPECT_EQ(packet->quads, 1u);
            ++static_cast<Rank*>(binding->context)->resumed;
            bglml_resume(bglml_connect(packet->source));
          },
          nullptr, &ranks[number]);
    });
  }

  static bglml_push_t push_and_wait(bglml_connection_t* connection, bglml_message_t* message) {
    const bglml_head_t head = {bglml_word2(message->handler, kId), bglml_rank(), nullptr, 0, BGLML_ADAPTIVE,
                               bglml_connection_group(connection)};
    bglml_inject_packet(connection, &head, nullptr, 0);
    return static_cast<bglml_push_t>(BGLML_DONE | BGLML_WAIT);
  }

  Job job{4, 1, 1};
  Rank ranks[4];
  std::uint8_t data = 0, answer = 0;
};

TEST_P(Waiting, TheLaneLeavesItsFifoUntilItIsTold) {
  const unsigned to = GetParam();
  static constexpr bglml_protocol_t kWaiting = {push_and_wait, nullptr};
  bglml_message_t messages[3];
  Burst other{{}, nullptr, 0, 1};
  static constexpr bglml_protocol_t kEmpty = {[](bglml_connection_t* connection, bglml_message_t* base) {
                                                bglml_inject(connection, base->handler, 0, nullptr, nullptr, 0);
                                                return BGLML_DONE;
                                              },
                                              nullptr};
  std::uint8_t sink = 0;
  job.on_all([&](unsigned) {
    sink = bglml_register_handler([](const bglml_binding_t*, bglml_packet_t*) {}, nullptr, nullptr);
  });
  unsigned sent = 0, others = 0;
  job.on(0, [&] {
    for (auto& message : messages) {
      bglml_message_init(&message, &kWaiting, data, to, count, &sent);
      message.chunks = 1;
      bglml_message_post(&message);
    }
    bglml_message_init(&other.base, &kEmpty, sink, to == 0 ? 0 : 2, count, &others);  // the same FIFO
    other.base.chunks = 1;
    if (to != 0) bglml_message_post(&other.base);
  });
  job.advance(0);
  if (to != 0) {
    EXPECT_EQ(sent, 1u);
    EXPECT_EQ(others, 1u) << "a lane that waits holds up no other";
    EXPECT_FALSE(job.advance(0)) << "nothing to do but wait";
    EXPECT_EQ(job.state(0).busy, 0u);
    EXPECT_TRUE(job.torus.sent[0].fields.dynamic);
    EXPECT_EQ(job.torus.sent[0].word2 & 0xFFFFFFu, kId);
  }
  job.settle();
  EXPECT_EQ(sent, 3u);
  EXPECT_EQ(ranks[to].arrived, 3u);
  EXPECT_EQ(ranks[to].sent, 3u);
  EXPECT_EQ(ranks[0].resumed, 3u);
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(NetworkAndSelf, Waiting, ::testing::Values(1u, 0u));

TEST(ProtocolDeathTest, ReadingMoreThanThereIs) {
  Job job(2, 1, 1);
  std::uint8_t handler = 0;
  job.on_all([&](unsigned) {
    handler = bglml_register_handler(
        [](const bglml_binding_t*, bglml_packet_t* packet) {
          std::uint8_t bytes[32];
          bglml_packet_read(packet, bytes, 17);
        },
        nullptr, nullptr);
  });
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(handler, 1), 0}, 1);
  job.select(0);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "17 bytes wanted from a packet of rank 1 that has 16 left");
}

}  // namespace
}  // namespace toroid::testing
