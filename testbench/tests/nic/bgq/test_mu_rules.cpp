// SPDX-License-Identifier: Apache-2.0
//
// What software can do wrong with the Messaging Unit: each rule violated once, and what goes on behind it. What a user
// may not touch; thresholds, interrupts and priorities; what parked cores are told.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "testbench/tests/nic/bgq/mu_test.h"

namespace toroid::test {
namespace {

class MuRules : public MuTest {
 protected:
  MuTestDescriptor put() { return machine->put(0, 1, kSource, 100, 9, kTarget, 10, kCounter); }
  MuTestDescriptor get() { return machine->remote_get(0, 1, kDescriptors, 64, 12); }
  MuTestDescriptor message() { return machine->message(0, 1, kSource, 100, 5); }

  static MuTestDescriptor with(MuTestDescriptor descriptor, const std::function<void(bgq_descriptor_t&)>& change) {
    bgq_descriptor_t what = descriptor.what();
    change(what);
    return descriptor.what(what);
  }
  static MuTestDescriptor with_header(MuTestDescriptor descriptor, const std::function<void(bgq_network_t&)>& change) {
    bgq_network_t header = descriptor.network();
    change(header);
    return descriptor.network(header);
  }

  /// The descriptor stops injection FIFO 3, which works again behind it.
  void expect_refused(const MuTestDescriptor& descriptor, MuRule rule, unsigned state, unsigned bit,
                      const std::string& text = "") {
    SCOPED_TRACE(MuErrors::name(rule));
    from.inject(3, descriptor);
    from.inject(3, message());
    machine->run();
    ASSERT_EQ(from.faults.size(), 1u);
    EXPECT_EQ(from.faults[0].rule, rule);
    EXPECT_EQ(from.faults[0].subgroup, 0u);
    if (!text.empty()) {
      EXPECT_EQ(from.faults[0].text, text);
    }
    const std::string name = "(" + MuErrors::name(rule) + ")";
    EXPECT_EQ(from.faults[0].text.substr(from.faults[0].text.size() - name.size()), name);
    if (state != 0) {
      EXPECT_EQ(from.dcr(state), 1ull << (63 - bit));
      EXPECT_TRUE(from.mu.has_error());
      from.set_dcr(state, ~0ull);
      EXPECT_EQ(from.dcr(state), 0u);
    }
    EXPECT_EQ(from.injection(3, BGQ_MU_INJ_FIFO_HEAD_OFFSET), kRing);
    EXPECT_EQ(from.injection(3, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET), 0u);
    EXPECT_EQ(from.get(0, BGQ_MU_INJ_IS_ENABLED_OFFSET) & 0x10000000u, 0u);
    EXPECT_TRUE(to.take_packet(5).empty());
    EXPECT_FALSE(from.mu.pending_work("node").empty());
    from.faults.clear();
    from.open_injection(3, {kRing, 1024});
    from.inject(3, message());
    machine->run();
    EXPECT_EQ(to.take_packet(5).size(), 160u) << "the FIFO works again";
    from.open_injection(3, {kRing, 1024});
  }
  void refused(const MuTestDescriptor& descriptor, MuRule rule, unsigned bit, const std::string& text = "") {
    expect_refused(descriptor, rule, BGQ_MU_DCR_MCSRAM_STATE_OFFSET, bit, text);
  }

