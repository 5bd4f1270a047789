// SPDX-License-Identifier: Apache-2.0
//
// The kinds of messages of the DMA beside torus puts: memory FIFOs, remote gets, messages inside the node, prefetches,
// broadcasts by deposit; and which packets go first, and where.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "nic/common/register_bank.h"
#include "testbench/tests/nic/bgp/dma_test.h"

namespace toroid::test {
namespace {

class DmaMessages : public DmaTest {
 protected:
  DmaMessages() {
    for (const auto& node : machine->nodes) {
      node->open_injection(0, {kRing, 1024});
      node->open_injection(1, {kRing + 1024, 1024}, true);
      node->open_injection_counter(0, kSource, 0x10000000);
      node->open_injection_counter(1, kDescriptors, 0x10000000);
      node->open_reception_counter(3, kTarget, 0x40000, 0x10000000);
      node->fill(kSource, 0x10000, node->dma.counters().messages & 0xFF);
    }
  }
  ~DmaMessages() override {
    machine->observe(nullptr);
    for (const auto& node : machine->nodes) EXPECT_EQ(node->dma.pending_work("node").size(), 0u);
  }
  /// All packets for `pid` go to one FIFO, whatever their direction.
  static void map_all(DmaNode& node, unsigned pid, unsigned fifo) {
    for (unsigned word = 0; word < 2; ++word)
      node.set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + 2 * pid + word, fifo * 0x01010101u);
  }
  struct Received {
    std::uint32_t word2, word3;
    std::vector<std::uint8_t> payload;
  };
  /// Takes all packets of a reception FIFO, as a driver does: walks them and moves the head.
  static std::vector<Received> take(DmaNode& node, unsigned fifo) {
    std::vector<Received> packets;
    const std::uint32_t start = node.reception(fifo, BGP_DMA_REC_FIFO_START_OFFSET);
    const std::uint32_t end = node.reception(fifo, BGP_DMA_REC_FIFO_END_OFFSET);
    const std::uint32_t tail = node.reception(fifo, BGP_DMA_REC_FIFO_TAIL_OFFSET);
    std::uint32_t head = node.reception(fifo, BGP_DMA_REC_FIFO_HEAD_OFFSET);
    while (head != tail) {
      std::vector<std::uint8_t> bytes;
      const unsigned quads = 2 * torus_chunks0(load_word<std::uint32_t>(node.at(head << 4)));
      for (unsigned quad = 0; quad < quads; ++quad) {
        bytes.insert(bytes.end(), node.at(head << 4), node.at(head << 4) + 16);
        head = head + 1 == end ? start : head + 1;
      }
      packets.push_back({load_word<std::uint32_t>(bytes.data() + 8),
                         load_word<std::uint32_t>(bytes.data() + 12),
                         {bytes.begin() + 16, bytes.end()}});
    }
    node.set(fifo / 8, BGP_DMA_REC_FIFO_HEAD_OFFSET + fifo % 8 * 16, head);
    return packets;
  }
  /// Packets of ring 0 stay in order: they all go by one torus FIFO.
  void keep_order() { from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x80808080u); }
  /// Numbers of the messages whose packets were sent, in this order: "0001".
  static std::string order(const DmaRecord& record) {
    std::string text;
    const std::uint32_t first = record.messages.front().number;
    for (const auto& packet : record.packets) text += std::to_string(packet[0] - first);
    return text;
  }
};

TEST_F(DmaMessages, PacketsOfAMemoryFifoMessageAreAppendedWithTheirHeaders) {
  to.open_reception(10, {kFifo, kFifoBytes});
  map_all(to, 1, 10);
  keep_order();
  for (const std::uint32_t size : {0u, 1u, 16u, 17u, 100u, 208u, 209u, 240u, 241u, 1000u}) {
    SCOPED_TRACE(size);
    from.inject(0, machine->message(1, 0, 3, size, 1, 77, 0xABCDEF));
    machine->run();
    EXPECT_EQ(to.get(1, BGP_DMA_REC_NOT_EMPTY_OFFSET), 0x00200000u) << "FIFO 2 of group 1";
    EXPECT_EQ(to.get(0, BGP_DMA_REC_NOT_EMPTY_OFFSET), 0u) << "a group sees its own bits";
    const std::vector<Received> packets = take(to, 10);
    ASSERT_EQ(packets.size(), std::max(1u, (size + 239) / 240));
    std::vector<std::uint8_t> payload;
    for (unsigned i = 0; i < packets.size(); ++i) {
      EXPECT_EQ(packets[i].word2, 240 * i) << "the offset is the packet's own";
      EXPECT_EQ(packets[i].word3, 0xABCDEF4Du);
      EXPECT_EQ(packets[i].payload.size(), BGP_DMA_PAYLOAD_BYTES(bgp_dma_packet_chunks(size))) << "all of one size";
      payload.insert(payload.end(), packets[i].payload.begin(), packets[i].payload.end());
    }
    EXPECT_TRUE(std::equal(payload.begin(), payload.begin() + size, from.at(kSource + 3)));
    EXPECT_TRUE(std::all_of(payload.begin() + size, payload.end(), [](auto byte) { return byte == 0; }));
    EXPECT_EQ(to.get(1, BGP_DMA_REC_NOT_EMPTY_OFFSET), 0u);
  }
}

