// SPDX-License-Identifier: Apache-2.0
// Router families other than Blue Gene/L's: five dimensions with six virtual channels, and parallel links with two
// nodes a router. Each is proven as Blue Gene/L's is: latency to the cycle, conservation, order, no deadlock at full
// load on the smallest buffers, and a deadlock once a rule is taken away.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbench/tests/torus/test_device.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/families/twin_links.h"
#include "torus/torus/instantiate.h"
#include "torus/torus/latency.h"
#include "torus/traffic/traffic_run.h"

namespace toroid {

/// Dynamic packets have no ordered channel to escape to.
template <typename Base>
struct WithoutEscape : Base {
  static constexpr bool kEscape = false;
};
/// Ordered packets stay on the first channel of their class all the way round.
struct WithoutDateline : TwinLinksFamily {
  static constexpr RingRule kRingRule = RingRule::none;
};
using QWithoutEscape = WithoutEscape<BlueGeneQFamily>;
using TwinWithoutEscape = WithoutEscape<TwinLinksFamily>;

namespace {

/// With the smallest buffers that the family's rules allow.
template <typename F>
TorusConfig smallest() {
  TorusConfig config = F::kZones ? test::shipped_zoned_torus() : test::shipped_torus();
  config.adaptive_vcs = kRouterFamily<F>.adaptive_vcs;
  config.bubble_chunks = F::kMaxChunks;
  config.buffer_chunks = F::kRingRule == RingRule::bubble ? 2 * F::kMaxChunks : F::kMaxChunks;
  if (F::kZones) {
    config.buffer_chunks = F::kMaxChunks + F::kTrailerChunks;
    config.zones->buffer_packets = 2;
  }
  config.stuck_after = Cycle{100000};
  return config;
}

// Latency. -----------------------------------------------------------------------------------------------------------

/// Bytes a cycle of the slowest link between two nodes.
unsigned slowest(const TorusConfig& config, const Topology& topology, std::uint32_t from, std::uint32_t to) {
  const Coordinates a = topology.coordinates(from);
  const Coordinates b = topology.coordinates(to);
  unsigned width = 0;
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    if (a[d] == b[d]) continue;
    const unsigned other = link_width(config, static_cast<Direction>(2 * d));
    width = width == 0 ? other : std::min(width, other);
  }
  return width == 0 ? config.link_bytes_per_cycle : width;
}

/// Every size from two nodes to every other, on every class's ordered channel and on the adaptive ones.
template <typename F>
void every_size_and_distance(const std::string& shape, const TorusConfig& config) {
  using T = FamilyTables<F>;
  test::BasicBench<F> bench(shape, config);
  const Topology& topology = bench.network.topology();
  for (const std::uint32_t from : {0u, topology.nodes() / 2 + 1}) {
    for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
      if (to == from) continue;
      for (unsigned chunks = 1; chunks <= F::kMaxChunks; chunks += 2) {
        for (unsigned channel = 0; channel < T::kVcCount; ++channel) {
          if (F::kVcs[channel].use == VcUse::collective) continue;
          Packet& p = bench.packet(topology.coordinates(to));
          p.local = static_cast<std::uint8_t>(topology.local(to));
          p.chunks = static_cast<std::uint8_t>(chunks);
          p.channel = static_cast<VirtualChannel>(channel);
          p.dynamic = F::kVcs[channel].use == VcUse::adaptive;
          ASSERT_EQ(bench.network.check(p, from), 0u);
          const Cycle start = bench.wheel.now();
          bench.deliveries.clear();
          bench.devices[from]->send(p);
          bench.run(Cycle{3000});
          ASSERT_EQ(bench.deliveries.size(), 1u);
          const unsigned hops = topology.distance(from, to);
          ASSERT_EQ(bench.deliveries[0].node, to);
          ASSERT_EQ(bench.deliveries[0].hops, hops);
          ASSERT_EQ(bench.deliveries[0].at - start,
                    zero_load_latency(config, kRouterFamily<F>, hops, chunks, slowest(config, topology, from, to)))
              << shape << " " << from << " to " << to << ", " << chunks << " chunks on " << F::kVcs[channel].name;
        }
      }
    }
  }
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

TEST(RouterFamilies, LatencyOfFiveDimensions) {
  every_size_and_distance<BlueGeneQFamily>("3x2x3x2x2", smallest<BlueGeneQFamily>());
  every_size_and_distance<BlueGeneQFamily>("3mx2x2x2mx2", smallest<BlueGeneQFamily>());
}

TEST(RouterFamilies, LatencyOfTwinLinksWithANarrowDimension) {
  TorusConfig config = smallest<TwinLinksFamily>();
  config.link_bytes_per_cycle = 4;
  config.direction_bytes_per_cycle[2] = config.direction_bytes_per_cycle[3] = 2;
  every_size_and_distance<TwinLinksFamily>("4x3x5", config);
  every_size_and_distance<TwinLinksFamily>("4mx3x2m", config);
}

// Full load. ---------------------------------------------------------------------------------------------------------

enum class Mix { adaptive, ordered, both };

template <typename F>
TrafficResult fill(const std::string& shape, const std::string& pattern, Mix mix, std::uint64_t hops, bool check,
                   const TorusConfig& torus) {
  TrafficConfig config(torus);
  config.shape = Shape::parse(shape, "XYZUV");
  config.pattern = pattern;
  config.adaptive_share = mix == Mix::adaptive ? 1 : mix == Mix::ordered ? 0 : 0.5;
  config.other_classes_share = mix == Mix::adaptive ? 0.2 : 0.6;
  config.sizes = {{F::kMaxChunks, 1}, {2, 1}, {1, 1}};
  config.fill_hops = hops;
  config.check = check;
  return run_traffic_on<F>(config);
}

template <typename F>
void fill_and_drain(const std::string& shape, const std::string& pattern, Mix mix, std::uint64_t hops, bool check) {
  const TrafficResult result = fill<F>(shape, pattern, mix, hops, check, smallest<F>());
  EXPECT_FALSE(result.stuck) << result.stuck_report;
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(result.generated, result.delivered);
  EXPECT_EQ(result.repeated + result.misdelivered + result.reordered, 0u);
  EXPECT_GE(result.hops, hops);
}

template <typename F>
void fill_every_way(const std::vector<std::string>& shapes) {
  for (const std::string& shape : shapes) {
    for (const char* pattern : {"uniform", "tornado", "complement", "hotspot"}) {
      for (const Mix mix : {Mix::adaptive, Mix::ordered, Mix::both}) {
        SCOPED_TRACE(shape + " " + pattern);
        fill_and_drain<F>(shape, pattern, mix, 100000, true);
      }
    }
  }
}

TEST(RouterFamilies, FullLoadOnFiveDimensions) {
  fill_every_way<BlueGeneQFamily>({"3x3x2x3x2", "4x2mx3x2x2", "5x4"});
}
TEST(RouterFamilies, FullLoadOnTwinLinks) {
  fill_every_way<TwinLinksFamily>({"4x4x4", "5x3mx4", "8x1x1"});
}

TEST(RouterFamiliesLong, TenMillionHopsOfFiveDimensions) {
  fill_and_drain<BlueGeneQFamily>("4x4x4x4x2", "uniform", Mix::both, 10000000, false);
  fill_and_drain<BlueGeneQFamily>("8x3x3x2x2", "tornado", Mix::adaptive, 10000000, false);
}
TEST(RouterFamiliesLong, TenMillionHopsOfTwinLinks) {
  fill_and_drain<TwinLinksFamily>("8x6x4", "uniform", Mix::both, 10000000, false);
  fill_and_drain<TwinLinksFamily>("9x5x5", "tornado", Mix::ordered, 10000000, false);
}

TEST(RouterFamilies, ParallelLinksShareTheLoad) {
  const TrafficResult result =
      fill<TwinLinksFamily>("4x4x4", "uniform", Mix::ordered, 200000, true, smallest<TwinLinksFamily>());
  std::array<std::uint64_t, 2> packets{};
  for (const LinkLoad& link : result.links) {
    if (link.direction / 2 == 0) packets[link.lane] += link.packets;
  }
  const auto [fewer, more] = std::minmax(packets[0], packets[1]);
  EXPECT_GT(fewer, more * 9 / 10);
}

// What the rules are for.
// ----------------------------------------------------------------------------------------------

template <typename F>
void expect_a_stop(Mix mix, TorusConfig config, const char* where) {
  config.stuck_after = Cycle{20000};
  const TrafficResult result = fill<F>("8x1x1", "tornado", mix, 2000000, false, config);
  EXPECT_TRUE(result.stuck);
  EXPECT_FALSE(result.drained);
  EXPECT_NE(result.stuck_report.find(where), std::string::npos) << result.stuck_report;
}

TEST(RouterFamilies, WithoutTheBubbleARingStops) {
  TorusConfig config = smallest<BlueGeneQFamily>();
  config.bubble_chunks = 0;
  expect_a_stop<BlueGeneQFamily>(Mix::ordered, config, "from X- ");
}
TEST(RouterFamilies, WithoutTheEscapeARingStops) {
  expect_a_stop<QWithoutEscape>(Mix::adaptive, smallest<BlueGeneQFamily>(), "from X- DY");
  expect_a_stop<TwinWithoutEscape>(Mix::adaptive, smallest<TwinLinksFamily>(), "from X-2 QA");
}
TEST(RouterFamilies, WithoutTheDatelineARingStops) {
  expect_a_stop<WithoutDateline>(Mix::ordered, smallest<TwinLinksFamily>(), "from X-2 Q0");
}

// Parameters. --------------------------------------------------------------------------------------------------------

TEST(RouterParameters, DimensionOrder) {
  TorusConfig config = test::shipped_torus();
  config.dimension_order = {2, 0, 1, 3, 4};
  test::Bench bench("4x4x4", config);
  bench.devices[0]->send(bench.packet({1, 1, 1}));
  bench.run();
  const Topology& topology = bench.network.topology();
  EXPECT_EQ(bench.network.link(0, 4).packets, 1u);                         // Z first
  EXPECT_EQ(bench.network.link(topology.node({0, 0, 1}), 0).packets, 1u);  // then X
  EXPECT_EQ(bench.network.link(topology.node({1, 0, 1}), 2).packets, 1u);  // then Y
}

TEST(RouterParameters, FewerAdaptiveChannels) {
  for (const unsigned channels : {0u, 1u}) {
    TorusConfig config = smallest<BlueGeneLpFamily>();
    config.adaptive_vcs = channels;
    test::Bench bench("4x4x4", config);
    EXPECT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::dynamic1), 0u);
    EXPECT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::dynamic0), channels * 16);
    bench.send_full(0, {2, 2, 2}, 40, true);
    bench.run();
    EXPECT_EQ(bench.deliveries.size(), 40u);
  }
}