  /// The packet is dropped at the other node; the next one goes on.
  void dropped(const MuTestDescriptor& descriptor, MuRule rule, unsigned state, unsigned bit,
               const std::string& text = "") {
    SCOPED_TRACE(MuErrors::name(rule));
    from.inject(3, descriptor);
    from.inject(3, message());
    machine->run();
    ASSERT_EQ(to.faults.size(), 1u);
    EXPECT_EQ(to.faults[0].rule, rule);
    if (!text.empty()) {
      EXPECT_EQ(to.faults[0].text, text);
    }
    EXPECT_EQ(to.dcr(state), 1ull << (63 - bit));
    to.set_dcr(state, ~0ull);
    to.faults.clear();
    EXPECT_EQ(to.take_packet(5).size(), 160u);
  }
};

// Descriptors. --------------------------------------------------------------------------------------------------------

TEST_F(MuRules, Descriptors) {
  const std::string where = "Messaging Unit, injection FIFO 3 of subgroup 0, descriptor at 0x000001000 (";
  refused(with(get(), [](auto& d) { d.payload = bgq_atomic_address(kSource, 0), d.length = 64; }), MuRule::get_atomic,
          15);
  refused(with_header(message(), [](auto& n) { n.chunks = 17; }), MuRule::packet_size, 16);
  refused(with_header(put(), [](auto& n) { n.chunks = 0; }), MuRule::packet_too_small, 17);
  refused(with_header(get(), [](auto& n) { n.chunks = 1; }), MuRule::packet_too_small, 17);
  refused(with_header(get(), [](auto& n) { n.chunks = 3; }), MuRule::get_packet_size, 18);
  refused(with_header(message(), [](auto& n) { n.chunks = 0; }), MuRule::packet_empty, 19);
  refused(with(put(), [](auto& d) { d.payload = BGQ_ADDRESS_MASK; }), MuRule::payload_crosses, 20);
  refused(with(message(), [](auto& d) { d.length = ~0ull; }), MuRule::payload_crosses, 20);
  refused(with(get(), [](auto& d) { d.length = 96; }), MuRule::get_length, 21);
  refused(
      with(put(), [](auto& d) { d.payload = bgq_atomic_address(kSource, 0), d.length = 16; }), MuRule::atomic_length,
      22,
      where + "a put of 16 bytes to (1,0,0,0,0)): a payload with an atomic address has 8 bytes, this one 16 (MU-M22)");
  refused(with(put(), [](auto& d) { d.length = 0; }), MuRule::length_none, 23);
  refused(with(get(), [](auto& d) { d.length = 32; }), MuRule::length_none, 23);
  for (const unsigned vc : {BGQ_VC_SYSTEM, BGQ_VC_SYSTEM_COLLECTIVE})
    refused(with_header(put(), [vc](auto& n) { n.vc = static_cast<std::uint8_t>(vc); }), MuRule::system_channel, 24);
  refused(with_header(get(), [](auto& n) { n.mu_type = BGQ_MU_PACED_GET; }), MuRule::packet_type, 25);
  for (const unsigned map : {BGQ_FIFO_MAP_SYSTEM, BGQ_FIFO_MAP_COLLECTIVE_SYSTEM})
    refused(with(put(), [map](auto& d) { d.fifo_map = static_cast<std::uint16_t>(map); }), MuRule::system_engine, 26);
  refused(with(put(), [](auto& d) { d.fifo_map = 0; }), MuRule::no_engine, 27);
  refused(with_header(put(), [](auto& n) { n.vc = 7; }), MuRule::no_channel, 31);
}

TEST_F(MuRules, HeadersThatRoutersRefuse) {
  expect_refused(with_header(put(), [](auto& n) { n.destination[3] = 5; }), MuRule::header, 0, 0,
                 "Messaging Unit, injection FIFO 3 of subgroup 0, descriptor at 0x000001000 (a put of 100 bytes to "
                 "(1,0,0,5,0)): bad packet header: its destination (1,0,0,5,0) lies outside the machine of 2x2x1x1x1 "
                 "(MU-N1)");
  expect_refused(with_header(put(), [](auto& n) { n.hints = BGQ_HINT_PLUS(1) | BGQ_HINT_MINUS(1); }), MuRule::header, 0,
                 0);
  expect_refused(with_header(put(), [](auto& n) { n.hints = BGQ_HINT_PLUS(1); }), MuRule::header, 0, 0);
  expect_refused(with_header(put(), [](auto& n) { n.type = 0x54; }), MuRule::header, 0, 0);
  expect_refused(with(put(), [](auto& d) { d.fifo_map = BGQ_FIFO_MAP_COLLECTIVE_USER; }), MuRule::local_fifo, 0, 0);
  expect_refused(
      with(machine->put(0, 0, kSource, 8, 9, kTarget, 10, kCounter), [](auto& d) { d.fifo_map = BGQ_FIFO_MAP_TORUS; }),
      MuRule::local_fifo, 0, 0);
}

TEST_F(MuRules, MemoryThatMayNotBeRead) {
  from.set_dcr(BGQ_MU_DCR_USER_RANGE_MAX_OFFSET, 0x1FFFFF);
  const std::array<unsigned, 3> ports{BGQ_MU_DCR_MASTER_PORT0_STATE_OFFSET, BGQ_MU_DCR_MASTER_PORT1_STATE_OFFSET,
                                      BGQ_MU_DCR_MASTER_PORT2_STATE_OFFSET};
  expect_refused(with(put(), [](auto& d) { d.payload = 0x200000 - 50; }), MuRule::read_range, ports[0], 25);
  EXPECT_EQ(from.dcr(BGQ_MU_DCR_XM0_ERROR_INFO_OFFSET), 0x200000u - 50);
  from.set_dcr(BGQ_MU_DCR_USER_RANGE_MIN_OFFSET + 8, 0x200000);
  from.set_dcr(BGQ_MU_DCR_USER_RANGE_MAX_OFFSET + 8, 0x2FFFFF);
  from.inject(3, with(put(), [](auto& d) { d.payload = 0x200000 - 50; }));
  machine->run();
  EXPECT_TRUE(from.faults.empty()) << "two ranges that touch";
  from.open_injection(3, {kRing, 1024});
  from.open_injection(4, {0x300000, 1024});
  from.inject(4, put());
  machine->run();
  ASSERT_EQ(from.faults.size(), 1u);
  EXPECT_EQ(from.faults[0].text,
            "Messaging Unit, injection FIFO 4 of subgroup 0, descriptor at 0x000300000: the descriptor does not lie in "
            "the memory that the FIFO may read (MU-X25)");
  from.faults.clear();
  // A range for all of the address space, and no memory there.
  from.set_dcr(BGQ_MU_DCR_USER_RANGE_MAX_OFFSET, BGQ_ADDRESS_MASK);
  from.inject(3, with(message(), [](auto& d) { d.payload = MuNode::kMemory - 1000, d.length = 5000; }));
  machine->run();
  ASSERT_EQ(from.faults.size(), 1u);
  EXPECT_EQ(from.faults[0].rule, MuRule::read_range);
  EXPECT_EQ(to.take_packet(5).size(), 544u) << "what could be read has been sent";
}

TEST_F(MuRules, RegistersThatMakeNoRing) {
  from.write_descriptor(3, put());
  from.set(0, BGQ_MU_INJ_FIFO_SIZE_OFFSET + 3 * 0x40, 63);
  from.set(0, BGQ_MU_INJ_FIFO_TAIL_OFFSET + 3 * 0x40, kRing + 64);
  machine->run();
  ASSERT_EQ(from.faults.size(), 1u);
  EXPECT_EQ(
      from.faults[0].text,
      "Messaging Unit, injection FIFO 3 of subgroup 0, descriptor at 0x000001000: START, SIZE, HEAD and TAIL make "
      "no ring: START 0x000001000, SIZE 0x00000003f, HEAD 0x000001000, TAIL 0x000001040; they are multiples of 64 "
      "bytes, at least 128, with HEAD and TAIL in between (MU-I0)");
  to.open_reception(5, {kFifo, 544});
  from.open_injection(3, {kRing, 1024});
  from.inject(3, message());
  machine->run();
  ASSERT_EQ(to.faults.size(), 1u);
  EXPECT_EQ(to.faults[0].rule, MuRule::reception_ring);
}

// Packets. ------------------------------------------------------------------------------------------------------------

TEST_F(MuRules, PacketsForMemoryFifos) {
  const std::string who = "Messaging Unit, packet from node (0,0,0,0,0) (for reception FIFO ";
  dropped(machine->message(0, 1, kSource, 10, 272), MuRule::header_id, BGQ_MU_DCR_RME0_STATE_OFFSET, 11,
          who + "272, 32 bytes): there is no reception FIFO 272, of 272 (MU-H60)");
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_RME_ERROR_OFFSET + 8 * 3), 8u);
  dropped(
      machine->message(0, 1, kSource, 10, 6), MuRule::fifo_system, BGQ_MU_DCR_RCSRAM_STATE_OFFSET, 12,
      who + "6, 32 bytes): reception FIFO 2 of subgroup 1 has not been allocated, and the packet is a user's (MU-R12)");
  to.open_reception(6, {kFifo, kFifoBytes}, true);
  dropped(machine->message(0, 1, kSource, 10, 6), MuRule::fifo_system, BGQ_MU_DCR_RCSRAM_STATE_OFFSET, 12,
          who + "6, 32 bytes): reception FIFO 2 of subgroup 1 is the system's, and the packet is a user's (MU-R12)");
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_RMFIFO_ACCESS_ERROR_ID_OFFSET), 6u);
  to.open_reception(7, {kFifo + kFifoBytes, kFifoBytes});
  to.set_dcr_bits(BGQ_MU_DCR_RMFIFO_ENABLE_OFFSET, 0x8000u >> 7, false);
  dropped(machine->message(0, 1, kSource, 10, 7), MuRule::fifo_disabled, BGQ_MU_DCR_RCSRAM_STATE_OFFSET, 14,
          who + "7, 32 bytes): reception FIFO 3 of subgroup 1 is allocated and not enabled (MU-R14)");
  to.set_dcr(BGQ_MU_DCR_USER_INJECTION_ONLY_OFFSET, 1u << 19);
  to.set_dcr(BGQ_MU_DCR_USER_RANGE_MIN_OFFSET + 8, kFifo);
  to.set_dcr(BGQ_MU_DCR_USER_RANGE_MAX_OFFSET + 8, kFifo);
  dropped(put(), MuRule::write_range, BGQ_MU_DCR_MASTER_PORT1_STATE_OFFSET, 24);
}

