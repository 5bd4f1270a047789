// SPDX-License-Identifier: Apache-2.0
//
// The torus DCR block: which registers there are, what they hold, and what they do to the network.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <systemc>
#include <vector>

#include "nic/torus/torus_dcr.h"
#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/torus/header_check.h"

namespace toroid {
namespace {

class TorusDcrTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kNode = 1 + 4 * 2 + 16 * 1;  // (1,2,1)

  Wheel wheel;
  TorusNetwork network{wheel, test::shipped_torus(), Topology(Shape::parse("4x4x2")), 1};
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
  EXPECT_EQ(dcr.read(TORUS_DCR_NODES_OFFSET), 0x03030100u);
  EXPECT_EQ(dcr.read(TORUS_DCR_NODE_OFFSET), 0x01020100u);
  EXPECT_EQ(dcr.read(TORUS_DCR_PLUS_NEIGHBOUR_OFFSET), 0x02030000u);
  EXPECT_EQ(dcr.read(TORUS_DCR_MINUS_NEIGHBOUR_OFFSET), 0x00010000u);
  EXPECT_EQ(dcr.read(TORUS_DCR_RETRANSMIT_Y_OFFSET), 600u << 16 | 600u);
  EXPECT_EQ(dcr.read(TORUS_DCR_ARBITRATION_OFFSET), 157u << 18 | 53u << 10);
  EXPECT_EQ(dcr.read(TORUS_DCR_CLOCK_RATIO_OFFSET), 1u);
  for (unsigned link = 0; link < 6; ++link) {
    EXPECT_EQ(dcr.read(TORUS_DCR_SENDER_TOKENS_OFFSET + link), 0x20202020u);
    EXPECT_EQ(dcr.read(TORUS_DCR_RECEIVER_FULLNESS_OFFSET + link), 0u);
  }
}

TEST_F(TorusDcrTest, ShowsTheNumbersOfTheMachineDescription) {
  TorusConfig config = test::shipped_torus();
  config.fullness_cycles = 255;
  config.random_cycles = 7;
  config.priority_injection = 9;
  config.retransmit_timeout = 65535;
  config.bit_error_rate = 1e-12;
  TorusNetwork described(wheel, config, Topology(Shape::parse("4x4x2")), 1);
  TorusDcr other(described, kNode);
  for (const bool reset : {false, true}) {
    if (reset) {
      other.write(TORUS_DCR_ARBITRATION_OFFSET, 0x5A5A5A5Au);
      other.write(TORUS_DCR_RETRANSMIT_Z_OFFSET, 0x12345678u);
      other.reset();
    }
    EXPECT_EQ(other.read(TORUS_DCR_ARBITRATION_OFFSET), 255u << 18 | 7u << 10 | 9u << 5);
    EXPECT_EQ(described.arbitration(kNode).fullness_cycles, 255);
    EXPECT_EQ(described.arbitration(kNode).random_cycles, 7);
    EXPECT_EQ(described.arbitration(kNode).priority_injection, 9);
    for (unsigned link = 0; link < 6; ++link) {
      EXPECT_EQ(other.read(TORUS_DCR_RETRANSMIT_X_OFFSET + link / 2), 0xFFFFFFFFu);
      EXPECT_EQ(described.retransmit_timeout(kNode, static_cast<Direction>(link)), 65535u);
      EXPECT_FALSE(described.stopped(kNode, static_cast<Direction>(link)));
    }
  }
}

TEST_F(TorusDcrTest, StoresTheBitsThatExist) {
  const std::pair<unsigned, std::uint32_t> registers[] = {
      {TORUS_DCR_NODE_OFFSET, 0xFFFFFF00u},         {TORUS_DCR_VC_THRESHOLD_OFFSET, 0x7F7F7F7Fu},
      {TORUS_DCR_RETRANSMIT_Z_OFFSET, 0xFFFFFFFFu}, {TORUS_DCR_CLOCK_RATIO_OFFSET, 7u},
      {TORUS_DCR_WATERMARK_OFFSET, 0xFFFFFFFCu},    {TORUS_DCR_LINK_CONTROL_OFFSET, 0xFFF80000u},
      {TORUS_DCR_THRESHOLD_OFFSET + 5, 0xFFFFFFFFu}};
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
  EXPECT_FALSE(TorusDcr::writable(TORUS_DCR_INTERRUPT_ERROR_OFFSET));
  EXPECT_TRUE(TorusDcr::writable(TORUS_DCR_CLEAR_OFFSET));
}

TEST_F(TorusDcrTest, CutOffsTurnPacketsTheOtherWay) {
  const Topology& topology = network.topology();
  const Coordinates own = topology.coordinates(kNode), above{2, 2, 1};
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 1u);  // X+
  const std::uint32_t plus = dcr.read(TORUS_DCR_CUTOFF_PLUS_OFFSET);
  dcr.write(TORUS_DCR_CUTOFF_PLUS_OFFSET, (plus & 0x00FFFF00u) | 1u << 24);
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 2u);  // X-: nothing is reached by plus any more
  dcr.reset();
  EXPECT_EQ(dcr.read(TORUS_DCR_CUTOFF_PLUS_OFFSET), plus);
  EXPECT_EQ(topology.hints(own, above, network.cut_offs(kNode)), 1u);
}

