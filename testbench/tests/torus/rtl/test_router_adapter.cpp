// SPDX-License-Identifier: Apache-2.0
//
// The torus router in Verilog against the model: the same recorded traffic through networks of either, and of both.
#include <Vtorus_router.h>
#include <gtest/gtest.h>

#include "testbench/tests/torus/rtl/rtl_routers.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {
namespace {

using test::Injection;
using test::Mix;
using test::random_traffic;
using test::Recording;
using test::Replay;
using test::ReplayOptions;
using Routers = test::RtlRouters<Vtorus_router>;

bool every_other(std::uint32_t node) {
  return node % 2 == 1;
}

struct Where {
  const char* name;
  Routers::Choice choice;
};
const Where kPlaces[] = {
    {"one", [](std::uint32_t node) { return node == 1; }},
    {"every other", every_other},
    {"all", Routers::all},
};

/// Everything arrived, as it was sent, in order, and nobody complained.
void expect_sound(const Replay& replay, const Recording& recording, const Routers* routers) {
  if (routers != nullptr) {
    EXPECT_EQ(routers->fault(), "");
    EXPECT_EQ(routers->changed_bytes(), 0u);
  }
  EXPECT_TRUE(replay.drained()) << stuck_report(replay.network).text();
  for (const test::Arrival& a : replay.arrivals) EXPECT_TRUE(a.good) << "packet " << a.serial << " at node " << a.node;
  EXPECT_EQ(test::out_of_order(replay, recording), 0u);
}

/// Cycle of every arrival, by packet and node.
std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> times(const Replay& replay) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> all;
  for (const test::Arrival& a : replay.arrivals) all[{a.serial, a.node}] = a.at;
  return all;
}

/// A packet at a time, of every kind and size, between all pairs of nodes: `gap` cycles apart, longer than any takes.
Recording one_at_a_time(const std::string& shape, Cycle gap) {
  const Topology topology(Shape::parse(shape));
  Recording recording;
  for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
    for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
      if (from == to) continue;
      Injection p;
      const auto turn = static_cast<unsigned>(recording.size());
      p.at = (recording.size() + 1) * gap;
      p.node = from;
      p.destination = topology.coordinates(to);
      p.chunks = 1 + turn % BlueGeneLpFamily::kMaxChunks;
      p.group = turn / 3 % 2;
      p.dynamic = turn % 3 == 0;
      p.channel = p.dynamic       ? BlueGeneLpChannel::dynamic0
                  : turn % 3 == 1 ? BlueGeneLpChannel::bubble
                                  : BlueGeneLpChannel::priority;
      p.fifo = 4 * p.group + (turn % 3 == 2 ? 3 : turn % 3);
      recording.push_back(p);
    }
  }
  return recording;
}

TEST(RtlRouter, IsTheModelToTheCycleWithoutLoad) {
  for (const char* shape : {"4x3x2", "3x3mx2", "2x1x1"}) {
    const Recording recording = one_at_a_time(shape, 2000);
    Replay model(shape, recording, {});
    model.run();
    expect_sound(model, recording, nullptr);
    for (const Where& where : kPlaces) {
      SCOPED_TRACE(std::string(shape) + ", in Verilog: " + where.name);
      Routers routers(where.choice);
      Replay verilog(shape, recording, routers.in({}));
      verilog.run();
      expect_sound(verilog, recording, &routers);
      EXPECT_EQ(times(verilog), times(model));
    }
  }
}

TEST(RtlRouter, CopiesForTheDepositBitAtTheSameCycles) {
  const std::string shape = "5x4x2";
  const Topology topology(Shape::parse(shape));
  Recording recording;
  for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
    for (unsigned d = 0; d < 3; ++d) {
      for (const unsigned way : {1u, 2u}) {
        Injection p;
        p.at = Cycle{(recording.size() + 1) * 2000};
        p.node = from;
        p.destination = topology.coordinates(from);
        const unsigned extent = topology.extent(d);
        p.destination[d] = static_cast<std::uint8_t>((p.destination[d] + extent - 1) % extent);
        p.hints = static_cast<std::uint16_t>(way << 2 * d);
        p.chunks = 1 + static_cast<unsigned>(recording.size()) % BlueGeneLpFamily::kMaxChunks;
        p.deposit = true;
        recording.push_back(p);
      }
    }
  }
  Replay model(shape, recording, {});
  model.run();
  expect_sound(model, recording, nullptr);
  EXPECT_GT(model.network.copied(), 100u);
  for (const Where& where : kPlaces) {
    SCOPED_TRACE(where.name);
    Routers routers(where.choice);
    Replay verilog(shape, recording, routers.in({}));
    verilog.run();
    expect_sound(verilog, recording, &routers);
    EXPECT_EQ(times(verilog), times(model));
  }
}

