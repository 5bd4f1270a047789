// SPDX-License-Identifier: Apache-2.0
// The torus of Blue Gene/Q: times, order and ties against a plain model, zones, full load, deposit, both E links, I/O.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "testbench/tests/torus/test_device.h"
#include "torus/base/random.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/header_check.h"
#include "torus/torus/torus_observer.h"
#include "torus/traffic/traffic_run.h"

namespace toroid {
namespace {

using F = BlueGeneQFamily;
using T = FamilyTables<F>;
using Channel = BlueGeneQChannel;
using QBench = test::BasicBench<F>;
using Network = BasicTorusNetwork<F>;

constexpr unsigned kDimensions = F::kDimensions;

// A plain model, from the machine's firmware: cut-offs by the parity of the sum of the coordinates, the longest
// dimension first.
// ---------------------------------------------------------------------------------------------------------------

struct Plain {
  explicit Plain(const Topology& topology_in) : topology(topology_in) {}

  bool even(const Coordinates& at) const {
    unsigned sum = 0;
    for (const unsigned x : at) sum += x;
    return sum % 2 == 0;
  }
  int plus_cut_off(const Coordinates& at, unsigned d) const {
    const int n = static_cast<int>(topology.extent(d));
    if (!topology.torus(d)) return n - 1;
    return std::min(n - 1, at[d] + (even(at) ? n / 2 : n / 2 - 1));
  }
  int minus_cut_off(const Coordinates& at, unsigned d) const {
    const int n = static_cast<int>(topology.extent(d));
    if (!topology.torus(d)) return 0;
    return std::max(0, at[d] - (even(at) ? n / 2 - 1 : n / 2));
  }
  bool goes_plus(const Coordinates& from, const Coordinates& to, unsigned d) const {
    return to[d] > from[d] ? to[d] <= plus_cut_off(from, d) : to[d] < minus_cut_off(from, d);
  }
  std::vector<unsigned> order() const {
    std::vector<unsigned> dimensions;
    for (unsigned extent = 64; extent > 0; --extent) {
      for (unsigned d = 0; d < topology.dimensions(); ++d) {
        if (topology.extent(d) == extent) dimensions.push_back(d);
      }
    }
    return dimensions;
  }
  /// The directions of a deterministic packet, hop by hop.
  std::vector<unsigned> route(const Coordinates& from, const Coordinates& to) const {
    std::vector<unsigned> hops;
    for (const unsigned d : order()) {
      if (from[d] == to[d]) continue;
      const bool plus = goes_plus(from, to, d);
      const unsigned n = topology.extent(d);
      const unsigned distance = plus ? (to[d] + n - from[d]) % n : (from[d] + n - to[d]) % n;
      hops.insert(hops.end(), distance, 2 * d + !plus);
    }
    return hops;
  }
  /// The groups of dimensions that a zone goes through.
  std::vector<std::set<unsigned>> zone(unsigned number) const {
    std::vector<std::set<unsigned>> groups;
    if (number == 1) return {{0, 1, 2, 3, 4}};
    for (const unsigned d : order()) {
      if (number == 0 && !groups.empty() && topology.extent(*groups.back().begin()) == topology.extent(d)) {
        groups.back().insert(d);
      } else {
        groups.push_back({d});
        if (number == 3) groups.back().insert(4);
      }
    }
    return groups;
  }
  /// The dimensions that a dynamic packet may take where it is.
  std::set<unsigned> allowed(unsigned zone_number, const Coordinates& at, const Coordinates& to) const {
    for (const std::set<unsigned>& group : zone(zone_number)) {
      std::set<unsigned> left;
      for (const unsigned d : group) {
        if (at[d] != to[d]) left.insert(d);
      }
      if (!left.empty()) return left;
    }
    return {};
  }

