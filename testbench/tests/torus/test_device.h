// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "testbench/shipped.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid::test {

/// What has come out of the network at a node.
struct Delivery {
  std::uint32_t node;
  unsigned fifo;
  Cycle at;
  std::uint32_t source;
  std::uint32_t serial;
  unsigned chunks;
  unsigned hops;
  VirtualChannel channel;
  Coordinates destination;
  std::vector<std::uint8_t> bytes;
};

/// A node's device: queues of packets in front of the injection FIFOs, and a reader that takes packets at once or, when
/// told so, never.
template <typename F>
class BasicTestDevice final : public LocalPort {
 public:
  BasicTestDevice(BasicTorusNetwork<F>& network, std::uint32_t node, std::vector<Delivery>& deliveries)
      : network_(network),
        node_(node),
        router_(network.router(network.topology().router_of(node))),
        local_(network.topology().local(node)),
        deliveries_(deliveries),
        waiting_(network.injection_fifos()),
        taken_(network.injection_fifos(), false) {
    network.attach(node, *this);
  }

  void send(Packet& packet, unsigned fifo = 0) {
    packet.source = node_;
    waiting_[fifo].push_back(&packet);
    if (!taken_[fifo]) hand_over(fifo, network_.now());
  }

  void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
    Delivery delivery{
        node_, fifo, at, packet.source, packet.serial, packet.chunks, packet.hops, packet.channel, packet.destination,
        {}};
    if (packet.data) {
      delivery.bytes.assign(packet.data, packet.data + packet.chunks * F::kChunkBytes);
    }
    deliveries_.push_back(delivery);
    if (reads) router_.return_tokens(fifo, packet.chunks, at + 1, local_);
    network_.pool().release(packet);
  }

  void injection_taken(unsigned fifo, unsigned, Cycle at) override {
    taken_[fifo] = false;
    taken_at.push_back(at);
    if (!waiting_[fifo].empty()) hand_over(fifo, at);
  }

  bool reads = true;
  std::vector<Cycle> taken_at;

 private:
  void hand_over(unsigned fifo, Cycle at) {
    Packet& packet = *waiting_[fifo].front();
    waiting_[fifo].pop_front();
    taken_[fifo] = true;
    router_.inject(packet, fifo, at, local_);
  }

  BasicTorusNetwork<F>& network_;
  std::uint32_t node_;
  BasicRouter<F>& router_;
  unsigned local_;
  std::vector<Delivery>& deliveries_;
  std::vector<std::deque<Packet*>> waiting_;
  std::vector<bool> taken_;
};

/// A network with a test device at every node.
template <typename F>
struct BasicBench {
  explicit BasicBench(const std::string& shape, const TorusConfig& config = shipped_torus(), std::uint64_t seed = 1)
      : network(wheel, config, Shape::parse(shape), seed) {
    for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
      devices.push_back(std::make_unique<BasicTestDevice<F>>(network, node, deliveries));
    }
  }

  /// A packet to `destination`, deterministic, one chunk, hints left to the hardware.
  Packet& packet(const Coordinates& destination, bool data = false) {
    Packet& p = network.pool().allocate(data);
    p.destination = destination;
    p.channel = FamilyTables<F>::kFirstOrdered[0];
    p.serial = serial++;
    return p;
  }
  /// Sends `count` packets of maximum size, dynamic ones where asked for, from FIFO 0 of node `from`.
  void send_full(std::uint32_t from, const Coordinates& to, unsigned count, bool dynamic = false) {
    for (unsigned i = 0; i < count; ++i) {
      Packet& p = packet(to);
      p.chunks = F::kMaxChunks;
      p.dynamic = dynamic;
      if (dynamic) p.channel = FamilyTables<F>::kFirstAdaptive[0];
      devices[from]->send(p);
    }
  }
  void run(Cycle cycles = 100000) { wheel.run_until(wheel.now() + cycles); }

  Wheel wheel;
  BasicTorusNetwork<F> network;
  std::vector<Delivery> deliveries;
  std::vector<std::unique_ptr<BasicTestDevice<F>>> devices;
  std::uint32_t serial = 0;
};

using TestDevice = BasicTestDevice<BlueGeneLpFamily>;
using Bench = BasicBench<BlueGeneLpFamily>;

}  // namespace toroid::test
