// SPDX-License-Identifier: Apache-2.0
// Global interrupts by class: levels combined over routes, routes that change, barriers, times.
#include <gtest/gtest.h>

#include "testbench/shipped.h"
#include "torus/base/random.h"
#include "torus/collective/global_interrupts.h"

namespace toroid {
namespace {

struct InterruptBench {
  explicit InterruptBench(const std::string& shape)
      : topology(Shape::parse(shape)), classes(wheel, test::shipped<GlobalInterruptConfig>("bgq"), topology) {}
  Box all() const {
    Box box;
    for (unsigned d = 0; d < topology.dimensions(); ++d)
      box.high[d] = static_cast<std::uint8_t>(topology.extent(d) - 1);
    return box;
  }
  void run(Cycle cycles = Cycle{2000}) { wheel.run_until(wheel.now() + cycles); }
  Wheel wheel;
  Topology topology;
  InterruptClasses classes;
};

TEST(InterruptClasses, StatusIsTheOrOverThoseWhoTakePart) {
  InterruptBench bench("4x2x2x2x2");
  const std::vector<std::uint32_t> participants{0, 3, 17, 40};
  bench.classes.set_routes(
      4, spanning_routes(bench.topology, bench.all(), {1, 1, 0, 0, 0}, ClassType::user_world, participants));
  std::uint64_t random = 2;
  std::map<std::uint32_t, unsigned> bits;
  for (unsigned i = 0; i < 60; ++i) {
    const std::uint32_t node = participants[next_random(random, 4)];
    bits[node] = next_random(random, 8);
    bench.classes.write(node, 4, bits[node]);
    bench.classes.write(5, 4, 7);  // takes no part
    bench.run();
    unsigned expected = 0;
    for (const auto& [each, its] : bits) expected |= its;
    for (const std::uint32_t each : participants) {
      ASSERT_EQ(bench.classes.status(each, 4), expected);
      ASSERT_EQ(bench.classes.control(each, 4), bits[each]);
    }
    EXPECT_EQ(bench.classes.status(0, 5), 0u);  // another class
  }
}

/// The barrier of the machine's software: states 4, 2, 1; done when no node is in the state before any more.
TEST(InterruptClasses, ABarrierHoldsAllUntilTheLast) {
  InterruptBench bench("4x4x2x2x2");
  bench.classes.set_routes(0, spanning_routes(bench.topology, bench.all(), {0, 0, 0, 0, 0}, ClassType::user_world));
  const std::uint32_t nodes = bench.topology.nodes();
  for (std::uint32_t node = 0; node < nodes; ++node) bench.classes.write(node, 0, 4);
  bench.run();
  unsigned state = 4;
  for (unsigned round = 0; round < 7; ++round) {
    const unsigned next = state == 4 ? 2 : state == 2 ? 1 : 4;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      for (std::uint32_t node = 0; node < nodes; ++node) ASSERT_NE(bench.classes.status(node, 0) & state, 0u);
      bench.classes.write((i * 5 + round) % nodes, 0, next);
      bench.run();
    }
    for (std::uint32_t node = 0; node < nodes; ++node) ASSERT_EQ(bench.classes.status(node, 0) & state, 0u);
    state = next;
  }
}

/// Nodes get routes one after the other, some of them with control bits already; at the end all see what they would had
/// all been there from the start.
TEST(InterruptClasses, RoutesOfOneNodeAfterTheOther) {
  InterruptBench bench("4x2x2x1x2");
  const std::uint32_t nodes = bench.topology.nodes();
  const auto routes = spanning_routes(bench.topology, bench.all(), {2, 1, 1, 0, 1}, ClassType::user_world);
  std::uint64_t random = 7;
  unsigned expected = 0;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t node = (i * 5 + 3) % nodes;
    const unsigned bits = i % 7 == 0 ? 1u << next_random(random, 3) : 0;
    if (i % 2 == 0) bench.classes.write(node, 2, bits);
    bench.classes.set_route(node, 2, routes[node]);
    if (i % 2 != 0) bench.classes.write(node, 2, bits);
    expected |= bits;
    bench.run(Cycle{next_random(random, 60)});
  }
  bench.run();
  for (std::uint32_t node = 0; node < nodes; ++node) ASSERT_EQ(bench.classes.status(node, 2), expected) << node;
}

