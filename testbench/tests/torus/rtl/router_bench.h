// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "nic/bgl/rtl/router_pins.h"
#include "nic/bgl/torus_packet.h"
#include "testbench/shipped.h"
#include "torus/base/random.h"
#include "torus/base/topology.h"
#include "torus/torus/config.h"
#include "torus/torus/families/blue_gene_lp_family.h"
#include "torus/torus/latency.h"

namespace toroid::rtl {

/// The edges of a unit's own clock, which index what its pins did.
using Edge = std::uint64_t;

using Bytes = std::vector<std::uint8_t>;

/// A packet with `fields` and contents that are its own.
inline Bytes make_packet(const torus_fields_t& fields, std::uint64_t serial) {
  Bytes bytes(BlueGeneLpFamily::kChunkBytes * fields.chunks);
  std::uint64_t state = mix(serial, 1);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(next_random(state));
  const std::uint32_t words[2] = {torus_encode0(&fields), torus_encode1(&fields)};
  for (unsigned k = 0; k < 8; ++k) bytes[k] = static_cast<std::uint8_t>(words[k / 4] >> (24 - 8 * (k % 4)));
  // The serial number, where nothing on the way touches it.
  for (unsigned k = 0; k < 8; ++k) bytes[8 + k] = static_cast<std::uint8_t>(serial >> (8 * k));
  return bytes;
}

inline torus_fields_t fields_of(const Bytes& bytes) {
  std::uint32_t words[2] = {};
  for (unsigned k = 0; k < 8; ++k) words[k / 4] = words[k / 4] << 8 | bytes[k];
  return torus_decode(words[0], words[1]);
}

inline std::uint64_t serial_of(const Bytes& bytes) {
  std::uint64_t serial = 0;
  for (unsigned k = 8; k-- > 0;) serial = serial << 8 | bytes[8 + k];
  return serial;
}

inline RouterSettings settings_for(const Topology& topology, const Coordinates& at,
                                   const TorusConfig& config = test::shipped_torus()) {
  RouterSettings settings;
  const CutOffs cut_offs = topology.minimal_cut_offs(at, config.tie_rule);
  settings.links = 0;
  for (unsigned d = 0; d < 3; ++d) {
    settings.coordinates[d] = at[d];
    settings.cut_off_plus[d] = cut_offs.plus[d];
    settings.cut_off_minus[d] = cut_offs.minus[d];
    settings.ring[d] = topology.torus(d);
  }
  for (unsigned link = 0; link < kLinks; ++link) {
    if (topology.neighbour(topology.node(at), static_cast<Direction>(link)) != kNoNode) settings.links |= 1u << link;
  }
  settings.buffer_chunks = static_cast<std::uint8_t>(config.buffer_chunks);
  settings.reception_chunks = static_cast<std::uint8_t>(config.reception_depth);
  settings.bubble_chunks = static_cast<std::uint8_t>(config.bubble_chunks);
  settings.wire_overhead = static_cast<std::uint8_t>(config.wire_overhead);
  settings.fullness_cycles = static_cast<std::uint8_t>(config.fullness_cycles);
  settings.random_cycles = static_cast<std::uint8_t>(config.random_cycles);
  settings.priority_injection = static_cast<std::uint8_t>(config.priority_injection);
  return settings;
}

/// A packet that came out of the router on a link.
struct Sent {
  Edge cycle = 0;  ///< of its first byte
  unsigned link = 0;
  unsigned from = 0;
  unsigned channel = 0;
  Bytes bytes;
};

struct Delivered {
  Edge cycle = 0;
  unsigned link = 0;
  unsigned from = 0;
  unsigned fifo = 0;
  bool copy = false;
};

struct Taken {
  Edge cycle = 0;
  unsigned fifo = 0;
};

struct Returned {
  Edge cycle = 0;
  unsigned link = 0;
  unsigned channel = 0;
  unsigned chunks = 0;
};

/// A packet that came out of a reception FIFO.
struct Read {
  Edge first = 0;  ///< cycle of its first quad, and of its last
  Edge last = 0;
  unsigned fifo = 0;
  Bytes bytes;
};

/// A router and what drives its pins: packets and tokens at given cycles; and what came out, with its cycles. Breaks of
/// the pins' framing are counted.
class RouterBench {
 public:
  RouterBench(std::unique_ptr<RouterPins> router, const RouterSettings& settings) : router_(std::move(router)) {
    router_->reset(settings);
  }

  // Times that are past mean the next cycle.

  /// The packet's first byte comes in at `cycle`, or behind what comes in there already.
  Edge receive(unsigned link, const Bytes& bytes, Edge cycle) {
    auto& queue = links_[link];
    cycle = std::max(cycle, cycle_ + 1);
    if (!queue.empty()) cycle = std::max(cycle, queue.back().first + queue.back().second.size());
    queue.emplace_back(cycle, bytes);
    return cycle;
  }
  /// The packet's first quad comes in at `cycle`, the others as they leave: one in 16 cycles.
  void inject(unsigned fifo, const Bytes& bytes, Edge cycle, unsigned quad_cycles = 16) {
    for (unsigned quad = 0; quad < bytes.size() / kQuadBytes; ++quad) {
      Quad item{cycle + quad_cycles * quad, fifo, quad == 0, {}};
      std::copy_n(bytes.begin() + kQuadBytes * quad, kQuadBytes, item.data.begin());
      quads_.push_back(item);
    }
  }
  void give_back(unsigned link, unsigned channel, unsigned chunks, Edge cycle) {
    given_back_.push_back({std::max(cycle, cycle_ + 1), link, channel, chunks});
  }
  void free_reception(unsigned fifo, unsigned chunks, Edge cycle) {
    freed_.push_back({std::max(cycle, cycle_ + 1), 0, fifo, chunks});
  }
  void stop(std::uint8_t links) { stop_ = links; }

