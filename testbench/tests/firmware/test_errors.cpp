// SPDX-License-Identifier: Apache-2.0
// Wrong use and wrong packets: one line that says rank, what and what would be right, and BGLML_EXIT_FATAL.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

class ErrorsDeathTest : public ::testing::Test {
 protected:
  ErrorsDeathTest() {
    job.on_all([this](unsigned rank) { inbox[rank].open(); });
    job.select(0);
  }

  Job job{2, 1, 1};
  Inbox inbox[2];
  bglml_one_packet_t one_packet;
  bglml_eager_t eager;
};

TEST_F(ErrorsDeathTest, NoSuchRank) {
  EXPECT_EXIT(bglml_eager_init(&eager, inbox[0].eager, 2, nullptr, nullptr, 0, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "rank 0: message to rank 2; the job has ranks 0..1");
}

TEST_F(ErrorsDeathTest, NoSuchPort) {
  EXPECT_EXIT(bglml_eager_init(&eager, 63, 1, nullptr, nullptr, 0, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "port 63; [0-9]+ ports are registered");
}

TEST_F(ErrorsDeathTest, PortOfAnother) {
  EXPECT_EXIT(bglml_one_packet_init(&one_packet, inbox[0].eager, 1, 0, nullptr, 0, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "one-packet message through port .*another protocol: eager");
  EXPECT_EXIT(bglml_eager_init(&eager, inbox[0].one_packet, 1, nullptr, nullptr, 0, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "eager message through port .*another protocol: one-packet");
  const std::uint8_t barrier = job.state(0).barrier.port;
  for (const std::uint8_t own : {std::uint8_t{BGLML_HANDLER_ACKNOWLEDGEMENT}, barrier}) {
    EXPECT_EXIT(bglml_one_packet_init(&one_packet, own, 1, 0, nullptr, 0, nullptr, nullptr),
                ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "which is the layer's own");
  }
}

TEST(BeforeInitDeathTest, NothingWorks) {
  Job job(2, 1, 1, 7, false);
  job.select(1);
  bglml_one_packet_t message;
  const auto fails = ::testing::ExitedWithCode(BGLML_EXIT_FATAL);
  EXPECT_EXIT(bglml_barrier(), fails, "message layer: bglml_barrier\\(\\) called before bglml_init");
  EXPECT_EXIT(bglml_co_join(0), fails, "before bglml_init");
  EXPECT_EXIT(bglml_one_packet_register(nullptr, nullptr), fails, "before bglml_init");
  EXPECT_EXIT(bglml_one_packet_init(&message, 0, 0, 0, nullptr, 0, nullptr, nullptr), fails, "before bglml_init");
  job.state(1).in_turn = true;  // as in a process that has just begun
  EXPECT_EXIT(bglml_advance(), fails, "bglml_advance\\(\\) before bglml_init");
}

TEST_F(ErrorsDeathTest, TooLong) {
  const std::uint8_t bytes[241] = {};
  EXPECT_EXIT(bglml_one_packet_init(&one_packet, inbox[0].one_packet, 1, 0, bytes, 241, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "241 bytes to rank 1; a packet holds 240");
  EXPECT_EXIT(bglml_eager_init(&eager, inbox[0].eager, 1, nullptr, bytes, 0x80000000u, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "2147483648 bytes to rank 1; at most 2147483647");
  EXPECT_EXIT(bglml_one_packet_init(&one_packet, inbox[0].one_packet, 1, 0x1000000, bytes, 0, nullptr, nullptr),
              ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "argument 0x1000000; 24 bits");
}

TEST_F(ErrorsDeathTest, PostedTwice) {
  bglml_one_packet_init(&one_packet, inbox[0].one_packet, 1, 0, nullptr, 0, nullptr, nullptr);
  bglml_one_packet_post(&one_packet);
  EXPECT_EXIT(bglml_one_packet_post(&one_packet), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "posted again before its senddone");
  bglml_one_packet_init(&one_packet, inbox[0].one_packet, 1, 0, nullptr, 0, nullptr, nullptr);
  EXPECT_EXIT(bglml_one_packet_post(&one_packet), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "posted again before its senddone");
}

TEST_F(ErrorsDeathTest, AdvanceInACallback) {
  for (const unsigned peer : {0u, 1u}) {
    bglml_one_packet_init(
        &one_packet, inbox[0].one_packet, peer, 0, nullptr, 0, [](void*) { bglml_advance(); }, nullptr);
    bglml_one_packet_post(&one_packet);
    EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "called from a callback");
    one_packet.base.senddone = nullptr;
    job.settle();
    job.select(0);
  }
  inbox[1].on_done = [](Inbox::Message&) { bglml_advance(); };
  bglml_one_packet_init(&one_packet, inbox[0].one_packet, 1, 0, nullptr, 0, nullptr, nullptr);
  bglml_one_packet_post(&one_packet);
  bglml_advance();
  job.torus.settle();
  job.select(1);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "rank 1: .*called from a callback");
}

TEST_F(ErrorsDeathTest, NoStateForAMessage) {
  const bglml_port_t port = bglml_eager_register(
      [](void*, std::uint32_t, const bglml_metadata_t*, std::uint32_t) -> bglml_eager_receive_t* { return nullptr; },
      nullptr);
  bglml_eager_init(&eager, port, 0, nullptr, nullptr, 0, nullptr, nullptr);
  bglml_eager_post(&eager);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), "recvnew gave no state .* from rank 0");
}

TEST_F(ErrorsDeathTest, PacketsThatMakeNoSense) {
  const auto expect = [&](std::array<std::uint32_t, 4> header, unsigned chunks, const char* message) {
    Job fresh(2, 1, 1);
    Inbox boxes[2];
    fresh.on_all([&](unsigned rank) { boxes[rank].open(); });
    fresh.torus.plant(0, 1, BGL_TORUS_R2, header, chunks);
    fresh.select(0);
    EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL), message);
  };
  const std::uint32_t one = inbox[0].one_packet, many = inbox[0].eager;
  expect({0, 0, bglml_word2(63, 1), 0}, 1, "packet in FIFO R2 of group 1 for port 63 from rank 1");
  expect({0, 0, bglml_word2(one, 2), 0}, 1, "from rank 2; there are [0-9]+ ports and 2 ranks");
  expect({0, 0, bglml_word2(one, 1), 17}, 1, "17 bytes from rank 1 in a packet of 16");
  expect({0, 0, bglml_word2(many, 1), 240}, 1, "eager packet for byte 240 from rank 1, where byte 0");
  expect({0, 0, bglml_word2(job.state(0).barrier.port, 1), 5u << 8}, 1, "barrier packet of round 5");
}

TEST_F(ErrorsDeathTest, PacketsOutOfOrder) {
  const std::uint32_t many = inbox[0].eager;
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(many, 1), 0x80000000u | 1000}, 8);
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(many, 1), 224 + 240}, 8);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "eager packet for byte 464 from rank 1, where byte 224 was to follow");
}

TEST_F(ErrorsDeathTest, AMessageInsideAnother) {
  const std::uint32_t many = inbox[0].eager;
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(many, 1), 0x80000000u | 1000}, 8);
  job.torus.plant(0, 0, BGL_TORUS_R1, {0, 0, bglml_word2(many, 1), 0x80000000u | 10}, 8);
  EXPECT_EXIT(bglml_advance(), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "from rank 1 begins at byte 224 of another that has 1000");
}

TEST_F(ErrorsDeathTest, TooManyPorts) {
  for (unsigned port = job.state(0).handler_count; port < BGLML_MAX_HANDLERS; ++port)
    bglml_register_handler(nullptr, nullptr, nullptr);
  EXPECT_EXIT(bglml_register_handler(nullptr, nullptr, nullptr), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "more than 64 ports");
}

}  // namespace
}  // namespace toroid::testing
