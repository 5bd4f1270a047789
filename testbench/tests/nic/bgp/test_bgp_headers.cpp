// SPDX-License-Identifier: Apache-2.0
//
// The shared headers as C++17, against the same headers compiled as C11.
#include <gtest/gtest.h>

#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_regs.h"

extern "C" {
std::uint32_t bgp_headers_c11_put_word3(unsigned counter, unsigned bytes, unsigned flags, unsigned fifo);
std::uint64_t bgp_headers_c11_last_counter(void);
}

namespace {

static_assert(sizeof(bgp_dma_descriptor_t) == BGP_DMA_DESCRIPTOR_BYTES);
static_assert(alignof(bgp_dma_descriptor_t) == BGP_DMA_DESCRIPTOR_BYTES);

TEST(BgpHeaders, AreTheSameInC11AndCpp17) {
  EXPECT_EQ(bgp_headers_c11_put_word3(0x41, 240, BGP_DMA_FLAG_REMOTE_GET, 0x21),
            bgp_dma_put_word3(0x41, 240, BGP_DMA_FLAG_REMOTE_GET, 0x21));
  EXPECT_EQ(bgp_dma_put_word3(0x41, 240, BGP_DMA_FLAG_REMOTE_GET, 0x21), 0x41F00121u);
  EXPECT_EQ(bgp_headers_c11_last_counter(), 0x600003FFCu);
}

TEST(BgpHeaders, PlaceTheRegistersWhereTheDriverSourceHasThem) {
  EXPECT_EQ(BGP_DMA_INJ_FIFO_TAIL_OFFSET + 31 * BGP_DMA_INJ_FIFO_TAIL_STRIDE, 0x1FCu);
  EXPECT_EQ(BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x228u);
  EXPECT_EQ(BGP_DMA_INJ_COUNTER_GROUP_STATUS_OFFSET, 0x330u);
  EXPECT_EQ(BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, 0x404u);
  EXPECT_EQ(BGP_DMA_REC_HEADER_FIFO_TAIL_OFFSET, 0x88Cu);
  EXPECT_EQ(BGP_DMA_STORAGE_OFFSET, 0x900u);
  EXPECT_EQ(BGP_DMA_REC_CLEAR_THRESHOLD_CROSSED_OFFSET, 0xA18u);
  EXPECT_EQ(BGP_DMA_REC_COUNTER_CLEAR_HIT_ZERO_OFFSET, 0xB28u);
  EXPECT_EQ(BGP_DMA_REC_COUNTER_MAX_OFFSET, 0xC0Cu);
}

TEST(BgpHeaders, PlaceTheControlRegistersWhereTheDriverSourceHasThem) {
  EXPECT_EQ(BGP_DMA_DCR_BASE, 0xD00u);
  EXPECT_EQ(BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET, 0x03u);
  EXPECT_EQ(BGP_DMA_DCR_INJ_RANGE_ATTRIBUTES_OFFSET, 0x12u);
  EXPECT_EQ(BGP_DMA_DCR_REC_RANGE_MIN_OFFSET, 0x14u);
  EXPECT_EQ(BGP_DMA_DCR_TORUS_INJECTION_WATERMARK_OFFSET, 0x24u);
  EXPECT_EQ(BGP_DMA_DCR_LOCAL_INJECTION_SERVICE_OFFSET, 0x26u);
  EXPECT_EQ(BGP_DMA_DCR_LOCAL_RECEPTION_SERVICE_OFFSET, 0x2Bu);
  EXPECT_EQ(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET, 0x2Cu);
  EXPECT_EQ(BGP_DMA_DCR_REC_HEADER_FIFO_ENABLE_OFFSET, 0x31u);
  EXPECT_EQ(BGP_DMA_DCR_SERVICE_QUANTA_OFFSET, 0x37u);
  EXPECT_EQ(BGP_DMA_DCR_REC_FIFO_THRESHOLD_OFFSET, 0x3Au);
  EXPECT_EQ(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x3Cu);
  EXPECT_EQ(BGP_DMA_DCR_INJ_FIFO_LOCAL_OFFSET, 0x5Cu);
  EXPECT_EQ(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET, 0x60u);
  EXPECT_EQ(BGP_DMA_DCR_REC_HEADER_CLEAR_MASK_OFFSET, 0x6Cu);
  EXPECT_EQ(BGP_DMA_DCR_REC_HEADER_THRESHOLD_INTERRUPT_OFFSET, 0x75u);
  EXPECT_EQ(BGP_DMA_DCR_REC_COUNTER_INTERRUPT_OFFSET, 0x7Au);
  EXPECT_EQ(BGP_DMA_DCR_FATAL_ENABLE_INJECTION_OFFSET, 0x7Eu);
  EXPECT_EQ(BGP_DMA_DCR_ECC_COUNT_OFFSET, 0x8Au);
  EXPECT_EQ(BGP_DMA_DCR_FATAL_INJECTION_OFFSET, 0x93u);
  EXPECT_EQ(BGP_DMA_DCR_BAD_READ_ADDRESS_OFFSET, 0x97u);
  EXPECT_EQ(BGP_DMA_DCR_UNIT_ERROR_OFFSET + BGP_DMA_DCR_UNIT_ERROR_COUNT, 0xA0u);
  EXPECT_EQ(BGP_DMA_DCR_WARNINGS_OFFSET, 0xAFu);
  EXPECT_EQ(BGP_DMA_DCR_FATAL_CLEAR_LINK_OFFSET, 0xB2u);
}

TEST(BgpHeaders, PacketsAreAsSmallAsTheirMessage) {
  // The table of the machine's packet interface: 209 bytes and more take 8 chunks, 177 to 208 take 7.
  EXPECT_EQ(bgp_dma_packet_chunks(0), 1u);
  EXPECT_EQ(bgp_dma_packet_chunks(16), 1u);
  EXPECT_EQ(bgp_dma_packet_chunks(17), 2u);
  EXPECT_EQ(bgp_dma_packet_chunks(176), 6u);
  EXPECT_EQ(bgp_dma_packet_chunks(177), 7u);
  EXPECT_EQ(bgp_dma_packet_chunks(208), 7u);
  EXPECT_EQ(bgp_dma_packet_chunks(209), 8u);
  EXPECT_EQ(bgp_dma_packet_chunks(1u << 20), 8u);
}

TEST(BgpHeaders, ThePidHasItsUpperBitInPid0) {
  for (unsigned pid = 0; pid < 4; ++pid) EXPECT_EQ(bgp_dma_pid(bgp_dma_pid_bits(pid)), pid);
  EXPECT_EQ(bgp_dma_pid_bits(2), TORUS_HEADER0_PID_MASK) << "rows 2 and 3 are fed by torus group 1";
}

}  // namespace
