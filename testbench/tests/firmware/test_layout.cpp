// SPDX-License-Identifier: Apache-2.0
// Data that does not lie in one piece.
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

/// The places of a layout's bytes, one after the other.
std::vector<std::int64_t> places(const bglml_layout_t& layout) {
  std::vector<std::int64_t> all;
  for (std::uint32_t i = 0; i < layout.count; ++i) {
    const std::int64_t start =
        layout.blocks != nullptr ? layout.blocks[i].offset : static_cast<std::int64_t>(i) * layout.stride;
    const std::uint32_t bytes = layout.blocks != nullptr ? layout.blocks[i].bytes : layout.block;
    for (std::uint32_t k = 0; k < bytes; ++k) all.push_back(start + k);
  }
  return all;
}

/// Wherever it looked last, a view finds every byte.
void seek_everywhere(const bglml_layout_t& layout) {
  const auto where = places(layout);
  ASSERT_EQ(where.size(), layout.bytes);
  std::vector<std::uint8_t> memory(100000);
  std::uint8_t* buffer = memory.data() + 50000;
  bglml_view_t view;
  bglml_view_init_layout(&view, buffer, &layout);
  if (view.layout == nullptr) return;
  std::mt19937 random(3);
  for (unsigned step = 0; step < 5000; ++step) {
    const auto offset = static_cast<std::uint32_t>(random() % layout.bytes);
    const bglml_run_t run = bglml_view_run(&view, offset);
    ASSERT_GT(run.bytes, 0u);
    ASSERT_LE(offset + run.bytes, layout.bytes);
    for (std::uint32_t k = 0; k < run.bytes; ++k) ASSERT_EQ(run.at + k, buffer + where[offset + k]);
    ASSERT_LE(view.start, offset) << "the block that was found is remembered";
  }
}

TEST(Layout, Seeks) {
  seek_everywhere(bglml_layout_vector(50, 7, 20));
  seek_everywhere(bglml_layout_vector(50, 7, -20));
  seek_everywhere(bglml_layout_vector(3, 1000, 1001));
  std::vector<bglml_block_t> blocks;
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) blocks.push_back({static_cast<std::int32_t>(random() % 40000) - 20000, 0});
  for (auto& block : blocks) block.bytes = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % 90);
  seek_everywhere(bglml_layout_indexed(blocks.data(), static_cast<std::uint32_t>(blocks.size())));
}

/// What lies in one piece after all is sent as such.
TEST(Layout, OnePiece) {
  std::uint8_t bytes[100];
  const bglml_block_t block = {10, 90};
  const bglml_layout_t layouts[] = {bglml_layout_contiguous(90), bglml_layout_vector(9, 10, 10),
                                    bglml_layout_vector(1, 90, 7), bglml_layout_vector(0, 5, 9),
                                    bglml_layout_indexed(&block, 1)};
  for (const auto& layout : layouts) {
    bglml_view_t view;
    bglml_view_init_layout(&view, bytes, &layout);
    EXPECT_EQ(view.layout, nullptr);
    EXPECT_EQ(view.bytes, layout.bytes);
    EXPECT_EQ(view.buffer, layout.blocks != nullptr ? bytes + 10 : bytes);
  }
}

TEST(LayoutDeathTest, TooLong) {
  EXPECT_EXIT(bglml_layout_vector(1u << 20, 1u << 20, 0), ::testing::ExitedWithCode(BGLML_EXIT_FATAL),
              "a layout of 1099511627776 bytes; at most 2147483647");
}

/// From every size of block to every other, at all alignments, through each protocol.
class Blocks : public ::testing::TestWithParam<unsigned> {
 protected:
  struct Place {
    std::vector<std::uint8_t> area = std::vector<std::uint8_t>(8192, 0xA5);
    bglml_layout_t layout{};
    unsigned alignment = 0;
    std::uint8_t* buffer() {
      const auto base = reinterpret_cast<std::uintptr_t>(area.data()) + 64;
      return area.data() + 64 + (16 - base % 16) % 16 + alignment;
    }
    std::vector<std::uint8_t> bytes() {
      std::vector<std::uint8_t> all;
      for (const auto place : places(layout)) all.push_back(buffer()[place]);
      return all;
    }
    bool whole() {  // after what belongs to the message has been blotted out
      for (const auto place : places(layout)) buffer()[place] = 0xA5;
      return area == std::vector<std::uint8_t>(8192, 0xA5);
    }
  };

