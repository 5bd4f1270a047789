// SPDX-License-Identifier: Apache-2.0
//
// What software can do wrong with the DMA: each rule violated once. The text names FIFO, descriptor and rule; the
// control registers and interrupts show it; the ring stops or the packet is dropped, and everything else goes on.
#include <gtest/gtest.h>

#include <string>

#include "nic/common/register_bank.h"
#include "testbench/tests/nic/bgp/dma_test.h"

namespace toroid::test {
namespace {

constexpr std::uint32_t kTorusErrors = 0xFFFFF000u;  // of group 1: cleared in the torus's control registers

class DmaRules : public DmaTest {
 protected:
  DmaRules() {
    for (const auto& node : machine->nodes) {
      node->open_injection(5, {kRing, 1024});
      node->open_injection(6, {kRing + 1024, 1024}, true);
      node->open_injection_counter(2, kSource, 0x10000);
      node->open_reception_counter(67, kTarget, 0x1000, 0x10000);
    }
  }
  Descriptor put(std::uint32_t length = 100) { return machine->put(1, 2, 0, length, 67, 0); }

  /// `node` has been told of one fatal violation, whose text is this.
  void expect(DmaNode& node, const std::string& text, unsigned group, unsigned register_offset, unsigned bit,
              unsigned irq) {
    machine->run();
    ASSERT_EQ(node.faults.size(), 1u);
    EXPECT_EQ(node.faults[0].text, text);
    EXPECT_EQ(node.faults[0].group, group);
    EXPECT_EQ(node.dcr(register_offset), 0x80000000u >> bit);
    EXPECT_NE(node.dma.interrupts(irq / 32) & 0x80000000u >> irq % 32, 0u);
    EXPECT_NE(node.dma.interrupts(1) & 1u, 0u) << "0x3F, fatal";
    // All parts of it.
    node.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, ~0u);
    node.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_LINK_OFFSET, ~0u);
    EXPECT_EQ(node.dcr(register_offset), 0u);
    EXPECT_EQ((node.dma.interrupts(1) & ~kTorusErrors) | node.dma.interrupts(2) | node.dma.interrupts(3), 0u);
  }
  /// A violation of injection FIFO 5; its ring stops at the descriptor, and works again behind it.
  void expect_injection(const std::string& what, const std::string& why, unsigned rule, unsigned irq) {
    const std::string name = " (DMA-I" + std::to_string(rule) + ")";
    expect(from, "DMA injection FIFO 5 of group 0, descriptor at 0x01000" + what + ": " + why + name, 0,
           BGP_DMA_DCR_FATAL_INJECTION_OFFSET, rule - 1, irq);
    EXPECT_EQ(from.injection(5, BGP_DMA_INJ_FIFO_HEAD_OFFSET), kRing >> 4);
    EXPECT_EQ(from.get(0, BGP_DMA_INJ_ACTIVATED_OFFSET) & 0x04000000u, 0u);
    EXPECT_EQ(from.dcr(BGP_DMA_DCR_BAD_FIFO_OFFSET), 5u);
    EXPECT_EQ(from.dcr(BGP_DMA_DCR_BAD_DESCRIPTOR_OFFSET), kRing >> 4);
    goes_on();
  }
  void goes_on() {
    from.faults.clear();
    from.open_injection(5, {kRing, 1024});
    from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + 1, ~0u);
    from.set_dcr(BGP_DMA_DCR_INJ_RANGE_MIN_OFFSET, 0);
    from.set_dcr(BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET, (DmaNode::kMemory >> 4) - 1);
    from.open_injection_counter(2, kSource, 0x10000);
    from.fill(kSource, 100, 42);
    from.inject(5, put());
    machine->run();
    EXPECT_EQ(to.bytes(kTarget, 100), from.bytes(kSource, 100)) << "the ring works again";
    EXPECT_TRUE(from.faults.empty());
  }
  /// A violation that a packet from node 0 to node 1 makes there; the next packet goes on.
  void expect_reception(const std::string& what, const std::string& why, unsigned rule, unsigned group, unsigned irq) {
    const std::string name = " (DMA-R" + std::to_string(rule) + ")";
    expect(to, "DMA packet from node (0,0,0) (" + what + "): " + why + name, group, BGP_DMA_DCR_FATAL_RECEPTION_OFFSET,
           rule - 1, irq);
    EXPECT_EQ(to.dcr(BGP_DMA_DCR_BAD_SOURCE_OFFSET), 0u);
    to.open_reception_counter(67, kTarget, 0x1000, 0x10000);
    goes_on();
  }
};

