// SPDX-License-Identifier: Apache-2.0
//
// The torus FIFO device alone, against a router double: counts, errors, order, time. Every test has a device of its
// own; all are elaborated first, for a process can elaborate only once.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>

#include "testbench/shipped.h"
#include "testbench/tests/nic/fifo_bench.h"

namespace toroid::test {
namespace {

constexpr unsigned kI0 = BGL_TORUS_STATUS_I0_BYTE;
constexpr unsigned kI1 = BGL_TORUS_STATUS_I1_BYTE;
constexpr unsigned kIH = BGL_TORUS_STATUS_IH_BYTE;
constexpr unsigned kRH = BGL_TORUS_STATUS_RH_BYTE;

std::map<std::string, std::unique_ptr<FifoBench>> benches;

class TorusFifo : public testing::Test {
 protected:
  TorusFifo()
      : bench(*benches.at(testing::UnitTest::GetInstance()->current_test_info()->name())),
        core(bench.core),
        router(bench.router),
        device(bench.device) {}

  /// Runs `body` as the core's work, from the beginning of a network cycle on.
  void run(const std::function<void()>& body) {
    core.run([&] {
      start = cycle_at(sc_core::sc_time_stamp(), 175) + 1;
      sleep_until(0);
      core.synchronise();
      body();
    });
  }
  /// The time of cycle `cycle` after the beginning.
  sc_core::sc_time time_of(Cycle cycle) const { return bench.clock.time_of(start + cycle); }
  /// The core works on from cycle `cycle` after the beginning, without telling SystemC.
  void sleep_until(Cycle cycle) { core.delay = time_of(cycle) - sc_core::sc_time_stamp(); }

  Cycle start = 0;  ///< cycle in which the body began

  FifoBench& bench;
  CoreDouble& core;
  RouterDouble& router;
  TorusFifoDevice& device;
};

TEST_F(TorusFifo, CountsAPartialPacketAsItsQuadsCome) {
  run([&] {
    const std::vector<Quad> packet = make_packet(fields_to(0, 0, 0, 2));
    const unsigned expected[] = {0, 1, 1, 2};
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(core.write(injection_address(0, 1), packet[i]), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(core.status(0)[kI1], expected[i]) << i;
      EXPECT_EQ(router.injected.size(), i == 3 ? 1u : 0u);
    }
  });
}

TEST_F(TorusFifo, HoldsChunksUntilThePacketHasLeft) {
  run([&] {
    ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 8)), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(router.injected.size(), 1u);
    const Cycle left = router.injected[0].at + 300;
    router.take(0, left);
    sleep_until(left - start - 1);
    EXPECT_EQ(core.status(0)[kI0], 8);
    sleep_until(left - start);
    EXPECT_EQ(core.status(0)[kI0], 0);
  });
}

TEST_F(TorusFifo, DecodesTheHeader) {
  run([&] {
    torus_fields_t fields = fields_to(2, 2, 1, 3, 1);
    fields.dynamic = 0;
    fields.vc = TORUS_VC_BUBBLE;
    fields.hints = TORUS_HINT_X_PLUS;
    fields.deposit = 1;
    ASSERT_EQ(bench.inject(1, 2, fields), tlm::TLM_OK_RESPONSE) << core.reason;
    ASSERT_EQ(router.injected.size(), 1u);
    const Packet& packet = *router.injected[0].packet;
    EXPECT_EQ(router.injected[0].fifo, 6u);
    EXPECT_EQ(packet.destination, (Coordinates{2, 2, 1}));
    EXPECT_EQ(packet.chunks, 3);
    EXPECT_EQ(packet.group, 1);
    EXPECT_EQ(packet.hints, 1);
    EXPECT_EQ(packet.channel, BlueGeneLpChannel::bubble);
    EXPECT_FALSE(packet.dynamic);
    EXPECT_TRUE(packet.deposit);
    EXPECT_EQ(packet.source, FifoBench::kNode);
    const std::vector<Quad> written = make_packet(fields);
    EXPECT_EQ(0, memcmp(packet.data, written.data(), 96));
  });
}

