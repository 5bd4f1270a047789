// SPDX-License-Identifier: Apache-2.0
// Collective units on the torus: results against plain arithmetic, order of floating point, times, flow control,
// errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "testbench/shipped.h"
#include "testbench/tests/torus/plain_arithmetic.h"
#include "torus/base/random.h"
#include "torus/collective/network.h"

namespace toroid {
namespace {

using F = BlueGeneQFamily;
using test::Bytes;
using test::of_double;
using test::Op;
using test::plain_combine;

constexpr Op kOpcodes[] = {Op::bit_and,      Op::bit_or,       Op::bit_xor,    Op::unsigned_add,
                           Op::unsigned_min, Op::unsigned_max, Op::signed_add, Op::signed_min,
                           Op::signed_max,   Op::float_add,    Op::float_min,  Op::float_max};

bool is_float(Op opcode) {
  return opcode == Op::float_add || opcode == Op::float_min || opcode == Op::float_max;
}

// A machine with collective units.
// -------------------------------------------------------------------------------------

struct Result {
  Cycle at;
  unsigned fifo;
  CollectiveHeader header;
  Bytes data;
};

class Device final : public LocalPort {
 public:
  Device(CollectiveNetwork& network, std::uint32_t node) : network_(network), node_(node) {
    network.attach(node, *this);
    network.torus().attach(node, *this);
  }

  void send(const CollectiveHeader& header, const Bytes& data, unsigned fifo = 0) {
    Packet& packet = network_.torus().pool().allocate(true);
    header.write(packet.data);
    std::copy(data.begin(), data.end(), packet.data + CollectiveHeader::kBytes);
    packet.chunks = static_cast<std::uint8_t>((CollectiveHeader::kBytes + data.size() + 31) / 32);
    ASSERT_EQ(network_.refusal(node_, packet), nullptr);
    waiting_[fifo].push_back(&packet);
    if (!taken_[fifo]) hand_over(fifo, network_.torus().now());
  }

  void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
    const std::uint8_t* const data = packet.data + CollectiveHeader::kBytes;
    results.push_back({at, fifo, CollectiveHeader::read(packet.data),
                       Bytes(data, data + packet.chunks * 32 - CollectiveHeader::kBytes)});
    if (reads) network_.return_tokens(node_, fifo, packet.chunks, at + 1);
    network_.torus().pool().release(packet);
  }
  void injection_taken(unsigned fifo, unsigned, Cycle at) override {
    taken_[fifo] = false;
    if (!waiting_[fifo].empty()) hand_over(fifo, at);
  }

  std::vector<Result> results;
  bool reads = true;

 private:
  void hand_over(unsigned fifo, Cycle at) {
    Packet& packet = *waiting_[fifo].front();
    waiting_[fifo].pop_front();
    taken_[fifo] = true;
    network_.inject(node_, packet, fifo, at);
  }

  CollectiveNetwork& network_;
  std::uint32_t node_;
  std::array<std::deque<Packet*>, 2> waiting_;
  std::array<bool, 2> taken_{};
};

struct Bench {
  explicit Bench(const std::string& shape, const TorusConfig& config = test::shipped_zoned_torus())
      : torus(wheel, config, Shape::parse(shape), 1), network(torus, test::shipped<CollectiveConfig>("bgq")) {
    for (std::uint32_t node = 0; node < torus.topology().nodes(); ++node) {
      devices.push_back(std::make_unique<Device>(network, node));
    }
  }
  /// A class of all nodes.
  std::vector<ClassRoute> use_all(unsigned number, const Coordinates& root, ClassType type = ClassType::user_world) {
    Box all;
    for (unsigned d = 0; d < torus.topology().dimensions(); ++d) {
      all.high[d] = static_cast<std::uint8_t>(torus.topology().extent(d) - 1);
    }
    std::vector<ClassRoute> routes = spanning_routes(torus.topology(), all, root, type);
    network.set_routes(number, routes);
    return routes;
  }
  void run(Cycle cycles = Cycle{100000}) { wheel.run_until(wheel.now() + cycles); }
  void expect_empty() {
    EXPECT_EQ(torus.in_flight(), 0u);
    EXPECT_EQ(torus.injected() + torus.copied(), torus.received() + torus.combined());
    EXPECT_EQ(torus.pool().in_use(), 0u);
  }

