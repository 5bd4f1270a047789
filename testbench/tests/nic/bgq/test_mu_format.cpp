// SPDX-License-Identifier: Apache-2.0
//
// Every field of packets and descriptors, and the place of every register, against the machine's own driver headers.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "nic/bgq/mu_packet.h"
#include "nic/bgq/mu_regs.h"

extern "C" unsigned bgq_headers_in_c(const std::uint8_t* descriptor);

namespace toroid {
namespace {

using Header = std::array<std::uint8_t, 32>;

/// One field at its largest, all others 0: the bytes that are not zero.
struct Field {
  const char* name;
  std::function<void(bgq_network_t&)> set;
  std::vector<std::pair<unsigned, unsigned>> bytes;  ///< byte, value
};

void expect_bytes(const char* name, const Header& header, const std::vector<std::pair<unsigned, unsigned>>& bytes) {
  Header wanted{};
  for (const auto& [byte, value] : bytes) wanted[byte] = static_cast<std::uint8_t>(value);
  EXPECT_EQ(header, wanted) << name;
}

TEST(MuFormat, PointToPointHeader) {
  using N = bgq_network_t;
  const Field fields[] = {
      {"A-", [](N& n) { n.hints = BGQ_HINT_MINUS(0); }, {{0, 0x55}, {1, 0x80}}},
      {"A+", [](N& n) { n.hints = BGQ_HINT_PLUS(0); }, {{0, 0x55}, {1, 0x40}}},
      {"B-", [](N& n) { n.hints = BGQ_HINT_MINUS(1); }, {{0, 0x55}, {1, 0x20}}},
      {"B+", [](N& n) { n.hints = BGQ_HINT_PLUS(1); }, {{0, 0x55}, {1, 0x10}}},
      {"C-", [](N& n) { n.hints = BGQ_HINT_MINUS(2); }, {{0, 0x55}, {1, 0x08}}},
      {"C+", [](N& n) { n.hints = BGQ_HINT_PLUS(2); }, {{0, 0x55}, {1, 0x04}}},
      {"D-", [](N& n) { n.hints = BGQ_HINT_MINUS(3); }, {{0, 0x55}, {1, 0x02}}},
      {"D+", [](N& n) { n.hints = BGQ_HINT_PLUS(3); }, {{0, 0x55}, {1, 0x01}}},
      {"E-", [](N& n) { n.hints = BGQ_HINT_MINUS(4); }, {{0, 0x55}, {2, 0x80}}},
      {"E+", [](N& n) { n.hints = BGQ_HINT_PLUS(4); }, {{0, 0x55}, {2, 0x40}}},
      {"to I/O node", [](N& n) { n.to_io = 1; }, {{0, 0x55}, {2, 0x20}}},
      {"from I/O node", [](N& n) { n.from_io = 3; }, {{0, 0x55}, {2, 0x18}}},
      {"dynamic", [](N& n) { n.dynamic = 1; }, {{0, 0x55}, {2, 0x04}}},
      {"deposit", [](N& n) { n.deposit = 1; }, {{0, 0x55}, {2, 0x02}}},
      {"interrupt", [](N& n) { n.interrupt = 1; }, {{0, 0x55}, {2, 0x01}}},
      {"deterministic", [](N& n) { n.vc = BGQ_VC_DETERMINISTIC; }, {{0, 0x55}, {3, 0x20}}},
      {"high priority", [](N& n) { n.vc = BGQ_VC_HIGH_PRIORITY; }, {{0, 0x55}, {3, 0x40}}},
      {"system", [](N& n) { n.vc = BGQ_VC_SYSTEM; }, {{0, 0x55}, {3, 0x60}}},
      {"zone", [](N& n) { n.zone = 3; }, {{0, 0x55}, {3, 0x18}}},
      {"stay on bubble", [](N& n) { n.stay_on_bubble = 1; }, {{0, 0x55}, {3, 0x04}}},
      {"A", [](N& n) { n.destination[0] = 63; }, {{0, 0x55}, {4, 0x3F}}},
      {"B", [](N& n) { n.destination[1] = 63; }, {{0, 0x55}, {5, 0xFC}}},
      {"C", [](N& n) { n.destination[2] = 63; }, {{0, 0x55}, {5, 0x03}, {6, 0xF0}}},
      {"D", [](N& n) { n.destination[3] = 63; }, {{0, 0x55}, {6, 0x0F}, {7, 0xC0}}},
      {"E", [](N& n) { n.destination[4] = 63; }, {{0, 0x55}, {7, 0x3F}}},
      {"put", [](N& n) { n.mu_type = BGQ_MU_PUT; }, {{0, 0x55}, {8, 0x40}}},
      {"get", [](N& n) { n.mu_type = BGQ_MU_GET; }, {{0, 0x55}, {8, 0x80}}},
      {"paced get", [](N& n) { n.mu_type = BGQ_MU_PACED_GET; }, {{0, 0x55}, {8, 0xC0}}},
      {"size", [](N& n) { n.chunks = 16; }, {{0, 0x55}, {8, 0x10}}},
      {"checksum", [](N& n) { n.checksum = 0x1234; }, {{0, 0x55}, {9, 0x12}, {10, 0x34}}},
      {"skip", [](N& n) { n.skip = 136; }, {{0, 0x55}, {11, 136}}},
  };
  for (const Field& field : fields) {
    bgq_network_t network{};
    network.type = BGQ_TYPE_POINT_TO_POINT;
    field.set(network);
    Header header{};
    bgq_network_encode(&network, header.data());
    expect_bytes(field.name, header, field.bytes);
    const bgq_network_t back = bgq_network_decode(header.data());
    EXPECT_EQ(std::memcmp(&back, &network, sizeof back), 0) << field.name;
  }
}

TEST(MuFormat, CollectiveHeader) {
  using N = bgq_network_t;
  const Field fields[] = {
      {"operation", [](N& n) { n.operation = BGQ_COLLECTIVE_FLOAT_MAX; }, {{0, 0x5A}, {1, 0xE0}}},
      {"unsigned add", [](N& n) { n.operation = BGQ_COLLECTIVE_UNSIGNED_ADD; }, {{0, 0x5A}, {1, 0x40}}},
      {"word length", [](N& n) { n.word_exponent = 7; }, {{0, 0x5A}, {1, 0x07}}},
      {"class route", [](N& n) { n.class_route = 15; }, {{0, 0x5A}, {2, 0xF0}}},
      {"interrupt", [](N& n) { n.interrupt = 1; }, {{0, 0x5A}, {2, 0x01}}},
      {"comm-world", [](N& n) { n.vc = BGQ_VC_USER_COMMWORLD; }, {{0, 0x5A}, {3, 0x80}}},
      {"sub-communicator", [](N& n) { n.vc = BGQ_VC_USER_SUBCOMM; }, {{0, 0x5A}, {3, 0xA0}}},
      {"system", [](N& n) { n.vc = BGQ_VC_SYSTEM_COLLECTIVE; }, {{0, 0x5A}, {3, 0xC0}}},
      {"all-reduce", [](N& n) { n.collective = BGQ_COLLECTIVE_ALLREDUCE; }, {{0, 0x5A}, {3, 0x10}}},
      {"reduce", [](N& n) { n.collective = BGQ_COLLECTIVE_REDUCE; }, {{0, 0x5A}, {3, 0x18}}},
      {"E", [](N& n) { n.destination[4] = 1; }, {{0, 0x5A}, {7, 0x01}}},
  };
  for (const Field& field : fields) {
    bgq_network_t network{};
    network.type = BGQ_TYPE_COLLECTIVE;
    field.set(network);
    Header header{};
    bgq_network_encode(&network, header.data());
    expect_bytes(field.name, header, field.bytes);
    const bgq_network_t back = bgq_network_decode(header.data());
    EXPECT_EQ(std::memcmp(&back, &network, sizeof back), 0) << field.name;
  }
}

TEST(MuFormat, MessagingUnitHeader) {
  const auto of = [](auto set) {
    Header header{};
    set(header.data());
    return header;
  };
  using B = std::uint8_t*;
  expect_bytes("reception FIFO", of([](B h) { bgq_set_reception_fifo(h, 0x1FF); }), {{12, 0x7F}, {13, 0xC0}});
  expect_bytes("base of the payload", of([](B h) { bgq_set_payload_base(h, 0x3FF); }), {{12, 0xFF}, {13, 0xC0}});
  expect_bytes("pacing", of([](B h) { bgq_set_pacing(h, 1); }), {{13, 0x20}});
  expect_bytes("put offset", of([](B h) { bgq_set_put_offset(h, BGQ_PUT_OFFSET_MASK); }),
               {{13, 0x1F}, {14, 0xFF}, {15, 0xFF}, {16, 0xFF}, {17, 0xFF}});
  expect_bytes("base of the counter", of([](B h) { bgq_set_counter_base(h, 0x3FF); }), {{18, 0x03}, {19, 0xFF}});
  expect_bytes("valid bytes", of([](B h) { bgq_set_valid_bytes(h, 0x0200); }), {{20, 0x02}});
  expect_bytes("counter offset", of([](B h) { bgq_set_counter_offset(h, 0x1122334455667788); }),
               {{24, 0x11}, {25, 0x22}, {26, 0x33}, {27, 0x44}, {28, 0x55}, {29, 0x66}, {30, 0x77}, {31, 0x88}});
}

TEST(MuFormat, FieldsOfTheMessagingUnitDoNotTouchEachOther) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 1000; ++i) {
    Header header{};
    for (std::uint8_t& byte : header) byte = static_cast<std::uint8_t>(random());
    const Header before = header;
    const auto base = static_cast<unsigned>(random() & 0x3FF), counter = static_cast<unsigned>(random() & 0x3FF);
    const std::uint64_t offset = random() & BGQ_PUT_OFFSET_MASK, counter_offset = random();
    bgq_set_payload_base(header.data(), base);
    bgq_set_put_offset(header.data(), offset);
    bgq_set_counter_base(header.data(), counter);
    bgq_set_valid_bytes(header.data(), 512);
    bgq_set_counter_offset(header.data(), counter_offset);
    EXPECT_EQ(bgq_payload_base(header.data()), base);
    EXPECT_EQ(bgq_put_offset(header.data()), offset);
    EXPECT_EQ(bgq_counter_base(header.data()), counter);
    EXPECT_EQ(bgq_valid_bytes(header.data()), 512u);
    EXPECT_EQ(bgq_counter_offset(header.data()), counter_offset);
    EXPECT_EQ(bgq_pacing(header.data()), before[13] >> 5 & 1u);
    EXPECT_EQ(header[18] & 0xFC, before[18] & 0xFC);
    EXPECT_EQ(header[22], before[22]);
    EXPECT_EQ(header[23], before[23]);
    bgq_set_reception_fifo(header.data(), 271);
    EXPECT_EQ(bgq_reception_fifo(header.data()), 271u);
    EXPECT_EQ(bgq_put_offset(header.data()), offset);
  }
}