TEST_F(TorusFifo, GivesTheRouterOnePacketOfAFifoAtATime) {
  run([&] {
    for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(bench.inject(1, 0, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(router.injected.size(), 2u);
    EXPECT_EQ(router.injected[1].fifo, 4u);
    const Cycle left = router.injected[0].at + 46;
    router.take(0, left);
    ASSERT_EQ(router.injected.size(), 3u);
    EXPECT_EQ(router.injected[2].fifo, 0u);
    EXPECT_EQ(router.injected[2].at, left);
    EXPECT_EQ(router.injected[2].packet->serial, 1u);
  });
}

TEST_F(TorusFifo, KeepsTheGroupsApart) {
  run([&] {
    ASSERT_EQ(bench.inject(0, 3, fields_to(0, 0, 0, 2)), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(bench.inject(1, 1, fields_to(0, 0, 0, 5)), tlm::TLM_OK_RESPONSE);
    router.deliver_pattern(6, 3, start + 10);  // RH of group 0
    router.deliver_pattern(7, 4, start + 10);  // R0 of group 1
    sleep_until(10);
    Quad group0{}, group1{};
    group0[kIH] = 2;
    group0[kRH] = 3;
    group1[kI1] = 5;
    group1[0] = 4;
    EXPECT_EQ(core.status(0, 0), group0);
    EXPECT_EQ(core.status(0, 1), group0);
    EXPECT_EQ(core.status(1, 1), group1);
    EXPECT_EQ(core.status(1, 0), group1);
  });
}

TEST_F(TorusFifo, RefusesAWriteToAFullFifo) {
  run([&] {
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ(bench.inject(1, 1, fields_to(0, 0, 0, 8)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(core.status(1)[kI1], 32);
    EXPECT_EQ(bench.inject(1, 1, fields_to(0, 0, 0, 1)), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(core.reason,
              "write to full torus injection FIFO I1 of group 1, which holds 32 chunks; check the status before a "
              "packet is written");
    EXPECT_EQ(core.status(1)[kI1], 32);
    EXPECT_EQ(bench.dcr(TORUS_DCR_INJECTION_ERROR_OFFSET + 1), TORUS_DCR_INJECTION_ERROR_FULL_I1_MASK);
    EXPECT_EQ(bench.dcr(TORUS_DCR_ACCESS_ERROR_OFFSET), TORUS_DCR_ACCESS_ERROR_WRITE_FULL_MASK);
    EXPECT_EQ(bench.dcr(TORUS_DCR_RECOVERABLE_OFFSET + 0x11), 1u);
    EXPECT_EQ(device.counters().write_full, 1u);
    EXPECT_EQ(bench.inject(1, 2, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE) << "only that FIFO is full";
  });
}

TEST_F(TorusFifo, FindsRoomThatComesBeforeAWrite) {
  run([&] {
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 8)), tlm::TLM_OK_RESPONSE);
    // The router says only in cycle 500 that the first packet leaves in cycle 505; the core is there by then.
    router.take(0, start + 505, start + 500);
    sleep_until(505);
    EXPECT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 8)), tlm::TLM_OK_RESPONSE) << core.reason;
    EXPECT_EQ(core.status(0)[kI0], 32);
  });
}

TEST_F(TorusFifo, FindsNoRoomThatComesAfterAWrite) {
  run([&] {
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 8)), tlm::TLM_OK_RESPONSE);
    router.take(0, start + 2000);
    EXPECT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 8)), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST_F(TorusFifo, RefusesAReadOfAnEmptyFifo) {
  run([&] {
    Quad quad{};
    router.deliver_pattern(8, 1, start + 1);  // R1 of group 1, much later
    EXPECT_EQ(core.read(reception_address(1, 1), quad), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(core.reason,
              "read of empty torus reception FIFO R1 of group 1; check the status before a packet is read");
    EXPECT_EQ(core.read(reception_address(0, 6), quad), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_ACCESS_ERROR_OFFSET), TORUS_DCR_ACCESS_ERROR_READ_EMPTY_P0_MASK);
    EXPECT_EQ(device.counters().read_empty, 2u);
  });
}

