// SPDX-License-Identifier: Apache-2.0
//
// The torus router in Verilog at its pins: the contract of router_pins.h to the cycle, routing, flow control.
#include <Vtorus_router.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nic/bgl/rtl/verilated_router.h"
#include "testbench/shipped.h"
#include "testbench/tests/torus/rtl/router_bench.h"
#include "testbench/tests/torus/rtl/router_network.h"
#include "torus/rtl/fault.h"

namespace toroid::rtl {
namespace {

const Topology k4x4x4(Shape::parse("4x4x4"));
constexpr Coordinates kHere = {1, 1, 1};

std::unique_ptr<RouterPins> make_router() {
  return std::make_unique<VerilatedRouter<Vtorus_router>>();
}

/// A bench at kHere in a 4x4x4 torus.
struct Bench : RouterBench {
  explicit Bench(const RouterSettings& settings = settings_for(k4x4x4, kHere)) : RouterBench(make_router(), settings) {}
};

torus_fields_t fields(Coordinates to, unsigned chunks, bool dynamic = false, unsigned vc = TORUS_VC_BUBBLE) {
  torus_fields_t result = {};
  result.csum_skip = 4;
  result.chunks = static_cast<std::uint8_t>(chunks);
  result.dynamic = dynamic;
  result.vc = static_cast<std::uint8_t>(vc);
  for (unsigned d = 0; d < 3; ++d) result.destination[d] = to[d];
  return result;
}

constexpr unsigned wire(unsigned chunks) {
  return 32 * chunks + 14;
}

/// As it must be on the link: hints of the directions in `hints`, going on `channel`.
Bytes on_link(Bytes bytes, unsigned hints, unsigned channel) {
  bytes[1] = static_cast<std::uint8_t>((bytes[1] & 3) | hints << 2);
  bytes[2] = static_cast<std::uint8_t>((bytes[2] & ~3u) | channel);
  return bytes;
}

TEST(RouterPins, InjectedPacketGoesOut) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    Bench bench;
    const Bytes packet = make_packet(fields({2, 1, 1}, chunks), 77);
    const Edge w = 10;
    bench.inject(5, packet, w);
    bench.run(700);
    ASSERT_EQ(bench.taken.size(), 1u);
    EXPECT_EQ(bench.taken[0].fifo, 5u);
    const Edge t = bench.taken[0].cycle - 1;
    EXPECT_EQ(t, w + 7);
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].cycle, t + 6);
    EXPECT_EQ(bench.sent[0].link, 0u);
    EXPECT_EQ(bench.sent[0].from, 24u + 5);
    EXPECT_EQ(bench.sent[0].channel, 2u);
    EXPECT_EQ(bench.sent[0].bytes, on_link(packet, TORUS_HINT_X_PLUS, 2));
    EXPECT_EQ(bench.framing_errors, 0u);
    EXPECT_TRUE(bench.out().idle);
    EXPECT_TRUE(bench.returned.empty());
  }
}

TEST(RouterPins, PassingPacketGoesOn) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    for (unsigned vc = 0; vc < 4; ++vc) {
      Bench bench;
      auto header = fields({3, 1, 1}, chunks, vc < 2, vc);
      header.hints = TORUS_HINT_X_PLUS;
      const Bytes packet = make_packet(header, 78);
      const Edge h = 10;
      bench.receive(1, packet, h);
      bench.run(700);
      ASSERT_EQ(bench.sent.size(), 1u);
      const Edge t = h + 8;
      EXPECT_EQ(bench.sent[0].cycle, t + 6);
      EXPECT_EQ(bench.sent[0].link, 0u);
      EXPECT_EQ(bench.sent[0].from, 4u + vc);
      const unsigned channel = vc < 2 ? 0 : vc;
      EXPECT_EQ(bench.sent[0].channel, channel);
      EXPECT_EQ(bench.sent[0].bytes, on_link(packet, TORUS_HINT_X_PLUS, channel));
      ASSERT_EQ(bench.returned.size(), 1u);
      EXPECT_EQ(bench.returned[0].cycle, t + wire(chunks) + 3);
      EXPECT_EQ(bench.returned[0].link, 1u);
      EXPECT_EQ(bench.returned[0].channel, vc);
      EXPECT_EQ(bench.returned[0].chunks, vc < 2 ? chunks : 8);
      EXPECT_EQ(bench.framing_errors, 0u);
      EXPECT_TRUE(bench.out().idle);
    }
  }
}

