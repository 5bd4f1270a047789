// SPDX-License-Identifier: Apache-2.0
//
// Messages of all kinds between all nodes of a small torus at once, of sizes up to 1 MB and all alignments, over links
// with errors and with the events of a cycle in random order: every byte arrives where it should and nowhere else.
//
// TOROID_FUZZ_CASES is the number of messages, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "nic/common/register_bank.h"
#include "testbench/tests/nic/bgp/dma_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint64_t kUsualCases = 3000;

// A node's memory: rings, descriptors for remote gets, reception FIFOs, what is sent, and what is written.
constexpr std::uint32_t kRings = 0x1000, kRingBytes = 2048;
constexpr std::uint32_t kGets = 0x10000;  // a place for each message of a round
constexpr std::uint32_t kFifos = 0x20000, kFifoBytes = 0x8000;
constexpr std::uint32_t kSource = 0xE0000, kSourceBytes = 0x110000;
constexpr std::uint32_t kTarget = 0x1F0000, kTargetBytes = DmaNode::kMemory - kTarget;

constexpr unsigned kTorusRings = 12;  // of which the last is of high priority
constexpr unsigned kLocalRings = 4;   // behind them
constexpr unsigned kGetRing = 100;    // gets what remote gets bring; torus
constexpr unsigned kLocalGetRing = 101;
constexpr unsigned kRounds = 24;  // messages of a round, of each node

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Ring r is FIFO ring_fifo(r), spread over the groups.
unsigned ring_fifo(unsigned ring) {
  return ring % 4 * 32 + ring;
}