TEST_F(MuRules, Puts) {
  const auto at = [](unsigned base, std::uint64_t offset, unsigned counter, std::uint64_t counter_offset) {
    return machine->put(0, 1, kSource, 100, base, offset, counter, counter_offset);
  };
  dropped(at(544, 0, 10, 0), MuRule::header_id, BGQ_MU_DCR_RME0_STATE_OFFSET, 11);
  dropped(at(9, kTarget, 1023, 0), MuRule::header_counter, BGQ_MU_DCR_RME0_STATE_OFFSET, 11);
  dropped(at(17, kTarget, 10, kCounter), MuRule::payload_system, BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 8);
  dropped(at(9, kTarget, 543, kCounter), MuRule::counter_system, BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 9);
  dropped(at(9, BGQ_ATOMIC_ADDRESS - 99, 10, kCounter), MuRule::put_crosses, BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 11);
  dropped(at(9, bgq_atomic_address(kTarget, 0), 10, kCounter), MuRule::put_atomic_size,
          BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 12);
  dropped(at(9, kTarget, 9, kCounter), MuRule::counter_plain, BGQ_MU_DCR_RPUTSRAM_STATE_OFFSET, 13,
          "Messaging Unit, packet from node (0,0,0,0,0) (put of 100 bytes at offset 0x000200000): the address of its "
          "counter, 0x00000c000, is not atomic (MU-P13)");
  dropped(at(9, MuNode::kMemory, 10, kCounter), MuRule::write_range, BGQ_MU_DCR_MASTER_PORT1_STATE_OFFSET, 24);
  dropped(at(9, kTarget, 10, MuNode::kMemory), MuRule::write_range, BGQ_MU_DCR_MASTER_PORT1_STATE_OFFSET, 24);
  EXPECT_EQ(to.bytes(kTarget, 100), std::vector<std::uint8_t>(100));
}

