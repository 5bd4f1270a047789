// SPDX-License-Identifier: Apache-2.0
// The tree router in Verilog at its pins: sums and maxima against plain arithmetic, cycles against the contract of
// tree_pins.h, what it routes where, and that planted defects show.
#include <Vtree.h>
#include <Vtree_carry.h>
#include <Vtree_classes.h>
#include <Vtree_token.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgl/rtl/verilated_tree.h"
#include "torus/base/random.h"
#include "torus/rtl/fault.h"
#include "torus/torus/packet.h"

namespace toroid::rtl {
namespace {

/// The edges of a unit's own clock, which index what its pins did.
using Edge = std::uint64_t;

constexpr unsigned kLocal = 3;
constexpr unsigned kWords = 128;
constexpr unsigned kNone = 0;
constexpr unsigned kOr = 1;
constexpr unsigned kAnd = 2;
constexpr unsigned kXor = 3;
constexpr unsigned kMax = 5;
constexpr unsigned kAdd = 6;

using Payload = std::array<std::uint16_t, kWords>;

struct Frame {
  std::uint32_t header = 0;
  Payload payload{};  ///< in the order of memory
};

std::uint32_t header(unsigned route_class, unsigned opcode, unsigned size, unsigned tag = 0) {
  return route_class << 28 | opcode << 23 | (size - 1) << 16 | tag << 2;
}
std::uint32_t point_to_point(unsigned route_class, std::uint32_t address) {
  return route_class << 28 | 1u << 27 | address << 2;
}
bool last_first(std::uint32_t header) {
  return (header >> 27 & 1) == 0 && (header >> 23 & 7) == kAdd;
}

std::uint16_t descriptor(unsigned sources, unsigned targets) {
  return static_cast<std::uint16_t>((sources & 7) << 12 | (targets & 7) << 8 | (sources >> 3) << 1 | targets >> 3);
}

Payload random_payload(std::uint64_t& seed) {
  Payload payload;
  // Few different words, so that operands are equal for a while, and carries run far.
  const std::uint64_t kind = next_random(seed) % 4;
  for (std::uint16_t& word : payload) {
    const std::uint64_t random = next_random(seed);
    word = static_cast<std::uint16_t>(kind == 0   ? random
                                      : kind == 1 ? (random % 8 == 0 ? random >> 16 : 0xFFFF)
                                      : kind == 2 ? (random % 16 == 0 ? random >> 16 : 0)
                                                  : random % 2);
  }
  return payload;
}

/// What is to come of `frames`, by plain arithmetic: one long number an operand, most significant word first.
Payload combined(unsigned opcode, unsigned size, const std::vector<Frame>& frames) {
  Payload result = frames[0].payload;
  for (std::size_t f = 1; f < frames.size(); ++f) {
    const Payload& other = frames[f].payload;
    for (unsigned at = 0; at < kWords; at += size) {
      const unsigned end = std::min(at + size, kWords);
      if (opcode == kMax) {
        if (std::lexicographical_compare(&result[at], &result[at] + (end - at), &other[at], &other[at] + (end - at))) {
          std::copy(&other[at], &other[at] + (end - at), &result[at]);
        }
        continue;
      }
      std::uint32_t carry = 0;
      for (unsigned i = end; i-- > at;) {
        if (opcode == kAdd) carry += std::uint32_t{result[i]} + other[i];
        result[i] = static_cast<std::uint16_t>(opcode == kAdd   ? carry
                                               : opcode == kOr  ? result[i] | other[i]
                                               : opcode == kAnd ? result[i] & other[i]
                                                                : result[i] ^ other[i]);
        carry >>= 16;
      }
    }
  }
  return result;
}

/// A router, what is put on its pins, and what was seen on them.
class Bench {
 public:
  struct Out {
    Edge first = 0;
    unsigned vc = 0;
    unsigned words = 0;
    Frame frame;
  };
  struct Moved {
    Edge at = 0;
    TreeOutputs::Move move;
  };

  explicit Bench(std::unique_ptr<TreePins> pins, const TreeSettings& with = {}) : pins_(std::move(pins)) {
    reset(with);
  }
  void reset(const TreeSettings& with) {
    settings = with;
    pins_->reset(settings);
  }
  void set() { pins_->set(settings); }