  Wheel wheel;
  CollectiveNetwork::Torus torus;
  CollectiveNetwork network;
  std::vector<std::unique_ptr<Device>> devices;
};

CollectiveHeader header_of(Op opcode, unsigned exponent, CollectiveType type, unsigned class_route = 0,
                           unsigned code = 4) {
  CollectiveHeader header;
  header.opcode = opcode;
  header.word_exponent = exponent;
  header.type = type;
  header.class_route = class_route;
  header.virtual_channel = code;
  return header;
}

Bytes random_data(Op opcode, unsigned bytes, std::uint64_t& random) {
  Bytes data;
  while (data.size() < bytes) {
    if (is_float(opcode)) {
      const double value = std::ldexp(next_unit(random) - 0.5, static_cast<int>(next_random(random, 60)));
      const Bytes number = of_double(value);
      data.insert(data.end(), number.begin(), number.end());
    } else {
      data.push_back(static_cast<std::uint8_t>(next_random(random, 256)));
    }
  }
  return data;
}

/// What comes out of the tree of `routes` below `node`: its own data, then that of the children over A-, A+, ... E+.
Bytes plain_result(const Topology& topology, const std::vector<ClassRoute>& routes, std::uint32_t node, Op opcode,
                   unsigned size, const std::vector<Bytes>& data) {
  Bytes result = data[node];
  for (unsigned d = 0; d < F::kDimensions; ++d) {
    for (const unsigned link : {2 * d + 1, 2 * d}) {
      const auto direction = static_cast<Direction>(link);
      if ((routes[node].input & ClassRoute::bit(direction)) == 0) continue;
      const std::uint32_t child = topology.neighbour(node, direction);
      plain_combine(opcode, size, result, plain_result(topology, routes, child, opcode, size, data));
    }
  }
  return result;
}

// Results. -----------------------------------------------------------------------------------------------------------

TEST(Collective, EveryOpcodeAndWordLength) {
  std::uint64_t random = 3;
  Bench bench("4x2x2x2x2");
  const Topology& topology = bench.torus.topology();
  const std::vector<ClassRoute> routes = bench.use_all(7, {1, 0, 1, 0, 1});
  const std::uint32_t root = topology.node({1, 0, 1, 0, 1});
  for (const Op opcode : kOpcodes) {
    for (unsigned exponent = 0; exponent < 8; ++exponent) {
      if (is_float(opcode) && exponent != 1) continue;
      // Of doubles as many as there can be: only some sums depend on the order.
      const unsigned bytes = 512u >> (exponent < 4 && !is_float(opcode) ? next_random(random, 5) : 0);
      std::vector<Bytes> data;
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) data.push_back(random_data(opcode, bytes, random));
      for (const std::unique_ptr<Device>& device : bench.devices) device->results.clear();
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
        bench.devices[node]->send(header_of(opcode, exponent, CollectiveType::allreduce, 7), data[node]);
        bench.run(Cycle{next_random(random, 40)});
      }
      bench.run(Cycle{3000});
      const Bytes expected = plain_result(topology, routes, root, opcode, 4u << exponent, data);
      for (const std::unique_ptr<Device>& device : bench.devices) {
        ASSERT_EQ(device->results.size(), 1u);
        ASSERT_EQ(device->results[0].data, expected)
            << "opcode " << static_cast<unsigned>(opcode) << ", words of " << (4u << exponent) << " bytes";
      }
    }
  }
  bench.expect_empty();
}

/// Whoever comes first.
TEST(Collective, SumsOfFloatingPointDoNotDependOnArrival) {
  std::set<Bytes> seen;
  std::uint64_t random = 11;
  const Bench shape("4x4x2x2x2");
  std::vector<Bytes> data;
  for (std::uint32_t node = 0; node < shape.torus.topology().nodes(); ++node) {
    data.push_back(random_data(Op::float_add, 512, random));
  }
  for (unsigned i = 0; i < 10; ++i) {
    Bench bench("4x4x2x2x2");
    bench.use_all(0, {0, 0, 0, 0, 0});
    std::vector<std::uint32_t> order(data.size());
    for (std::uint32_t node = 0; node < order.size(); ++node) order[node] = node;
    shuffle(order, random);
    for (const std::uint32_t node : order) {
      bench.devices[node]->send(header_of(Op::float_add, 1, CollectiveType::allreduce), data[node]);
      bench.run(Cycle{1 + next_random(random, 30)});
    }
    bench.run();
    for (const std::unique_ptr<Device>& device : bench.devices) seen.insert(device->results.at(0).data);
  }
  EXPECT_EQ(seen.size(), 1u);
}

