// SPDX-License-Identifier: Apache-2.0
//
// Two torus FIFO devices on a real ring of two nodes.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>

#include "testbench/shipped.h"
#include "testbench/tests/nic/fifo_bench.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/latency.h"

namespace toroid::test {
namespace {

struct Ring {
  struct Node {
    Node(const std::string& name, TorusNetwork& network, std::uint32_t node, NetworkClock& clock)
        : device((name + "_device").c_str(), test::shipped<TorusFifoConfig>(), network, node, clock),
          port((name + "_port").c_str(), network.router(node)),
          core((name + "_core").c_str()) {
      core.bus.bind(device.bus_in);
      device.injection_out.bind(port.from_device);
      port.to_device.bind(device.reception_in);
    }
    TorusFifoDevice device;
    LinkSocketPort port;
    CoreDouble core;
  };

  static TorusConfig config(double bit_error_rate) {
    TorusConfig config = test::shipped_torus();
    config.bit_error_rate = bit_error_rate;
    return config;
  }

  Ring(const std::string& name, double bit_error_rate)
      : network(wheel, config(bit_error_rate), Topology(Shape::parse("2x1x1")), 1),
        clock((name + "_clock").c_str(), wheel, 175),
        left(name + "_left", network, 0, clock),
        right(name + "_right", network, 1, clock) {}