TEST_F(MuRules, RemoteGets) {
  const auto at = [](unsigned fifo) { return machine->remote_get(0, 1, kDescriptors, 64, fifo); };
  dropped(at(544), MuRule::header_id, BGQ_MU_DCR_RME0_STATE_OFFSET, 11);
  dropped(at(13), MuRule::get_system, BGQ_MU_DCR_MISC_STATE_OFFSET, 3);
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_IMFIFO_ACCESS_ERROR_ID_OFFSET), 13u);
  dropped(at(3), MuRule::get_fifo, BGQ_MU_DCR_MISC_STATE_OFFSET, 4);
  to.set(1, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 12);
  dropped(at(12), MuRule::get_disabled, BGQ_MU_DCR_MISC_STATE_OFFSET, 5);
}

TEST_F(MuRules, AFullRemoteGetFifoHoldsItsEngine) {
  to.open_injection(12, {kGetRing, 576}, true);
  // The answers' network FIFO is held by descriptors that go nowhere: the engines of node 1 do not work.
  to.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, 0);
  for (unsigned i = 0; i < 8; ++i) {
    const MuTestDescriptor answer = machine->put(1, 0, kSource, 32, 9, kTarget, 10, kCounter);
    std::copy(answer.bytes.begin(), answer.bytes.end(), from.at(kDescriptors + 64 * i));
  }
  for (unsigned i = 0; i < 3; ++i) from.inject(3, machine->remote_get(0, 1, kDescriptors, 512, 12));
  machine->run_for(20000);
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_RGET_FIFO_FULL_ID_OFFSET), 12u);
  EXPECT_EQ(to.dcr(BGQ_MU_DCR_ICSRAM_STATE_OFFSET), 1ull << (63 - 23));
  EXPECT_TRUE(to.faults.empty());
  EXPECT_GT(to.mu.in_flight(), 0u);
  to.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, ~0ull);
  machine->run();
  EXPECT_EQ(to.injection(12, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET), 24u);
  EXPECT_EQ(from.word(kCounter), 0 - std::uint64_t{24 * 32});
}

TEST_F(MuRules, ThingsOfTheSystem) {
  from.open_injection(535, {kRing + 0x1000, 1024}, false, false, true);
  to.open_reception(270, {kFifo + kFifoBytes, kFifoBytes}, true);
  to.open_base(537, 0, true);
  to.open_base(538, bgq_atomic_address(0, 2), true);
  const auto as_system = [&](const MuTestDescriptor& descriptor) {
    return with(with_header(descriptor, [](auto& n) { n.vc = BGQ_VC_SYSTEM; }),
                [](auto& d) { d.fifo_map = BGQ_FIFO_MAP_SYSTEM; });
  };
  from.fill(kSource, 100, 3);
  from.inject(535, as_system(machine->message(0, 1, kSource, 100, 270)));
  from.inject(535, as_system(machine->put(0, 1, kSource, 100, 537, kTarget, 538, kCounter)));
  machine->run();
  EXPECT_EQ(to.take_packet(270).size(), 160u);
  EXPECT_EQ(to.bytes(kTarget, 100), from.bytes(kSource, 100));
  EXPECT_TRUE(to.faults.empty() && from.faults.empty());
  // A range for users alone.
  to.set_dcr(BGQ_MU_DCR_SYSTEM_RANGE_MAX_OFFSET, kFifo - 1);
  from.inject(535, as_system(machine->message(0, 1, kSource, 100, 270)));
  machine->run();
  ASSERT_EQ(to.faults.size(), 1u);
  EXPECT_EQ(to.faults[0].rule, MuRule::write_range);
}

// Accesses. -----------------------------------------------------------------------------------------------------------

