// SPDX-License-Identifier: Apache-2.0
//
// Links in Verilog against the model: the same recorded traffic, with the same errors, through networks of either.
#include <Vlink_pair.h>
#include <Vlink_pair_accepts_all.h>
#include <Vlink_pair_any_order.h>
#include <Vlink_pair_no_time_out.h>
#include <Vtorus_router.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>

#include "testbench/shipped.h"
#include "testbench/tests/torus/rtl/rtl_links.h"
#include "testbench/tests/torus/rtl/rtl_routers.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/latency.h"

namespace toroid {
namespace {

using test::Injection;
using test::Mix;
using test::random_traffic;
using test::Recording;
using test::Replay;
using test::ReplayOptions;
using Links = test::RtlLinks<Vlink_pair>;

struct Where {
  const char* name;
  Links::Choice choice;
};
const Where kPlaces[] = {
    {"one", [](std::uint32_t node, unsigned direction) { return node == 0 && direction == 0; }},
    {"every other", [](std::uint32_t node, unsigned direction) { return (node + direction) % 2 == 1; }},
    {"all", Links::all},
};

/// Everything arrived, once, as it was sent, in order, and nobody complained.
void expect_sound(const Replay& replay, const Recording& recording) {
  EXPECT_TRUE(replay.drained()) << stuck_report(replay.network).text();
  EXPECT_EQ(replay.arrivals.size(), recording.size());
  for (const test::Arrival& a : replay.arrivals) EXPECT_TRUE(a.good) << "packet " << a.serial << " at node " << a.node;
  EXPECT_EQ(test::out_of_order(replay, recording), 0u);
}

std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> times(const Replay& replay) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> all;
  for (const test::Arrival& a : replay.arrivals) all[{a.serial, a.node}] = a.at;
  return all;
}

LinkCounters totals(const TorusNetwork& network) {
  LinkCounters sum;
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
    for (unsigned d = 0; d < network.topology().directions(); ++d) {
      const LinkCounters link = network.link(node, static_cast<Direction>(d));
      sum.packets += link.packets;
      sum.busy_cycles += link.busy_cycles;
      sum.retransmissions += link.retransmissions;
      sum.crc_errors += link.crc_errors;
      sum.undetected += link.undetected;
    }
  }
  return sum;
}

/// The same in model and Verilog, to the cycle.
void expect_equal(const Replay& model, const Replay& rtl) {
  const LinkCounters a = totals(model.network);
  const LinkCounters b = totals(rtl.network);
  EXPECT_EQ(a.crc_errors, b.crc_errors);
  EXPECT_EQ(a.retransmissions, b.retransmissions);
  EXPECT_EQ(a.undetected, b.undetected);
  EXPECT_EQ(a.packets, b.packets);
  EXPECT_EQ(a.busy_cycles, b.busy_cycles);
  const auto expected = times(model);
  const auto seen = times(rtl);
  unsigned different = 0;
  Cycle first = kNever;
  for (const auto& [packet, at] : expected) {
    const auto found = seen.find(packet);
    if (found != seen.end() && found->second == at) continue;
    ++different;
    first = std::min(first, at);
  }
  EXPECT_EQ(different, 0u) << "of " << expected.size() << " packets, the first of them at cycle " << first;
  for (std::uint32_t node = 0; node < model.network.topology().nodes(); ++node) {
    for (unsigned d = 0; d < model.network.topology().directions(); ++d) {
      const auto direction = static_cast<Direction>(d);
      if (model.network.config().bit_error_rate == 0) continue;
      EXPECT_EQ(model.network.sender_crc(node, direction), rtl.network.sender_crc(node, direction));
      EXPECT_EQ(model.network.receiver_crc(node, direction), rtl.network.receiver_crc(node, direction));
      EXPECT_EQ(model.network.resend_begin(node, direction), rtl.network.resend_begin(node, direction));
      EXPECT_EQ(model.network.resend_end(node, direction), rtl.network.resend_end(node, direction));
    }
  }
}

struct Compared {
  Compared(const std::string& shape, const Recording& recording, const ReplayOptions& options, Links::Choice choice)
      : links(std::move(choice)), model(shape, recording, options), rtl(shape, recording, links.in(options)) {
    model.run();
    rtl.run();
    EXPECT_EQ(links.fault(), "");
    EXPECT_EQ(links.changed_bytes(), 0u);
    expect_sound(model, recording);
    expect_sound(rtl, recording);
    expect_equal(model, rtl);
  }
  Links links;
  Replay model;
  Replay rtl;
};