TEST(MuFormat, Descriptor) {
  bgq_descriptor_t what{};
  what.prefetch_only = 1;
  what.interrupt = 1;
  what.payload = 0x1234567898;
  what.length = 0x0102030405060708;
  what.fifo_map = 0x8421;
  std::array<std::uint8_t, 64> bytes{};
  bgq_descriptor_encode(&what, bytes.data());
  const std::array<std::uint8_t, 32> wanted{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0x98,
                                            1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0,    0,    0,    0x84, 0x21};
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), bytes.begin()));
  const bgq_descriptor_t back = bgq_descriptor_decode(bytes.data());
  EXPECT_EQ(back.prefetch_only, 1);
  EXPECT_EQ(back.interrupt, 1);
  EXPECT_EQ(back.payload, what.payload);
  EXPECT_EQ(back.length, what.length);
  EXPECT_EQ(back.fifo_map, what.fifo_map);
  EXPECT_EQ(BGQ_FIFO_MAP_MINUS(0), 0x8000u);
  EXPECT_EQ(BGQ_FIFO_MAP_PLUS(0), 0x4000u);
  EXPECT_EQ(BGQ_FIFO_MAP_MINUS(4), 0x80u);
  EXPECT_EQ(BGQ_FIFO_MAP_PLUS(4), 0x40u);
  EXPECT_EQ(bgq_atomic_address(0xFFFFFFFFF8, 2), 0x1FFFFFFFFAu);
  EXPECT_EQ(bgq_headers_in_c(bytes.data()), 0x05060708u + 0x18u);
}

