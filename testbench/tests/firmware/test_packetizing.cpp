// SPDX-License-Identifier: Apache-2.0
// Every size and alignment through both protocols, byte for byte.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

class Packetizing : public ::testing::TestWithParam<unsigned> {
 protected:
  Packetizing() {
    job.on_all([this](unsigned rank) { inbox[rank].open(); });
  }

  void check(Inbox::Message& message, const std::vector<std::uint8_t>& expected) {
    ASSERT_TRUE(message.done);
    ASSERT_EQ(message.length, expected.size());
    ASSERT_EQ(message.buffer.bytes(), expected);
    ASSERT_TRUE(message.buffer.guards_whole());
  }

  Job job{2, 2, 1};
  Inbox inbox[4];
};

TEST_P(Packetizing, EagerAllSizes) {
  const unsigned alignment = GetParam();
  for (unsigned number = 0; number <= 2 * 1000 + 1; ++number) {
    const unsigned size = number / 2;
    const unsigned to = number % 2 == 0 ? 3 : 0;  // over the network, and to itself
    inbox[to].alignment = (size + 5 * alignment) % 16;
    const auto bytes = pattern(size, size * 16 + alignment);
    Buffer from(size, alignment);
    std::copy(bytes.begin(), bytes.end(), from.data());
    bglml_metadata_t metadata{};
    std::memcpy(metadata.bytes, &size, sizeof size);
    metadata.bytes[15] = static_cast<std::uint8_t>(alignment);
    bglml_eager_t message;
    unsigned sent = 0;
    job.on(0, [&] {
      bglml_eager_init(&message, inbox[0].eager, to, &metadata, from.data(), size, count, &sent);
      bglml_eager_post(&message);
    });
    job.settle();
    ASSERT_EQ(sent, 1u);
    ASSERT_EQ(inbox[to].messages.size(), 1u) << "size " << size;
    check(inbox[to].messages[0], bytes);
    ASSERT_EQ(std::memcmp(&inbox[to].messages[0].metadata, &metadata, sizeof metadata), 0);
    inbox[to].messages.clear();
  }
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

TEST_P(Packetizing, OnePacketAllSizes) {
  const unsigned alignment = GetParam();
  for (unsigned number = 0; number <= 2 * BGLML_ONE_PACKET_MAX + 1; ++number) {
    const unsigned size = number / 2;
    const unsigned to = number % 2 == 0 ? 2 : 0;
    const auto bytes = pattern(size, size * 16 + alignment);
    Buffer from(size, alignment);
    std::copy(bytes.begin(), bytes.end(), from.data());
    bglml_one_packet_t message;
    unsigned sent = 0;
    job.on(0, [&] {
      bglml_one_packet_init(&message, inbox[0].one_packet, to, 0xFFFFFF - size, from.data(), size, count, &sent);
      bglml_one_packet_post(&message);
    });
    job.settle();
    ASSERT_EQ(sent, 1u);
    ASSERT_EQ(inbox[to].messages.size(), 1u) << "size " << size;
    check(inbox[to].messages[0], bytes);
    ASSERT_EQ(inbox[to].messages[0].argument, 0xFFFFFF - size);
    inbox[to].messages.clear();
  }
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Alignments, Packetizing, ::testing::Range(0u, 16u));

/// Packets are as small as the bytes in them allow, and no byte of the sender's memory beside the buffer travels.
TEST(PacketSizes, FewestChunks) {
  Job job(2, 1, 1);
  Inbox inbox[2];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  const std::vector<std::uint8_t> bytes(1000, 0x77);
  const auto chunks_of_eager = [&](unsigned size) {
    job.torus.sent.clear();
    bglml_eager_t message;
    job.on(0, [&] {
      bglml_eager_init(&message, inbox[0].eager, 1, nullptr, bytes.data(), size, nullptr, nullptr);
      bglml_eager_post(&message);
    });
    job.settle();
    std::vector<unsigned> chunks;
    for (const auto& sent : job.torus.sent) chunks.push_back(sent.fields.chunks);
    return chunks;
  };
  EXPECT_EQ(chunks_of_eager(0), (std::vector<unsigned>{1}));
  EXPECT_EQ(chunks_of_eager(1), (std::vector<unsigned>{2}));
  EXPECT_EQ(chunks_of_eager(32), (std::vector<unsigned>{2}));
  EXPECT_EQ(chunks_of_eager(33), (std::vector<unsigned>{3}));
  EXPECT_EQ(chunks_of_eager(224), (std::vector<unsigned>{8}));
  EXPECT_EQ(chunks_of_eager(225), (std::vector<unsigned>{8, 1}));
  EXPECT_EQ(chunks_of_eager(224 + 240), (std::vector<unsigned>{8, 8}));
  EXPECT_EQ(chunks_of_eager(224 + 240 + 17), (std::vector<unsigned>{8, 8, 2}));
}

}  // namespace
}  // namespace toroid::testing
