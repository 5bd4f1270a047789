// SPDX-License-Identifier: Apache-2.0
//
// Who watches a DMA: cores that are parked at its registers or wait for interrupts, and people with a debugger.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/nic/bgp/dma_test.h"

namespace toroid::test {
namespace {

using DmaWatched = DmaOrderedTest;

// Parking. ------------------------------------------------------------------------------------------------------------

TEST_F(DmaWatched, PagesAnnounceChangesToThoseWhoHaveReadThem) {
  const std::uint64_t value = kPage + BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48;
  const std::uint64_t zeros = kPage + BGP_DMA_REC_COUNTER_HIT_ZERO_OFFSET;
  const auto last = [&](unsigned group) { return to.dma.group(group).part(value).last_change(); };
  const auto last_status = [&] { return to.dma.group(0).part(zeros).last_change(); };
  const sc_core::sc_time before = last(0);
  to.set(0, BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48, 1000);
  machine->run_for(10);
  EXPECT_EQ(last(0), before) << "nobody has read the page";
  to.access(value, false, 0);
  to.access(zeros, false, 0);
  EXPECT_TRUE(to.dma.group(0).is_pure_read(value));
  EXPECT_FALSE(to.dma.group(0).is_pure_read(kPage + BGP_DMA_INJ_ACTIVATE_OFFSET));
  to.access(value, true, 480);
  machine->run_for(10);
  EXPECT_EQ(last(0), before) << "a core knows its own writes";
  DmaRecord record;
  machine->observe(&record);
  from.inject(0, machine->put(1, 0, 0, 480, 3, 0));
  machine->run();
  machine->observe(nullptr);
  std::vector<std::uint64_t> at;
  for (const auto& change : record.counters) {
    if (change[1] == 1) at.push_back(change[4]);
  }
  ASSERT_EQ(at.size(), 2u);
  EXPECT_EQ(last(0), machine->clock.time_of(Cycle(at[0]))) << "the first change; then nobody has read again";
  EXPECT_EQ(last_status(), machine->clock.time_of(Cycle(at[1]))) << "not at each packet, but when it is zero";
  EXPECT_EQ(last(1), sc_core::SC_ZERO_TIME);
}

/// Whoever has read a word is told of its changes.
TEST_F(DmaWatched, EveryWordAnnouncesItsChanges) {
  to.open_reception(0, {kFifo, kFifoBytes});
  to.open_injection(33, {kRing + 4096, 1024});
  to.set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + 8, 0x80808080u);
  to.set_dcr(BGP_DMA_DCR_REC_FIFO_THRESHOLD_OFFSET, kFifoBytes / 16 - 32);
  to.set_dcr(BGP_DMA_DCR_INJ_FIFO_THRESHOLD_OFFSET, 62);
  to.open_injection_counter(0, kSource, 700);
  const auto answer = machine->put(0, 0, 0, 700, 3, 0).bytes();
  std::copy(answer.begin(), answer.end(), from.at(kSource));
  to.set(0, BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48, 700);
  send_to_fifo(3);
  from.inject(0, machine->put(1, 0, 0, 700, 3, 0));
  from.inject(0, machine->remote_get(1, 0, 0, 1, 33));
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t address = kPage; address < kPage + 0x4000; address += 4) {
    if (to.dma.group(0).is_pure_read(address)) addresses.push_back(address);
  }
  const auto part = [this](std::uint64_t address) -> const WatchedDevice& {
    return to.dma.group(static_cast<unsigned>((address - kPage) / 0x1000)).part(address);
  };
  unsigned changes = 0;
  for (unsigned i = 0; i < 150; ++i) {
    std::vector<std::uint32_t> before;
    for (const std::uint64_t address : addresses) before.push_back(to.access(address, false, 0).value);
    const sc_core::sc_time read = sc_core::sc_time_stamp();
    machine->run_for(23);
    std::vector<std::uint64_t> changed;
    for (std::size_t each = 0; each < addresses.size(); ++each) {
      const auto offset = static_cast<unsigned>(addresses[each] - kPage);
      if (to.get(offset / 0x1000, offset % 0x1000) != before[each]) changed.push_back(addresses[each]);
    }
    // The network may be ahead; what it announces comes when SystemC's time is there.
    if (const sc_core::sc_time ahead = machine->clock.delay_to(machine->now()); ahead != sc_core::SC_ZERO_TIME)
      sc_core::sc_start(ahead);
    for (const std::uint64_t address : changed) EXPECT_GT(part(address).last_change(), read) << std::hex << address;
    changes += static_cast<unsigned>(changed.size());
  }
  machine->run();
  EXPECT_GT(changes, 20u);
}

TEST_F(DmaWatched, TheInterruptLinesAnnounceThatTheyHaveChanged) {
  const sc_core::sc_time before = to.dma.interrupt_source().last_change();
  to.set_dcr(BGP_DMA_DCR_REC_COUNTER_INTERRUPT_OFFSET, 0x80000000u);
  to.set(0, BGP_DMA_REC_COUNTER_VALUE_OFFSET + 48, 480);
  EXPECT_EQ(to.dma.interrupts(3), 0u);
  DmaRecord record;
  machine->observe(&record);
  from.inject(0, machine->put(1, 0, 0, 480, 3, 0));
  machine->run();
  machine->observe(nullptr);
  EXPECT_GT(to.dma.interrupt_source().last_change(), before);
  EXPECT_EQ(to.dma.interrupt_source().last_change(), machine->clock.time_of(Cycle(record.counters.back()[4])));
  EXPECT_EQ(to.dma.interrupts(3), 0x80000000u >> 4);
}

// A debugger. ---------------------------------------------------------------------------------------------------------

TEST_F(DmaWatched, CanBeDescribed) {
  from.set(0, BGP_DMA_INJ_DEACTIVATE_OFFSET, 0x80000000u);
  from.inject(0, machine->put(1, 0, 0, 480, 3, 0));
  EXPECT_EQ(from.dma.describe({"fifo", "inj", "0", "0"}),
            "DMA injection FIFO 0 of group 0: START 0x01000, END 0x01400, HEAD 0x01000, TAIL 0x01020, enabled, not "
            "active, 1 descriptor\n");
  EXPECT_EQ(to.dma.describe({"counter", "rec", "0", "3"}),
            "DMA reception counter 3 of group 0: value 0, base 0x80000, last byte 0xbffff, enabled\n");
  EXPECT_EQ(from.dma.describe({"fifo", "rec", "0", "9"}), std::nullopt);
  EXPECT_EQ(from.dma.describe({"counter", "inj", "4", "0"}), std::nullopt);
  EXPECT_EQ(from.dma.describe({"what"}), std::nullopt);
  EXPECT_NE(from.dma.describe({})->find("DMA injection FIFO 0 of group 0"), std::string::npos);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_dma_tests(argc, argv, "2x1x1");
}
