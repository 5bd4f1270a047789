// SPDX-License-Identifier: Apache-2.0
// Tree routers in Verilog among those in C++: cycles, results and order are the model's, under load latencies are
// distributed alike; link errors, reports; and that planted defects show.
#include <Vtree.h>
#include <Vtree_carry.h>
#include <Vtree_classes.h>
#include <Vtree_token.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "nic/bgl/rtl/tree_adapter.h"
#include "nic/bgl/rtl/verilated_tree.h"
#include "testbench/shipped.h"
#include "torus/base/random.h"
#include "torus/tree/alu.h"
#include "torus/tree/classes.h"
#include "torus/tree/left_over.h"
#include "torus/tree/network.h"
#include "torus/tree/stuck_report.h"
#include "torus/tree/tree_observer.h"

namespace toroid::rtl {
namespace {

constexpr unsigned kReduce = 0;
constexpr unsigned kBroadcast = 1;
constexpr unsigned kUp = 12;
constexpr unsigned kDown = 13;

using Choice = std::function<bool(std::uint32_t node)>;
const Choice kAll = [](std::uint32_t) { return true; };
const Choice kNobody = [](std::uint32_t) { return false; };
const Choice kOdd = [](std::uint32_t node) { return node % 2 == 1; };
Choice only(std::uint32_t which) {
  return [which](std::uint32_t node) { return node == which; };
}

struct Delivery {
  std::uint32_t node = 0;
  unsigned vc = 0;
  Cycle at = 0;
  Cycle injected = 0;
  std::uint32_t header = 0;
  std::uint32_t source = 0;
  std::uint8_t route_class = 0;
  std::array<std::uint8_t, kTreePayloadBytes> bytes{};
};

/// A tree of which some routers are Verilog, with a client at each node that frees its FIFO after a while.
class Net {
 public:
  template <typename Model = Vtree>
  static std::unique_ptr<Net> make(const std::string& shape, const Choice& choice,
                                   const TreeConfig& config = test::shipped<TreeConfig>(), std::uint64_t seed = 1,
                                   unsigned stall = 0) {
    auto net = std::make_unique<Net>(shape, config, seed, stall);
    for (std::uint32_t node = 0; node < net->tree().nodes(); ++node) {
      if (!choice(node)) continue;
      const std::string name = "tree@" + std::to_string(node);
      auto router = std::make_unique<RtlTreeRouter>(net->network, node, name,
                                                    std::make_unique<VerilatedTree<Model>>(name), net->run_);
      net->routers.push_back(router.get());
      net->network.stand_in(std::move(router));
    }
    return net;
  }

  Net(const std::string& shape, const TreeConfig& config, std::uint64_t seed, unsigned stall)
      : network(wheel, config, Topology(Shape::parse(shape)), seed), run_(wheel), stall_(stall) {
    for (std::uint32_t node = 0; node < tree().nodes(); ++node) {
      clients_.emplace_back(*this, node);
      network.attach(node, clients_.back());
    }
    std::vector<bool> members(tree().nodes(), false);
    std::fill(members.begin(), members.begin() + tree().compute_nodes(), true);
    network.set_class(kReduce, tree_reduction_class(tree(), members));
    network.set_class(kBroadcast, tree_broadcast_class(tree(), members));
    const std::vector<bool> all(tree().nodes(), true);
    network.set_class(kUp, tree_to_io_class(tree(), all));
    network.set_class(kDown, tree_from_io_class(tree(), all));
  }

