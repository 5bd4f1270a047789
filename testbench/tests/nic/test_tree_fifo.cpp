// SPDX-License-Identifier: Apache-2.0
//
// The tree FIFO device of a node, against the tree network: counts, order, errors, back-pressure, control registers.
// Every test has a machine of its own; all are elaborated first, for a process can elaborate only once.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "nic/bgl/addresses.h"
#include "nic/collective/tree_fifo.h"
#include "testbench/shipped.h"
#include "testbench/tests/nic/fifo_bench.h"
#include "torus/tree/classes.h"

namespace toroid::test {
namespace {

constexpr unsigned kReduction = 0;
constexpr unsigned kBroadcast = 1;
constexpr unsigned kUp = 12;
constexpr TreeAddresses kAddresses{BGL_TREE_BASE, BGL_TREE_DCR_BASE};

/// Two compute nodes and their I/O node, whose packets nobody reads.
struct Machine {
  explicit Machine(const std::string& name)
      : network(wheel, test::shipped<TreeConfig>(), Topology(Shape::parse("2x1x1")), 1),
        clock((name + "_clock").c_str(), wheel, 175),
        core0((name + "_core0").c_str()),
        core1((name + "_core1").c_str()),
        tree0((name + "_tree0").c_str(), kAddresses, network, 0, clock),
        tree1((name + "_tree1").c_str(), kAddresses, network, 1, clock) {
    core0.bus.bind(tree0.bus_in);
    core1.bus.bind(tree1.bus_in);
    const std::vector<bool> members{true, true, false};
    network.set_class(kReduction, tree_reduction_class(network.topology(), members));
    network.set_class(kBroadcast, tree_broadcast_class(network.topology(), members));
  }

  Wheel wheel;
  TreeNetwork network;
  NetworkClock clock;
  CoreDouble core0, core1;
  TreeFifoDevice tree0, tree1;

  CoreDouble& core(unsigned node) { return node == 0 ? core0 : core1; }
  TreeFifoDevice& device(unsigned node) { return node == 0 ? tree0 : tree1; }
};

std::map<std::string, std::unique_ptr<Machine>> machines;

std::uint64_t address(unsigned vc, unsigned offset) {
  return BGL_TREE_BASE + std::uint64_t{vc} * TREE_GROUP_STRIDE + offset;
}

class TreeFifo : public testing::Test {
 protected:
  TreeFifo() : machine(*machines.at(testing::UnitTest::GetInstance()->current_test_info()->name())) {}

  tlm::tlm_response_status write_word(unsigned node, unsigned vc, unsigned offset, std::uint32_t word) {
    std::uint8_t bytes[4];
    for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
    return machine.core(node).access(tlm::TLM_WRITE_COMMAND, address(vc, offset), bytes, 4);
  }
  std::uint32_t read_word(unsigned node, unsigned vc, unsigned offset) {
    std::uint8_t bytes[4] = {};
    response = machine.core(node).access(tlm::TLM_READ_COMMAND, address(vc, offset), bytes, 4);
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
  }
  std::uint32_t status(unsigned node, unsigned vc = 0) { return read_word(node, vc, TREE_STATUS_OFFSET); }
  static unsigned quads_in(std::uint32_t word) { return word >> 24; }
  static unsigned headers_in(std::uint32_t word) { return word >> 16 & 0xF; }
  static unsigned quads_out(std::uint32_t word) { return word >> 8 & 0xFF; }
  static unsigned headers_out(std::uint32_t word) { return word & 0xF; }