  const Topology& topology;
};

/// Notes what goes over links.
class Recorder : public TorusObserver {
 public:
  explicit Recorder(const Network& network) : network_(network) {}
  void on_written(std::uint32_t, unsigned, unsigned, const Packet&, sc_core::sc_time) override {}
  void on_asks(std::uint32_t, const Packet&, Cycle) override {}
  void on_sent(std::uint32_t node, Direction direction, const Packet& packet, Cycle, Cycle, bool damaged) override {
    if (!damaged) sent(network_.topology().coordinates(node), direction, packet);
  }
  void on_received(std::uint32_t, unsigned, const Packet&, Cycle, Cycle, bool) override {}
  void on_read(std::uint32_t, unsigned, unsigned, const Packet&, sc_core::sc_time) override {}

 protected:
  ~Recorder() = default;
  virtual void sent(const Coordinates& at, Direction direction, const Packet& packet) = 0;
  const Network& network_;
};

class RouteRecorder final : public Recorder {
 public:
  using Recorder::Recorder;
  std::vector<unsigned> directions;

 private:
  void sent(const Coordinates&, Direction direction, const Packet&) override { directions.push_back(direction); }
};

Packet& dynamic_packet(QBench& bench, const Coordinates& to, unsigned zone) {
  Packet& p = bench.packet(to);
  p.channel = Channel::dynamic;
  p.dynamic = true;
  p.routing = static_cast<std::uint8_t>(zone);
  return p;
}

// Times. -------------------------------------------------------------------------------------------------------------

TEST(BlueGeneQ, TimesOfAPacketAlone) {
  std::uint64_t random = 5;
  for (const char* shape : {"4x4x4x4x2", "4x4x4x2x2", "2x2x2x2x2", "8x4x2x1x2", "4mx4x2mx2x2", "6x4"}) {
    QBench bench(shape, test::shipped_zoned_torus());
    const Topology& topology = bench.network.topology();
    for (unsigned i = 0; i < 400; ++i) {
      const std::uint32_t from = next_random(random, topology.nodes());
      const std::uint32_t to = next_random(random, topology.nodes());
      if (from == to) continue;
      const unsigned channel = next_random(random, 4);
      Packet& p = bench.packet(topology.coordinates(to));
      p.chunks = static_cast<std::uint8_t>(1 + next_random(random, 17));
      p.channel = static_cast<VirtualChannel>(channel);
      p.dynamic = channel == Channel::dynamic;
      if (p.dynamic) p.routing = static_cast<std::uint8_t>(next_random(random, kZones));
      ASSERT_EQ(bench.network.check(p, from), 0u);
      const unsigned bytes = 32u * p.chunks + 24;
      const unsigned hops = topology.distance(from, to);
      const Cycle start = bench.wheel.now();
      bench.deliveries.clear();
      bench.devices[from]->send(p);
      bench.run(Cycle{3000});
      ASSERT_EQ(bench.deliveries.size(), 1u);
      EXPECT_EQ(bench.deliveries[0].node, to);
      EXPECT_EQ(bench.deliveries[0].at - start, 4 + 18 * hops + bytes / 4 + 4) << shape << " " << from << " to " << to;
    }
    EXPECT_EQ(bench.network.pool().in_use(), 0u);
  }
}

/// 80 ns between neighbours, 36 ns a hop, 1.80 GB/s of payload.
TEST(BlueGeneQ, PublishedFigures) {
  QBench bench("4x4x4x4x2", test::shipped_zoned_torus());
  bench.devices[0]->send(bench.packet({1, 0, 0, 0, 0}));
  bench.run();
  EXPECT_EQ(bench.deliveries.at(0).at, Cycle{40});
  bench.deliveries.clear();
  bench.send_full(0, {0, 0, 1, 0, 0}, 100);
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 100u);
  const auto cycles = static_cast<double>((bench.deliveries[99].at - bench.deliveries[0].at).count());
  EXPECT_NEAR(99 * 512 / (cycles * 2), 1.80, 0.01);
}

// Order, ties and cut-offs. ------------------------------------------------------------------------------------------

TEST(BlueGeneQ, CutOffsGoByTheParityOfTheSum) {
  for (const char* shape : {"4x4x4x4x2", "8x2x6x12x2", "4mx4x2mx16x2"}) {
    QBench bench(shape, test::shipped_zoned_torus());
    const Topology& topology = bench.network.topology();
    const Plain plain(topology);
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      const Coordinates at = topology.coordinates(node);
      const CutOffs cut_offs = bench.network.cut_offs(node);
      for (unsigned d = 0; d < kDimensions; ++d) {
        ASSERT_EQ(cut_offs.plus[d], plain.plus_cut_off(at, d)) << shape << " node " << node << " dimension " << d;
        ASSERT_EQ(cut_offs.minus[d], plain.minus_cut_off(at, d)) << shape << " node " << node << " dimension " << d;
      }
    }
  }
}

