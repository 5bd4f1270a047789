// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/shipped.h"
#include "torus/base/random.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid::test {

/// One packet of recorded traffic: what a device handed to its router, and when.
struct Injection {
  Cycle at = 0;
  std::uint32_t node = 0;
  unsigned fifo = 0;
  Coordinates destination{};
  std::uint16_t hints = 0;
  unsigned chunks = 1;
  VirtualChannel channel = BlueGeneLpChannel::bubble;
  bool dynamic = false;
  bool deposit = false;
  unsigned group = 0;
};
using Recording = std::vector<Injection>;

/// A packet, or the copy of one, at a device.
struct Arrival {
  std::uint32_t node = 0;
  std::uint32_t source = 0;
  std::uint32_t serial = 0;  ///< place in the recording
  unsigned fifo = 0;
  Cycle injected = 0;
  Cycle at = 0;
  bool good = true;  ///< contents are what was sent, looked at when they are due

  Cycle latency() const { return at - injected; }
};

struct ReplayOptions {
  TorusConfig torus = shipped_torus();
  std::uint64_t seed = 1;
  /// A reader does not free a packet's place for up to so many cycles, drawn for each packet; the same in every replay.
  unsigned longest_stall = 0;
  Cycle limit = 20000000;
  /// Puts other units in the place of models.
  std::function<void(TorusNetwork&)> install;
  /// Says that a run has come to its end before its time. May be empty.
  std::function<bool()> failed;
};

/// Plays a recording into a network and keeps what comes out.
class Replay {
 public:
  Replay(const std::string& shape, const Recording& recording, const ReplayOptions& options)
      : network(wheel, options.torus, Topology(Shape::parse(shape, "XYZUV")), options.seed), options_(options) {
    for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
      nodes_.push_back(std::make_unique<Node>(*this, node));
    }
    if (options.install) options.install(network);
    for (std::uint32_t serial = 0; serial < recording.size(); ++serial) {
      nodes_[recording[serial].node]->add(recording[serial], serial);
    }
  }

  /// To the end of all traffic, or the limit, or until nothing moves.
  void run() {
    while (wheel.now() < options_.limit && !network.progress().stuck()) {
      if (drained() || (options_.failed && options_.failed())) break;
      wheel.run_until(wheel.now() + 10000);
    }
    wheel.run_until(wheel.now() + 1000);  // the last ones are looked at
  }
  bool drained() const { return network.in_flight() == 0 && waiting_ == 0; }

  Wheel wheel;
  TorusNetwork network;
  std::vector<Arrival> arrivals;  ///< in the order of the network's calls

 private:
  static std::uint8_t content(std::uint32_t source, std::uint32_t serial, unsigned byte) {
    return static_cast<std::uint8_t>(mix(mix(source, serial), byte / 8) >> 8 * (byte % 8));
  }

  class Node final : public LocalPort, public WheelUnit {
   public:
    Node(Replay& replay, std::uint32_t node)
        : replay_(replay), node_(node), waiting_(replay.network.injection_fifos()) {
      replay.network.attach(node, *this);
    }

    void add(const Injection& injection, std::uint32_t serial) {
      ++replay_.waiting_;
      replay_.wheel.post(std::max<Cycle>(injection.at, 1), *this, kDue, static_cast<std::uint32_t>(due_.size()));
      due_.emplace_back(injection, serial);
    }

    void on_event(std::uint32_t what, std::uint32_t arg) override {
      if (what == kDue) {
        Fifo& fifo = waiting_[due_[arg].first.fifo];
        fifo.packets.push_back(arg);
        if (!fifo.busy) hand_over(fifo, std::max(replay_.wheel.now(), fifo.free_at));
      } else {
        look_at(arg);
      }
    }

    void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
      kept_.push_back(Kept{&packet, fifo});
      Arrival arrival;
      arrival.node = node_;
      arrival.source = packet.source;
      arrival.serial = packet.serial;
      arrival.fifo = fifo;
      arrival.injected = packet.injected;
      arrival.at = at;
      kept_.back().arrival = replay_.arrivals.size();
      replay_.arrivals.push_back(arrival);
      replay_.wheel.post(at, *this, kLook, static_cast<std::uint32_t>(kept_.size() - 1));
    }

    void injection_taken(unsigned fifo, unsigned, Cycle at) override {
      waiting_[fifo].busy = false;
      waiting_[fifo].free_at = at;
      if (!waiting_[fifo].packets.empty()) hand_over(waiting_[fifo], at);
    }

   private:
    enum Event : std::uint32_t { kDue, kLook };
    struct Fifo {
      std::deque<std::uint32_t> packets;
      bool busy = false;
      Cycle free_at = 0;  ///< when the packet before is out
    };
    struct Kept {
      Packet* packet;
      unsigned fifo;
      std::size_t arrival = 0;
    };

    void hand_over(Fifo& fifo, Cycle at) {
      const auto& [injection, serial] = due_[fifo.packets.front()];
      fifo.packets.pop_front();
      fifo.busy = true;
      --replay_.waiting_;
      Packet& p = replay_.network.pool().allocate(true);
      p.source = node_;
      p.serial = serial;
      p.destination = injection.destination;
      p.hints = injection.hints;
      p.chunks = static_cast<std::uint8_t>(injection.chunks);
      p.channel = injection.channel;
      p.dynamic = injection.dynamic;
      p.deposit = injection.deposit;
      p.group = static_cast<std::uint8_t>(injection.group);
      for (unsigned i = 0; i < BlueGeneLpFamily::kMaxPacketBytes; ++i)
        p.data[i] = i < 8 ? 0 : content(node_, serial, i);
      replay_.network.router(node_).inject(p, injection.fifo, at);
    }

    void look_at(std::uint32_t index) {
      const Kept& kept = kept_[index];
      Packet& p = *kept.packet;
      Arrival& arrival = replay_.arrivals[kept.arrival];
      for (unsigned i = 8; i < p.chunks * BlueGeneLpFamily::kChunkBytes; ++i) {
        if (p.data[i] != content(p.source, p.serial, i)) arrival.good = false;
      }
      std::uint64_t random = mix(mix(replay_.options_.seed, node_), p.serial);
      const unsigned longest = replay_.options_.longest_stall;
      const unsigned stall = longest != 0 ? next_random(random, longest) : 0;
      replay_.network.router(node_).return_tokens(kept.fifo, p.chunks, replay_.wheel.now() + 1 + stall);
      replay_.network.pool().release(p);
    }

    Replay& replay_;
    const std::uint32_t node_;
    std::vector<std::pair<Injection, std::uint32_t>> due_;
    std::vector<Fifo> waiting_;
    std::vector<Kept> kept_;
  };

  const ReplayOptions options_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::uint64_t waiting_ = 0;
};

