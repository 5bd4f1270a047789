// SPDX-License-Identifier: Apache-2.0
//
// Messages of each kind between two nodes, and inside one: what comes where, and what software sees of it.
#include "testbench/tests/nic/bgq/mu_test.h"

namespace toroid::test {
namespace {

using MuMessages = MuTest;

std::uint64_t done(const MuNode& node, unsigned fifo) {
  return node.injection(fifo, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET);
}
std::uint64_t free_space(const MuNode& node, unsigned fifo) {
  return node.injection(fifo, BGQ_MU_INJ_FIFO_FREE_SPACE_OFFSET);
}

// Memory FIFOs. -------------------------------------------------------------------------------------------------------

TEST_F(MuMessages, APacketComesAsItWasWritten) {
  from.fill(kSource, 100, 3);
  MuTestDescriptor descriptor = machine->message(0, 1, kSource, 100, 5);
  for (unsigned i = 13; i < 32; ++i) descriptor.header()[i] |= static_cast<std::uint8_t>(0x20 + i);
  from.inject(3, descriptor);
  machine->run();
  const std::vector<std::uint8_t> packet = to.take_packet(5);
  ASSERT_EQ(packet.size(), 32u + 128u);
  EXPECT_EQ(std::vector<std::uint8_t>(packet.begin() + 32, packet.begin() + 132), from.bytes(kSource, 100));
  EXPECT_EQ(std::vector<std::uint8_t>(packet.begin() + 132, packet.end()), std::vector<std::uint8_t>(28));
  for (unsigned i = 0; i < 32; ++i) {
    if (i == 8) continue;
    EXPECT_EQ(packet[i], descriptor.header()[i]) << "byte " << i << ": of one packet nothing changes but its size";
  }
  EXPECT_EQ(packet[8], 4);
  EXPECT_TRUE(to.take_packet(5).empty());
  EXPECT_EQ(done(from, 3), 1u);
  EXPECT_EQ(from.injection(3, BGQ_MU_INJ_FIFO_HEAD_OFFSET), kRing + 64);
}

TEST_F(MuMessages, PacketsOfALongMessageCarryTheirOffset) {
  constexpr std::uint32_t kLength = 5 * 512 + 17;
  from.fill(kSource, kLength, 9);
  MuTestDescriptor descriptor = machine->message(0, 1, kSource, kLength, 5);
  bgq_set_put_offset(descriptor.header(), BGQ_PUT_OFFSET_MASK - 1000);
  from.inject(3, descriptor);
  machine->run();
  std::vector<std::uint8_t> got(kLength);
  unsigned packets = 0;
  for (auto packet = to.take_packet(5); !packet.empty(); packet = to.take_packet(5), ++packets) {
    const std::uint64_t at = (bgq_put_offset(packet.data()) - (BGQ_PUT_OFFSET_MASK - 1000)) & BGQ_PUT_OFFSET_MASK;
    ASSERT_LT(at, kLength);
    const std::size_t bytes = std::min<std::size_t>(packet.size() - 32, kLength - at);
    std::copy_n(packet.begin() + 32, bytes, got.begin() + static_cast<std::ptrdiff_t>(at));
  }
  EXPECT_EQ(packets, 6u);
  EXPECT_EQ(got, from.bytes(kSource, kLength));
  EXPECT_EQ(done(from, 3), 1u);
}

TEST_F(MuMessages, AMessageWithoutBytesIsAHeader) {
  from.inject(3, machine->message(0, 1, kSource, 0, 5));
  machine->run();
  EXPECT_EQ(to.take_packet(5).size(), 32u);
}

TEST_F(MuMessages, TheSizeOfPacketsIsTheTemplates) {
  MuTestDescriptor descriptor = machine->message(0, 1, kSource, 300, 5);
  bgq_network_t header = descriptor.network();
  header.chunks = 3;
  from.inject(3, descriptor.network(header));
  machine->run();
  for (const std::size_t bytes : {96u, 96u, 96u, 32u}) EXPECT_EQ(to.take_packet(5).size(), 32 + bytes);
}

TEST_F(MuMessages, PacketsStraddleTheEndOfAFifo) {
  to.open_reception(5, {kFifo, 576});
  for (unsigned i = 0; i < 20; ++i) {
    from.fill(kSource, 400, i);
    from.inject(3, machine->message(0, 1, kSource, 400, 5));
    machine->run();
    const auto packet = to.take_packet(5);
    ASSERT_EQ(packet.size(), 32u + 416u);
    EXPECT_EQ(std::vector<std::uint8_t>(packet.begin() + 32, packet.begin() + 432), from.bytes(kSource, 400));
  }
}

TEST_F(MuMessages, AReceptionFifoIsNeverFilledToItsLastUnit) {
  to.open_reception(5, {kFifo, 576});
  for (unsigned i = 0; i < 2; ++i) from.inject(3, machine->message(0, 1, kSource, 256, 5));
  machine->run_for(20000);
  EXPECT_EQ(to.reception(5, BGQ_MU_REC_FIFO_TAIL_OFFSET), kFifo + 288u) << "two packets of 288 bytes would fill it";
  EXPECT_EQ(to.take_packet(5).size(), 288u);
  machine->run();
  EXPECT_EQ(to.take_packet(5).size(), 288u);
}

TEST_F(MuMessages, AFullFifoHoldsTheNetworkBackAndLosesNothing) {
  to.open_reception(5, {kFifo, 1120});
  from.open_injection(3, {kRing, 4096});
  constexpr unsigned kMessages = 40;
  for (unsigned i = 0; i < kMessages; ++i) {
    MuTestDescriptor descriptor = machine->message(0, 1, kSource, 512, 5);
    descriptor.header()[31] = static_cast<std::uint8_t>(i);
    bgq_descriptor_t what = descriptor.what();
    what.fifo_map = BGQ_FIFO_MAP_PLUS(0);
    from.inject(3, descriptor.what(what));
  }
  machine->run_for(100000);
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_FIFO_FULL_ID_OFFSET), 5u);
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_FIFO_STATE_OFFSET), 1u);
  EXPECT_LT(done(from, 3), kMessages) << "the network holds the others";
  EXPECT_FALSE(to.mu.pending_work("node").empty());
  unsigned taken = 0;
  for (unsigned i = 0; i < 1000 && taken < kMessages; ++i) {
    machine->run_for(1000);
    const auto packet = to.take_packet(5);
    if (packet.empty()) continue;
    EXPECT_EQ(packet[31], taken) << "in order";
    ++taken;
  }
  EXPECT_EQ(taken, kMessages);
  machine->run();
  EXPECT_EQ(done(from, 3), kMessages);
  EXPECT_GT(to.mu.counters().waits_for_fifo, 0u);
}

