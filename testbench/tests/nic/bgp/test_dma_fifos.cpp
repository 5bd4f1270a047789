// SPDX-License-Identifier: Apache-2.0
//
// The rules of the DMA's FIFOs and counters: what their registers show, when, and which interrupts they raise.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/nic/bgp/dma_test.h"

namespace toroid::test {
namespace {

/// The line of an interrupt number.
bool raised(DmaNode& node, unsigned irq) {
  return (node.dma.interrupts(irq / 32) & 0x80000000u >> irq % 32) != 0;
}

using DmaFifos = DmaOrderedTest;

// Registers. ----------------------------------------------------------------------------------------------------------

TEST_F(DmaFifos, RegistersTakeWordsWhereTheyAre) {
  EXPECT_EQ(from.access(kPage + 0x4, false, 0).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(from.access(kPage + 0x0, false, 0, 8).status, tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(from.access(kPage + 0x0, false, 0, 2).reason,
            "access of 2 bytes to a DMA register, which takes words of 4 bytes only");
  EXPECT_EQ(from.access(kPage + 0x204, false, 0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(from.access(kPage + 0x1FD, false, 0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(from.access(kPage + 0x200, true, 0).status, tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(from.access(kPage + 0x1224, false, 0).reason,
            "read of the INJ_ACTIVATE of group 1, which can only be written");
}

TEST_F(DmaFifos, EveryReadableRegisterKeepsWhatIsWrittenOrTellsTheState) {
  for (unsigned group = 0; group < 4; ++group) {
    for (const unsigned offset : {0x000u, 0x1FCu, 0x400u, 0x7F8u, 0x7FCu, 0x800u, 0x87Cu, 0x880u, 0x88Cu, 0x900u,
                                  0x93Cu, 0xC00u, 0xFF8u, 0xFFCu}) {
      const std::uint64_t address = kPage + group * 0x1000 + offset;
      EXPECT_EQ(to.access(address, true, 0x1000000u + offset + group).status, tlm::TLM_OK_RESPONSE) << offset;
      EXPECT_EQ(to.access(address, false, 0).value, 0x1000000u + offset + group) << offset;
    }
  }
}

TEST_F(DmaFifos, ControlRegistersHaveGapsThatReadZeroAndCannotBeWritten) {
  for (const unsigned offset : {0x82u, 0x88u, 0xA0u, 0xA6u, 0xB0u}) {
    std::uint32_t value = 1;
    sc_core::sc_time delay;
    std::string reason;
    EXPECT_TRUE(from.dma.read_dcr(BGP_DMA_DCR_BASE + offset, value, delay, reason));
    EXPECT_EQ(value, 0u);
    EXPECT_FALSE(from.dma.write_dcr(BGP_DMA_DCR_BASE + offset, 1, delay, reason));
  }
  EXPECT_FALSE(from.dma.peek_dcr(BGP_DMA_DCR_BASE + 0xB3));
  EXPECT_EQ(from.dcr(BGP_DMA_DCR_BASE_CONTROL_OFFSET), 0x9F000000u) << "bits 0, 3, 4, 5, 6, 7";
  EXPECT_EQ(from.dcr(BGP_DMA_DCR_TORUS_INJECTION_WATERMARK_OFFSET), 0x14141414u);
  EXPECT_EQ(from.dcr(BGP_DMA_DCR_REC_CLEAR_MASK_OFFSET + 2), 0x0000FF00u);
}

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

TEST_F(DmaFifos, AnInjectionFifoWorksIfItIsEnabledAndActive) {
  from.set(0, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x80000000u);
  from.inject(0, machine->put(1, 0, 0, 100, 3, 0));
  sc_core::sc_start();
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_NOT_EMPTY_OFFSET), 0x80000000u);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_ACTIVATED_OFFSET), 0u);
  EXPECT_EQ(from.dma.pending_work("node 0").at(0).text,
            "DMA injection FIFO 0 of group 0 of node 0 holds descriptors and is not active");
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET, 0);
  from.set(0, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x80000000u);
  sc_core::sc_start();
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_NOT_EMPTY_OFFSET), 0x80000000u);
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET, 0x80000000u);
  machine->run();
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_NOT_EMPTY_OFFSET), 0u);
  EXPECT_EQ(to.bytes(kTarget, 100), from.bytes(kSource, 100));
}

