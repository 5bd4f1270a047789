// SPDX-License-Identifier: Apache-2.0
//
// Messages of all kinds between all nodes of a small torus at once, of all alignments, over links with errors and with
// the events of a cycle in random order: every byte arrives where it should and nowhere else, every counter counts what
// it should, every atomic operation happens once.
//
// TOROID_FUZZ_CASES is the number of operations, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "testbench/tests/nic/bgq/mu_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint64_t kUsualCases = 3000;

// A node's memory: rings, descriptors for remote gets, counters and words for atomic operations, reception FIFOs, what
// is sent, and what is written.
constexpr std::uint32_t kRings = 0x1000, kRingBytes = 2048;
constexpr std::uint32_t kGets = 0x20000;
constexpr std::uint32_t kCounters = 0x30000, kSums = 0x30400, kTickets = 0x30800, kAddends = 0x31000;
constexpr std::uint32_t kFifos = 0x40000, kFifoBytes = 0x4000;
constexpr std::uint32_t kSource = 0xA0000, kSourceBytes = 0x110000;
// Room for all descriptors of a round: a FIFO that is full holds the network, and so the answers that would empty it.
constexpr std::uint32_t kGetRing = 0x1B0000, kGetRingBytes = 0x19000;
constexpr std::uint32_t kTarget = 0x200000, kTargetBytes = MuNode::kMemory - kTarget;

constexpr unsigned kInjection = 24;  // FIFOs 37 apart, of which every fifth is of high priority
constexpr unsigned kReception = 8;   // 31 apart
constexpr unsigned kCounterWords = 16;
constexpr unsigned kRounds = 24;  // operations of a round, of each node

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

unsigned injection_fifo(unsigned ring) {
  return ring * 37 % 544;
}
unsigned reception_fifo(unsigned ring) {
  return ring * 31;
}
constexpr unsigned kGetFifo = 543, kBase = 200, kMiddleBase = 201, kCounterBase = 202, kAtomicBase = 203;