  void run(Edge until) {
    while (cycle_ < until) step();
  }

  void step() {
    ++cycle_;
    RouterInputs in;
    for (unsigned link = 0; link < kLinks; ++link) {
      auto& queue = links_[link];
      if (queue.empty() || queue.front().first > cycle_) continue;
      const std::size_t index = cycle_ - queue.front().first;
      in.link[link].valid = true;
      in.link[link].first = index == 0;
      in.link[link].data = queue.front().second[index];
      if (index + 1 == queue.front().second.size()) queue.pop_front();
    }
    for (auto quad = quads_.begin(); quad != quads_.end(); ++quad) {
      if (quad->cycle > cycle_) continue;
      in.write = true;
      in.write_first = quad->first;
      in.write_fifo = static_cast<std::uint8_t>(quad->fifo);
      in.write_data = quad->data;
      quads_.erase(quad);
      break;
    }
    for (std::size_t i = 0; i < given_back_.size();) {
      const Returned& item = given_back_[i];
      if (item.cycle != cycle_) {
        ++i;
        continue;
      }
      in.tokens[item.link][item.channel] = static_cast<std::uint8_t>(in.tokens[item.link][item.channel] + item.chunks);
      given_back_.erase(given_back_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t i = 0; i < freed_.size();) {
      const Returned& item = freed_[i];
      if (item.cycle != cycle_) {
        ++i;
        continue;
      }
      in.reception_free[item.channel] = static_cast<std::uint8_t>(in.reception_free[item.channel] + item.chunks);
      freed_.erase(freed_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    in.stop = stop_;
    router_->clock(in, out_);
    take_outputs();
  }

  Edge cycle() const { return cycle_; }
  const RouterOutputs& out() const { return out_; }

  std::vector<Sent> sent;
  std::vector<Delivered> delivered;
  std::vector<Taken> taken;
  std::vector<Returned> returned;
  std::vector<Read> read;
  unsigned framing_errors = 0;

 private:
  struct Quad {
    Edge cycle = 0;
    unsigned fifo = 0;
    bool first = false;
    std::array<std::uint8_t, kQuadBytes> data{};
  };

  void take_outputs() {
    for (unsigned link = 0; link < kLinks; ++link) {
      const LinkByte& byte = out_.link[link];
      const bool within = sending_[link] >= 0;
      if (byte.valid == false && within) ++framing_errors;
      if (byte.valid && byte.first == within) ++framing_errors;
      if (byte.valid && byte.first) {
        sending_[link] = static_cast<int>(sent.size());
        sent.push_back({cycle_, link, byte.from, byte.channel, {}});
      }
      if (byte.valid && sending_[link] >= 0) {
        Bytes& bytes = sent[static_cast<std::size_t>(sending_[link])].bytes;
        bytes.push_back(byte.data);
        if (whole(bytes)) sending_[link] = -1;
      }
      const RouterOutputs::Delivery& delivery = out_.deliver[link];
      if (delivery.valid) delivered.push_back({cycle_, link, delivery.from, delivery.fifo, delivery.copy});
      for (unsigned channel = 0; channel < kLinkChannels; ++channel) {
        if (out_.tokens[link][channel]) returned.push_back({cycle_, link, channel, out_.tokens[link][channel]});
      }
    }
    for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
      if (out_.taken >> fifo & 1) taken.push_back({cycle_, fifo});
    }
    if (out_.read) {
      int& index = reading_[out_.read_fifo];
      if (out_.read_first != (index < 0)) ++framing_errors;
      if (index < 0) {
        index = static_cast<int>(read.size());
        read.push_back({cycle_, 0, out_.read_fifo, {}});
      }
      Read& packet = read[static_cast<std::size_t>(index)];
      packet.bytes.insert(packet.bytes.end(), out_.read_data.begin(), out_.read_data.end());
      if (out_.read_last != whole(packet.bytes)) ++framing_errors;
      packet.last = cycle_;
      if (out_.read_last) index = -1;
    }
  }

  static bool whole(const Bytes& bytes) {
    return bytes.size() > 2 && bytes.size() >= BlueGeneLpFamily::kChunkBytes * (1u + (bytes[2] >> 5));
  }

  std::unique_ptr<RouterPins> router_;
  RouterOutputs out_;
  Edge cycle_ = 0;
  std::array<std::deque<std::pair<Edge, Bytes>>, kLinks> links_;
  std::deque<Quad> quads_;
  std::vector<Returned> given_back_;
  std::vector<Returned> freed_;
  std::uint8_t stop_ = 0;
  std::array<int, kLinks> sending_{-1, -1, -1, -1, -1, -1};
  std::array<int, kReceptionFifos> reading_{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace toroid::rtl