TEST(MuFormat, RegistersOfAPage) {
  EXPECT_EQ(BGQ_MU_BASE, 0x3FDFE000000u);
  EXPECT_EQ(BGQ_MU_GROUP_COUNT, 4u);
  EXPECT_EQ(BGQ_MU_GROUP_STRIDE, 0x1000u);
  const std::pair<unsigned, unsigned> places[] = {{BGQ_MU_INJ_FIFO_START_OFFSET, 0x00},
                                                  {BGQ_MU_INJ_FIFO_SIZE_OFFSET, 0x08},
                                                  {BGQ_MU_INJ_FIFO_HEAD_OFFSET, 0x10},
                                                  {BGQ_MU_INJ_FIFO_TAIL_OFFSET, 0x18},
                                                  {BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET, 0x20},
                                                  {BGQ_MU_INJ_FIFO_FREE_SPACE_OFFSET, 0x28},
                                                  {BGQ_MU_INJ_FIFO_START_COUNT, 8},
                                                  {BGQ_MU_INJ_FIFO_START_STRIDE, 0x40},
                                                  {BGQ_MU_REC_FIFO_START_OFFSET, 0x200},
                                                  {BGQ_MU_REC_FIFO_SIZE_OFFSET, 0x208},
                                                  {BGQ_MU_REC_FIFO_HEAD_OFFSET, 0x210},
                                                  {BGQ_MU_REC_FIFO_TAIL_OFFSET, 0x218},
                                                  {BGQ_MU_REC_FIFO_START_COUNT, 4},
                                                  {BGQ_MU_REC_FIFO_START_STRIDE, 0x40},
                                                  {BGQ_MU_INJ_IS_ENABLED_OFFSET, 0x300},
                                                  {BGQ_MU_INJ_ENABLE_OFFSET, 0x308},
                                                  {BGQ_MU_INJ_DISABLE_OFFSET, 0x310},
                                                  {BGQ_MU_INJ_PRIORITY_OFFSET, 0x318},
                                                  {BGQ_MU_INT_STATUS_OFFSET, 0x320},
                                                  {BGQ_MU_INT_CLEAR_OFFSET, 0x328},
                                                  {BGQ_MU_L1P_FLUSH_OFFSET, 0x330},
                                                  {BGQ_MU_BASE_ADDRESS_OFFSET, 0x400},
                                                  {BGQ_MU_BASE_ADDRESS_COUNT, 8},
                                                  {BGQ_MU_BARRIER_CONTROL_OFFSET, 0x500},
                                                  {BGQ_MU_BARRIER_CONTROL_COUNT, 16},
                                                  {BGQ_MU_BARRIER_STATUS_OFFSET, 0x580}};
  for (const auto& [is, wanted] : places) EXPECT_EQ(is, wanted);
}

