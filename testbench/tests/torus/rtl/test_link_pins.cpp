// SPDX-License-Identifier: Apache-2.0
//
// The ends of a torus link in SystemVerilog, at their pins.
#include <Vlink_pair.h>
#include <Vlink_pair_accepts_all.h>
#include <Vlink_pair_any_order.h>
#include <Vlink_pair_no_time_out.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "nic/bgl/rtl/verilated_link.h"
#include "testbench/tests/torus/rtl/link_pins_bench.h"
#include "torus/rtl/fault.h"

namespace toroid::rtl::test {
namespace {

using Bytes = LinkPinsBench::Bytes;

struct Bench {
  explicit Bench(const LinkSettings& settings = {}) : bench(pins, settings) {}
  VerilatedLink<Vlink_pair> pins{"link"};
  LinkPinsBench bench;
};

TEST(LinkPins, AFrameHasTheModelsCrcsAndCycles) {
  for (unsigned chunks = 1; chunks <= 8; ++chunks) {
    Bench b;
    LinkPinsBench& bench = b.bench;
    const Bytes bytes = LinkPinsBench::contents(chunks, chunks);
    bench.queue(bytes);
    bench.run(400);
    ASSERT_EQ(bench.sent.size(), 1u);
    const std::uint64_t granted = bench.granted[0];
    EXPECT_EQ(bench.sent[0].bytes, LinkPinsBench::framed(bytes, 0));
    EXPECT_EQ(bench.sent[0].first, granted + 6);
    ASSERT_EQ(bench.received.size(), 1u);
    const auto& received = bench.received[0];
    EXPECT_EQ(received.header, Verdict::good);
    EXPECT_EQ(received.header_at, granted + 15) << "acted upon in the cycle after, one hop after the grant";
    EXPECT_EQ(received.verdict, Verdict::good);
    const std::uint64_t tail_left = granted + bytes.size() + 14;
    EXPECT_EQ(received.verdict_at, tail_left - 3);
    Bytes framed = LinkPinsBench::framed(bytes, 0);
    framed.resize(bytes.size());
    EXPECT_EQ(received.bytes, framed);
    EXPECT_EQ(bench.acked, std::vector<std::uint8_t>{1});
    EXPECT_TRUE(bench.out.idle);
    EXPECT_EQ(bench.out.begin, 1);
    EXPECT_EQ(bench.out.end, 1);
  }
}

TEST(LinkPins, PacketsFollowEachOtherWithoutAGap) {
  Bench b;
  for (unsigned i = 0; i < 600; ++i) b.bench.queue(LinkPinsBench::contents(1 + i % 8, i));
  ASSERT_TRUE(b.bench.run_to_the_end(200000));
  ASSERT_EQ(b.bench.accepted().size(), 600u);
  EXPECT_EQ(b.bench.sent.size(), 600u);
  for (unsigned i = 0; i < 600; ++i) {
    ASSERT_EQ(b.bench.sent[i].bytes, LinkPinsBench::framed(LinkPinsBench::contents(1 + i % 8, i), i % 256));
    ASSERT_EQ(b.bench.sent[i].first, b.bench.granted[i] + 6);
    if (i == 0) continue;
    ASSERT_EQ(b.bench.granted[i] - b.bench.granted[i - 1], 32 * (1 + (i - 1) % 8) + 14);
  }
}

TEST(LinkPins, EverySingleFlipIsNoticed) {
  Bench b;
  const unsigned bits = (32 + 4) * 8;
  b.bench.spoil = [](std::size_t frame, std::size_t index, std::uint8_t byte) {
    const bool spoilt = frame % 2 == 0 && frame / 2 / 8 == index;
    return static_cast<std::uint8_t>(spoilt ? byte ^ 1 << frame / 2 % 8 : byte);
  };
  b.bench.settings.timeout = 100;
  b.pins.set(b.bench.settings);
  b.bench.settings.window = 1;
  b.pins.reset(b.bench.settings);
  for (unsigned i = 0; i < bits; ++i) b.bench.queue(LinkPinsBench::contents(1, i));
  ASSERT_TRUE(b.bench.run_to_the_end(bits * 400));
  ASSERT_EQ(b.bench.received.size(), 2 * bits);
  for (unsigned i = 0; i < 2 * bits; ++i) {
    ASSERT_EQ(b.bench.received[i].verdict, i % 2 ? Verdict::good : Verdict::damaged) << i;
    const bool in_header = i % 2 == 0 && i / 2 / 8 < 8;
    ASSERT_EQ(b.bench.received[i].header, in_header ? Verdict::damaged : Verdict::good) << i;
  }
  EXPECT_EQ(b.bench.acked.size(), bits);
}

TEST(LinkPins, ATimeOutCountsFromTheTailAndAllGoAgain) {
  Bench b;
  LinkPinsBench& bench = b.bench;
  bench.spoil = [](std::size_t frame, std::size_t index, std::uint8_t byte) {
    return static_cast<std::uint8_t>(frame == 0 && index == 20 ? byte ^ 4 : byte);
  };
  for (unsigned i = 0; i < 3; ++i) bench.queue(LinkPinsBench::contents(2, i));
  ASSERT_TRUE(bench.run_to_the_end(3000));
  ASSERT_EQ(bench.sent.size(), 6u);
  const std::uint64_t w = 64 + 14;
  const std::uint64_t due = bench.granted[0] + w + 600;
  EXPECT_EQ(bench.hold_rose, due - 1) << "nothing is granted in the cycle of the time-out";
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.sent[3 + i].first, due + i * w + 6);
    EXPECT_EQ(bench.sent[3 + i].bytes, bench.sent[i].bytes);
  }
  EXPECT_EQ(bench.hold_fell, due + 3 * w - 1) << "a grant follows the last of them without a gap";
  const Verdict verdicts[] = {Verdict::damaged, Verdict::ahead, Verdict::ahead,
                              Verdict::good,    Verdict::good,  Verdict::good};
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(bench.received[i].verdict, verdicts[i]);
  EXPECT_EQ(bench.acked, (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST(LinkPins, ALaterAcknowledgementMakesUpForALostOne) {
  Bench b;
  b.bench.lose_ack = [](std::size_t number) { return number < 2; };
  for (unsigned i = 0; i < 3; ++i) b.bench.queue(LinkPinsBench::contents(1, i));
  ASSERT_TRUE(b.bench.run_to_the_end(3000));
  EXPECT_EQ(b.bench.sent.size(), 3u);
}

TEST(LinkPins, WhatHasComeIsAcknowledgedAgainAndNotAcceptedAgain) {
  Bench b;
  b.bench.lose_ack = [](std::size_t number) { return number < 2; };
  for (unsigned i = 0; i < 2; ++i) b.bench.queue(LinkPinsBench::contents(1, i));
  ASSERT_TRUE(b.bench.run_to_the_end(3000));
  ASSERT_EQ(b.bench.received.size(), 4u);
  EXPECT_EQ(b.bench.received[2].verdict, Verdict::repeated);
  EXPECT_EQ(b.bench.received[3].verdict, Verdict::repeated);
  EXPECT_EQ(b.bench.acked, (std::vector<std::uint8_t>{1, 2, 2, 2}));
  EXPECT_EQ(b.bench.accepted().size(), 2u);
}

TEST(LinkPins, AFullResendFifoHoldsTheRouterOff) {
  for (const std::uint8_t window : {1, 2, 5, 8}) {
    LinkSettings settings;
    settings.window = window;
    settings.timeout = 5000;
    Bench b(settings);
    b.bench.ack_cycles = 3000;
    for (unsigned i = 0; i < 20; ++i) b.bench.queue(LinkPinsBench::contents(1, i));
    b.bench.run(2900);
    EXPECT_EQ(b.bench.granted.size(), window);
    EXPECT_TRUE(b.bench.out.hold);
    ASSERT_TRUE(b.bench.run_to_the_end(100000));
    EXPECT_EQ(b.bench.sent.size(), 20u);
    // The acknowledgement of the first one frees a place: a grant in the cycle after.
    EXPECT_EQ(b.bench.granted[window], b.bench.received[0].verdict_at + 3001);
  }
}

TEST(LinkPins, APacketGrantedBeforeHoldIsSeenGoesAheadOfThoseThatGoAgain) {
  // Around the time-out, every offset: whatever was granted up to and including its cycle goes first.
  const std::uint64_t w = 32 + 14;
  for (unsigned offset = 0; offset < 60; ++offset) {
    Bench b;
    LinkPinsBench& bench = b.bench;
    bench.lose_ack = [](std::size_t number) { return number == 0; };
    bench.queue(LinkPinsBench::contents(1, 0));
    const std::uint64_t due = bench.now + w + 600;
    bench.step();
    bench.grants = false;
    bench.queue(LinkPinsBench::contents(1, 1));
    while (bench.now < due - 55 + offset) bench.step();
    bench.grants = true;
    ASSERT_TRUE(bench.run_to_the_end(3000));
    ASSERT_EQ(bench.accepted().size(), 2u);
    // Before its acknowledgement can have come back, the time-out is due.
    if (bench.granted[1] < due) {
      ASSERT_EQ(bench.sent[1].sequence, 1) << offset;
      ASSERT_EQ(bench.sent[1].first, bench.granted[1] + 6);
      ASSERT_EQ(bench.sent[2].sequence, 0);
      ASSERT_EQ(bench.sent[2].first, std::max(due, bench.granted[1] + w) + 6);
    } else {
      ASSERT_EQ(bench.sent[1].sequence, 0) << offset;
      ASSERT_EQ(bench.sent[1].first, due + 6);
      ASSERT_EQ(bench.granted[1], due + w);
    }
  }
}

TEST(LinkPins, AFrameThatIsCutOffIsDamaged) {
  VerilatedLink<Vlink_pair> pins("link");
  pins.reset({});
  const Bytes frame = LinkPinsBench::framed(LinkPinsBench::contents(2, 1), 0);
  for (const unsigned length : {1u, 3u, 7u, 8u, 40u, 64u, 67u}) {
    for (const bool followed : {false, true}) {
      LinkInputs in;
      LinkOutputs out;
      for (unsigned i = 0; i < length; ++i) {
        in.wire = {true, i == 0, frame[i]};
        pins.clock(in, out);
        ASSERT_FALSE(out.done);
      }
      in.wire = {followed, followed, frame[0]};
      pins.clock(in, out);
      ASSERT_TRUE(out.done) << length;
      ASSERT_EQ(out.verdict, Verdict::damaged);
      ASSERT_EQ(out.expected, 0);
      in.wire = {};
      pins.clock(in, out);
    }
  }
}

/// Random packets, pauses of the router, bit flips, lost acknowledgements.
template <typename Model>
void storm(std::uint64_t seed, const LinkSettings& settings, unsigned packets, LinkPinsBench& bench) {
  std::uint64_t random = seed;
  std::vector<Bytes> all;
  for (unsigned i = 0; i < packets; ++i) {
    all.push_back(LinkPinsBench::contents(1 + next_random(random, 8), next_random(random, 1 << 30)));
    bench.queue(all.back());
  }
  bench.spoil = [&](std::size_t, std::size_t, std::uint8_t byte) {
    return static_cast<std::uint8_t>(next_random(random, 600) ? byte : byte ^ 1 << next_random(random, 8));
  };
  bench.lose_ack = [&](std::size_t) { return next_random(random, 5) == 0; };
  unsigned pause = 0;
  for (unsigned i = 0; i < packets * 4000; ++i) {
    if (pause == 0) {
      bench.grants = next_random(random, 3) != 0;
      pause = next_random(random, 400);
    } else {
      --pause;
    }
    bench.step();
    if (bench.waiting.empty() && bench.accepted().size() >= packets && bench.out.idle) break;
  }
  ASSERT_TRUE(bench.run_to_the_end(100000));
  const std::vector<Bytes> accepted = bench.accepted();
  ASSERT_EQ(accepted.size(), packets) << "settings.window " << unsigned{settings.window};
  for (unsigned i = 0; i < packets; ++i) {
    Bytes expected = LinkPinsBench::framed(all[i], static_cast<std::uint8_t>(i));
    expected.resize(all[i].size());
    ASSERT_EQ(accepted[i], expected) << i;
  }
}

TEST(LinkPins, AllComeOnceInOrderAndWholeWhateverHappens) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    LinkSettings settings;
    settings.window = static_cast<std::uint8_t>(1 + seed % 8);
    settings.timeout = static_cast<std::uint16_t>(seed % 3 == 0 ? 600 : seed % 3 == 1 ? 90 : 5);
    Bench b(settings);
    storm<Vlink_pair>(seed, settings, 300, b.bench);
    if (HasFatalFailure()) return;
  }
}

std::string fault_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const RtlFault& fault) {
    return fault.what();
  }
  return "none";
}