TEST_F(DmaFifos, AMessageUnderWayIsFinishedWhenItsFifoIsDeactivated) {
  from.fill(kSource, 0x10000, 5);
  for (unsigned i = 0; i < 3; ++i) {
    from.write_descriptor(0, machine->put(1, 0, 0, 4800, 3, 5000 * i));
    from.move_tail(0);
  }
  machine->run_for(1000);
  from.set(0, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x80000000u);
  sc_core::sc_start();
  EXPECT_EQ(from.injection(0, BGP_DMA_INJ_FIFO_HEAD_OFFSET), (kRing + 32) >> 4);
  EXPECT_EQ(to.bytes(kTarget, 4800), from.bytes(kSource, 4800));
  // The descriptor behind it, which had been read already, may be changed now.
  const auto other = machine->put(1, 0, 64, 100, 3, 20000).bytes();
  std::copy(other.begin(), other.end(), from.at(kRing + 32));
  from.set(0, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x80000000u);
  machine->run();
  EXPECT_EQ(to.bytes(kTarget + 20000, 100), from.bytes(kSource + 64, 100));
  EXPECT_NE(to.bytes(kTarget + 5000, 100), from.bytes(kSource, 100));
  EXPECT_EQ(to.bytes(kTarget + 10000, 4800), from.bytes(kSource, 4800));
}

TEST_F(DmaFifos, SoftwareMayMoveTheHeadPastDescriptorsThatHaveNotBegun) {
  from.fill(kSource, 0x10000, 6);
  to.fill(kTarget, 0x8000, 77);
  const std::vector<std::uint8_t> before = to.bytes(kTarget, 300);
  for (unsigned i = 0; i < 3; ++i) {
    from.write_descriptor(0, machine->put(1, 0, 0, 100, 3, 100 * i));
    from.move_tail(0);
  }
  machine->run_for(100);
  EXPECT_GT(from.dma.in_flight(), 0u) << "one has been read, but is not ready";
  from.set(0, BGP_DMA_INJ_FIFO_HEAD_OFFSET, from.injection(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET));
  machine->run();
  EXPECT_EQ(to.bytes(kTarget, 300), before);
}

TEST_F(DmaFifos, AMessageThatHasBegunEndsAndLeavesAHeadThatSoftwareHasMoved) {
  from.fill(kSource, 0x10000, 8);
  for (unsigned i = 0; i < 3; ++i) {
    from.write_descriptor(0, machine->put(1, 0, 0, 4800, 3, 5000 * i));
    from.move_tail(0);
  }
  machine->run_for(1000);
  const std::uint32_t tail = from.injection(0, BGP_DMA_INJ_FIFO_TAIL_OFFSET);
  from.set(0, BGP_DMA_INJ_FIFO_HEAD_OFFSET, tail);
  machine->run();
  EXPECT_EQ(to.bytes(kTarget, 4800), from.bytes(kSource, 4800));
  EXPECT_EQ(from.injection(0, BGP_DMA_INJ_FIFO_HEAD_OFFSET), tail);
}

TEST_F(DmaFifos, AvailableIsFiveHundredAndTwelveFreeBytes) {
  from.set(0, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x80000000u);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_AVAILABLE_OFFSET), 0x80000000u) << "FIFOs without a ring have no room";
  for (unsigned i = 1; i < 32; ++i) {
    from.move_tail(0);
    EXPECT_EQ(from.get(0, BGP_DMA_INJ_AVAILABLE_OFFSET) != 0, 1024 - 32 * i >= 512) << i;
  }
}