TEST_F(TorusFifo, ReadsPacketsInOrderAndReturnsTokensByTheChunk) {
  run([&] {
    router.deliver_pattern(2, 2, start + 10, 0);
    router.deliver_pattern(2, 1, start + 20, 100);
    sleep_until(30);
    EXPECT_EQ(core.status(0)[2], 3);
    const unsigned left[] = {3, 2, 2, 1, 1, 0};
    for (unsigned i = 0; i < 6; ++i) {
      Quad quad{};
      ASSERT_EQ(core.read(reception_address(0, 2) + 16 * i, quad), tlm::TLM_OK_RESPONSE) << core.reason;
      EXPECT_EQ(quad[5], i < 4 ? 16 * i + 5 : 100 + 16 * (i - 4) + 5);
      ASSERT_EQ(router.tokens.size(), (i + 1) / 2);
      EXPECT_EQ(core.status(0)[2], left[i]) << i;
    }
    for (const RouterDouble::Tokens& tokens : router.tokens) {
      EXPECT_EQ(tokens.fifo, 2u);
      EXPECT_EQ(tokens.chunks, 1u);
      EXPECT_EQ(tokens.at, start + 31);
    }
    EXPECT_EQ(bench.network.pool().in_use(), 0u);
  });
}

TEST_F(TorusFifo, ShowsAPacketWhenItIsComplete) {
  run([&] {
    router.deliver_pattern(0, 8, start + 1000);
    sleep_until(1000);
    core.delay -= sc_core::sc_time(1, sc_core::SC_PS);
    EXPECT_EQ(core.status(0)[0], 0);
    sleep_until(1000);
    EXPECT_EQ(core.status(0)[0], 8);
  });
}

TEST_F(TorusFifo, TakesWholeAlignedQuadsOnly) {
  run([&] {
    alignas(16) std::uint8_t data[32] = {};
    for (unsigned bytes : {1u, 4u, 8u, 32u}) {
      EXPECT_EQ(core.access(tlm::TLM_WRITE_COMMAND, injection_address(0, 0), data, bytes),
                tlm::TLM_BURST_ERROR_RESPONSE);
      EXPECT_EQ(core.access(tlm::TLM_READ_COMMAND, BGL_TORUS_BASE + 0x7000, data, bytes),
                tlm::TLM_BURST_ERROR_RESPONSE);
    }
    EXPECT_NE(core.reason.find("quads of 16 bytes"), std::string::npos);
    EXPECT_EQ(core.access(tlm::TLM_WRITE_COMMAND, injection_address(0, 0) + 8, data, 16),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_ACCESS_ERROR_OFFSET), TORUS_DCR_ACCESS_ERROR_ACCESS_MASK);
    EXPECT_EQ(device.counters().bad_access, 9u);
  });
}