class Stress {
 public:
  Stress(MuMachine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {
    for (const auto& node : machine_.nodes) open(*node);
  }

  /// Makes about `operations` and checks all of them.
  void run(std::uint64_t operations) {
    while (made_ < operations && !testing::Test::HasFailure()) round();
    for (const auto& node : machine_.nodes) {
      EXPECT_EQ(node->mu.counters().refused, 0u);
      for (const MuFault& fault : node->faults) ADD_FAILURE() << fault.text;
    }
  }
  std::uint64_t made() const { return made_; }

 private:
  /// A message to a memory FIFO, until all of it has come.
  struct Message {
    unsigned node;
    std::uint32_t target;  ///< where the test puts its bytes
    std::uint32_t length;
    std::uint32_t received = 0;
  };
  /// What is known of a node.
  struct Expected {
    std::vector<std::uint8_t> target;
    std::array<std::uint64_t, kCounterWords> counters{};
    std::array<std::uint64_t, kCounterWords> sums{};
    std::uint32_t used = 0;
    std::uint32_t gets = 0;
    unsigned addends = 0;
    std::vector<std::uint32_t> tickets;  ///< where numbers of this node's words were put
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned many) { return below(many) == 0; }
  unsigned any_node() { return below(static_cast<unsigned>(machine_.nodes.size())); }

  void open(MuNode& node) {
    node.reset();
    for (unsigned ring = 0; ring < kInjection; ++ring)
      node.open_injection(injection_fifo(ring), {kRings + ring * kRingBytes, kRingBytes}, false, ring % 5 == 0);
    node.open_injection(kGetFifo, {kGetRing, kGetRingBytes}, true);
    for (unsigned ring = 0; ring < kReception; ++ring)
      node.open_reception(reception_fifo(ring), {kFifos + ring * kFifoBytes, kFifoBytes - 32 * ring});
    node.open_base(kBase, 0);
    node.open_base(kMiddleBase, kTarget + 0x100000);
    node.open_base(kCounterBase, bgq_atomic_address(kCounters, static_cast<unsigned>(L2Store::add)));
    node.open_base(kAtomicBase, bgq_atomic_address(kSums, static_cast<unsigned>(L2Store::add_coherence_on_zero)));
  }

  void round() {
    expected_.assign(machine_.nodes.size(), {});
    messages_.clear();
    for (unsigned node = 0; node < machine_.nodes.size(); ++node) prepare(node);
    for (unsigned i = 0; i < kRounds; ++i) {
      for (unsigned node = 0; node < machine_.nodes.size(); ++node) make(node);
    }
    do {
      machine_.run_for(Cycle(500 + below(5000)));
    } while ((drain() || in_flight()) && !testing::Test::HasFailure());
    if (testing::Test::HasFailure()) return;
    machine_.run();
    drain();
    check();
  }

  void prepare(unsigned number) {
    MuNode& node = machine_[number];
    Expected& expected = expected_[number];
    for (std::uint32_t i = 0; i < kSourceBytes; i += 8) {
      const std::uint64_t word = random_();
      std::memcpy(node.at(kSource + i), &word, sizeof word);
    }
    std::memset(node.at(kTarget), 0xA5, kTargetBytes);
    expected.target.assign(kTargetBytes, 0xA5);
    for (unsigned i = 0; i < kCounterWords; ++i) {
      expected.counters[i] = random_();
      expected.sums[i] = random_();
      node.set_word(kCounters + 8 * i, expected.counters[i]);
      node.set_word(kSums + 8 * i, expected.sums[i]);
    }
    node.set_word(kTickets, 1000);
  }

  bool in_flight() const {
    bool any = machine_.network.in_flight() != 0;
    for (const auto& node : machine_.nodes) any = any || node->mu.in_flight() != 0;
    return any;
  }

  std::uint32_t size() {
    if (one_in(200)) return 1u << 18;
    if (one_in(20)) return 1 + below(60000);
    return 1 + (one_in(2) ? below(100) : below(3000));
  }

  /// Room for `bytes` in the target of `node`, with some free bytes before it.
  std::optional<std::uint32_t> take(unsigned node, std::uint32_t bytes, std::uint32_t alignment = 1) {
    std::uint32_t& used = expected_[node].used;
    const std::uint32_t at = (used + 1 + below(40) + alignment - 1) / alignment * alignment;
    if (at + bytes + 1 > kTargetBytes) return std::nullopt;
    used = at + bytes;
    return kTarget + at;
  }

  /// Routes of all kinds, network FIFOs of all kinds, packets of all sizes.
  void vary(MuTestDescriptor& descriptor, bool local) {
    bgq_network_t header = descriptor.network();
    bgq_descriptor_t what = descriptor.what();
    if (header.mu_type != BGQ_MU_GET && one_in(4)) header.chunks = static_cast<std::uint8_t>(1 + below(16));
    if (!local && one_in(2)) {
      header.dynamic = 1;
      header.vc = BGQ_VC_DYNAMIC;
      header.zone = static_cast<std::uint8_t>(below(4));
      header.stay_on_bubble = static_cast<std::uint8_t>(below(2));
    } else if (one_in(5)) {
      header.vc = BGQ_VC_HIGH_PRIORITY;
      what.fifo_map = BGQ_FIFO_MAP_PRIORITY;
    }
    if (!local && what.fifo_map == BGQ_FIFO_MAP_TORUS && one_in(2))
      what.fifo_map = static_cast<std::uint16_t>(0x8000u >> below(10));
    header.skip = static_cast<std::uint8_t>(below(137));
    descriptor.what(what).network(header);
  }

  /// A put of `length` bytes from `payload` of node `from` to `target` of `to`: counted, and expected there.
  MuTestDescriptor put(unsigned from, unsigned to, std::uint64_t payload, std::uint32_t length, std::uint32_t target) {
    const unsigned counter = below(kCounterWords);
    expected_[to].counters[counter] -= length;
    const bool from_middle = one_in(2);
    const std::uint64_t offset =
        (std::uint64_t{target} - (from_middle ? kTarget + 0x100000 : 0u)) & BGQ_PUT_OFFSET_MASK;
    MuTestDescriptor descriptor =
        machine_.put(from, to, payload, length, from_middle ? kMiddleBase : kBase, offset, kCounterBase, 8 * counter);
    vary(descriptor, from == to);
    return descriptor;
  }
  void expect_at(unsigned to, std::uint32_t target, unsigned from, std::uint32_t source, std::uint32_t length) {
    std::memcpy(expected_[to].target.data() + (target - kTarget), machine_[from].at(source), length);
  }
  std::uint32_t source(std::uint32_t length) { return kSource + below(kSourceBytes - length); }

  void make(unsigned node) {
    const unsigned fifo = injection_fifo(below(kInjection));
    if (machine_[node].injection(fifo, BGQ_MU_INJ_FIFO_FREE_SPACE_OFFSET) == 0) return;
    const unsigned to = one_in(5) ? node : any_node();
    std::optional<MuTestDescriptor> descriptor;
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        descriptor = make_put(node, to);
        break;
      case 4:
      case 5:
      case 6:
        descriptor = make_message(node, to);
        break;
      case 7:
        descriptor = make_add(node, to);
        break;
      default:
        descriptor = make_get(node, to);
        break;
    }
    if (!descriptor) return;
    machine_[node].inject(fifo, *descriptor);
    ++made_;
  }

