// SPDX-License-Identifier: Apache-2.0
//
// The global interrupts of nodes as their bus side shows them: modes, times, changes, and what they refuse.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <systemc>
#include <vector>

#include "nic/bgl/global_interrupt.h"
#include "testbench/shipped.h"
#include "testbench/tests/nic/word_access.h"

namespace toroid {
namespace {

constexpr unsigned kMhz = 175;
constexpr unsigned kNodes = 4;
constexpr std::uint32_t kUser = BGL_GI_GROUP_STRIDE;
constexpr unsigned kOr = 0, kAnd = 1;

constexpr std::uint32_t direct(unsigned channel) {
  return BGL_GI_DIRECT_OFFSET + channel * BGL_GI_DIRECT_STRIDE;
}
constexpr std::uint32_t control(unsigned channel) {
  return BGL_GI_CONTROL_OFFSET + channel * BGL_GI_CONTROL_STRIDE;
}
constexpr std::uint32_t type(unsigned channel) {
  return BGL_GI_TYPE_OFFSET + channel * BGL_GI_TYPE_STRIDE;
}
constexpr std::uint32_t bit(unsigned channel) {
  return 8u >> channel;
}

/// Four nodes and a master that can be any core of any of them. SystemC elaborates once: one for all tests.
struct Bench : sc_core::sc_module {
  SC_HAS_PROCESS(Bench);
  explicit Bench(const sc_core::sc_module_name& name)
      : sc_module(name),
        clock("clock", wheel, kMhz),
        tree(Topology(Shape::parse("4x1x1")), 64),
        network(wheel, test::shipped<GlobalInterruptConfig>(), tree),
        buses("bus", kNodes) {
    for (unsigned node = 0; node < kNodes; ++node) {
      nodes.push_back(
          std::make_unique<GlobalInterruptDevice>(("node" + std::to_string(node)).c_str(), network, node, clock));
      buses[node].bind(nodes.back()->bus_in);
    }
    // What a kernel does before the start.
    for (auto& device : nodes) {
      EXPECT_EQ(device->write(GlobalInterruptDevice::View::system, type(0), kAnd), "");
      EXPECT_EQ(device->write(GlobalInterruptDevice::View::system, BGL_GI_USER_PERMIT_OFFSET, bit(0) | bit(1)), "");
    }
    network.start();
    SC_THREAD(run);
  }

  using Answer = test::WordAnswer;
  Answer access(unsigned node, std::uint32_t offset, bool write, std::uint32_t value = 0, unsigned core = 0,
                unsigned size = 4) {
    const Answer answer = test::access_word(buses[node], BGL_GI_BASE + offset, write, value, core, size);
    EXPECT_TRUE(answer.status != tlm::TLM_OK_RESPONSE || answer.waited);
    return answer;
  }
  void write(unsigned node, std::uint32_t offset, std::uint32_t value) {
    const Answer answer = access(node, offset, true, value);
    EXPECT_EQ(answer.status, tlm::TLM_OK_RESPONSE) << answer.reason;
  }
  std::uint32_t status(unsigned node) { return access(node, kUser + BGL_GI_STATUS_OFFSET, false).value; }
  std::uint32_t field(unsigned node, unsigned shift) { return status(node) >> shift & 0xF; }
  std::uint32_t interrupts(unsigned node) { return field(node, BGL_GI_STATUS_INTERRUPT_SHIFT); }
  std::uint32_t received(unsigned node) { return field(node, BGL_GI_STATUS_RECEIVED_SHIFT); }
  std::uint32_t active(unsigned node) { return field(node, BGL_GI_STATUS_ACTIVE_SHIFT); }
  void settle() { wait(10, sc_core::SC_US); }
  Cycle now() const { return cycle_begun(sc_core::sc_time_stamp(), kMhz); }

  void refused(const Answer& answer, tlm::tlm_response_status response, const char* says) {
    EXPECT_EQ(answer.status, response) << says;
    EXPECT_NE(answer.reason.find(says), std::string::npos) << answer.reason;
  }