TEST_F(TorusFifo, RefusesTheWrongDirection) {
  run([&] {
    Quad quad{};
    EXPECT_EQ(core.read(injection_address(0, 2), quad), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(core.reason, "read of torus injection FIFO I2 of group 0, which can only be written");
    EXPECT_EQ(core.write(reception_address(1, 6), quad), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(core.reason, "write to torus reception FIFO RH of group 1, which can only be read");
    EXPECT_EQ(core.write(BGL_TORUS_BASE + 0x7010, quad), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(device.counters().bad_access, 3u);
  });
}

TEST_F(TorusFifo, RefusesPlacesWithoutARegister) {
  run([&] {
    Quad quad{};
    for (std::uint64_t offset : {0x1800u, 0x2400u, 0x3400u, 0x6400u, 0x7020u, 0x8000u, 0x18000u}) {
      EXPECT_EQ(core.read(BGL_TORUS_BASE + offset, quad), tlm::TLM_ADDRESS_ERROR_RESPONSE) << std::hex << offset;
    }
  });
}

TEST_F(TorusFifo, NamesWhatIsWrongWithAHeader) {
  struct Case {
    const char* what;
    std::function<void(torus_fields_t&)> spoil;
    std::uint32_t error;  ///< bits of the header error register
    const char* reason;
  };
  const std::uint32_t x_plus = 0x20, x_minus = 0x10, y_plus = 0x08, all = 0x3F;
  const Case cases[] = {
      {"opposite hints", [](auto& f) { f.hints = TORUS_HINT_X_PLUS | TORUS_HINT_X_MINUS; },
       (x_plus | x_minus) << TORUS_DCR_HEADER_ERROR_OPPOSITE_HINTS_SHIFT, "plus and the minus hint"},
      {"no hint to the own node", [](auto& f) { f.destination[0] = 1; },
       all << TORUS_DCR_HEADER_ERROR_WRONG_HINTS_SHIFT, "needs that of a ring"},
      {"hint in a dimension that does not differ", [](auto& f) { f.hints = TORUS_HINT_X_PLUS | TORUS_HINT_Y_PLUS; },
       (x_plus | y_plus) << TORUS_DCR_HEADER_ERROR_WRONG_HINTS_SHIFT, "leads away"},
      {"deterministic on a dynamic channel", [](auto& f) { f.dynamic = 0; },
       all << TORUS_DCR_HEADER_ERROR_CHANNEL_SHIFT, "dynamic bit is 0 and its virtual channel 0"},
      {"dynamic on the bubble channel", [](auto& f) { f.vc = 2; }, all << TORUS_DCR_HEADER_ERROR_CHANNEL_SHIFT,
       "dynamic bit is 1 and its virtual channel 2"},
      {"outside the machine", [](auto& f) { f.destination[2] = 2; }, all << TORUS_DCR_HEADER_ERROR_DESTINATION_SHIFT,
       "(3,2,2) lies outside the machine of 4x4x2"},
      {"deposit off the line",
       [](auto& f) {
         f.deposit = 1;
         f.dynamic = 0;
         f.vc = 2;
         f.hints = TORUS_HINT_X_PLUS | TORUS_HINT_Y_PLUS;
         f.destination[1] = 3;
       },
       (x_plus | y_plus) << TORUS_DCR_HEADER_ERROR_DEPOSIT_SHIFT, "does not lie on the line"},
  };
  run([&] {
    std::uint64_t refused = 0;
    for (const Case& bad : cases) {
      torus_fields_t fields = fields_to(3, 2, 1, 1);
      bad.spoil(fields);
      EXPECT_EQ(bench.inject(0, 0, fields), tlm::TLM_GENERIC_ERROR_RESPONSE) << bad.what;
      EXPECT_NE(core.reason.find(bad.reason), std::string::npos) << bad.what << ": " << core.reason;
      EXPECT_NE(core.reason.find("I0 of group 0"), std::string::npos) << core.reason;
      EXPECT_EQ(bench.dcr(TORUS_DCR_HEADER_ERROR_OFFSET), bad.error) << bad.what;
      EXPECT_TRUE(bench.dcr(TORUS_DCR_INTERRUPT_ERROR_OFFSET) & TORUS_DCR_INTERRUPT_ERROR_NON_RECOVERABLE_MASK);
      bench.set_dcr(TORUS_DCR_HEADER_ERROR_OFFSET, bad.error);
      EXPECT_EQ(bench.dcr(TORUS_DCR_HEADER_ERROR_OFFSET), 0u);
      EXPECT_EQ(device.counters().bad_header, ++refused);
    }
    EXPECT_EQ(bench.dcr(TORUS_DCR_INTERRUPT_ERROR_OFFSET) & TORUS_DCR_INTERRUPT_ERROR_NON_RECOVERABLE_MASK, 0u);
    EXPECT_EQ(bench.dcr(TORUS_DCR_RECOVERABLE_OFFSET + 0x11), refused);
    EXPECT_TRUE(router.injected.empty());
    EXPECT_EQ(core.status(0)[kI0], 0);
    EXPECT_EQ(bench.network.pool().in_use(), 0u);
  });
}

TEST_F(TorusFifo, RaisesWatermarkInterrupts) {
  run([&] {
    EXPECT_EQ(bench.dcr(TORUS_DCR_INTERRUPT_WATERMARK_OFFSET), 0u);
    // Group 1: reception above 2 chunks, priority above 1; I1 below 4, IH below 1.
    bench.set_dcr(TORUS_DCR_WATERMARK_OFFSET + 1, 2u << 27 | 1u << 22 | 4u << 12 | 1u << 2);
    const std::uint32_t below = 0x80000000u >> 4 | 0x80000000u >> 7;  // I1 and IH of group 1
    EXPECT_EQ(bench.dcr(TORUS_DCR_INTERRUPT_WATERMARK_OFFSET), below);
    ASSERT_EQ(bench.inject(1, 1, fields_to(0, 0, 0, 4)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_INTERRUPT_WATERMARK_OFFSET), 0x80000000u >> 7);
    const Cycle at = start + 10;
    router.deliver_pattern(7 + 5, 3, at);  // R5 of group 1
    router.deliver_pattern(7 + 4, 2, at);  // R4: not above
    router.deliver_pattern(7 + 6, 2, at);  // RH
    router.deliver_pattern(0, 8, at);      // group 0 has its watermarks at the top
    sleep_until(10);
    EXPECT_EQ(bench.dcr(TORUS_DCR_INTERRUPT_WATERMARK_OFFSET),
              0x80000000u >> 7 | 0x80000000u >> 19 | 0x80000000u >> 21);
  });
}

TEST_F(TorusFifo, SumsWhatWasInjected) {
  run([&] {
    torus_fields_t fields = fields_to(0, 0, 0, 1);
    std::uint32_t sum = 0;
    for (unsigned i = 8; i < 32; i += 2) sum += i << 8 | (i + 1);
    ASSERT_EQ(bench.inject(1, 0, fields), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_CHECKSUM_OFFSET + 3), sum);
    ASSERT_EQ(bench.inject(1, 0, fields), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_CHECKSUM_OFFSET + 3), 2 * sum);
    fields.csum_off = 1;
    ASSERT_EQ(bench.inject(1, 3, fields), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.dcr(TORUS_DCR_CHECKSUM_OFFSET + 7), 0u);
    bench.set_dcr(TORUS_DCR_CLEAR_OFFSET, TORUS_DCR_CLEAR_CHECKSUM_MASK);
    EXPECT_EQ(bench.dcr(TORUS_DCR_CHECKSUM_OFFSET + 3), 0u);
  });
}

TEST_F(TorusFifo, ResetsWhatItIsTold) {
  run([&] {
    for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 4)), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(core.write(injection_address(0, 1), make_packet(fields_to(0, 0, 0, 2))[0]), tlm::TLM_OK_RESPONSE);
    router.deliver_pattern(0, 3, start + 10);
    sleep_until(10);
    Quad quad{};
    for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(core.read(reception_address(0, 0), quad), tlm::TLM_OK_RESPONSE);
    bench.set_dcr(TORUS_DCR_RESET_OFFSET, TORUS_DCR_RESET_RECEPTION_MASK);
    EXPECT_EQ(core.status(0)[0], 0);
    EXPECT_EQ(core.status(0)[kI0], 8);
    ASSERT_EQ(router.tokens.size(), 2u);
    EXPECT_EQ(router.tokens[1].chunks, 2u);
    bench.set_dcr(TORUS_DCR_RESET_OFFSET, TORUS_DCR_RESET_INJECTION_MASK);
    EXPECT_EQ(core.status(0)[kI0], 4) << "the packet that the router has goes its way";
    EXPECT_EQ(bench.network.pool().in_use(), 1u);
    // A new packet may begin in the FIFO that held half of one.
    EXPECT_EQ(bench.inject(0, 1, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE) << core.reason;
  });
}

