// SPDX-License-Identifier: Apache-2.0
//
// The torus DCR block: which registers there are, what they hold, and what they do to the network.
#include <gtest/gtest.h>

#include <systemc>

#include "nic/bgl/torus_dcr.h"
#include "torus/header_check.h"

namespace toroid {
namespace {

class TorusDcrTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kNode = 1 + 4 * 2 + 16 * 1;  // (1,2,1)

  Wheel wheel;
  TorusNetwork network{wheel, TorusConfig{}, Topology(Shape::parse("4x4x2")), 1};
  TorusDcr dcr{network, kNode};
};

TEST_F(TorusDcrTest, HasTheRegistersOfTheMap) {
  const std::pair<unsigned, unsigned> runs[] = {{0x00, 0x1B}, {0x1E, 0x1E}, {0x20, 0x2C}, {0x30, 0x30},
                                                {0x32, 0x57}, {0x5C, 0x68}, {0x6C, 0x7E}};
  for (unsigned offset = 0; offset < 0x200; ++offset) {
    bool expected = false;
    for (const auto& [first, last] : runs) expected |= offset >= first && offset <= last;
    EXPECT_EQ(TorusDcr::exists(offset), expected) << std::hex << offset;
  }
  EXPECT_FALSE(TorusDcr::exists(~0u));
}

TEST_F(TorusDcrTest, StartsAsTheMachineIs) {
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_NODES_OFFSET), 0x03030100u);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_NODE_OFFSET), 0x01020100u);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_PLUS_NEIGHBOUR_OFFSET), 0x02030000u);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_MINUS_NEIGHBOUR_OFFSET), 0x00010000u);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_RETRANSMIT_Y_OFFSET), 600u << 16 | 600u);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_ARBITRATION_OFFSET), 157u << 18 | 53u << 10);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_CLOCK_RATIO_OFFSET), 1u);
  for (unsigned link = 0; link < 6; ++link) {
    EXPECT_EQ(dcr.read(BGL_TORUS_DCR_SENDER_TOKENS_OFFSET + link), 0x20202020u);
    EXPECT_EQ(dcr.read(BGL_TORUS_DCR_RECEIVER_FULLNESS_OFFSET + link), 0u);
  }
}

TEST_F(TorusDcrTest, StoresTheBitsThatExist) {
  const std::pair<unsigned, std::uint32_t> registers[] = {
      {BGL_TORUS_DCR_NODE_OFFSET, 0xFFFFFF00u},         {BGL_TORUS_DCR_VC_THRESHOLD_OFFSET, 0x7F7F7F7Fu},
      {BGL_TORUS_DCR_RETRANSMIT_Z_OFFSET, 0xFFFFFFFFu}, {BGL_TORUS_DCR_CLOCK_RATIO_OFFSET, 7u},
      {BGL_TORUS_DCR_WATERMARK_OFFSET, 0xFFFFFFFCu},    {BGL_TORUS_DCR_LINK_CONTROL_OFFSET, 0xFFF80000u},
      {BGL_TORUS_DCR_THRESHOLD_OFFSET + 5, 0xFFFFFFFFu}};
  for (const auto& [offset, bits] : registers) {
    ASSERT_TRUE(TorusDcr::writable(offset)) << std::hex << offset;
    dcr.write(offset, 0xFFFFFFFFu);
    EXPECT_EQ(dcr.read(offset), bits) << std::hex << offset;
    dcr.write(offset, 0);
    EXPECT_EQ(dcr.read(offset), 0u) << std::hex << offset;
  }
}

TEST_F(TorusDcrTest, KnowsWhatCanOnlyBeRead) {
  for (unsigned offset = 0x32; offset <= 0x57; ++offset) EXPECT_FALSE(TorusDcr::writable(offset)) << std::hex << offset;
  for (unsigned offset = 0x6C; offset <= 0x7E; ++offset) EXPECT_FALSE(TorusDcr::writable(offset)) << std::hex << offset;
  EXPECT_FALSE(TorusDcr::writable(BGL_TORUS_DCR_INTERRUPT_ERROR_OFFSET));
  EXPECT_TRUE(TorusDcr::writable(BGL_TORUS_DCR_CLEAR_OFFSET));
}

