// SPDX-License-Identifier: Apache-2.0
//
// The lockbox of counters as its bus side shows it: against a model with four cores, and what it refuses.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <map>
#include <set>
#include <systemc>

#include "nic/bgp/counter_lockbox.h"
#include "testbench/tests/nic/word_access.h"
#include "torus/base/random.h"

namespace toroid {
namespace {

constexpr std::uint32_t kBase = 0x10000;  // the socket of these tests takes addresses of 32 bits

/// The device and a master that can be any core. SystemC elaborates once: one for all tests.
struct Bench : sc_core::sc_module {
  SC_HAS_PROCESS(Bench);
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name), bus("bus"), lockbox("lockbox", kBase) {
    bus.bind(lockbox.bus_in);
    SC_THREAD(run);
  }

  using Answer = test::WordAnswer;
  Answer access(std::uint32_t offset, bool write, std::uint32_t value = 0, unsigned core = 0, unsigned size = 4) {
    return test::access_word(bus, kBase + offset, write, value, core, size);
  }
  void refused(const Answer& answer, tlm::tlm_response_status status, const char* says) {
    EXPECT_EQ(answer.status, status);
    EXPECT_NE(answer.reason.find(says), std::string::npos) << answer.reason;
  }

  /// Every counter has four addresses of its own.
  void addresses() {
    std::set<std::uint32_t> seen;
    for (unsigned number = 0; number < CounterLockbox::kCounters; ++number) {
      for (const std::uint32_t operation : {0x000u, 0x200u, 0x400u, 0x600u})
        EXPECT_TRUE(seen.insert(CounterLockbox::offset_of(number) + operation).second);
    }
    EXPECT_EQ(*seen.rbegin(), CounterLockbox::kBytes - 4);
  }

  void against_a_model() {
    std::map<unsigned, std::uint32_t> model;
    std::uint64_t random = 16;
    for (unsigned i = 0; i < 100'000; ++i) {
      const unsigned counter = static_cast<unsigned>(next_random(random) % 8 * 147);  // up to 1029
      const unsigned number = counter % CounterLockbox::kCounters;
      const unsigned core = next_random(random) % 4;
      const std::uint32_t at = CounterLockbox::offset_of(number);
      const std::uint32_t before = model[number];
      switch (next_random(random) % 5) {
        case 0:
          EXPECT_EQ(access(at, false, 0, core).value, before);
          break;
        case 1:
          EXPECT_EQ(access(at + 0x200, false, 0, core).value, before);
          model[number] = before + 1;
          break;
        case 2:
          EXPECT_EQ(access(at + 0x400, false, 0, core).value, before);
          model[number] = before - 1;
          break;
        case 3:
          EXPECT_EQ(access(at + 0x600, false, 0, core).value, before);
          model[number] = 0;
          break;
        default:
          model[number] = static_cast<std::uint32_t>(next_random(random));
          EXPECT_TRUE(access(at, true, model[number], core).waited);
      }
    }
  }

  /// A core that polls is told of each change, and of nothing else.
  void changes() {
    EXPECT_TRUE(lockbox.is_pure_read(kBase));
    EXPECT_FALSE(lockbox.is_pure_read(kBase + 0x200));
    EXPECT_FALSE(lockbox.is_pure_read(kBase + CounterLockbox::kBytes));
    access(0, true, 5);
    const sc_core::sc_time changed = lockbox.last_change();
    EXPECT_EQ(changed, sc_core::sc_time_stamp());
    access(0, true, 5);
    EXPECT_EQ(lockbox.last_change(), changed);
    access(0x200, false);
    EXPECT_GT(lockbox.last_change(), changed);
    EXPECT_EQ(lockbox.name_of(kBase + CounterLockbox::offset_of(130)), "lockbox counter 130");
  }

  void refusals() {
    refused(access(0, false, 0, 0, 8), tlm::TLM_BURST_ERROR_RESPONSE, "words of 4 bytes");
    refused(access(2, false), tlm::TLM_BURST_ERROR_RESPONSE, "words of 4 bytes");
    refused(access(CounterLockbox::kBytes, false), tlm::TLM_ADDRESS_ERROR_RESPONSE, "outside");
    refused(access(0x804 + 0x400, true, 1), tlm::TLM_COMMAND_ERROR_RESPONSE, "write to lockbox counter 129");
    EXPECT_EQ(access(0x804, false).value, 0u);
  }

  void run() {
    addresses();
    against_a_model();
    changes();
    refusals();
    done = true;
    sc_core::sc_stop();
  }

  tlm_utils::simple_initiator_socket<Bench, 32> bus;
  CounterLockbox lockbox;
  bool done = false;
};

TEST(CounterLockbox, CountsForAllCores) {
  Bench bench("bench");
  sc_core::sc_start();
  EXPECT_TRUE(bench.done);
}

}  // namespace
}  // namespace toroid