TEST(Collective, AReductionComesToItsDestinationAlone) {
  Bench bench("4x2x2x2x2");
  const Topology& topology = bench.torus.topology();
  bench.use_all(2, {0, 0, 0, 0, 0});
  for (const std::uint32_t to : {0u, 5u, topology.nodes() - 1}) {
    CollectiveHeader header = header_of(Op::unsigned_add, 0, CollectiveType::reduce, 2);
    header.destination = topology.coordinates(to);
    for (const std::unique_ptr<Device>& device : bench.devices) device->send(header, Bytes(32, 1));
    bench.run();
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      ASSERT_EQ(bench.devices[node]->results.size(), node == to ? 1u : 0u);
    }
    EXPECT_EQ(bench.devices[to]->results[0].data, Bytes(32, static_cast<std::uint8_t>(topology.nodes())));
    bench.devices[to]->results.clear();
  }
  bench.expect_empty();
}

TEST(Collective, ABroadcastComesToAll) {
  std::uint64_t random = 4;
  Bench bench("4x2x2x2x2");
  bench.use_all(15, {2, 1, 0, 1, 0}, ClassType::system);
  for (const std::uint32_t from : {0u, 9u, 63u}) {
    for (const std::unique_ptr<Device>& device : bench.devices) device->results.clear();
    const Bytes data = random_data(Op::bit_or, 512, random);
    bench.devices[from]->send(header_of(Op::bit_or, 0, CollectiveType::broadcast, 15, 6), data, 1);
    bench.run();
    for (const std::unique_ptr<Device>& device : bench.devices) {
      ASSERT_EQ(device->results.size(), 1u);
      EXPECT_EQ(device->results[0].data, data);
      EXPECT_EQ(device->results[0].fifo, 1u);  // the system's
    }
  }
  bench.expect_empty();
}

TEST(Collective, FloatingPointOpcodesOfABroadcastMakeNansQuiet) {
  Bench bench("2x2x1x1x2");
  bench.use_all(0, {0, 0, 0, 0, 0});
  Bytes data(32, 0);
  data[0] = 0x7F;
  data[1] = 0xF0;
  data[7] = 1;  // signalling
  Bytes quiet = data;
  quiet[1] = 0xF8;
  bench.devices[3]->send(header_of(Op::float_add, 1, CollectiveType::broadcast), data);
  bench.run();
  EXPECT_EQ(bench.devices[0]->results.at(0).data, quiet);
  bench.devices[3]->send(header_of(Op::bit_or, 1, CollectiveType::broadcast), data);
  bench.run();
  EXPECT_EQ(bench.devices[0]->results.at(1).data, data);
}

/// Nodes of the box that do not take part pass packets on; those outside see none.
TEST(Collective, PartOfABoxOfTheMachine) {
  Bench bench("4x4x2x2x2");
  const Topology& topology = bench.torus.topology();
  const Box box{{1, 0, 0, 0, 0}, {2, 3, 1, 0, 1}};
  std::vector<std::uint32_t> participants;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const Coordinates at = topology.coordinates(node);
    if (box.contains(at, 5) && (at[0] + at[1]) % 2 == 0) participants.push_back(node);
  }
  bench.network.set_routes(5, spanning_routes(topology, box, {2, 1, 0, 0, 1}, ClassType::user_subset, participants));
  for (const std::uint32_t node : participants) {
    bench.devices[node]->send(header_of(Op::unsigned_add, 0, CollectiveType::allreduce, 5, 5), Bytes(32, 1));
  }
  bench.run();
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const bool in = std::count(participants.begin(), participants.end(), node) != 0;
    ASSERT_EQ(bench.devices[node]->results.size(), in ? 1u : 0u);
    if (in) {
      EXPECT_EQ(bench.devices[node]->results[0].data[3], participants.size());
    }
  }
  bench.expect_empty();
}

// Errors. ------------------------------------------------------------------------------------------------------------