TEST_F(TorusDcrTest, CutOffsTurnPacketsTheOtherWay) {
  const Topology& topology = network.topology();
  const Coordinates own = topology.coordinates(kNode), above{2, 2, 1};
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 1u);  // X+
  const std::uint32_t plus = dcr.read(BGL_TORUS_DCR_CUTOFF_PLUS_OFFSET);
  dcr.write(BGL_TORUS_DCR_CUTOFF_PLUS_OFFSET, (plus & 0x00FFFF00u) | 1u << 24);
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 2u);  // X-: nothing is reached by plus any more
  dcr.reset();
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_CUTOFF_PLUS_OFFSET), plus);
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 1u);
}

TEST_F(TorusDcrTest, StopsSenders) {
  dcr.write(BGL_TORUS_DCR_ARBITRATION_OFFSET, 0x10u << BGL_TORUS_DCR_ARBITRATION_STOP_SHIFT);
  for (unsigned link = 0; link < 6; ++link) {
    EXPECT_EQ(network.stopped(kNode, static_cast<Direction>(link)), link == 1) << link;
  }
  dcr.reset();
  EXPECT_FALSE(network.stopped(kNode, 1));
}

TEST_F(TorusDcrTest, ErrorsStayUntilTheyAreCleared) {
  dcr.write_full(1, 3);
  dcr.write_full(1, 0);
  dcr.read_empty();
  const unsigned offset = BGL_TORUS_DCR_INJECTION_ERROR_OFFSET + 1;
  EXPECT_EQ(dcr.read(offset), BGL_TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK | BGL_TORUS_DCR_INJECTION_ERROR_FULL_I0_MASK);
  dcr.write(offset, BGL_TORUS_DCR_INJECTION_ERROR_FULL_I0_MASK);
  EXPECT_EQ(dcr.read(offset), BGL_TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK);
  dcr.write(offset, 0);
  EXPECT_EQ(dcr.read(offset), BGL_TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_ACCESS_ERROR_OFFSET),
            BGL_TORUS_DCR_ACCESS_ERROR_WRITE_FULL_MASK | BGL_TORUS_DCR_ACCESS_ERROR_READ_EMPTY_P0_MASK);
}

TEST_F(TorusDcrTest, MasksKeepErrorsFromTheInterrupt) {
  constexpr std::uint32_t kSummary = BGL_TORUS_DCR_INTERRUPT_ERROR_NON_RECOVERABLE_MASK;
  constexpr std::uint32_t kBadHeaderLine = 0x80000000u >> 18;  // bit 18 of the standard group
  dcr.write_full(0, 0);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary | kBadHeaderLine);
  dcr.write(BGL_TORUS_DCR_RECOVERABLE_MASK_OFFSET, kBadHeaderLine);
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary);
  dcr.write(BGL_TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET + 8, 0xFFFFFFFFu);  // injection group 0
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary);
  dcr.write(BGL_TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET + 12, 0xFFFFFFFFu);  // register and FIFO accesses
  EXPECT_EQ(dcr.read(BGL_TORUS_DCR_INTERRUPT_ERROR_OFFSET), 0u);
}

TEST_F(TorusDcrTest, PutsChecksumsWhereTheMapHasThem) {
  const unsigned place[] = {0, 1, 2, 6, 3, 4, 5, 7};  // N0..N5, then P0, P1
  for (unsigned fifo = 0; fifo < 8; ++fifo) dcr.add_checksum(fifo, 100 + fifo);
  for (unsigned fifo = 0; fifo < 8; ++fifo)
    EXPECT_EQ(dcr.read(BGL_TORUS_DCR_CHECKSUM_OFFSET + place[fifo]), 100 + fifo);
}

}  // namespace
}  // namespace toroid

// SystemC's library has main() and wants this.
int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