  const TreeTopology& tree() const { return network.topology(); }
  TreePacket& packet(unsigned route_class, TreeOpcode opcode, unsigned words, std::uint64_t seed, unsigned tag = 0) {
    TreePacket& p = network.pool().allocate();
    p.route_class = static_cast<std::uint8_t>(route_class);
    p.opcode = opcode;
    p.operand_words = static_cast<std::uint8_t>(words);
    p.header = tag << 2 | route_class << 28;
    for (auto& byte : p.data->bytes) byte = static_cast<std::uint8_t>(next_random(seed));
    return p;
  }
  TreePacket& to_one(unsigned route_class, std::uint32_t target, std::uint64_t seed) {
    TreePacket& p = packet(route_class, TreeOpcode::none, 1, seed);
    p.point_to_point = true;
    p.target = target;
    return p;
  }
  void send(std::uint32_t node, TreePacket& p, unsigned vc, Cycle at) { network.router(node).inject(p, vc, at); }
  void run_to_end() { wheel.run_events(kNever - 1); }
  std::string fault() const { return run_.fault().value_or(""); }
  std::uint64_t changed_bytes() const {
    std::uint64_t sum = 0;
    for (const RtlTreeRouter* router : routers) sum += router->changed_bytes();
    return sum;
  }
  /// Nothing under way, and all senders have their tokens. What is wrong.
  std::string left() const {
    if (!fault().empty()) return fault();
    if (network.in_flight() != 0) return std::to_string(network.in_flight()) + " packets in flight";
    for (std::uint32_t node = 0; node < tree().nodes(); ++node) {
      for (unsigned vc = 0; vc < kTreeVirtualChannels; ++vc) {
        for (unsigned port = 0; port < TreeRouter::kPorts; ++port) {
          const bool local = port == kTreeLocal;
          if (!local && tree().neighbour(node, port) == kNoNode) continue;
          const TreeConfig& config = network.config();
          if (network.router(node).tokens(vc, port) != (local ? config.fifo_packets : config.buffer_packets)) {
            return "tokens of node " + std::to_string(node) + ", port " + std::to_string(port);
          }
        }
      }
    }
    if (network_pool_in_use() != 0) return "packets of the pool in use";
    return "";
  }

  Wheel wheel;
  TreeNetwork network;
  std::vector<RtlTreeRouter*> routers;
  std::vector<Delivery> deliveries;

 private:
  class Client : public TreeLocalPort {
   public:
    Client(Net& net, std::uint32_t node) : net_(net), node_(node) {}
    void packet_received(TreePacket& p, unsigned vc, Cycle at) override {
      EXPECT_GT(at, net_.wheel.now());
      net_.deliveries.push_back({node_, vc, at, p.injected, p.header, p.source, p.route_class, p.data->bytes});
      const std::uint64_t wait = net_.stall_ == 0 ? 0 : mix(node_ * 2 + vc, count_[vc]++) % net_.stall_;
      free_at_[vc] = std::max(free_at_[vc], at) + Cycle{1 + wait};
      net_.network.router(node_).return_reception(vc, free_at_[vc]);
      net_.network.pool().release(p);
    }
    void injection_taken(unsigned, Cycle at) override { EXPECT_GT(at, net_.wheel.now()); }

   private:
    Net& net_;
    std::uint32_t node_;
    std::array<std::uint64_t, kTreeVirtualChannels> count_{};
    std::array<Cycle, kTreeVirtualChannels> free_at_{};
  };

  std::size_t network_pool_in_use() const {
    auto& pool = const_cast<TreeNetwork&>(network).pool();
    return pool.in_use() + pool.data_in_use();
  }

