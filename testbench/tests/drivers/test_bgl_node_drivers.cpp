// SPDX-License-Identifier: Apache-2.0
//
// The drivers of what the two cores of a node share, over the recording mock: lockbox, scratchpad, cache.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "drivers/bgl/cache.h"
#include "drivers/bgl/lockbox.h"
#include "drivers/bgl/scratchpad.h"
#include "drivers/bgl/tree.h"

namespace {

/// Accesses as "what address[=value]", in the order in which they were done.
std::vector<std::string> accesses() {
  const char* const kinds[] = {"read",  "write", "read", "write", "barrier",
                               "flush", "store", "zero", "touch", "flush all"};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < bgl_mock_count(); ++i) {
    const bgl_mock_access_t* access = bgl_mock_access(i);
    char text[64];
    std::snprintf(text, sizeof text, "%s %llx", kinds[access->kind], static_cast<unsigned long long>(access->address));
    if (access->address == 0) std::snprintf(text, sizeof text, "%s", kinds[access->kind]);
    all.emplace_back(text);
    if (access->kind == BGL_MOCK_WRITE_WORD) all.back() += "=" + std::to_string(access->word);
  }
  return all;
}

using Accesses = std::vector<std::string>;

class NodeDrivers : public ::testing::Test {
 protected:
  void SetUp() override { bgl_mock_reset(); }
};

TEST_F(NodeDrivers, TryTakesTheLockInOneRead) {
  bgl_mock_answer_word(0);
  bgl_mock_answer_word(1);
  EXPECT_TRUE(bgl_lockbox_try(5));
  EXPECT_FALSE(bgl_lockbox_try(127));
  EXPECT_EQ(accesses(), (Accesses{"read d0000050", "read d00007f0"}));
}

TEST_F(NodeDrivers, LockWaitsAtTheQueryRegister) {
  for (const std::uint32_t word : {1u, 1u, 0u, 1u, 0u, 0u}) bgl_mock_answer_word(word);  // lost once after the query
  bgl_lockbox_lock(1);
  EXPECT_EQ(accesses(), (Accesses{"read d0000010", "read d0000014", "read d0000014", "read d0000010", "read d0000014",
                                  "read d0000010", "barrier"}));
}

TEST_F(NodeDrivers, AFreeLockTakesOneRead) {
  bgl_lockbox_lock(3);
  EXPECT_EQ(accesses(), (Accesses{"read d0000030", "barrier"}));
}

TEST_F(NodeDrivers, UnlockComesAfterABarrier) {
  bgl_lockbox_unlock(2);
  EXPECT_EQ(accesses(), (Accesses{"barrier", "write d0000020=0"}));
}

TEST_F(NodeDrivers, BarrierArrivesAndPolls) {
  for (const std::uint32_t word : {1u, 1u, 0u}) bgl_mock_answer_word(word);
  bgl_lockbox_barrier(8);
  EXPECT_EQ(accesses(), (Accesses{"barrier", "write d0000088=0", "read d0000088", "read d0000088", "read d0000088"}));
}

TEST_F(NodeDrivers, ScratchpadWordsAndQuads) {
  bgl_mock_answer_word(77);
  EXPECT_EQ(bgl_scratchpad_read_word(0x3FFC), 77u);
  bgl_scratchpad_write_word(4, 9);
  const bgl_scratchpad_quad_t written = {{1, 2, 3, 4}};
  bgl_mock_answer(&written);
  bgl_scratchpad_write_quad(0x20, &written);
  bgl_scratchpad_quad_t read;
  bgl_scratchpad_read_quad(0x30, &read);
  EXPECT_EQ(0, std::memcmp(&read, &written, sizeof read));
  EXPECT_EQ(0, std::memcmp(&bgl_mock_access(2)->quad, &written, sizeof written));
  EXPECT_EQ(accesses(), (Accesses{"read fffffffc", "write ffffc004=9", "write ffffc020", "read ffffc030"}));
}

TEST_F(NodeDrivers, ScratchpadRunsAdvanceThroughMemory) {
  bgl_scratchpad_clear(0x100, 48);
  EXPECT_EQ(accesses(), (Accesses{"write ffffc100", "write ffffc110", "write ffffc120"}));
}