TEST_F(TorusFifo, ReportsUnknownRegisters) {
  run([&] {
    std::uint32_t value = 0;
    std::string reason;
    EXPECT_FALSE(device.read_dcr(BGL_TORUS_DCR_BASE + 0x1C, value, core.delay, reason));
    EXPECT_EQ(reason, "read of device control register 0x29c, of which the torus has none");
    EXPECT_FALSE(device.write_dcr(BGL_TORUS_DCR_BASE + 0x3E, 1, core.delay, reason));
    EXPECT_EQ(reason, "write of device control register 0x2be, which can only be read");
    EXPECT_FALSE(device.read_dcr(0, value, core.delay, reason));
    EXPECT_EQ(bench.dcr(TORUS_DCR_ACCESS_ERROR_OFFSET), TORUS_DCR_ACCESS_ERROR_DCR_MASK);
    EXPECT_EQ(device.counters().unknown_dcr, 3u);
  });
}

TEST_F(TorusFifo, AnnouncesChangesAtTheirTime) {
  EXPECT_TRUE(device.is_pure_read(BGL_TORUS_BASE + 0x7000));
  EXPECT_TRUE(device.is_pure_read(BGL_TORUS_BASE + BGL_TORUS_GROUP_STRIDE + 0x701C));
  EXPECT_FALSE(device.is_pure_read(BGL_TORUS_BASE + 0x7020));
  EXPECT_FALSE(device.is_pure_read(reception_address(0, 0)));
  run([&] {
    const sc_core::sc_time first = time_of(700), second = time_of(900);
    ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE);
    router.deliver_pattern(3, 1, start + 900);
    router.take(0, start + 700);
    EXPECT_EQ(device.last_change(), sc_core::SC_ZERO_TIME);
    wait(device.changed());
    EXPECT_EQ(sc_core::sc_time_stamp(), first);
    EXPECT_EQ(device.last_change(), first);
    EXPECT_EQ(core.status(0)[kI0], 0);
    wait(device.changed());
    EXPECT_EQ(sc_core::sc_time_stamp(), second);
    EXPECT_EQ(device.last_change(), second);
    EXPECT_EQ(core.status(0)[3], 1);
  });
}