TEST(RtlLinks, ZeroLoadLatencyIsTheModels) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    for (unsigned hops = 1; hops <= 3; ++hops) {
      test::Bench bench("7x1x1");
      Links links;
      links.install(bench.network);
      Packet& p = bench.packet({static_cast<std::uint8_t>(hops), 0, 0}, true);
      p.chunks = static_cast<std::uint8_t>(chunks);
      std::fill_n(p.data, BlueGeneLpFamily::kMaxPacketBytes, std::uint8_t{7});
      bench.devices[0]->send(p);
      bench.run(1000);
      ASSERT_EQ(bench.deliveries.size(), 1u) << links.fault();
      EXPECT_EQ(bench.deliveries[0].at, zero_load_latency(bench.network.config(), kBlueGeneLpRouters, hops, chunks));
      EXPECT_EQ(links.fault(), "");
      // From its grant to its acknowledgement: W + 29 cycles on each link.
      EXPECT_EQ(links.clock_cycles(), hops * (32 * chunks + 14 + 29));
    }
  }
}

TEST(RtlLinks, TrafficIsTheModelsToTheCycle) {
  for (const double rate : {0.0, 1e-5, 1e-4}) {
    for (const Where& where : kPlaces) {
      SCOPED_TRACE(where.name + std::string(" at ") + std::to_string(rate));
      ReplayOptions options;
      options.torus.bit_error_rate = rate;
      Mix mix;
      mix.packets = 3000;
      mix.gap = 200;
      const Recording recording = random_traffic("3x3x2", mix);
      const Compared compared("3x3x2", recording, options, where.choice);
      EXPECT_GE(totals(compared.rtl.network).retransmissions, rate > 0 ? 10u : 0u);
    }
  }
}

TEST(RtlLinks, UnderFullLoadAndStallsItIsTheModelsToTheCycle) {
  for (const double rate : {0.0, 1e-5, 1e-4}) {
    for (const Where& where : kPlaces) {
      SCOPED_TRACE(where.name + std::string(" at ") + std::to_string(rate));
      ReplayOptions options;
      options.torus.bit_error_rate = rate;
      options.longest_stall = 500;
      options.seed = 5;
      Mix mix;
      mix.packets = 3000;
      mix.gap = 0;
      const Recording recording = random_traffic("4x2x2", mix);
      const Compared compared("4x2x2", recording, options, where.choice);
    }
  }
}

/// One link that is used hard: 1,200 packets of all sizes, so that sequence numbers wrap several times.
Recording one_way(unsigned packets) {
  Recording recording;
  for (unsigned i = 0; i < packets; ++i) {
    Injection p;
    p.at = Cycle{1 + i * 20};
    p.destination = {1, 0, 0};
    p.chunks = 1 + i * 5 % 8;
    p.fifo = i % 3;
    recording.push_back(p);
  }
  return recording;
}

TEST(RtlLinks, BadLinksWithSmallWindowsAndTimeOutsAreTheModelsToTheCycle) {
  struct Case {
    double rate;
    unsigned window;
    unsigned timeout;
  };
  const Case cases[] = {{1e-3, 1, 600}, {1e-3, 2, 600}, {1e-4, 8, 100}, {3e-4, 8, 600}, {5e-4, 8, 30},
                        {5e-4, 3, 29},  {1e-4, 4, 1},   {1e-4, 5, 10},  {3e-4, 8, 5000}};
  for (const Case& c : cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("rate " + std::to_string(c.rate) + ", window " + std::to_string(c.window) + ", time-out " +
                   std::to_string(c.timeout) + ", seed " + std::to_string(seed));
      ReplayOptions options;
      options.torus.bit_error_rate = c.rate;
      options.torus.resend_packets = c.window;
      options.torus.retransmit_timeout = c.timeout;
      options.seed = seed;
      options.limit = 200000000;
      options.torus.stuck_after = options.limit;
      const Compared compared("3x1x1", one_way(1200), options, Links::all);
      EXPECT_GT(totals(compared.rtl.network).retransmissions, 100u);
      EXPECT_EQ(compared.rtl.network.resend_end(0, 0), 1200 % 256);
      if (HasFailure()) return;
    }
  }
}

TEST(RtlLinks, SeedAfterSeedItIsTheModelsToTheCycle) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    ReplayOptions options;
    options.torus.bit_error_rate = 2e-4;
    options.longest_stall = 50;
    options.seed = seed;
    Mix mix;
    mix.packets = 1500;
    mix.gap = 150;
    mix.seed = seed;
    const Recording recording = random_traffic("3x3x2", mix);
    const Compared compared("3x3x2", recording, options, Links::all);
    if (HasFailure()) return;
  }
}