  std::optional<MuTestDescriptor> make_put(unsigned node, unsigned to) {
    const std::uint32_t length = size();
    const auto target = take(to, length);
    if (!target) return std::nullopt;
    const std::uint32_t at = source(length);
    expect_at(to, *target, node, at, length);
    return put(node, to, at, length, *target);
  }

  std::optional<MuTestDescriptor> make_message(unsigned node, unsigned to) {
    const std::uint32_t length = size() - 1;
    const auto target = take(to, length);
    if (!target) return std::nullopt;
    const std::uint32_t at = source(length);
    expect_at(to, *target, node, at, length);
    MuTestDescriptor descriptor = machine_.message(node, to, at, length, reception_fifo(below(kReception)));
    bgq_put(descriptor.header() + 20, 4, messages_.size());
    messages_.push_back({to, *target, length});
    vary(descriptor, node == to);
    return descriptor;
  }

  /// Adds eight bytes to a word there.
  std::optional<MuTestDescriptor> make_add(unsigned node, unsigned to) {
    unsigned& used = expected_[node].addends;
    const std::uint32_t at = kAddends + 8 * used++;
    const std::uint64_t value = random_();
    machine_[node].set_word(at, value);
    const unsigned sum = below(kCounterWords), counter = below(kCounterWords);
    expected_[to].sums[sum] += value;
    expected_[to].counters[counter] -= 8;
    MuTestDescriptor descriptor = machine_.put(node, to, at, 8, kAtomicBase, 8 * sum, kCounterBase, 8 * counter);
    vary(descriptor, node == to);
    return descriptor;
  }

  /// Asks for puts back, some of them of a number that the other node counts up.
  std::optional<MuTestDescriptor> make_get(unsigned node, unsigned to) {
    const unsigned count = 1 + below(8);
    if (expected_[node].used + count * 5100 > kTargetBytes) return std::nullopt;
    const std::uint32_t at = kGets + expected_[node].gets;
    for (unsigned i = 0; i < count; ++i) {
      const bool ticket = one_in(4);
      const std::uint32_t length = ticket ? 8 : std::min(size(), 5000u);
      const auto target = take(node, length, ticket ? 8 : 1);
      const std::uint32_t from = source(length);
      const std::uint64_t payload =
          ticket ? bgq_atomic_address(kTickets, static_cast<unsigned>(L2Load::increment)) : from;
      if (!ticket) expect_at(node, *target, to, from, length);
      if (ticket) expected_[to].tickets.push_back(node << 24 | (*target - kTarget));
      const MuTestDescriptor answer = put(to, node, payload, length, *target);
      std::memcpy(machine_[node].at(at + 64 * i), answer.bytes.data(), 64);
    }
    expected_[node].gets += 64 * count;
    MuTestDescriptor descriptor = machine_.remote_get(node, to, at, 64 * count, kGetFifo);
    vary(descriptor, node == to);
    return descriptor;
  }

