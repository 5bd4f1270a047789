// SPDX-License-Identifier: Apache-2.0
// The latency of a packet alone in the network is the closed form, to the cycle.
#include <gtest/gtest.h>

#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/torus/latency.h"

namespace toroid {
namespace {

using test::Bench;

/// Every size from node 0 (and one inner node) to every node; returns how many pairs were tried.
template <typename F>
void every_size_and_distance(const std::string& shape, const TorusConfig& config) {
  test::BasicBench<F> bench(shape, config);
  const Topology& topology = bench.network.topology();
  for (const std::uint32_t from : {0u, topology.nodes() / 2}) {
    for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
      if (to == from) continue;
      for (unsigned chunks = 1; chunks <= BlueGeneLpFamily::kMaxChunks; ++chunks) {
        for (const bool dynamic : {false, true}) {
          Packet& p = bench.packet(topology.coordinates(to));
          p.chunks = static_cast<std::uint8_t>(chunks);
          p.dynamic = dynamic;
          if (dynamic) p.channel = BlueGeneLpChannel::dynamic0;
          const Cycle start = bench.wheel.now();
          bench.deliveries.clear();
          bench.devices[from]->send(p);
          bench.run(3000);
          ASSERT_EQ(bench.deliveries.size(), 1u);
          ASSERT_EQ(bench.deliveries[0].node, to);
          ASSERT_EQ(bench.deliveries[0].hops, topology.distance(from, to));
          ASSERT_EQ(bench.deliveries[0].at - start,
                    zero_load_latency(config, kRouterFamily<F>, topology.distance(from, to), chunks))
              << shape << " " << from << " to " << to << ", " << chunks << " chunks";
        }
      }
    }
  }
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

TEST(ZeroLoadLatency, ThreeDimensionsTorus) {
  every_size_and_distance<BlueGeneLpFamily>("8x8x8", test::shipped_torus());
}
TEST(ZeroLoadLatency, ThreeDimensionsMesh) {
  every_size_and_distance<BlueGeneLpFamily>("6mx5mx4m", test::shipped_torus());
}
TEST(ZeroLoadLatency, FiveDimensionsTorus) {
  every_size_and_distance<BlueGeneLp5dFamily>("4x4x3x3x2", test::shipped_torus());
}
TEST(ZeroLoadLatency, FiveDimensionsMesh) {
  every_size_and_distance<BlueGeneLp5dFamily>("3mx4x3mx2x2m", test::shipped_torus());
}

TEST(ZeroLoadLatency, OtherParameters) {
  TorusConfig config = test::shipped_torus();
  config.link_bytes_per_cycle = 4;
  config.wire_overhead = 17;
  config.receiver_cycles = 5;
  config.arbiter_cycles = 7;
  config.sender_cycles = 1;
  config.link_cycles = 11;
  config.injection_cycles = 2;
  config.reception_cycles = 3;
  every_size_and_distance<BlueGeneLpFamily>("5x4x3", config);
}

TEST(ZeroLoadLatency, ClosedFormOfTheMachineFile) {
  // 8 + hops * (3 + 3 + 2 + 8) + (32 * chunks + 14) + 8
  EXPECT_EQ(zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 1, 1), 8u + 16 + 46 + 8);
  EXPECT_EQ(zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 12, 8), 8u + 12 * 16 + 270 + 8);
}

TEST(ZeroLoadLatency, TheSlowestLinkOfTheRouteCountsWhereWidthsDiffer) {
  TorusConfig config = test::shipped_torus();
  config.link_bytes_per_cycle = 2;
  config.direction_bytes_per_cycle[2] = 1;  // Y+
  Bench bench("4x4x4", config);
  bench.devices[0]->send(bench.packet({1, 1, 1}));
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].at, 8u + 3 * 16 + 46 + 8);
  bench.devices[0]->send(bench.packet({1, 0, 1}));
  const Cycle start = bench.wheel.now();
  bench.run();
  EXPECT_EQ(bench.deliveries[1].at - start, 8u + 2 * 16 + 23 + 8);
}

TEST(Throughput, OneInjectionFifoFillsALink) {
  Bench bench("4x4x4");
  bench.send_full(0, {1, 0, 0}, 20);
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 20u);
  for (unsigned i = 1; i < 20; ++i) EXPECT_EQ(bench.deliveries[i].at - bench.deliveries[i - 1].at, 270u);
}

}  // namespace
}  // namespace toroid