TEST(MuFormat, ControlRegisters) {
  const auto number = [](std::uint64_t offset) { return (BGQ_MU_DCR_BASE + offset - 0x3FDE0000000) / 8 - 0xE0000; };
  const std::pair<unsigned, unsigned> places[] = {{BGQ_MU_DCR_IMFIFO_THRESHOLD_INT_ENABLE_OFFSET, 0xD00},
                                                  {BGQ_MU_DCR_IMFIFO_SYSTEM_OFFSET, 0xD11},
                                                  {BGQ_MU_DCR_IMFIFO_RGET_OFFSET, 0xD22},
                                                  {BGQ_MU_DCR_IMU_THRESHOLD_OFFSET, 0xD33},
                                                  {BGQ_MU_DCR_RGET_THRESHOLD_OFFSET, 0xD34},
                                                  {BGQ_MU_DCR_RMFIFO_ENABLE_OFFSET, 0xD35},
                                                  {BGQ_MU_DCR_RMFIFO_THRESHOLD_INT_ENABLE_OFFSET, 0xD46},
                                                  {BGQ_MU_DCR_RMFIFO_PACKET_INT_ENABLE_OFFSET, 0xD57},
                                                  {BGQ_MU_DCR_RMFIFO_SYSTEM_OFFSET, 0xD68},
                                                  {BGQ_MU_DCR_RMU_THRESHOLD_OFFSET, 0xD79},
                                                  {BGQ_MU_DCR_RPUTBASE_SYSTEM0_OFFSET, 0xD7A},
                                                  {BGQ_MU_DCR_RPUTBASE_SYSTEM1_OFFSET, 0xD7B},
                                                  {BGQ_MU_DCR_SYS_BARRIER_OFFSET, 0xD7C},
                                                  {BGQ_MU_DCR_BARRIER_INT_ENABLE_OFFSET, 0xD7D},
                                                  {BGQ_MU_DCR_USER_RANGE_MIN_OFFSET, 0xD80},
                                                  {BGQ_MU_DCR_USER_RANGE_MAX_OFFSET, 0xD94},
                                                  {BGQ_MU_DCR_SYSTEM_RANGE_MIN_OFFSET, 0xDA8},
                                                  {BGQ_MU_DCR_SYSTEM_RANGE_MAX_OFFSET, 0xDB0},
                                                  {BGQ_MU_DCR_USER_INJECTION_ONLY_OFFSET, 0xDB8},
                                                  {BGQ_MU_DCR_SYSTEM_INJECTION_ONLY_OFFSET, 0xDB9},
                                                  {BGQ_MU_DCR_IME_ENABLE_OFFSET, 0xDC7},
                                                  {BGQ_MU_DCR_RME_ENABLE_OFFSET, 0xDC8},
                                                  {BGQ_MU_DCR_RME_WAIT_FULL_OFFSET, 0xDC9},
                                                  {BGQ_MU_DCR_RME_WAIT_TAIL_OFFSET, 0xDCA},
                                                  {BGQ_MU_DCR_GEA_INT_ENABLE_0_7_OFFSET, 0xDCB},
                                                  {BGQ_MU_DCR_RESET_OFFSET, 0xDCF},
                                                  {BGQ_MU_DCR_INJ_NDFIFO_AVAILABLE_OFFSET, 0xDEC},
                                                  {BGQ_MU_DCR_MASTER_PORT2_STATE_OFFSET, 0xE1C},
                                                  {BGQ_MU_DCR_FIFO_FULL_ID_OFFSET, 0xE3F},
                                                  {BGQ_MU_DCR_MCSRAM_STATE_OFFSET, 0xE48},
                                                  {BGQ_MU_DCR_MCSRAM_ERROR_ID_OFFSET, 0xE50},
                                                  {BGQ_MU_DCR_RCSRAM_STATE_OFFSET, 0xE62},
                                                  {BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 0xE6B},
                                                  {BGQ_MU_DCR_RME_ERROR_OFFSET, 0xE9B},
                                                  {BGQ_MU_DCR_MISC_STATE_OFFSET, 0xEC4},
                                                  {BGQ_MU_DCR_IMFIFO_ACCESS_ERROR_ID_OFFSET, 0xECC}};
  for (const auto& [is, wanted] : places) EXPECT_EQ(number(is), wanted);
  EXPECT_EQ(BGQ_MU_DCR_IMFIFO_SYSTEM_RESET, 0xFFFFFFFFu);
  EXPECT_EQ(BGQ_MU_DCR_RMFIFO_SYSTEM_RESET, 0xFFFFu);
  EXPECT_EQ(BGQ_MU_DCR_RPUTBASE_SYSTEM0_RESET, ~std::uint64_t{0});
  EXPECT_EQ(BGQ_MU_DCR_RPUTBASE_SYSTEM1_RESET, 0xF000000000000000u);
  EXPECT_EQ(BGQ_MU_DCR_USER_RANGE_MIN_RESET, 0xFFFF00000u);
  EXPECT_EQ(BGQ_MU_DCR_USER_RANGE_MAX_RESET, 0u);
  EXPECT_EQ(BGQ_MU_DCR_RME_WAIT_FULL_RESET, 0x1000000000000000u);
  EXPECT_EQ(BGQ_MU_DCR_RME_WAIT_TAIL_RESET, 0x0200000000000000u);
  EXPECT_EQ(BGQ_MU_DCR_RESET_RESET, 0xFFF000FFFFFFFFFFu);
}

}  // namespace
}  // namespace toroid