  /// Takes packets; some FIFOs are left full for a while.
  bool drain() {
    bool any = false;
    for (unsigned number = 0; number < machine_.nodes.size(); ++number) {
      MuNode& node = machine_[number];
      for (unsigned ring = 0; ring < kReception; ++ring) {
        for (auto packet = node.take_packet(reception_fifo(ring)); !packet.empty();
             packet = node.take_packet(reception_fifo(ring))) {
          any = true;
          took(number, packet);
        }
      }
    }
    return any;
  }

  void took(unsigned node, const std::vector<std::uint8_t>& packet) {
    const auto number = bgq_get(packet.data() + 20, 4);
    ASSERT_LT(number, messages_.size());
    Message& message = messages_[number];
    ASSERT_EQ(message.node, node);
    const std::uint64_t offset = bgq_put_offset(packet.data());
    ASSERT_LE(offset, message.length);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(packet.size() - 32, message.length - offset));
    std::memcpy(machine_[node].at(message.target + offset), packet.data() + 32, bytes);
    message.received += bytes;
  }

  void check() {
    for (const Message& message : messages_) EXPECT_EQ(message.received, message.length);
    for (unsigned number = 0; number < machine_.nodes.size(); ++number) {
      MuNode& node = machine_[number];
      Expected& expected = expected_[number];
      std::vector<std::uint64_t> tickets;
      for (const std::uint32_t where : expected.tickets) {
        const std::uint32_t at = where & 0xFFFFFF;
        tickets.push_back(machine_[where >> 24].word(kTarget + at));
        std::memcpy(expected_[where >> 24].target.data() + at, machine_[where >> 24].at(kTarget + at), 8);
      }
      std::sort(tickets.begin(), tickets.end());
      for (std::size_t i = 0; i < tickets.size(); ++i) ASSERT_EQ(tickets[i], 1000 + i) << "each number once";
      EXPECT_EQ(node.word(kTickets), 1000 + tickets.size());
      for (unsigned i = 0; i < kCounterWords; ++i) {
        EXPECT_EQ(node.word(kCounters + 8 * i), expected.counters[i]) << "counter " << i;
        EXPECT_EQ(node.word(kSums + 8 * i), expected.sums[i]) << "sum " << i;
      }
    }
    for (unsigned number = 0; number < machine_.nodes.size(); ++number) {
      const auto& target = expected_[number].target;
      const auto place = std::mismatch(target.begin(), target.end(), machine_[number].at(kTarget)).first;
      ASSERT_EQ(place - target.begin(), static_cast<std::ptrdiff_t>(kTargetBytes)) << "node " << number;
    }
  }

  MuMachine& machine_;
  std::mt19937_64 random_;
  std::vector<Expected> expected_;
  std::vector<Message> messages_;
  std::uint64_t made_ = 0;
};

std::unique_ptr<MuMachine> machine;

TEST(MuStress, EveryByteArrives) {
  Stress stress(*machine, from_environment("TOROID_FUZZ_SEED", 1));
  stress.run(from_environment("TOROID_FUZZ_CASES", kUsualCases));
  MuCounters all;
  for (const auto& node : machine->nodes) all += node->mu.counters();
  EXPECT_GT(all.waits_for_fifo, 0u) << "some FIFOs were full";
  EXPECT_GT(all.packets_local, 0u);
  if (std::getenv("TOROID_TEST_SHOW") != nullptr) {
    std::printf("%llu operations, %llu messages, %llu packets, %llu remote gets, %llu atomics, %llu waits\n",
                static_cast<unsigned long long>(stress.made()), static_cast<unsigned long long>(all.messages),
                static_cast<unsigned long long>(all.packets_injected), static_cast<unsigned long long>(all.remote_gets),
                static_cast<unsigned long long>(all.atomics), static_cast<unsigned long long>(all.waits_for_fifo));
  }
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  MuMachine::Options options;
  options.shape = "2x2x1x1x2";
  options.bit_error_rate = 1e-6;
  options.shuffle = 7;
  machine = std::make_unique<MuMachine>("torus", options);
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}