TEST_F(MuMessages, ManyEnginesFillOneFifoInTheOrderOfTheirReservations) {
  for (unsigned node = 1; node < 4; ++node) (*machine)[node].open_injection(3, {kRing, 4096});
  to.open_reception(5, {kFifo, 0x10000});
  for (unsigned i = 0; i < 30; ++i) {
    for (const unsigned node : {0u, 2u, 3u}) {
      MuTestDescriptor descriptor = machine->message(node, 1, kSource, i % 7 * 80, 5);
      descriptor.header()[30] = static_cast<std::uint8_t>(node);
      bgq_descriptor_t what = descriptor.what();
      what.fifo_map = BGQ_FIFO_MAP_PLUS(0);
      (*machine)[node].inject(3, descriptor.what(what));
    }
    machine->run();
  }
  std::array<unsigned, 4> got{};
  for (auto packet = to.take_packet(5); !packet.empty(); packet = to.take_packet(5)) ++got[packet[30]];
  EXPECT_EQ(got, (std::array<unsigned, 4>{30, 0, 30, 30}));
}

// Puts. ---------------------------------------------------------------------------------------------------------------

TEST_F(MuMessages, APutCountsItsBytes) {
  for (const std::uint32_t length : {1u, 31u, 32u, 512u, 513u, 10000u}) {
    from.fill(kSource + 3, length, length);
    to.set_word(kCounter, length + 5);
    from.inject(3, machine->put(0, 1, kSource + 3, length, 9, kTarget + 1, 10, kCounter));
    machine->run();
    EXPECT_EQ(to.bytes(kTarget + 1, length), from.bytes(kSource + 3, length)) << length;
    EXPECT_EQ(*to.at(kTarget + 1 + length), 0) << "padding is not written";
    EXPECT_EQ(to.word(kCounter), 5u) << length;
    std::fill_n(to.at(kTarget), length + 64, std::uint8_t{0});
  }
  to.set_word(kCounter, 0);
  from.inject(3, machine->put(0, 1, kSource, 600, 9, kTarget, 10, kCounter));
  machine->run();
  EXPECT_EQ(to.word(kCounter), ~std::uint64_t{0} - 599) << "counters go on below zero";
}