class Stress {
 public:
  Stress(DmaMachine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {
    for (unsigned node = 0; node < machine_.nodes.size(); ++node) open(machine_[node]);
  }

  /// Sends about `messages` and checks all of them.
  void run(std::uint64_t messages) {
    while (sent_ < messages && !testing::Test::HasFailure()) round();
    for (const auto& node : machine_.nodes) {
      EXPECT_EQ(node->dma.counters().refused, 0u);
      for (const DmaFault& fault : node->faults) ADD_FAILURE() << fault.text;
    }
  }
  std::uint64_t sent() const { return sent_; }

 private:
  /// A message to a memory FIFO, until all of it has come.
  struct Message {
    unsigned node;
    std::uint32_t target;  ///< where the test puts its bytes
    std::uint32_t length;
    std::uint32_t received = 0;
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned many) { return below(many) == 0; }

  void open(DmaNode& node) {
    node.reset();
    for (unsigned ring = 0; ring < kTorusRings + kLocalRings; ++ring) {
      const unsigned fifo = ring_fifo(ring);
      node.open_injection(fifo, {kRings + ring * kRingBytes, kRingBytes}, ring >= kTorusRings, ring + 1 == kTorusRings);
    }
    node.open_injection(kGetRing, {kRings + 16 * kRingBytes, kRingBytes});
    node.open_injection(kLocalGetRing, {kRings + 17 * kRingBytes, kRingBytes}, true);
    for (unsigned i = 0; i < BGP_DMA_DCR_INJ_FIFO_MAP_COUNT; ++i)
      node.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + i, 0x80EE11FFu >> i % 7 | 0x20202020u);
    node.set_dcr(BGP_DMA_DCR_SERVICE_QUANTA_OFFSET, 2);
    for (unsigned fifo = 0; fifo < 8; ++fifo)
      node.open_reception(9 * fifo % 32, {kFifos + fifo * kFifoBytes, kFifoBytes});
    for (unsigned pid = 0; pid < 4; ++pid) {
      for (unsigned word = 0; word < 2; ++word) {
        std::uint32_t map = 0;
        for (unsigned i = 0; i < 4; ++i) map = map << 8 | 9 * ((pid + 4 * word + i) % 8) % 32;
        node.set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + 2 * pid + word, map);
      }
    }
    // Counters count what is outstanding: they begin and end at 0.
    for (unsigned counter = 0; counter < 256; counter += 17) {
      node.open_injection_counter(counter, kSource + counter / 17 * 16, 0);
      node.open_reception_counter(counter, kTarget - 0x1000 + counter / 17 * 16, kTargetBytes + 0x1000, 0);
    }
    node.open_injection_counter(255, kGets, 0);
  }

  std::uint32_t source_base(unsigned counter) const { return kSource + counter / 17 * 16; }
  std::uint32_t target_base(unsigned counter) const { return kTarget - 0x1000 + counter / 17 * 16; }

  void round() {
    used_.assign(machine_.nodes.size(), 0);
    gets_.assign(machine_.nodes.size(), 0);
    expected_.clear();
    messages_.clear();
    for (const auto& node : machine_.nodes) {
      for (std::uint32_t i = 0; i < kSourceBytes; i += 4) {
        const std::uint32_t word = static_cast<std::uint32_t>(random_() >> 7);
        std::memcpy(node->at(kSource + i), &word, sizeof word);
      }
      std::memset(node->at(kTarget), 0xA5, kTargetBytes);
      expected_.emplace_back(kTargetBytes, std::uint8_t{0xA5});
    }
    for (unsigned i = 0; i < kRounds; ++i) {
      for (unsigned node = 0; node < machine_.nodes.size(); ++node) send(node);
    }
    do {
      machine_.run_for(Cycle(1000 + below(20000)));
    } while (drain() || machine_.network.in_flight() != 0 || in_flight());
    machine_.run();
    drain();
    check();
  }

  bool in_flight() const {
    for (const auto& node : machine_.nodes) {
      if (node->dma.in_flight() != 0) return true;
    }
    return false;
  }

  std::uint32_t size() {
    if (one_in(300)) return 1u << 20;
    if (one_in(20)) return below(60000);
    return one_in(2) ? below(300) : below(3000);
  }

  /// Room for `bytes` in the target of `node`, with some free bytes before it; nullopt if there is no more.
  std::optional<std::uint32_t> take(unsigned node, std::uint32_t bytes) {
    const std::uint32_t at = used_[node] + 1 + below(40);
    if (at + bytes + 1 > kTargetBytes) return std::nullopt;
    used_[node] = at + bytes;
    return kTarget + at;
  }

  Descriptor descriptor_to(unsigned node, unsigned to, std::uint32_t length, bool local) {
    Descriptor descriptor = machine_.to(to, length);
    descriptor.counter = 17 * below(15);
    descriptor.offset = below(kSourceBytes - (1u << 20) - 300);
    descriptor.local = local;
    if (one_in(4)) descriptor.fields.chunks = static_cast<std::uint8_t>(1 + below(8));
    if (one_in(3)) descriptor.fields.dynamic = 1, descriptor.fields.vc = static_cast<std::uint8_t>(below(2));
    if (descriptor.fields.dynamic == 0 && one_in(5)) descriptor.fields.vc = TORUS_VC_PRIORITY;
    if (node == to && !local) descriptor.fields.hints = static_cast<std::uint8_t>(TORUS_HINT(below(6)));
    return descriptor;
  }

  void as_put(Descriptor& descriptor, unsigned to, std::uint32_t target) {
    const unsigned counter = 17 * below(15);
    descriptor.direct = true;
    descriptor.pid = counter / 64;
    descriptor.word2 = target - target_base(counter);
    descriptor.word3 = bgp_dma_put_word3(counter, 0, 0, 0);
    count(machine_[to], BGP_DMA_REC_COUNTER_INCREMENT_OFFSET, counter, descriptor.length);
  }

  void as_message(Descriptor& descriptor, unsigned to, std::uint32_t target) {
    descriptor.pid = below(4);
    descriptor.word2 = 0;
    descriptor.word3 = bgp_dma_fifo_word3(static_cast<std::uint32_t>(messages_.size()), 1);
    messages_.push_back({to, target, descriptor.length});
  }

  void count(DmaNode& node, unsigned offset, unsigned counter, std::uint32_t bytes) {
    node.set(counter / 64, offset + counter % 64 * 16, bytes);
  }

  void expect_at(unsigned node, std::uint32_t target, unsigned from, const Descriptor& descriptor) {
    std::memcpy(expected_[node].data() + (target - kTarget),
                machine_[from].at(source_base(descriptor.counter) + descriptor.offset), descriptor.length);
  }

  bool has_room(DmaNode& node, unsigned fifo) const {
    const std::uint32_t head = node.injection(fifo, BGP_DMA_INJ_FIFO_HEAD_OFFSET);
    const std::uint32_t tail = node.injection(fifo, BGP_DMA_INJ_FIFO_TAIL_OFFSET);
    const std::uint32_t used = tail >= head ? tail - head : kRingBytes / 16 - (head - tail);
    return used + 4 <= kRingBytes / 16;
  }

  void send(unsigned node) {
    const bool local = one_in(5);
    const unsigned to = local ? node : below(static_cast<unsigned>(machine_.nodes.size()));
    const unsigned fifo = ring_fifo(local ? kTorusRings + below(kLocalRings) : below(kTorusRings));
    if (!has_room(machine_[node], fifo)) return;
    const std::uint32_t length = size();
    switch (below(10)) {
      case 0:
        return local ? prefetch(node, fifo, length) : broadcast(node, fifo, length % 2000);
      case 1:
      case 2:
        return get(node, to, fifo, length, local);
      default:
        break;
    }
    const std::optional<std::uint32_t> target = take(to, length);
    if (!target) return;
    Descriptor descriptor = descriptor_to(node, to, length, local);
    one_in(3) && length < 100000 ? as_message(descriptor, to, *target) : as_put(descriptor, to, *target);
    expect_at(to, *target, node, descriptor);
    inject(node, fifo, descriptor);
  }

  void inject(unsigned node, unsigned fifo, const Descriptor& descriptor) {
    count(machine_[node], BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, descriptor.counter, descriptor.length);
    machine_[node].inject(fifo, descriptor);
    ++sent_;
  }

  void prefetch(unsigned node, unsigned fifo, std::uint32_t length) {
    Descriptor descriptor = descriptor_to(node, node, length, true);
    descriptor.prefetch = true;
    inject(node, fifo, descriptor);
  }

  /// `node` gets from `to`.
  void get(unsigned node, unsigned to, unsigned fifo, std::uint32_t length, bool local) {
    const std::optional<std::uint32_t> target = take(node, length);
    if (!target || gets_[node] == 0xFFF) return;
    Descriptor put = descriptor_to(to, node, length, local);
    as_put(put, node, *target);
    expect_at(node, *target, to, put);
    count(machine_[to], BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, put.counter, length);
    const std::uint32_t offset = 32 * gets_[node]++;
    const auto bytes = put.bytes();
    std::memcpy(machine_[node].at(kGets + offset), bytes.data(), bytes.size());
    Descriptor get = machine_.remote_get(to, 255, offset, 1, local ? kLocalGetRing : kGetRing);
    get.local = local;
    if (node == to && !local) get.fields.hints = TORUS_HINT_Y_PLUS;
    inject(node, fifo, get);
  }

  /// To all nodes of the own line in X.
  void broadcast(unsigned node, unsigned fifo, std::uint32_t length) {
    const Topology& topology = machine_.network.topology();
    const Coordinates at = topology.coordinates(node);
    std::vector<unsigned> line;
    for (unsigned each = 0; each < machine_.nodes.size(); ++each) {
      const Coordinates other = topology.coordinates(each);
      if (each != node && other[1] == at[1] && other[2] == at[2]) line.push_back(each);
    }
    // One place for all of them.
    std::uint32_t begin = 0;
    for (const unsigned each : line) begin = std::max(begin, used_[each]);
    begin += 1 + below(40);
    if (begin + length + 1 > kTargetBytes) return;
    Descriptor descriptor = descriptor_to(node, node, length, false);
    const unsigned counter = 17 * below(15);
    descriptor.direct = true;
    descriptor.pid = counter / 64;
    descriptor.word2 = kTarget + begin - target_base(counter);
    descriptor.word3 = bgp_dma_put_word3(counter, 0, 0, 0);
    for (const unsigned each : line) {
      used_[each] = begin + length;
      count(machine_[each], BGP_DMA_REC_COUNTER_INCREMENT_OFFSET, counter, length);
      expect_at(each, kTarget + begin, node, descriptor);
    }
    descriptor.fields.deposit = 1;
    descriptor.fields.dynamic = 0;
    descriptor.fields.vc = TORUS_VC_BUBBLE;
    descriptor.fields.hints = TORUS_HINT_X_PLUS;
    const unsigned columns = topology.extent(0);
    descriptor.fields.destination[0] = static_cast<std::uint8_t>((at[0] + columns - 1) % columns);
    inject(node, fifo, descriptor);
  }

  /// Takes what is in the reception FIFOs, as software does. Returns whether there was something.
  bool drain() {
    bool any = false;
    for (unsigned node = 0; node < machine_.nodes.size(); ++node) {
      for (unsigned fifo = 0; fifo < 8; ++fifo) {
        if (one_in(4)) continue;  // software is not always there
        any |= drain(node, 9 * fifo % 32);
      }
    }
    return any;
  }

  bool drain(unsigned number, unsigned fifo) {
    DmaNode& node = machine_[number];
    const std::uint32_t start = node.reception(fifo, BGP_DMA_REC_FIFO_START_OFFSET);
    const std::uint32_t end = node.reception(fifo, BGP_DMA_REC_FIFO_END_OFFSET);
    const std::uint32_t tail = node.reception(fifo, BGP_DMA_REC_FIFO_TAIL_OFFSET);
    std::uint32_t head = node.reception(fifo, BGP_DMA_REC_FIFO_HEAD_OFFSET);
    if (head == tail) return false;
    while (head != tail) {
      std::array<std::uint8_t, 256> packet;
      const unsigned quads = 2 * torus_chunks0(load_word<std::uint32_t>(node.at(head << 4)));
      for (unsigned quad = 0; quad < quads; ++quad) {
        std::memcpy(packet.data() + 16 * quad, node.at(head << 4), 16);
        head = head + 1 == end ? start : head + 1;
      }
      const std::uint32_t number_of = bgp_dma_argument3(load_word<std::uint32_t>(packet.data() + 12));
      if (number_of >= messages_.size()) {
        ADD_FAILURE() << "a packet of no message";
        return false;
      }
      Message& message = messages_[number_of];
      const std::uint32_t offset = load_word<std::uint32_t>(packet.data() + 8);
      EXPECT_EQ(message.node, number);
      EXPECT_LE(offset, message.length);
      const std::uint32_t bytes = std::min(message.length - offset, quads * 16 - 16);
      std::memcpy(node.at(message.target + offset), packet.data() + 16, bytes);
      message.received += bytes;
    }
    node.set(fifo / 8, BGP_DMA_REC_FIFO_HEAD_OFFSET + fifo % 8 * 16, head);
    return true;
  }

  void check() {
    for (unsigned node = 0; node < machine_.nodes.size(); ++node) {
      DmaNode& each = machine_[node];
      // Reception FIFOs that were passed over.
      for (unsigned fifo = 0; fifo < 8; ++fifo) drain(node, 9 * fifo % 32);
      for (unsigned counter = 0; counter < 256; counter += 17) {
        EXPECT_EQ(each.injection_counter(counter), 0u) << node << " " << counter;
        EXPECT_EQ(each.reception_counter(counter), 0u) << node << " " << counter;
      }
      if (std::memcmp(each.at(kTarget), expected_[node].data(), kTargetBytes) == 0) continue;
      std::uint32_t at = 0;
      while (*each.at(kTarget + at) == expected_[node][at]) ++at;
      ADD_FAILURE() << "node " << node << " differs from " << at << " of its target on";
    }
    for (const Message& message : messages_) EXPECT_EQ(message.received, message.length);
  }

  DmaMachine& machine_;
  std::mt19937_64 random_;
  std::uint64_t sent_ = 0;
  std::vector<std::uint32_t> used_;  ///< bytes of each target
  std::vector<std::uint32_t> gets_;
  std::vector<std::vector<std::uint8_t>> expected_;
  std::vector<Message> messages_;
};

std::unique_ptr<DmaMachine> machine;

TEST(DmaStress, EveryByteArrives) {
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases);
  Stress stress(*machine, from_environment("TOROID_FUZZ_SEED", 1));
  stress.run(cases);
  EXPECT_GE(stress.sent(), cases);
  std::uint64_t errors = 0;
  for (unsigned node = 0; node < machine->nodes.size(); ++node) {
    for (unsigned port = 0; port < 6; ++port) errors += machine->network.link(node, port).crc_errors;
  }
  EXPECT_GT(errors, 0u) << "the links made no errors";
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  machine = std::make_unique<DmaMachine>("torus", DmaMachine::Options{"3x2x2", 1e-6, 5});
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}