  void boot() {
    for (unsigned node = 0; node < kNodes; ++node) {
      EXPECT_EQ(field(node, BGL_GI_STATUS_MODE_SHIFT), bit(0));
      EXPECT_EQ(field(node, BGL_GI_STATUS_TYPE_SHIFT), bit(0));
      EXPECT_EQ(field(node, BGL_GI_STATUS_USER_SHIFT), bit(0) | bit(1));
      EXPECT_EQ(received(node), bit(0));
      EXPECT_EQ(field(node, BGL_GI_STATUS_SENT_SHIFT), bit(0));
      EXPECT_EQ(interrupts(node), 0u);
    }
  }

  void barrier() {
    unsigned told = 0;
    nodes[2]->on_interrupt([&told] { ++told; });
    for (unsigned node = 0; node + 1 < kNodes; ++node) {
      write(node, kUser + control(0), 1);
      settle();
      EXPECT_EQ(active(node), bit(0));
      EXPECT_EQ(interrupts(node), 0u);
    }
    EXPECT_EQ(active(kNodes - 1), 0u);
    EXPECT_EQ(told, 0u);
    write(kNodes - 1, kUser + control(0), 1);
    // To the cycle: at the node that is furthest from the root as at the others.
    const Cycle fired = now();
    const unsigned node = 2;
    const Cycle expected = fired + GlobalInterrupts::latency(test::shipped<GlobalInterruptConfig>(),
                                                             tree.depth(kNodes - 1), tree.depth(node));
    while (now() + 1 < expected) {
      wait(clock.time_of(now() + 1) - sc_core::sc_time_stamp());
      EXPECT_EQ(nodes[node]->status() >> BGL_GI_STATUS_INTERRUPT_SHIFT & 0xF, 0u);
    }
    wait(clock.time_of(expected) - sc_core::sc_time_stamp() - sc_core::sc_time(1, sc_core::SC_NS));
    EXPECT_EQ(interrupts(node), bit(0));
    EXPECT_EQ(now(), expected);
    EXPECT_EQ(nodes[node]->last_change(), clock.time_of(expected));
    settle();
    // The interrupt stays, the level does not.
    for (unsigned i = 0; i < kNodes; ++i) {
      EXPECT_EQ(interrupts(i), bit(0));
      EXPECT_EQ(active(i), 0u);
      EXPECT_EQ(received(i), bit(0));
    }
    EXPECT_EQ(told, 1u);
    for (unsigned i = 0; i < kNodes; ++i) write(i, kUser + control(0), 0);
    for (unsigned i = 0; i < kNodes; ++i) EXPECT_EQ(interrupts(i), 0u);
    EXPECT_EQ(told, 2u);
    nodes[2]->on_interrupt(nullptr);
  }

  /// A firing that is taken back does not count.
  void taken_back() {
    write(0, kUser + control(0), 1);
    settle();
    write(0, kUser + control(0), 0);
    for (unsigned node = 1; node < kNodes; ++node) write(node, kUser + control(0), 1);
    settle();
    for (unsigned node = 0; node < kNodes; ++node) EXPECT_EQ(interrupts(node), 0u);
    write(0, kUser + control(0), 1);
    settle();
    for (unsigned node = 0; node < kNodes; ++node) {
      EXPECT_EQ(interrupts(node), bit(0));
      write(node, kUser + control(0), 0);
    }
  }

  /// OR: one fires, all are told, and the channel is idle again by itself.
  void notification() {
    for (unsigned node = 0; node < kNodes; ++node) write(node, kUser + type(1), kOr);
    settle();
    write(2, kUser + control(1), 1);
    EXPECT_EQ(active(2), bit(1));
    settle();
    for (unsigned node = 0; node < kNodes; ++node) {
      EXPECT_EQ(interrupts(node), bit(1));
      EXPECT_EQ(active(node), 0u);
      EXPECT_EQ(received(node), bit(0));
      write(node, kUser + control(1), 0);
    }
  }