TEST(RouterPins, ArrivedPacketIsDelivered) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    for (unsigned vc = 0; vc < 4; ++vc) {
      for (unsigned pid = 0; pid < 2; ++pid) {
        for (unsigned link = 0; link < kLinks; ++link) {
          Bench bench;
          auto header = fields(kHere, chunks, vc < 2, vc);
          header.hints = TORUS_HINT(link ^ 1);
          header.pid = static_cast<std::uint8_t>(pid);
          const Bytes packet = make_packet(header, 79);
          const Edge h = 10;
          bench.receive(link, packet, h);
          bench.run(350);
          const Edge t = h + 8;
          const unsigned fifo = 7 * pid + (vc == 3 ? 6 : link);
          ASSERT_EQ(bench.delivered.size(), 1u);
          EXPECT_EQ(bench.delivered[0].cycle, t + 1);
          EXPECT_EQ(bench.delivered[0].link, link);
          EXPECT_EQ(bench.delivered[0].from, 4 * link + vc);
          EXPECT_EQ(bench.delivered[0].fifo, fifo);
          EXPECT_FALSE(bench.delivered[0].copy);
          ASSERT_EQ(bench.read.size(), 1u);
          EXPECT_EQ(bench.read[0].fifo, fifo);
          EXPECT_LE(bench.read[0].last, t + 32 * chunks + 20);
          EXPECT_EQ(bench.read[0].bytes, on_link(packet, 0, vc));
          ASSERT_EQ(bench.returned.size(), 1u);
          EXPECT_EQ(bench.returned[0].cycle, t + wire(chunks) + 3);
          EXPECT_EQ(bench.returned[0].chunks, vc < 2 ? chunks : 8);
          EXPECT_TRUE(bench.sent.empty());
          EXPECT_EQ(bench.framing_errors, 0u);
          EXPECT_TRUE(bench.out().idle);
        }
      }
    }
  }
}

TEST(RouterPins, NextPacketOfAQueueAsksWhenTheTailHasLeft) {
  // The second one goes elsewhere, so that only its queue's read port holds it.
  for (const Edge gap : {Edge{64}, Edge{wire(2)}, Edge{wire(2) + 37}}) {
    Bench bench;
    auto header = fields({3, 1, 1}, 2);
    header.hints = TORUS_HINT_X_PLUS;
    bench.receive(1, make_packet(header, 1), 10);
    header = fields({1, 2, 1}, 2);
    header.hints = TORUS_HINT_Y_PLUS;
    bench.receive(1, make_packet(header, 2), 10 + gap);
    bench.run(500);
    ASSERT_EQ(bench.sent.size(), 2u);
    EXPECT_EQ(bench.sent[0].cycle, 10u + 8 + 6);
    EXPECT_EQ(bench.sent[1].cycle, 10 + 8 + 6 + std::max<Edge>(gap, wire(2)));
    EXPECT_EQ(bench.sent[1].link, 2u);
    EXPECT_EQ(serial_of(bench.sent[1].bytes), 2u);
  }
}

TEST(RouterPins, QueuesOfOneLinkAreReadSideBySide) {
  Bench bench;
  for (unsigned vc = 0; vc < 4; ++vc) {
    const unsigned link = vc == 0 ? 0 : vc + 1;
    Coordinates to = kHere;
    to[link / 2] = static_cast<std::uint8_t>(link % 2 ? 0 : 2);
    auto header = fields(to, 1, vc < 2, vc);
    header.hints = TORUS_HINT(link);
    bench.receive(1, make_packet(header, vc), 10);
  }
  bench.run(300);
  ASSERT_EQ(bench.sent.size(), 4u);
  for (unsigned vc = 0; vc < 4; ++vc) EXPECT_EQ(bench.sent[vc].cycle, 10 + 32 * vc + 8 + 6) << vc;
}