TEST_F(NodeDrivers, ScratchpadBytesFromAnyAddressAreFollowedByZeroes) {
  alignas(16) std::uint8_t area[256 + 32];
  for (unsigned i = 0; i < sizeof area; ++i) area[i] = static_cast<std::uint8_t>(i * 7 + 1);
  for (unsigned offset = 0; offset < 16; ++offset) {
    for (unsigned bytes = 0; bytes <= 240; ++bytes) {
      bgl_mock_reset();
      const unsigned quads = 15;
      bgl_scratchpad_write_bytes(0x1000, area + offset, bytes, quads);
      std::vector<std::uint8_t> expected(16 * quads);
      std::memcpy(expected.data(), area + offset, bytes);
      ASSERT_EQ(bgl_mock_count(), quads);
      for (unsigned i = 0; i < quads; ++i) {
        ASSERT_EQ(bgl_mock_access(i)->address, 0xFFFFD000u + 16 * i);
        ASSERT_EQ(0, std::memcmp(&bgl_mock_access(i)->quad, &expected[16 * i], 16)) << offset << " " << bytes;
      }
    }
  }
}

TEST_F(NodeDrivers, ScratchpadReadsToAnyAddress) {
  std::uint8_t source[256];
  for (unsigned i = 0; i < sizeof source; ++i) source[i] = static_cast<std::uint8_t>(i * 5 + 3);
  for (unsigned offset = 0; offset < 16; ++offset) {
    for (unsigned bytes = 0; bytes <= 256; ++bytes) {
      bgl_mock_reset();
      for (unsigned i = 0; i < 16; ++i) bgl_mock_answer(source + 16 * i);
      alignas(16) std::uint8_t area[320];
      std::memset(area, 0xEE, sizeof area);
      bgl_scratchpad_read(0x2010, area + 32 + offset, bytes);
      ASSERT_EQ(bgl_mock_count(), (bytes + 15) / 16);
      for (unsigned i = 0; i < bgl_mock_count(); ++i) ASSERT_EQ(bgl_mock_access(i)->address, 0xFFFFE010u + 16 * i);
      for (unsigned i = 0; i < sizeof area; ++i) {
        const unsigned start = 32 + offset;
        const unsigned expected = i >= start && i < start + bytes ? source[i - start] : 0xEE;
        ASSERT_EQ(area[i], expected) << "byte " << i << " of offset " << offset << " length " << bytes;
      }
    }
  }
}

const void* at(std::uintptr_t address) {
  return reinterpret_cast<const void*>(address);  // NOLINT: never followed
}

TEST_F(NodeDrivers, FlushCoversEveryLineTouched) {
  bgl_cache_flush(at(0x101F), 2);
  bgl_cache_store(at(0x2000), 32);
  bgl_cache_flush(at(0x3000), 0);
  EXPECT_EQ(accesses(), (Accesses{"flush 1000", "flush 1020", "barrier", "store 2000", "barrier"}));
}

TEST_F(NodeDrivers, EstablishesTheLinesOfTheRange) {
  alignas(32) std::array<std::uint8_t, 128> memory{};
  memory.fill(1);
  bgl_cache_establish(memory.data() + 32, 64);
  ASSERT_EQ(bgl_mock_count(), 2u);
  for (unsigned line = 0; line < 2; ++line) {
    EXPECT_EQ(bgl_mock_access(line)->kind, BGL_MOCK_ZERO_LINE);
    EXPECT_EQ(bgl_mock_access(line)->address, reinterpret_cast<std::uintptr_t>(memory.data()) + 32 + 32 * line);
  }
  EXPECT_EQ(std::count(memory.begin(), memory.end(), 0), 64);
}

TEST_F(NodeDrivers, TouchesEveryLineMet) {
  bgl_cache_touch(at(0x1014), 50);
  EXPECT_EQ(accesses(), (Accesses{"touch 1000", "touch 1020", "touch 1040"}));
}

TEST_F(NodeDrivers, LongRangesFlushTheWholeCache) {
  bgl_cache_flush(at(0x1000), 2 * BGL_CACHE_L1_BYTES);
  EXPECT_EQ(bgl_mock_count(), 2049u);
  bgl_mock_reset();
  bgl_cache_flush(at(0x1000), 2 * BGL_CACHE_L1_BYTES + 1);
  EXPECT_EQ(accesses(), (Accesses{"flush all", "barrier"}));
}

