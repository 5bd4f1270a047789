// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "testbench/shipped.h"
#include "torus/base/random.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/latency.h"
#include "torus/traffic/capacity.h"
#include "torus/traffic/histogram.h"
#include "torus/traffic/traffic.h"

namespace toroid {
namespace {

double share(const std::string& shape, const std::string& pattern) {
  const Topology topology(Shape::parse(shape));
  return busiest_link_share(topology, *make_pattern(pattern, topology, {}));
}

TEST(Capacity, KnownCases) {
  // Uniform on a ring of k: k/8 packets a link for each packet a node (bisection), times n/(n-1) for no self-traffic.
  EXPECT_NEAR(share("8x8x8", "uniform"), 512.0 / 511, 1e-12);
  EXPECT_NEAR(share("16x8x8", "uniform"), 2 * 1024.0 / 1023, 1e-12);
  EXPECT_NEAR(share("8mx8x8", "uniform"), 2 * 512.0 / 511, 1e-12);  // a mesh has half the bisection
  EXPECT_NEAR(share("8x8x8", "neighbour"), 1.0 / 6, 1e-12);
  EXPECT_NEAR(share("8x8x8", "tornado"), 3, 1e-12);  // 3 hops plus in each ring
  EXPECT_NEAR(share("8x8x8", "alltoall"), share("8x8x8", "uniform"), 1e-12);
  // 0 and 7 exchange, 1 and 6, 2 and 5 (around: 3 hops inside), 3 and 4: at most 2 cross a cut one way.
  EXPECT_NEAR(share("8x8x8", "complement"), 2, 1e-12);
  // The hot node's links: 0.1 * 511 and its uniform part, over 6.
  EXPECT_NEAR(share("8x8x8", "hotspot"), (0.1 * 511 + 0.9) / 6, 1e-12);
}

TEST(Patterns, DestinationsAreOtherNodesAndAgreeWithTheFlows) {
  for (const char* shape : {"4x4x4", "5x3x2m", "3x2x4x2x2"}) {
    const Topology topology(Shape::parse(shape));
    for (const std::string& name : pattern_names()) {
      const auto pattern = make_pattern(name, topology, {});
      std::uint64_t random = 9;
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
        if (!pattern->sends(node)) continue;
        const auto flows = pattern->flows(node);
        for (std::uint32_t serial = 0; serial < 50; ++serial) {
          const std::uint32_t to = pattern->destination(node, serial, random);
          ASSERT_LT(to, topology.nodes()) << name;
          ASSERT_NE(to, node) << name;
          bool listed = pattern->uniform_share() > 0;
          for (const auto& flow : flows) listed = listed || flow.destination == to;
          ASSERT_TRUE(listed) << name;
        }
      }
    }
  }
}

TEST(Patterns, PermutationsHitEveryNodeOnce) {
  for (const char* shape : {"4x4x4", "5x3x2", "3x2x4x2x2"}) {
    const Topology topology(Shape::parse(shape));
    for (const char* name : {"complement", "transpose", "tornado"}) {
      const auto pattern = make_pattern(name, topology, {});
      std::vector<bool> hit(topology.nodes());
      std::uint64_t random = 1;
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
        const std::uint32_t to = pattern->destination(node, 0, random);
        EXPECT_FALSE(hit[to]) << name << " on " << shape;
        hit[to] = true;
      }
    }
  }
  EXPECT_THROW(make_pattern("diagonal", Topology(Shape::parse("2x2")), {}), std::invalid_argument);
}

TEST(Patterns, AllToAllVisitsEveryOtherNodeInTurn) {
  for (const char* shape : {"2x1x1", "3x1x1", "5x3x2", "4x4x4"}) {
    const Topology topology(Shape::parse(shape));
    const auto pattern = make_pattern("alltoall", topology, {});
    std::uint64_t random = 1;
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      std::vector<bool> hit(topology.nodes());
      for (std::uint32_t serial = 0; serial + 1 < topology.nodes(); ++serial) {
        const std::uint32_t to = pattern->destination(node, serial, random);
        ASSERT_FALSE(hit[to]);
        hit[to] = true;
      }
    }
  }
}