TEST(RouterPins, LinkGrantsAgainWhenTheTailHasLeft) {
  Bench bench;
  for (unsigned fifo = 0; fifo < 3; ++fifo) bench.inject(fifo, make_packet(fields({2, 1, 1}, 3), fifo), 10 + fifo);
  bench.run(600);
  ASSERT_EQ(bench.taken.size(), 3u);
  EXPECT_EQ(bench.taken[0].cycle, 10u + 7 + 1);
  EXPECT_EQ(bench.taken[1].cycle, bench.taken[0].cycle + wire(3));
  EXPECT_EQ(bench.taken[2].cycle, bench.taken[1].cycle + wire(3));
  ASSERT_EQ(bench.sent.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.sent[i].cycle, bench.taken[i].cycle + 5);
    EXPECT_EQ(fields_of(bench.sent[i].bytes).hints, TORUS_HINT_X_PLUS);
  }
  EXPECT_EQ(bench.framing_errors, 0u);
}

TEST(RouterPins, NextPacketOfAFifoFollowsWithoutAGap) {
  for (const std::uint8_t overhead : {0, 14, 40}) {
    auto settings = settings_for(k4x4x4, kHere);
    settings.wire_overhead = overhead;
    Bench bench(settings);
    const Edge w = 10;
    const unsigned length = 64 + overhead;
    for (unsigned i = 0; i < 3; ++i) bench.inject(2, make_packet(fields({1, 2, 1}, 2), i), w + i * length);
    bench.run(500);
    ASSERT_EQ(bench.taken.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(bench.taken[i].cycle, w + 7 + 1 + i * length);
    EXPECT_EQ(bench.framing_errors, 0u);
  }
}

TEST(RouterPins, StopHoldsFromItsCycleOn) {
  Bench bench;
  bench.inject(0, make_packet(fields({2, 1, 1}, 1), 1), 10);
  bench.inject(1, make_packet(fields({1, 2, 1}, 1), 2), 11);
  bench.run(16);
  bench.stop(1);  // pin of cycle 17, in which the first one asks first
  bench.run(99);
  ASSERT_EQ(bench.taken.size(), 1u);
  EXPECT_EQ(bench.taken[0].fifo, 1u);
  EXPECT_FALSE(bench.out().idle);
  bench.stop(0);  // from cycle 100 on
  bench.run(200);
  ASSERT_EQ(bench.taken.size(), 2u);
  EXPECT_EQ(bench.taken[1].cycle, 101u);
  EXPECT_TRUE(bench.out().idle);
}

// Flow control
// ----------------------------------------------------------------------------------------------------------

TEST(RouterPins, BubbleRingIsEnteredOnlyWhereABubbleStays) {
  for (const unsigned channel : {2u, 3u}) {
    Bench bench;
    const auto header = fields({2, 1, 1}, 1, false, channel);
    for (unsigned i = 0; i < 4; ++i) bench.inject(i, make_packet(header, i), 10 + i);
    bench.run(1000);
    // Of 32 chunks each takes 8, and must find 8 + 8.
    ASSERT_EQ(bench.taken.size(), 3u);
    // One that stays in the ring takes the last place; one that turns into it does not.
    auto passing = fields({3, 1, 1}, 1, false, channel);
    passing.hints = TORUS_HINT_X_PLUS;
    bench.receive(2, make_packet(passing, 20), 1001);
    bench.receive(1, make_packet(passing, 21), 1050);
    bench.run(1500);
    ASSERT_EQ(bench.sent.size(), 4u);
    EXPECT_EQ(bench.sent[3].from, 4 + channel);
    EXPECT_EQ(bench.sent[3].cycle, 1050u + 8 + 6);
    // Tokens count from the cycle in which they come in; with 8 none enters, with 16 one does.
    bench.give_back(0, channel, 8, 1600);
    bench.run(1700);
    EXPECT_EQ(bench.sent.size(), 4u);
    bench.give_back(0, channel, 8, 1800);
    bench.run(1900);
    ASSERT_EQ(bench.sent.size(), 5u);
    EXPECT_EQ(bench.sent[4].cycle, 1800u + 6);
    bench.run(2500);
    EXPECT_EQ(bench.sent.size(), 5u);
  }
}

TEST(RouterPins, WithoutBubbleChunksTheLastPlaceIsTaken) {
  auto settings = settings_for(k4x4x4, kHere);
  settings.bubble_chunks = 0;
  Bench bench(settings);
  for (unsigned i = 0; i < 5; ++i) bench.inject(i, make_packet(fields({2, 1, 1}, 1), i), 10 + i);
  bench.run(1000);
  EXPECT_EQ(bench.taken.size(), 4u);
}

TEST(RouterPins, DynamicPacketsTakeTheLinkAndChannelWithMostTokens) {
  // 8 chunks each; nothing is given back. X+ and Y+ lead to the destination.
  Bench bench;
  std::map<std::pair<unsigned, unsigned>, unsigned> used;
  Edge cycle = 10;
  for (unsigned i = 0; i < 32; ++i) {
    bench.inject(0, make_packet(fields({2, 2, 1}, 8, true, 0), i), cycle);
    bench.run(cycle + 700);
    if (bench.sent.size() != i + 1) break;
    const Sent& sent = bench.sent.back();
    // X+ goes first among equals, and channel 0; a link counts as its better channel.
    if (i < 16) {
      EXPECT_EQ(sent.link, i / 2 % 2 ? 2u : 0u) << i;
      EXPECT_EQ(sent.channel, i % 2) << i;
    }
    ++used[{sent.link, sent.channel}];
    cycle += 700;
  }
  // 4 on each dynamic channel; then the bubble channel of X+, the dimension-order link, and its bubble stays.
  EXPECT_EQ((used[{0, 0}]), 4u);
  EXPECT_EQ((used[{0, 1}]), 4u);
  EXPECT_EQ((used[{2, 0}]), 4u);
  EXPECT_EQ((used[{2, 1}]), 4u);
  EXPECT_EQ((used[{0, 2}]), 3u);
  EXPECT_EQ(bench.sent.size(), 19u);
}

TEST(RouterPins, ReceptionTokensCount) {
  Bench bench;
  auto header = fields(kHere, 8);
  header.hints = TORUS_HINT_X_MINUS;
  for (unsigned i = 0; i < 5; ++i) {
    bench.receive(0, make_packet(header, i), 10 + 300 * i);
    bench.run(10 + 300 * (i + 1));
  }
  EXPECT_EQ(bench.delivered.size(), 4u);  // 32 chunks
  bench.free_reception(0, 7, 1600);
  bench.run(1700);
  EXPECT_EQ(bench.delivered.size(), 4u);
  bench.free_reception(0, 1, 1700);
  bench.free_reception(1, 0, 1700);
  bench.run(2100);
  ASSERT_EQ(bench.delivered.size(), 5u);
  EXPECT_LE(bench.delivered[4].cycle, 1702u);
  EXPECT_EQ(bench.read.size(), 5u);
}

TEST(RouterPins, LocalPathServesPriorityFirstThenInTurn) {
  auto settings = settings_for(k4x4x4, kHere);
  settings.reception_chunks = 8;
  Bench bench(settings);
  auto send = [&](unsigned vc, unsigned serial, unsigned chunks) {
    auto header = fields(kHere, chunks, vc < 2, vc);
    header.hints = TORUS_HINT_X_MINUS;
    bench.receive(0, make_packet(header, serial), 10);
  };
  // The first two fill the FIFOs; the others wait for room together.
  send(3, 0, 8);
  send(1, 1, 8);
  for (const unsigned vc : {0u, 1u, 2u, 3u}) send(vc, 2 + vc, 1);
  bench.run(1000);
  ASSERT_EQ(bench.delivered.size(), 2u);
  bench.free_reception(0, 8, 1001);
  bench.free_reception(6, 8, 1001);
  bench.run(1500);
  ASSERT_EQ(bench.delivered.size(), 6u);
  const unsigned order[] = {3, 0, 1, 2};
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.delivered[2 + i].from, order[i]) << i;
    EXPECT_EQ(bench.delivered[2 + i].cycle, 1001 + 1 + wire(1) * i);
  }
}

