// SPDX-License-Identifier: Apache-2.0
//
// The shared headers as C++17, against the same headers compiled as C11.
#include <gtest/gtest.h>

#include "nic/bgl/torus_packet.h"
#include "nic/bgl/torus_regs.h"
#include "nic/torus/dcr_regs.h"

extern "C" {
unsigned long bgl_headers_c11_header_size(void);
unsigned long bgl_headers_c11_fields_size(void);
std::uint32_t bgl_headers_c11_encode0(const torus_fields_t* fields);
std::uint32_t bgl_headers_c11_last_dcr(void);
}

namespace {

static_assert(sizeof(torus_header_t) == TORUS_HEADER_BYTES);
static_assert(alignof(torus_header_t) == TORUS_QUAD_BYTES);

TEST(BglHeaders, AreTheSameInC11AndCpp17) {
  EXPECT_EQ(bgl_headers_c11_header_size(), sizeof(torus_header_t));
  EXPECT_EQ(bgl_headers_c11_fields_size(), sizeof(torus_fields_t));
  torus_fields_t fields = {};
  fields.csum_skip = 4;
  fields.hints = TORUS_HINT_Y_PLUS;
  fields.pid = 1;
  fields.chunks = 8;
  fields.dynamic = 1;
  fields.destination[0] = 9;
  EXPECT_EQ(bgl_headers_c11_encode0(&fields), torus_encode0(&fields));
}

TEST(BglHeaders, PlaceTheRegistersWhereTheDriverSourceHasThem) {
  EXPECT_EQ(bgl_headers_c11_last_dcr(), 0x280u + 0x7Eu);
  EXPECT_EQ(TORUS_DCR_WATERMARK_OFFSET, 0x0Du);
  EXPECT_EQ(TORUS_DCR_CLEAR_OFFSET, 0x1Eu);
  EXPECT_EQ(TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET, 0x20u);
  EXPECT_EQ(TORUS_DCR_RECEIVER_CRC_OFFSET, 0x32u);
  EXPECT_EQ(TORUS_DCR_RECEIVER_FULLNESS_OFFSET, 0x38u);
  EXPECT_EQ(TORUS_DCR_SENDER_TOKENS_OFFSET, 0x3Eu);
  EXPECT_EQ(TORUS_DCR_CHECKSUM_OFFSET, 0x4Du);
  EXPECT_EQ(TORUS_DCR_HEADER_ERROR_OFFSET, 0x62u);
  EXPECT_EQ(TORUS_DCR_ACCESS_ERROR_OFFSET, 0x68u);
  EXPECT_EQ(TORUS_DCR_RECOVERABLE_OFFSET + 0x11u, 0x7Du);
}

}  // namespace