TEST(Histogram, PercentilesAgainstASortedList) {
  Histogram histogram;
  std::vector<std::uint64_t> values;
  std::uint64_t random = 11;
  for (unsigned i = 0; i < 20000; ++i) {
    values.push_back(next_random(random, i % 3 ? 900 : 300000));
    histogram.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double at : {0.01, 0.5, 0.6, 0.95, 0.99, 1.0}) {
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(std::ceil(at * 20000)) - 1]);
    const auto found = static_cast<double>(histogram.percentile(at));
    EXPECT_GE(found, exact);
    EXPECT_LE(found, exact < 1024 ? exact : exact * 1.002);
  }
  EXPECT_EQ(histogram.max(), values.back());
  EXPECT_EQ(Histogram().percentile(0.5), 0u);
}

TEST(Traffic, RefusesShapesOnWhichNobodySends) {
  const auto refusal = [](const char* pattern, const char* shape) -> std::string {
    TrafficConfig config(test::shipped_torus());
    config.shape = Shape::parse(shape);
    config.pattern = pattern;
    config.load = 0.1;
    config.measure = 100;
    try {
      run_traffic(config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("tornado", "2x2x2"),
            "traffic: no node of shape 2x2x2 sends; the pattern tornado needs a dimension of at least three nodes");
  EXPECT_EQ(refusal("tornado", "2x3x1"), "");
  EXPECT_EQ(refusal("transpose", "1x8x1"),
            "traffic: no node of shape 1x8x1 sends; the pattern transpose needs at least two dimensions of two nodes "
            "or more");
  EXPECT_EQ(refusal("transpose", "1x2x2"), "");
  for (const std::string& name : pattern_names()) {
    EXPECT_NE(refusal(name.c_str(), "1x1x1").find("needs " + pattern_needs(name)), std::string::npos) << name;
  }
  for (const char* name : {"uniform", "neighbour", "complement", "hotspot", "alltoall"}) {
    EXPECT_EQ(refusal(name, "1x2x1"), "") << name;
  }
}

TEST(Traffic, LightLoadHasNearlyTheIdleLatency) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("8x8x8");
  config.load = 0.002;
  config.measure = 400000;
  const TrafficResult result = run_traffic(config);
  const double mean_hops = 6.0 * 512 / 511;
  EXPECT_NEAR(result.hops_mean, mean_hops, 0.1);
  EXPECT_NEAR(result.latency_mean, 8 + result.hops_mean * 16 + 270 + 8, 4);
  EXPECT_EQ(result.latency_min, zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 1, 8).count());
  EXPECT_TRUE(result.drained);
}

TEST(Traffic, AcceptsWhatIsOfferedBelowSaturation) {
  for (const char* pattern : {"uniform", "neighbour", "complement", "tornado", "hotspot", "alltoall"}) {
    TrafficConfig config(test::shipped_torus());
    config.shape = Shape::parse("4x4x4");
    config.pattern = pattern;
    config.load = 0.5;
    const TrafficResult result = run_traffic(config);
    EXPECT_NEAR(result.offered_share, 0.5, 0.025) << pattern;
    EXPECT_NEAR(result.accepted_share, result.offered_share, 0.02) << pattern;
    EXPECT_TRUE(result.drained) << pattern;
    EXPECT_LE(result.link_load_max, 1.0);
  }
}

TEST(Traffic, UniformSaturatesJustBelowTheBisectionBound) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("8x8x8");
  config.load = 1.5;
  config.warm_up = 30000;
  config.measure = 60000;
  const TrafficResult result = run_traffic(config);
  EXPECT_GT(result.accepted_share, 0.8);
  EXPECT_LT(result.accepted_share, 1.0);
  EXPECT_TRUE(result.drained);
}