TEST(RouterPins, OnePriorityPacketAtATimeIntoAFifo) {
  Bench bench;
  for (unsigned link = 0; link < kLinks; ++link) {
    auto header = fields(kHere, 2, false, 3);
    header.hints = TORUS_HINT(link ^ 1);
    header.pid = link % 2;
    bench.receive(link, make_packet(header, link), 10);
  }
  bench.run(700);
  ASSERT_EQ(bench.delivered.size(), 6u);
  std::map<unsigned, std::vector<Edge>> starts;
  for (const Delivered& packet : bench.delivered) starts[packet.fifo].push_back(packet.cycle);
  for (const unsigned fifo : {6u, 13u}) {
    ASSERT_EQ(starts[fifo].size(), 3u);
    EXPECT_EQ(starts[fifo][0], 10u + 8 + 1);
    EXPECT_EQ(starts[fifo][1], starts[fifo][0] + wire(2));
    EXPECT_EQ(starts[fifo][2], starts[fifo][1] + wire(2));
  }
  ASSERT_EQ(bench.read.size(), 6u);
  EXPECT_EQ(bench.framing_errors, 0u);
}

// Deposit
// ---------------------------------------------------------------------------------------------------------------

Bytes deposit_packet(unsigned chunks, unsigned serial, unsigned vc = 2, bool dynamic = false) {
  auto header = fields({3, 1, 1}, chunks, dynamic, vc);
  header.hints = TORUS_HINT_X_PLUS;
  header.deposit = 1;
  return make_packet(header, serial);
}