// Injection. ----------------------------------------------------------------------------------------------------------

TEST_F(DmaRules, I1TheRegistersMakeARing) {
  from.write_descriptor(5, put());
  from.set(0, BGP_DMA_INJ_FIFO_END_OFFSET + 5 * 16, (kRing + 512) >> 4);
  from.move_tail(5);
  expect_injection("",
                   "START, END, HEAD and TAIL make no ring: START 0x01000, END 0x01200, HEAD 0x01000, TAIL 0x01020; "
                   "they are multiples of 32 bytes, with at least 1024 bytes, and HEAD and TAIL in between",
                   1, 0x6B);
}

TEST_F(DmaRules, I1HeadAndTailLieInTheRing) {
  for (const unsigned offset : {BGP_DMA_INJ_FIFO_HEAD_OFFSET, BGP_DMA_INJ_FIFO_TAIL_OFFSET}) {
    for (const std::uint32_t place : {(kRing - 32) >> 4, (kRing + 1024) >> 4, (kRing + 16) >> 4, 0xFFFFFFFFu}) {
      from.set(0, offset + 5 * 16, place);
      machine->run();
      EXPECT_EQ(from.faults.size(), 1u) << place;
      EXPECT_EQ(from.faults[0].rule, DmaRule::ring);
      from.faults.clear();
      from.open_injection(5, {kRing, 1024});
    }
  }
}

TEST_F(DmaRules, I2DescriptorsLieInMemoryThatMayBeRead) {
  from.inject(5, put());
  from.set_dcr(BGP_DMA_DCR_INJ_RANGE_MIN_OFFSET, (kRing + 32) >> 4);
  expect_injection("", "the descriptor does not lie in the memory that the DMA may read", 2, 0x56);
}

TEST_F(DmaRules, I3LocalMessagesHaveFifosOfTheirOwn) {
  Descriptor local = put();
  local.local = true;
  from.inject(5, local);
  expect_injection(" (a local put of 100 bytes)", "the descriptor is local, and the FIFO is for the torus", 3, 0x6B);
  from.inject(6, put());
  machine->run();
  EXPECT_EQ(from.faults.at(0).text,
            "DMA injection FIFO 6 of group 0, descriptor at 0x01400 (a put of 100 bytes to (1,0,0)): the FIFO is for "
            "local messages, and the descriptor is not local (DMA-I3)");
}

TEST_F(DmaRules, I4ATorusMessageHasATorusFifo) {
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + 1, 0xFF00FFFFu);
  from.inject(5, put());
  expect_injection(" (a put of 100 bytes to (1,0,0))", "the FIFO's map has no torus FIFO", 4, 0x6B);
}

TEST_F(DmaRules, I5TheInjectionCounterIsEnabled) {
  from.set(0, BGP_DMA_INJ_COUNTER_DISABLE_OFFSET, 0x20000000u);
  from.inject(5, put());
  expect_injection(" (a put of 100 bytes to (1,0,0))", "injection counter 2 of group 0 is not enabled", 5, 0x6A);
}

TEST_F(DmaRules, TheSameDescriptorIsReadAgainWhenItsFifoIsActivated) {
  from.set(0, BGP_DMA_INJ_COUNTER_DISABLE_OFFSET, 0x20000000u);
  from.fill(kSource, 100, 9);
  from.inject(5, put());
  machine->run();
  from.set(0, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x04000000u);
  machine->run();
  EXPECT_EQ(from.faults.size(), 2u);
  from.set(0, BGP_DMA_INJ_COUNTER_ENABLE_OFFSET, 0x20000000u);
  from.set(0, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x04000000u);
  machine->run();
  EXPECT_EQ(from.faults.size(), 2u);
  EXPECT_EQ(to.bytes(kTarget, 100), from.bytes(kSource, 100));
  EXPECT_EQ(from.injection(5, BGP_DMA_INJ_FIFO_HEAD_OFFSET), (kRing + 32) >> 4);
}