TEST(LinkPins, ARouterThatSendsIntoAFullFifoIsNamed) {
  LinkSettings settings;
  settings.window = 2;
  VerilatedLink<Vlink_pair> pins("link");
  pins.reset(settings);
  const Bytes bytes = LinkPinsBench::contents(1, 1);
  const std::string fault = fault_of([&] {
    LinkInputs in;
    LinkOutputs out;
    for (unsigned packet = 0; packet < 3; ++packet) {
      for (unsigned i = 0; i < 46; ++i) {
        in.packet = {i < 32, i == 0, bytes[i % 32]};
        pins.clock(in, out);
      }
    }
  });
  EXPECT_NE(fault.find("the router sends, but the resend FIFO is full"), std::string::npos) << fault;
}

// Defects planted into copies: what tells them from the original.

TEST(LinkPinsDefects, AReceiverThatIgnoresTheCrcAcceptsWhatIsDamaged) {
  VerilatedLink<Vlink_pair_accepts_all> pins("link");
  LinkPinsBench bench(pins);
  bench.spoil = [](std::size_t frame, std::size_t index, std::uint8_t byte) {
    return static_cast<std::uint8_t>(frame == 0 && index == 20 ? byte ^ 4 : byte);
  };
  bench.queue(LinkPinsBench::contents(1, 0));
  ASSERT_TRUE(bench.run_to_the_end(3000));
  EXPECT_EQ(bench.received[0].verdict, Verdict::good);
  EXPECT_NE(bench.received[0].bytes[20], LinkPinsBench::contents(1, 0)[20]);
}