TEST(RouterPins, DepositLeavesACopy) {
  for (const unsigned vc : {0u, 2u, 3u}) {
    Bench bench;
    const Bytes packet = deposit_packet(4, 5, vc, vc == 0);
    bench.receive(1, packet, 10);
    bench.run(400);
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].cycle, 10u + 8 + 6);
    EXPECT_EQ(bench.sent[0].bytes, on_link(packet, TORUS_HINT_X_PLUS, vc));
    ASSERT_EQ(bench.delivered.size(), 1u);
    EXPECT_EQ(bench.delivered[0].cycle, 10u + 8 + 1);
    EXPECT_TRUE(bench.delivered[0].copy);
    EXPECT_EQ(bench.delivered[0].from, 4 + vc);
    EXPECT_EQ(bench.delivered[0].fifo, vc == 3 ? 6u : 1u);
    ASSERT_EQ(bench.read.size(), 1u);
    EXPECT_EQ(bench.read[0].bytes, packet);
    EXPECT_EQ(bench.returned.size(), 1u);
  }
}

TEST(RouterPins, DepositWaitsForTheLocalPathAndForSpace) {
  Bench bench;
  auto arrived = fields(kHere, 8, true, 1);
  arrived.hints = TORUS_HINT_X_PLUS;
  bench.receive(1, make_packet(arrived, 0), 10);
  bench.receive(1, deposit_packet(1, 1), 11);
  bench.run(700);
  ASSERT_EQ(bench.delivered.size(), 2u);
  EXPECT_EQ(bench.delivered[1].cycle, bench.delivered[0].cycle + wire(8));
  ASSERT_EQ(bench.sent.size(), 1u);
  EXPECT_EQ(bench.sent[0].cycle, bench.delivered[1].cycle + 5);

  // FIFO 1 has 23 chunks left; with them gone the packet stays where it is, and others pass.
  for (unsigned i = 0; i < 3; ++i) {
    bench.receive(1, make_packet(arrived, 2 + i), 700);
    bench.give_back(0, 2, i == 0 ? 8 : 0, 700);
  }
  bench.run(1700);
  EXPECT_EQ(bench.delivered.size(), 4u);
  bench.receive(1, deposit_packet(8, 9), 1700);
  bench.run(2200);
  EXPECT_EQ(bench.sent.size(), 1u);
  bench.free_reception(1, 25, 2200);
  bench.run(3200);
  EXPECT_EQ(bench.sent.size(), 2u);
  EXPECT_EQ(bench.delivered.size(), 6u);
  EXPECT_EQ(bench.framing_errors, 0u);
}

TEST(RouterPins, TheSourceKeepsNoCopy) {
  Bench bench;
  auto header = fields({3, 1, 1}, 2);
  header.deposit = 1;
  bench.inject(0, make_packet(header, 1), 10);
  bench.run(300);
  EXPECT_EQ(bench.sent.size(), 1u);
  EXPECT_TRUE(bench.delivered.empty());
}

