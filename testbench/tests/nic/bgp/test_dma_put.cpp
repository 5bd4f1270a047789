// SPDX-License-Identifier: Apache-2.0
//
// Direct puts between DMA engines on a real torus: every byte, counters, the time of the closed form, the rate of a
// link, and independence of the order of events.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "nic/bgp/latency.h"
#include "testbench/tests/nic/bgp/dma_bench.h"

namespace toroid::test {
namespace {

constexpr std::uint32_t kRing = 0x1000;
constexpr std::uint32_t kSource = 0x10000;
constexpr std::uint32_t kTarget = 0x80000;
constexpr unsigned kShuffled = 4;

std::unique_ptr<DmaMachine> pair;
std::unique_ptr<DmaMachine> line;
std::vector<std::unique_ptr<DmaMachine>> shuffled;  // the same machine, with the events of a cycle in other orders

/// Ring 0 of group 0 and a counter of each side, on all nodes.
void open(DmaMachine& machine) {
  machine.reset();
  for (const auto& node : machine.nodes) {
    node->open_injection(0, {kRing, 1024});
    node->open_injection_counter(0, kSource, 0);
    node->open_reception_counter(3, kTarget, 0x40000, 0);
  }
}

void give(DmaNode& node, unsigned offset, std::uint32_t bytes) {
  node.set(0, offset, bytes);
}

TEST(DmaPut, BringsEveryByteOfEverySizeAndAlignment) {
  open(*pair);
  DmaNode& from = (*pair)[0];
  DmaNode& to = (*pair)[1];
  unsigned seed = 0;
  for (const std::uint32_t size : {0u, 1u, 15u, 16u, 17u, 127u, 128u, 239u, 240u, 241u, 480u, 481u, 4096u}) {
    for (const std::uint32_t source : {0u, 1u, 13u}) {
      for (const std::uint32_t target : {0u, 1u, 7u, 31u}) {
        SCOPED_TRACE(testing::Message() << size << " bytes from +" << source << " to +" << target);
        from.fill(kSource, 5000, ++seed);
        to.fill(kTarget, 5000, 200);
        std::vector<std::uint8_t> expected = to.bytes(kTarget, 5000);
        std::copy_n(from.at(kSource + source), size, expected.begin() + 64 + target);
        give(from, BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, size);
        give(to, BGP_DMA_REC_COUNTER_INCREMENT_OFFSET + 3 * 16, size);
        from.inject(0, pair->put(1, 0, source, size, 3, 64 + target));
        pair->run();
        EXPECT_EQ(to.bytes(kTarget, 5000), expected);
        EXPECT_EQ(from.injection_counter(0), 0u);
        EXPECT_EQ(to.reception_counter(3), 0u);
        EXPECT_EQ(from.injection_hit_zero(0), size != 0);
        EXPECT_EQ(to.reception_hit_zero(3), size != 0);
        EXPECT_EQ(from.injection(0, BGP_DMA_INJ_FIFO_HEAD_OFFSET), from.injection(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET));
        from.set(0, BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET, ~0u);
        to.set(0, BGP_DMA_REC_COUNTER_CLEAR_HIT_ZERO_OFFSET, ~0u);
      }
    }
  }
  EXPECT_EQ(from.dma.counters().refused + to.dma.counters().refused, 0u);
}

/// Time that a request of `bytes` at `address` takes on an idle memory.
sc_core::sc_time transfer(std::uint32_t address, std::uint32_t bytes) {
  std::uint64_t picoseconds = 0;
  while (bytes != 0) {
    const std::uint32_t now = std::min(bytes, DmaNode::kLine - address % DmaNode::kLine);
    picoseconds += (now * 1'000'000'000'000 + DmaNode::kBandwidth - 1) / DmaNode::kBandwidth;
    address += now;
    bytes -= now;
  }
  return sc_core::sc_time::from_value(picoseconds);
}

TEST(DmaPut, TakesTheTimeOfTheClosedForm) {
  for (DmaMachine* const machine : {pair.get(), line.get()}) {
    open(*machine);
    for (unsigned node = 1; node < machine->nodes.size() / 2 + 1; ++node) {
      for (unsigned chunks = 1; chunks <= 8; ++chunks) {
        const std::uint32_t bytes = BGP_DMA_PAYLOAD_BYTES(chunks);
        DmaNode& from = (*machine)[0];
        DmaNode& to = (*machine)[node];
        give(from, BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, bytes);
        give(to, BGP_DMA_REC_COUNTER_INCREMENT_OFFSET + 3 * 16, bytes);
        const std::uint32_t ring = from.injection(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET) << 4;
        const Cycle tail = machine->now();
        from.inject(0, machine->put(node, 0, 5, bytes, 3, 8));
        const Cycle shows =
            put_shows(DmaMachine::dma_config(), machine->network.config(), kBlueGeneLpRouters, tail, node, chunks,
                      {transfer(ring, 32), transfer(kSource + 5, bytes), transfer(kTarget + 8, bytes)});
        const auto wait_for = [&](Cycle cycle) { machine->run_to(machine->clock.delay_to(cycle)); };
        wait_for(shows - 1);
        EXPECT_EQ(to.reception_counter(3), bytes) << chunks;
        wait_for(shows);
        EXPECT_EQ(to.reception_counter(3), 0u) << chunks;
        machine->run();
      }
    }
  }
}

/// Cycles from the first packet that reaches a reception counter to the last.
Cycle reception_time(DmaMachine& machine) {
  DmaRecord record;
  machine.observe(&record);
  machine.run();
  machine.observe(nullptr);
  Cycle first = kNever, last{};
  for (const auto& change : record.counters) {
    if (change[1] != static_cast<std::uint64_t>(DmaObserver::Side::reception)) continue;
    first = std::min(first, Cycle(change[4]));
    last = std::max(last, Cycle(change[4]));
  }
  return last - first;
}

// A packet has 272 bytes on the wire, of which the link takes one a cycle.

TEST(DmaPut, KeepsALinkFull) {
  open(*pair);
  constexpr std::uint32_t kPackets = 500;
  constexpr std::uint32_t kBytes = kPackets * TORUS_PAYLOAD_BYTES;
  (*pair)[0].inject(0, pair->put(1, 0, 0, kBytes, 3, 0));
  EXPECT_NEAR(static_cast<double>(reception_time(*pair)), 272.0 * (kPackets - 1), 2);
}

/// Messages from a ring follow each other without a gap from one packet on: a descriptor is read ahead.
TEST(DmaPut, KeepsALinkFullWithMessagesOfOnePacket) {
  open(*pair);
  constexpr std::uint32_t kMessages = 30;
  for (unsigned i = 0; i < kMessages; ++i) {
    (*pair)[0].write_descriptor(0, pair->put(1, 0, 240 * i, 240, 3, 240 * i));
    (*pair)[0].move_tail(0);
  }
  EXPECT_NEAR(static_cast<double>(reception_time(*pair)), 272.0 * (kMessages - 1), 2);
}

TEST(DmaPut, DoesNotDependOnTheOrderOfEvents) {
  std::vector<DmaRecord> records(kShuffled);
  for (unsigned i = 0; i < kShuffled; ++i) {
    DmaMachine& machine = *shuffled[i];
    machine.reset();
    machine.observe(&records[i]);
    for (unsigned node = 0; node < machine.nodes.size(); ++node) {
      DmaNode& each = machine[node];
      each.open_reception_counter(3, kTarget, 0x40000, 0x80000000u);
      for (unsigned fifo = 0; fifo < 6; ++fifo) {
        each.open_injection(fifo, {kRing + 1024 * fifo, 1024}, false, fifo == 5);
        each.open_injection_counter(fifo, kSource, 0x80000000u);
        for (unsigned message = 0; message < 6; ++message) {
          const unsigned peer = (node + 1 + (fifo + message) % (machine.nodes.size() - 1)) % machine.nodes.size();
          Descriptor put = machine.put(peer, fifo, 16 * message, 100 + 333 * message, 3, 4096 * fifo);
          if (fifo % 2 == 1) put.fields.dynamic = 1, put.fields.vc = TORUS_VC_DYNAMIC0;
          each.inject(fifo, put);
        }
      }
    }
  }
  sc_core::sc_start();
  // Nodes tell of one cycle in the order in which they settle.
  for (DmaRecord& record : records)
    std::stable_sort(record.counters.begin(), record.counters.end(),
                     [](auto& a, auto& b) { return std::make_pair(a[4], a[0]) < std::make_pair(b[4], b[0]); });
  EXPECT_GT(records[0].counters.size(), 4u * 36 * 4);
  for (unsigned i = 1; i < kShuffled; ++i) EXPECT_EQ(records[i].counters, records[0].counters) << "seed " << i;
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid::test;
  testing::InitGoogleTest(&argc, argv);
  pair = std::make_unique<DmaMachine>("pair", DmaMachine::Options{});
  line = std::make_unique<DmaMachine>("line", DmaMachine::Options{"5x1x1"});
  for (unsigned i = 0; i < kShuffled; ++i)
    shuffled.push_back(
        std::make_unique<DmaMachine>("shuffled" + std::to_string(i) + "_", DmaMachine::Options{"2x2x1", 0, i}));
  const int result = RUN_ALL_TESTS();
  pair.reset();
  line.reset();
  shuffled.clear();
  return result;
}