  tlm::tlm_response_status write_payload(unsigned node, unsigned vc, unsigned quads, std::uint8_t first) {
    tlm::tlm_response_status worst = tlm::TLM_OK_RESPONSE;
    for (unsigned i = 0; i < quads && worst == tlm::TLM_OK_RESPONSE; ++i) {
      Quad quad;
      quad.fill(static_cast<std::uint8_t>(first + i));
      worst = machine.core(node).write(address(vc, TREE_PAYLOAD_INJECTION_OFFSET), quad);
    }
    return worst;
  }
  tlm::tlm_response_status write_header(unsigned node, unsigned vc, std::uint32_t header) {
    return write_word(node, vc, TREE_HEADER_INJECTION_OFFSET, header);
  }
  void wait_for_headers(unsigned node, unsigned vc, unsigned headers) {
    while (headers_out(status(node, vc)) < headers) machine.core(node).delay += sc_core::sc_time(10, sc_core::SC_NS);
  }
  std::uint32_t read_header(unsigned node, unsigned vc) { return read_word(node, vc, TREE_HEADER_RECEPTION_OFFSET); }
  Quad read_quad(unsigned node, unsigned vc) {
    Quad quad{};
    response = machine.core(node).read(address(vc, TREE_PAYLOAD_RECEPTION_OFFSET), quad);
    return quad;
  }