/// What random traffic is made of.
struct Mix {
  unsigned packets = 1000;
  Cycle gap = 100;  ///< mean cycles between a node's packets; 0: all at once
  double dynamic_share = 0.5;
  double priority_share = 0.1;  ///< of the deterministic ones
  double deposit_share = 0;     ///< of all; those go along a line, deterministic
  std::vector<unsigned> chunks{1, 2, 4, 8};
  std::uint64_t seed = 1;
};

/// Packets from every node to others at random.
inline Recording random_traffic(const std::string& shape, const Mix& mix_of) {
  const Topology topology(Shape::parse(shape));
  std::uint64_t random = mix(0xF00D, mix_of.seed);
  const auto chance = [&random](double share) { return next_random(random, 1u << 20) < share * (1u << 20); };
  Recording recording;
  for (unsigned i = 0; i < mix_of.packets; ++i) {
    Injection p;
    p.node = next_random(random, topology.nodes());
    const Cycle over = mix_of.gap * mix_of.packets / topology.nodes() + 1;
    p.at = mix_of.gap != 0 ? Cycle{next_random(random, static_cast<std::uint32_t>(over))} : 1;
    p.chunks = mix_of.chunks[next_random(random, static_cast<std::uint32_t>(mix_of.chunks.size()))];
    p.group = next_random(random, 2);
    const Coordinates here = topology.coordinates(p.node);
    p.destination = here;
    if (chance(mix_of.deposit_share)) {
      p.deposit = true;
      const unsigned d = next_random(random, topology.dimensions());
      const unsigned extent = topology.extent(d);
      if (extent < 2) continue;
      p.destination[d] = static_cast<std::uint8_t>((here[d] + 1 + next_random(random, extent - 1)) % extent);
    } else {
      do {
        p.destination = topology.coordinates(next_random(random, topology.nodes()));
      } while (p.destination == here);
      p.dynamic = chance(mix_of.dynamic_share);
    }
    const bool priority = !p.dynamic && !p.deposit && chance(mix_of.priority_share);
    p.channel = p.dynamic  ? BlueGeneLpChannel::dynamic0
                : priority ? BlueGeneLpChannel::priority
                           : BlueGeneLpChannel::bubble;
    p.fifo = 4 * p.group + (priority ? 3 : next_random(random, 3));
    recording.push_back(p);
  }
  std::stable_sort(recording.begin(), recording.end(),
                   [](const Injection& a, const Injection& b) { return a.at < b.at; });
  return recording;
}

/// Who got what: node, source and packet, sorted.
inline std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> who_got_what(const Replay& replay) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> all;
  for (const Arrival& a : replay.arrivals) all.emplace_back(a.node, a.source, a.serial);
  std::sort(all.begin(), all.end());
  return all;
}

/// Deterministic packets of one flow (source, injection FIFO, destination, channel) that arrived before one injected
/// earlier.
inline unsigned out_of_order(const Replay& replay, const Recording& recording) {
  std::vector<Arrival> arrivals = replay.arrivals;
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
  std::map<std::tuple<std::uint32_t, unsigned, std::uint32_t, VirtualChannel>, Cycle> last;
  unsigned found = 0;
  for (const Arrival& a : arrivals) {
    const Injection& p = recording[a.serial];
    if (p.dynamic) continue;
    Cycle& before = last[{a.source, p.fifo, a.node, p.channel}];
    if (a.injected < before) ++found;
    before = std::max(before, a.injected);
  }
  return found;
}

/// The latency below which `share` of the arrivals lie.
inline Cycle latency_quantile(const Replay& replay, double share) {
  std::vector<Cycle> latencies;
  for (const Arrival& a : replay.arrivals) latencies.push_back(a.latency());
  if (latencies.empty()) return 0;
  std::sort(latencies.begin(), latencies.end());
  return latencies[std::min(latencies.size() - 1,
                            static_cast<std::size_t>(share * static_cast<double>(latencies.size())))];
}

}  // namespace toroid::test