TEST_F(MuMessages, OffsetsWrapAt37Bits) {
  to.open_base(9, kTarget + 0x1000);
  to.open_base(10, 0);
  from.fill(kSource, 700, 1);
  to.set_word(kCounter, 700);
  // A negative offset of the payload; the counter's operation comes from its offset.
  from.inject(3, machine->put(0, 1, kSource, 700, 9, (0x2000000000 - 0x1000), 10,
                              bgq_atomic_address(kCounter, static_cast<unsigned>(L2Store::add_coherence_on_zero))));
  machine->run();
  EXPECT_EQ(to.bytes(kTarget, 700), from.bytes(kSource, 700));
  EXPECT_EQ(to.word(kCounter), 0u);
}

TEST_F(MuMessages, ThePayloadIsThereBeforeTheCounterSaysSo) {
  constexpr std::uint32_t kLength = 64 * 512;
  from.fill(kSource, kLength, 77);
  to.set_word(kCounter, kLength);
  from.inject(3, machine->put(0, 1, kSource, kLength, 9, kTarget, 10, kCounter));
  std::uint64_t before = kLength;
  while (before != 0) {
    machine->run_for(7);
    const std::uint64_t now = to.word(kCounter);
    ASSERT_LE(now, before);
    std::uint64_t there = 0;
    for (std::uint32_t at = 0; at < kLength; at += 512)
      there += to.bytes(kTarget + at, 512) == from.bytes(kSource + at, 512) ? 512 : 0;
    ASSERT_GE(there, kLength - now);
    before = now;
  }
  machine->run();
}

// Atomics. ------------------------------------------------------------------------------------------------------------

TEST_F(MuMessages, AnAtomicPayloadIsLoadedByItsOperation) {
  from.set_word(kSource, 41);
  from.set_word(kSource + 8, 43);
  to.set_word(kCounter, 8);
  const auto fetch = [&](L2Load operation) {
    from.inject(3, machine->put(0, 1, bgq_atomic_address(kSource, static_cast<unsigned>(operation)), 8, 9, kTarget, 10,
                                kCounter));
    machine->run();
    return to.word(kTarget);
  };
  EXPECT_EQ(fetch(L2Load::increment), 41u);
  EXPECT_EQ(fetch(L2Load::increment_bounded), 42u);
  EXPECT_EQ(fetch(L2Load::increment_bounded), kBoundReached);
  EXPECT_EQ(fetch(L2Load::increment_if_equal), 43u);
  EXPECT_EQ(fetch(L2Load::clear), 44u);
  EXPECT_EQ(fetch(L2Load::decrement), 0u);
  EXPECT_EQ(from.word(kSource), ~std::uint64_t{0});
  EXPECT_EQ(from.word(kSource + 8), 43u);
}