TEST(Collective, BadDataIsNoted) {
  struct Case {
    Op opcode;
    Bytes a, b;
    std::uint32_t errors;
  };
  const Bytes big{0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0};
  const Bytes one{0, 0, 0, 1, 0, 0, 0, 1};
  const Bytes minus{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const double infinite = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {Op::signed_add, big, one, kIntegerOverflow},
      {Op::unsigned_add, big, one, 0},
      {Op::unsigned_add, minus, one, kIntegerOverflow},
      {Op::signed_add, minus, one, 0},
      {Op::float_add, of_double(infinite), of_double(-infinite), kNanGenerated},
      {Op::float_add, of_double(infinite), of_double(1), 0},
      {Op::float_add, of_double(std::nan("")), of_double(1), 0},
      {static_cast<Op>(3), one, one, kOperandsMismatch},
  };
  for (const Case& each : cases) {
    Bytes into = each.a;
    const unsigned size = is_float(each.opcode) ? 8 : 4;
    EXPECT_EQ(collective_combine(each.opcode, size, into.data(), each.b.data(), 8), each.errors)
        << static_cast<unsigned>(each.opcode);
  }
  Bytes into = one;
  EXPECT_EQ(collective_combine(Op::float_add, 4, into.data(), one.data(), 8), unsigned{kFloatLengthError});
  EXPECT_EQ(collective_combine(Op::unsigned_add, 16, into.data(), one.data(), 8), unsigned{kOperandsMismatch});

  // In the network: nodes do not agree on the opcode.
  Bench bench("2x1x1x1x1");
  bench.use_all(0, {0, 0, 0, 0, 0});
  bench.devices[0]->send(header_of(Op::bit_or, 0, CollectiveType::allreduce), Bytes(32, 1));
  bench.devices[1]->send(header_of(Op::bit_and, 0, CollectiveType::allreduce), Bytes(32, 1));
  bench.run();
  EXPECT_EQ(bench.network.node(0).errors(), unsigned{kOperandsMismatch});
  EXPECT_EQ(bench.network.node(1).errors(), 0u);
  bench.network.node(0).clear_errors();
  EXPECT_EQ(bench.network.node(0).errors(), 0u);
}

TEST(Collective, WhatCannotBeSent) {
  Bench bench("2x2x1x1x2");
  const Topology& topology = bench.torus.topology();
  bench.use_all(0, {0, 0, 0, 0, 0});
  bench.network.set_routes(
      1, spanning_routes(topology, {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}}, {0, 0, 0, 0, 0}, ClassType::user_subset));
  Packet& packet = bench.torus.pool().allocate(true);
  const auto refusal = [&](const CollectiveHeader& header, std::uint32_t node = 0) {
    header.write(packet.data);
    const char* const why = bench.network.refusal(node, packet);
    return std::string(why == nullptr ? "" : why);
  };
  EXPECT_EQ(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce)), "");
  EXPECT_EQ(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce, 1, 5)), "");
  EXPECT_NE(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce, 0, 5)), "");
  EXPECT_NE(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce, 1, 4)), "");
  EXPECT_NE(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce, 1, 5), topology.node({0, 1, 0, 0, 0})), "");
  EXPECT_NE(refusal(header_of(Op::bit_or, 0, CollectiveType::allreduce, 9)), "");
  EXPECT_NE(refusal(header_of(Op::float_add, 0, CollectiveType::allreduce)), "");
  EXPECT_NE(refusal(header_of(static_cast<Op>(7), 0, CollectiveType::allreduce)), "");
  EXPECT_NE(refusal(header_of(Op::bit_or, 0, static_cast<CollectiveType>(1))), "");
  packet.data[0] = 0x55;
  EXPECT_NE(bench.network.refusal(0, packet), nullptr);
  bench.torus.pool().release(packet);
}

TEST(Collective, RoutesAsRegisters) {
  ClassRoute route;
  route.input = ClassRoute::bit(1) | ClassRoute::bit(8) | ClassRoute::kLocal;  // A-, E+
  route.output = ClassRoute::bit(2);                                           // B+
  route.type = ClassType::user_subset;
  EXPECT_EQ(route.input, 1u << 11 | 1u << 2 | 1u);
  EXPECT_EQ(route.output, 1u << 8);
  EXPECT_EQ(route.word(), 2u << 28 | 0x805u << 16 | 0x100u);
  const ClassRoute read = ClassRoute::of_word(route.word());
  EXPECT_EQ(read.input, route.input);
  EXPECT_EQ(read.output, route.output);
  EXPECT_EQ(read.type, route.type);
}

// Times and flow. ----------------------------------------------------------------------------------------------------