  void SetUp() override {
    job.on_all([this](unsigned rank) {
      eager = bglml_eager_register(
          [](void* context, std::uint32_t, const bglml_metadata_t*, std::uint32_t) {
            auto* test = static_cast<Blocks*>(context);
            bglml_eager_receive_init_layout(&test->receive.eager, test->to.buffer(), &test->to.layout, count,
                                            &test->received);
            return &test->receive.eager;
          },
          this);
      adaptive = bglml_adaptive_register(
          [](void* context, std::uint32_t, const bglml_metadata_t*, std::uint32_t) {
            auto* test = static_cast<Blocks*>(context);
            bglml_adaptive_receive_init_layout(&test->receive.adaptive, test->to.buffer(), &test->to.layout, count,
                                               &test->received);
            return &test->receive.adaptive;
          },
          this);
      rendezvous = bglml_rendezvous_register(
          [](void* context, const bglml_rendezvous_offer_t*) {
            auto* test = static_cast<Blocks*>(context);
            bglml_rendezvous_receive_init_layout(&test->receive.rendezvous, test->to.buffer(), &test->to.layout, count,
                                                 &test->received);
            return &test->receive.rendezvous;
          },
          this);
      (void)rank;
    });
    job.torus.adversary = TorusDouble::Adversary::reverse;
  }

  void transfer(unsigned protocol, unsigned peer) {
    const auto bytes = pattern(from.layout.bytes, from.layout.block * 7 + to.layout.block);
    const auto at = places(from.layout);
    for (std::size_t i = 0; i < bytes.size(); ++i) from.buffer()[at[i]] = bytes[i];
    std::fill(to.area.begin(), to.area.end(), 0xA5);
    sent = received = 0;
    union {
      bglml_eager_t eager;
      bglml_adaptive_t adaptive;
      bglml_rendezvous_t rendezvous;
    } message;
    job.select(0);
    switch (protocol) {
      case 0:
        bglml_eager_init_layout(&message.eager, eager, peer, nullptr, from.buffer(), &from.layout, count, &sent);
        bglml_eager_post(&message.eager);
        break;
      case 1:
        bglml_adaptive_init_layout(&message.adaptive, adaptive, peer, nullptr, from.buffer(), &from.layout, count,
                                   &sent);
        bglml_adaptive_post(&message.adaptive);
        break;
      default:
        bglml_rendezvous_init_layout(&message.rendezvous, rendezvous, peer, nullptr, from.buffer(), &from.layout, count,
                                     &sent);
        bglml_rendezvous_post(&message.rendezvous);
        break;
    }
    job.settle();
    ASSERT_EQ(sent, 1u);
    ASSERT_EQ(received, 1u);
    ASSERT_EQ(to.bytes(), bytes);
    ASSERT_TRUE(to.whole());
    ASSERT_EQ(job.torus.errors, std::vector<std::string>{});
  }

  Job job{2, 1, 1};
  Place from, to;
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
    bglml_rendezvous_receive_t rendezvous;
  } receive;
  unsigned sent = 0, received = 0;
  bglml_port_t eager = 0, adaptive = 0, rendezvous = 0;
};

TEST_P(Blocks, EverySizeAndAlignment) {
  for (unsigned size = 1; size <= 260; ++size) {
    for (const unsigned other : {1u, 3u, 16u, 64u, 100u, 1000u}) {
      const unsigned length = std::lcm(size, other) <= 1500 ? std::lcm(size, other) : size;
      if (length % other != 0) continue;
      from.layout = bglml_layout_vector(length / size, size, static_cast<std::int32_t>(size + size % 5));
      to.layout = bglml_layout_vector(length / other, other, static_cast<std::int32_t>(other + size % 7));
      from.alignment = size % 16;
      to.alignment = (size * 5 + other) % 16;
      if (length * 2 > 4000) continue;
      transfer(GetParam(), 1);
      transfer(GetParam(), 0);
      std::swap(from.layout, to.layout);
      transfer(GetParam(), 1);
    }
  }
}

/// Aligned blocks of whole quads go straight on both sides.
TEST_P(Blocks, NoCopiesOfAlignedBlocks) {
  from.layout = bglml_layout_vector(30, 96, 112);
  to.layout = bglml_layout_vector(15, 192, 208);
  transfer(GetParam(), 1);
  const auto& out = job.counters(0).sent;
  const auto& in = job.counters(1).received;
  EXPECT_EQ(out.direct, 30u * 96);
  EXPECT_EQ(in.direct, 30u * 96);
  EXPECT_EQ(out.realigned + out.copied + in.realigned + in.copied, 0u);
}

/// Unaligned ones are shifted on the way; only the bytes of quads that belong to two blocks are copied.
TEST_P(Blocks, FewCopiesOfUnalignedBlocks) {
  from.layout = bglml_layout_vector(30, 96, 112);
  to.layout = bglml_layout_vector(30, 96, 112);
  from.alignment = 3;
  to.alignment = 7;
  transfer(GetParam(), 1);
  const auto& out = job.counters(0).sent;
  const auto& in = job.counters(1).received;
  EXPECT_EQ(out.realigned, 30u * 96);
  EXPECT_EQ(in.realigned, 30u * 96);
  EXPECT_EQ(out.copied + in.copied, 0u);
}

INSTANTIATE_TEST_SUITE_P(Protocols, Blocks, ::testing::Values(0u, 1u, 2u), [](const auto& parameter) {
  return std::string(parameter.param == 0 ? "eager" : parameter.param == 1 ? "adaptive" : "rendezvous");
});

}  // namespace
}  // namespace toroid::testing