TEST(RtlLinks, ATimeOutMayBeChangedWhilePacketsAreUnderWay) {
  for (const bool rtl : {false, true}) {
    TorusConfig config = test::shipped_torus();
    config.bit_error_rate = 0.5;  // nothing gets through
    config.retransmit_timeout = 60000;
    test::Bench bench("3x3x1", config);
    Links links;
    if (rtl) links.install(bench.network);
    bench.devices[0]->send(bench.packet({1, 0, 0}));
    const auto sent_again_in = [&](Cycle cycles) {
      const std::uint64_t before = bench.network.link(0, 0).retransmissions;
      bench.run(cycles);
      return bench.network.link(0, 0).retransmissions - before;
    };
    EXPECT_EQ(sent_again_in(1100), 0u);
    bench.network.set_retransmit_timeout(0, 0, 200);
    EXPECT_EQ(bench.network.retransmit_timeout(0, 0), 200u);
    EXPECT_EQ(sent_again_in(10), 1u) << "it has waited longer than that";
    EXPECT_EQ(sent_again_in(20 * 246), 20u);
    bench.network.set_retransmit_timeout(0, 0, 60000);
    EXPECT_EQ(sent_again_in(50000), 0u);
    EXPECT_EQ(sent_again_in(10100), 1u);
    EXPECT_EQ(links.fault(), "");
    EXPECT_EQ(bench.network.router(0).output(0).link->unaccepted().size(), 1u);
  }
}

TEST(RtlLinks, AnIdleLinkIsNotClocked) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-9;
  test::Bench bench("4x1x1", config);
  Links links;
  links.install(bench.network);
  bench.devices[0]->send(bench.packet({2, 0, 0}));
  bench.run(5000);
  const std::uint64_t clocked = links.clock_cycles();
  EXPECT_EQ(clocked, 2u * (32 + 14 + 29));
  const std::uint64_t events = bench.wheel.events();
  bench.run(1000000);
  EXPECT_EQ(links.clock_cycles(), clocked);
  EXPECT_LE(bench.wheel.events() - events, 2u) << "time-outs that find nothing";
}

/// Routers in Verilog with wires of the model, or links in Verilog, between them.
struct WithRouters {
  WithRouters(const std::string& shape, const Recording& recording, ReplayOptions options,
              test::RtlRouters<Vtorus_router>::Choice some_routers, bool with_links)
      : routers(std::move(some_routers)) {
    options.install = [this, with_links](TorusNetwork& network) {
      if (with_links) links.install(network);
      routers.install(network);
    };
    options.failed = [this] { return !routers.fault().empty() || !links.fault().empty(); };
    replay = std::make_unique<Replay>(shape, recording, options);
    replay->run();
    EXPECT_EQ(links.fault(), "");
    EXPECT_EQ(routers.fault(), "");
    EXPECT_EQ(links.changed_bytes() + routers.changed_bytes(), 0u);
    expect_sound(*replay, recording);
  }
  Links links;
  test::RtlRouters<Vtorus_router> routers;
  std::unique_ptr<Replay> replay;
};

const test::RtlRouters<Vtorus_router>::Choice kRouters[] = {test::RtlRouters<Vtorus_router>::all,
                                                            [](std::uint32_t node) { return node % 2 == 1; }};

TEST(RtlLinks, BetweenRoutersInVerilogTheyCostNoCycle) {
  Recording recording;
  const Topology topology(Shape::parse("3x2x2"));
  for (std::uint32_t to = 1; to < topology.nodes(); ++to) {
    for (unsigned chunks = 1; chunks <= 8; ++chunks) {
      Injection p;
      p.at = Cycle{1000 * (recording.size() + 1)};
      p.destination = topology.coordinates(to);
      p.chunks = chunks;
      p.dynamic = chunks % 2 == 0;
      p.channel = p.dynamic ? BlueGeneLpChannel::dynamic0 : BlueGeneLpChannel::bubble;
      recording.push_back(p);
    }
  }
  Replay model("3x2x2", recording, {});
  model.run();
  for (const auto& choice : kRouters) {
    const WithRouters rtl("3x2x2", recording, {}, choice, true);
    EXPECT_EQ(times(*rtl.replay), times(model));
  }
}