TEST_F(DmaRules, I6TheMessageLiesInMemoryThatMayBeRead) {
  from.set_dcr(BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET, (kSource >> 4) - 1);
  from.inject(5, put(16));
  expect_injection(" (a put of 16 bytes to (1,0,0))",
                   "the message from 0x10000 on, which is offset 0x00000 of counter 2 of group 0, does not lie in the "
                   "memory that the DMA may read",
                   6, 0x57);
}

TEST_F(DmaRules, I6NoSumWrapsIntoMemory) {
  Descriptor far = put(100);
  far.offset = 0xFFFFFFF0u;
  from.inject(5, far);
  machine->run();
  EXPECT_EQ(from.faults.at(0).rule, DmaRule::message_address);
  goes_on();
  far.offset = 0;
  far.length = 0xFFFFFFFFu;
  from.inject(5, far);
  machine->run();
  EXPECT_EQ(from.faults.at(0).rule, DmaRule::message_address);
}

TEST_F(DmaRules, I7TheHeaderIsOneThatRoutersAccept) {
  Descriptor outside = put();
  outside.fields.destination[0] = 9;
  from.inject(5, outside);
  expect_injection(" (a put of 100 bytes to (9,0,0))",
                   "bad packet header: its destination (9,0,0) lies outside the machine of 2x1x1", 7, 0x6B);
  EXPECT_NE(from.dma.interrupts(1) & 0x80000000u, 0u) << "0x20: the torus's own check of headers has seen it as well";
  Descriptor dynamic = put();
  dynamic.fields.dynamic = 1;
  from.inject(5, dynamic);
  machine->run();
  EXPECT_NE(from.faults.at(0).text.find("dynamic packets go on channel 0 or 1"), std::string::npos);
  goes_on();
  Descriptor own = machine->put(0, 2, 0, 100, 67, 0);
  from.inject(5, own);
  machine->run();
  EXPECT_NE(from.faults.at(0).text.find("needs that of a ring"), std::string::npos) << from.faults.at(0).text;
}

TEST_F(DmaRules, I8ARemoteGetCarriesWholeDescriptors) {
  Descriptor get = machine->remote_get(1, 2, 0, 2, 5);
  get.length = 63;
  from.inject(5, get);
  expect_injection(" (a remote get of 63 bytes to (1,0,0))",
                   "a remote get carries 1 to 2 descriptors of 32 bytes in a packet of 3 chunks", 8, 0x6B);
  for (const std::uint32_t length : {0u, 96u, 256u}) {
    get.length = length;
    from.inject(5, get);
    machine->run();
    EXPECT_EQ(from.faults.at(0).rule, DmaRule::remote_get) << length;
    goes_on();
  }
}

TEST_F(DmaRules, I9APrefetchIsLocal) {
  Descriptor prefetch = put();
  prefetch.prefetch = true;
  from.inject(5, prefetch);
  expect_injection(" (a prefetch of 100 bytes)", "prefetch_only is set without local_memcopy", 9, 0x6B);
}

// Reception. ----------------------------------------------------------------------------------------------------------

TEST_F(DmaRules, R1TheReceptionCounterIsEnabled) {
  to.set(1, BGP_DMA_REC_COUNTER_DISABLE_OFFSET, 0x10000000u);
  from.inject(5, put());
  expect_reception("put of 100 bytes at offset 0x00000", "reception counter 3 of group 1 is not enabled", 1, 1, 0x6F);
  EXPECT_EQ(to.reception_counter(67), 0x10000u - 100) << "nothing was counted of the first one";
}

TEST_F(DmaRules, R2APutEndsAtTheMaximum) {
  Descriptor beyond = put(17);
  beyond.word2 = 0x1000 - 16;
  from.inject(5, beyond);
  expect_reception("put of 17 bytes at offset 0x00ff0",
                   "0x80ff0 to 0x81000 ends behind 0x80fff, the last byte of reception counter 3 of group 1", 2, 1,
                   0x70);
  beyond.length = 16;
  from.inject(5, beyond);
  machine->run();
  EXPECT_TRUE(to.faults.size() == 1) << "its last 16 bytes belong to it";
}

