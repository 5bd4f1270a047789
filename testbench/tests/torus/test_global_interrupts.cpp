// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "testbench/shipped.h"
#include "torus/barrier/barrier_latency.h"
#include "torus/barrier/global_interrupts.h"

namespace toroid {
namespace {

constexpr std::uint32_t kNodesPerIoNode = 64;

struct Seen {
  Cycle at;
  unsigned channel;
  bool level;
};

struct Port final : GlobalInterruptPort {
  Wheel* wheel = nullptr;
  std::vector<Seen> seen;
  void level_received(unsigned channel, bool level) override { seen.push_back({wheel->now(), channel, level}); }
};

struct Scene {
  explicit Scene(const char* shape, const GlobalInterruptConfig& config_in = test::shipped<GlobalInterruptConfig>())
      : config(config_in),
        tree(Topology(Shape::parse(shape)), kNodesPerIoNode),
        network(wheel, config, tree),
        ports(tree.nodes()) {
    for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
      ports[node].wheel = &wheel;
      network.attach(node, ports[node]);
    }
  }
  Cycle latency(std::uint32_t from, std::uint32_t to) const {
    return GlobalInterrupts::latency(config, tree.depth(from), tree.depth(to));
  }

  GlobalInterruptConfig config = test::shipped<GlobalInterruptConfig>();
  Wheel wheel;
  TreeTopology tree;
  GlobalInterrupts network;
  std::vector<Port> ports;
};

TEST(GlobalInterrupts, ALevelReachesEveryoneInTheCyclesOfItsWay) {
  for (const GlobalInterruptConfig& config :
       {test::shipped<GlobalInterruptConfig>(), GlobalInterruptConfig{1, 2}, {7, 5}}) {
    Scene scene("8x8x4", config);
    scene.network.start();
    scene.wheel.run_until(100);
    const std::uint32_t sender = 77;
    scene.network.send(sender, 2, true);
    scene.wheel.run_events(kNever);
    for (std::uint32_t node = 0; node < scene.tree.nodes(); ++node) {
      ASSERT_EQ(scene.ports[node].seen.size(), 1u) << node;
      const Seen& seen = scene.ports[node].seen.front();
      EXPECT_EQ(seen.at, 100 + scene.latency(sender, node)) << node;
      EXPECT_EQ(seen.channel, 2u);
      EXPECT_TRUE(seen.level);
    }
  }
}

TEST(GlobalInterrupts, AllThatFallTogetherAreSeenWhenTheFurthestHasCome) {
  Scene scene("4x4x4");
  for (std::uint32_t node = 0; node < scene.tree.compute_nodes(); ++node) scene.network.send(node, 0, true);
  scene.network.start();
  EXPECT_TRUE(scene.network.received(5, 0));
  EXPECT_FALSE(scene.network.received(5, 1));
  for (std::uint32_t node = 0; node < scene.tree.compute_nodes(); ++node) scene.network.send(node, 0, false);
  scene.wheel.run_events(kNever);
  for (std::uint32_t node = 0; node < scene.tree.nodes(); ++node) {
    ASSERT_EQ(scene.ports[node].seen.size(), 1u);
    EXPECT_EQ(scene.ports[node].seen.front().at,
              GlobalInterrupts::latency(scene.config, scene.tree.depth(), scene.tree.depth(node)));
  }
}

TEST(GlobalInterrupts, CarriesTheOrOfWhatAllSend) {
  Scene scene("5x3x2");
  std::mt19937 random(1);
  std::vector<std::array<bool, GlobalInterrupts::kChannels>> sent(scene.tree.nodes());
  const auto expect = [&] {
    for (unsigned channel = 0; channel < GlobalInterrupts::kChannels; ++channel) {
      const bool any = std::any_of(sent.begin(), sent.end(), [channel](const auto& node) { return node[channel]; });
      for (std::uint32_t node = 0; node < scene.tree.nodes(); ++node)
        ASSERT_EQ(scene.network.received(node, channel), any) << node << " channel " << channel;
    }
  };
  const auto change = [&] {
    const std::uint32_t node = random() % scene.tree.nodes();
    const unsigned channel = random() % GlobalInterrupts::kChannels;
    // Mostly 0, so that the OR changes often.
    sent[node][channel] = random() % 32 == 0;
    scene.network.send(node, channel, sent[node][channel]);
  };
  for (unsigned i = 0; i < 40; ++i) change();
  scene.network.start();
  expect();
  for (unsigned round = 0; round < 400; ++round) {
    for (unsigned i = 0; i < 6; ++i) {
      change();
      if (random() % 2 == 0) scene.wheel.run_until(scene.wheel.now() + Cycle{random() % 30});
    }
    scene.wheel.run_events(kNever);
    expect();
  }
  EXPECT_GT(scene.network.receptions(), 1000u);
}

TEST(GlobalInterrupts, OneThatRisesAsAnotherFallsLeavesNoTrace) {
  // Whatever the order in which the two are told.
  for (const bool rise_first : {false, true}) {
    Scene scene("4x4x4");
    std::vector<std::uint32_t> deepest;
    for (std::uint32_t node = 0; node < scene.tree.nodes(); ++node) {
      if (scene.tree.depth(node) == scene.tree.depth()) deepest.push_back(node);
    }
    const std::uint32_t falls = deepest.front(), rises = deepest.back();
    scene.network.send(falls, 3, true);
    scene.network.start();
    if (rise_first) scene.network.send(rises, 3, true);
    scene.network.send(falls, 3, false);
    if (!rise_first) scene.network.send(rises, 3, true);
    scene.wheel.run_events(kNever);
    for (const Port& port : scene.ports) EXPECT_TRUE(port.seen.empty());
    EXPECT_TRUE(scene.network.received(0, 3));
  }
}

TEST(GlobalInterrupts, ShortLevelsKeepTheirLength) {
  Scene scene("4x4x2");
  scene.network.start();
  scene.network.send(3, 1, true);
  scene.wheel.run_until(7);
  scene.network.send(3, 1, false);
  scene.wheel.run_events(kNever);
  for (const Port& port : scene.ports) {
    ASSERT_EQ(port.seen.size(), 2u);
    EXPECT_EQ(port.seen[1].at - port.seen[0].at, 7u);
  }
}

TEST(GlobalInterrupts, ABarrierIsThereAndBackFromTheFurthestNode) {
  for (const char* shape : {"1x1x1", "4x4x4", "5x3x2", "16x16x16"}) {
    const TreeTopology tree(Topology(Shape::parse(shape)), kNodesPerIoNode);
    unsigned deepest = 0;
    for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) deepest = std::max(deepest, tree.depth(node));
    const auto shipped = test::shipped<GlobalInterruptConfig>();
    EXPECT_EQ(measure_barrier(shipped, tree), GlobalInterrupts::latency(shipped, deepest, deepest)) << shape;
    EXPECT_EQ(measure_barrier({5, 3}, tree), GlobalInterrupts::latency({5, 3}, deepest, deepest)) << shape;
  }
}

TEST(GlobalInterrupts, RefusesToBeInTwoPlacesAtOnce) {
  EXPECT_THROW(GlobalInterruptConfig({0, 4}).validate(), std::invalid_argument);
  EXPECT_THROW(GlobalInterruptConfig({2, 1}).validate(), std::invalid_argument);
}

}  // namespace
}  // namespace toroid