TEST_F(DmaFifos, AnInjectionThresholdIsCrossedWhenFreeSpaceComesDownToIt) {
  from.set_dcr(BGP_DMA_DCR_INJ_FIFO_THRESHOLD_OFFSET, 60);  // quads, of 64
  from.set_dcr(BGP_DMA_DCR_INJ_THRESHOLD_INTERRUPT_OFFSET, 0x80000000u);
  from.set(0, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x80000000u);
  from.write_descriptor(0, machine->put(1, 0, 0, 10, 3, 0));
  from.move_tail(0);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0u) << "62 free";
  EXPECT_FALSE(raised(from, BGP_DMA_IRQ_INJ_THRESHOLD));
  from.write_descriptor(0, machine->put(1, 0, 0, 10, 3, 0));
  from.move_tail(0);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0x80000000u) << "60 free";
  EXPECT_TRUE(raised(from, BGP_DMA_IRQ_INJ_THRESHOLD));
  EXPECT_FALSE(raised(from, BGP_DMA_IRQ_INJ_THRESHOLD + 1));
  from.set(0, BGP_DMA_INJ_CLEAR_THRESHOLD_CROSSED_OFFSET, ~0u);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0x80000000u) << "it is still crossed";
  from.set(0, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x80000000u);
  machine->run();
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0x80000000u) << "sticky";
  from.set_dcr_bit(BGP_DMA_DCR_BASE_CONTROL_OFFSET, 29, true);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0u) << "not sticky";
  from.set_dcr_bit(BGP_DMA_DCR_BASE_CONTROL_OFFSET, 29, false);
  from.set(0, BGP_DMA_INJ_CLEAR_THRESHOLD_CROSSED_OFFSET, ~0u);
  EXPECT_EQ(from.get(0, BGP_DMA_INJ_THRESHOLD_CROSSED_OFFSET), 0u);
  EXPECT_FALSE(raised(from, BGP_DMA_IRQ_INJ_THRESHOLD));
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

TEST_F(DmaFifos, AFullReceptionFifoHoldsTheNetworkBack) {
  to.open_reception(0, {kFifo, kFifoBytes});
  constexpr unsigned kFit = (kFifoBytes - 512) / 256;
  send_to_fifo(kFit + 60);
  sc_core::sc_start();
  EXPECT_EQ(to.reception(0, BGP_DMA_REC_FIFO_TAIL_OFFSET) << 4, kFifo + kFit * 256);
  EXPECT_EQ(to.get(0, BGP_DMA_REC_AVAILABLE_OFFSET), 0u);
  EXPECT_TRUE(raised(to, BGP_DMA_IRQ_REC_FULL));
  EXPECT_GT(machine->network.in_flight(), 0u) << "packets stay in the network";
  EXPECT_GT(to.dma.in_flight(), 0u);
  EXPECT_GT(from.dma.in_flight(), 0u) << "the sender waits as well";
  const auto work = to.dma.pending_work("node 1");
  EXPECT_EQ(work.at(0).text, "the DMA of node 1 holds packets whose reception FIFO is full, so that the network waits");
  for (unsigned packets = 0; packets < kFit + 60;) {
    const std::uint32_t tail = to.reception(0, BGP_DMA_REC_FIFO_TAIL_OFFSET);
    const std::uint32_t head = to.reception(0, BGP_DMA_REC_FIFO_HEAD_OFFSET);
    const std::uint32_t quads = tail >= head ? tail - head : kFifoBytes / 16 - (head - tail);
    ASSERT_GT(quads, 0u);
    packets += quads / 16;
    to.set(0, BGP_DMA_REC_FIFO_HEAD_OFFSET, tail);
    sc_core::sc_start();
  }
  EXPECT_FALSE(raised(to, BGP_DMA_IRQ_REC_FULL));
  EXPECT_EQ(to.get(0, BGP_DMA_REC_AVAILABLE_OFFSET), 0x80000000u);
}