TEST_F(DmaRules, R3PacketsAreWrittenToMemoryThatMayBe) {
  to.set_dcr(BGP_DMA_DCR_REC_RANGE_MAX_OFFSET, (kTarget >> 4) - 1);
  from.inject(5, put());
  machine->run();
  EXPECT_EQ(to.dcr(BGP_DMA_DCR_BAD_WRITE_ADDRESS_OFFSET), kTarget >> 4);
  to.set_dcr(BGP_DMA_DCR_REC_RANGE_MAX_OFFSET, (DmaNode::kMemory >> 4) - 1);
  expect_reception("put of 100 bytes at offset 0x00000",
                   "0x80000 on, of reception counter 3 of group 1, does not lie in the memory that the DMA may write",
                   3, 1, 0x71);
}

TEST_F(DmaRules, R3WhatIsNoMemoryIsRefusedWhateverTheRangesSay) {
  to.set_dcr(BGP_DMA_DCR_REC_RANGE_MAX_OFFSET, ~0u);
  from.set_dcr(BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET, ~0u);
  to.open_reception_counter(67, DmaNode::kMemory, 0x1000, 0x10000);
  from.inject(5, put());
  machine->run();
  EXPECT_EQ(to.faults.at(0).rule, DmaRule::write_address);
  from.open_injection_counter(2, DmaNode::kMemory - 480, 0x10000);
  from.inject(5, put(1000));
  machine->run();
  EXPECT_EQ(from.faults.at(0).rule, DmaRule::message_address);
  EXPECT_EQ(from.injection(5, BGP_DMA_INJ_FIFO_HEAD_OFFSET), (kRing + 32) >> 4);
  from.open_injection(5, {DmaNode::kMemory, 1024});
  from.set(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET + 5 * 16, (DmaNode::kMemory + 32) >> 4);
  machine->run();
  EXPECT_EQ(from.faults.at(1).rule, DmaRule::descriptor_address);
}

TEST_F(DmaRules, R4TheReceptionFifoIsEnabled) {
  from.inject(5, machine->message(1, 2, 0, 100, 2, 7, 0));
  expect_reception("for a memory FIFO, pid 2, function 7", "reception FIFO 0 of group 0 is not enabled", 4, 0, 0x72);
  to.faults.clear();
  to.set_dcr(BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + 4, 0xFFFFFFFFu);
  from.inject(5, machine->message(1, 2, 0, 100, 2, 7, 0));
  machine->run();
  EXPECT_EQ(to.faults.at(0).rule, DmaRule::reception_fifo) << "a number above 31";
}

TEST_F(DmaRules, R5TheRegistersMakeAReceptionRing) {
  to.open_reception(0, {kFifo, 8192});
  from.inject(5, machine->message(1, 2, 0, 100, 2, 7, 0));
  expect_reception("for a memory FIFO, pid 2, function 7",
                   "the registers of reception FIFO 0 of group 0 make no ring: START 0x40000, END 0x42000, HEAD "
                   "0x40000, TAIL 0x40000; START and END are multiples of 32 bytes, with at least 8704 bytes, and HEAD "
                   "and TAIL in between",
                   5, 0, 0x72);
}

/// The DMA writes Payload_Bytes itself, so such a packet comes from a node that is none of ours.
TEST_F(DmaRules, R6PayloadBytesAreInThePacket) {
  Packet& packet = machine->network.pool().allocate(true);
  packet.destination = machine->network.topology().coordinates(1);
  packet.channel = TORUS_VC_BUBBLE;
  packet.chunks = 2;
  const std::uint32_t words[] = {0x00003A00u, 0x01000000u, 0, bgp_dma_put_word3(67, 49, 0, 0)};
  for (unsigned i = 0; i < 4; ++i) store_word<std::uint32_t>(packet.data + 4 * i, words[i]);
  machine->network.router(0).inject(packet, 7, machine->now() + 1);
  expect_reception("put of 49 bytes at offset 0x00000",
                   "its Payload_Bytes are 49, more than a packet of 2 chunks holds", 6, 1, 0x75);
}

