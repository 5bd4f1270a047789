// SPDX-License-Identifier: Apache-2.0
// Full load on the smallest buffers that the bubble rule allows: nothing stops, gets lost or comes twice.
#include <gtest/gtest.h>

#include <tuple>

#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/base/random.h"
#include "torus/traffic/traffic.h"

namespace toroid {
namespace {

enum class Mix { adaptive, deterministic, both };

TrafficResult fill(const std::string& shape, const std::string& pattern, Mix mix, bool small_packets,
                   std::uint64_t hops, bool check = false) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse(shape);
  config.pattern = pattern;
  config.pattern_options.displacement = {2, 1};
  config.torus.buffer_chunks = 16;
  config.torus.stuck_after = 100000;
  config.adaptive_share = mix == Mix::adaptive ? 1 : mix == Mix::deterministic ? 0 : 0.5;
  config.other_classes_share = mix == Mix::both ? 0.2 : 0;
  if (small_packets) config.sizes = {{8, 1}, {5, 1}, {1, 1}};
  config.fill_hops = hops;
  config.check = check;
  return run_traffic(config);
}

void expect_closed(const TrafficResult& result, std::uint64_t hops) {
  EXPECT_FALSE(result.stuck) << result.stuck_report;
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(result.generated, result.delivered);
  EXPECT_EQ(result.repeated + result.misdelivered + result.reordered, 0u);
  EXPECT_GE(result.hops, hops);
}

class FullLoad : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(FullLoad, EveryRoutingAndSizeMix) {
  const auto& [shape, pattern] = GetParam();
  constexpr std::uint64_t kHops = 300000;
  for (const Mix mix : {Mix::adaptive, Mix::deterministic, Mix::both}) {
    for (const bool small_packets : {false, true}) {
      expect_closed(fill(shape, pattern, mix, small_packets, kHops, true), kHops);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, FullLoad,
                         testing::Combine(testing::Values("8x4x4", "4x3x3x2x3", "6x5mx3"),
                                          testing::ValuesIn(pattern_names())));

TEST(FullLoadLong, TenMillionHopsThreeDimensionsAdaptive) {
  expect_closed(fill("8x8x8", "uniform", Mix::adaptive, false, 10000000), 10000000);
}
TEST(FullLoadLong, TenMillionHopsThreeDimensionsDeterministic) {
  expect_closed(fill("8x8x8", "tornado", Mix::deterministic, true, 10000000), 10000000);
}
TEST(FullLoadLong, TenMillionHopsFiveDimensionsMixed) {
  expect_closed(fill("4x4x4x4x2", "uniform", Mix::both, true, 10000000), 10000000);
}

/// Packets of all sizes around a ring whose links are stopped and let go at random, so that its buffers fill and empty
/// in orders that free traffic hardly ever meets.
bool ring_drains(unsigned buffer_chunks, std::uint64_t seed) {
  TorusConfig config = test::shipped_torus();
  config.buffer_chunks = buffer_chunks;
  config.fullness_cycles = 0;
  test::Bench bench("3x1x1", config, seed);
  std::uint64_t random = seed;
  std::uint64_t sent = 0;
  for (unsigned step = 0; step < 600; ++step) {
    for (std::uint8_t node = 0; node < 3; ++node) {
      bench.network.set_stopped(node, 0, next_random(random, 2));
      Packet& p = bench.packet({node, 0, 0});
      p.hints = 1;  // all around the ring
      p.chunks = static_cast<std::uint8_t>(next_random(random, 2) ? 8 : 1 + next_random(random, 8));
      bench.devices[node]->send(p, step % 3);
      ++sent;
    }
    bench.run(Cycle{next_random(random, 600)});
  }
  for (Direction node = 0; node < 3; ++node) bench.network.set_stopped(node, 0, false);
  bench.run(2000000);
  return bench.deliveries.size() == sent && bench.network.in_flight() == 0;
}

TEST(FullLoad, APacketSizeMixDoesNotBreakUpTheBubble) {
  for (const unsigned buffer_chunks : {16u, 24u, 32u}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      EXPECT_TRUE(ring_drains(buffer_chunks, seed)) << buffer_chunks << " chunks, seed " << seed;
    }
  }
}

TEST(FullLoad, WithoutTheBubbleARingStops) {
  // The same on rings without the bubble: this is what the rule is for, and what the watch is for.
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("8x1x1", "XYZ");
  config.pattern = "tornado";
  config.torus.buffer_chunks = 16;
  config.torus.bubble_chunks = 0;
  config.torus.stuck_after = 20000;
  config.adaptive_share = 0;
  config.fill_hops = 1000000;
  const TrafficResult result = run_traffic(config);
  EXPECT_TRUE(result.stuck);
  EXPECT_FALSE(result.drained);
  EXPECT_NE(result.stuck_report.find("from X- BN"), std::string::npos) << result.stuck_report;
}

}  // namespace
}  // namespace toroid