TEST(Cache, WholeLines) {
  EXPECT_TRUE(bgl_cache_whole_lines(at(0x40), 64));
  EXPECT_FALSE(bgl_cache_whole_lines(at(0x50), 64));
  EXPECT_FALSE(bgl_cache_whole_lines(at(0x40), 48));
  EXPECT_EQ(bgl_cache_round_up(33), 64u);
  EXPECT_EQ(bgl_cache_line_of(0x5F), 0x40u);
}

// The tree. -----------------------------------------------------------------------------------------------------------

TEST_F(NodeDrivers, OneStatusReadBehindABarrierTellsAllOfAVirtualChannel) {
  bgl_mock_answer_word(0x30031002u);  // 48 quads and 3 headers wait, 16 quads and 2 headers have come
  const std::uint32_t status = bgl_tree_status(1);
  EXPECT_EQ(accesses(), (Accesses{"barrier", "read b1000040"}));
  EXPECT_EQ(bgl_tree_room(status), 5u);
  EXPECT_EQ(bgl_tree_arrived(status), 1u);
}

TEST_F(NodeDrivers, RoomIsWhatBothInjectionFifosHave) {
  EXPECT_EQ(bgl_tree_room(0x00000000u), 8u);
  EXPECT_EQ(bgl_tree_room(0x01000000u), 7u);  // a single quad takes a packet's room
  EXPECT_EQ(bgl_tree_room(0x10020000u), 6u);
  EXPECT_EQ(bgl_tree_room(0x80080000u), 0u);
  EXPECT_EQ(bgl_tree_arrived(0x00008001u), 1u);
  EXPECT_EQ(bgl_tree_arrived(0x00000F01u), 0u);
}

TEST_F(NodeDrivers, TreePacketsAreSixteenQuadsAndThenTheHeader) {
  alignas(16) std::uint8_t payload[TREE_PAYLOAD_BYTES] = {};
  bgl_tree_inject(0, 0x12345678u, payload);
  Accesses expected(16, "write b0000000");
  expected.push_back("write b0000010=" + std::to_string(0x12345678u));
  EXPECT_EQ(accesses(), expected);
}

TEST_F(NodeDrivers, ShortTreePacketsAreFilledWithZeroes) {
  std::uint8_t payload[20];
  std::memset(payload, 7, sizeof payload);
  bgl_tree_inject_bytes(1, 1, payload + 1, 18);
  ASSERT_EQ(bgl_mock_count(), 17u);
  for (unsigned byte = 0; byte < TREE_PAYLOAD_BYTES; ++byte) {
    EXPECT_EQ(bgl_mock_access(byte / 16)->quad.byte[byte % 16], byte < 18 ? 7 : 0) << byte;
  }
}

TEST_F(NodeDrivers, AllOfATreePacketIsReadWhateverIsKept) {
  for (const unsigned bytes : {0u, 5u, 16u, 200u, 256u}) {
    bgl_mock_reset();
    std::uint8_t to[TREE_PAYLOAD_BYTES + 1];
    std::memset(to, 0xEE, sizeof to);
    bgl_mock_answer_word(0xABCDu);
    EXPECT_EQ(bgl_tree_receive_bytes(0, to + 1, bytes), 0xABCDu);
    Accesses expected{"read b0000030"};
    expected.insert(expected.end(), 16, "read b0000020");
    EXPECT_EQ(accesses(), expected);
    EXPECT_EQ(to[0], 0xEE);
    if (bytes < TREE_PAYLOAD_BYTES) {
      EXPECT_EQ(to[1 + bytes], 0xEE);
    }
  }
}

TEST_F(NodeDrivers, TreeHeadersHaveTheirFieldsWhereTheHardwareHasThem) {
  EXPECT_EQ(tree_collective_header(15, TREE_ADD, 128, 0x3FFF), 0xF37FFFFCu);
  EXPECT_EQ(tree_point_to_point_header(12, 0xABCDEF), 0xC8000000u | 0xABCDEFu << 2);
  EXPECT_EQ(tree_with_interrupt(0), 0x04000000u);
  EXPECT_EQ(tree_header_class(0xF37FFFFCu), 15u);
  EXPECT_EQ(tree_header_tag(0xF37FFFFCu), 0x3FFFu);
}

}  // namespace
