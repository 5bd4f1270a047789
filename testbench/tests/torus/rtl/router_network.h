// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/tests/torus/rtl/router_bench.h"

namespace toroid::rtl {

/// Routers joined pin to pin, as far apart as the model's: a byte is on the neighbour's pins 2 cycles after it left,
/// tokens 10. Random packets, random stalls of links, of tokens and of the nodes. What comes out is checked against
/// what went in; the first fault found ends the run.
class RouterNetwork {
 public:
  struct Traffic {
    unsigned packets = 100;  ///< of each node
    unsigned dynamic_percent = 50;
    unsigned priority_percent = 10;
    unsigned deposit_percent = 0;  ///< of those that go along one line
    unsigned stall_percent = 0;    ///< of the cycles, for each link; tokens and nodes are as slow
    std::uint64_t seed = 1;
  };

  RouterNetwork(const Topology& topology, const TorusConfig& config, const Traffic& traffic,
                const std::function<std::unique_ptr<RouterPins>()>& make)
      : topology_(topology), config_(config), traffic_(traffic), random_(mix(traffic.seed, 9)) {
    nodes_.resize(topology.nodes());
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
      Node& node = nodes_[n];
      node.router = make();
      RouterSettings settings = settings_for(topology, topology.coordinates(n), config);
      settings.seed = n + 1;
      node.router->reset(settings);
      node.to_send = traffic.packets;
      node.reading.fill({});
      for (unsigned link = 0; link < kLinks; ++link) {
        node.neighbour[link] = topology.neighbour(n, static_cast<Direction>(link));
      }
    }
  }

  /// Until all has come, or nothing comes for long. Returns what is wrong, or nothing.
  std::string run() {
    while (fault_.empty() && (left_to_send() || outstanding_ || !all_idle())) {
      step();
      if (cycle_ > last_read_ + 20000) return "nothing comes any more at cycle " + std::to_string(cycle_);
    }
    if (!fault_.empty()) return fault_ + " at cycle " + std::to_string(cycle_);
    // All space is back where it was, or the counters' assertions would have spoken: see torus_tokens.
    for (const Node& node : nodes_) {
      for (const auto& link : node.taken) {
        for (const int chunks : link) {
          if (chunks) return "tokens are missing: " + std::to_string(chunks);
        }
      }
    }
    return {};
  }

  Edge cycle() const { return cycle_; }
  std::uint64_t received() const { return received_; }
  std::uint64_t copies() const { return copies_; }
  std::uint64_t hops() const { return hops_; }
  std::uint64_t bubble_hops() const { return bubble_hops_; }

 private:
  static constexpr unsigned kWireCycles = 2;
  static constexpr unsigned kTokenCycles = 10;

  struct Expected {
    Bytes bytes;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint64_t flow = 0;
    std::vector<std::uint32_t> copies;  ///< nodes that must get one
  };
  struct Injecting {
    Bytes bytes;
    std::size_t next = 0;  ///< quad to write
    bool waits = false;    ///< its grant has not come
    Edge not_before = 0;
    Edge first = 0;  ///< cycle of its first quad
  };
  struct Node {
    std::unique_ptr<RouterPins> router;
    RouterInputs in;
    RouterOutputs out;
    std::array<std::uint32_t, kLinks> neighbour{};
    std::array<std::array<LinkByte, kWireCycles>, kLinks> wire{};
    std::array<std::deque<std::pair<Edge, std::array<std::uint8_t, kLinkChannels>>>, kLinks> tokens;
    std::array<std::array<int, kLinkChannels>, kLinks> taken{};
    std::array<Bytes, kLinks> header;  ///< of the packet that goes out
    std::array<unsigned, kLinks> channel{};
    std::array<Injecting, kInjectionFifos> injecting;
    std::array<Bytes, kReceptionFifos> reading;
    std::deque<std::pair<Edge, std::pair<unsigned, unsigned>>> freed;
    unsigned to_send = 0;
  };

  unsigned random(unsigned below) { return next_random(random_, below); }
  bool stalls() { return traffic_.stall_percent && random(100) < traffic_.stall_percent; }

  std::uint64_t left_to_send() const {
    std::uint64_t left = 0;
    for (const Node& node : nodes_) {
      left += node.to_send;
      for (const Injecting& fifo : node.injecting) left += !fifo.bytes.empty();
    }
    return left;
  }

  bool all_idle() const {
    for (const Node& node : nodes_) {
      if (!node.out.idle || !node.freed.empty()) return false;
      for (const auto& link : node.tokens) {
        if (!link.empty()) return false;
      }
      for (const auto& link : node.wire) {
        for (const LinkByte& byte : link) {
          if (byte.valid) return false;
        }
      }
    }
    return true;
  }