TEST_F(DmaMessages, ReceptionFifosWrapAtEveryOffset) {
  to.open_reception(0, {kFifo, kFifoBytes});
  keep_order();
  std::uint32_t argument = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned count = 1 + round % 5;
    for (unsigned i = 0; i < count; ++i) {
      from.write_descriptor(0, machine->message(1, 0, round, 1 + (round * 37 + i * 61) % 240, 0, 1, argument + i));
      from.move_tail(0);
    }
    machine->run();
    const std::vector<Received> packets = take(to, 0);
    ASSERT_EQ(packets.size(), count);
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(bgp_dma_argument3(packets[i].word3), argument + i);
      EXPECT_TRUE(std::equal(packets[i].payload.begin(), packets[i].payload.begin() + 1 + (round * 37 + i * 61) % 240,
                             from.at(kSource + round)));
    }
    argument += count;
  }
}

TEST_F(DmaMessages, TheMapSortsPacketsByPidAndDirection) {
  for (unsigned fifo = 0; fifo < 32; ++fifo) to.open_reception(fifo, {kFifo + 0x4000 * (fifo % 8), kFifoBytes});
  // From node 0 by X+ into its X- FIFO; from node 2 by X- into its X+ FIFO; high priority; local.
  const unsigned columns[] = {1, 0, 6, 7};
  for (unsigned pid = 0; pid < 4; ++pid) {
    to.set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + 2 * pid, 0x01000000u + pid * 0x08080808u);      // X+ 1, X- 0
    to.set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + 2 * pid + 1, 0x00000203u + pid * 0x08080808u);  // high 2, local 3
    const unsigned expected[] = {0, 1, 2, 3};
    for (unsigned way = 0; way < 4; ++way) {
      SCOPED_TRACE(testing::Message() << "pid " << pid << ", column " << columns[way]);
      Descriptor message = machine->message(1, 0, 0, 50, pid, 1, way);
      DmaNode& sender = way == 0 ? from : way == 3 ? to : (*machine)[2];
      if (way == 2) message.fields.vc = TORUS_VC_PRIORITY;
      message.local = way == 3;
      sender.inject(way == 3 ? 1 : 0, message);
      machine->run();
      EXPECT_EQ(to.get(pid, BGP_DMA_REC_NOT_EMPTY_OFFSET), 0x80000000u >> (8 * pid + expected[way]));
      const std::vector<Received> packets = take(to, 8 * pid + expected[way]);
      ASSERT_EQ(packets.size(), 1u);
      EXPECT_EQ(bgp_dma_argument3(packets[0].word3), way);
    }
  }
}

TEST_F(DmaMessages, ARemoteGetBringsDescriptorsThatTheTargetSends) {
  to.open_injection(40, {kRing + 4096, 1024});
  for (unsigned count = 1; count <= 7; ++count) {
    SCOPED_TRACE(count);
    from.fill(kTarget, 8192, 99);
    for (unsigned i = 0; i < count; ++i) {
      const auto bytes = machine->put(0, 0, 100 * i, 500, 3, 600 * i).bytes();
      std::copy(bytes.begin(), bytes.end(), from.at(kDescriptors + 32 * i));
    }
    from.inject(0, machine->remote_get(1, 1, 0, count, 40));
    machine->run();
    for (unsigned i = 0; i < count; ++i)
      EXPECT_EQ(from.bytes(kTarget + 600 * i, 500), to.bytes(kSource + 100 * i, 500)) << i;
    EXPECT_EQ(from.bytes(kTarget + 500, 1)[0], static_cast<std::uint8_t>(500 * 7 + 1 + 99));
  }
  EXPECT_EQ(to.dma.counters().remote_gets, 28u);
  EXPECT_EQ(to.injection(40, BGP_DMA_INJ_FIFO_HEAD_OFFSET), to.injection(40, BGP_DMA_INJ_FIFO_TAIL_OFFSET));
}

