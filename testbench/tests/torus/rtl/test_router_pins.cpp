// SPDX-License-Identifier: Apache-2.0
//
// The torus router in Verilog at its pins: the contract of router_pins.h to the cycle, routing, flow control.
#include <Vtorus_router.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "testbench/tests/torus/rtl/router_bench.h"
#include "testbench/tests/torus/rtl/router_network.h"
#include "torus/rtl/fault.h"
#include "torus/rtl/verilated_router.h"

namespace toroid::rtl {
namespace {

const Topology k4x4x4(Shape::parse("4x4x4"));
constexpr Coordinates kHere = {1, 1, 1};

std::unique_ptr<RouterPins> make_router() {
  return std::make_unique<VerilatedRouter<Vtorus_router>>();
}

/// A bench at kHere in a 4x4x4 torus.
struct Bench : RouterBench {
  explicit Bench(const RouterSettings& settings = settings_for(k4x4x4, kHere)) : RouterBench(make_router(), settings) {}
};

bgl_torus_fields_t fields(Coordinates to, unsigned chunks, bool dynamic = false, unsigned vc = BGL_TORUS_VC_BUBBLE) {
  bgl_torus_fields_t result = {};
  result.csum_skip = 4;
  result.chunks = static_cast<std::uint8_t>(chunks);
  result.dynamic = dynamic;
  result.vc = static_cast<std::uint8_t>(vc);
  for (unsigned d = 0; d < 3; ++d) result.destination[d] = to[d];
  return result;
}

constexpr unsigned wire(unsigned chunks) {
  return 32 * chunks + 14;
}

/// As it must be on the link: hints of the directions in `hints`, going on `channel`.
Bytes on_link(Bytes bytes, unsigned hints, unsigned channel) {
  bytes[1] = static_cast<std::uint8_t>((bytes[1] & 3) | hints << 2);
  bytes[2] = static_cast<std::uint8_t>((bytes[2] & ~3u) | channel);
  return bytes;
}

TEST(RouterPins, InjectedPacketGoesOut) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    Bench bench;
    const Bytes packet = make_packet(fields({2, 1, 1}, chunks), 77);
    const Cycle w = 10;
    bench.inject(5, packet, w);
    bench.run(700);
    ASSERT_EQ(bench.taken.size(), 1u);
    EXPECT_EQ(bench.taken[0].fifo, 5u);
    const Cycle t = bench.taken[0].cycle - 1;
    EXPECT_EQ(t, w + 7);
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].cycle, t + 6);
    EXPECT_EQ(bench.sent[0].link, 0u);
    EXPECT_EQ(bench.sent[0].from, 24u + 5);
    EXPECT_EQ(bench.sent[0].channel, 2u);
    EXPECT_EQ(bench.sent[0].bytes, on_link(packet, BGL_TORUS_HINT_X_PLUS, 2));
    EXPECT_EQ(bench.framing_errors, 0u);
    EXPECT_TRUE(bench.out().idle);
    EXPECT_TRUE(bench.returned.empty());
  }
}

TEST(RouterPins, PassingPacketGoesOn) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    for (unsigned vc = 0; vc < 4; ++vc) {
      Bench bench;
      auto header = fields({3, 1, 1}, chunks, vc < 2, vc);
      header.hints = BGL_TORUS_HINT_X_PLUS;
      const Bytes packet = make_packet(header, 78);
      const Cycle h = 10;
      bench.receive(1, packet, h);
      bench.run(700);
      ASSERT_EQ(bench.sent.size(), 1u);
      const Cycle t = h + 8;
      EXPECT_EQ(bench.sent[0].cycle, t + 6);
      EXPECT_EQ(bench.sent[0].link, 0u);
      EXPECT_EQ(bench.sent[0].from, 4u + vc);
      const unsigned channel = vc < 2 ? 0 : vc;
      EXPECT_EQ(bench.sent[0].channel, channel);
      EXPECT_EQ(bench.sent[0].bytes, on_link(packet, BGL_TORUS_HINT_X_PLUS, channel));
      ASSERT_EQ(bench.returned.size(), 1u);
      EXPECT_EQ(bench.returned[0].cycle, t + wire(chunks) + 3);
      EXPECT_EQ(bench.returned[0].link, 1u);
      EXPECT_EQ(bench.returned[0].channel, vc);
      EXPECT_EQ(bench.returned[0].chunks, vc < 2 ? chunks : 8);
      EXPECT_EQ(bench.framing_errors, 0u);
      EXPECT_TRUE(bench.out().idle);
    }
  }
}