// Arbitration
// -----------------------------------------------------------------------------------------------------------

TEST(RouterPins, PriorityGoesFirstThenTheFullestQueue) {
  auto settings = settings_for(k4x4x4, kHere);
  settings.random_cycles = 0;
  Bench bench(settings);
  bench.stop(1);
  auto send = [&](unsigned link, unsigned chunks, unsigned serial, unsigned vc) {
    auto header = fields({2, 1, 1}, chunks, vc < 2, vc);
    header.hints = TORUS_HINT_X_PLUS;
    bench.receive(link, make_packet(header, serial), 10);
  };
  send(2, 1, 0, 0);
  send(3, 3, 1, 0);
  send(4, 2, 2, 0);
  send(5, 1, 3, 3);
  send(1, 2, 4, 0);
  bench.inject(0, make_packet(fields({2, 1, 1}, 2, true, 0), 5), 10);
  bench.run(400);
  bench.stop(0);
  bench.run(1500);
  ASSERT_EQ(bench.sent.size(), 6u);
  // Priority; 3 chunks; of those with 2, in turn behind link 3: link 4, injection, link 1; then 1.
  const unsigned order[] = {3, 1, 2, 5, 4, 0};
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(serial_of(bench.sent[i].bytes), order[i]) << i;
}

TEST(RouterPins, RandomPhaseTakesAllAlike) {
  auto settings = settings_for(k4x4x4, kHere);
  settings.fullness_cycles = 0;
  settings.random_cycles = 53;
  std::map<unsigned, unsigned> first;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    settings.seed = 0x9E3779B9u * seed;
    Bench bench(settings);
    bench.stop(1);
    for (unsigned link = 1; link < 4; ++link) {
      auto header = fields({2, 1, 1}, link, true, 0);
      header.hints = TORUS_HINT_X_PLUS;
      bench.receive(link, make_packet(header, link), 10);
    }
    bench.inject(7, make_packet(fields({2, 1, 1}, 1, true, 0), 9), 10);
    bench.run(50);
    bench.stop(0);
    bench.run(70);
    ASSERT_EQ(bench.sent.size(), 1u);
    ++first[bench.sent[0].from];
  }
  ASSERT_EQ(first.size(), 4u);
  for (const auto& [from, count] : first) EXPECT_NEAR(count, 75, 35) << from;
}

TEST(RouterPins, PriorityInjectionHasItsChance) {
  auto settings = settings_for(k4x4x4, kHere);
  for (const unsigned chance : {0u, 8u, 31u}) {
    settings.priority_injection = static_cast<std::uint8_t>(chance);
    unsigned injected = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
      settings.seed = 0x9E3779B9u * seed;
      Bench bench(settings);
      bench.stop(1);
      auto header = fields({2, 1, 1}, 1, false, 3);
      header.hints = TORUS_HINT_X_PLUS;
      bench.receive(2, make_packet(header, 1), 10);
      bench.inject(3, make_packet(fields({2, 1, 1}, 8, false, 3), 2), 10);
      bench.run(50);
      bench.stop(0);
      bench.run(70);
      ASSERT_EQ(bench.sent.size(), 1u);
      injected += bench.sent[0].from >= 24;
    }
    EXPECT_NEAR(injected, 200 * chance / 32.0, 25) << chance;
    if (chance == 0) {
      EXPECT_EQ(injected, 0u);
    }
  }
}

// Routing
// ---------------------------------------------------------------------------------------------------------------