TEST_F(MuMessages, APutToAnAtomicAddressIsAStoreOperation) {
  const auto store = [&](L2Store operation, std::uint64_t value) {
    from.set_word(kSource, value);
    from.inject(3, machine->put(0, 1, kSource, 8, 9, bgq_atomic_address(kTarget, static_cast<unsigned>(operation)), 10,
                                kCounter));
    machine->run();
    return to.word(kTarget);
  };
  to.set_word(kTarget, 0x30);
  to.set_word(kTarget + 8, 0x35);
  EXPECT_EQ(store(L2Store::add, 5), 0x35u);
  EXPECT_EQ(store(L2Store::twin, 0x11), 0x11u);
  EXPECT_EQ(to.word(kTarget + 8), 0x11u);
  EXPECT_EQ(store(L2Store::bit_or, 0x22), 0x33u);
  EXPECT_EQ(store(L2Store::bit_xor, 0x0F), 0x3Cu);
  EXPECT_EQ(store(L2Store::max_unsigned, 0x40), 0x40u);
  EXPECT_EQ(store(L2Store::max_signed, ~std::uint64_t{0}), 0x40u);
  EXPECT_EQ(store(L2Store::store, 7), 7u);
  EXPECT_EQ(store(L2Store::add_coherence_on_zero, ~std::uint64_t{0}), 6u);
}

// Remote gets. --------------------------------------------------------------------------------------------------------

TEST_F(MuMessages, ARemoteGetSendsBack) {
  constexpr std::uint32_t kLength = 3000;
  to.fill(kSource, kLength, 5);
  from.set_word(kCounter, kLength);
  const MuTestDescriptor answer = machine->put(1, 0, kSource, kLength, 9, kTarget, 10, kCounter);
  std::copy(answer.bytes.begin(), answer.bytes.end(), from.at(kDescriptors));
  from.inject(3, machine->remote_get(0, 1, kDescriptors, 64, 12));
  machine->run();
  EXPECT_EQ(from.bytes(kTarget, kLength), to.bytes(kSource, kLength));
  EXPECT_EQ(from.word(kCounter), 0u);
  EXPECT_EQ(done(to, 12), 1u) << "the descriptor counts where it was sent from";
  EXPECT_EQ(to.injection(12, BGQ_MU_INJ_FIFO_TAIL_OFFSET), kGetRing + 64);
}

TEST_F(MuMessages, ManyDescriptorsGoRoundTheRing) {
  to.open_injection(12, {kGetRing, 576}, true);
  from.set_word(kCounter, 0);
  const std::uint64_t before = to.mu.counters().remote_gets;
  constexpr unsigned kGets = 40;
  for (unsigned i = 0; i < 8; ++i) {
    const MuTestDescriptor answer = machine->put(1, 0, kSource + 64 * i, 64, 9, kTarget + 64 * i, 10, kCounter);
    std::copy(answer.bytes.begin(), answer.bytes.end(), from.at(kDescriptors + 64 * i));
  }
  to.fill(kSource, 512, 8);
  for (unsigned i = 0; i < kGets; ++i) {
    from.inject(3, machine->remote_get(0, 1, kDescriptors, 64 * (1 + i % 8), 12));
    if (i % 4 == 3) machine->run();
  }
  machine->run();
  EXPECT_EQ(from.bytes(kTarget, 512), to.bytes(kSource, 512));
  EXPECT_EQ(done(to, 12), kGets / 8 * 36);
  EXPECT_EQ(from.word(kCounter), 0 - std::uint64_t{kGets / 8 * 36 * 64});
  EXPECT_EQ(to.mu.counters().remote_gets - before, kGets / 8 * 36);
}

TEST_F(MuMessages, AFetchAndIncrementWithoutTheOtherSidesSoftware) {
  to.set_word(kSource, 100);
  from.set_word(kCounter, 24);
  for (unsigned i = 0; i < 3; ++i) {
    const MuTestDescriptor answer =
        machine->put(1, 0, bgq_atomic_address(kSource, static_cast<unsigned>(L2Load::increment)), 8, 9, kTarget + 8 * i,
                     10, kCounter);
    std::copy(answer.bytes.begin(), answer.bytes.end(), from.at(kDescriptors + 64 * i));
  }
  from.inject(3, machine->remote_get(0, 1, kDescriptors, 192, 12));
  machine->run();
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(from.word(kTarget + 8 * i), 100u + i);
  EXPECT_EQ(to.word(kSource), 103u);
  EXPECT_EQ(from.word(kCounter), 0u);
}