TEST(Traffic, EqualSeedsGiveEqualRuns) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("4x4x4");
  config.adaptive_share = 0.5;
  config.other_classes_share = 0.3;
  config.load = 0.9;
  config.sizes = {{8, 1}, {2, 1}};
  const TrafficResult first = run_traffic(config);
  const TrafficResult second = run_traffic(config);
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.wheel_events, second.wheel_events);
  config.seed = 2;
  EXPECT_NE(run_traffic(config).digest, first.digest);
}

/// All that a run says of the network; what it costs is left out.
void expect_equal(const TrafficResult& result, const TrafficResult& expected) {
  EXPECT_EQ(result.digest, expected.digest);
  EXPECT_EQ(result.cycles, expected.cycles);
  EXPECT_EQ(result.hops, expected.hops);
  EXPECT_EQ(result.delivered, expected.delivered);
  EXPECT_EQ(result.latency_mean, expected.latency_mean);
  EXPECT_EQ(result.latency_max, expected.latency_max);
  EXPECT_EQ(result.crc_errors, expected.crc_errors);
  EXPECT_EQ(result.retransmissions, expected.retransmissions);
  EXPECT_EQ(result.link_load_max, expected.link_load_max);
}

TEST(Traffic, NeitherTheOrderOfElaborationNorThatOfACyclesEventsChangesAnything) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("4x4x4");
  config.measure = 20000;
  config.adaptive_share = 0.7;
  config.other_classes_share = 0.2;
  config.sizes = {{1, 1}, {5, 1}, {8, 2}};
  for (const double load : {0.5, 1.2}) {
    for (const double errors : {0.0, 1e-5}) {
      config.load = load;
      config.torus.bit_error_rate = errors;
      config.elaboration_order = 0;
      const TrafficResult expected = run_traffic(config);
      ASSERT_TRUE(expected.drained);
      for (config.elaboration_order = 1; config.elaboration_order <= 3; ++config.elaboration_order) {
        SCOPED_TRACE("load " + std::to_string(load) + ", errors " + std::to_string(errors) + ", order " +
                     std::to_string(config.elaboration_order));
        expect_equal(run_traffic(config), expected);
      }
    }
  }
}

TEST(Traffic, EveryPacketOnceAndDeterministicOnesInOrder) {
  for (const char* shape : {"4x4x4", "5x4mx3", "3x3x2x2x2"}) {
    for (const double adaptive : {0.0, 0.5, 1.0}) {
      TrafficConfig config(test::shipped_torus());
      config.shape = Shape::parse(shape);
      config.adaptive_share = adaptive;
      config.other_classes_share = 0.2;
      config.sizes = {{8, 1}, {5, 1}, {1, 1}};
      config.load = 0.95;
      config.check = true;
      const TrafficResult result = run_traffic(config);
      EXPECT_TRUE(result.drained);
      EXPECT_EQ(result.generated, result.delivered);
      EXPECT_EQ(result.repeated + result.misdelivered + result.reordered, 0u) << shape << " " << adaptive;
    }
  }
}

TEST(Traffic, AdaptiveCarriesMoreThanDeterministic) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("8x8x8");
  config.load = 1.2;
  const double adaptive = run_traffic(config).accepted_share;
  config.adaptive_share = 0;
  EXPECT_LT(run_traffic(config).accepted_share, adaptive);
}

TEST(Traffic, MemoryOfARouterStaysSmall) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("8x8x8");
  EXPECT_LE(run_traffic(config).memory_per_router, 16 * 1024);
}

TEST(Traffic, RefusesWhatMakesNoSense) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse("2x2x2");
  config.load = -1;
  EXPECT_THROW(run_traffic(config), std::invalid_argument);
  config.load = 0.1;
  config.sizes = {{9, 1}};
  EXPECT_THROW(run_traffic(config), std::invalid_argument);
}

}  // namespace
}  // namespace toroid
