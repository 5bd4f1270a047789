// SPDX-License-Identifier: Apache-2.0
//
// The DMA's plain driver on the host: which words it reads and writes, in which order, and the words of a descriptor.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "drivers/bgp/dma.h"

namespace {

std::vector<std::string> accesses;
std::vector<std::uint32_t> answers;

std::string text(const char* what, std::uintptr_t address) {
  std::array<char, 40> line{};
  std::snprintf(line.data(), line.size(), "%s %08llx", what, static_cast<unsigned long long>(address));
  return line.data();
}

}  // namespace

extern "C" {
std::uint32_t bgp_access_read_word(std::uintptr_t address) {
  accesses.push_back(text("read", address));
  if (answers.empty()) return 0;
  const std::uint32_t word = answers.front();
  answers.erase(answers.begin());
  return word;
}
void bgp_access_write_word(std::uintptr_t address, std::uint32_t word) {
  accesses.push_back(text("write", address) + "=" + text("", word).substr(1));
}
void bgp_access_order(void) {
  accesses.emplace_back("order");
}
void bgp_access_barrier(void) {
  accesses.emplace_back("barrier");
}
}

namespace {

using Accesses = std::vector<std::string>;

class BgpDmaDriver : public ::testing::Test {
 protected:
  void SetUp() override {
    accesses.clear();
    answers.clear();
  }
};

TEST_F(BgpDmaDriver, CountersOfBothKinds) {
  bgp_dma_counter_set(BGP_DMA_INJECTION, 0, 0, 1);
  bgp_dma_counter_set(BGP_DMA_RECEPTION, 3, 63, 2);
  bgp_dma_counter_add(BGP_DMA_INJECTION, 1, 5, 3);
  bgp_dma_counter_add(BGP_DMA_RECEPTION, 1, 5, 4);
  bgp_dma_counter_set_base(BGP_DMA_INJECTION, 2, 1, 5);
  bgp_dma_counter_set_base(BGP_DMA_RECEPTION, 2, 1, 6);
  bgp_dma_counter_set_max(2, 1, 7);
  EXPECT_EQ(accesses, (Accesses{"write fffd0400=00000001", "write fffd3ff0=00000002", "write fffd1454=00000003",
                                "write fffd1c54=00000004", "write fffd2418=00000005", "write fffd2c18=00000006",
                                "write fffd2c1c=00000007"}));
}

TEST_F(BgpDmaDriver, StatusWordsHaveABitForEachOf32Counters) {
  bgp_dma_counter_enable(BGP_DMA_INJECTION, 0, 0);
  bgp_dma_counter_enable(BGP_DMA_RECEPTION, 0, 33);
  bgp_dma_counter_disable(BGP_DMA_INJECTION, 0, 31);
  bgp_dma_counter_disable(BGP_DMA_RECEPTION, 1, 63);
  bgp_dma_counter_clear_hit_zero(BGP_DMA_INJECTION, 0, 40);
  bgp_dma_counter_clear_hit_zero(BGP_DMA_RECEPTION, 0, 1);
  EXPECT_EQ(accesses, (Accesses{"write fffd0308=80000000", "write fffd0b0c=40000000", "write fffd0310=00000001",
                                "write fffd1b14=00000001", "write fffd032c=00800000", "write fffd0b28=40000000"}));
}

TEST_F(BgpDmaDriver, DataAreThereBehindABarrier) {
  answers = {0xDFFFFFFF, 0x20000000};
  EXPECT_FALSE(bgp_dma_counter_hit_zero(BGP_DMA_RECEPTION, 0, 2));
  EXPECT_TRUE(bgp_dma_counter_hit_zero(BGP_DMA_RECEPTION, 0, 2));
  EXPECT_EQ(accesses, (Accesses{"read fffd0b20", "read fffd0b20", "barrier"}));
}

TEST_F(BgpDmaDriver, ADescriptorIsInMemoryBeforeTheTailMoves) {
  alignas(32) std::array<bgp_dma_descriptor_t, 3> ring{};
  bgp_dma_descriptor_t descriptor{};
  for (unsigned i = 0; i < BGP_DMA_DESCRIPTOR_WORDS; i++) descriptor.word[i] = i + 1;
  unsigned place = 1;
  for (int i = 0; i < 2; i++) bgp_dma_inject(1, 2, ring.data(), 0x1000, 3, &place, &descriptor);
  EXPECT_EQ(accesses,
            (Accesses{"order", "write fffd102c=00001004", "order", "order", "write fffd102c=00001000", "order"}));
  EXPECT_EQ(place, 0u);
  EXPECT_EQ(ring[0].word[7], 0u);
  EXPECT_EQ(ring[1].word[0], 1u);
  EXPECT_EQ(ring[2].word[7], 8u);
  answers = {0x77, 0x78};
  EXPECT_EQ(bgp_dma_inj_head(1, 2), 0x77u);
  EXPECT_EQ(bgp_dma_inj_tail(1, 2), 0x78u);
}

std::array<std::uint32_t, 8> words(const bgp_dma_put_t& put) {
  bgp_dma_descriptor_t descriptor;
  bgp_dma_put_descriptor(&descriptor, &put);
  std::array<std::uint32_t, 8> all{};
  for (unsigned i = 0; i < 8; i++) all[i] = torus_be32(descriptor.word[i]);
  return all;
}

/// By hand, from the tables of descriptor and header.
TEST_F(BgpDmaDriver, WordsOfAPut) {
  bgp_dma_put_t put{};
  put.x = 3;
  put.y = 4;
  put.z = 5;
  put.vc = TORUS_VC_BUBBLE;
  put.injection_counter = 64 + 2;
  put.reception_counter = 192 + 9;
  put.from = 0x100;
  put.to = 0x2000;
  put.bytes = 64;
  // Checksum behind 8 half-words; pid 3; 3 chunks; Dm; bubble; X. Y, Z. Offset. Counter.
  EXPECT_EQ(words(put), (std::array<std::uint32_t, 8>{0, 66, 0x100, 64, 0x10015A03, 0x04050000, 0x2000, 0xC9000000}));
  put.vc = TORUS_VC_DYNAMIC1;
  put.hints = TORUS_HINT_X_PLUS | TORUS_HINT_Z_MINUS;
  put.reception_counter = 64;
  put.bytes = 100000;
  EXPECT_EQ(words(put),
            (std::array<std::uint32_t, 8>{0, 66, 0x100, 100000, 0x1084FD03, 0x04050000, 0x2000, 0x40000000}));
}

}  // namespace