TEST(RouterPins, RoutesToAllDestinations) {
  for (const char* shape : {"4x4x4", "5x3x2m", "8mx2x3"}) {
    const Topology topology(Shape::parse(shape));
    for (const TieRule rule : {TieRule::parity, TieRule::plus}) {
      TorusConfig config = test::shipped_torus();
      config.tie_rule = rule;
      for (std::uint32_t from = 0; from < topology.nodes(); from += 7) {
        const Coordinates at = topology.coordinates(from);
        const CutOffs cut_offs = topology.minimal_cut_offs(at, rule);
        Bench bench(settings_for(topology, at, config));
        Edge cycle = 10;
        for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
          if (to == from) continue;
          const Coordinates there = topology.coordinates(to);
          const std::uint16_t hints = topology.hints(at, there, cut_offs);
          for (const bool dynamic : {false, true}) {
            bench.sent.clear();
            bench.inject(to % 8, make_packet(fields(there, 1, dynamic), to), cycle);
            cycle += 60;
            bench.run(cycle);
            ASSERT_EQ(bench.sent.size(), 1u) << shape << ' ' << from << " to " << to;
            const Sent& sent = bench.sent[0];
            unsigned expected = 0;
            for (unsigned d = 0; d < 6; ++d) expected |= (hints >> d & 1u) * TORUS_HINT(d);
            EXPECT_EQ(fields_of(sent.bytes).hints, expected) << shape << ' ' << from << " to " << to;
            EXPECT_TRUE(hints >> sent.link & 1u);
            if (!dynamic) {
              EXPECT_EQ(sent.link, static_cast<unsigned>(__builtin_ctz(hints)));
            }
            bench.give_back(sent.link, sent.channel, sent.channel >= 2 ? 8 : 1, cycle);
          }
        }
      }
    }
  }
}

TEST(RouterPins, HintsOfSoftwareStand) {
  // The long way around.
  Bench bench;
  auto header = fields({2, 1, 1}, 1);
  header.hints = TORUS_HINT_X_MINUS;
  bench.inject(0, make_packet(header, 1), 10);
  bench.run(100);
  ASSERT_EQ(bench.sent.size(), 1u);
  EXPECT_EQ(bench.sent[0].link, 1u);
}

TEST(RouterPins, HintsOfADimensionThatIsDoneAreCleared) {
  Bench bench;
  auto header = fields({1, 3, 1}, 1);
  header.hints = TORUS_HINT_X_PLUS | TORUS_HINT_Y_PLUS;
  bench.receive(1, make_packet(header, 1), 10);
  // Came along Y, which is not done; X is, but that is the business of the X links' receivers.
  bench.receive(3, make_packet(header, 2), 200);
  bench.run(400);
  ASSERT_EQ(bench.sent.size(), 2u);
  EXPECT_EQ(bench.sent[0].link, 2u);
  EXPECT_EQ(fields_of(bench.sent[0].bytes).hints, TORUS_HINT_Y_PLUS);
  EXPECT_EQ(bench.sent[1].link, 0u);
}

TEST(RouterPins, NoLinkAtTheEdgeOfAMesh) {
  const Topology topology(Shape::parse("4mx4x4"));
  Bench bench(settings_for(topology, {3, 1, 1}));
  auto header = fields({0, 1, 1}, 1);
  header.hints = TORUS_HINT_X_PLUS;
  bench.inject(0, make_packet(header, 1), 10);
  bench.inject(1, make_packet(fields({0, 1, 1}, 1), 2), 12);
  bench.run(400);
  ASSERT_EQ(bench.sent.size(), 1u);
  EXPECT_EQ(bench.sent[0].link, 1u);
  EXPECT_EQ(serial_of(bench.sent[0].bytes), 2u);
}

// Reception at full load
// ------------------------------------------------------------------------------------------------

TEST(RouterPins, ReceptionKeepsUpWithAllLinks) {
  for (const unsigned chunks : {1u, 8u}) {
    auto settings = settings_for(k4x4x4, kHere);
    settings.wire_overhead = 0;
    settings.reception_chunks = 255;
    Bench bench(settings);
    std::map<std::uint64_t, Edge> last_byte;
    std::uint64_t serial = 0;
    for (unsigned i = 0; i < 200 / chunks; ++i) {
      for (unsigned link = 0; link < kLinks; ++link) {
        auto header = fields(kHere, chunks, true, i % 2);
        header.hints = TORUS_HINT(link ^ 1);
        header.pid = static_cast<std::uint8_t>(i / 2 % 2);
        bench.receive(link, make_packet(header, serial), 10);
        // In at h, out of the pipeline's end 8 later, and through the queue.
        last_byte[serial++] = 10 + 32 * chunks * (i + 1) + 8 + 2;
      }
    }
    bench.run(10 + 200 * 32 + 100);
    EXPECT_EQ(bench.framing_errors, 0u);
    ASSERT_EQ(bench.read.size(), serial);
    Edge worst = 0;
    for (const Read& packet : bench.read) {
      const Edge last = last_byte[serial_of(packet.bytes)];
      worst = std::max(worst, packet.last > last ? packet.last - last : 0);
    }
    EXPECT_LE(worst, 20u);
    std::printf("last quad at the latest %u cycles after the last byte\n", static_cast<unsigned>(worst));
  }
}