TEST(BlueGeneQ, DeterministicRoutes) {
  std::uint64_t random = 9;
  for (const char* shape : {"4x4x4x4x2", "2x8x4x8x2", "4x2mx4x2x2", "2x2x2x2x2"}) {
    QBench bench(shape, test::shipped_zoned_torus());
    const Topology& topology = bench.network.topology();
    const Plain plain(topology);
    RouteRecorder recorder(bench.network);
    bench.network.observe(recorder);
    for (unsigned i = 0; i < 300; ++i) {
      const std::uint32_t from = next_random(random, topology.nodes());
      const Coordinates to = topology.coordinates(next_random(random, topology.nodes()));
      if (to == topology.coordinates(from)) continue;
      Packet& p = bench.packet(to);
      // Dynamic packets of zone 2 go the same way if nothing is in theirs.
      if (i % 3 == 0) {
        p.channel = Channel::dynamic;
        p.dynamic = true;
        p.routing = 2;
      }
      recorder.directions.clear();
      bench.devices[from]->send(p);
      bench.run(Cycle{2000});
      ASSERT_EQ(recorder.directions, plain.route(topology.coordinates(from), to)) << shape << " from " << from;
    }
  }
}

TEST(BlueGeneQ, TheOrderOfTheDescription) {
  TorusConfig config = test::shipped_zoned_torus();
  config.zones->order_rule = OrderRule::as_listed;
  config.dimension_order = {4, 2, 0, 1, 3};
  QBench bench("2x8x4x2x2", config);
  RouteRecorder recorder(bench.network);
  bench.network.observe(recorder);
  Packet& p = bench.packet({1, 1, 1, 1, 1});
  bench.devices[0]->send(p);
  bench.run();
  EXPECT_EQ(recorder.directions, (std::vector<unsigned>{8, 4, 0, 2, 6}));
}

// Full load. ---------------------------------------------------------------------------------------------------------

struct Load {
  std::string shape = "4x4x2x2x2";
  std::string pattern = "uniform";
  unsigned zone = 0;
  double adaptive_share = 0.5;
  double errors = 0;
  bool stay_on_bubble = false;
  bool smallest = true;
  std::uint64_t hops = 60000;
};

TrafficResult fill(const Load& load, const std::function<void(Network&)>& on_network = {}) {
  TrafficConfig config(test::shipped_zoned_torus());
  if (load.smallest) {
    config.torus.buffer_chunks = 18;
    config.torus.zones->buffer_packets = 2;
  }
  config.torus.bit_error_rate = load.errors;
  config.torus.stuck_after = Cycle{100000};
  config.shape = Shape::parse(load.shape, "ABCDE");
  config.pattern = load.pattern;
  config.adaptive_share = load.adaptive_share;
  config.other_classes_share = 0.3;
  config.zone = load.zone;
  config.stay_on_bubble = load.stay_on_bubble;
  config.sizes = {{F::kMaxChunks, 1}, {3, 1}, {1, 1}};
  config.fill_hops = load.hops;
  config.check = true;
  if (on_network) {
    config.on_network = [&on_network](AnyTorusNetwork& network) { on_network(dynamic_cast<Network&>(network)); };
  }
  return run_traffic_on<F>(config);
}