TEST_F(TorusDcrTest, StopsSenders) {
  dcr.write(TORUS_DCR_ARBITRATION_OFFSET, 0x10u << TORUS_DCR_ARBITRATION_STOP_SHIFT);
  for (unsigned link = 0; link < 6; ++link) {
    EXPECT_EQ(network.stopped(kNode, static_cast<Direction>(link)), link == 1) << link;
  }
  dcr.reset();
  EXPECT_FALSE(network.stopped(kNode, 1));
}

std::uint32_t arbitration(unsigned fullness, unsigned random, unsigned high_injection) {
  return fullness << TORUS_DCR_ARBITRATION_FULLNESS_SHIFT | random << TORUS_DCR_ARBITRATION_RANDOM_SHIFT |
         high_injection << TORUS_DCR_ARBITRATION_HIGH_INJECTION_SHIFT;
}

TEST_F(TorusDcrTest, ArbitrationIsOfTheNode) {
  dcr.write(TORUS_DCR_ARBITRATION_OFFSET, arbitration(200, 11, 30));
  EXPECT_EQ(network.arbitration(kNode).fullness_cycles, 200);
  EXPECT_EQ(network.arbitration(kNode).random_cycles, 11);
  EXPECT_EQ(network.arbitration(kNode).priority_injection, 30);
  EXPECT_EQ(network.arbitration(kNode - 1).fullness_cycles, 157);
  // No way to choose: the register takes it, the lengths in force stay.
  dcr.write(TORUS_DCR_ARBITRATION_OFFSET, arbitration(0, 0, 3));
  EXPECT_EQ(dcr.read(TORUS_DCR_ARBITRATION_OFFSET), arbitration(0, 0, 3));
  EXPECT_EQ(network.arbitration(kNode).fullness_cycles, 200);
  EXPECT_EQ(network.arbitration(kNode).random_cycles, 11);
  EXPECT_EQ(network.arbitration(kNode).priority_injection, 3);
}

// Sources of what comes to node 2 of a line, in order: node 0 sends through node 1, which injects as much itself.
std::vector<std::uint32_t> contend(std::uint32_t arbitration_of_node_1, bool priority, std::uint64_t seed) {
  constexpr unsigned kPackets = 60;
  test::Bench bench("8x1x1", test::shipped_torus(), seed);
  TorusDcr middle(bench.network, 1);
  middle.write(TORUS_DCR_ARBITRATION_OFFSET, arbitration_of_node_1);
  for (unsigned i = 0; i < kPackets; ++i) {
    for (const unsigned node : {0u, 1u}) {
      Packet& packet = bench.packet({2, 0, 0});
      if (priority) packet.channel = BlueGeneLpChannel::priority;
      bench.devices[node]->send(packet, priority ? 3 : 0);
    }
  }
  bench.run();
  std::vector<std::uint32_t> sources;
  for (const test::Delivery& delivery : bench.deliveries) sources.push_back(delivery.source);
  EXPECT_EQ(sources.size(), 2 * kPackets);
  return sources;
}

