// SPDX-License-Identifier: Apache-2.0
// Virtual node mode: virtual FIFOs between the two processes of a node, and the split of the torus FIFOs between them.
#include <gtest/gtest.h>

#include <random>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

constexpr unsigned kRings = 7, kProcesses = 2;

/// One node with its two processes, ranks 0 and 1.
class OneNode : public ::testing::Test {
 protected:
  OneNode() {
    job.on_all([this](unsigned rank) { inbox[rank].open(); });
  }
  void post(unsigned from, bglml_eager_t& message, const std::vector<std::uint8_t>& bytes) {
    job.on(from, [&] {
      bglml_eager_init(&message, inbox[from].eager, 1 - from, nullptr, bytes.data(),
                       static_cast<std::uint32_t>(bytes.size()), count, &sent);
      bglml_eager_post(&message);
    });
  }
  unsigned held(unsigned t) { return job.torus.shared[0].pad(BGLML_PAD_STATUS + 4 * t); }
  unsigned unread(unsigned t) { return held(t) - job.state(t).virtual_fifos.kept; }

  Job job{1, 1, 1, kRings, true, kProcesses};
  Inbox inbox[2];
  unsigned sent = 0;
};

TEST_F(OneNode, AMessageGoesThroughTheScratchpadAndNotTheTorus) {
  const auto bytes = pattern(500, 1);
  bglml_eager_t message;
  post(0, message, bytes);
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(held(1), 8u + 8u + 2u);
  EXPECT_EQ(held(0), 0u);
  EXPECT_TRUE(job.advance(1));
  EXPECT_EQ(unread(1), 0u);
  ASSERT_EQ(inbox[1].messages.size(), 1u);
  EXPECT_EQ(inbox[1].messages[0].source, 0u);
  EXPECT_EQ(inbox[1].messages[0].buffer.bytes(), bytes);
  EXPECT_EQ(job.torus.sent.size(), 0u);
}

/// The FIFO's packets have the torus's format: header of the hardware, then the software words, then the payload.
TEST_F(OneNode, PacketsHaveTheFormatOfTheTorus) {
  bglml_one_packet_t message;
  const auto bytes = pattern(40, 3);
  job.on(1, [&] {
    bglml_one_packet_init(&message, inbox[1].one_packet, 0, 77, bytes.data(), 40, nullptr, nullptr);
    bglml_one_packet_post(&message);
    bglml_advance();
  });
  torus_header_t header;
  std::uint8_t payload[48];
  job.torus.shared[0].read(bgl_scratchpad_address(BGLML_PAD_VIRTUAL_FIFO), &header, 16);
  for (unsigned quad = 0; quad < 3; ++quad) {
    job.torus.shared[0].read(bgl_scratchpad_address(BGLML_PAD_VIRTUAL_FIFO + 16 + 16 * quad), payload + 16 * quad, 16);
  }
  EXPECT_EQ(bgl_torus_header_chunks(&header), 2u);
  EXPECT_EQ(bglml_word2_source(bgl_torus_software(&header, 2)), 1u);
  EXPECT_EQ(0, std::memcmp(payload, bytes.data(), 40));
  EXPECT_EQ(std::vector<std::uint8_t>(payload + 40, payload + 48), std::vector<std::uint8_t>(8)) << "padded with zeros";
}

TEST_F(OneNode, AFullFifoHoldsBackAndLosesNothing) {
  const auto bytes = pattern(20000, 5);
  bglml_eager_t message;
  post(0, message, bytes);
  EXPECT_TRUE(job.advance(0));
  EXPECT_EQ(held(1), unsigned{BGLML_VIRTUAL_CHUNKS} / 8 * 8);
  const unsigned writes = job.torus.shared[0].writes;
  for (unsigned turn = 0; turn < 5; ++turn) EXPECT_FALSE(job.advance(0));
  EXPECT_EQ(job.torus.shared[0].writes, writes) << "a turn that is held back writes nothing";
  EXPECT_EQ(sent, 0u);
  job.settle();
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(inbox[1].messages.at(0).buffer.bytes(), bytes);
}

TEST_F(OneNode, AnIdleTurnReadsTheOwnStatusAndOneQuad) {
  const unsigned accesses = job.torus.accesses;
  const unsigned writes = job.torus.shared[0].writes;
  EXPECT_FALSE(job.advance(0));
  EXPECT_FALSE(job.advance(1));
  EXPECT_EQ(job.torus.accesses, accesses + 2) << "one group's status each";
  EXPECT_EQ(job.torus.shared[0].writes, writes);
}

/// The reader gives room back in pieces, and always enough of it.
TEST_F(OneNode, RoomComesBackInPieces) {
  const unsigned pieces = 20;
  std::vector<bglml_one_packet_t> messages(pieces);
  const auto bytes = pattern(240, 1);
  unsigned taken_back = 0;
  for (auto& message : messages) {
    const unsigned before = held(1);
    job.on(0, [&] {
      bglml_one_packet_init(&message, inbox[0].one_packet, 1, 0, bytes.data(), 240, nullptr, nullptr);
      bglml_one_packet_post(&message);
      EXPECT_TRUE(bglml_advance());
    });
    EXPECT_TRUE(job.advance(1));
    EXPECT_EQ(unread(1), 0u);
    EXPECT_LE(held(1), unsigned{BGLML_VIRTUAL_KEPT});
    taken_back += held(1) < before;
  }
  EXPECT_EQ(inbox[1].messages.size(), pieces);
  EXPECT_EQ(taken_back, 8 * pieces / (BGLML_VIRTUAL_KEPT / 8 * 8 + 8));
}