TEST_F(MuRules, UsersHaveWhatTheKernelGaveThem) {
  const auto refused_to_user = [&](unsigned subgroup, unsigned offset, bool write, std::uint64_t value,
                                   const std::string& name) {
    const std::uint64_t address = MuNode::address(subgroup, offset);
    const MuNode::Answer answer = from.access(address, write, value);
    EXPECT_EQ(answer.status, tlm::TLM_GENERIC_ERROR_RESPONSE) << name;
    EXPECT_NE(answer.reason.find("(" + name + ")"), std::string::npos) << answer.reason;
    const MuNode::Answer kernel = from.access(address + 0x200000000, write, value);
    return kernel.status;
  };
  using namespace tlm;
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INJ_FIFO_TAIL_OFFSET, true, 0, "MU-S25"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(67, BGQ_MU_INJ_FIFO_TAIL_OFFSET + 7 * 0x40, false, 0, "MU-S25"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(1, BGQ_MU_REC_FIFO_HEAD_OFFSET, true, 0, "MU-S26"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_BASE_ADDRESS_OFFSET, true, 0, "MU-S27"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INJ_ENABLE_OFFSET, true, 1, "MU-F14"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INT_CLEAR_OFFSET, true, 1, "MU-F15"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INJ_DISABLE_OFFSET, true, 1ull << 32, "MU-F16"), TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_BARRIER_CONTROL_OFFSET, true, 8, "MU-F16"), TLM_GENERIC_ERROR_RESPONSE);
  from.set_dcr(BGQ_MU_DCR_SYS_BARRIER_OFFSET, 1);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_BARRIER_CONTROL_OFFSET + 15 * 8, true, 1, "MU-F18"), TLM_OK_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INJ_FIFO_TAIL_OFFSET + 3 * 0x40, true, kRing + 32, "MU-I21"),
            TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(refused_to_user(0, BGQ_MU_INJ_FIFO_START_OFFSET + 3 * 0x40, true, 1ull << 36, "MU-I22"),
            TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(refused_to_user(1, BGQ_MU_REC_FIFO_SIZE_OFFSET + 0x40, true, 1000, "MU-R15"), TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_INJ_FIFO_TAIL_OFFSET + 3 * 0x40), true, kRing).status,
            TLM_OK_RESPONSE);
  // No register, wrong size, wrong direction.
  EXPECT_EQ(from.access(MuNode::address(0, 0x30), false).status, TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, 0x600), false).status, TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(from.access(BGQ_MU_BASE + 0x4000, false).status, TLM_ADDRESS_ERROR_RESPONSE) << "between groups";
  EXPECT_EQ(from.access(MuNode::address(68, 0), false).status, TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_INT_STATUS_OFFSET), false, 0, 4).status, TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_INT_STATUS_OFFSET), true).status, TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_INJ_ENABLE_OFFSET), false).status, TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_L1P_FLUSH_OFFSET), true, 5).status, TLM_OK_RESPONSE);
}