  Machine& machine;
  tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
};

const std::uint32_t kSend = tree_collective_header(kBroadcast, TREE_NONE, 1, 77);

TEST_F(TreeFifo, SendsWhenHeaderAndPayloadAreThereInWhateverOrder) {
  machine.core(0).run([&] {
    EXPECT_EQ(write_header(0, 0, kSend), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(headers_in(status(0)), 1u);
    for (unsigned i = 0; i < 15; ++i) write_payload(0, 0, 1, static_cast<std::uint8_t>(i));
    EXPECT_EQ(quads_in(status(0)), 15u);
    EXPECT_EQ(machine.network.injected(), 0u);
    write_payload(0, 0, 1, 15);
    EXPECT_EQ(machine.network.injected(), 1u);
    write_payload(0, 0, 16, 100);
    EXPECT_EQ(machine.network.injected(), 1u);
    write_header(0, 0, kSend + (1u << TREE_HEADER_INJECTION_TAG_SHIFT));
    EXPECT_EQ(machine.network.injected(), 2u);
    EXPECT_EQ(headers_in(status(0)), 2u);
  });
  EXPECT_EQ(machine.network.in_flight(), 0u);
  machine.core(1).run([&] {
    wait_for_headers(1, 0, 2);
    EXPECT_EQ(quads_out(status(1)), 32u);
    // Headers and payloads are read each for themselves.
    EXPECT_EQ(tree_header_tag(read_header(1, 0)), 77u);
    EXPECT_EQ(tree_header_tag(read_header(1, 0)), 78u);
    EXPECT_EQ(headers_out(status(1)), 0u);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(read_quad(1, 0)[3], i < 16 ? i : 100 + i - 16);
    EXPECT_EQ(quads_out(status(1)), 0u);
  });
  machine.core(0).run([&] { EXPECT_EQ(status(0), 0u); });
  EXPECT_EQ(machine.network.pool().in_use(), 0u);
}

TEST_F(TreeFifo, EachVirtualChannelShowsTheOthersStatus) {
  machine.core(0).run([&] {
    write_payload(0, 1, 3, 0);
    EXPECT_EQ(quads_in(status(0, 1)), 3u);
    EXPECT_EQ(quads_in(status(0, 0)), 0u);
    EXPECT_EQ(quads_in(read_word(0, 0, TREE_STATUS_OTHER_OFFSET)), 3u);
    EXPECT_EQ(quads_in(read_word(0, 1, TREE_STATUS_OTHER_OFFSET)), 0u);
  });
}

TEST_F(TreeFifo, RefusesWhatDoesNotFit) {
  machine.core(0).run([&] {
    EXPECT_EQ(write_payload(0, 0, 128, 0), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(write_payload(0, 0, 1, 0), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_NE(machine.core(0).reason.find("full tree payload injection FIFO of VC0"), std::string::npos);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(write_header(0, 1, kSend), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(write_header(0, 1, kSend), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_NE(machine.core(0).reason.find("full tree header injection FIFO of VC1"), std::string::npos);
    EXPECT_EQ(quads_in(status(0)), 128u);
    EXPECT_EQ(headers_in(status(0, 1)), 8u);
    std::uint32_t flags = 0;
    std::string reason;
    const unsigned number = BGL_TREE_DCR_BASE + TREE_DCR_INJECTION_EXCEPTION_OFFSET;
    EXPECT_TRUE(machine.device(0).read_dcr(number, flags, machine.core(0).delay, reason));
    EXPECT_EQ(flags,
              TREE_DCR_INJECTION_EXCEPTION_PAYLOAD_OVERFLOW0_MASK | TREE_DCR_INJECTION_EXCEPTION_HEADER_OVERFLOW1_MASK);
    EXPECT_TRUE(machine.device(0).write_dcr(number, flags, machine.core(0).delay, reason));
    EXPECT_TRUE(machine.device(0).read_dcr(number, flags, machine.core(0).delay, reason));
    EXPECT_EQ(flags, 0u);
  });
}

TEST_F(TreeFifo, RefusesReadsOfEmptyFifos) {
  machine.core(0).run([&] {
    read_header(0, 0);
    EXPECT_EQ(response, tlm::TLM_GENERIC_ERROR_RESPONSE);
    read_quad(0, 1);
    EXPECT_EQ(response, tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_NE(machine.core(0).reason.find("empty tree payload reception FIFO of VC1"), std::string::npos);
  });
}

TEST_F(TreeFifo, RefusesAccessesThatNoRegisterTakes) {
  machine.core(0).run([&] {
    Quad quad{};
    std::uint8_t word[4] = {};
    CoreDouble& core = machine.core(0);
    EXPECT_EQ(core.access(tlm::TLM_WRITE_COMMAND, address(0, TREE_PAYLOAD_INJECTION_OFFSET), word, 4),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core.write(address(0, TREE_HEADER_INJECTION_OFFSET), quad), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core.read(address(0, TREE_PAYLOAD_INJECTION_OFFSET), quad), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(write_word(0, 1, TREE_STATUS_OFFSET, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(write_word(0, 0, 0x60, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(write_word(0, 0, TREE_STATUS_OFFSET + 4, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    // Opcodes 4 and 7 do not exist.
    EXPECT_EQ(write_header(0, 0, tree_collective_header(kReduction, 4, 1, 0)), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST_F(TreeFifo, AReaderThatStopsHoldsTheWriterUp) {
  machine.core(0).run([&] {
    // 8 packets in the reception FIFO; then the ways of two links, and the injection FIFO, fill.
    unsigned written = 0;
    for (unsigned i = 0; i < 400; ++i) {
      machine.core(0).delay += sc_core::sc_time(1, sc_core::SC_US);
      if (headers_in(status(0)) == 8) continue;
      EXPECT_EQ(write_payload(0, 0, 16, static_cast<std::uint8_t>(written)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(write_header(0, 0, kSend), tlm::TLM_OK_RESPONSE);
      ++written;
    }
    EXPECT_EQ(written, 8u + machine.network.config().buffer_packets * machine.network.topology().distance(0, 1) + 8u);
  });
  machine.core(1).run([&] {
    for (unsigned packet = 0; packet < 16; ++packet) {
      wait_for_headers(1, 0, 1);
      if (packet % 2 == 0) read_header(1, 0);
      for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(read_quad(1, 0)[0], packet + i);
      if (packet % 2 == 1) read_header(1, 0);  // whichever is read last frees the place
      EXPECT_EQ(response, tlm::TLM_OK_RESPONSE);
    }
  });
}

TEST_F(TreeFifo, CombinesThroughTheRealRegisters) {
  for (unsigned node = 0; node < 2; ++node) {
    machine.core(node).run([&] {
      write_payload(node, 0, 16, static_cast<std::uint8_t>(node == 0 ? 0x81 : 0x7F));
      write_header(node, 0, tree_collective_header(kReduction, TREE_ADD, 1, 5));
    });
  }
  for (unsigned node = 0; node < 2; ++node) {
    machine.core(node).run([&] {
      wait_for_headers(node, 0, 1);
      EXPECT_EQ(tree_header_tag(read_header(node, 0)), 5u);
      const Quad first = read_quad(node, 0);  // 0x8181 + 0x7F7F, modulo 2^16
      EXPECT_EQ(first[0], 0x01);
      EXPECT_EQ(first[1], 0x00);
    });
  }
}

TEST_F(TreeFifo, ControlRegistersShowAndSetClassesAddressAndChecksums) {
  machine.core(0).run([&] {
    TreeFifoDevice& device = machine.device(0);
    sc_core::sc_time& delay = machine.core(0).delay;
    std::string reason;
    std::uint32_t value = 0;
    const auto number = [](unsigned offset) { return BGL_TREE_DCR_BASE + offset; };
    const TreeRouter& router = machine.network.router(0);
    EXPECT_TRUE(device.read_dcr(number(TREE_DCR_CLASSES_OFFSET), value, delay, reason));
    EXPECT_EQ(value, std::uint32_t{router.descriptor(0)} << 16 | router.descriptor(1));
    EXPECT_TRUE(device.write_dcr(number(TREE_DCR_CLASSES_OFFSET + 6), 0xFFFFFFFF, delay, reason));
    EXPECT_EQ(router.descriptor(kUp), 0x7703);
    EXPECT_EQ(router.descriptor(kUp + 1), 0x7703);
    EXPECT_TRUE(device.write_dcr(number(TREE_DCR_NODE_ADDRESS_OFFSET), 0xFF123456, delay, reason));
    EXPECT_EQ(router.address(), 0x123456u);
    EXPECT_TRUE(device.write_dcr(number(TREE_DCR_VC_CONFIGURATION_OFFSET + 1), 0x80000000, delay, reason));
    EXPECT_TRUE(router.accepts_all(1));
    EXPECT_FALSE(router.accepts_all(0));

    write_payload(0, 0, 16, 0);
    write_header(0, 0, tree_collective_header(kReduction, TREE_OR, 1, 0) | 3);
    EXPECT_TRUE(device.read_dcr(number(TREE_DCR_CHECKSUM_OFFSET), value, delay, reason));
    EXPECT_EQ(value, 8u * 0x0101 * 15 * 16 / 2);
    EXPECT_TRUE(device.read_dcr(number(TREE_DCR_FIFO_POINTERS_OFFSET), value, delay, reason));
    EXPECT_EQ(value >> 28, 1u);
    EXPECT_FALSE(device.write_dcr(number(TREE_DCR_CHECKSUM_OFFSET), 0, delay, reason));
    EXPECT_FALSE(device.read_dcr(number(0x0A), value, delay, reason));
    EXPECT_NE(reason.find("of which the tree has none"), std::string::npos);
  });
}

TEST_F(TreeFifo, TellsOfPacketsThatAskForAnInterrupt) {
  machine.core(0).run([&] {
    write_payload(0, 0, 16, 0);
    write_header(0, 0, tree_with_interrupt(kSend));
  });
  machine.core(1).run([&] {
    wait_for_headers(1, 0, 1);
    EXPECT_TRUE(machine.device(1).interrupt_requested(0));
    EXPECT_NE(status(1) & TREE_STATUS_IRQ_MASK, 0u);
    read_header(1, 0);
    EXPECT_EQ(status(1) & TREE_STATUS_IRQ_MASK, 0u);
  });
}

TEST_F(TreeFifo, AnnouncesEachChangeOfAStatusWordWhenItComes) {
  machine.core(0).run([&] {
    write_payload(0, 0, 16, 0);
    write_header(0, 0, kSend);
  });
  // The last thing to change at node 1 is the packet's arrival.
  const Cycle arrived = Cycle{machine.network.config().injection_cycles} +
                        2 * tree_hop_cycles(machine.network.config()) + tree_wire_cycles(machine.network.config()) +
                        machine.network.config().reception_cycles;
  EXPECT_GE(cycle_begun(machine.device(1).last_change(), 175), arrived);
  EXPECT_TRUE(machine.device(1).is_pure_read(address(0, TREE_STATUS_OFFSET)));
  EXPECT_FALSE(machine.device(1).is_pure_read(address(0, TREE_HEADER_RECEPTION_OFFSET)));
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
    const testing::TestSuite& tests = *all.GetTestSuite(suite);
    for (int test = 0; test < tests.total_test_count(); ++test) {
      const std::string name = tests.GetTestInfo(test)->name();
      toroid::test::machines[name] = std::make_unique<toroid::test::Machine>(name);
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  return RUN_ALL_TESTS();
}
