// SPDX-License-Identifier: Apache-2.0
//
// Each function of the BG/L packet layer against the recording mock: exactly which accesses, in which order.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "drivers/bgl/torus.h"
#include "drivers/bgl/torus_full.h"

namespace {

constexpr std::uintptr_t kGroup1 = 0xB1150000;
constexpr unsigned kQuad = 16;

// Byte i of the test's packets.
std::uint8_t pattern(unsigned i) {
  return static_cast<std::uint8_t>(i * 7 + 3);
}

struct alignas(16) Buffer {
  std::array<std::uint8_t, 512> bytes{};
};

Buffer patterned() {
  Buffer buffer;
  for (unsigned i = 0; i < buffer.bytes.size(); ++i) buffer.bytes[i] = pattern(i);
  return buffer;
}

class TorusDriver : public testing::Test {
 protected:
  void SetUp() override { bgl_mock_reset(); }

  static void answer_quads(unsigned quads) {
    const Buffer packet = patterned();
    for (unsigned i = 0; i < quads; ++i) bgl_mock_answer(packet.bytes.data() + i * kQuad);
  }

  // All accesses from number `from` on are of one kind at one address.
  static void expect_all(bgl_mock_kind_t kind, std::uintptr_t address, std::size_t count, std::size_t from = 0) {
    ASSERT_EQ(bgl_mock_count(), from + count);
    for (std::size_t i = from; i < from + count; ++i) {
      EXPECT_EQ(bgl_mock_access(i)->kind, kind) << i;
      EXPECT_EQ(bgl_mock_access(i)->address, address) << i;
    }
  }

  static std::vector<std::uint8_t> written() {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < bgl_mock_count(); ++i) {
      const bgl_quad_t& quad = bgl_mock_access(i)->quad;
      bytes.insert(bytes.end(), std::begin(quad.byte), std::end(quad.byte));
    }
    return bytes;
  }
};

TEST_F(TorusDriver, StatusIsReadAfterABarrier) {
  alignas(16) std::uint8_t quad[16];
  for (unsigned i = 0; i < 16; ++i) quad[i] = static_cast<std::uint8_t>(i + 1);
  bgl_mock_answer(quad);
  bgl_torus_status_t status;
  bgl_torus_read_status(1, &status);
  ASSERT_EQ(bgl_mock_count(), 2u);
  EXPECT_EQ(bgl_mock_access(0)->kind, BGL_MOCK_BARRIER);
  EXPECT_EQ(bgl_mock_access(1)->kind, BGL_MOCK_READ);
  EXPECT_EQ(bgl_mock_access(1)->address, kGroup1 + 0x7000);
  for (unsigned fifo = 0; fifo < 7; ++fifo) EXPECT_EQ(bgl_torus_reception_chunks(&status, fifo), fifo + 1);
  for (unsigned fifo = 0; fifo < 4; ++fifo) EXPECT_EQ(bgl_torus_injection_chunks(&status, fifo), fifo + 8);
}

TEST_F(TorusDriver, UsesTwentyFourChunksOfAnInjectionFifo) {
  bgl_torus_status_t status = {};
  status.chunks[BGL_TORUS_STATUS_I1_BYTE] = 16;
  EXPECT_TRUE(bgl_torus_can_inject(&status, BGL_TORUS_I1, 8));
  EXPECT_TRUE(bgl_torus_can_inject(&status, BGL_TORUS_I0, 8));
  status.chunks[BGL_TORUS_STATUS_I1_BYTE] = 17;
  EXPECT_FALSE(bgl_torus_can_inject(&status, BGL_TORUS_I1, 8));
  EXPECT_TRUE(bgl_torus_can_inject(&status, BGL_TORUS_I1, 7));
}