/// Packets of all sizes in all places of the ring, both ways at once, with turns in random order.
TEST_F(OneNode, RandomMessagesBothWays) {
  std::mt19937 random(11);
  struct Sent {
    bglml_eager_t eager;
    bglml_one_packet_t one_packet;
    std::vector<std::uint8_t> bytes;
  };
  std::deque<Sent> messages[2];
  constexpr unsigned kMessages = 1500;
  for (unsigned from = 0; from < 2; ++from) {
    job.on(from, [&] {
      for (unsigned number = 0; number < kMessages; ++number) {
        const bool eager = random() % 2;
        messages[from].emplace_back();
        Sent& message = messages[from].back();
        message.bytes = pattern(random() % (eager ? 3000 : 241), number);
        const auto length = static_cast<std::uint32_t>(message.bytes.size());
        if (eager) {
          bglml_eager_init(&message.eager, inbox[from].eager, 1 - from, nullptr, message.bytes.data(), length, count,
                           &sent);
          bglml_eager_post(&message.eager);
        } else {
          bglml_one_packet_init(&message.one_packet, inbox[from].one_packet, 1 - from, number, message.bytes.data(),
                                length, count, &sent);
          bglml_one_packet_post(&message.one_packet);
        }
      }
    });
  }
  for (unsigned turn = 0; turn < 1000000 && inbox[0].messages.size() + inbox[1].messages.size() < 2 * kMessages;
       ++turn) {
    inbox[0].alignment = inbox[1].alignment = random() % 16;
    job.advance(random() % 2);
    for (unsigned t = 0; t < 2; ++t) ASSERT_LE(held(t), unsigned{BGLML_VIRTUAL_CHUNKS});
  }
  job.settle();
  EXPECT_EQ(sent, 2 * kMessages);
  for (unsigned to = 0; to < 2; ++to) {
    ASSERT_EQ(inbox[to].messages.size(), kMessages);
    for (unsigned number = 0; number < kMessages; ++number) {
      ASSERT_EQ(inbox[to].messages[number].buffer.bytes(), messages[1 - to][number].bytes) << number;
      ASSERT_TRUE(inbox[to].messages[number].buffer.guards_whole()) << number;
    }
  }
}

/// Process t injects into group t whatever the direction, and its packets go to the group of their destination's t.
TEST(VirtualNode, TorusFifosAreSplitByGroups) {
  Job job(4, 4, 2, kRings, true, kProcesses);
  std::vector<Inbox> inbox(job.size());
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  std::deque<bglml_one_packet_t> messages;
  unsigned sent = 0;
  job.on_all([&](unsigned rank) {
    for (unsigned peer = 0; peer < job.size(); ++peer) {
      messages.emplace_back();
      bglml_one_packet_init(&messages.back(), inbox[rank].one_packet, peer, rank, nullptr, 0, count, &sent);
      bglml_one_packet_post(&messages.back());
    }
  });
  job.settle();
  EXPECT_EQ(sent, 64u * 64u);
  for (const Inbox& box : inbox) EXPECT_EQ(box.messages.size(), 64u);
  for (const auto& packet : job.torus.sent) {
    const unsigned source = bglml_word2_source(packet.word2);
    EXPECT_EQ(packet.group, source / 32);
  }
  // 32 nodes send to 31 others, of each process to each process.
  unsigned packets[2][2] = {};
  for (const auto& packet : job.torus.sent) ++packets[packet.group][packet.fields.pid];
  for (unsigned from = 0; from < 2; ++from) {
    for (unsigned to = 0; to < 2; ++to) EXPECT_EQ(packets[from][to], 32u * 31u) << from << " to " << to;
  }
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

TEST(VirtualNode, RanksHaveFourCoordinates) {
  Job job(2, 3, 2, kRings, true, kProcesses);
  job.on(17, [] {
    EXPECT_EQ(bglml_size(), 24u);
    EXPECT_EQ(bglml_shape().t, 2);
    const bglml_coordinates_t place = bglml_coordinates(17);  // 12 + 5: x 1, y 2, z 0, t 1
    EXPECT_EQ(place.x, 1);
    EXPECT_EQ(place.y, 2);
    EXPECT_EQ(place.z, 0);
    EXPECT_EQ(place.t, 1);
    EXPECT_EQ(bglml_rank_at(place), 17u);
    EXPECT_EQ(bglml_hops(5, 17), 0u);
  });
}

/// A limit of ranks may leave a process alone on its node: it takes no part in a set-up of two.
TEST(VirtualNode, AProcessWithoutItsPartner) {
  Job job(2, 1, 1, kRings, false, kProcesses);
  const bglml_options_t options = {3, BGLML_SECOND_CORE_COMMUNICATES};
  Inbox inbox[3];
  for (unsigned rank = 0; rank < 3; ++rank) {
    job.on(rank, [&] {
      bglml_init(&options);
      inbox[rank].open();
    });
  }
  EXPECT_TRUE(job.state(0).virtual_fifos.present);
  EXPECT_FALSE(job.state(1).virtual_fifos.present);
  bglml_one_packet_t message;
  job.on(1, [&] {
    bglml_one_packet_init(&message, inbox[1].one_packet, 2, 5, nullptr, 0, nullptr, nullptr);
    bglml_one_packet_post(&message);
    EXPECT_TRUE(bglml_advance());
  });
  job.torus.settle();
  EXPECT_TRUE(job.advance(2));
  EXPECT_EQ(inbox[2].messages.size(), 1u);
}

}  // namespace
}  // namespace toroid::testing