TEST_F(DmaMessages, MessagesInsideTheNodeTakeNoTorus) {
  from.open_reception(0, {kFifo, kFifoBytes});
  const std::uint64_t torus = machine->network.injected();
  Descriptor put = machine->put(0, 0, 5, 1000, 3, 77);
  put.local = true;
  from.inject(1, put);
  Descriptor message = machine->message(0, 0, 9, 300, 0, 5, 6);
  message.local = true;
  from.inject(1, message);
  machine->run();
  EXPECT_EQ(from.bytes(kTarget + 77, 1000), from.bytes(kSource + 5, 1000));
  const std::vector<Received> packets = take(from, 0);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_TRUE(std::equal(packets[0].payload.begin(), packets[0].payload.end(), from.at(kSource + 9)));
  // A get from the own memory.
  put.length = 200;
  put.word2 = 2000;
  const auto bytes = put.bytes();
  std::copy(bytes.begin(), bytes.end(), from.at(kDescriptors));
  Descriptor get = machine->remote_get(0, 1, 0, 1, 1);
  get.local = true;
  from.inject(1, get);
  machine->run();
  EXPECT_EQ(from.bytes(kTarget + 2000, 200), from.bytes(kSource + 5, 200));
  EXPECT_EQ(machine->network.injected(), torus);
}

TEST_F(DmaMessages, APrefetchReadsAndSendsNothing) {
  Descriptor prefetch;
  prefetch.local = true;
  prefetch.prefetch = true;
  prefetch.length = 5000;
  const DmaCounters before = from.dma.counters();
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 5000);
  from.inject(1, prefetch);
  machine->run();
  EXPECT_EQ(from.dma.counters().bytes_read - before.bytes_read, 5000u);
  EXPECT_TRUE(from.injection_hit_zero(0));
  EXPECT_EQ(from.dma.counters().bytes_written, before.bytes_written);
  EXPECT_EQ(from.dma.counters().packets_local, before.packets_local);
}

TEST_F(DmaMessages, ADepositLeavesACopyAtEveryNodeOfTheLine) {
  Descriptor put = machine->put(3, 0, 11, 700, 3, 40);
  put.fields.deposit = 1;
  put.fields.hints = TORUS_HINT_X_PLUS;
  from.inject(0, put);
  Descriptor message = machine->message(3, 0, 0, 20, 0, 9, 1);
  message.fields.deposit = 1;
  message.fields.hints = TORUS_HINT_X_PLUS;
  for (unsigned node = 1; node <= 3; ++node) (*machine)[node].open_reception(0, {kFifo, kFifoBytes});
  from.inject(0, message);
  machine->run();
  for (unsigned node = 1; node <= 3; ++node) {
    EXPECT_EQ((*machine)[node].bytes(kTarget + 40, 700), from.bytes(kSource + 11, 700)) << node;
    EXPECT_EQ((*machine)[node].reception_counter(3), 0x10000000u - 700) << node;
    EXPECT_EQ(take((*machine)[node], 0).size(), 1u) << node;
  }
  EXPECT_EQ((*machine)[4].reception_counter(3), 0x10000000u);
}

TEST_F(DmaMessages, HighPriorityGoesFirst) {
  from.open_injection(0, {kRing, 1024}, false, true);
  from.open_injection(7, {kRing + 4096, 1024});
  DmaRecord record;
  machine->observe(&record);
  from.inject(7, machine->put(1, 0, 0, 8 * 240, 3, 0));
  from.inject(0, machine->put(1, 0, 0, 4 * 240, 3, 0));
  machine->run();
  EXPECT_EQ(order(record), "000011111111");
}