TEST_F(TorusFifo, AnnouncesWhatAnotherCoreDoes) {
  run([&] {
    const auto inject = [&](sc_core::sc_time& when) {
      when = core.now();
      ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE);
      core.delay = sc_core::SC_ZERO_TIME;
    };
    sc_core::sc_time first, second;
    core.status(0);
    sleep_until(50);
    inject(first);
    sleep_until(100);
    core.synchronise();
    EXPECT_EQ(device.last_change(), sc_core::SC_ZERO_TIME) << "only the core itself has ever read a status";

    sleep_until(120);
    inject(first);
    core.number = 1;
    core.status(0);  // at a time before that of the write
    wait(device.changed());
    EXPECT_EQ(sc_core::sc_time_stamp(), first);

    core.number = 0;
    sleep_until(200);
    inject(second);
    wait(device.changed());
    EXPECT_EQ(sc_core::sc_time_stamp(), second);
  });
}

TEST_F(TorusFifo, ShowsEachReaderTheChangesUpToItsTime) {
  run([&] {
    // A core writes a packet and reads one, both at cycle 120; a reader at cycle 50 sees neither.
    router.deliver_pattern(0, 1, start + 10);
    sleep_until(20);
    core.synchronise();
    sleep_until(120);
    ASSERT_EQ(bench.inject(0, 0, fields_to(0, 0, 0, 1)), tlm::TLM_OK_RESPONSE);
    Quad quad{};
    for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(core.read(reception_address(0, 0), quad), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), time_of(20)) << "neither access needs to wait";
    sleep_until(50);
    Quad status = core.status(0);
    EXPECT_EQ(status[0], 1);
    EXPECT_EQ(status[kI0], 0);
    sleep_until(120);
    status = core.status(0);
    EXPECT_EQ(status[0], 0);
    EXPECT_EQ(status[kI0], 1);
    EXPECT_EQ(router.injected.at(0).at, start + 121);
    EXPECT_EQ(router.tokens.at(0).at, start + 121);
  });
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  using namespace toroid;
  testing::InitGoogleTest(&argc, argv);
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < unit.total_test_suite_count(); ++suite) {
    for (int i = 0; i < unit.GetTestSuite(suite)->total_test_count(); ++i) {
      const std::string name = unit.GetTestSuite(suite)->GetTestInfo(i)->name();
      test::benches[name] = std::make_unique<test::FifoBench>(name);
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // every thread comes to its wait
  const int result = RUN_ALL_TESTS();
  test::benches.clear();
  return result;
}