/// Up through all units and down again, each hop at the torus's cost.
TEST(Collective, TimeOfAnAllReduce) {
  for (const char* shape : {"1x1x1x1x1", "2x1x1x1x1", "4x1x1x1x1", "4x4x4x2x2"}) {
    for (const unsigned bytes : {32u, 512u}) {
      Bench bench(shape);
      const Topology& topology = bench.torus.topology();
      bench.use_all(0, {0, 0, 0, 0, 0});
      unsigned depth = 0;  // no wrap-around in a box
      for (unsigned d = 0; d < 5; ++d) depth += topology.extent(d) - 1;
      for (const std::unique_ptr<Device>& device : bench.devices) {
        device->send(header_of(Op::bit_or, 0, CollectiveType::allreduce), Bytes(bytes, 1));
      }
      bench.run();
      const CollectiveConfig& config = bench.network.config();
      const unsigned hop = 18;
      const unsigned down = depth == 0 ? 0 : hop + (depth - 1) * (config.spread_cycles + hop);
      const unsigned expected =
          4 + depth * (config.combine_cycles + hop) + config.combine_cycles + down + (bytes + 32 + 24) / 4 + 4;
      Cycle last{};
      for (const std::unique_ptr<Device>& device : bench.devices) last = std::max(last, device->results.at(0).at);
      EXPECT_EQ(last, Cycle{expected}) << shape << ", " << bytes << " bytes";
    }
  }
}

/// Packets of one class follow each other at the rate of a link.
TEST(Collective, AStreamRunsAtLinkRate) {
  Bench bench("4x4x2x2x2");
  bench.use_all(0, {0, 0, 0, 0, 0});
  constexpr unsigned kPackets = 60;
  for (const std::unique_ptr<Device>& device : bench.devices) {
    for (unsigned i = 0; i < kPackets; ++i) {
      device->send(header_of(Op::unsigned_add, 0, CollectiveType::allreduce), Bytes(512, static_cast<std::uint8_t>(i)));
    }
  }
  bench.run();
  for (const std::unique_ptr<Device>& device : bench.devices) {
    ASSERT_EQ(device->results.size(), kPackets);
    const Cycle first = device->results[19].at;
    EXPECT_NEAR(static_cast<double>((device->results[kPackets - 1].at - first).count()), 40 * 142, 40 * 142 * 0.02);
  }
  bench.expect_empty();
}

/// A node that does not read holds up the others; when it reads, all go on.
TEST(Collective, ANodeThatDoesNotReadIsWaitedFor) {
  Bench bench("2x2x2x1x2");
  bench.use_all(0, {0, 0, 0, 0, 0});
  bench.devices[5]->reads = false;
  constexpr unsigned kPackets = 40;
  for (const std::unique_ptr<Device>& device : bench.devices) {
    for (unsigned i = 0; i < kPackets; ++i) {
      device->send(header_of(Op::bit_or, 0, CollectiveType::allreduce), Bytes(512, static_cast<std::uint8_t>(i)));
    }
  }
  bench.run();
  EXPECT_EQ(bench.devices[5]->results.size(), 2u);  // two packets' room
  EXPECT_LT(bench.devices[0]->results.size(), kPackets);
  bench.devices[5]->reads = true;
  bench.network.return_tokens(5, 0, 34, bench.wheel.now() + 1);
  bench.run();
  for (const std::unique_ptr<Device>& device : bench.devices) {
    ASSERT_EQ(device->results.size(), kPackets);
    for (unsigned i = 0; i < kPackets; ++i) EXPECT_EQ(device->results[i].data[0], i);
  }
  bench.expect_empty();
}

/// The order in which a cycle's events are run makes no difference.
TEST(Collective, TimesDoNotDependOnTheOrderOfEvents) {
  std::vector<Cycle> expected;
  for (std::uint64_t order = 0; order < 6; ++order) {
    TorusConfig torus = test::shipped_zoned_torus();
    torus.zones->buffer_packets = 2;
    Bench bench("4x2x2x2x2", torus);
    bench.wheel.shuffle(order);
    const Topology& topology = bench.torus.topology();
    bench.use_all(0, {0, 0, 0, 0, 0});
    bench.use_all(1, {3, 1, 1, 1, 1}, ClassType::user_subset);
    bench.use_all(2, {1, 0, 1, 0, 1}, ClassType::system);
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      for (unsigned i = 0; i < 12; ++i) {
        const unsigned bytes = 32 * (1 + i % 16);
        bench.devices[node]->send(header_of(Op::unsigned_add, 0, CollectiveType::allreduce, 0, 4), Bytes(bytes, 1), 0);
        bench.devices[node]->send(header_of(Op::bit_or, 1, CollectiveType::allreduce, 1, 5), Bytes(512, 1), 1);
      }
    }
    bench.run();
    bench.devices[9]->send(header_of(Op::bit_or, 0, CollectiveType::broadcast, 2, 6), Bytes(64, 1), 1);
    bench.run();
    std::vector<Cycle> times;
    for (const std::unique_ptr<Device>& device : bench.devices) {
      ASSERT_EQ(device->results.size(), 25u);
      for (const Result& result : device->results) times.push_back(result.at);
    }
    if (order == 0) expected = times;
    EXPECT_EQ(times, expected);
    bench.expect_empty();
  }
}