TEST_F(MuRules, ControlRegistersAreReadByAllAndWrittenByTheKernel) {
  const std::uint64_t threshold = BGQ_MU_DCR_BASE + BGQ_MU_DCR_IMU_THRESHOLD_OFFSET;
  EXPECT_EQ(from.access(threshold, true, 5).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(from.access(threshold + 0x200000000, true, 5).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(from.access(threshold, false).value, 5u);
  EXPECT_EQ(from.access(threshold, false, 0, 4).status, tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(from.access(BGQ_MU_DCR_BASE + BGQ_MU_DCR_INJ_NDFIFO_AVAILABLE_OFFSET, false).value, 0xFFFFu);
  from.set_dcr(BGQ_MU_DCR_MISC_FORCE_OFFSET, 0x80);
  EXPECT_EQ(from.dcr(BGQ_MU_DCR_MISC_STATE_OFFSET), 0x80u);
  from.set_dcr(BGQ_MU_DCR_MISC_STATE_OFFSET, 0x80);
  EXPECT_EQ(from.dcr(BGQ_MU_DCR_MISC_STATE_OFFSET), 0u);
}

TEST_F(MuRules, GlobalInterruptsOfANodeThatIsAlone) {
  from.access(MuNode::address(5, BGQ_MU_BARRIER_CONTROL_OFFSET + 8), true, 4);
  EXPECT_EQ(from.access(MuNode::address(66, BGQ_MU_BARRIER_CONTROL_OFFSET + 8), false).value, 4u);
  EXPECT_EQ(from.access(MuNode::address(0, BGQ_MU_BARRIER_STATUS_OFFSET + 8), false).value, 4u);
}

// Thresholds and interrupts. ------------------------------------------------------------------------------------------

TEST_F(MuRules, APacketInterruptsWhereTheDescriptorSaysSo) {
  to.set_dcr(BGQ_MU_DCR_RMFIFO_PACKET_INT_ENABLE_OFFSET, 0x8000u >> 5);
  const std::uint64_t bit = 1u << (15 - 5);
  to.set(1, BGQ_MU_INT_CLEAR_OFFSET, ~0ull);
  from.inject(3, with_header(message(), [](auto& n) { n.interrupt = 1; }));
  machine->run();
  EXPECT_EQ(to.get(1, BGQ_MU_INT_STATUS_OFFSET), 0u) << "the bit is the descriptor's, not the template's";
  from.inject(3, with(message(), [](auto& d) { d.length = 2000, d.interrupt = 1; }));
  machine->run();
  std::vector<unsigned> bits;
  for (auto packet = to.take_packet(5); !packet.empty(); packet = to.take_packet(5)) bits.push_back(packet[2] & 1);
  EXPECT_EQ(bits, (std::vector<unsigned>{0, 0, 0, 0, 1}));
  EXPECT_EQ(to.get(1, BGQ_MU_INT_STATUS_OFFSET), bit);
  EXPECT_EQ(to.get(0, BGQ_MU_INT_STATUS_OFFSET), bit) << "all subgroups show it";
  EXPECT_EQ(to.mu.interrupts(0), 1u << 1) << "subgroup 1";
  EXPECT_EQ(to.mu.aggregated(0), 0u);
  to.set_dcr(BGQ_MU_DCR_GEA_INT_ENABLE_0_7_OFFSET, 1u << 30);
  EXPECT_EQ(to.mu.aggregated(0), 1u << 1);
  to.set(1, BGQ_MU_INT_CLEAR_OFFSET, bit);
  EXPECT_EQ(to.mu.interrupts(0), 0u);
  from.inject(3, with(put(), [](auto& d) { d.interrupt = 1; }));
  machine->run();
  EXPECT_EQ(to.get(1, BGQ_MU_INT_STATUS_OFFSET), 0u) << "of packets to memory FIFOs alone";
}

TEST_F(MuRules, Thresholds) {
  from.set_dcr(BGQ_MU_DCR_IMU_THRESHOLD_OFFSET, 13);
  to.set_dcr(BGQ_MU_DCR_RGET_THRESHOLD_OFFSET, 28);
  to.set_dcr(BGQ_MU_DCR_RMU_THRESHOLD_OFFSET, kFifoBytes / 32 - 6);
  for (const auto& node : machine->nodes) node->set(0, BGQ_MU_INT_CLEAR_OFFSET, ~0ull);
  const std::uint64_t injection = 1ull << (63 - 3), gets = 1ull << (63 - 12), reception = 1ull << (31 - 5);
  from.inject(3, message());
  machine->run();
  EXPECT_EQ(from.get(0, BGQ_MU_INT_STATUS_OFFSET), 0u) << "14 places free, then 15";
  from.set(0, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 3);
  from.inject(3, message());
  from.inject(3, message());
  EXPECT_EQ(from.get(0, BGQ_MU_INT_STATUS_OFFSET), 0u) << "falling is nothing";
  EXPECT_EQ(to.get(0, BGQ_MU_INT_STATUS_OFFSET), 0u);
  from.set(0, BGQ_MU_INJ_ENABLE_OFFSET, 0x80000000u >> 3);
  machine->run();
  EXPECT_EQ(from.get(0, BGQ_MU_INT_STATUS_OFFSET), injection);
  EXPECT_EQ(from.mu.interrupts(0), 0u) << "not enabled";
  from.set_dcr(BGQ_MU_DCR_IMFIFO_THRESHOLD_INT_ENABLE_OFFSET, 0x80000000u >> 3);
  EXPECT_EQ(from.mu.interrupts(0), 1u);
  EXPECT_EQ(to.get(0, BGQ_MU_INT_STATUS_OFFSET), reception) << "three packets of five chunks";
  // Of 15 places, less than 14 are free: below 28 units of 32 bytes.
  to.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, 0);
  for (unsigned i = 0; i < 2; ++i) {
    const MuTestDescriptor answer = machine->put(1, 0, kSource, 32, 9, kTarget, 10, kCounter);
    std::copy(answer.bytes.begin(), answer.bytes.end(), from.at(kDescriptors));
    from.inject(3, get());
    machine->run_for(5000);
    EXPECT_EQ(to.get(0, BGQ_MU_INT_STATUS_OFFSET) & gets, i == 0 ? 0 : gets);
  }
  to.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, ~0ull);
  machine->run();
}

// Priorities. ---------------------------------------------------------------------------------------------------------

TEST_F(MuRules, HighPriorityGoesFirst) {
  struct Order : MuObserver {
    void on_descriptor(const Message& message, Cycle) override { fifos[message.number] = message.fifo; }
    void on_message_read(std::uint32_t node, std::uint32_t number, Cycle) override {
      if (node == 0) done.push_back(fifos[number]);
    }
    void on_packet(std::uint32_t, std::uint32_t, std::uint32_t, Cycle) override {}
    void on_put(std::uint32_t, std::uint64_t, std::uint32_t, Cycle) override {}
    void on_fifo(std::uint32_t, Side, unsigned, std::uint64_t, Cycle) override {}
    std::map<std::uint32_t, unsigned> fifos;
    std::vector<unsigned> done;
  } order;
  const auto through_one = [](MuTestDescriptor descriptor) {
    return with(std::move(descriptor), [](auto& d) { d.fifo_map = BGQ_FIFO_MAP_PLUS(1); });
  };
  from.open_injection(20, {kRing + 0x1000, 1024});
  from.open_injection(21, {kRing + 0x2000, 1024}, false, true);
  from.open_injection(300, {kRing + 0x3000, 1024}, false, false, true);
  machine->observe(&order);
  from.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, 0);
  for (const unsigned fifo : {3u, 20u, 21u, 300u}) {
    for (unsigned i = 0; i < 4; ++i) from.inject(fifo, through_one(machine->message(0, 1, kSource, 512, 5)));
  }
  machine->run_for(1000);
  from.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, ~0ull);
  machine->run();
  machine->observe(nullptr);
  ASSERT_EQ(order.done.size(), 16u);
  for (unsigned i = 0; i < 8; ++i) EXPECT_TRUE(order.done[i] == 21 || order.done[i] == 300) << i;
  const std::vector<unsigned> last(order.done.begin() + 8, order.done.end());
  EXPECT_EQ(last, (std::vector<unsigned>{20, 3, 20, 3, 20, 3, 20, 3})) << "in turn";
}

// Parked cores, idle units. -------------------------------------------------------------------------------------------