TEST_F(DmaRules, R7ARemoteGetNamesAnEnabledFifo) {
  from.inject(5, machine->remote_get(1, 2, 0, 1, 70));
  expect_reception("remote get of 32 bytes", "injection FIFO 6 of group 2 is not enabled", 7, 2, 0x73);
  to.faults.clear();
  from.inject(5, machine->remote_get(1, 2, 0, 1, 200));
  machine->run();
  EXPECT_EQ(to.faults.at(0).rule, DmaRule::get_fifo);
}

TEST_F(DmaRules, R8AndWhoseRegistersMakeARing) {
  to.set(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET + 6 * 16, 0);
  to.set(0, BGP_DMA_INJ_FIFO_START_OFFSET + 6 * 16, 0x500);
  to.faults.clear();
  from.inject(5, machine->remote_get(1, 2, 0, 1, 6));
  machine->run();
  ASSERT_GE(to.faults.size(), 2u) << "the ring itself, and the packet";
  EXPECT_EQ(to.faults.back().text,
            "DMA packet from node (0,0,0) (remote get of 32 bytes): the registers of injection FIFO 6 of group 0 make "
            "no ring: START 0x05000, END 0x01800, HEAD 0x01400, TAIL 0x00000 (DMA-R8)");
}

TEST_F(DmaRules, R9ARemoteGetIsWholeDescriptors) {
  Packet& packet = machine->network.pool().allocate(true);
  packet.destination = machine->network.topology().coordinates(1);
  packet.channel = TORUS_VC_BUBBLE;
  packet.chunks = 2;
  const std::uint32_t words[] = {0x00002A00u, 0x01000000u, 0, bgp_dma_put_word3(0, 33, BGP_DMA_FLAG_REMOTE_GET, 5)};
  for (unsigned i = 0; i < 4; ++i) store_word<std::uint32_t>(packet.data + 4 * i, words[i]);
  machine->network.router(0).inject(packet, 7, machine->now() + 1);
  expect_reception("remote get of 33 bytes", "its payload of 33 bytes is not whole descriptors of 32 bytes", 9, 0,
                   0x74);
}

// Fatal or not. -------------------------------------------------------------------------------------------------------

TEST_F(DmaRules, CountersErrorsAreFatalIfTheyAreEnabled) {
  to.set_dcr(BGP_DMA_DCR_FATAL_ENABLE_COUNTERS_OFFSET, 0xF0000000u);
  to.set(1, BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48, 5);
  from.inject(5, put());
  expect(to,
         "DMA reception counter 3 of group 1 went below zero: more bytes were moved than software had added to it "
         "(DMA-C3)",
         1, BGP_DMA_DCR_FATAL_COUNTERS_OFFSET, 2, 0x6C);
  to.faults.clear();
  to.set(1, BGP_DMA_REC_COUNTER_INCREMENT_OFFSET + 48, 200);
  expect(to, "DMA reception counter 3 of group 1 was given 200 bytes more and went above 2^32 - 1 (DMA-C4)", 1,
         BGP_DMA_DCR_FATAL_COUNTERS_OFFSET, 3, 0x6D);
}

TEST_F(DmaRules, WhatIsNotFatalIsKeptAndTold) {
  from.set_dcr(BGP_DMA_DCR_FATAL_ENABLE_INJECTION_OFFSET, 0);
  for (unsigned i = 0; i < 3; ++i) {
    Descriptor outside = put();
    outside.fields.destination[0] = static_cast<std::uint8_t>(2 + i);
    from.inject(5, outside);
    machine->run();
    from.open_injection(5, {kRing, 1024});
  }
  EXPECT_TRUE(from.faults.empty());
  EXPECT_EQ(from.dma.interrupts(1) & ~kTorusErrors, 0u);
  EXPECT_NE(from.dma.interrupts(3), 0u);
  EXPECT_GE(from.dma.counters().refused, 3u);
  bool told = false;
  for (const PendingWork& work : from.dma.pending_work("node (0,0,0)")) {
    if (work.text.find("DMA-I7") == std::string::npos) continue;
    told = true;
    EXPECT_EQ(work.kind, PendingWork::Kind::refused);
    EXPECT_NE(work.text.find("more violations of that rule"), std::string::npos) << work.text;
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_dma_tests(argc, argv, "2x1x1");
}