  /// A frame that comes in by `port` (kLocal: from the client) from cycle `at` on, or when those before it are in.
  void send(unsigned port, unsigned vc, const Frame& frame, Edge at = 0) {
    in_[port == kLocal ? kLocal + vc : port].push_back({frame, vc, std::max(at, now), 0});
  }
  void token(unsigned port, unsigned vc) { inputs.tokens[port] |= static_cast<std::uint8_t>(1u << vc); }

  void clock() {
    for (unsigned stream = 0; stream < in_.size(); ++stream) {
      TreeWord& word = stream < kLocal ? inputs.channel[stream] : inputs.inject[stream - kLocal];
      word = {};
      if (in_[stream].empty()) continue;
      In& in = in_[stream].front();
      if (in.index == 0 && in.first > now) continue;
      word.valid = true;
      word.first = in.index == 0;
      word.vc = word.first ? static_cast<std::uint8_t>(in.vc) : 0;
      word.data = word_of(in.frame, in.index);
      if (++in.index == settings.wire_cycles) in_[stream].pop_front();
    }
    pins_->clock(inputs, outputs);
    for (auto& tokens_in : inputs.tokens) tokens_in = 0;
    inputs.occupied = 0;
    for (const TreeOutputs::Move& move : outputs.moves) {
      if (!move.valid) break;
      moves.push_back({now, move});
    }
    for (unsigned port = 0; port < kTreePinPorts; ++port) take(port);
    for (unsigned channel = 0; channel < kTreePinChannels; ++channel) {
      for (unsigned vc = 0; vc < 2; ++vc) {
        if ((outputs.tokens[channel] >> vc & 1) != 0) tokens[channel][vc].push_back(now);
      }
    }
    ++now;
  }
  void run(Edge cycles) {
    for (const Edge end = now + cycles; now < end;) clock();
  }
  void run_to_idle() {
    do {
      clock();
    } while (!outputs.idle || pending());
  }
  bool pending() const {
    return std::any_of(in_.begin(), in_.end(), [](const auto& queue) { return !queue.empty(); });
  }
  /// Gives back what packets that went out have taken.
  void free_outputs() {
    for (unsigned port = 0; port < kTreePinPorts; ++port) {
      for (const Out& gone : out[port]) {
        token(port, gone.vc);
        clock();
      }
    }
  }
  void forget() {
    for (auto& port : out) port.clear();
    for (auto& channel : tokens) {
      for (auto& vc : channel) vc.clear();
    }
    moves.clear();
  }

  TreeSettings settings;
  TreeInputs inputs;
  TreeOutputs outputs;
  Edge now = 0;
  std::array<std::vector<Out>, kTreePinPorts> out;
  std::array<std::array<std::vector<Edge>, 2>, kTreePinChannels> tokens;
  std::vector<Moved> moves;

 private:
  struct In {
    Frame frame;
    unsigned vc;
    Edge first;
    unsigned index;
  };

  static std::uint16_t word_of(const Frame& frame, unsigned index) {
    if (index < 2) return static_cast<std::uint16_t>(index == 0 ? frame.header >> 16 : frame.header);
    if (index >= kTreeFrameWords) return 0xBAD;  // the trailer is nobody's
    return frame.payload[last_first(frame.header) ? kTreeFrameWords - 1 - index : index - 2];
  }
  void take(unsigned port) {
    const TreeWord& word = outputs.port[port];
    Out* last = out[port].empty() ? nullptr : &out[port].back();
    if (!word.valid) {
      ASSERT_TRUE(last == nullptr || last->words == settings.wire_cycles) << "a gap in a frame";
      return;
    }
    if (word.first) {
      ASSERT_TRUE(last == nullptr || last->words == settings.wire_cycles) << "a frame within a frame";
      out[port].push_back({});
      last = &out[port].back();
      last->first = now;
      last->vc = word.vc;
    }
    ASSERT_NE(last, nullptr);
    const unsigned i = last->words++;
    ASSERT_LT(i, settings.wire_cycles);
    if (i == 0) {
      last->frame.header = std::uint32_t{word.data} << 16;
    } else if (i == 1) {
      last->frame.header |= word.data;
    } else if (i < kTreeFrameWords) {
      last->frame.payload[last_first(last->frame.header) ? kTreeFrameWords - 1 - i : i - 2] = word.data;
    } else {
      ASSERT_EQ(word.data, 0u) << "in the trailer";
    }
  }