TEST_F(MuRules, APageTellsThoseWhoHaveReadIt) {
  const std::uint64_t tail = MuNode::address(1, BGQ_MU_REC_FIFO_TAIL_OFFSET + 0x40);
  const std::uint64_t other = MuNode::address(9, BGQ_MU_INJ_IS_ENABLED_OFFSET);
  const WatchedDevice& page = to.mu.pages().part(tail);
  EXPECT_TRUE(to.mu.pages().is_pure_read(tail));
  EXPECT_FALSE(to.mu.pages().is_pure_read(MuNode::address(1, BGQ_MU_INJ_ENABLE_OFFSET)));
  EXPECT_EQ(to.mu.pages().name_of(tail), "the registers of the Messaging Unit's subgroup 1");
  from.inject(3, message());
  machine->run();
  EXPECT_EQ(page.last_change(), sc_core::SC_ZERO_TIME) << "nobody has read it";
  EXPECT_EQ(to.access(tail, false).value, kFifo + 160u);
  to.access(other, false);
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  from.inject(3, message());
  machine->run();
  EXPECT_GT(page.last_change(), before);
  EXPECT_LE(page.last_change(), sc_core::sc_time_stamp());
  EXPECT_EQ(to.mu.pages().part(other).last_change(), sc_core::SC_ZERO_TIME) << "another group";
}

TEST_F(MuRules, AnIdleUnitCostsNothing) {
  machine->run();
  const std::uint64_t events = machine->wheel.events();
  for (unsigned fifo = 0; fifo < 544; ++fifo) from.open_injection(fifo, {kRing, 1024});
  machine->run();
  EXPECT_LE(machine->wheel.events() - events, 544u * 10) << "what was written has been looked at";
  const std::uint64_t idle = machine->wheel.events();
  machine->run_for(1000000);
  EXPECT_EQ(machine->wheel.events(), idle);
  const std::size_t two_used = (*machine)[2].mu.memory_bytes(), all_used = from.mu.memory_bytes();
  EXPECT_LT(two_used, 10000u) << "two subgroups are in use";
  if (std::getenv("TOROID_TEST_SHOW") != nullptr) {
    const std::size_t subgroup = (all_used - two_used) / 66;
    std::printf("host memory of a unit: %zu bytes, and %zu of each subgroup in use\n", two_used - 2 * subgroup,
                subgroup);
  }
}

/// What a debugger's user is told of `words`.
std::string told(const MuNode& node, const std::vector<std::string>& words) {
  return node.mu.describe(words, node.seen()).value_or("nothing");
}