TEST(RtlLinks, BetweenRoutersInVerilogTheyLoseRepeatAndReorderNothing) {
  for (const double rate : {0.0, 1e-5, 1e-4, 3e-4}) {
    for (const auto& choice : kRouters) {
      SCOPED_TRACE(rate);
      ReplayOptions options;
      options.torus.bit_error_rate = rate;
      options.longest_stall = 100;
      options.seed = 3;
      Mix mix;
      mix.packets = 800;
      mix.gap = 300;
      const Recording recording = random_traffic("3x3x2", mix);
      const WithRouters with_model("3x3x2", recording, options, choice, false);
      const WithRouters with_rtl("3x3x2", recording, options, choice, true);
      const auto mean = [](const Replay& replay) {
        double sum = 0;
        for (const test::Arrival& a : replay.arrivals) sum += static_cast<double>(a.latency());
        return sum / static_cast<double>(replay.arrivals.size());
      };
      if (rate == 0) {
        EXPECT_EQ(times(*with_rtl.replay), times(*with_model.replay));
      } else {
        // Which frames are hit differs from the first time-out on: so does how long packets wait for them.
        EXPECT_GT(totals(with_rtl.replay->network).retransmissions, 10u);
        EXPECT_NEAR(mean(*with_rtl.replay), mean(*with_model.replay), 0.2 * mean(*with_model.replay));
      }
    }
  }
}

// Defects planted into copies of the Verilog, and what becomes of traffic over them.

template <class Model>
struct Planted {
  explicit Planted(double rate) {
    ReplayOptions options;
    options.torus.bit_error_rate = rate;
    options.torus.stuck_after = 200000;
    replay = std::make_unique<Replay>("3x1x1", recording, links.in(options));
    replay->run();
  }
  unsigned spoilt() const {
    return static_cast<unsigned>(std::count_if(replay->arrivals.begin(), replay->arrivals.end(),
                                               [](const test::Arrival& a) { return !a.good; }));
  }
  const Recording recording = one_way(1200);
  test::RtlLinks<Model> links;
  std::unique_ptr<Replay> replay;
};

TEST(RtlLinksDefects, TheOriginalHasNone) {
  const Planted<Vlink_pair> planted(2e-4);
  EXPECT_EQ(planted.links.fault(), "");
  EXPECT_TRUE(planted.replay->drained());
  EXPECT_EQ(planted.spoilt(), 0u);
  EXPECT_EQ(totals(planted.replay->network).undetected, 0u);
}

TEST(RtlLinksDefects, CrcIgnored) {
  const Planted<Vlink_pair_accepts_all> planted(2e-4);
  EXPECT_GT(planted.spoilt(), 50u) << "software sees what the Verilog let through";
  EXPECT_GT(totals(planted.replay->network).undetected, 50u);
}

TEST(RtlLinksDefects, NoTimeOut) {
  const Planted<Vlink_pair_no_time_out> planted(2e-4);
  EXPECT_FALSE(planted.replay->drained());
  EXPECT_TRUE(planted.replay->network.progress().stuck());
  EXPECT_LT(planted.replay->arrivals.size(), planted.recording.size());
}

TEST(RtlLinksDefects, NoSequenceCheck) {
  const Planted<Vlink_pair_any_order> planted(2e-4);
  EXPECT_NE(planted.links.fault().find("link@0.0, network cycle "), std::string::npos) << planted.links.fault();
  EXPECT_NE(planted.links.fault().find(" for the one expected, which is "), std::string::npos) << planted.links.fault();
  EXPECT_FALSE(planted.replay->drained());
}

TEST(RtlLinks, Cost) {
  Mix mix;
  mix.packets = 4000;
  mix.gap = 0;
  const Recording recording = random_traffic("4x2x2", mix);
  ReplayOptions options;
  options.torus.bit_error_rate = 1e-12;
  const auto seconds = [](Replay& replay) {
    const std::clock_t start = std::clock();
    replay.run();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  Links links;
  Replay model("4x2x2", recording, options);
  Replay rtl("4x2x2", recording, links.in(options));
  const double with_model = seconds(model);
  const double with_rtl = seconds(rtl);
  EXPECT_EQ(links.fault(), "");
  std::printf("%llu hops: model %.3f s, all links in Verilog %.3f s of processor time, %llu clocks, %.0f ns each\n",
              static_cast<unsigned long long>(rtl.network.hops()), with_model, with_rtl,
              static_cast<unsigned long long>(links.clock_cycles()),
              (with_rtl - with_model) * 1e9 / static_cast<double>(links.clock_cycles()));
}

}  // namespace
}  // namespace toroid