  std::unique_ptr<TreePins> pins_;
  std::array<std::deque<In>, kTreePinPorts + 1> in_;
};

template <typename Model = Vtree>
std::unique_ptr<TreePins> pins() {
  return std::make_unique<VerilatedTree<Model>>("tree");
}

/// Class 0: combined from those ports, the result goes to all ports.
TreeSettings combining(unsigned sources) {
  TreeSettings settings;
  settings.descriptors[0] = descriptor(sources, 0xF & ~(sources ^ 0xF));
  return settings;
}

/// Combines random operands of all sizes with every opcode, of each number of sources. The first thing that is wrong.
std::string check_alu(std::unique_ptr<TreePins> model, unsigned step) {
  Bench bench(std::move(model));
  std::uint64_t seed = 3;
  for (const unsigned sources : {0x8u, 0x9u, 0x6u, 0xBu, 0xFu}) {
    bench.settings = combining(sources);
    bench.set();
    for (const unsigned opcode : {kOr, kAnd, kXor, kMax, kAdd}) {
      for (unsigned size = 1; size <= kWords; size += step) {
        bench.forget();
        std::vector<Frame> frames;
        for (unsigned port = 0; port < kTreePinPorts; ++port) {
          if ((sources >> port & 1) == 0) continue;
          Payload payload = random_payload(seed);
          if (!frames.empty() && next_random(seed) % 4 == 0) {
            payload = frames.back().payload;
            payload[next_random(seed) % kWords] ^= 1;
          }
          frames.push_back({header(0, opcode, size, 100 + port), payload});
          bench.send(port, size % 2, frames.back(), bench.now + next_random(seed) % 5);
        }
        bench.run_to_idle();
        const Payload expected = combined(opcode, size, frames);
        for (unsigned port = 0; port < kTreePinPorts; ++port) {
          if ((sources >> port & 1) == 0) continue;
          const std::string what = "opcode " + std::to_string(opcode) + ", " + std::to_string(size) +
                                   " words, sources " + std::to_string(sources) + ", port " + std::to_string(port);
          if (bench.out[port].size() != 1) return what + ": no result";
          const Bench::Out& got = bench.out[port][0];
          if (got.frame.header != frames[0].header) return what + ": header";
          if (got.vc != size % 2) return what + ": virtual channel";
          if (got.frame.payload != expected) return what + ": payload";
        }
        bench.free_outputs();
      }
    }
  }
  return "";
}

TEST(TreePins, CombinesOperandsOfAllSizesAsPlainArithmeticDoes) {
  EXPECT_EQ(check_alu(pins(), 1), "");
}

TEST(TreePins, ALostCarryShows) {
  EXPECT_NE(check_alu(pins<Vtree_carry>(), 7).find("opcode 6"), std::string::npos);
}

TEST(TreePins, KeepsTheCyclesOfItsContract) {
  for (const unsigned wire : {130u, 133u, 200u}) {
    TreeSettings settings;
    settings.wire_cycles = static_cast<std::uint16_t>(wire);
    settings.descriptors[0] = descriptor(0x8, 0x4);  // up
    settings.descriptors[1] = descriptor(0x9, 0x4);  // up, combined with the child's
    settings.descriptors[2] = descriptor(0x4, 0x9);  // down
    Bench bench(pins(), settings);
    bench.run(20);
    // From the local client, up.
    bench.send(kLocal, 1, {header(0, kNone, 1), {}}, 50);
    bench.run_to_idle();
    ASSERT_EQ(bench.moves.size(), 1u);
    EXPECT_EQ(bench.moves[0].at, 57u);
    EXPECT_EQ(bench.moves[0].move.vc, 1u);
    EXPECT_EQ(bench.moves[0].move.inputs, 0x8u);
    EXPECT_EQ(bench.moves[0].move.outputs, 0x4u);
    ASSERT_EQ(bench.out[2].size(), 1u);
    EXPECT_EQ(bench.out[2][0].first, 63u);
    EXPECT_EQ(bench.out[2][0].vc, 1u);
    // From the parent, down to the child and here.
    bench.forget();
    Edge at = bench.now;
    bench.send(2, 0, {header(2, kNone, 1), {}}, at);
    bench.run_to_idle();
    ASSERT_EQ(bench.moves.size(), 1u);
    const Edge granted = at + 8;
    EXPECT_EQ(bench.moves[0].at, granted);
    EXPECT_EQ(bench.moves[0].move.outputs, 0x9u);
    EXPECT_EQ(bench.out[0].at(0).first, granted + 6);
    EXPECT_EQ(bench.out[kLocal].at(0).first, granted + 6);
    EXPECT_EQ(bench.tokens[2][0], std::vector<Edge>{granted + wire + 3});
    EXPECT_TRUE(bench.tokens[2][1].empty());
    // Combined: the later one decides.
    bench.forget();
    at = bench.now;
    bench.send(0, 0, {header(1, kAdd, 4), {}}, at);
    bench.send(kLocal, 0, {header(1, kAdd, 4), {}}, at + 30);
    bench.run_to_idle();
    ASSERT_EQ(bench.moves.size(), 1u);
    EXPECT_TRUE(bench.moves[0].move.combined);
    EXPECT_EQ(bench.moves[0].at, at + 37);
    EXPECT_EQ(bench.moves[0].move.inputs, 0x9u);
    EXPECT_EQ(bench.out[2].at(0).first, at + 37 + 8);
    EXPECT_EQ(bench.tokens[0][0], std::vector<Edge>{at + 37 + wire + 3});
    // One behind the other, as they came and combined: the output has no gap.
    bench.forget();
    at = bench.now;
    bench.send(kLocal, 0, {header(0, kNone, 1, 1), {}}, at);
    bench.send(kLocal, 1, {header(1, kMax, 4, 2), {}}, at);
    bench.send(0, 1, {header(1, kMax, 4, 2), {}}, at);
    bench.send(kLocal, 0, {header(0, kNone, 1, 3), {}}, at);
    bench.run_to_idle();
    ASSERT_EQ(bench.moves.size(), 3u);
    const bool direct_first = !bench.moves[0].move.combined;
    const Edge start = bench.out[2].at(0).first;
    EXPECT_EQ(bench.out[2].at(1).first, start + wire);
    EXPECT_EQ(bench.moves[1].at - bench.moves[0].at, direct_first ? wire - 2 : wire + 2);
    EXPECT_EQ(bench.out[2].at(2).first, start + 2 * wire);
  }
}

TEST(TreePins, GrantsInOneCycleWhatSharesNothing) {
  TreeSettings settings;
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    settings.descriptors[port] = descriptor(1u << port, 1u << (port + 1) % kTreePinPorts);
  }
  settings.descriptors[4] = descriptor(0x8, 0x1);
  Bench bench(pins(), settings);
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    bench.send(port, port % 2, {header(port, kNone, 1, port), {}}, port == kLocal ? 11 : 10);
  }
  bench.run_to_idle();
  ASSERT_EQ(bench.moves.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.moves[i].at, 18u);
    ASSERT_EQ(bench.out[i].size(), 1u);
    EXPECT_EQ(bench.out[i][0].frame.header, header((i + 3) % 4, kNone, 1, (i + 3) % 4));
  }
  // Of two that ask for one output as it becomes free, the one that has waited goes before the one that has just come.
  for (unsigned i = 0; i < 3; ++i) {
    bench.free_outputs();
    bench.forget();
    const Edge at = bench.now + 10;
    bench.send(kLocal, 0, {header(4, kNone, 1, 1), {}}, at + 1);
    bench.send(kLocal, 1, {header(4, kNone, 1, 2), {}}, at + 50);
    bench.send(kLocal, 1, {header(4, kNone, 1, 3), {}}, at + 51);
    settings.descriptors[5] = descriptor(0x2, 0x1);
    bench.settings = settings;
    bench.set();
    bench.send(1, i % 2, {header(5, kNone, 1, 4), {}}, at + settings.wire_cycles);
    bench.run_to_idle();
    ASSERT_EQ(bench.moves.size(), 4u);
    EXPECT_EQ(bench.moves[1].at, at + 8 + settings.wire_cycles);
    EXPECT_EQ(bench.out[0][1].frame.header, header(4, kNone, 1, 2));
    EXPECT_EQ(bench.out[0][2].frame.header, header(5, kNone, 1, 4));
  }
}