TEST_F(DmaFifos, ReceptionStopsAtAFullFifoIfTheControlRegisterSaysSo) {
  to.open_reception(0, {kFifo, kFifoBytes});
  to.set_dcr_bit(BGP_DMA_DCR_BASE_CONTROL_OFFSET, 28, true);
  send_to_fifo(40);
  sc_core::sc_start();
  EXPECT_TRUE(raised(to, BGP_DMA_IRQ_REC_FULL));
  to.set(0, BGP_DMA_REC_FIFO_HEAD_OFFSET, to.reception(0, BGP_DMA_REC_FIFO_TAIL_OFFSET));
  sc_core::sc_start();
  EXPECT_GT(to.dma.in_flight(), 0u) << "it waits until software says go on";
  to.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, BGP_DMA_DCR_FATAL_CLEAR_RECEPTION_MASK);
  machine->run();
  EXPECT_FALSE(raised(to, BGP_DMA_IRQ_REC_FULL));
}

TEST_F(DmaFifos, AReceptionThresholdIsThatOfTheFifosType) {
  for (const unsigned fifo : {0u, 9u}) to.open_reception(fifo, {kFifo + 0x4000 * (fifo / 8), kFifoBytes});
  to.set_dcr(BGP_DMA_DCR_REC_FIFO_TYPE_OFFSET, 0x80000000u);                    // FIFO 0 of group 0 is of type 1
  to.set_dcr(BGP_DMA_DCR_REC_FIFO_THRESHOLD_OFFSET + 1, kFifoBytes / 16 - 32);  // two packets
  to.set_dcr(BGP_DMA_DCR_REC_THRESHOLD_INTERRUPT_OFFSET + 2, 0x80000000u);
  send_to_fifo(1);
  machine->run();
  EXPECT_EQ(to.get(0, BGP_DMA_REC_THRESHOLD_CROSSED_OFFSET), 0u);
  send_to_fifo(1);
  machine->run();
  EXPECT_EQ(to.get(0, BGP_DMA_REC_THRESHOLD_CROSSED_OFFSET), 0x80000000u);
  EXPECT_TRUE(raised(to, BGP_DMA_IRQ_REC_THRESHOLD + 2));
  EXPECT_FALSE(raised(to, BGP_DMA_IRQ_REC_THRESHOLD));
  to.set(0, BGP_DMA_REC_FIFO_HEAD_OFFSET, to.reception(0, BGP_DMA_REC_FIFO_TAIL_OFFSET));
  EXPECT_EQ(to.get(0, BGP_DMA_REC_THRESHOLD_CROSSED_OFFSET), 0x80000000u) << "sticky";
  to.set(1, BGP_DMA_REC_CLEAR_THRESHOLD_CROSSED_OFFSET, 0x80000000u);
  EXPECT_EQ(to.get(0, BGP_DMA_REC_THRESHOLD_CROSSED_OFFSET), 0x80000000u) << "not group 1's to clear";
  to.set(0, BGP_DMA_REC_CLEAR_THRESHOLD_CROSSED_OFFSET, 0x80000000u);
  EXPECT_EQ(to.get(0, BGP_DMA_REC_THRESHOLD_CROSSED_OFFSET), 0u);
  EXPECT_FALSE(raised(to, BGP_DMA_IRQ_REC_THRESHOLD + 2));
}

