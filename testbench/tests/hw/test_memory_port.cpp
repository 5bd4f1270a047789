// SPDX-License-Identifier: Apache-2.0
//
// Ports to memory on their own: what requests of several masters cost, in which order they are served, and what they
// do.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hw/memory/memory_arbiter.h"

namespace toroid {
namespace {

constexpr std::uint32_t kMemory = 1 << 20;
constexpr std::uint64_t kBandwidth = 1'000'000'000'000 / 10;  // ten picoseconds a byte

/// A master that keeps what it is told, and may ask for more then.
struct Master : MemoryClient {
  void memory_done(const MemoryAnswer& answer) override {
    EXPECT_EQ(answer.when, sc_core::sc_time_stamp());
    answers.push_back({answer.tag, answer.when.value() - began});
    before = answer.before;
    if (then) then(answer.tag);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> answers;  ///< tag, picoseconds since `began`
  std::uint64_t before = 0;
  std::uint64_t began = 0;
  std::function<void(std::uint64_t)> then;
};

struct Bench {
  explicit Bench(const std::string& name)
      : memory((name + "_memory").c_str(), kMemory),
        watched((name + "_watched").c_str(), memory),
        arbiter((name + "_arbiter").c_str(), memory, watched, {kBandwidth, 128, ByteOrder::big}) {
    for (std::size_t i = 0; i < masters.size(); ++i) ports[i] = &arbiter.add_master(masters[i]);
  }

  void begin() {
    for (Master& master : masters) master.began = sc_core::sc_time_stamp().value();
  }
  sc_core::sc_time in(std::uint64_t picoseconds) const {
    return sc_core::sc_time_stamp() + sc_core::sc_time::from_value(picoseconds);
  }

  NodeMemory memory;
  WatchedMemory watched;
  MemoryArbiter arbiter;
  std::array<Master, 3> masters;
  std::array<MemoryPort*, 3> ports{};
};

using Answers = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
Bench* benches[8];
unsigned used = 0;

class MemoryPorts : public testing::Test {
 protected:
  MemoryPorts() : bench(*benches[used++]), masters(bench.masters), ports(bench.ports) { bench.begin(); }

  Bench& bench;
  std::array<Master, 3>& masters;
  std::array<MemoryPort*, 3>& ports;
  std::array<std::uint8_t, 4096> data{};
};

TEST_F(MemoryPorts, ChargeTheBandwidthAndServeAMasterInItsOwnOrder) {
  EXPECT_TRUE(ports[0]->write(0, data.data(), 1000, bench.in(500), 1));
  EXPECT_TRUE(ports[0]->read(64, data.data(), 8, bench.in(0), 2));  // for an earlier time, and behind
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[0].answers, (Answers{{1, 10'500}, {2, 10'580}}));
  EXPECT_EQ(bench.arbiter.bytes(), 1008u);
}

TEST_F(MemoryPorts, LetMastersTakeTurnsLineByLine) {
  // 384 bytes of each, of three lines: 1280 ps a line.
  for (unsigned i = 0; i < 3; ++i) EXPECT_TRUE(ports[2 - i]->read(0, data.data(), 384, bench.in(0), 2 - i));
  EXPECT_TRUE(ports[1]->read(0, data.data(), 4, bench.in(0), 9));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[0].answers, (Answers{{0, 7 * 1280}}));
  EXPECT_EQ(masters[1].answers, (Answers{{1, 8 * 1280}, {9, 9 * 1280 + 40}}));
  EXPECT_EQ(masters[2].answers, (Answers{{2, 9 * 1280}}));
}

TEST_F(MemoryPorts, DoNotLetALongTransferHoldUpAShortOne) {
  EXPECT_TRUE(ports[0]->read(0, data.data(), 4096, bench.in(0), 0));
  EXPECT_TRUE(ports[1]->read(0, data.data(), 4, bench.in(2000), 1));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[1].answers, (Answers{{1, 2 * 1280 + 40}}));  // behind the line under way
  EXPECT_EQ(masters[0].answers, (Answers{{0, 40'960 + 40}}));
}

TEST_F(MemoryPorts, TakeRequestsFromWithinAnAnswer) {
  masters[0].then = [this](std::uint64_t tag) {
    if (tag < 3) ports[0]->read(0, data.data(), 128, sc_core::sc_time_stamp(), tag + 1);
  };
  EXPECT_TRUE(ports[0]->read(0, data.data(), 128, bench.in(0), 1));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[0].answers, (Answers{{1, 1280}, {2, 2560}, {3, 3840}}));
  masters[0].then = nullptr;
}

TEST_F(MemoryPorts, ChangeWordsInOneStep) {
  const std::uint8_t word[8] = {0, 0, 0, 0, 0, 0, 1, 0};
  std::memcpy(bench.memory.host(8), word, 8);
  EXPECT_TRUE(ports[0]->atomic(8, {MemoryOperation::Kind::add, 8, 0xFFFF, 0}, bench.in(0), 1));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[0].before, 256u);
  const std::uint8_t sum[8] = {0, 0, 0, 0, 0, 1, 0, 0xFF};
  EXPECT_EQ(std::memcmp(bench.memory.host(8), sum, 8), 0);
  EXPECT_TRUE(ports[0]->atomic(12, {MemoryOperation::Kind::compare_exchange, 4, 7, 5}, bench.in(0), 2));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(masters[0].before, 0x100FFu);
  EXPECT_EQ(std::memcmp(bench.memory.host(8), sum, 8), 0);
  EXPECT_FALSE(ports[0]->atomic(12, {MemoryOperation::Kind::add, 8, 1, 0}, bench.in(0), 3));
}

TEST_F(MemoryPorts, RefuseWhatIsNoMemory) {
  EXPECT_FALSE(ports[0]->read(kMemory, data.data(), 1, bench.in(0), 1));
  EXPECT_FALSE(ports[0]->write(kMemory - 4, data.data(), 8, bench.in(0), 1));
  EXPECT_FALSE(ports[0]->write(std::uint64_t{1} << 40, data.data(), 8, bench.in(0), 1));
  EXPECT_FALSE(ports[0]->read(0, data.data(), 0, bench.in(0), 1));
}

TEST_F(MemoryPorts, ShowWatchedMemoryLineByLineAndTheRestAtTheEnd) {
  const WatchedDevice* const page = bench.watched.watch(4096, 4096);
  ASSERT_NE(page, nullptr);
  data.fill(7);
  EXPECT_TRUE(ports[0]->write(4096, data.data(), 256, bench.in(0), 1));
  EXPECT_TRUE(ports[1]->write(0, data.data(), 256, bench.in(0), 1));
  const std::uint64_t began = masters[0].began;
  sc_core::sc_start(sc_core::sc_time::from_value(3 * 1280 - 1));
  EXPECT_EQ(page->last_change().value(), began + 1280);
  EXPECT_EQ(*bench.memory.host(4096), 7);
  EXPECT_EQ(*bench.memory.host(4096 + 128), 0);
  EXPECT_EQ(*bench.memory.host(0), 0);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(page->last_change().value(), began + 3 * 1280);
  EXPECT_EQ(*bench.memory.host(4096 + 255), 7);
  EXPECT_EQ(*bench.memory.host(255), 7);
}

}  // namespace
}  // namespace toroid

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  for (toroid::Bench*& bench : toroid::benches)
    bench = new toroid::Bench("bench" + std::to_string(&bench - toroid::benches));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const int failed = RUN_ALL_TESTS();
  for (const toroid::Bench* bench : toroid::benches) delete bench;
  return failed;
}