  RtlRun run_;
  std::deque<Client> clients_;
  unsigned stall_;
};

TEST(TreeAdapter, TakesTheClosedFormsCyclesAtZeroLoad) {
  TreeConfig longer = test::shipped<TreeConfig>();
  longer.wire_overhead = 60;
  longer.link_cycles = 9;
  longer.reception_cycles = 20;
  for (const TreeConfig& config : {test::shipped<TreeConfig>(), longer}) {
    for (const char* shape : {"1", "2x1x1", "3x3x2", "4x4x4"}) {
      const TreeTopology tree(Topology(Shape::parse(shape)), config.nodes_per_io_node);
      for (const Choice& choice : {only(0), only(tree.root()), kOdd, kAll}) {
        auto net = Net::make(shape, choice, config);
        // Broadcasts.
        for (std::uint32_t from = 0; from < tree.compute_nodes(); from += 7) {
          net->deliveries.clear();
          const Cycle at = net->wheel.now() + 1;
          TreePacket& sent = net->packet(kBroadcast, TreeOpcode::none, 1, from);
          const auto bytes = sent.data->bytes;
          net->send(from, sent, from % 2, at);
          net->run_to_end();
          ASSERT_EQ(net->left(), "");
          ASSERT_EQ(net->deliveries.size(), tree.compute_nodes() - 1u);
          for (const Delivery& got : net->deliveries) {
            ASSERT_EQ(got.at - at, tree_latency(config, tree.distance(from, got.node))) << shape << " to " << got.node;
            ASSERT_EQ(got.bytes, bytes);
          }
        }
        // To one.
        for (std::uint32_t node = 0; node < tree.compute_nodes(); node += 5) {
          for (const bool up : {true, false}) {
            net->deliveries.clear();
            const Cycle at = net->wheel.now() + 1;
            const std::uint32_t io_node = tree.io_node_of(node);
            net->send(up ? node : io_node, net->to_one(up ? kUp : kDown, up ? io_node : node, node), 1, at);
            net->run_to_end();
            ASSERT_EQ(net->left(), "");
            ASSERT_EQ(net->deliveries.size(), 1u);
            ASSERT_EQ(net->deliveries[0].node, up ? io_node : node);
            ASSERT_EQ(net->deliveries[0].at - at, tree_latency(config, tree.distance(node, io_node)));
          }
        }
        // Reductions.
        unsigned deepest = 0;
        for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) deepest = std::max(deepest, tree.depth(node));
        for (const TreeOpcode opcode : {TreeOpcode::add, TreeOpcode::maximum, TreeOpcode::bit_xor}) {
          net->deliveries.clear();
          const Cycle at = net->wheel.now() + 1;
          TreeData expected{};
          for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
            TreePacket& sent = net->packet(kReduce, opcode, 24, node + 1000);
            if (node == 0) {
              expected.bytes = sent.data->bytes;
            } else {
              tree_combine(opcode, 24, expected, *sent.data);
            }
            net->send(node, sent, 0, at);
          }
          net->run_to_end();
          ASSERT_EQ(net->left(), "");
          ASSERT_EQ(net->deliveries.size(), tree.compute_nodes());
          for (const Delivery& got : net->deliveries) {
            ASSERT_EQ(got.at - at, tree_reduction_latency(config, deepest, tree.depth(got.node))) << shape;
            ASSERT_EQ(got.bytes, expected.bytes);
          }
        }
        ASSERT_EQ(net->changed_bytes(), 0u);
      }
    }
  }
}

/// All that an observer is told, in the order of time.
class Story : public TreeObserver {
 public:
  using Line = std::tuple<Cycle, std::uint32_t, unsigned, unsigned, std::uint32_t, Cycle, unsigned>;
  void on_injected(std::uint32_t node, unsigned vc, const TreePacket& packet, Cycle at) override {
    lines_.emplace_back(at, node, vc, 10, packet.serial, 0, packet.data->bytes[0]);
  }
  void on_combined(std::uint32_t node, unsigned vc, const TreePacket& into, const TreePacket& absorbed,
                   Cycle now) override {
    lines_.emplace_back(now, node, vc, 11, into.serial, absorbed.serial, absorbed.data->bytes[0]);
  }
  void on_sent(std::uint32_t node, unsigned vc, unsigned port, const TreePacket& packet, Cycle begin,
               Cycle tail_left) override {
    lines_.emplace_back(begin, node, vc, port, packet.serial, tail_left, packet.data->bytes[0]);
  }
  std::vector<Line> told() {
    std::sort(lines_.begin(), lines_.end());
    return lines_;
  }

 private:
  std::vector<Line> lines_;
};

