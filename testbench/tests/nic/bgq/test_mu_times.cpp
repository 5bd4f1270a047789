// SPDX-License-Identifier: Apache-2.0
//
// What the Messaging Unit's parameters do to times: each moves the latency of a put by what it says, and streams run at
// the rate of what limits them.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "testbench/tests/nic/bgq/mu_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint32_t kRing = 0x1000, kRingBytes = 0x4000, kCounter = 0x8000, kSource = 0x10000, kTarget = 0x200000;
constexpr unsigned kMore = 100;

/// Tells when the packets of puts were in memory.
struct Arrivals : MuObserver {
  void on_descriptor(const Message&, Cycle) override {}
  void on_message_read(std::uint32_t, std::uint32_t, Cycle) override {}
  void on_packet(std::uint32_t, std::uint32_t, std::uint32_t, Cycle) override {}
  void on_put(std::uint32_t, std::uint64_t, std::uint32_t, Cycle at) override { cycles.push_back(at); }
  void on_fifo(std::uint32_t, Side, unsigned, std::uint64_t, Cycle) override {}
  std::vector<Cycle> cycles;
};

struct Case {
  const char* name;
  std::function<void(MuConfig&)> change;
  std::unique_ptr<MuMachine> machine;
};
Case cases[] = {
    {"shipped", [](MuConfig&) {}, nullptr},
    {"start", [](MuConfig& config) { config.start_cycles += kMore; }, nullptr},
    {"deliver", [](MuConfig& config) { config.deliver_cycles += kMore; }, nullptr},
    {"memory", [](MuConfig& config) { config.memory_latency += kMore; }, nullptr},
    {"packet", [](MuConfig& config) { config.packet_cycles += 4 * kMore; }, nullptr},
};

MuMachine& named(const std::string& name) {
  for (Case& each : cases) {
    if (name == each.name) return *each.machine;
  }
  throw std::logic_error(name);
}

/// The cycles after the tail's move at which the packets of `count` puts of `length` bytes are in memory. Each goes
/// through an injection FIFO of its own, if there are several, and through network FIFO A+.
std::vector<Cycle> put(MuMachine& machine, std::uint32_t length, unsigned count = 1, unsigned fifos = 1,
                       unsigned map = BGQ_FIFO_MAP_PLUS(0)) {
  machine.reset();
  MuNode& from = machine[0];
  for (unsigned fifo = 0; fifo < fifos; ++fifo)
    from.open_injection(fifo, {kRing + fifo * kRingBytes / fifos, kRingBytes / fifos});
  machine[1].open_base(0, 0);
  machine[1].open_base(1, bgq_atomic_address(kCounter, 2));
  machine.run();
  Arrivals arrivals;
  machine.observe(&arrivals);
  for (unsigned fifo = 0; fifo < fifos; ++fifo) {
    for (unsigned i = 0; i < count / fifos; ++i) {
      MuTestDescriptor descriptor = machine.put(0, 1, kSource, length, 0, kTarget, 1, 0);
      bgq_descriptor_t what = descriptor.what();
      what.fifo_map = static_cast<std::uint16_t>(map);
      std::copy_n(descriptor.what(what).bytes.begin(), 64, from.at(kRing + fifo * kRingBytes / fifos + 64 * i));
    }
  }
  const Cycle begin = machine.now();
  for (unsigned fifo = 0; fifo < fifos; ++fifo) from.move_tail(fifo, count / fifos);
  machine.run();
  machine.observe(nullptr);
  for (Cycle& each : arrivals.cycles) each = each - begin;
  return arrivals.cycles;
}

std::uint64_t latency(const std::string& name) {
  const auto cycles = put(named(name), 8);
  return cycles.size() == 1 ? cycles[0].count() : 0;
}
/// Cycles a packet of a stream, from the middle on.
double interval(const std::vector<Cycle>& cycles) {
  const std::size_t half = cycles.size() / 2;
  return static_cast<double>((cycles.back() - cycles[half]).count()) / static_cast<double>(cycles.size() - 1 - half);
}

TEST(MuTimes, EachParameterMovesTheLatency) {
  const std::uint64_t shipped = latency("shipped");
  EXPECT_GT(shipped, 0u);
  EXPECT_EQ(latency("start") - shipped, kMore);
  EXPECT_EQ(latency("deliver") - shipped, kMore);
  EXPECT_EQ(latency("memory") - shipped, 3 * kMore) << "descriptor, payload, and what is written";
  EXPECT_EQ(latency("packet"), shipped) << "of one packet";
  if (std::getenv("TOROID_TEST_SHOW") != nullptr)
    std::printf("a put of 8 bytes: %llu cycles of the network\n", static_cast<unsigned long long>(shipped));
}

TEST(MuTimes, AStreamRunsAtTheLinksRate) {
  const TorusConfig torus = MuMachine::torus_config();
  const double link = static_cast<double>(BGQ_PACKET_BYTES + torus.wire_overhead) / torus.link_bytes_per_cycle;
  const double one = interval(put(named("shipped"), 512 * 200));
  EXPECT_NEAR(one, link, 0.01 * link);
  EXPECT_NEAR(interval(put(named("packet"), 512 * 200)), MuMachine::mu_config().packet_cycles + 4 * kMore, 1)
      << "now an engine is slower";
  if (std::getenv("TOROID_TEST_SHOW") != nullptr)
    std::printf("a stream: %.1f cycles a packet, %.3f GB/s\n", one, 512 / one * torus.clock_mhz / 1000);
}

TEST(MuTimes, AnEngineLimitsShortMessages) {
  const double engine = MuMachine::mu_config().packet_cycles;
  const double one = interval(put(named("shipped"), 8, 100, 1));
  EXPECT_NEAR(one, engine, 0.5) << "the next descriptor is read ahead";
  EXPECT_NEAR(interval(put(named("shipped"), 8, 96, 8)), engine, 0.5) << "of one engine, however many FIFOs it serves";
  if (std::getenv("TOROID_TEST_SHOW") != nullptr)
    std::printf("8 bytes: %.1f cycles a message, %.2f M/s\n", one, MuMachine::torus_config().clock_mhz / one);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  for (Case& each : cases) {
    MuMachine::Options options;
    options.shape = "2x1x1x1x1";
    options.change = each.change;
    each.machine = std::make_unique<MuMachine>(each.name, options);
  }
  return RUN_ALL_TESTS();
}
