// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "testbench/shipped.h"
#include "torus/tree/classes.h"
#include "torus/tree/network.h"

namespace toroid::test::tree {

struct Delivery {
  std::uint32_t node;
  unsigned vc;
  Cycle at;
  std::uint32_t header;
  std::uint64_t value;  ///< of the payload's first 8 bytes
  bool rest_is_zero;    ///< as sent
};

inline std::uint64_t value_of(const TreePacket& packet) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) value = value << 8 | packet.data->bytes[i];
  return value;
}

inline bool rest_is_zero(const TreePacket& packet) {
  const auto& bytes = packet.data->bytes;
  return std::all_of(bytes.begin() + 8, bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

struct Bench;

class Client : public TreeLocalPort {
 public:
  Client(Bench& bench, std::uint32_t node) : bench_(bench), node_(node) {}
  void packet_received(TreePacket& packet, unsigned vc, Cycle at) override;
  void injection_taken(unsigned vc, Cycle at) override {
    --waiting[vc];
    taken_at = at;
  }
  bool reads = true;
  unsigned waiting[kTreeVirtualChannels] = {};
  Cycle taken_at = 0;

 private:
  Bench& bench_;
  std::uint32_t node_;
};

constexpr unsigned kReduce = 0;
constexpr unsigned kBroadcast = 1;
constexpr unsigned kUp = 12;
constexpr unsigned kDown = 13;

struct Bench {
  explicit Bench(const std::string& shape, const TreeConfig& config = shipped<TreeConfig>(), std::uint64_t seed = 1)
      : network(wheel, config, Topology(Shape::parse(shape)), seed) {
    const TreeTopology& tree = network.topology();
    for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
      clients.emplace_back(*this, node);
      network.attach(node, clients.back());
    }
    std::vector<bool> members(tree.nodes(), false);
    for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) members[node] = true;
    set_classes(members);
    network.set_class(kUp, tree_to_io_class(tree, std::vector<bool>(tree.nodes(), true)));
    network.set_class(kDown, tree_from_io_class(tree, std::vector<bool>(tree.nodes(), true)));
  }

  void set_classes(const std::vector<bool>& members) {
    network.set_class(kReduce, tree_reduction_class(network.topology(), members));
    network.set_class(kBroadcast, tree_broadcast_class(network.topology(), members));
  }

  TreePacket& packet(unsigned route_class, TreeOpcode opcode, std::uint64_t value, unsigned words = 4) {
    TreePacket& p = network.pool().allocate();
    p.route_class = static_cast<std::uint8_t>(route_class);
    p.opcode = opcode;
    p.operand_words = static_cast<std::uint8_t>(words);
    p.data->bytes.fill(0);
    for (unsigned i = 0; i < 8; ++i) p.data->bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    return p;
  }
  void send(std::uint32_t node, TreePacket& packet, unsigned vc = 0, Cycle delay = 1) {
    ++clients[node].waiting[vc];
    network.router(node).inject(packet, vc, wheel.now() + delay);
  }
  void run(Cycle cycles) { wheel.run_until(wheel.now() + cycles); }

  Wheel wheel;
  TreeNetwork network;
  std::deque<Client> clients;
  std::vector<Delivery> deliveries;
};

inline void Client::packet_received(TreePacket& packet, unsigned vc, Cycle at) {
  bench_.deliveries.push_back({node_, vc, at, packet.header, value_of(packet), rest_is_zero(packet)});
  if (reads) bench_.network.router(node_).return_reception(vc, at + 1);
  bench_.network.pool().release(packet);
}

}  // namespace toroid::test::tree