TEST_F(DmaMessages, FifosTakeTurnsByTheServiceQuantum) {
  from.open_injection(5, {kRing + 4096, 1024});
  for (const unsigned quantum : {0u, 1u, 3u}) {
    from.set_dcr(BGP_DMA_DCR_SERVICE_QUANTA_OFFSET, quantum);
    DmaRecord record;
    machine->observe(&record);
    from.inject(0, machine->put(1, 0, 0, 8 * 240, 3, 0));
    from.inject(5, machine->put(1, 0, 0, 8 * 240, 3, 0));
    machine->run();
    EXPECT_EQ(order(record), quantum == 0   ? "0101010101010101"
                             : quantum == 1 ? "0011001100110011"
                                            : "0000111100001111");
  }
}

TEST_F(DmaMessages, RepeatCountsGiveTheNormalPriorityItsTurn) {
  from.open_injection(0, {kRing, 1024}, false, true);
  from.open_injection(7, {kRing + 4096, 1024});
  from.set_dcr(BGP_DMA_DCR_LOCAL_INJECTION_SERVICE_OFFSET, 0x37000000u | 2u << 20 | 1u << 16);
  DmaRecord record;
  machine->observe(&record);
  from.inject(7, machine->put(1, 0, 0, 4 * 240, 3, 0));
  from.inject(0, machine->put(1, 0, 0, 6 * 240, 3, 0));
  machine->run();
  EXPECT_EQ(order(record), "0010010011");
}

TEST_F(DmaMessages, TheDelayKeepsPacketsApart) {
  from.set_dcr(BGP_DMA_DCR_LOCAL_INJECTION_SERVICE_OFFSET, 0x37000000u | 15u << 8);
  DmaRecord record;
  machine->observe(&record);
  Descriptor put = machine->put(1, 0, 0, 6 * 240, 3, 0);
  from.inject(0, put);
  machine->run();
  const unsigned apart = DmaMachine::dma_config().packet_cycles + 15;
  for (unsigned i = 1; i < 3; ++i) EXPECT_NEAR(record.packets[i][1] - record.packets[i - 1][1], apart, 1);
}

TEST_F(DmaMessages, PacketsGoToTheTorusFifosOfTheMap) {
  constexpr unsigned kChecksums = 0xC80 + 0x4D;  // N0 to N2 of both groups, then the two of high priority
  const unsigned checksum_of[] = {0, 1, 2, 6, 3, 4, 5, 7};
  for (unsigned fifo = 0; fifo < 8; ++fifo) {
    from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x80000000u >> fifo);
    std::uint32_t before[8];
    for (unsigned i = 0; i < 8; ++i) before[i] = from.dma.dcr(kChecksums + i);
    from.inject(0, machine->put(1, 0, 0, 100, 3, 0));
    machine->run();
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(from.dma.dcr(kChecksums + i) != before[i], i == checksum_of[fifo]) << fifo << " " << i;
  }
}

/// With one torus FIFO, a watermark of 0 quads lets only one packet into it at a time, so that the link has gaps.
TEST_F(DmaMessages, TheWatermarkSaysHowFullATorusFifoIsKept) {
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x80808080u);
  std::uint64_t cycles[2];
  for (const unsigned mark : {0u, 20u}) {
    from.set_dcr(BGP_DMA_DCR_TORUS_INJECTION_WATERMARK_OFFSET, mark << 24);
    DmaRecord record;
    machine->observe(&record);
    from.inject(0, machine->put(1, 0, 0, 20 * 240, 3, 0));
    machine->run();
    cycles[mark / 20] = record.packets.back()[1] - record.packets[3][1];
  }
  EXPECT_NEAR(static_cast<double>(cycles[1]), 272.0 * 16, 10);
  EXPECT_GT(cycles[0], 272u * 16 + 16 * 40);
}

TEST_F(DmaMessages, APacketGoesToATorusFifoThatHasRoomForAllOfIt) {
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x80808080u);
  from.set_dcr(BGP_DMA_DCR_TORUS_INJECTION_WATERMARK_OFFSET, 63u << 24);
  machine->network.set_stopped(0, 0, true);  // nothing leaves by X+
  DmaRecord record;
  machine->observe(&record);
  Descriptor put = machine->put(1, 0, 0, 20 * 144, 3, 0);
  put.fields.chunks = 5;
  from.inject(0, put);
  machine->run_for(5000);
  EXPECT_EQ(record.packets.size(), 6u) << "30 chunks, of 32";
  machine->network.set_stopped(0, 0, false);
  machine->run();
  EXPECT_EQ(record.packets.size(), 20u);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_dma_tests(argc, argv, "5x1x1");
}