void expect_all_delivered(const TrafficResult& result) {
  EXPECT_FALSE(result.stuck) << result.stuck_report;
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(result.generated, result.delivered);
  EXPECT_EQ(result.repeated + result.misdelivered + result.reordered, 0u);
}

TEST(BlueGeneQ, EachZoneAtFullLoad) {
  for (const char* shape : {"4x4x2x2x2", "5x3x2mx2x2", "2x8x1x1x2"}) {
    for (const char* pattern : {"uniform", "alltoall", "complement", "tornado", "neighbour"}) {
      for (unsigned zone = 0; zone < kZones; ++zone) {
        for (const double adaptive_share : {1.0, 0.5}) {
          Load load;
          load.shape = shape;
          load.pattern = pattern;
          load.zone = zone;
          load.adaptive_share = adaptive_share;
          load.stay_on_bubble = adaptive_share == 1;
          SCOPED_TRACE(load.shape + " " + pattern + " zone " + std::to_string(zone));
          expect_all_delivered(fill(load));
        }
      }
    }
  }
}

TEST(BlueGeneQ, EachZoneAtFullLoadWithLinkErrors) {
  for (const char* pattern : {"uniform", "alltoall", "complement", "tornado", "neighbour"}) {
    for (unsigned zone = 0; zone < kZones; ++zone) {
      Load load;
      load.pattern = pattern;
      load.zone = zone;
      load.errors = 1e-5;
      SCOPED_TRACE(std::string(pattern) + " zone " + std::to_string(zone));
      const TrafficResult result = fill(load);
      expect_all_delivered(result);
      EXPECT_GT(result.crc_errors, 100u);
      EXPECT_GE(result.retransmissions, result.crc_errors / 2);
    }
  }
}