TEST(TreeAdapter, TellsObserversWhatTheModelTells) {
  std::vector<std::vector<Story::Line>> told;
  for (const Choice& choice : {kNobody, kAll, kOdd}) {
    auto net = Net::make("3x3x2", choice);
    Story story;
    net->network.observe(story);
    for (unsigned i = 0; i < 3; ++i) {
      for (std::uint32_t node = 0; node < net->tree().compute_nodes(); ++node) {
        net->send(node, net->packet(kReduce, TreeOpcode::add, 4, node), 0, Cycle{1 + 2000 * i});
      }
      net->send(4, net->packet(kBroadcast, TreeOpcode::none, 4, i), 1, Cycle{1001 + 2000 * i});
    }
    net->run_to_end();
    ASSERT_EQ(net->left(), "");
    told.push_back(story.told());
    EXPECT_GT(told.back().size(), 200u);
  }
  EXPECT_EQ(told[0], told[1]);
  EXPECT_EQ(told[0], told[2]);
}

/// Random traffic: reductions of random opcodes and sizes on VC0, on VC1 broadcasts and packets to and from I/O nodes.
struct Recorded {
  struct Entry {
    Cycle at;
    std::uint32_t node;
    unsigned vc;
    unsigned route_class;
    TreeOpcode opcode;
    unsigned words;
    std::uint32_t target;
    unsigned tag;
    std::uint64_t seed;
  };

  Recorded(const TreeTopology& tree, unsigned reductions, Cycle gap, std::uint64_t seed) {
    constexpr std::array<TreeOpcode, 5> kOpcodes{TreeOpcode::bit_or, TreeOpcode::bit_and, TreeOpcode::bit_xor,
                                                 TreeOpcode::maximum, TreeOpcode::add};
    Cycle at = 1;
    for (unsigned i = 0; i < reductions; ++i) {
      const TreeOpcode opcode = kOpcodes[next_random(seed, 5)];
      const unsigned words = 1 + next_random(seed, 128);
      for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
        entries.push_back({at + next_random(seed, 50), node, 0, kReduce, opcode, words, 0, i, next_random(seed)});
      }
      for (unsigned k = 0; k < 2; ++k) {
        const std::uint32_t node = next_random(seed, tree.compute_nodes());
        const std::uint32_t io_node = tree.io_node_of(node);
        const Cycle when = at + next_random(seed, static_cast<std::uint32_t>(gap));
        const unsigned kind = next_random(seed, 3);
        const bool down = kind == 2;
        entries.push_back({when, down ? io_node : node, 1,
                           kind == 0 ? kBroadcast
                           : down    ? kDown
                                     : kUp,
                           TreeOpcode::none, 1,
                           kind == 0 ? kNoNode
                           : down    ? node
                                     : io_node,
                           i, next_random(seed)});
      }
      at += gap / 2 + next_random(seed, static_cast<std::uint32_t>(gap));
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
  }

  void play(Net& net) const {
    for (const Entry& entry : entries) {
      TreePacket& p = net.packet(entry.route_class, entry.opcode, entry.words, entry.seed, entry.tag);
      if (entry.vc == 1 && entry.target != kNoNode) {
        p.point_to_point = true;
        p.target = entry.target;
      }
      net.send(entry.node, p, entry.vc, entry.at);
    }
    net.run_to_end();
  }

  std::vector<Entry> entries;
};

/// Of each receiver and flow, contents in order. A reduction's source is one of many.
using Flows = std::map<std::tuple<std::uint32_t, unsigned, unsigned, std::uint32_t>,
                       std::vector<std::array<std::uint8_t, kTreePayloadBytes>>>;
Flows flows_of(const Net& net) {
  Flows flows;
  for (const Delivery& got : net.deliveries) {
    flows[{got.node, got.vc, got.route_class, got.route_class == kReduce ? 0 : got.source}].push_back(got.bytes);
  }
  return flows;
}

std::vector<double> latencies_of(const Net& net, unsigned vc) {
  std::vector<double> latencies;
  for (const Delivery& got : net.deliveries) {
    if (got.vc == vc) latencies.push_back(static_cast<double>(got.at - got.injected));
  }
  std::sort(latencies.begin(), latencies.end());
  return latencies;
}

