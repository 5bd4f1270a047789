// SPDX-License-Identifier: Apache-2.0
//
// Software that programs the DMA without sense: registers and control registers of any value, descriptors of random
// bits and good ones with some bits changed, on all nodes of a small torus. Nothing is asked for but that the simulator
// goes on, that each violation has a text that names its rule, and that a reset brings everything back.
//
// TOROID_FUZZ_CASES is the number of steps, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <set>

#include "testbench/tests/nic/bgp/dma_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint64_t kUsualCases = 200'000;
constexpr std::uint32_t kRings = 0x1000;
constexpr unsigned kRingBytes = 1024;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::unique_ptr<DmaMachine> machine;

class Nonsense {
 public:
  explicit Nonsense(std::uint64_t seed) : random_(seed) {}

  void run(std::uint64_t cases) {
    for (std::uint64_t i = 0; i < cases; ++i) {
      if (i % 5000 == 0) set_up();
      step();
    }
  }
  /// What was still in the network comes to engines without FIFOs and counters. Then everything works.
  void recover() {
    machine->reset();
    machine->run();
    machine->reset();
    DmaNode& from = (*machine)[0];
    DmaNode& to = (*machine)[1];
    EXPECT_EQ(to.dma.interrupts(1) & 1u, 0u);
    from.open_injection(0, {kRings, kRingBytes});
    from.open_injection_counter(0, 0x100000, 1000);
    to.open_reception_counter(0, 0x200000, 1000, 1000);
    from.fill(0x100000, 1000, 3);
    from.inject(0, machine->put(1, 0, 0, 1000, 0, 0));
    machine->run();
    EXPECT_EQ(to.bytes(0x200000, 1000), from.bytes(0x100000, 1000));
    EXPECT_TRUE(from.injection_hit_zero(0) && to.reception_hit_zero(0));
  }
  std::set<DmaRule> rules;
  std::uint64_t descriptors = 0;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned many) { return below(many) == 0; }
  DmaNode& any() { return (*machine)[below(static_cast<unsigned>(machine->nodes.size()))]; }

  /// Something that works, for nonsense to begin with.
  void set_up() {
    for (const auto& node : machine->nodes) {
      node->reset();
      for (unsigned ring = 0; ring < 16; ++ring)
        node->open_injection(ring * 9 % 128, {kRings + ring * kRingBytes, kRingBytes}, one_in(4), one_in(4));
      for (unsigned fifo = 0; fifo < 32; fifo += 5) node->open_reception(fifo, {0x40000 + fifo * 0x4000, 8704});
      for (unsigned counter = 0; counter < 256; counter += 3) {
        node->open_injection_counter(counter, 0x100000, below(100000));
        node->open_reception_counter(counter, 0x200000, 0x100000, below(100000));
      }
      for (unsigned word = 0; word < 8; ++word)
        node->set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + word, 0x05050505u * below(7));
    }
  }

  std::uint32_t value() {
    switch (below(5)) {
      case 0:
        return static_cast<std::uint32_t>(random_());
      case 1:
        return 0x80000000u >> below(32);
      case 2:
        return below(DmaNode::kMemory >> 4);
      case 3:
        return (kRings + below(16 * kRingBytes)) >> 4;
      default:
        return one_in(2) ? 0 : ~0u;
    }
  }

  void step() {
    DmaNode& node = any();
    switch (below(12)) {
      case 0:
        node.access(BGP_DMA_BASE + 4 * below(0x1000), true, value(), one_in(50) ? below(33) : 4);
        break;
      case 1:
        node.access(BGP_DMA_BASE + 4 * below(0x1000) + below(2), false, 0, one_in(50) ? below(33) : 4);
        break;
      case 2:
        if (one_in(4)) dcr(node);
        break;
      case 3:
        node.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, value());
        node.set(below(4), BGP_DMA_INJ_ACTIVATE_OFFSET, ~0u);
        break;
      case 4:
        machine->run_for(Cycle(1 + below(2000)));
        tell();
        break;
      case 5: {
        const unsigned fifo = 5 * below(7);
        node.set(fifo / 8, BGP_DMA_REC_FIFO_HEAD_OFFSET + fifo % 8 * 16,
                 node.reception(fifo, BGP_DMA_REC_FIFO_TAIL_OFFSET));
        break;
      }
      default:
        inject(node);
        break;
    }
  }

  void dcr(DmaNode& node) {
    sc_core::sc_time delay;
    std::string reason;
    const unsigned offset = below(kDcrNumbers);
    // Ranges are the kernel's.
    if (offset >= BGP_DMA_DCR_INJ_RANGE_MIN_OFFSET && offset < BGP_DMA_DCR_TORUS_INJECTION_WATERMARK_OFFSET &&
        !one_in(10))
      return;
    node.dma.write_dcr(BGP_DMA_DCR_BASE + offset, value(), delay, reason);
  }

  Descriptor sensible() {
    const auto to = below(static_cast<unsigned>(machine->nodes.size()));
    const std::uint32_t length = one_in(10) ? below(20000) : below(500);
    const unsigned counter = 3 * below(85);
    Descriptor descriptor = one_in(3) ? machine->message(to, counter, below(100000), length, below(4), below(256), 1)
                            : one_in(3)
                                ? machine->remote_get(to, counter, below(1000), 1 + below(4), 9 * below(14))
                                : machine->put(to, counter, below(100000), length, 3 * below(85), below(100000));
    descriptor.local = one_in(4);
    descriptor.prefetch = descriptor.local && one_in(4);
    if (one_in(3)) descriptor.fields.hints = static_cast<std::uint8_t>(TORUS_HINT(below(6)));
    return descriptor;
  }

  void inject(DmaNode& node) {
    const unsigned fifo = below(16) * 9 % 128;
    const std::uint32_t tail = node.injection(fifo, BGP_DMA_INJ_FIFO_TAIL_OFFSET);
    if (tail > (DmaNode::kMemory >> 4) - 2) {
      node.open_injection(fifo, {kRings + below(16) * kRingBytes, kRingBytes});
      return;
    }
    std::uint8_t* const at = node.at(tail << 4);
    if (one_in(3)) {
      for (unsigned i = 0; i < 32; ++i) at[i] = static_cast<std::uint8_t>(random_());
    } else {
      const auto bytes = sensible().bytes();
      std::memcpy(at, bytes.data(), bytes.size());
      for (unsigned flips = below(3); flips > 0; --flips) at[below(32)] ^= static_cast<std::uint8_t>(1u << below(8));
    }
    // A good part of the messages is read by remote gets: descriptors again.
    if (one_in(5)) std::memcpy(node.at(0x100000 + 32 * below(40)), at, 32);
    ++descriptors;
    node.move_tail(fifo, one_in(30) ? below(40) : 1);
  }

  void tell() {
    for (const auto& node : machine->nodes) {
      for (const DmaFault& fault : node->faults) {
        rules.insert(fault.rule);
        const std::string name = "(" + DmaErrors::name(fault.rule) + ")";
        EXPECT_EQ(fault.text.substr(fault.text.size() - std::min(fault.text.size(), name.size())), name);
        EXPECT_LT(fault.group, 4u);
      }
      node->faults.clear();
    }
    if (one_in(200)) {
      for (const auto& node : machine->nodes) {
        node->dma.pending_work("node");
        node->dma.describe({});
      }
    }
  }

  static constexpr unsigned kDcrNumbers = 0xC0;
  std::mt19937_64 random_;
};

TEST(DmaFuzz, NothingHarmsTheSimulator) {
  Nonsense nonsense(from_environment("TOROID_FUZZ_SEED", 1));
  nonsense.run(from_environment("TOROID_FUZZ_CASES", kUsualCases));
  nonsense.recover();
  EXPECT_GE(nonsense.rules.size(), 14u) << "most rules of injection and reception are violated";
  EXPECT_GT(nonsense.descriptors, 0u);
  if (::testing::Test::HasFailure() || std::getenv("TOROID_TEST_SHOW") != nullptr) {
    for (const DmaRule rule : nonsense.rules) std::printf("%s ", DmaErrors::name(rule).c_str());
    std::printf("%llu descriptors\n", static_cast<unsigned long long>(nonsense.descriptors));
  }
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  machine = std::make_unique<DmaMachine>("torus", DmaMachine::Options{"2x2x1", 0, 3});
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}