// Inside the node. ----------------------------------------------------------------------------------------------------

TEST_F(MuMessages, MessagesStayInside) {
  const std::uint64_t before = machine->network.hops();
  from.fill(kSource, 2000, 6);
  from.set_word(kCounter, 2000);
  from.inject(3, machine->put(0, 0, kSource, 2000, 9, kTarget, 10, kCounter));
  from.inject(3, machine->message(0, 0, kSource, 100, 5));
  machine->run();
  EXPECT_EQ(from.bytes(kTarget, 2000), from.bytes(kSource, 2000));
  EXPECT_EQ(from.word(kCounter), 0u);
  EXPECT_EQ(from.take_packet(5).size(), 160u);
  EXPECT_EQ(machine->network.hops(), before) << "over no link";
  EXPECT_GE(from.mu.counters().packets_local, 5u);
}

TEST_F(MuMessages, LocalFifosLeaveTheDestinationUnused) {
  const std::uint64_t before = machine->network.hops();
  for (const unsigned map : {BGQ_FIFO_MAP_LOCAL0, BGQ_FIFO_MAP_LOCAL1, BGQ_FIFO_MAP_LOCAL0 | BGQ_FIFO_MAP_LOCAL1}) {
    for (const unsigned node : {0u, 1u}) {
      MuNode& one = node == 0 ? from : to;
      one.fill(kSource, 8, map);
      one.set_word(kCounter, 8);
      MuTestDescriptor descriptor = machine->put(node, 1 - node, kSource, 8, 9, kTarget, 10, kCounter);
      bgq_descriptor_t what = descriptor.what();
      what.fifo_map = static_cast<std::uint16_t>(map);
      one.inject(3, descriptor.what(what));
      machine->run();
      EXPECT_EQ(one.bytes(kTarget, 8), one.bytes(kSource, 8)) << "map " << map << ", node " << node;
      EXPECT_EQ(one.word(kCounter), 0u);
    }
  }
  EXPECT_EQ(machine->network.hops(), before) << "over no link";
}

TEST_F(MuMessages, PriorityAndSystemFifosServeTheNodeItself) {
  from.open_injection(100, {kRing + 0x1000, 1024}, false, true);
  from.open_injection(540, {kRing + 0x2000, 1024}, false, false, true);
  MuTestDescriptor descriptor = machine->message(0, 0, kSource, 64, 5);
  bgq_descriptor_t what = descriptor.what();
  bgq_network_t header = descriptor.network();
  what.fifo_map = BGQ_FIFO_MAP_PRIORITY;
  header.vc = BGQ_VC_HIGH_PRIORITY;
  from.inject(100, descriptor.what(what).network(header));
  machine->run();
  EXPECT_EQ(from.take_packet(5).size(), 96u);
  what.fifo_map = BGQ_FIFO_MAP_SYSTEM;
  header.vc = BGQ_VC_SYSTEM;
  from.inject(540, descriptor.what(what).network(header));
  machine->run();
  EXPECT_EQ(from.take_packet(5).size(), 96u);
}

// What software sees. -------------------------------------------------------------------------------------------------