/// The share of deliveries that come in the same cycle.
double same_cycles(const Net& a, const Net& b) {
  const auto cycles_of = [](const Net& net) {
    std::vector<std::tuple<std::uint32_t, unsigned, Cycle>> cycles;
    for (const Delivery& got : net.deliveries) cycles.emplace_back(got.node, got.vc, got.at);
    std::sort(cycles.begin(), cycles.end());
    return cycles;
  };
  const auto first = cycles_of(a);
  const auto second = cycles_of(b);
  std::vector<std::tuple<std::uint32_t, unsigned, Cycle>> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(first.size());
}

/// Mean and quantiles of the latencies of each virtual channel differ by no more than these shares.
void expect_alike(const Net& model, const Net& rtl, double of_mean, double of_quantiles) {
  for (unsigned vc = 0; vc < kTreeVirtualChannels; ++vc) {
    const std::vector<double> a = latencies_of(model, vc);
    const std::vector<double> b = latencies_of(rtl, vc);
    ASSERT_EQ(a.size(), b.size());
    ASSERT_GT(a.size(), 200u);
    const double sum_a = std::accumulate(a.begin(), a.end(), 0.0);
    const double sum_b = std::accumulate(b.begin(), b.end(), 0.0);
    EXPECT_NEAR(sum_b / sum_a, 1, of_mean) << "mean of VC" << vc;
    if (std::getenv("TOROID_TEST_SHOW") != nullptr) std::printf("VC%u mean ratio %.3f", vc, sum_b / sum_a);
    for (const double quantile : {0.1, 0.25, 0.5, 0.75, 0.9, 0.99}) {
      const auto i = static_cast<std::size_t>(quantile * static_cast<double>(a.size() - 1));
      EXPECT_NEAR(b[i] / a[i], 1, of_quantiles) << "VC" << vc << ", quantile " << quantile;
      if (std::getenv("TOROID_TEST_SHOW") != nullptr) std::printf("  %.2f: %.3f", quantile, b[i] / a[i]);
    }
    if (std::getenv("TOROID_TEST_SHOW") != nullptr) std::printf("\n");
  }
}

TEST(TreeAdapter, RecordedTrafficGivesTheModelsResultsOrderAndLatencies) {
  // Up to where the tree is full nearly all comes in the model's cycles. Beyond, who goes first of those that come in
  // one cycle decides what follows, and latencies are distributed alike only.
  for (const unsigned stall : {0u, 700u}) {
    for (const Cycle gap : {Cycle{1000}, Cycle{300}, Cycle{140}}) {
      auto model = Net::make("3x3x2", kNobody, test::shipped<TreeConfig>(), 1, stall);
      const Recorded traffic(model->tree(), 120, gap, gap.count() + stall);
      traffic.play(*model);
      ASSERT_EQ(model->left(), "");
      for (const Choice& choice : {kAll, kOdd, only(3)}) {
        SCOPED_TRACE("gap " + std::to_string(gap.count()) + ", stalls " + std::to_string(stall));
        auto rtl = Net::make("3x3x2", choice, test::shipped<TreeConfig>(), 1, stall);
        traffic.play(*rtl);
        ASSERT_EQ(rtl->left(), "");
        ASSERT_EQ(rtl->changed_bytes(), 0u);
        ASSERT_TRUE(flows_of(*model) == flows_of(*rtl));
        if (std::getenv("TOROID_TEST_SHOW") != nullptr) {
          std::printf("gap %llu stall %u: same cycles %.3f\n", static_cast<unsigned long long>(gap), stall,
                      same_cycles(*model, *rtl));
        }
        const bool full = gap < 1000;
        expect_alike(*model, *rtl, full ? 0.03 : 0.01, full ? 0.15 : 0.02);
        if (!full) {
          EXPECT_GT(same_cycles(*model, *rtl), 0.98);
        }
        EXPECT_EQ(model->network.links().packets, rtl->network.links().packets);
        EXPECT_EQ(model->network.links().busy_cycles, rtl->network.links().busy_cycles);
        EXPECT_EQ(model->network.hops(), rtl->network.hops());
        EXPECT_EQ(model->network.received(), rtl->network.received());
      }
    }
  }
}