TEST_F(MuRules, PeopleAreTold) {
  from.inject(3, message());
  machine->run();
  EXPECT_EQ(told(from, {"fifo", "inj", "0", "3"}),
            "injection FIFO 3 of subgroup 0: START 0x000001000, SIZE 0x0000003ff, HEAD 0x000001040, TAIL 0x000001040, "
            "enabled, 0 descriptors waiting, 1 descriptor done\n");
  const std::string reception =
      "reception FIFO 1 of subgroup 1: START 0x000100000, SIZE 0x000007fff, HEAD 0x000100000, TAIL 0x0001000a0, "
      "enabled, 160 bytes\n";
  EXPECT_EQ(
      told(to, {"fifo", "rec", "1", "1"}),
      reception +
          "  packet at 0x000100000: 128 bytes of payload, channel deterministic, put offset 0x0, the sender's bytes "
          "0000000000000000000000000000\n");
  EXPECT_EQ(told(to, {"base", "1", "3"}), "base address 3 of subgroup 1: free\n");
  EXPECT_EQ(told(to, {"base", "4", "3"}), "base address 3 of subgroup 4: of the system\n");
  const std::string all = told(to, {});
  EXPECT_EQ(all.find("0 messages in work, 0 packets to write; "), 0u) << all;
  EXPECT_NE(all.find(reception), std::string::npos) << all;
  EXPECT_NE(all.find("base address 1 of subgroup 1: 0x000000000\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("of the system"), std::string::npos) << "not in use: " << all;
  EXPECT_EQ(told(to, {"fifo", "inj", "68", "0"}),
            "there is no injection FIFO 0 of subgroup 68: subgroups are 0 to 67, and the numbers of each 0 to 7\n");
  EXPECT_EQ(told(to, {"fifo", "rec", "1", "4"}),
            "there is no reception FIFO 4 of subgroup 1: subgroups are 0 to 67, and the numbers of each 0 to 3\n");
  EXPECT_EQ(told(to, {"base", "x", "0"}),
            "there is no base address 0 of subgroup x: subgroups are 0 to 67, and the numbers of each 0 to 7\n");
  EXPECT_EQ(told(to, {"fifo", "1", "0"}), "nothing");
  std::vector<std::string> unread;
  for (const PendingWork& work : to.mu.pending_work("node")) {
    if (work.kind == PendingWork::Kind::unread) unread.push_back(work.text);
  }
  EXPECT_EQ(unread,
            std::vector<std::string>{
                "the Messaging Unit's reception FIFO 1 of subgroup 1 of node holds 160 bytes that no process has "
                "taken"});
}

TEST_F(MuRules, PeopleAreToldOfDescriptorsAndCounters) {
  const auto way = [](const std::string& indent) {
    return indent + "channel deterministic, no hints, network FIFOs: all links\n";
  };
  from.set(0, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 3);
  from.inject(3, message());
  from.inject(3, put());
  // A remote get that carries the put.
  MuTestDescriptor carried = put();
  std::copy(carried.bytes.begin(), carried.bytes.end(), from.at(kDescriptors));
  from.inject(3, get());
  from.set_word(kCounter, static_cast<std::uint64_t>(-5));
  from.set(1, BGQ_MU_BASE_ADDRESS_OFFSET + 8 * 2, bgq_atomic_address(kCounter, static_cast<unsigned>(L2Store::add)));
  EXPECT_EQ(
      told(from, {"fifo", "inj", "0", "3"}),
      "injection FIFO 3 of subgroup 0: START 0x000001000, SIZE 0x0000003ff, HEAD 0x000001000, TAIL 0x0000010c0, "
      "not enabled, 3 descriptors waiting, 0 descriptors done\n"
      "  descriptor at 0x000001000: a memory FIFO message of 100 bytes to (1,0,0,0,0), from 0x000010000, packets "
      "of 512 bytes\n"
      "    to reception FIFO 1 of subgroup 1, put offset 0x0\n" +
          way("    ") +
          "  descriptor at 0x000001040: a put of 100 bytes to (1,0,0,0,0), from 0x000010000, packets of 512 bytes\n"
          "    to base address 1 of subgroup 1 + 0x200000, counted at base address 2 of subgroup 1 + 0xc000\n" +
          way("    ") +
          "  descriptor at 0x000001080: a remote get of 64 bytes to (1,0,0,0,0), from 0x000008000, packets of 512 "
          "bytes\n"
          "    to injection FIFO 4 of subgroup 1\n" +
          way("    ") +
          "      descriptor at 0x000008000: a put of 100 bytes to (1,0,0,0,0), from 0x000010000, packets of 512 "
          "bytes\n"
          "        to base address 1 of subgroup 1 + 0x200000, counted at base address 2 of subgroup 1 + 0xc000\n" +
          way("        "));
  EXPECT_EQ(told(from, {"base", "1", "2"}),
            "base address 2 of subgroup 1: 0x00000c000, atomic (add), the word there is -5\n");
}

TEST_F(MuRules, PeopleAreToldOfTheWayOfAMessage) {
  const auto told_of = [this](const MuTestDescriptor& descriptor) {
    from.open_injection(3, {kRing, 1024});
    from.set(0, BGQ_MU_INJ_DISABLE_OFFSET, 0x80000000u >> 3);
    from.inject(3, descriptor);
    const std::string text = told(from, {"fifo", "inj", "0", "3"});
    return text.substr(text.find('\n') + 1);
  };
  MuTestDescriptor descriptor = with(message(), [](bgq_descriptor_t& what) {
    what.fifo_map = BGQ_FIFO_MAP_MINUS(1) | BGQ_FIFO_MAP_PLUS(4) | BGQ_FIFO_MAP_LOCAL1 | BGQ_FIFO_MAP_PRIORITY;
    what.payload = bgq_atomic_address(kSource, 2);
    what.length = 8;
    what.interrupt = 1;
  });
  bgq_set_put_offset(descriptor.header(), 0x1234);
  EXPECT_EQ(
      told_of(with_header(descriptor,
                          [](bgq_network_t& header) {
                            header.vc = BGQ_VC_DYNAMIC;
                            header.dynamic = header.deposit = 1;
                            header.hints = BGQ_HINT_PLUS(0) | BGQ_HINT_MINUS(3);
                            header.chunks = 1;
                          })),
      "  descriptor at 0x000001000: a memory FIFO message of 8 bytes to (1,0,0,0,0), from 0x000010000 by atomic "
      "load 2, packets of 32 bytes\n"
      "    to reception FIFO 1 of subgroup 1, put offset 0x1234\n"
      "    channel dynamic, routed dynamically, hints A+ D-, leaves copies, network FIFOs: B- E+, local 1, priority, "
      "interrupt at the end\n");
  bgq_network_t header{};
  header.type = BGQ_TYPE_COLLECTIVE;
  header.class_route = 5;
  header.collective = BGQ_COLLECTIVE_ALLREDUCE;
  header.operation = BGQ_COLLECTIVE_FLOAT_ADD;
  header.word_exponent = 1;
  header.vc = BGQ_VC_USER_SUBCOMM;
  header.mu_type = BGQ_MU_PUT;
  header.chunks = 16;
  descriptor = with(put(), [](bgq_descriptor_t& what) { what.fifo_map = BGQ_FIFO_MAP_COLLECTIVE_USER; });
  EXPECT_EQ(told_of(descriptor.network(header)),
            "  descriptor at 0x000001000: a put of 100 bytes on class route 5, from 0x000010000, packets of 512 bytes\n"
            "    to base address 1 of subgroup 1 + 0x200000, counted at base address 2 of subgroup 1 + 0xc000\n"
            "    channel user, some nodes, all-reduction by float ADD of 8 bytes each, network FIFOs: collectives\n");
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  return toroid::test::run_mu_tests(argc, argv, {});
}