TEST_F(MuMessages, FreeSpaceAndCount) {
  EXPECT_EQ(free_space(from, 3), 15u) << "one place is never used";
  EXPECT_EQ(free_space(from, 0), 0u) << "a FIFO that is not set up";
  from.set(0, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 3);
  for (unsigned i = 0; i < 15; ++i) {
    from.inject(3, machine->message(0, 1, kSource, 32, 5));
    EXPECT_EQ(free_space(from, 3), 14u - i);
  }
  machine->run();
  EXPECT_EQ(done(from, 3), 0u) << "a disabled FIFO does nothing";
  from.set(0, BGQ_MU_INJ_ENABLE_OFFSET, 0x80000000u >> 3);
  EXPECT_EQ(from.get(0, BGQ_MU_INJ_IS_ENABLED_OFFSET), 0x10080000u);
  machine->run();
  EXPECT_EQ(done(from, 3), 15u);
  EXPECT_EQ(free_space(from, 3), 15u);
  from.set(0, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET + 3 * 0x40, 0);
  EXPECT_EQ(done(from, 3), 0u);
  from.inject(3, machine->message(0, 1, kSource, 32, 5));
  machine->run();
  EXPECT_EQ(done(from, 3), 1u);
  from.set(0, BGQ_MU_INJ_FIFO_START_OFFSET + 3 * 0x40, kRing);
  EXPECT_EQ(done(from, 3), 0u) << "START begins anew";
}

TEST_F(MuMessages, DescriptorsAreReplayedByResettingTheHead) {
  for (unsigned i = 0; i < 4; ++i) from.inject(3, machine->put(0, 1, kSource + i, 1, 9, kTarget + i, 10, kCounter));
  machine->run();
  for (unsigned round = 0; round < 3; ++round) {
    from.fill(kSource, 4, 50 + round);
    from.set(0, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 3);
    from.set(0, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET + 3 * 0x40, 0);
    from.set(0, BGQ_MU_INJ_FIFO_HEAD_OFFSET + 3 * 0x40, kRing);
    machine->run();
    EXPECT_EQ(done(from, 3), 0u);
    from.set(0, BGQ_MU_INJ_ENABLE_OFFSET, 0x80000000u >> 3);
    machine->run();
    EXPECT_EQ(done(from, 3), 4u);
    EXPECT_EQ(to.bytes(kTarget, 4), from.bytes(kSource, 4));
    EXPECT_EQ(from.injection(3, BGQ_MU_INJ_FIFO_HEAD_OFFSET), from.injection(3, BGQ_MU_INJ_FIFO_TAIL_OFFSET));
  }
}

TEST_F(MuMessages, PrefetchCountsAndSendsNothing) {
  const std::uint64_t before = machine->network.injected();
  MuTestDescriptor descriptor = machine->message(0, 1, kSource, 5000, 5);
  bgq_descriptor_t what = descriptor.what();
  what.prefetch_only = 1;
  from.inject(3, descriptor.what(what));
  machine->run();
  EXPECT_EQ(done(from, 3), 1u);
  EXPECT_EQ(machine->network.injected(), before);
  EXPECT_TRUE(to.take_packet(5).empty());
}

TEST_F(MuMessages, TheChecksumLeavesWordsOut) {
  const std::uint32_t before = from.mu.injection_checksum(0);
  MuTestDescriptor descriptor = machine->message(0, 1, kSource, 8, 5);
  bgq_descriptor_t what = descriptor.what();
  what.fifo_map = BGQ_FIFO_MAP_MINUS(0);
  from.set_word(kSource, 0x0000000500000007);
  from.inject(3, descriptor.what(what));
  machine->run();
  EXPECT_EQ(from.mu.injection_checksum(0) - before, 12u);
  to.take_packet(5);
}

TEST_F(MuMessages, TheMapChoosesTheNetworkFifo) {
  for (unsigned fifo = 0; fifo < 10; ++fifo) {
    MuTestDescriptor descriptor = machine->message(0, 1, kSource, 4, 5);
    bgq_descriptor_t what = descriptor.what();
    what.fifo_map = static_cast<std::uint16_t>(0x8000u >> fifo);
    bgq_network_t header = descriptor.network();
    header.skip = 7;
    from.fill(kSource, 4, fifo);
    std::array<std::uint32_t, 10> before{};
    for (unsigned i = 0; i < 10; ++i) before[i] = from.mu.injection_checksum(i);
    from.inject(3, descriptor.what(what).network(header));
    machine->run();
    for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(from.mu.injection_checksum(i) != before[i], i == fifo) << i;
    EXPECT_EQ(to.take_packet(5).size(), 64u) << "the map is not the direction";
  }
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_mu_tests(argc, argv, {});
}
