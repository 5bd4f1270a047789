// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {
namespace {

using test::Bench;

TEST(Progress, ReportsWhatWaitsWhereWhenADeviceNeverReads) {
  TorusConfig config = test::shipped_torus();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  bench.devices[2]->reads = false;
  bench.send_full(0, {2, 0, 0}, 20);
  unsigned calls = 0;
  bench.network.progress().set_on_stuck([&] { ++calls; });
  bench.run(100000);
  EXPECT_EQ(calls, 1u);
  ASSERT_TRUE(bench.network.progress().stuck());
  const StuckReport report = stuck_report(bench.network);
  EXPECT_EQ(report.in_flight, bench.network.in_flight());
  EXPECT_EQ(report.packets.size(), report.in_flight);
  bool blocked_head = false;
  bool injection = false;
  for (const WaitingPacket& p : report.packets) {
    EXPECT_EQ(p.source, 0u);
    EXPECT_EQ(p.chunks, 8u);
    EXPECT_GT(p.age, 5000u);
    if (p.where == WaitingPacket::Where::injection) {
      injection = true;
      EXPECT_EQ(p.router, 0u);
      ASSERT_EQ(p.ways.size(), 1u);
      EXPECT_EQ(p.ways[0].direction, 0u);
    }
    if (p.router == 2 && p.position == 0) {
      blocked_head = true;
      EXPECT_TRUE(p.arrived);
      EXPECT_EQ(p.reception_fifo, 1u);
      EXPECT_EQ(p.reception_tokens, 0u);
      EXPECT_EQ(p.channel, BlueGeneLpChannel::bubble);
    }
  }
  EXPECT_TRUE(blocked_head);
  EXPECT_TRUE(injection);
  const std::string text = report.text();
  EXPECT_NE(text.find("node 2, from 0- BN: packet 4 of node 0 to (2,0,0), 8 chunks"), std::string::npos) << text;
  EXPECT_NE(text.find("waits for reception FIFO 1 (0 chunks free)"), std::string::npos) << text;
  EXPECT_NE(text.find("may go 0+ (tokens D0 32 D1 32 BN 8 BP 32)"), std::string::npos) << text;
}

TEST(Progress, MovesOnWhenTheReaderComesBack) {
  TorusConfig config = test::shipped_torus();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  bench.devices[1]->reads = false;
  bench.send_full(0, {1, 0, 0}, 10);
  bench.run(20000);
  ASSERT_TRUE(bench.network.progress().stuck());
  bench.devices[1]->reads = true;
  bench.network.router(1).return_tokens(1, 32, bench.wheel.now() + 1);
  bench.run(20000);
  EXPECT_EQ(bench.deliveries.size(), 10u);
  EXPECT_FALSE(bench.network.progress().stuck());
}

TEST(Progress, WatchesOnAfterItHasReported) {
  TorusConfig config = test::shipped_torus();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  unsigned calls = 0;
  bench.network.progress().set_on_stuck([&] { ++calls; });
  bench.devices[1]->reads = false;
  bench.send_full(0, {1, 0, 0}, 6);
  bench.run(20000);
  ASSERT_EQ(calls, 1u);
  bench.network.router(1).return_tokens(1, 8, bench.wheel.now() + 1);  // one more packet, then stuck again
  bench.run(1000);
  EXPECT_FALSE(bench.network.progress().stuck());
  bench.run(20000);
  EXPECT_TRUE(bench.network.progress().stuck());
  EXPECT_EQ(calls, 2u);
}

TEST(Progress, AnIdleOrBusyNetworkIsNotStuck) {
  TorusConfig config = test::shipped_torus();
  config.stuck_after = 500;
  Bench bench("4x4x4", config);
  bench.run(100000);
  EXPECT_FALSE(bench.network.progress().stuck());
  for (unsigned i = 0; i < 100; ++i) bench.devices[0]->send(bench.packet({2, 0, 0}));
  for (unsigned i = 0; i < 100; ++i) {
    bench.run(100);
    ASSERT_FALSE(bench.network.progress().stuck());
  }
  EXPECT_EQ(bench.deliveries.size(), 100u);
  EXPECT_TRUE(stuck_report(bench.network).packets.empty());
}

TEST(Progress, AStoppedSenderShowsInTheReport) {
  Bench bench("4x4x4");
  bench.network.set_stopped(0, 0, true);
  bench.devices[0]->send(bench.packet({1, 0, 0}));
  bench.run(1000);
  EXPECT_NE(stuck_report(bench.network).text().find(", stopped)"), std::string::npos);
}

}  // namespace
}  // namespace toroid
