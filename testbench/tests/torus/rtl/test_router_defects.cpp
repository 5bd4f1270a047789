// SPDX-License-Identifier: Apache-2.0
//
// Defects planted in copies of the torus router in Verilog, and what finds them.
#include <Vrouter_bubble.h>
#include <Vrouter_credit.h>
#include <Vrouter_data.h>
#include <Vtorus_router.h>
#include <gtest/gtest.h>

#include "testbench/tests/torus/rtl/rtl_routers.h"
#include "torus/rtl/verilated_hooks.h"

namespace toroid {
namespace {

using test::Injection;
using test::Recording;
using test::Replay;
using test::ReplayOptions;
using test::RtlRouters;

/// Assertions of the Verilog off, as in hardware, while it lives.
class WithoutAssertions {
 public:
  WithoutAssertions() { rtl::shared_context().assertOn(false); }
  ~WithoutAssertions() { rtl::shared_context().assertOn(true); }
};

/// All nodes of a ring send packets half around it, the same way, at once, more than the buffers hold.
Recording around_a_ring(unsigned nodes, unsigned packets) {
  Recording recording;
  for (unsigned i = 0; i < packets; ++i) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      Injection p;
      p.at = 1;
      p.node = node;
      p.fifo = i % 3;
      p.destination = {static_cast<std::uint8_t>((node + nodes / 2) % nodes)};
      p.hints = 1;  // X+
      p.chunks = BlueGeneLpFamily::kMaxChunks;
      recording.push_back(p);
    }
  }
  return recording;
}

ReplayOptions small_buffers() {
  ReplayOptions options;
  options.torus.buffer_chunks = 16;
  options.torus.stuck_after = 20000;
  options.limit = 2000000;
  return options;
}

TEST(RouterDefects, SoundRouterMovesAround) {
  const Recording recording = around_a_ring(8, 30);
  RtlRouters<Vtorus_router> routers;
  Replay replay("8x1x1", recording, routers.in(small_buffers()));
  replay.run();
  EXPECT_EQ(routers.fault(), "");
  EXPECT_TRUE(replay.drained());
}

TEST(RouterDefects, NoBubbleStopsTheRing) {
  const WithoutAssertions off;
  const Recording recording = around_a_ring(8, 30);
  RtlRouters<Vrouter_bubble> routers;
  Replay replay("8x1x1", recording, routers.in(small_buffers()));
  replay.run();
  EXPECT_EQ(routers.fault(), "");
  EXPECT_FALSE(replay.drained());
  EXPECT_TRUE(replay.network.progress().stuck());
}

TEST(RouterDefects, NoBubbleIsAsserted) {
  const Recording recording = around_a_ring(8, 30);
  RtlRouters<Vrouter_bubble> routers;
  Replay replay("8x1x1", recording, routers.in(small_buffers()));
  replay.run();
  EXPECT_NE(routers.fault().find("bubble rule"), std::string::npos) << routers.fault();
}

TEST(RouterDefects, LostCreditIsFoundWhenTheRouterIsIdle) {
  test::Mix mix;
  mix.packets = 200;
  mix.gap = 2000;
  mix.dynamic_share = 1;
  mix.chunks = {1, 3};
  const Recording recording = test::random_traffic("4x2x2", mix);
  RtlRouters<Vrouter_credit> routers([](std::uint32_t node) { return node == 5; });
  Replay replay("4x2x2", recording, routers.in({}));
  replay.run();
  EXPECT_NE(routers.fault().find("is idle and has not given back 1 tokens of queue D0"), std::string::npos)
      << routers.fault();
}

TEST(RouterDefects, DamagedContentsReachTheReceiver) {
  test::Mix mix;
  mix.packets = 400;
  mix.gap = 50;  // packets wait: what goes through without lies nowhere
  const Recording recording = test::random_traffic("4x2x2", mix);
  RtlRouters<Vrouter_data> routers([](std::uint32_t node) { return node == 5; });
  Replay replay("4x2x2", recording, routers.in({}));
  replay.run();
  EXPECT_EQ(routers.fault(), "");
  EXPECT_TRUE(replay.drained());
  EXPECT_GT(routers.changed_bytes(), 0u);
  unsigned damaged = 0;
  for (const test::Arrival& arrival : replay.arrivals) damaged += !arrival.good;
  EXPECT_GT(damaged, 0u);
}

}  // namespace
}  // namespace toroid
