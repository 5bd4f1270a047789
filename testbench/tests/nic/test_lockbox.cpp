// SPDX-License-Identifier: Apache-2.0
//
// The lockbox and the SRAM as their bus side shows them: values, times, changes, and what they refuse.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <systemc>

#include "hw/memory/sram.h"
#include "nic/bgl/lockbox.h"
#include "nic/bgl/sram_regs.h"
#include "testbench/tests/nic/word_access.h"

namespace toroid {
namespace {

constexpr std::uint32_t at_lock(unsigned lock, std::uint32_t offset) {
  return BGL_LOCKBOX_BASE + lock * BGL_LOCKBOX_GROUP_STRIDE + offset;
}

/// Both devices and a master that can be any core. SystemC elaborates once: one for all tests.
struct Bench : sc_core::sc_module {
  SC_HAS_PROCESS(Bench);
  explicit Bench(const sc_core::sc_module_name& name)
      : sc_module(name),
        to_lockbox("to_lockbox"),
        to_sram("to_sram"),
        lockbox("lockbox"),
        sram("sram", BGL_SRAM_BASE, BGL_SRAM_DATA_BYTES) {
    to_lockbox.bind(lockbox.bus_in);
    to_sram.bind(sram.bus);
    SC_THREAD(run);
  }

  using Answer = test::WordAnswer;
  Answer access(std::uint32_t address, bool write, std::uint32_t value = 0, unsigned core = 0, unsigned size = 4) {
    return test::access_word(address >= BGL_SRAM_BASE ? to_sram : to_lockbox, address, write, value, core, size);
  }
  std::uint32_t read(std::uint32_t address, unsigned core = 0) { return access(address, false, 0, core).value; }
  void write(std::uint32_t address, std::uint32_t value, unsigned core = 0) { access(address, true, value, core); }
  void refused(const Answer& answer, tlm::tlm_response_status status, const char* says) {
    EXPECT_EQ(answer.status, status);
    EXPECT_NE(answer.reason.find(says), std::string::npos) << answer.reason;
  }

  void locks() {
    EXPECT_EQ(read(at_lock(5, 0)), 0u);  // won
    EXPECT_EQ(read(at_lock(5, 0), 1), 1u);
    EXPECT_EQ(read(at_lock(5, 4), 1), 1u);
    EXPECT_EQ(read(at_lock(6, 4), 1), 0u);
    EXPECT_EQ(read(at_lock(6, 4)), 0u);  // a query takes nothing
    write(at_lock(5, 0), 0);
    EXPECT_EQ(read(at_lock(5, 4)), 0u);
    write(at_lock(5, 0), 1);
    EXPECT_EQ(read(at_lock(5, 0), 1), 1u);
    EXPECT_TRUE(access(at_lock(127, 4), false).waited);
  }

  void barriers() {
    const std::uint32_t barrier = at_lock(16, 8);
    for (unsigned round = 0; round < 4; ++round) {
      const unsigned first = round % 2;
      write(barrier, 0, first);
      EXPECT_EQ(read(barrier, first), 1u);
      EXPECT_EQ(read(barrier, 1 - first), 0u);
      write(barrier, 0, 1 - first);
      EXPECT_EQ(read(barrier, 1 - first), 0u);
      EXPECT_EQ(read(barrier, first), 0u);
    }
  }

  void refusals() {
    refused(access(at_lock(1, 0), false, 0, 0, 8), tlm::TLM_BURST_ERROR_RESPONSE, "words of 4 bytes");
    refused(access(at_lock(1, 2), false), tlm::TLM_BURST_ERROR_RESPONSE, "words of 4 bytes");
    refused(access(at_lock(128, 0), false), tlm::TLM_ADDRESS_ERROR_RESPONSE,
            "lock 128; user software has locks 0 to 127");
    refused(access(at_lock(1, 12), false), tlm::TLM_ADDRESS_ERROR_RESPONSE, "no register");
    refused(access(at_lock(9, 8), true), tlm::TLM_ADDRESS_ERROR_RESPONSE, "multiple of 8");
    refused(access(at_lock(1, 4), true), tlm::TLM_COMMAND_ERROR_RESPONSE, "only be read");
    refused(access(at_lock(1, 0), true, 2), tlm::TLM_GENERIC_ERROR_RESPONSE, "write of 2");
    refused(access(at_lock(8, 8), true, 1), tlm::TLM_GENERIC_ERROR_RESPONSE, "takes 0");
    refused(access(BGL_SRAM_BASE + 2, false), tlm::TLM_BURST_ERROR_RESPONSE, "aligned");
    refused(access(BGL_SRAM_BASE, false, 0, 0, 3), tlm::TLM_BURST_ERROR_RESPONSE, "1, 2, 4, 8 or 16 bytes");
    refused(access(BGL_SRAM_BASE, false, 0, 0, 32), tlm::TLM_BURST_ERROR_RESPONSE, "1, 2, 4, 8 or 16 bytes");
  }

  void sram_words() {
    const std::uint32_t last = BGL_SRAM_BASE + (BGL_SRAM_DATA_BYTES - 4);
    EXPECT_EQ(read(last), 0u);
    write(last, 0x1234'5678);
    EXPECT_EQ(read(last, 1), 0x1234'5678u);
    EXPECT_EQ(access(last, false, 0, 0, 1).value >> 24, 0x12u);
    EXPECT_TRUE(access(last, false).waited);
    EXPECT_TRUE(access(last, true).waited);
  }

  /// A change is announced for its own time, and what is none is not.
  void changes() {
    write(BGL_SRAM_BASE, 1);
    EXPECT_EQ(sram.last_change(), sc_core::sc_time_stamp());
    const sc_core::sc_time then = sc_core::sc_time_stamp();
    write(BGL_SRAM_BASE, 1);
    EXPECT_EQ(sram.last_change(), then);
    write(at_lock(40, 0), 0);
    const sc_core::sc_time before = lockbox.last_change();
    read(at_lock(40, 4));
    EXPECT_EQ(lockbox.last_change(), before);
    read(at_lock(40, 0));
    EXPECT_EQ(lockbox.last_change(), sc_core::sc_time_stamp());
    EXPECT_TRUE(sram.is_pure_read(BGL_SRAM_BASE + 0x3FFF));
    EXPECT_FALSE(sram.is_pure_read(BGL_SRAM_BASE - 1));
    EXPECT_TRUE(lockbox.is_pure_read(at_lock(3, 4)));
    EXPECT_TRUE(lockbox.is_pure_read(at_lock(8, 8)));
    EXPECT_FALSE(lockbox.is_pure_read(at_lock(3, 0)));
  }

  void run() {
    locks();
    barriers();
    refusals();
    sram_words();
    changes();
    finished = true;
  }

  tlm_utils::simple_initiator_socket<Bench, 32> to_lockbox;
  tlm_utils::simple_initiator_socket<Bench, 32> to_sram;
  LockboxDevice lockbox;
  Sram sram;
  bool finished = false;
};

TEST(SharedDevices, DoWhatTheirRegistersSay) {
  Bench bench("bench");
  sc_core::sc_start();
  EXPECT_TRUE(bench.finished);
}

}  // namespace
}  // namespace toroid