/// Latencies may differ by so much, of the model's, where packets wait for each other: at random they are let go in
/// another order. Of the last of a hundred there are few.
constexpr double kTolerance = 0.05;
constexpr double kTailTolerance = 0.15;

void expect_alike(const std::string& shape, const Recording& recording, const ReplayOptions& options) {
  Replay model(shape, recording, options);
  model.run();
  expect_sound(model, recording, nullptr);
  for (const Where& where : kPlaces) {
    SCOPED_TRACE(std::string("in Verilog: ") + where.name);
    Routers routers(where.choice);
    Replay verilog(shape, recording, routers.in(options));
    verilog.run();
    expect_sound(verilog, recording, &routers);
    EXPECT_EQ(test::who_got_what(verilog), test::who_got_what(model));
    EXPECT_EQ(verilog.network.injected(), model.network.injected());
    EXPECT_EQ(verilog.network.received(), model.network.received());
    EXPECT_EQ(verilog.network.hops(), model.network.hops());
    for (const double share : {0.1, 0.5, 0.9, 0.99}) {
      const auto expected = static_cast<double>(test::latency_quantile(model, share));
      EXPECT_NEAR(static_cast<double>(test::latency_quantile(verilog, share)), expected,
                  (share > 0.9 ? kTailTolerance : kTolerance) * expected + 3)
          << "latency below which " << share << " lie";
    }
  }
}

Mix busy(std::uint64_t seed, Cycle gap) {
  Mix mix;
  mix.packets = 3000;
  mix.gap = gap;
  mix.deposit_share = 0.05;
  mix.seed = seed;
  return mix;
}

TEST(RtlRouter, IsAlikeUnderLightLoad) {
  expect_alike("4x4x2", random_traffic("4x4x2", busy(1, 800)), {});
}

TEST(RtlRouter, IsAlikeUnderHeavyLoad) {
  expect_alike("4x4x2", random_traffic("4x4x2", busy(2, 120)), {});
}

TEST(RtlRouter, IsAlikeOnAMesh) {
  expect_alike("4mx4x2m",
               random_traffic("4mx4x2m",
                              [] {
                                Mix mix = busy(3, 300);
                                mix.deposit_share = 0;
                                return mix;
                              }()),
               {});
}

TEST(RtlRouter, IsAlikeWhereReadersStall) {
  ReplayOptions options;
  options.longest_stall = 4000;
  expect_alike("4x2x2", random_traffic("4x2x2", busy(4, 400)), options);
}

TEST(RtlRouter, IsAlikeWhereLinksMakeErrors) {
  ReplayOptions options;
  options.torus.bit_error_rate = 2e-5;
  expect_alike("4x2x2", random_traffic("4x2x2", busy(5, 500)), options);
}

TEST(RtlRouter, KeepsMovingAtFullLoadOnTheSmallestBuffers) {
  // Packets from everywhere at once, all deterministic or able to fall back to it, with room for two in each queue.
  ReplayOptions options;
  options.torus.buffer_chunks = 16;
  options.torus.reception_depth = 8;
  options.torus.stuck_after = 100000;
  Mix mix = busy(6, 0);
  mix.packets = 4000;
  mix.deposit_share = 0;
  const Recording recording = random_traffic("4x4x2", mix);
  Routers routers;
  Replay verilog("4x4x2", recording, routers.in(options));
  verilog.run();
  expect_sound(verilog, recording, &routers);
}

}  // namespace
}  // namespace toroid