// Faults
// ----------------------------------------------------------------------------------------------------------------

std::string fault_of(RouterBench& bench, Edge until) {
  try {
    bench.run(until);
  } catch (const RtlFault& fault) {
    return fault.what();
  }
  return "none";
}

TEST(RouterPins, FaultsAreNoticed) {
  {
    Bench bench;
    bench.give_back(3, 1, 1, 20);
    EXPECT_NE(fault_of(bench, 100).find("given back"), std::string::npos);
  }
  {
    Bench bench;
    bench.free_reception(3, 1, 20);
    EXPECT_NE(fault_of(bench, 100).find("freed"), std::string::npos);
  }
  {
    // More than the sender may have sent: 5 packets of the bubble channel.
    Bench bench;
    bench.stop(0x3F);
    auto header = fields({3, 1, 1}, 1);
    header.hints = TORUS_HINT_X_PLUS;
    for (unsigned i = 0; i < 5; ++i) bench.receive(1, make_packet(header, i), 10);
    EXPECT_NE(fault_of(bench, 500).find("overflow"), std::string::npos);
  }
  {
    Bench bench;
    Bytes packet = make_packet(fields({3, 1, 1}, 1), 1);
    packet.pop_back();
    bench.receive(1, packet, 10);
    EXPECT_NE(fault_of(bench, 500).find("gap"), std::string::npos);
  }
  {
    Bench bench;
    bench.inject(0, make_packet(fields({3, 1, 1}, 4), 1), 10, 40);
    EXPECT_NE(fault_of(bench, 500).find("underflow"), std::string::npos);
  }
}

// Random traffic ------------------------------------------------------------------------------------------------------

void expect_all_arrives(const char* shape, const RouterNetwork::Traffic& traffic,
                        const TorusConfig& config = test::shipped_torus()) {
  SCOPED_TRACE(shape);
  const Topology topology(Shape::parse(shape));
  RouterNetwork network(topology, config, traffic, make_router);
  std::string fault;
  try {
    fault = network.run();
  } catch (const RtlFault& found) {
    fault = found.what();
  }
  EXPECT_EQ(fault, "") << network.received() << " packets received";
  EXPECT_EQ(network.received(), std::uint64_t{topology.nodes()} * traffic.packets);
  if (traffic.deposit_percent) {
    EXPECT_GT(network.copies(), 0u);
  }
}

TEST(RouterPins, RandomTrafficArrives) {
  RouterNetwork::Traffic traffic;
  expect_all_arrives("3x3x2", traffic);
  traffic.dynamic_percent = 100;
  expect_all_arrives("4x2x2", traffic);
  traffic.dynamic_percent = 0;
  traffic.priority_percent = 30;
  expect_all_arrives("5x2x1", traffic);
  expect_all_arrives("4x3mx2m", traffic);
}

TEST(RouterPins, RandomTrafficWithStallsArrives) {
  RouterNetwork::Traffic traffic;
  traffic.stall_percent = 20;
  traffic.deposit_percent = 30;
  for (traffic.seed = 1; traffic.seed <= 3; ++traffic.seed) {
    expect_all_arrives("4x4x1", traffic);
    expect_all_arrives("8x1x1", traffic);
    expect_all_arrives("3mx3x2", traffic);
  }
}

TEST(RouterPins, SmallBuffersAndOtherLengthsOnTheWire) {
  RouterNetwork::Traffic traffic;
  traffic.stall_percent = 10;
  TorusConfig config = test::shipped_torus();
  config.buffer_chunks = 16;
  config.reception_depth = 8;
  expect_all_arrives("4x4x1", traffic, config);
  config.wire_overhead = 0;
  expect_all_arrives("3x3x1", traffic, config);
  config.wire_overhead = 50;
  expect_all_arrives("3x3x1", traffic, config);
}

}  // namespace
}  // namespace toroid::rtl