  void direct_mode() {
    write(1, kUser + direct(1), 1);
    EXPECT_EQ(field(1, BGL_GI_STATUS_MODE_SHIFT), bit(0));
    EXPECT_EQ(field(1, BGL_GI_STATUS_SENT_SHIFT), bit(0) | bit(1));
    settle();
    EXPECT_EQ(received(3), bit(0) | bit(1));
    EXPECT_EQ(interrupts(3), bit(1));  // a sticky one for OR still
    EXPECT_EQ(interrupts(1), 0u);
    write(1, kUser + direct(1), 0);
    settle();
    EXPECT_EQ(received(3), bit(0));
    write(3, BGL_GI_RESET_OFFSET, bit(1));
    EXPECT_EQ(interrupts(3), 0u);
    EXPECT_EQ(field(3, BGL_GI_STATUS_MODE_SHIFT), bit(0));
    // A node that takes no part in an AND sends 0.
    write(3, direct(0), 0);
    for (unsigned node = 0; node < 3; ++node) write(node, kUser + control(0), 1);
    settle();
    for (unsigned node = 0; node < 3; ++node) EXPECT_NE(interrupts(node) & bit(0), 0u);
  }

  void diagnostic_mode() {
    write(0, direct(2), 1);
    settle();
    EXPECT_TRUE(nodes[1]->is_pure_read(BGL_GI_BASE + kUser));
    EXPECT_FALSE(nodes[1]->is_pure_read(BGL_GI_BASE + kUser + BGL_GI_TYPE_OFFSET));
    for (unsigned node = 0; node < kNodes; ++node) {
      write(node, BGL_GI_READ_MODE_OFFSET, 1);
      bool below = false;
      for (std::uint32_t at = 0; at != kNoNode; at = tree.parent(at)) below |= at == node;
      EXPECT_EQ(field(node, BGL_GI_STATUS_USER_SHIFT) & bit(2), below ? bit(2) : 0) << node;
      EXPECT_NE(status(node) & BGL_GI_STATUS_READ_MODE_MASK, 0u);
      EXPECT_FALSE(nodes[node]->is_pure_read(BGL_GI_BASE));
      write(node, BGL_GI_READ_MODE_OFFSET, 0);
    }
  }

  void refusals() {
    EXPECT_EQ(status(0) & (BGL_GI_STATUS_CORE0_ERROR_MASK | BGL_GI_STATUS_CORE1_ERROR_MASK), 0u);
    refused(access(0, kUser + control(2), true, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE, "channel 2, which the kernel");
    refused(access(0, kUser + BGL_GI_RESET_OFFSET, true, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE, "only the system view");
    refused(access(0, kUser + 0x70, true, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE, "no register");
    refused(access(0, kUser + 0x100, false), tlm::TLM_ADDRESS_ERROR_RESPONSE, "no register");
    refused(access(0, kUser + direct(1), false), tlm::TLM_COMMAND_ERROR_RESPONSE, "only be written");
    refused(access(0, kUser + control(0), true, 2), tlm::TLM_GENERIC_ERROR_RESPONSE, "write of 2");
    refused(access(0, BGL_GI_USER_PERMIT_OFFSET, true, 16), tlm::TLM_GENERIC_ERROR_RESPONSE, "0 to 15");
    refused(access(0, control(2), true, 1), tlm::TLM_GENERIC_ERROR_RESPONSE, "write its type first");
    refused(access(0, kUser, false, 0, 0, 8), tlm::TLM_BURST_ERROR_RESPONSE, "words of 4 bytes");
    EXPECT_EQ(status(0) & BGL_GI_STATUS_CORE1_ERROR_MASK, 0u);
    EXPECT_NE(status(0) & BGL_GI_STATUS_CORE0_ERROR_MASK, 0u);
    refused(access(0, kUser + control(2), true, 1, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE, "channel 2");
    EXPECT_NE(status(0) & BGL_GI_STATUS_CORE1_ERROR_MASK, 0u);
  }

  void run() {
    boot();
    barrier();
    taken_back();
    notification();
    direct_mode();
    diagnostic_mode();
    refusals();
    done = true;
  }

  Wheel wheel;
  NetworkClock clock;
  TreeTopology tree;
  GlobalInterrupts network;
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Bench, 32>> buses;
  std::vector<std::unique_ptr<GlobalInterruptDevice>> nodes;
  bool done = false;
};

TEST(GlobalInterruptDevice, ShowsWhatTheNodesDo) {
  Bench bench("bench");
  sc_core::sc_start();
  EXPECT_TRUE(bench.done);
}

}  // namespace
}  // namespace toroid