TEST(TreeAdapter, LinkErrorsLoseRepeatAndReorderNothing) {
  auto model = Net::make("3x3x2", kNobody);
  const Recorded traffic(model->tree(), 60, 400, 5);
  traffic.play(*model);
  ASSERT_EQ(model->left(), "");
  for (const double rate : {1e-5, 1e-4, 8e-4}) {
    for (const unsigned retry_packets : {1u, 4u}) {
      TreeConfig config = test::shipped<TreeConfig>();
      config.bit_error_rate = rate;
      config.retry_packets = retry_packets;
      auto with_errors = Net::make("3x3x2", kNobody, config);
      traffic.play(*with_errors);
      for (const Choice& choice : {kAll, kOdd}) {
        auto rtl = Net::make("3x3x2", choice, config, 1, 300);
        traffic.play(*rtl);
        ASSERT_EQ(rtl->left(), "") << rate << " " << retry_packets;
        ASSERT_TRUE(flows_of(*model) == flows_of(*rtl));
        EXPECT_GT(rtl->network.links().damaged, 0u);
        EXPECT_GE(rtl->network.links().retransmissions, rtl->network.links().damaged);
        EXPECT_EQ(rtl->changed_bytes(), 0u);
      }
    }
  }
}

TEST(TreeAdapter, OneFrameTakesWhatItsNacksCost) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.bit_error_rate = 1e-3;
  unsigned damaged = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Cycle at = 0;
    for (const Choice& choice : {kNobody, kAll}) {
      auto net = Net::make("1", choice, config, seed);
      net->send(0, net->to_one(kUp, 1, seed), 0, 1);
      net->run_to_end();
      ASSERT_EQ(net->left(), "");
      ASSERT_EQ(net->deliveries.size(), 1u);
      if (at != 0) {
        EXPECT_EQ(net->deliveries[0].at, at);
        damaged += net->network.links().damaged != 0;
      }
      at = net->deliveries[0].at;
    }
  }
  EXPECT_GT(damaged, 10u);
}

TEST(TreeAdapter, AFullRetryBufferWaitsForAcknowledgementsAsTheModels) {
  for (const unsigned packets : {1u, 2u}) {
    TreeConfig config = test::shipped<TreeConfig>();
    config.bit_error_rate = 1e-12;
    config.retry_packets = packets;
    auto net = Net::make("1", kAll, config);
    for (unsigned i = 0; i < 8; ++i) net->send(0, net->to_one(kUp, 1, i), 0, 1);
    net->run_to_end();
    ASSERT_EQ(net->left(), "");
    ASSERT_EQ(net->deliveries.size(), 8u);
    for (unsigned i = 1; i < 8; ++i) {
      ASSERT_EQ(net->deliveries[i].at - net->deliveries[i - 1].at,
                packets == 1 ? tree_nack_cycles(config) : tree_wire_cycles(config));
    }
  }
}

TEST(TreeAdapter, ReportsOfATreeThatStandsStillAreTheModels) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.stuck_after = 5000;
  std::vector<std::string> said;
  for (const Choice& choice : {kNobody, kAll, kOdd}) {
    auto net = Net::make("4x4x4", choice, config);
    for (unsigned i = 0; i < 12; ++i) {
      for (std::uint32_t node = 0; node < 64; ++node) {
        if (node != 17 && node != 30) net->send(node, net->packet(kReduce, TreeOpcode::add, 1, i), 0, 1);
      }
    }
    net->run_to_end();
    EXPECT_EQ(net->fault(), "");
    EXPECT_TRUE(net->network.progress().stuck());
    EXPECT_EQ(net->wheel.next(), kNever) << "what stands still costs something";
    std::string text = tree_stuck_text(net->network);
    for (const TreeLeftOver& left : tree_left_over(net->network, 0)) text += tree_left_over_text(net->tree(), left);
    said.push_back(text);
  }
  EXPECT_NE(said[0].find("tree node 17, class 0 on VC0: its processor has injected nothing"), std::string::npos);
  EXPECT_EQ(said[0], said[1]);
  EXPECT_EQ(said[0], said[2]);
}