TEST(RouterPins, ArrivedPacketIsDelivered) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    for (unsigned vc = 0; vc < 4; ++vc) {
      for (unsigned pid = 0; pid < 2; ++pid) {
        for (unsigned link = 0; link < kLinks; ++link) {
          Bench bench;
          auto header = fields(kHere, chunks, vc < 2, vc);
          header.hints = BGL_TORUS_HINT(link ^ 1);
          header.pid = static_cast<std::uint8_t>(pid);
          const Bytes packet = make_packet(header, 79);
          const Cycle h = 10;
          bench.receive(link, packet, h);
          bench.run(350);
          const Cycle t = h + 8;
          const unsigned fifo = 7 * pid + (vc == 3 ? 6 : link);
          ASSERT_EQ(bench.delivered.size(), 1u);
          EXPECT_EQ(bench.delivered[0].cycle, t + 1);
          EXPECT_EQ(bench.delivered[0].link, link);
          EXPECT_EQ(bench.delivered[0].from, 4 * link + vc);
          EXPECT_EQ(bench.delivered[0].fifo, fifo);
          EXPECT_FALSE(bench.delivered[0].copy);
          ASSERT_EQ(bench.read.size(), 1u);
          EXPECT_EQ(bench.read[0].fifo, fifo);
          EXPECT_LE(bench.read[0].last, t + 32 * chunks + 20);
          EXPECT_EQ(bench.read[0].bytes, on_link(packet, 0, vc));
          ASSERT_EQ(bench.returned.size(), 1u);
          EXPECT_EQ(bench.returned[0].cycle, t + wire(chunks) + 3);
          EXPECT_EQ(bench.returned[0].chunks, vc < 2 ? chunks : 8);
          EXPECT_TRUE(bench.sent.empty());
          EXPECT_EQ(bench.framing_errors, 0u);
          EXPECT_TRUE(bench.out().idle);
        }
      }
    }
  }
}

// Random traffic ------------------------------------------------------------------------------------------------------

void expect_all_arrives(const char* shape, const RouterNetwork::Traffic& traffic, const TorusConfig& config = {}) {
  SCOPED_TRACE(shape);
  const Topology topology(Shape::parse(shape));
  RouterNetwork network(topology, config, traffic, make_router);
  std::string fault;
  try {
    fault = network.run();
  } catch (const RtlFault& found) {
    fault = found.what();
  }
  EXPECT_EQ(fault, "") << network.received() << " packets received";
  EXPECT_EQ(network.received(), std::uint64_t{topology.nodes()} * traffic.packets);
  if (traffic.deposit_percent) {
    EXPECT_GT(network.copies(), 0u);
  }
}

TEST(RouterPins, RandomTrafficArrives) {
  RouterNetwork::Traffic traffic;
  expect_all_arrives("3x3x2", traffic);
  traffic.dynamic_percent = 100;
  expect_all_arrives("4x2x2", traffic);
  traffic.dynamic_percent = 0;
  traffic.priority_percent = 30;
  expect_all_arrives("5x2x1", traffic);
  expect_all_arrives("4x3mx2m", traffic);
}

TEST(RouterPins, RandomTrafficWithStallsArrives) {
  RouterNetwork::Traffic traffic;
  traffic.stall_percent = 20;
  traffic.deposit_percent = 30;
  for (traffic.seed = 1; traffic.seed <= 3; ++traffic.seed) {
    expect_all_arrives("4x4x1", traffic);
    expect_all_arrives("8x1x1", traffic);
    expect_all_arrives("3mx3x2", traffic);
  }
}

TEST(RouterPins, SmallBuffersAndOtherLengthsOnTheWire) {
  RouterNetwork::Traffic traffic;
  traffic.stall_percent = 10;
  TorusConfig config;
  config.buffer_chunks = 16;
  config.reception_depth = 8;
  expect_all_arrives("4x4x1", traffic, config);
  config.wire_overhead = 0;
  expect_all_arrives("3x3x1", traffic, config);
  config.wire_overhead = 50;
  expect_all_arrives("3x3x1", traffic, config);
}

}  // namespace
}  // namespace toroid::rtl