TEST(TorusDcrOnANetwork, RandomPhasesAreRandomAndOthersAreNot) {
  const auto fullest = contend(arbitration(1, 0, 0), false, 1);
  const auto random = contend(arbitration(0, 1, 0), false, 1);
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    EXPECT_EQ(contend(arbitration(1, 0, 0), false, seed), fullest);
    differs |= contend(arbitration(0, 1, 0), false, seed) != random;
  }
  EXPECT_TRUE(differs);
  EXPECT_NE(random, fullest);
}

TEST(TorusDcrOnANetwork, HighPriorityInjectionGetsItsChance) {
  // Of what comes while both have packets: what node 1 injected.
  const auto injected = [](unsigned chance) {
    const auto sources = contend(arbitration(157, 53, chance), true, 1);
    return std::count(sources.begin() + 10, sources.begin() + 60, 1u);
  };
  EXPECT_EQ(injected(0), 0);
  EXPECT_GT(injected(16), 15);
  EXPECT_LT(injected(16), 35);
  EXPECT_GT(injected(31), 42);
}

/// Devices and DCRs of a machine whose links make errors; each node sends to two others.
struct Noisy {
  Noisy() : bench("3x3x2", config()) {
    for (std::uint32_t node = 0; node < bench.network.topology().nodes(); ++node) {
      dcrs.push_back(std::make_unique<TorusDcr>(bench.network, node));
    }
  }
  static TorusConfig config() {
    TorusConfig config = test::shipped_torus();
    config.bit_error_rate = 1e-3;
    return config;
  }
  void send() {
    const Topology& topology = bench.network.topology();
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      for (unsigned i = 0; i < 40; ++i) {
        const std::uint32_t to = (node + 1 + 4 * (i % 4)) % topology.nodes();
        bench.devices[node]->send(bench.packet(topology.coordinates(to)));
      }
    }
    bench.run(1000000);
    ASSERT_EQ(bench.network.in_flight(), 0u);
  }
  test::Bench bench;
  std::vector<std::unique_ptr<TorusDcr>> dcrs;
};

TEST(TorusDcrOnANetwork, TimeOutsAreOfOneSenderEach) {
  Noisy noisy;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    noisy.dcrs[4]->write(TORUS_DCR_RETRANSMIT_X_OFFSET + dimension, (100 + dimension) << 16 | (200 + dimension));
  }
  for (unsigned link = 0; link < 6; ++link) {
    const auto direction = static_cast<Direction>(link);
    EXPECT_EQ(noisy.bench.network.retransmit_timeout(4, direction), (link % 2 ? 200 : 100) + link / 2);
    EXPECT_EQ(noisy.bench.network.retransmit_timeout(5, direction), 600u);
  }
}

TEST(TorusDcrOnANetwork, CountsErrorsOfEachLink) {
  Noisy noisy;
  noisy.send();
  const TorusNetwork& network = noisy.bench.network;
  const auto count = [&](std::uint32_t node, unsigned number) {
    return noisy.dcrs[node]->read(TORUS_DCR_RECOVERABLE_OFFSET + number);
  };
  std::uint64_t errors = 0;
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
    for (unsigned link = 0; link < 6; ++link) {
      const auto direction = static_cast<Direction>(link);
      const LinkCounters out = network.link(node, direction);
      EXPECT_EQ(count(node, 8 + link), out.retransmissions);
      EXPECT_EQ(count(network.topology().neighbour(node, direction), opposite(direction)), out.crc_errors);
      errors += out.crc_errors;
    }
  }
  EXPECT_GT(errors, 100u);
  const std::uint32_t before = count(0, 8);
  ASSERT_GT(before, 0u);
  noisy.dcrs[0]->reset();
  EXPECT_EQ(count(0, 8), 0u);
  noisy.send();
  EXPECT_GT(count(0, 8), 0u);
  EXPECT_EQ(count(0, 8), network.link(0, 0).retransmissions - before);
}