TEST(TreePins, RoutesAsTheDescriptorOfTheClassSays) {
  TreeSettings settings;
  settings.address = 0xABCDEF;
  std::uint64_t seed = 5;
  Bench bench(pins(), settings);
  for (unsigned i = 0; i < 3000; ++i) {
    bench.forget();
    const auto random = [&seed](unsigned limit) { return static_cast<unsigned>(next_random(seed) % limit); };
    const unsigned route_class = random(16);
    const unsigned sources = random(16);
    const unsigned targets = random(16);
    const unsigned port = random(4);
    const unsigned vc = random(2);
    bench.settings.exists = static_cast<std::uint8_t>(random(16) | 1u << port);
    bench.settings.accepts_all = static_cast<std::uint8_t>(random(4));
    bench.settings.descriptors[route_class] = static_cast<std::uint16_t>(descriptor(sources, targets) | 0x88FC);
    bench.set();
    const bool to_one = random(2) != 0;
    const std::uint32_t target = random(2) != 0 ? 0xABCDEF : 0xABCDEE;
    Frame frame{to_one ? point_to_point(route_class, target) : header(route_class, kNone, 1 + random(128)), {}};
    frame.payload[5] = static_cast<std::uint16_t>(i);
    bench.send(port, vc, frame);
    bench.run_to_idle();
    const unsigned exists = bench.settings.exists;
    const bool accepted = !to_one || target == 0xABCDEF || (bench.settings.accepts_all >> vc & 1) != 0;
    const unsigned self = 1u << port;
    unsigned expected = 0;
    if ((sources & exists & self) != 0) {
      expected = targets & exists & ~self;
    } else if ((targets & exists & self) != 0) {
      expected = ((sources & 7) | (targets & 8)) & exists & ~self;
    } else {
      ASSERT_TRUE(bench.moves.empty());  // no way of this class: it waits; away with it
      bench.reset(bench.settings);
      continue;
    }
    if (!accepted) expected &= ~8u;
    ASSERT_EQ(bench.moves.size(), 1u);
    ASSERT_EQ(bench.moves[0].move.outputs, expected);
    for (unsigned other = 0; other < kTreePinPorts; ++other) {
      ASSERT_EQ(bench.out[other].size(), expected >> other & 1);
      if (bench.out[other].empty()) continue;
      ASSERT_EQ(bench.out[other][0].frame.payload, frame.payload);
      ASSERT_EQ(bench.out[other][0].frame.header, frame.header);
    }
    bench.free_outputs();
  }
}