TEST_F(DmaFifos, HeadersOfAllPacketsCanBeStored) {
  constexpr std::uint32_t kHeaders = 0x60000;
  to.open_reception(0, {kFifo, kFifoBytes});
  to.set_dcr_bit(BGP_DMA_DCR_BASE_CONTROL_OFFSET, 1, true);
  to.set_dcr(BGP_DMA_DCR_REC_HEADER_FIFO_ENABLE_OFFSET, 0x01000000u);
  to.set(0, BGP_DMA_REC_HEADER_FIFO_START_OFFSET, kHeaders >> 4);
  to.set(0, BGP_DMA_REC_HEADER_FIFO_END_OFFSET, (kHeaders + 512) >> 4);
  to.set(0, BGP_DMA_REC_HEADER_FIFO_HEAD_OFFSET, kHeaders >> 4);
  to.set(0, BGP_DMA_REC_HEADER_FIFO_TAIL_OFFSET, kHeaders >> 4);
  send_to_fifo(2);
  from.inject(0, machine->put(1, 0, 0, 10, 3, 0));
  machine->run();
  EXPECT_EQ(to.get(0, BGP_DMA_REC_NOT_EMPTY_OFFSET + 4), 0x01000000u) << "word 1, bit 7";
  EXPECT_EQ(to.get(0, BGP_DMA_REC_HEADER_FIFO_TAIL_OFFSET) << 4, kHeaders + 48);
  EXPECT_EQ(to.bytes(kHeaders, 16), to.bytes(kFifo, 16));
  EXPECT_EQ(to.bytes(kHeaders + 16, 16), to.bytes(kFifo + 256, 16));
}

TEST_F(DmaFifos, ARemoteGetWaitsForAFifoWith512FreeBytes) {
  constexpr unsigned kGets = 33;
  const unsigned irq = 3 * 32 + 24;
  to.open_injection(33, {kRing + 4096, 1024});
  to.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + 8, 0x80808080u);
  from.fill(kSource, 32 * 7, 0);
  const auto put = machine->put(0, 0, 0, 0, 3, 0).bytes();
  std::copy(put.begin(), put.end(), from.at(kSource));
  to.set(1, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x40000000u);  // descriptors stay
  for (unsigned i = 0; i < kGets - 3; ++i) from.inject(0, machine->remote_get(1, 0, 0, 1, 33));
  sc_core::sc_start();
  // With 17 descriptors 480 bytes are left.
  EXPECT_EQ(to.injection(33, BGP_DMA_INJ_FIFO_TAIL_OFFSET) << 4, kRing + 4096 + 17 * 32);
  EXPECT_TRUE(raised(to, irq));
  EXPECT_EQ(to.dma.pending_work("node 1").at(1).text,
            "the DMA of node 1 has stopped at a remote get whose injection FIFO has less than 512 bytes free");
  to.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, BGP_DMA_DCR_FATAL_CLEAR_RECEPTION_MASK);
  sc_core::sc_start();
  EXPECT_TRUE(raised(to, irq)) << "there is still no room";
  to.set(1, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x40000000u);
  machine->run();
  EXPECT_FALSE(raised(to, irq));
  EXPECT_EQ(from.dma.counters().packets_received, to.dma.counters().remote_gets);
}

// Counters. -----------------------------------------------------------------------------------------------------------

TEST_F(DmaFifos, CountersWrapAndSayWhenTheyGoBelowZeroOrAbove) {
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 100);
  to.set(0, BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48, 100);
  from.inject(0, machine->put(1, 0, 0, 150, 3, 0));
  machine->run();
  EXPECT_EQ(from.injection_counter(0), 0u - 50u);
  EXPECT_EQ(to.reception_counter(3), 0u - 50u);
  EXPECT_FALSE(from.injection_hit_zero(0));
  EXPECT_EQ(from.dcr(BGP_DMA_DCR_FATAL_COUNTERS_OFFSET), BGP_DMA_DCR_FATAL_COUNTERS_INJ_UNDERFLOW_MASK);
  EXPECT_EQ(to.dcr(BGP_DMA_DCR_FATAL_COUNTERS_OFFSET), BGP_DMA_DCR_FATAL_COUNTERS_REC_UNDERFLOW_MASK);
  EXPECT_TRUE(raised(from, 0x68));
  EXPECT_TRUE(raised(to, 0x6C));
  EXPECT_FALSE(raised(from, BGP_DMA_IRQ_FATAL));
  EXPECT_TRUE(from.faults.empty()) << "not fatal unless it is enabled";
  from.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, 0x40000000u);
  EXPECT_FALSE(raised(from, 0x68));
  // By two's complement software takes bytes off, which sets the overflow flag.
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 100);
  from.set(0, BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, 0u - 30u);
  EXPECT_EQ(from.injection_counter(0), 70u);
  EXPECT_TRUE(raised(from, 0x69));
  from.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, 0x20000000u);
  EXPECT_FALSE(raised(from, 0x69));
  to.set(0, BGP_DMA_REC_COUNTER_INCREMENT_OFFSET + 48, 60);
  EXPECT_TRUE(raised(to, 0x6D));
  to.set_dcr(BGP_DMA_DCR_FATAL_CLEAR_OFFSET, 0x18000000u);
  EXPECT_EQ(to.dma.interrupts(3), 0u);
}