TEST(TorusDcrOnANetwork, BothEndsOfALinkShowTheSameCrc) {
  Noisy noisy;
  const Topology& topology = noisy.bench.network.topology();
  const auto compare = [&] {
    unsigned used = 0;
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      for (unsigned link = 0; link < 6; ++link) {
        const auto direction = static_cast<Direction>(link);
        TorusDcr& receiver = *noisy.dcrs[topology.neighbour(node, direction)];
        const std::uint32_t sent = noisy.dcrs[node]->read(TORUS_DCR_SENDER_CRC_OFFSET + link);
        EXPECT_EQ(sent, receiver.read(TORUS_DCR_RECEIVER_CRC_OFFSET + opposite(direction))) << node << " " << link;
        used += sent != 0;
      }
    }
    return used;
  };
  noisy.send();
  EXPECT_GT(compare(), 18u);
  for (const auto& dcr : noisy.dcrs) dcr->write(TORUS_DCR_CLEAR_OFFSET, TORUS_DCR_CLEAR_LINK_CRC_MASK);
  EXPECT_EQ(compare(), 0u);
  noisy.send();
  EXPECT_GT(compare(), 18u);
}

TEST_F(TorusDcrTest, ErrorsStayUntilTheyAreCleared) {
  dcr.write_full(1, 3);
  dcr.write_full(1, 0);
  dcr.read_empty();
  const unsigned offset = TORUS_DCR_INJECTION_ERROR_OFFSET + 1;
  EXPECT_EQ(dcr.read(offset), TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK | TORUS_DCR_INJECTION_ERROR_FULL_I0_MASK);
  dcr.write(offset, TORUS_DCR_INJECTION_ERROR_FULL_I0_MASK);
  EXPECT_EQ(dcr.read(offset), TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK);
  dcr.write(offset, 0);
  EXPECT_EQ(dcr.read(offset), TORUS_DCR_INJECTION_ERROR_FULL_IH_MASK);
  EXPECT_EQ(dcr.read(TORUS_DCR_ACCESS_ERROR_OFFSET),
            TORUS_DCR_ACCESS_ERROR_WRITE_FULL_MASK | TORUS_DCR_ACCESS_ERROR_READ_EMPTY_P0_MASK);
}

TEST_F(TorusDcrTest, MasksKeepErrorsFromTheInterrupt) {
  constexpr std::uint32_t kSummary = TORUS_DCR_INTERRUPT_ERROR_NON_RECOVERABLE_MASK;
  constexpr std::uint32_t kBadHeaderLine = 0x80000000u >> 18;  // bit 18 of the standard group
  dcr.write_full(0, 0);
  EXPECT_EQ(dcr.read(TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary | kBadHeaderLine);
  dcr.write(TORUS_DCR_RECOVERABLE_MASK_OFFSET, kBadHeaderLine);
  EXPECT_EQ(dcr.read(TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary);
  dcr.write(TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET + 8, 0xFFFFFFFFu);  // injection group 0
  EXPECT_EQ(dcr.read(TORUS_DCR_INTERRUPT_ERROR_OFFSET), kSummary);
  dcr.write(TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET + 12, 0xFFFFFFFFu);  // register and FIFO accesses
  EXPECT_EQ(dcr.read(TORUS_DCR_INTERRUPT_ERROR_OFFSET), 0u);
}

TEST_F(TorusDcrTest, PutsChecksumsWhereTheMapHasThem) {
  const unsigned place[] = {0, 1, 2, 6, 3, 4, 5, 7};  // N0..N5, then P0, P1
  for (unsigned fifo = 0; fifo < 8; ++fifo) dcr.add_checksum(fifo, 100 + fifo);
  for (unsigned fifo = 0; fifo < 8; ++fifo) EXPECT_EQ(dcr.read(TORUS_DCR_CHECKSUM_OFFSET + place[fifo]), 100 + fifo);
}

}  // namespace
}  // namespace toroid