TEST_F(TorusDriver, WindowsLieWhereTheHardwareHasThem) {
  const std::uintptr_t reception[] = {0x0000, 0x0400, 0x0800, 0x0C00, 0x1000, 0x1400, 0x2000};
  const std::uintptr_t injection[] = {0x3000, 0x4000, 0x5000, 0x6000};
  for (unsigned fifo = 0; fifo < 7; ++fifo) {
    EXPECT_EQ(bgl_torus_reception_window(0, fifo), 0xB1140000 + reception[fifo]);
    EXPECT_EQ(bgl_torus_reception_window(1, fifo), kGroup1 + reception[fifo]);
  }
  for (unsigned fifo = 0; fifo < 4; ++fifo) EXPECT_EQ(bgl_torus_injection_window(1, fifo), kGroup1 + injection[fifo]);
}

TEST_F(TorusDriver, InjectWritesEveryQuadInOrder) {
  const Buffer packet = patterned();
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    bgl_mock_reset();
    bgl_torus_inject(1, BGL_TORUS_I2, packet.bytes.data(), chunks);
    expect_all(BGL_MOCK_WRITE, kGroup1 + 0x5000, 2 * chunks);
    EXPECT_EQ(0, std::memcmp(written().data(), packet.bytes.data(), 32 * chunks)) << chunks;
  }
}

TEST_F(TorusDriver, GatherWritesHeaderPayloadAndZeroes) {
  const Buffer payload = patterned();
  const torus_header_t header = {{1, 2, 3, 4}};
  for (unsigned quads = 0; quads <= 15; ++quads) {
    bgl_mock_reset();
    bgl_torus_inject_gather(0, BGL_TORUS_IH, &header, payload.bytes.data(), quads, 16);
    expect_all(BGL_MOCK_WRITE, 0xB1146000, 16);
    std::vector<std::uint8_t> expected(256);
    std::memcpy(expected.data(), &header, 16);
    std::memcpy(expected.data() + 16, payload.bytes.data(), quads * kQuad);
    EXPECT_EQ(written(), expected) << quads;
  }
}

TEST_F(TorusDriver, InjectBytesTakesAnyAddressAndLength) {
  const Buffer payload = patterned();
  const torus_header_t header = {{1, 2, 3, 4}};
  for (unsigned offset = 0; offset < 16; ++offset) {
    for (unsigned bytes = 0; bytes <= 240; ++bytes) {
      bgl_mock_reset();
      bgl_torus_inject_bytes(0, BGL_TORUS_I0, &header, payload.bytes.data() + offset, bytes, 16);
      expect_all(BGL_MOCK_WRITE, 0xB1143000, 16);
      std::vector<std::uint8_t> expected(256);
      std::memcpy(expected.data(), &header, 16);
      std::memcpy(expected.data() + 16, payload.bytes.data() + offset, bytes);
      ASSERT_EQ(written(), expected) << offset << " " << bytes;
    }
  }
}

TEST_F(TorusDriver, PeekReadsTheHeaderAlone) {
  torus_header_t sent = {};
  const std::uint8_t destination[3] = {1, 2, 3};
  bgl_torus_dynamic_header(&sent, destination, 0, 0, 5);
  bgl_torus_set_software(&sent, 0xCAFE0001, 0x12345678);
  bgl_mock_answer(&sent);
  torus_header_t seen;
  bgl_torus_peek(1, BGL_TORUS_RH, &seen);
  expect_all(BGL_MOCK_READ, kGroup1 + 0x2000, 1);
  EXPECT_EQ(bgl_torus_header_chunks(&seen), 5u);
  EXPECT_EQ(bgl_torus_rest_quads(&seen), 9u);
  EXPECT_EQ(bgl_torus_software(&seen, 2), 0xCAFE0001u);
  EXPECT_EQ(bgl_torus_software(&seen, 3), 0x12345678u);
}

TEST_F(TorusDriver, ReadRestGoesStraightToItsDestination) {
  const Buffer expected = patterned();
  for (unsigned quads = 0; quads <= 16; ++quads) {
    bgl_mock_reset();
    answer_quads(quads);
    Buffer destination;
    destination.bytes.fill(0xEE);
    bgl_torus_read_rest(0, BGL_TORUS_R3, destination.bytes.data(), quads);
    expect_all(BGL_MOCK_READ, 0xB1140C00, quads);
    EXPECT_EQ(0, std::memcmp(destination.bytes.data(), expected.bytes.data(), quads * kQuad)) << quads;
    EXPECT_EQ(destination.bytes[quads * kQuad], 0xEE) << quads;
  }
}

