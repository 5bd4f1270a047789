// SPDX-License-Identifier: Apache-2.0
// Full load on the smallest buffers that the bubble rule allows: nothing stops, gets lost or comes twice.
#include <gtest/gtest.h>

#include <tuple>

#include "torus/traffic/traffic.h"

namespace toroid {
namespace {

enum class Mix { adaptive, deterministic, both };

TrafficResult fill(const std::string& shape, const std::string& pattern, Mix mix, bool small_packets,
                   std::uint64_t hops, bool check = false) {
  TrafficConfig config;
  config.shape = Shape::parse(shape);
  config.pattern = pattern;
  config.torus.buffer_chunks = 16;
  config.torus.stuck_after = 100000;
  config.adaptive_share = mix == Mix::adaptive ? 1 : mix == Mix::deterministic ? 0 : 0.5;
  config.priority_share = mix == Mix::both ? 0.2 : 0;
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

TEST(FullLoad, WithoutTheBubbleARingStops) {
  // The same on rings without the bubble: this is what the rule is for, and what the watch is for.
  TrafficConfig config;
  config.shape = Shape::parse("8x1x1");
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