/// The order in which a cycle's events are run makes no difference.
TEST(BlueGeneQ, ResultsDoNotDependOnTheOrderOfEvents) {
  std::set<std::uint64_t> digests;
  for (std::uint64_t order = 0; order < 4; ++order) {
    TrafficConfig config(test::shipped_zoned_torus());
    config.torus.buffer_chunks = 40;
    config.torus.zones->buffer_packets = 2;
    config.shape = Shape::parse("4x4x2x2x2", "ABCDE");
    config.zone = 3;
    config.adaptive_share = 0.6;
    config.other_classes_share = 0.3;
    config.load = 0.9;
    config.sizes = {{F::kMaxChunks, 1}, {1, 1}};
    config.warm_up = Cycle{2000};
    config.measure = Cycle{6000};
    config.elaboration_order = order;
    const TrafficResult result = run_traffic_on<F>(config);
    EXPECT_TRUE(result.drained);
    digests.insert(result.digest);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST(BlueGeneQLong, TenMillionHopsOfEachZone) {
  for (unsigned zone = 0; zone < kZones; ++zone) {
    Load load;
    load.shape = "4x4x4x4x2";
    load.zone = zone;
    load.hops = 10'000'000;
    SCOPED_TRACE(zone);
    expect_all_delivered(fill(load));
  }
}

// Zones. -------------------------------------------------------------------------------------------------------------

/// Looks at each hop of dynamic packets: within the zone's mask or, on the bubble, in deterministic order.
class ZoneRecorder final : public Recorder {
 public:
  ZoneRecorder(const Network& network, unsigned zone)
      : Recorder(network), plain_(network.topology()), zone_(zone), order_(plain_.order()) {}

  unsigned hops = 0;
  unsigned outside = 0;
  unsigned escapes = 0;
  unsigned aside = 0;                   ///< escapes in a dimension that the mask does not have
  std::map<unsigned, unsigned> choice;  ///< hops by how many dimensions were allowed

 private:
  void sent(const Coordinates& at, Direction direction, const Packet& packet) override {
    if (!packet.dynamic) return;
    ++hops;
    const std::set<unsigned> allowed = plain_.allowed(zone_, at, packet.destination);
    const bool inside = allowed.count(direction / 2) != 0;
    if (packet.channel == Channel::dynamic) {
      outside += !inside;
      ++choice[static_cast<unsigned>(allowed.size())];
      return;
    }
    ++escapes;
    aside += !inside;
    const auto next =
        std::find_if(order_.begin(), order_.end(), [&](unsigned d) { return at[d] != packet.destination[d]; });
    outside += next == order_.end() || *next != direction / 2u || packet.channel != Channel::deterministic;
  }

  const Plain plain_;
  const unsigned zone_;
  const std::vector<unsigned> order_;
};

TEST(BlueGeneQ, DynamicPacketsObeyTheirZone) {
  for (unsigned zone = 0; zone < kZones; ++zone) {
    std::unique_ptr<ZoneRecorder> recorder;
    Load load;
    load.shape = "4x2x4x3x2";
    load.zone = zone;
    load.adaptive_share = 1;
    fill(load, [&](Network& network) {
      recorder = std::make_unique<ZoneRecorder>(network, zone);
      network.observe(*recorder);
    });
    SCOPED_TRACE(zone);
    EXPECT_GT(recorder->hops, 30000u);
    EXPECT_EQ(recorder->outside, 0u);
    EXPECT_GT(recorder->escapes, 100u);
    const unsigned most = recorder->choice.rbegin()->first;
    EXPECT_EQ(most, (std::array<unsigned, kZones>{2, 5, 1, 2}[zone]));
    // Only zone 3 has E in a mask before its turn.
    EXPECT_EQ(recorder->aside != 0, zone == 3);
  }
}

TEST(BlueGeneQ, ZonesOfTheDescription) {
  TorusConfig config = test::shipped_zoned_torus();
  config.zones->zones[1] = {1 << 4, 1 << 1 | 1 << 3, 1 << 0 | 1 << 2};  // E, BD, AC
  QBench bench("2x2x2x2x2", config);
  std::set<std::vector<unsigned>> seen;
  RouteRecorder recorder(bench.network);
  bench.network.observe(recorder);
  // One after the other from one FIFO: some find the first link busy.
  for (unsigned i = 0; i < 20; ++i) {
    recorder.directions.clear();
    bench.devices[0]->send(dynamic_packet(bench, {1, 1, 1, 1, 1}, 1));
    bench.run(Cycle{3000});
    ASSERT_EQ(recorder.directions.size(), 5u);
    EXPECT_EQ(recorder.directions[0] / 2, 4u);
    EXPECT_EQ((std::set<unsigned>{recorder.directions[1] / 2, recorder.directions[2] / 2}), (std::set<unsigned>{1, 3}));
    EXPECT_EQ((std::set<unsigned>{recorder.directions[3] / 2, recorder.directions[4] / 2}), (std::set<unsigned>{0, 2}));
  }
}

TEST(BlueGeneQ, AZoneMustNameEachDimension) {
  TorusConfig config = test::shipped_zoned_torus();
  config.zones->zones[2] = {1 << 0, 1 << 1 | 1 << 3};
  EXPECT_THROW(QBench("2x2x2x2x2", config), std::invalid_argument);
  EXPECT_NO_THROW(QBench("2x2", config));
}

/// Once on the bubble, a packet that stays there takes no dynamic channel any more.
class BubbleRecorder final : public Recorder {
 public:
  using Recorder::Recorder;
  unsigned returned = 0;
  unsigned escaped = 0;

 private:
  void sent(const Coordinates&, Direction, const Packet& packet) override {
    if (!packet.dynamic) return;
    const std::uint64_t name = std::uint64_t{packet.source} << 32 | packet.serial;
    if (packet.channel == Channel::deterministic) {
      escaped += on_bubble_.insert(name).second;
    } else {
      returned += on_bubble_.count(name) != 0;
    }
  }
  std::set<std::uint64_t> on_bubble_;
};

TEST(BlueGeneQ, StayingOnTheBubble) {
  for (const bool stay : {false, true}) {
    std::unique_ptr<BubbleRecorder> recorder;
    Load load;
    load.stay_on_bubble = stay;
    load.adaptive_share = 1;
    load.zone = 1;
    fill(load, [&](Network& network) {
      recorder = std::make_unique<BubbleRecorder>(network);
      network.observe(*recorder);
    });
    EXPECT_GT(recorder->escaped, 100u);
    EXPECT_EQ(recorder->returned == 0, stay);
  }
}

// Saturation. --------------------------------------------------------------------------------------------------------

TEST(BlueGeneQ, SaturatesBelowTheBisectionLimit) {
  for (unsigned zone = 0; zone < kZones; ++zone) {
    TrafficConfig config(test::shipped_zoned_torus());
    config.shape = Shape::parse("4x4x4x2x2", "ABCDE");
    config.load = 1.2;
    config.zone = zone;
    config.sizes = {{F::kMaxChunks, 1}};
    config.warm_up = Cycle{15000};
    config.measure = Cycle{15000};
    const TrafficResult result = run_traffic_on<F>(config);
    SCOPED_TRACE(zone);
    EXPECT_LE(result.accepted_share, 1.0);
    EXPECT_GE(result.accepted_share, 0.8);
    EXPECT_TRUE(result.drained);
  }
}

// Deposit. -----------------------------------------------------------------------------------------------------------

TEST(BlueGeneQ, DepositLeavesACopyAtEachNodeOfTheLine) {
  for (unsigned d = 0; d < kDimensions; ++d) {
    QBench bench("4x4x4x4x2", test::shipped_zoned_torus());
    const Topology& topology = bench.network.topology();
    Coordinates to{1, 2, 3, 1, 1};
    const std::uint32_t from = topology.node(to);
    const unsigned extent = topology.extent(d);
    to[d] = static_cast<std::uint8_t>((to[d] + extent - 1) % extent);  // all the way round by plus
    Packet& p = bench.packet(to);
    p.chunks = 17;
    p.deposit = true;
    p.hints = static_cast<std::uint16_t>(1 << 2 * d);
    ASSERT_EQ(bench.network.check(p, from), 0u);
    bench.devices[from]->send(p);
    bench.run();
    std::set<std::uint32_t> nodes;
    for (const test::Delivery& delivery : bench.deliveries) {
      EXPECT_EQ(delivery.fifo, 2 * d + 1);  // from minus
      nodes.insert(delivery.node);
    }
    EXPECT_EQ(bench.deliveries.size(), extent - 1);
    EXPECT_EQ(nodes.size(), extent - 1);
    EXPECT_EQ(nodes.count(from), 0u);
    EXPECT_EQ(bench.network.injected() + bench.network.copied(), bench.network.received());
    EXPECT_EQ(bench.network.pool().in_use(), 0u);

    Packet& off = bench.packet({0, 0, 0, 0, 0});
    off.deposit = true;
    EXPECT_EQ(bench.network.check(off, from), unsigned{kDepositOffLine});
    bench.network.pool().release(off);
  }
}

/// Every node broadcasts along every line at once.
TEST(BlueGeneQ, DepositAtFullLoad) {
  QBench bench("4x4x3x2x2", test::shipped_zoned_torus());
  const Topology& topology = bench.network.topology();
  std::uint64_t expected = 0;
  for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
    for (unsigned d = 0; d < kDimensions; ++d) {
      for (unsigned i = 0; i < 6; ++i) {
        Coordinates to = topology.coordinates(from);
        const unsigned extent = topology.extent(d);
        to[d] = static_cast<std::uint8_t>((to[d] + extent - 1) % extent);
        Packet& p = bench.packet(to);
        p.chunks = static_cast<std::uint8_t>(i % 2 == 0 ? 17 : 2);
        p.deposit = true;
        p.hints = static_cast<std::uint16_t>(1 << 2 * d);
        bench.devices[from]->send(p, d);
        expected += extent - 1;
      }
    }
  }
  bench.run(Cycle{300000});
  EXPECT_EQ(bench.deliveries.size(), expected);
  EXPECT_EQ(bench.network.in_flight(), 0u);
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

// The E dimension. ---------------------------------------------------------------------------------------------------

TEST(BlueGeneQ, BothLinksLeadToTheNeighbourInE) {
  QBench bench("2x2x2x2x2", test::shipped_zoned_torus());
  const Topology& topology = bench.network.topology();
  const Coordinates there{0, 0, 0, 0, 1};
  EXPECT_EQ(bench.network.router(0).neighbour(8), topology.node(there));
  EXPECT_EQ(bench.network.router(0).neighbour(9), topology.node(there));
  for (const unsigned links : {1u, 2u}) {
    bench.deliveries.clear();
    for (unsigned i = 0; i < 200; ++i) {
      Packet& p = bench.packet(there);
      p.chunks = 17;
      p.hints = static_cast<std::uint16_t>(1 << (links == 2 ? 8 + i % 2 : 8));
      bench.devices[0]->send(p, links == 2 ? 8 + i % 2 : 8);
    }
    const Cycle start = bench.wheel.now();
    bench.run(Cycle{100000});
    ASSERT_EQ(bench.deliveries.size(), 200u);
    Cycle last{};
    for (const test::Delivery& delivery : bench.deliveries) last = std::max(last, delivery.at);
    EXPECT_NEAR(static_cast<double>((last - start).count()), 200.0 * 142 / links, 60);
  }
}

/// Hints by parity: nodes with an even sum send by E+, the others by E-.
TEST(BlueGeneQ, ParityUsesBothLinksOfE) {
  QBench bench("4x2x2x2x2", test::shipped_zoned_torus());
  const Topology& topology = bench.network.topology();
  std::array<unsigned, 2> sent{};
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    Coordinates to = topology.coordinates(node);
    unsigned sum = 0;
    for (const unsigned x : to) sum += x;
    to[4] ^= 1;
    bench.devices[node]->send(bench.packet(to));
    bench.run(Cycle{1000});
    const unsigned port = 8 + sum % 2;
    EXPECT_EQ(bench.network.link(node, port).packets, 1u);
    ++sent[sum % 2];
  }
  EXPECT_EQ(sent[0], sent[1]);
}

// Turns of transit and injection. -------------------------------------------------------------------------------------

TEST(BlueGeneQ, TransitGoesFirstUpToItsGrants) {
  for (const unsigned grants : {1u, 4u, 16u}) {
    TorusConfig config = test::shipped_zoned_torus();
    config.zones->transit_grants = grants;
    QBench bench("8x1x1x1x1", config);
    // Both streams leave node 1 by A+.
    for (unsigned i = 0; i < 400; ++i) bench.send_full(0, {2, 0, 0, 0, 0}, 1);
    for (unsigned i = 0; i < 400; ++i) bench.send_full(1, {2, 0, 0, 0, 0}, 1);
    bench.run(Cycle{142 * 200});
    std::array<unsigned, 2> from{};
    for (const test::Delivery& delivery : bench.deliveries) ++from.at(delivery.source);
    EXPECT_NEAR(static_cast<double>(from[0]) / from[1], grants, 0.15 * grants) << from[0] << " " << from[1];
  }
}

// Reception FIFOs, own node, I/O.
// --------------------------------------------------------------------------------------

TEST(BlueGeneQ, ReceptionFifos) {
  QBench bench("4x4x4x4x2", test::shipped_zoned_torus());
  const auto fifo_of = [&](VirtualChannel channel, const Coordinates& to, std::uint8_t routing) {
    Packet& p = bench.packet(to);
    p.channel = channel;
    p.dynamic = channel == Channel::dynamic;
    p.routing = routing;
    EXPECT_EQ(bench.network.check(p, 0), 0u);
    bench.deliveries.clear();
    bench.devices[0]->send(p);
    bench.run(Cycle{1000});
    EXPECT_EQ(bench.network.topology().coordinates(bench.deliveries.at(0).node), to);
    return bench.deliveries.at(0).fifo;
  };
  const Coordinates neighbour{0, 1, 0, 0, 0};
  EXPECT_EQ(fifo_of(Channel::dynamic, neighbour, 0), 3u);  // from B-
  EXPECT_EQ(fifo_of(Channel::deterministic, neighbour, 0), 3u);
  EXPECT_EQ(fifo_of(Channel::high_priority, neighbour, 0), 10u);
  EXPECT_EQ(fifo_of(Channel::system, neighbour, 0), 11u);
  // To the own node, over no link.
  EXPECT_EQ(fifo_of(Channel::deterministic, {0, 0, 0, 0, 0}, 0), 12u);
  EXPECT_EQ(fifo_of(Channel::deterministic, {0, 0, 0, 0, 0}, PacketRouting::second_local), 13u);
  EXPECT_EQ(bench.network.link(0, 0).packets, 0u);
}

/// The far end of an I/O link.
class IoNode final : public LocalPort {
 public:
  IoNode(Network& network, std::uint32_t bridge) : network_(network), bridge_(bridge) {
    network.attach_io(bridge, *this);
  }
  void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
    EXPECT_EQ(fifo, Network::io_fifo());
    received.push_back(packet.source);
    if (reads) network_.router(bridge_).return_tokens(fifo, packet.chunks, at + 1);
    network_.pool().release(packet);
  }
  void injection_taken(unsigned, unsigned, Cycle at) override { taken = at; }

  std::vector<std::uint32_t> received;
  Cycle taken{};
  bool reads = true;

 private:
  Network& network_;
  std::uint32_t bridge_;
};