  void new_packet(std::uint32_t n, unsigned fifo) {
    Node& node = nodes_[n];
    const std::uint64_t serial = ++serial_;
    torus_fields_t fields = {};
    Expected expected;
    expected.source = n;
    do {
      expected.destination = random(topology_.nodes());
    } while (expected.destination == n);
    const Coordinates from = topology_.coordinates(n);
    Coordinates to = topology_.coordinates(expected.destination);
    fields.dynamic = random(100) < traffic_.dynamic_percent;
    fields.chunks = static_cast<std::uint8_t>(1 + random(8));
    fields.pid = static_cast<std::uint8_t>(random(2));
    fields.vc = fields.dynamic ? 0 : random(100) < traffic_.priority_percent ? 3 : 2;
    if (random(100) < traffic_.deposit_percent) {
      // Along one line.
      const unsigned keep = random(3);
      for (unsigned d = 0; d < 3; ++d) {
        if (d != keep) to[d] = from[d];
      }
      if (topology_.node(to) != n) {
        fields.deposit = 1;
        expected.destination = topology_.node(to);
        const auto hints = topology_.hints(from, to, topology_.minimal_cut_offs(from, config_.tie_rule));
        const auto direction = static_cast<Direction>(__builtin_ctz(hints));
        for (std::uint32_t at = topology_.neighbour(n, direction); at != expected.destination;
             at = topology_.neighbour(at, direction)) {
          expected.copies.push_back(at);
        }
      } else {
        to = topology_.coordinates(expected.destination);
      }
    }
    for (unsigned d = 0; d < 3; ++d) fields.destination[d] = to[d];
    expected.bytes = make_packet(fields, serial);
    expected.flow = (std::uint64_t{n} << 32 | expected.destination) * 64 + fifo * 8 + fields.vc * 2u + fields.pid;
    outstanding_ += 1 + expected.copies.size();
    Injecting& injecting = node.injecting[fifo];
    injecting = {expected.bytes, 0, true, std::max(injecting.not_before, cycle_ + 1), 0};
    expected_.emplace(serial, std::move(expected));
    --node.to_send;
  }

