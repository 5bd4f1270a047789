// SPDX-License-Identifier: Apache-2.0
//
// Software that programs the Messaging Unit without sense: registers and control registers of any value, descriptors of
// random bits and good ones with some bits changed, on all nodes of a small torus. Nothing is asked for but that the
// simulator goes on, that each violation has a text that names its rule, and that a reset brings everything back.
//
// TOROID_FUZZ_CASES is the number of steps, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <set>

#include "nic/bgq/mu_registers.h"
#include "testbench/tests/nic/bgq/mu_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint64_t kUsualCases = 200'000;
constexpr std::uint32_t kRings = 0x1000;
constexpr unsigned kRingBytes = 1024;
constexpr unsigned kFifos = 16;  // 43 apart

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::unique_ptr<MuMachine> machine;

class Nonsense {
 public:
  explicit Nonsense(std::uint64_t seed) : random_(seed) {}

  void run(std::uint64_t cases) {
    for (std::uint64_t i = 0; i < cases; ++i) {
      if (i % 5000 == 0) set_up();
      step();
    }
  }
  /// What was still in the network comes to units without FIFOs and base addresses. Then everything works.
  void recover() {
    machine->reset();
    machine->run();
    machine->reset();
    MuNode& from = (*machine)[0];
    MuNode& to = (*machine)[1];
    from.open_injection(0, {kRings, kRingBytes});
    to.open_base(0, 0x200000);
    to.open_base(1, bgq_atomic_address(0x8000, 2));
    to.set_word(0x8000, 1000);
    from.fill(0x100000, 1000, 3);
    from.inject(0, machine->put(0, 1, 0x100000, 1000, 0, 0, 1, 0));
    machine->run();
    EXPECT_EQ(to.bytes(0x200000, 1000), from.bytes(0x100000, 1000));
    EXPECT_EQ(to.word(0x8000), 0u);
    EXPECT_EQ(from.injection(0, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET), 1u);
  }
  std::set<MuRule> rules;
  std::uint64_t descriptors = 0;
  std::uint64_t accesses = 0;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned many) { return below(many) == 0; }
  unsigned any_node() { return below(static_cast<unsigned>(machine->nodes.size())); }
  static unsigned injection_fifo(unsigned i) { return i * 43 % 544; }
  static unsigned reception_fifo(unsigned i) { return i * 37 % 272; }

  /// Something that works, for nonsense to begin with.
  void set_up() {
    for (const auto& node : machine->nodes) {
      node->reset();
      for (unsigned i = 0; i < kFifos; ++i)
        node->open_injection(injection_fifo(i), {kRings + i * kRingBytes, kRingBytes}, one_in(3), one_in(4), one_in(5));
      for (unsigned i = 0; i < 7; ++i)
        node->open_reception(reception_fifo(i), {0x40000 + i * 0x1000, 0x1000}, one_in(5));
      for (unsigned base = 0; base < 544; base += 3)
        node->open_base(base, one_in(3) ? bgq_atomic_address(0x8000, below(8)) : 0x200000, one_in(20));
    }
  }

  std::uint64_t value() {
    switch (below(6)) {
      case 0:
        return random_();
      case 1:
        return 1ull << below(64);
      case 2:
        return below(MuNode::kMemory) & ~63u;
      case 3:
        return kRings + (below(kFifos * kRingBytes) & ~63u);
      case 4:
        return (below(MuNode::kMemory) & ~63u) | 63u;
      default:
        return one_in(2) ? 0 : ~0ull;
    }
  }

  std::uint64_t address() {
    const std::uint64_t kernel = one_in(2) ? MuRegisters::kPrivileged : 0;
    if (one_in(20)) return BGQ_MU_BASE + kernel + below(0x120000);
    const unsigned subgroup = one_in(2) ? below(68) : injection_fifo(below(kFifos)) / 8;
    return MuNode::address(subgroup, 8 * below(0x100)) + kernel;
  }

  void step() {
    MuNode& node = *machine->nodes[any_node()];
    switch (below(12)) {
      case 0:
      case 1:
        node.access(address(), true, value(), one_in(50) ? 1 + below(33) : 8, below(68));
        ++accesses;
        break;
      case 2:
        node.access(address() + (one_in(50) ? below(8) : 0), false, 0, one_in(50) ? 1 + below(33) : 8, below(68));
        ++accesses;
        break;
      case 3:
        if (one_in(4)) dcr(node);
        break;
      case 4:
        for (unsigned group = 0; group < 17; ++group) node.set(4 * group, BGQ_MU_INJ_ENABLE_OFFSET, 0xFFFFFFFF);
        break;
      case 5:
        machine->run_for(Cycle(1 + below(2000)));
        tell();
        break;
      case 6: {
        const unsigned fifo = reception_fifo(below(7));
        node.set(fifo / 4, BGQ_MU_REC_FIFO_HEAD_OFFSET + fifo % 4 * 0x40,
                 node.reception(fifo, BGQ_MU_REC_FIFO_TAIL_OFFSET));
        break;
      }
      default:
        inject(node);
        break;
    }
  }

  void dcr(MuNode& node) {
    const unsigned offset = 8 * below(0x250);
    // Ranges are the kernel's.
    if (offset >= BGQ_MU_DCR_USER_RANGE_MIN_OFFSET && offset < BGQ_MU_DCR_USER_INJECTION_ONLY_OFFSET && !one_in(10))
      return;
    if (offset == BGQ_MU_DCR_RESET_OFFSET && !one_in(10)) return;
    node.access(BGQ_MU_DCR_BASE + offset + (one_in(5) ? 0 : MuRegisters::kPrivileged), true, value());
    ++accesses;
  }

  MuTestDescriptor sensible(unsigned from) {
    const unsigned to = any_node();
    const std::uint64_t length = one_in(10) ? below(20000) : below(500);
    const std::uint64_t payload =
        one_in(8) ? bgq_atomic_address(0x8000 + 8 * below(16), below(8)) : 0x100000 + below(100000);
    const std::uint64_t bytes = (payload & BGQ_ATOMIC_ADDRESS) != 0 && !one_in(4) ? 8 : length;
    MuTestDescriptor descriptor = one_in(3)   ? machine->message(from, to, payload, bytes, reception_fifo(below(7)))
                                  : one_in(3) ? machine->remote_get(from, to, 0x100000 + 64 * below(40),
                                                                    64 * (1 + below(8)), injection_fifo(below(kFifos)))
                                              : machine->put(from, to, payload, bytes, 3 * below(181), below(100000),
                                                             3 * below(181), 8 * below(100));
    bgq_descriptor_t what = descriptor.what();
    bgq_network_t header = descriptor.network();
    what.prefetch_only = one_in(20);
    what.interrupt = one_in(4);
    if (one_in(4)) what.fifo_map = static_cast<std::uint16_t>(random_());
    if (one_in(4)) header.vc = static_cast<std::uint8_t>(below(8));
    if (one_in(4)) header.dynamic = 1, header.zone = static_cast<std::uint8_t>(below(4));
    if (one_in(10)) header.hints = static_cast<std::uint16_t>(1u << below(10));
    if (one_in(20)) header.deposit = 1;
    if (one_in(20)) header.to_io = 1;
    return descriptor.what(what).network(header);
  }

  void inject(MuNode& node) {
    const unsigned number = static_cast<unsigned>(&node == machine->nodes[0].get() ? 0 : any_node());
    const unsigned fifo = injection_fifo(below(kFifos));
    const std::uint64_t tail = node.injection(fifo, BGQ_MU_INJ_FIFO_TAIL_OFFSET);
    if (tail > MuNode::kMemory - 64) {
      node.open_injection(fifo, {kRings + below(kFifos) * kRingBytes, kRingBytes}, one_in(2));
      return;
    }
    std::uint8_t* const at = node.at(tail);
    if (one_in(4)) {
      for (unsigned i = 0; i < 64; ++i) at[i] = static_cast<std::uint8_t>(random_());
    } else {
      const MuTestDescriptor descriptor = sensible(number);
      std::memcpy(at, descriptor.bytes.data(), descriptor.bytes.size());
      for (unsigned flips = below(3); flips > 0; --flips) at[below(64)] ^= static_cast<std::uint8_t>(1u << below(8));
      // Messages of all of memory take long.
      if (!one_in(100)) std::memset(at + 16, 0, 5);
    }
    // A good part of the messages is read by remote gets: descriptors again.
    if (one_in(5)) std::memcpy(node.at(0x100000 + 64 * below(40)), at, 64);
    ++descriptors;
    // The register write of a tail that makes no ring is the kernel's here: nothing refuses it.
    const std::uint64_t start = node.injection(fifo, BGQ_MU_INJ_FIFO_START_OFFSET);
    const std::uint64_t size = node.injection(fifo, BGQ_MU_INJ_FIFO_SIZE_OFFSET) + 1;
    std::uint64_t next = tail + 64 * (one_in(30) ? below(40) : 1);
    if (next >= start + size) next = start;
    node.set(fifo / 8, BGQ_MU_INJ_FIFO_TAIL_OFFSET + fifo % 8 * 0x40, next);
  }

  void tell() {
    for (const auto& node : machine->nodes) {
      for (const MuFault& fault : node->faults) {
        rules.insert(fault.rule);
        const std::string name = "(" + MuErrors::name(fault.rule) + ")";
        EXPECT_EQ(fault.text.substr(fault.text.size() - std::min(fault.text.size(), name.size())), name);
        EXPECT_LE(fault.subgroup, kMuSubgroups);
      }
      node->faults.clear();
    }
    if (one_in(200)) {
      for (const auto& node : machine->nodes) {
        node->mu.pending_work("node");
        node->mu.describe({}, node->seen());
        node->mu.describe({"fifo", "inj", std::to_string(below(68)), std::to_string(below(8))}, node->seen());
        node->mu.describe({"fifo", "rec", std::to_string(below(68)), std::to_string(below(4))}, node->seen());
        node->mu.interrupts(below(17));
        node->mu.aggregated(below(17));
      }
    }
  }

  std::mt19937_64 random_;
};

TEST(MuFuzz, NothingHarmsTheSimulator) {
  Nonsense nonsense(from_environment("TOROID_FUZZ_SEED", 1));
  nonsense.run(from_environment("TOROID_FUZZ_CASES", kUsualCases));
  nonsense.recover();
  EXPECT_GE(nonsense.rules.size(), 24u) << "most rules of injection and reception are violated";
  EXPECT_GT(nonsense.descriptors, 0u);
  if (::testing::Test::HasFailure() || std::getenv("TOROID_TEST_SHOW") != nullptr) {
    for (const MuRule rule : nonsense.rules) std::printf("%s ", MuErrors::name(rule).c_str());
    std::printf("%llu descriptors, %llu accesses\n", static_cast<unsigned long long>(nonsense.descriptors),
                static_cast<unsigned long long>(nonsense.accesses));
  }
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  MuMachine::Options options;
  options.shuffle = 3;
  machine = std::make_unique<MuMachine>("torus", options);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the bus answers from the end of elaboration on
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}