TEST(TreePins, HoldAndOccupiedKeepPacketsBack) {
  TreeSettings settings;
  settings.descriptors[0] = descriptor(0x8, 0x4);
  Bench bench(pins(), settings);
  bench.inputs.hold[2] = 0x1;
  bench.send(kLocal, 0, {header(0, kNone, 1), {}}, 0);
  bench.run(200);
  EXPECT_TRUE(bench.moves.empty());
  EXPECT_TRUE(bench.outputs.idle) << "one that waits costs nothing";
  bench.send(kLocal, 1, {header(0, kNone, 1), {}}, 200);
  bench.run(207);  // to cycle 406
  ASSERT_EQ(bench.moves.size(), 1u);
  EXPECT_EQ(bench.moves[0].move.vc, 1u);
  bench.inputs.hold[2] = 0;
  bench.inputs.occupied = 0x4;  // in cycle 407
  bench.run_to_idle();
  ASSERT_EQ(bench.moves.size(), 2u);
  EXPECT_EQ(bench.moves[1].at, 407u + settings.wire_cycles);
  bench.inputs.hold[2] = 0x3;
  bench.send(kLocal, 0, {header(0, kNone, 1), {}});
  bench.run(300);
  EXPECT_EQ(bench.moves.size(), 2u);
  bench.inputs.hold[2] = 0;
  bench.clock();
  ASSERT_EQ(bench.moves.size(), 3u);
  EXPECT_EQ(bench.moves[2].at, bench.now - 1);
}