  Wheel wheel;
  TorusNetwork network;
  NetworkClock clock;
  Node left;
  Node right;
};

std::unique_ptr<Ring> clean;
std::unique_ptr<Ring> noisy;

tlm::tlm_response_status inject(CoreDouble& core, unsigned group, unsigned fifo, const std::vector<Quad>& packet) {
  for (const Quad& quad : packet) {
    const tlm::tlm_response_status response = core.write(injection_address(group, fifo), quad);
    if (response != tlm::TLM_OK_RESPONSE) return response;
  }
  return tlm::TLM_OK_RESPONSE;
}

// Packets come from the neighbour in direction X-: node 0 reaches node 1 by plus.
constexpr unsigned kFromLeft = 1;

TEST(TorusFifoNetwork, PacketsTakeTheZeroLoadLatency) {
  Ring& ring = *clean;
  CoreDouble& sender = ring.left.core;
  CoreDouble& reader = ring.right.core;
  for (unsigned chunks = 1; chunks <= BlueGeneLpFamily::kMaxChunks; ++chunks) {
    Cycle written = 0;
    sender.run([&] {
      // From the middle of a cycle, so that the packet is in the FIFO at the next.
      written = cycle_begun(sc_core::sc_time_stamp(), 175) + 100;
      sender.delay = ring.clock.time_of(written) - sc_core::sc_time_stamp() + sc_core::sc_time(1, sc_core::SC_NS);
      ASSERT_EQ(inject(sender, 0, 0, make_packet(fields_to(1, 0, 0, chunks))), tlm::TLM_OK_RESPONSE) << sender.reason;
      sender.delay = sc_core::SC_ZERO_TIME;  // the other core looks from the beginning
      const sc_core::sc_time arrival =
          ring.clock.time_of(written + 1 + zero_load_latency(ring.network.config(), kBlueGeneLpRouters, 1, chunks));
      reader.begin([&reader, arrival, chunks] {
        reader.delay = arrival - sc_core::sc_time_stamp() - sc_core::sc_time(1, sc_core::SC_PS);
        EXPECT_EQ(reader.status(0)[kFromLeft], 0) << chunks;
        reader.delay = sc_core::sc_time(1, sc_core::SC_PS);
        EXPECT_EQ(reader.status(0)[kFromLeft], chunks) << chunks;
        for (const Quad& expected : make_packet(fields_to(1, 0, 0, chunks))) {
          Quad quad{};
          ASSERT_EQ(reader.read(reception_address(0, kFromLeft), quad), tlm::TLM_OK_RESPONSE) << reader.reason;
          EXPECT_EQ(quad, expected);
        }
      });
    });
    EXPECT_TRUE(reader.ended());
    EXPECT_EQ(ring.network.pool().in_use(), 0u);
  }
}

// `count` deterministic packets of all sizes from left to right, in order; the reader begins `pause` cycles later.
void stream(Ring& ring, unsigned count, Cycle pause) {
  const sc_core::sc_time poll = ring.clock.time_of(20);
  ring.left.core.begin([&ring, count, poll] {
    CoreDouble& core = ring.left.core;
    for (unsigned i = 0; i < count; ++i) {
      torus_fields_t fields = fields_to(1, 0, 0, 1 + i * 5 % 8, 1);
      fields.dynamic = 0;
      fields.vc = TORUS_VC_BUBBLE;
      fields.hints = TORUS_HINT_X_PLUS;
      std::vector<Quad> packet = make_packet(fields);
      std::memcpy(packet[0].data() + 8, &i, sizeof i);
      while (core.status(0)[BGL_TORUS_STATUS_I2_BYTE] + fields.chunks > 24) core.delay += poll;
      ASSERT_EQ(inject(core, 0, 2, packet), tlm::TLM_OK_RESPONSE) << core.reason;
    }
  });
  ring.right.core.begin([&ring, count, pause, poll] {
    CoreDouble& core = ring.right.core;
    core.delay = ring.clock.time_of(pause);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned chunks = 1 + i * 5 % 8;
      while (core.status(1)[kFromLeft] < chunks) core.delay += poll;
      std::vector<Quad> packet(2 * chunks);
      for (Quad& quad : packet) {
        ASSERT_EQ(core.read(reception_address(1, kFromLeft), quad), tlm::TLM_OK_RESPONSE) << core.reason;
      }
      unsigned number = ~0u;
      std::memcpy(&number, packet[0].data() + 8, sizeof number);
      ASSERT_EQ(number, i);
      EXPECT_EQ(packet.back()[15], static_cast<std::uint8_t>(32 * chunks - 1));
    }
  });
  sc_core::sc_start();
  EXPECT_TRUE(ring.left.core.ended());
  EXPECT_TRUE(ring.right.core.ended());
  EXPECT_EQ(ring.network.pool().in_use(), 0u);
  EXPECT_EQ(ring.network.in_flight(), 0u);
  std::uint32_t tokens = 0;
  std::string reason;
  ring.left.core.run([&] {
    ASSERT_TRUE(ring.left.device.read_dcr(BGL_TORUS_DCR_BASE + TORUS_DCR_SENDER_TOKENS_OFFSET, tokens,
                                          ring.left.core.delay, reason));
  });
  EXPECT_EQ(tokens, 0x20202020u) << "all tokens have come back";
}

TEST(TorusFifoNetwork, AStreamComesInOrder) {
  stream(*clean, 500, 0);
  EXPECT_EQ(clean->left.device.counters().packets_injected[2], 500u);
  EXPECT_EQ(clean->right.device.counters().packets_received[7 + kFromLeft], 500u);
}

TEST(TorusFifoNetwork, ASlowReaderHoldsTheSenderBack) {
  stream(*clean, 100, 100000);
}

TEST(TorusFifoNetwork, PriorityGoesToThePriorityFifo) {
  Ring& ring = *clean;
  torus_fields_t fields = fields_to(1, 0, 0, 2, 1);
  fields.dynamic = 0;
  fields.vc = TORUS_VC_PRIORITY;
  fields.hints = TORUS_HINT_X_PLUS;
  ring.left.core.run([&] { ASSERT_EQ(inject(ring.left.core, 0, 3, make_packet(fields)), tlm::TLM_OK_RESPONSE); });
  CoreDouble& core = ring.right.core;
  core.run([&] {
    core.delay = ring.clock.time_of(1000);
    Quad expected{}, quad{};
    expected[BGL_TORUS_STATUS_RH_BYTE] = 2;
    EXPECT_EQ(core.status(1), expected);
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ(core.read(reception_address(1, 6), quad), tlm::TLM_OK_RESPONSE);
  });
}

TEST(TorusFifoNetwork, APacketToTheOwnNodeTravelsTheRing) {
  Ring& ring = *clean;
  torus_fields_t fields = fields_to(0, 0, 0, 1);
  fields.hints = TORUS_HINT_X_PLUS;
  CoreDouble& core = ring.left.core;
  core.run([&] {
    ASSERT_EQ(inject(core, 0, 0, make_packet(fields)), tlm::TLM_OK_RESPONSE) << core.reason;
    core.delay = ring.clock.time_of(1000);
    Quad expected{}, quad{};
    expected[kFromLeft] = 1;
    EXPECT_EQ(core.status(0), expected);
    for (unsigned i = 0; i < 2; ++i) {
      ASSERT_EQ(core.read(reception_address(0, kFromLeft), quad), tlm::TLM_OK_RESPONSE);
    }
  });
}

TEST(TorusFifoNetwork, LinkErrorsShowInTheCountersAndNowhereElse) {
  stream(*noisy, 300, 0);
  CoreDouble& core = noisy->left.core;
  std::uint32_t retries = 0, errors = 0;
  std::string reason;
  core.run([&] {
    // Send retry X+ of the left node; input pipe X- of the right one.
    ASSERT_TRUE(noisy->left.device.read_dcr(BGL_TORUS_DCR_BASE + TORUS_DCR_RECOVERABLE_OFFSET + 8, retries, core.delay,
                                            reason));
    ASSERT_TRUE(noisy->right.device.read_dcr(BGL_TORUS_DCR_BASE + TORUS_DCR_RECOVERABLE_OFFSET + 1, errors, core.delay,
                                             reason));
  });
  EXPECT_GT(errors, 0u);
  EXPECT_GE(retries, errors);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  clean = std::make_unique<Ring>("clean", 0);
  noisy = std::make_unique<Ring>("noisy", 1e-4);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // every thread comes to its wait
  const int result = RUN_ALL_TESTS();
  clean.reset();
  noisy.reset();
  return result;
}