TEST(LinkPinsDefects, ASenderWithoutTimeOutStopsAtALostAcknowledgement) {
  VerilatedLink<Vlink_pair_no_time_out> pins("link");
  LinkPinsBench bench(pins);
  bench.lose_ack = [](std::size_t number) { return number == 0; };
  bench.queue(LinkPinsBench::contents(1, 0));
  EXPECT_FALSE(bench.run_to_the_end(100000));
  EXPECT_EQ(bench.sent.size(), 1u);
}

TEST(LinkPinsDefects, AReceiverWithoutSequenceCheckIsCaughtByItsAssertion) {
  VerilatedLink<Vlink_pair_any_order> pins("link");
  LinkPinsBench bench(pins);
  bench.lose_ack = [](std::size_t number) { return number == 0; };
  bench.queue(LinkPinsBench::contents(1, 0));
  const std::string fault = fault_of([&] { bench.run(3000); });
  EXPECT_NE(fault.find("the receiver expects packet 2, the resend FIFO has 0 up to 1"), std::string::npos) << fault;
}

TEST(LinkPins, CostOfAClock) {
  Bench b;
  LinkInputs in;
  LinkOutputs out;
  const Bytes bytes = LinkPinsBench::contents(8, 1);
  const unsigned cycles = 270 * 2000;
  std::deque<WireByte> wire(2);
  const std::clock_t start = std::clock();
  unsigned at = 0;
  for (unsigned i = 0; i < cycles; ++i) {
    in.packet = {at < 256, at == 0, bytes[at % 256]};
    at = at == 269 ? 0 : at + 1;
    in.wire = wire.front();
    wire.pop_front();
    wire.push_back(out.wire);
    in.ack = out.ack;
    in.ack_next = out.ack_next;
    b.pins.clock(in, out);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("a clock of both ends, busy: %.0f ns of processor time\n", seconds * 1e9 / cycles);
  EXPECT_EQ(out.expected, 2000 % 256);
}

}  // namespace
}  // namespace toroid::rtl::test