TEST_F(TorusDriver, ReadRestUnalignedWritesItsDestinationAndNothingElse) {
  const Buffer expected = patterned();
  for (unsigned offset = 0; offset < 16; ++offset) {
    for (unsigned bytes = 0; bytes <= 256; ++bytes) {
      bgl_mock_reset();
      const unsigned quads = 16;
      answer_quads(quads);
      Buffer destination;
      destination.bytes.fill(0xEE);
      std::uint8_t* const to = destination.bytes.data() + 32 + offset;
      bgl_torus_read_rest_unaligned(1, BGL_TORUS_R0, to, bytes, quads);
      expect_all(BGL_MOCK_READ, kGroup1, quads);
      ASSERT_EQ(0, std::memcmp(to, expected.bytes.data(), bytes)) << offset << " " << bytes;
      for (unsigned i = 0; i < destination.bytes.size(); ++i) {
        if (i < 32 + offset || i >= 32 + offset + bytes) {
          ASSERT_EQ(destination.bytes[i], 0xEE) << "byte " << i << " of offset " << offset << " length " << bytes;
        }
      }
    }
  }
}

TEST_F(TorusDriver, FullPacketsBehindALeadQuadAreWrittenInOneRun) {
  const Buffer packet = patterned();
  torus_header_t header;
  std::memcpy(&header, packet.bytes.data(), sizeof header);
  const std::uintptr_t window = bgl_torus_injection_window(1, BGL_TORUS_I2);
  bgl_torus_inject_full_behind_lead(window, &header, packet.bytes.data() + kQuad, packet.bytes.data() + 2 * kQuad);
  expect_all(BGL_MOCK_WRITE, window, 16);
  EXPECT_EQ(written(), std::vector<std::uint8_t>(packet.bytes.begin(), packet.bytes.begin() + 256));
}

TEST_F(TorusDriver, FullPacketsBehindALeadQuadAreReadToTheirPlace) {
  answer_quads(16);
  const std::uintptr_t window = bgl_torus_reception_window(1, BGL_TORUS_R4);
  torus_header_t header;
  Buffer buffer;
  const bgl_torus_ahead_t ahead = bgl_torus_peek_ahead(window, &header);
  bgl_torus_read_full_behind_lead(window, &ahead, buffer.bytes.data() + kQuad);
  expect_all(BGL_MOCK_READ, window, 16);
  const Buffer packet = patterned();
  EXPECT_EQ(std::memcmp(&header, packet.bytes.data(), sizeof header), 0);
  for (unsigned i = 0; i < buffer.bytes.size(); ++i) {
    const bool inside = i >= kQuad && i < kQuad + 224;
    EXPECT_EQ(buffer.bytes[i], inside ? pattern(i + kQuad) : 0) << i;
  }
}

TEST_F(TorusDriver, DiscardReadsAndDrops) {
  for (unsigned quads = 0; quads <= 16; ++quads) {
    bgl_mock_reset();
    bgl_torus_discard(0, BGL_TORUS_R5, quads);
    expect_all(BGL_MOCK_READ, 0xB1141400, quads);
  }
}

torus_fields_t fields_of(const torus_header_t& header) {
  return torus_decode(torus_be32(header.word[0]), torus_be32(header.word[1]));
}

TEST_F(TorusDriver, HeadersHaveTheBytesOfTheHardware) {
  const std::uint8_t destination[3] = {0x11, 0x22, 0x33};
  torus_header_t header = {};
  const auto bytes = [&] {
    std::array<std::uint8_t, 8> result;
    std::memcpy(result.data(), &header, 8);
    return result;
  };
  bgl_torus_dynamic_header(&header, destination, 0, 1, 8);
  EXPECT_EQ(bytes(), (std::array<std::uint8_t, 8>{0x08, 0x01, 0xE4, 0x11, 0x22, 0x33, 0, 0}));
  bgl_torus_deterministic_header(&header, destination, TORUS_HINT_X_PLUS | TORUS_HINT_Z_MINUS, 0, 1);
  EXPECT_EQ(bytes(), (std::array<std::uint8_t, 8>{0x08, 0x84, 0x02, 0x11, 0x22, 0x33, 0, 0}));
  bgl_torus_priority_header(&header, destination, TORUS_HINT_Y_MINUS, 1, 4);
  EXPECT_EQ(bytes(), (std::array<std::uint8_t, 8>{0x08, 0x11, 0x63, 0x11, 0x22, 0x33, 0, 0}));
  bgl_torus_deposit_header(&header, destination, TORUS_HINT_X_MINUS, 0, 2);
  EXPECT_EQ(bytes(), (std::array<std::uint8_t, 8>{0x08, 0x42, 0x22, 0x11, 0x22, 0x33, 0, 0}));
}