/// Routes change at random while levels travel. When all has come to rest, a node sees the OR over those it is joined
/// to.
TEST(InterruptClasses, RoutesThatChangeWhileLevelsTravel) {
  InterruptBench bench("4x2x1x1x2");
  const Topology& topology = bench.topology;
  const std::uint32_t nodes = topology.nodes();
  std::vector<ClassRoute> routes(nodes);
  std::vector<unsigned> bits(nodes);
  std::uint64_t random = 3;
  for (unsigned round = 0; round < 300; ++round) {
    for (unsigned change = next_random(random, 6); change != 0; --change) {
      const std::uint32_t node = next_random(random, nodes);
      const Coordinates at = topology.coordinates(node);
      // Towards lower coordinates alone: no circles.
      const unsigned d = next_random(random, 5);
      routes[node].output = at[d] == 0 ? 0 : ClassRoute::bit(static_cast<Direction>(2 * d + 1));
      routes[node].input = static_cast<std::uint16_t>(next_random(random, 8) == 0 ? 0 : 0xFFE);
      if (next_random(random, 4) != 0) routes[node].input |= ClassRoute::kLocal;
      bench.classes.set_route(node, 6, routes[node]);
      const std::uint32_t writer = next_random(random, nodes);
      bits[writer] = next_random(random, 8);
      bench.classes.write(writer, 6, bits[writer]);
      bench.run(Cycle{next_random(random, 40)});
    }
    bench.run();
    std::vector<std::uint32_t> root(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (root[node] = node;;) {
        std::uint32_t above = kNoNode;
        for (unsigned d = 0; d < topology.dimensions(); ++d) {
          if (routes[root[node]].output == ClassRoute::bit(static_cast<Direction>(2 * d + 1)))
            above = topology.neighbour(root[node], static_cast<Direction>(2 * d + 1));
        }
        if (above == kNoNode || (routes[above].input & 0xFFE) == 0) break;
        root[node] = above;
      }
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
      unsigned expected = routes[node].input == 0 && routes[node].output == 0 ? bits[node] : 0;
      for (std::uint32_t each = 0; each < nodes; ++each) {
        if (root[each] == root[node] && (routes[each].input & ClassRoute::kLocal) != 0) expected |= bits[each];
      }
      ASSERT_EQ(bench.classes.status(node, 6), expected) << "node " << node << " in round " << round;
    }
  }
}

/// A link that would close a circle joins nothing.
TEST(InterruptClasses, ACircleStaysOpen) {
  InterruptBench bench("4x1x1x1x1");
  for (std::uint32_t node = 0; node < 4; ++node)
    bench.classes.set_route(node, 1, {ClassRoute::kLocal | ClassRoute::bit(1), ClassRoute::bit(0)});  // from A-, to A+
  bench.classes.write(0, 1, 2);
  bench.run();
  for (std::uint32_t node = 0; node < 4; ++node) EXPECT_EQ(bench.classes.status(node, 1), 2u);
  bench.classes.write(0, 1, 0);
  bench.run();
  for (std::uint32_t node = 0; node < 4; ++node) EXPECT_EQ(bench.classes.status(node, 1), 0u);
}

TEST(InterruptClasses, OneNodeSeesItself) {
  InterruptBench bench("2x2x1x1x2");
  bench.classes.set_routes(
      9, spanning_routes(bench.topology, {{1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}}, {1, 0, 0, 0, 0}, ClassType::user_world));
  bench.classes.write(1, 9, 5);
  bench.run();
  EXPECT_EQ(bench.classes.status(1, 9), 5u);
  EXPECT_EQ(bench.classes.status(0, 9), 0u);
}

/// A hop a time as long as a packet's header takes.
TEST(InterruptClasses, TimeOfALevel) {
  InterruptBench bench("8x1x1x1x1");
  bench.classes.set_routes(0, spanning_routes(bench.topology, bench.all(), {0, 0, 0, 0, 0}, ClassType::user_world));
  const Cycle start = bench.wheel.now();
  bench.classes.write(7, 0, 1);
  while (bench.classes.status(7, 0) == 0) bench.run(Cycle{1});
  const auto config = test::shipped<GlobalInterruptConfig>("bgq");
  EXPECT_EQ(config.wire_cycles + config.node_cycles, 18u);
  EXPECT_EQ(bench.wheel.now() - start, GlobalInterrupts::latency(config, 7, 7));
}

}  // namespace
}  // namespace toroid