  void step() {
    ++cycle_;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) inputs(n);
    for (Node& node : nodes_) node.router->clock(node.in, node.out);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) outputs(n);
  }

  void inputs(std::uint32_t n) {
    Node& node = nodes_[n];
    node.in = RouterInputs{};
    for (unsigned link = 0; link < kLinks; ++link) {
      node.in.link[link] = node.wire[link][0];
      auto& tokens = node.tokens[link];
      if (!tokens.empty() && tokens.front().first <= cycle_) {
        node.in.tokens[link] = tokens.front().second;
        for (unsigned c = 0; c < kLinkChannels; ++c) node.taken[link][c] -= tokens.front().second[c];
        tokens.pop_front();
      }
      if (stalls()) node.in.stop |= static_cast<std::uint8_t>(1u << link);
    }
    // New packets, and one quad a cycle.
    if (node.to_send) {
      const unsigned fifo = random(kInjectionFifos);
      if (node.injecting[fifo].bytes.empty()) new_packet(n, fifo);
    }
    int best = -1;
    Edge best_due = 0;
    for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
      const Injecting& injecting = node.injecting[fifo];
      if (injecting.bytes.empty() || injecting.next * kQuadBytes == injecting.bytes.size() ||
          injecting.not_before > cycle_) {
        continue;
      }
      // Packets begun go before new ones: their quads may not come slower than they leave.
      const Edge due = injecting.next ? injecting.first + 16 * injecting.next : ~Edge{0};
      if (best >= 0 && due >= best_due) continue;
      best = static_cast<int>(fifo);
      best_due = due;
    }
    if (best >= 0) {
      Injecting& injecting = node.injecting[static_cast<unsigned>(best)];
      node.in.write = true;
      node.in.write_first = injecting.next == 0;
      node.in.write_fifo = static_cast<std::uint8_t>(best);
      std::copy_n(injecting.bytes.begin() + static_cast<std::ptrdiff_t>(kQuadBytes * injecting.next), kQuadBytes,
                  node.in.write_data.begin());
      if (!injecting.next) injecting.first = cycle_;
      ++injecting.next;
      injecting.not_before = cycle_ + 1 + random(8);
    }
    while (!node.freed.empty() && node.freed.front().first <= cycle_) {
      node.in.reception_free[node.freed.front().second.first] = static_cast<std::uint8_t>(
          node.in.reception_free[node.freed.front().second.first] + node.freed.front().second.second);
      node.freed.pop_front();
    }
  }

  void outputs(std::uint32_t n) {
    Node& node = nodes_[n];
    for (unsigned link = 0; link < kLinks; ++link) {
      const std::uint32_t other = node.neighbour[link];
      const LinkByte& byte = node.out.link[link];
      if (other == kNoNode) {
        if (byte.valid) fault_ = "a packet over the edge of a mesh";
        continue;
      }
      LinkByte moved = byte;
      moved.from = moved.channel = 0;
      auto& wire = nodes_[other].wire[link ^ 1];
      wire[0] = wire[1];
      wire[1] = moved;
      if (byte.valid && byte.first) {
        ++hops_;
        node.header[link].clear();
        node.channel[link] = byte.channel;
        if (byte.channel == 2) ++bubble_hops_;
      }
      if (byte.valid && node.header[link].size() < 8) {
        node.header[link].push_back(byte.data);
        if (node.header[link].size() == 3) {
          const unsigned channel = byte.data & 3;
          if (channel != node.channel[link]) fault_ = "the channel beside a packet is not that of its header";
          node.taken[link][channel] += channel >= 2 ? 8 : (byte.data >> 5) + 1;
          if (node.taken[link][channel] > static_cast<int>(config_.buffer_chunks))
            fault_ = "more tokens than there are";
        }
      }
      const auto& tokens = node.out.tokens[link];
      if (std::any_of(tokens.begin(), tokens.end(), [](unsigned chunks) { return chunks; })) {
        auto& queue = nodes_[other].tokens[link ^ 1];
        Edge at = cycle_ + kTokenCycles + (stalls() ? random(200) : 0);
        if (!queue.empty()) at = std::max(at, queue.back().first + 1);
        queue.emplace_back(at, tokens);
      }
    }
    for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
      if (!(node.out.taken >> fifo & 1)) continue;
      Injecting& injecting = node.injecting[fifo];
      if (!injecting.waits || injecting.bytes.empty()) fault_ = "a grant to an empty injection FIFO";
      // w + 7 = T + W for the next, T = cycle_ - 1.
      taken_[{n, fifo}] = cycle_ - 8 + injecting.bytes.size() + config_.wire_overhead;
      injecting.waits = false;
    }
    for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
      Injecting& injecting = node.injecting[fifo];
      if (injecting.bytes.empty() || injecting.waits || injecting.next * kQuadBytes != injecting.bytes.size()) continue;
      injecting.bytes.clear();
      injecting.not_before = taken_[{n, fifo}];
    }
    if (node.out.read) read(n);
  }

  void read(std::uint32_t n) {
    Node& node = nodes_[n];
    Bytes& bytes = node.reading[node.out.read_fifo];
    if (node.out.read_first != bytes.empty()) fault_ = "framing of the reception FIFO";
    bytes.insert(bytes.end(), node.out.read_data.begin(), node.out.read_data.end());
    if (!node.out.read_last) return;
    const auto found = expected_.find(serial_of(bytes));
    if (found == expected_.end()) {
      fault_ = "a packet that nobody sent";
      return;
    }
    Expected& expected = found->second;
    const torus_fields_t fields = fields_of(bytes);
    const torus_fields_t before = fields_of(expected.bytes);
    if (bytes.size() != expected.bytes.size() ||
        !std::equal(bytes.begin() + 6, bytes.end(), expected.bytes.begin() + 6) || bytes[0] != expected.bytes[0] ||
        fields.deposit != before.deposit || fields.dynamic != before.dynamic || fields.chunks != before.chunks ||
        fields.pid != before.pid || node.out.read_fifo / 7 != before.pid) {
      fault_ = "contents are not intact";
    }
    if ((node.out.read_fifo % 7 == 6) != (fields.vc == 3)) fault_ = "the wrong reception FIFO";
    Edge at = cycle_ + 1 + (stalls() ? random(500) : 0);
    if (!node.freed.empty()) at = std::max(at, node.freed.back().first);
    node.freed.emplace_back(at, std::make_pair(unsigned{node.out.read_fifo}, unsigned{fields.chunks}));
    bytes.clear();
    last_read_ = cycle_;
    --outstanding_;
    if (fields.hints) {
      ++copies_;
      const auto copy = std::find(expected.copies.begin(), expected.copies.end(), n);
      if (copy == expected.copies.end())
        fault_ = "a copy that should not be";
      else
        expected.copies.erase(copy);
      return;
    }
    ++received_;
    if (n != expected.destination) fault_ = "a packet at the wrong node";
    if (!fields.dynamic) {
      std::uint64_t& last = last_of_flow_[expected.flow];
      if (last > found->first) fault_ = "deterministic packets of a flow out of order";
      last = found->first;
    }
    if (expected.copies.empty()) expected_.erase(found);
  }

  const Topology& topology_;
  const TorusConfig config_;
  const Traffic traffic_;
  std::uint64_t random_;
  std::vector<Node> nodes_;
  std::map<std::uint64_t, Expected> expected_;
  std::map<std::uint64_t, std::uint64_t> last_of_flow_;
  std::map<std::pair<std::uint32_t, unsigned>, Edge> taken_;
  Edge cycle_ = 0;
  Edge last_read_ = 0;
  std::uint64_t serial_ = 0;
  std::uint64_t outstanding_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t copies_ = 0;
  std::uint64_t hops_ = 0;
  std::uint64_t bubble_hops_ = 0;
  std::string fault_;
};

}  // namespace toroid::rtl