std::string refusal(const TrafficConfig& config) {
  try {
    check_traffic(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RouterParameters, WhatNeedsACompilerNamesThePage) {
  TrafficConfig good(test::shipped_torus());
  good.shape = Shape::parse("4x4x4");
  EXPECT_EQ(refusal(good), "");

  TrafficConfig config = good;
  config.torus.adaptive_vcs = 3;
  EXPECT_EQ(refusal(config),
            "torus.adaptive_vcs must be at most 2 (routers of family blue_gene_lp are compiled so; "
            "docs/what_can_be_changed.md)");
  config = good;
  config.torus.router = "twin_links";
  config.torus.adaptive_vcs = 1;
  config.shape = Shape::parse("2x2x2x2");
  EXPECT_EQ(refusal(config),
            "routers of family twin_links are compiled for 3 dimensions at most, not 4 (docs/what_can_be_changed.md)");
  config = good;
  config.torus.router = "dragonfly";
  EXPECT_EQ(refusal(config),
            "no router family 'dragonfly'; there are blue_gene_lp, blue_gene_q, twin_links "
            "(docs/what_can_be_changed.md)");
  config = good;
  config.sizes = {{9, 1}};
  EXPECT_EQ(refusal(config),
            "traffic: a packet has 1 to 8 chunks of 32 bytes, not 9 (routers of family blue_gene_lp; "
            "docs/what_can_be_changed.md)");
}

TEST(RouterParameters, ADimensionOrderNamesEachDimensionOnce) {
  TorusConfig config = test::shipped_torus();
  config.dimension_order = {0, 0, 1, 2, 3};
  EXPECT_THROW(config.validate(kRouterFamily<BlueGeneLpFamily>), std::invalid_argument);
}

}  // namespace
}  // namespace toroid

TOROID_INSTANTIATE_ROUTERS(toroid::QWithoutEscape);
TOROID_INSTANTIATE_ROUTERS(toroid::TwinWithoutEscape);
TOROID_INSTANTIATE_ROUTERS(toroid::WithoutDateline);