TEST(BlueGeneQ, PacketsToAndFromTheIoPort) {
  QBench bench("4x4x2x2x2", test::shipped_zoned_torus());
  const Topology& topology = bench.network.topology();
  const Coordinates bridge{1, 2, 0, 0, 0};
  IoNode io(bench.network, topology.node(bridge));
  const auto to_io = [&](std::uint32_t from) -> Packet& {
    Packet& p = bench.packet(bridge);
    p.channel = Channel::system;
    p.routing = PacketRouting::to_io;
    p.chunks = 17;
    EXPECT_EQ(bench.network.check(p, from), 0u);
    return p;
  };
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) bench.devices[node]->send(to_io(node));
  bench.run();
  EXPECT_EQ(std::set<std::uint32_t>(io.received.begin(), io.received.end()).size(), topology.nodes());
  EXPECT_EQ(io.received.size(), topology.nodes());
  EXPECT_TRUE(bench.deliveries.empty());

  // Back, to each node and to the bridge itself.
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    Packet& p = bench.packet(topology.coordinates(node));
    p.channel = Channel::system;
    bench.network.router(topology.node(bridge)).inject_from_io(p, bench.wheel.now());
    io.taken = Cycle{};
    bench.deliveries.clear();
    bench.run(Cycle{2000});
    ASSERT_EQ(bench.deliveries.size(), 1u);
    EXPECT_EQ(bench.deliveries[0].node, node);
    EXPECT_EQ(bench.deliveries[0].fifo, 11u);
    EXPECT_GT(io.taken, Cycle{});
  }
  EXPECT_EQ(bench.network.pool().in_use(), 0u);

  // An I/O node that does not read holds up its own packets only until it reads again.
  io.reads = false;
  io.received.clear();
  for (unsigned i = 0; i < 8; ++i) bench.devices[0]->send(to_io(0));
  bench.run();
  EXPECT_EQ(io.received.size(), 2u);  // two packets' space
  io.reads = true;
  bench.network.router(topology.node(bridge)).return_tokens(Network::io_fifo(), 34, bench.wheel.now() + 1);
  bench.run();
  EXPECT_EQ(io.received.size(), 8u);

  // Not on another channel, and not with the deposit bit.
  Packet& p = to_io(0);
  p.channel = Channel::deterministic;
  EXPECT_EQ(bench.network.check(p, 0), unsigned{kChannelMismatch});
  p.channel = Channel::collective_user;
  p.routing = 0;
  EXPECT_EQ(bench.network.check(p, 0), unsigned{kChannelMismatch});
  bench.network.pool().release(p);
}

}  // namespace
}  // namespace toroid