TEST_F(TorusDriver, HeaderFieldsSurviveEncodingAndDecoding) {
  torus_fields_t fields = {};
  fields.csum_skip = 127;
  fields.hints = 0x2A;
  fields.deposit = 1;
  fields.chunks = 6;
  fields.software = 2;
  fields.vc = 3;
  fields.destination[0] = 63;
  fields.destination[1] = 31;
  fields.destination[2] = 30;
  const torus_fields_t back = torus_decode(torus_encode0(&fields), torus_encode1(&fields));
  EXPECT_EQ(0, std::memcmp(&fields, &back, sizeof fields));
}

TEST_F(TorusDriver, ChunksAndSoftwareWordsChangeNothingElse) {
  const std::uint8_t destination[3] = {1, 2, 3};
  torus_header_t header = {};
  bgl_torus_deterministic_header(&header, destination, TORUS_HINT_X_PLUS, 1, 8);
  const torus_header_t before = header;
  bgl_torus_set_software(&header, 1, 2);
  bgl_torus_set_chunks(&header, 3);
  EXPECT_EQ(bgl_torus_header_chunks(&header), 3u);
  bgl_torus_set_chunks(&header, 8);
  EXPECT_EQ(0, std::memcmp(&header, &before, 8));
  bgl_torus_dynamic_header(&header, destination, 0, 0, 1);
  EXPECT_EQ(bgl_torus_software(&header, 2), 1u);
  EXPECT_EQ(bgl_torus_software(&header, 3), 2u);
  EXPECT_EQ(fields_of(header).hints, 0u);
}

TEST_F(TorusDriver, MinimalHintsTakeTheShorterWay) {
  const bgl_torus_shape_t torus = {{8, 8, 8}, {1, 1, 1}};
  const bgl_torus_shape_t mesh = {{8, 8, 8}, {0, 0, 0}};
  const std::uint8_t from[3] = {1, 4, 7};
  const std::uint8_t to[3] = {7, 4, 0};
  EXPECT_EQ(bgl_torus_minimal_hints(&torus, from, to), TORUS_HINT_X_MINUS | TORUS_HINT_Z_PLUS);
  EXPECT_EQ(bgl_torus_minimal_hints(&mesh, from, to), TORUS_HINT_X_PLUS | TORUS_HINT_Z_MINUS);
  EXPECT_EQ(bgl_torus_minimal_hints(&torus, from, from), 0u);
  const std::uint8_t opposite[3] = {5, 0, 3};
  EXPECT_EQ(bgl_torus_minimal_hints(&torus, from, opposite), TORUS_HINT_X_PLUS | TORUS_HINT_Y_PLUS | TORUS_HINT_Z_PLUS);
}

TEST_F(TorusDriver, ProgramsMayNameTheHeaderAfterTheMachine) {
  bgl_torus_header_t header{};
  const std::uint8_t destination[3] = {1, 2, 3};
  bgl_torus_dynamic_header(&header, destination, BGL_TORUS_HINT_X_PLUS, 0, BGL_TORUS_MAX_CHUNKS);
  const bgl_torus_fields_t fields = bgl_torus_decode(bgl_torus_be32(header.word[0]), bgl_torus_be32(header.word[1]));
  EXPECT_EQ(fields.hints, TORUS_HINT_X_PLUS);
  EXPECT_EQ(fields.vc, BGL_TORUS_VC_DYNAMIC0);
}

}  // namespace