TEST(TreeAdapter, DescriptorsActFromTheNextCycleOn) {
  std::vector<Cycle> at;
  for (const Choice& choice : {kNobody, kAll}) {
    auto net = Net::make("2x1x1", choice);
    net->send(0, net->packet(5, TreeOpcode::none, 1, 1), 0, 1);  // a class that nobody knows
    net->wheel.run_until(500);
    EXPECT_TRUE(net->deliveries.empty());
    net->network.set_class(5, tree_broadcast_class(net->tree(), std::vector<bool>(net->tree().nodes(), true)));
    net->run_to_end();
    EXPECT_EQ(net->left(), "");
    ASSERT_EQ(net->deliveries.size(), 2u);
    at.push_back(net->deliveries[0].at);
    at.push_back(net->deliveries[1].at);
  }
  EXPECT_EQ(at[0], at[2]);
  EXPECT_EQ(at[1], at[3]);
}

TEST(TreeAdapter, IsClockedOnlyWhileThereIsSomethingToDo) {
  auto net = Net::make("2x1x1", kAll);
  net->send(0, net->packet(kBroadcast, TreeOpcode::none, 1, 1), 0, 100000);
  net->run_to_end();
  ASSERT_EQ(net->left(), "");
  for (const RtlTreeRouter* router : net->routers) EXPECT_LT(router->clock_cycles(), 200u) << router->name();
}

TEST(TreeAdapter, SaysWhatItCannotDo) {
  EXPECT_TRUE(RtlTreeRouter::obstacles(test::shipped<TreeConfig>()).empty());
  TreeConfig config = test::shipped<TreeConfig>();
  config.receiver_cycles = 9;
  config.buffer_packets = 5;
  EXPECT_EQ(RtlTreeRouter::obstacles(config).size(), 2u);
}

// Planted defects. ----------------------------------------------------------------------------------------------------

TEST(TreeAdapter, ALostCarryIsDeliveredCountedAndSeen) {
  auto model = Net::make("3x3x2", kNobody);
  const Recorded traffic(model->tree(), 20, 400, 3);
  traffic.play(*model);
  for (const Choice& choice : {kAll, only(model->tree().root())}) {
    auto rtl = Net::make<Vtree_carry>("3x3x2", choice);
    traffic.play(*rtl);
    EXPECT_EQ(rtl->left(), "");
    EXPECT_GT(rtl->changed_bytes(), 0u);
    if (rtl->routers.size() > 1) {
      EXPECT_FALSE(flows_of(*model) == flows_of(*rtl));
    }
  }
}

TEST(TreeAdapter, ALostTokenIsAFault) {
  auto rtl = Net::make<Vtree_token>("3x3x2", kAll);
  Recorded(rtl->tree(), 20, 400, 3).play(*rtl);
  EXPECT_NE(rtl->fault().find("it has not given back the token for a packet that has left VC0 of channel 0"),
            std::string::npos)
      << rtl->fault();
  EXPECT_EQ(rtl->fault().find("tree@"), 0u) << rtl->fault();
}

TEST(TreeAdapter, CombiningPacketsOfDifferentClassesIsAFault) {
  auto rtl = Net::make<Vtree_classes>("4x4x4", kAll);
  rtl->network.set_class(2, tree_reduction_class(rtl->tree(), std::vector<bool>(rtl->tree().nodes(), true)));
  for (std::uint32_t node = 0; node < 64; ++node) {
    rtl->send(node, rtl->packet(node == 9 ? 2 : kReduce, TreeOpcode::add, 4, 1), 0, 1);
  }
  rtl->run_to_end();
  EXPECT_NE(rtl->fault().find("differ in class, opcode or"), std::string::npos) << rtl->fault();
}

}  // namespace
}  // namespace toroid::rtl