/// Three classes on both channels, packets between nodes, and errors on links, all at once.
TEST(Collective, BesideOtherTrafficAndLinkErrors) {
  for (const double errors : {0.0, 1e-5}) {
    TorusConfig config = test::shipped_zoned_torus();
    config.bit_error_rate = errors;
    config.buffer_chunks = 18;
    config.zones->buffer_packets = 2;
    Bench bench("4x4x2x2x2", config);
    const Topology& topology = bench.torus.topology();
    bench.use_all(0, {0, 0, 0, 0, 0});
    const Box halves[] = {{{0, 0, 0, 0, 0}, {1, 3, 1, 1, 1}}, {{2, 0, 0, 0, 0}, {3, 3, 1, 1, 1}}};
    for (unsigned i = 0; i < 2; ++i) {
      std::vector<ClassRoute> routes = spanning_routes(topology, halves[i], halves[i].high, ClassType::user_subset);
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
        if (routes[node].input != 0) bench.network.node(node).set_route(1, routes[node]);
      }
    }
    std::uint64_t random = 7;
    constexpr unsigned kPackets = 25;
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      for (unsigned i = 0; i < kPackets; ++i) {
        bench.devices[node]->send(header_of(Op::unsigned_add, 0, CollectiveType::allreduce, 0, 4), Bytes(256, 1), 0);
        bench.devices[node]->send(header_of(Op::unsigned_max, 1, CollectiveType::allreduce, 1, 5),
                                  Bytes(512, static_cast<std::uint8_t>(node)), 1);
      }
    }
    // Packets between nodes, one from each at a time.
    class Sinks final : public LocalPort {
     public:
      explicit Sinks(CollectiveNetwork::Torus& torus, std::uint32_t node) : torus_(torus), node_(node) {
        torus.attach(node, *this);
      }
      void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
        ++received;
        torus_.router(node_).return_tokens(fifo, packet.chunks, at + 1);
        torus_.pool().release(packet);
      }
      void injection_taken(unsigned, unsigned, Cycle) override { ready = true; }
      unsigned received = 0;
      bool ready = true;

     private:
      CollectiveNetwork::Torus& torus_;
      std::uint32_t node_;
    };
    std::vector<std::unique_ptr<Sinks>> sinks;
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      sinks.push_back(std::make_unique<Sinks>(bench.torus, node));
    }
    unsigned sent = 0;
    for (unsigned i = 0; i < 300; ++i) {
      for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
        const std::uint32_t to = next_random(random, topology.nodes());
        if (!sinks[node]->ready || to == node) continue;
        sinks[node]->ready = false;
        Packet& packet = bench.torus.pool().allocate();
        packet.source = node;
        packet.destination = topology.coordinates(to);
        packet.chunks = 17;
        packet.dynamic = i % 2 == 0;
        packet.channel = packet.dynamic ? 0 : 1;
        bench.torus.router(node).inject(packet, 0, bench.wheel.now());
        ++sent;
      }
      bench.run(Cycle{100});
    }
    bench.run(Cycle{1000000});
    unsigned received = 0;
    for (const std::unique_ptr<Sinks>& sink : sinks) received += sink->received;
    EXPECT_EQ(received, sent);
    EXPECT_GT(sent, 5000u);
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      std::map<unsigned, unsigned> of_class;
      for (const Result& result : bench.devices[node]->results) {
        ++of_class[result.header.class_route];
        unsigned largest = 0;
        for (std::uint32_t other = 0; other < topology.nodes(); ++other) {
          const bool same = topology.coordinates(other)[0] / 2 == topology.coordinates(node)[0] / 2;
          if (same) largest = std::max(largest, other);
        }
        ASSERT_EQ(result.data[3], result.header.class_route == 0 ? topology.nodes() % 256 : largest);
      }
      ASSERT_EQ(of_class[0], kPackets);
      ASSERT_EQ(of_class[1], kPackets);
    }
    bench.expect_empty();
  }
}

}  // namespace
}  // namespace toroid