/// A stream from each neighbour that sends only with tokens, receivers that stall at random: what is lost or wrong.
std::string check_streams(std::unique_ptr<TreePins> model) {
  TreeSettings settings;
  settings.descriptors[0] = descriptor(0xB, 0x4);  // reductions, up
  settings.descriptors[1] = descriptor(0xB, 0x4);  // the same, another class
  settings.descriptors[2] = descriptor(0x4, 0xB);  // down
  Bench bench(std::move(model), settings);
  std::uint64_t seed = 7;
  constexpr unsigned kEach = 60;
  std::array<std::array<unsigned, 2>, 4> sent{};
  std::array<std::array<std::size_t, 2>, 4> returned{};
  const auto payload_of = [](unsigned port, unsigned vc, unsigned i) {
    Payload payload{};
    for (unsigned w = 0; w < kWords; ++w)
      payload[w] = static_cast<std::uint16_t>(port * 977 + vc * 31 + i * 7 + w * 255);
    return payload;
  };
  const auto header_of = [](unsigned vc, unsigned i) {
    return header(i % 3 == 0 ? 1 : 0, vc == 0 ? kAdd : kMax, 1 + i, i);
  };
  Edge still = 0;
  while (still < 20000) {
    for (unsigned port = 0; port < 4; ++port) {
      for (unsigned vc = 0; vc < 2; ++vc) {
        std::size_t left = port == kLocal ? 0 : bench.tokens[port][vc].size();
        if (port == kLocal) {
          for (const Bench::Moved& moved : bench.moves) {
            left += (moved.move.inputs >> kLocal & 1) != 0 && moved.move.vc == vc && moved.at + 133 < bench.now;
          }
        }
        if (sent[port][vc] < kEach && sent[port][vc] - left < 4 && next_random(seed) % 16 == 0) {
          const unsigned i = sent[port][vc]++;
          bench.send(port, vc, {port == 2 ? header(2, kNone, 1, i) : header_of(vc, i), payload_of(port, vc, i)});
        }
      }
    }
    for (unsigned port = 0; port < 4; ++port) {
      for (unsigned vc = 0; vc < 2; ++vc) {
        const auto gone = static_cast<std::size_t>(std::count_if(
            bench.out[port].begin(), bench.out[port].end(),
            [&](const Bench::Out& out) { return out.vc == vc && out.words == bench.settings.wire_cycles; }));
        if (returned[port][vc] < gone && next_random(seed) % 300 == 0) {
          bench.token(port, vc);
          ++returned[port][vc];
        }
      }
    }
    bench.clock();
    const bool waiting = bench.outputs.idle && !bench.pending();
    still = waiting ? still + 1 : 0;
  }
  for (unsigned vc = 0; vc < 2; ++vc) {
    std::array<unsigned, 4> seen{};
    for (unsigned port = 0; port < 4; ++port) {
      for (const Bench::Out& out : bench.out[port]) {
        if (out.vc != vc) continue;
        const unsigned i = seen[port]++;
        if (port == 2) {
          std::vector<Frame> frames;
          for (const unsigned from : {0u, 1u, kLocal}) frames.push_back({header_of(vc, i), payload_of(from, vc, i)});
          if (out.frame.header != frames[0].header) return "header of reduction " + std::to_string(i);
          if (out.frame.payload != combined(vc == 0 ? kAdd : kMax, 1 + i, frames)) {
            return "payload of reduction " + std::to_string(i);
          }
        } else if (out.frame.header != header(2, kNone, 1, i) || out.frame.payload != payload_of(2, vc, i)) {
          return "broadcast " + std::to_string(i);
        }
      }
      if (seen[port] != kEach) {
        return std::to_string(seen[port]) + " packets by port " + std::to_string(port) + " on VC" + std::to_string(vc);
      }
      if (port < kLocal && bench.tokens[port][vc].size() != kEach) return "tokens of channel " + std::to_string(port);
    }
  }
  return "";
}

TEST(TreePins, StreamsThroughStallsLoseAndReorderNothing) {
  EXPECT_EQ(check_streams(pins()), "");
}

TEST(TreePins, ALostTokenShows) {
  EXPECT_NE(check_streams(pins<Vtree_token>()), "");
}

/// Two neighbours present packets of different classes. True where something comes out all the same.
bool combines_classes(std::unique_ptr<TreePins> model) {
  TreeSettings settings;
  settings.descriptors[0] = settings.descriptors[1] = descriptor(0x9, 0x4);
  Bench bench(std::move(model), settings);
  bench.send(0, 0, {header(0, kAdd, 4), {}});
  bench.send(kLocal, 0, {header(1, kAdd, 4), {}});
  bench.run(400);
  return !bench.out[2].empty();
}

TEST(TreePins, CombinesNoPacketsOfDifferentClasses) {
  EXPECT_FALSE(combines_classes(pins()));
  try {
    EXPECT_TRUE(combines_classes(pins<Vtree_classes>()));
    ADD_FAILURE() << "the router's own assertion says nothing";
  } catch (const RtlFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("packets that differ in class, opcode or size are combined"),
              std::string::npos)
        << fault.what();
  }
}

TEST(TreePins, AnOverflowIsNoticed) {
  TreeSettings settings;  // no class has a way: packets stay
  Bench bench(pins(), settings);
  for (unsigned i = 0; i < 4; ++i) bench.send(0, 0, {header(0, kNone, 1), {}});
  bench.run_to_idle();
  bench.send(0, 0, {header(0, kNone, 1), {}});
  EXPECT_THROW(bench.run(10), RtlFault);
}

}  // namespace
}  // namespace toroid::rtl