TEST_F(DmaFifos, HitZeroStaysUntilSoftwareClearsIt) {
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 100);
  from.inject(0, machine->put(1, 0, 0, 100, 3, 0));
  machine->run();
  EXPECT_TRUE(from.injection_hit_zero(0));
  from.set(0, BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET, 100);
  EXPECT_TRUE(from.injection_hit_zero(0));
  from.set(0, BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET + 4, ~0u);
  EXPECT_TRUE(from.injection_hit_zero(0)) << "the other word";
  from.set(0, BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET, 0x80000000u);
  EXPECT_FALSE(from.injection_hit_zero(0));
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 0);
  EXPECT_FALSE(from.injection_hit_zero(0)) << "only the DMA brings a counter to zero";
}

TEST_F(DmaFifos, SubgroupsTellOfAllGroupsAndInterruptByLine) {
  const unsigned counter = 2 * 64 + 45;  // subgroup 21: group 2, its sixth
  to.open_reception_counter(counter, kTarget, 0x1000, 64);
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 1000);
  from.inject(0, machine->put(1, 0, 0, 64, counter, 0));
  machine->run();
  for (unsigned group = 0; group < 4; ++group)
    EXPECT_EQ(to.get(group, BGP_DMA_REC_COUNTER_GROUP_STATUS_OFFSET), 0x80000000u >> 21) << group;
  EXPECT_EQ(to.get(2, BGP_DMA_REC_COUNTER_HIT_ZERO_OFFSET + 4), 0x80000000u >> 13);
  EXPECT_EQ(to.dma.interrupts(3), 0u);
  to.set_dcr(BGP_DMA_DCR_REC_COUNTER_INTERRUPT_OFFSET + 1, 0x80000000u >> 21);
  EXPECT_EQ(to.dma.interrupts(3), 0x80000000u >> (4 + 1)) << "0x65";
  to.set(2, BGP_DMA_REC_COUNTER_DISABLE_OFFSET + 4, 0x80000000u >> 13);
  EXPECT_EQ(to.get(0, BGP_DMA_REC_COUNTER_GROUP_STATUS_OFFSET), 0u) << "of enabled counters alone";
  EXPECT_EQ(to.dma.interrupts(3), 0u);
  to.set(2, BGP_DMA_REC_COUNTER_ENABLE_OFFSET + 4, 0x80000000u >> 13);
  to.set(2, BGP_DMA_REC_COUNTER_CLEAR_HIT_ZERO_OFFSET + 4, 0x80000000u >> 13);
  EXPECT_EQ(to.get(3, BGP_DMA_REC_COUNTER_GROUP_STATUS_OFFSET), 0u);
}

TEST_F(DmaFifos, InjectionCountersInterruptToo) {
  from.set(0, BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 10);
  from.set_dcr(BGP_DMA_DCR_INJ_COUNTER_INTERRUPT_OFFSET + 3, 0x80000000u);
  from.inject(0, machine->put(1, 0, 0, 10, 3, 0));
  machine->run();
  EXPECT_EQ(from.dma.interrupts(3), 0x80000000u >> 3);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_dma_tests(argc, argv, "2x1x1");
}
