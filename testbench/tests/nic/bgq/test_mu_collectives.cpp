// SPDX-License-Identifier: Apache-2.0
//
// Collective packets from descriptors of all nodes to all nodes: results come by puts and in memory FIFOs.
#include <functional>

#include "testbench/tests/nic/bgq/mu_test.h"

namespace toroid::test {
namespace {

constexpr unsigned kClass = 3;
constexpr std::uint32_t kWords = 500;

class MuCollectives : public MuTest {
 protected:
  MuCollectives() {
    const Topology& topology = machine->network.topology();
    Box box;
    box.high = topology.coordinates(topology.nodes() - 1);
    machine->collectives.set_routes(kClass, spanning_routes(topology, box, box.high, ClassType::user_subset));
    for (unsigned number = 0; number < machine->nodes.size(); ++number) {
      for (std::uint32_t i = 0; i < kWords; ++i) node(number).set_word(kSource + 8 * i, word(number, i));
    }
  }
  MuNode& node(unsigned number) { return (*machine)[number]; }
  static std::uint64_t word(unsigned number, std::uint32_t i) { return 0x0101010101010101 * number + i * i; }

  static MuTestDescriptor as_collective(MuTestDescriptor descriptor, unsigned operation, unsigned kind) {
    bgq_descriptor_t what = descriptor.what();
    const bgq_network_t before = descriptor.network();
    what.fifo_map = BGQ_FIFO_MAP_COLLECTIVE_USER;
    bgq_network_t header{};
    header.type = BGQ_TYPE_COLLECTIVE;
    header.operation = static_cast<std::uint8_t>(operation);
    header.word_exponent = 1;
    header.class_route = kClass;
    header.vc = BGQ_VC_USER_SUBCOMM;
    header.collective = static_cast<std::uint8_t>(kind);
    header.mu_type = before.mu_type;
    header.chunks = before.chunks;
    return descriptor.what(what).network(header);
  }
};

TEST_F(MuCollectives, AnAllReduceComesByPuts) {
  for (const auto& each : machine->nodes) {
    each->set_word(kCounter, 8 * kWords);
    each->inject(3, as_collective(machine->put(0, 1, kSource, 8 * kWords, 9, kTarget, 10, kCounter),
                                  BGQ_COLLECTIVE_UNSIGNED_ADD, BGQ_COLLECTIVE_ALLREDUCE));
  }
  machine->run();
  for (const auto& each : machine->nodes) {
    EXPECT_EQ(each->word(kCounter), 0u);
    EXPECT_TRUE(each->faults.empty());
    for (std::uint32_t i = 0; i < kWords; ++i) {
      std::uint64_t sum = 0;
      for (unsigned number = 0; number < machine->nodes.size(); ++number) sum += word(number, i);
      ASSERT_EQ(each->word(kTarget + 8 * i), sum) << i;
    }
  }
}

TEST_F(MuCollectives, ABroadcastComesToMemoryFifos) {
  from.inject(3, as_collective(machine->message(0, 1, kSource, 256, 5), BGQ_COLLECTIVE_OR, BGQ_COLLECTIVE_BROADCAST));
  machine->run();
  for (const auto& each : machine->nodes) {
    const auto packet = each->take_packet(5);
    ASSERT_EQ(packet.size(), 288u);
    EXPECT_EQ(std::vector<std::uint8_t>(packet.begin() + 32, packet.end()), from.bytes(kSource, 256));
  }
}

TEST_F(MuCollectives, HeadersThatNoClassTakes) {
  const auto refused = [&](const std::function<void(bgq_network_t&)>& change, const std::string& why) {
    MuTestDescriptor descriptor =
        as_collective(machine->message(0, 1, kSource, 256, 5), BGQ_COLLECTIVE_OR, BGQ_COLLECTIVE_ALLREDUCE);
    bgq_network_t header = descriptor.network();
    change(header);
    from.open_injection(3, {kRing, 1024});
    from.inject(3, descriptor.network(header));
    machine->run();
    ASSERT_EQ(from.faults.size(), 1u);
    EXPECT_NE(from.faults[0].text.find("bad packet header: " + why + " (MU-N1)"), std::string::npos)
        << from.faults[0].text;
    from.faults.clear();
  };
  refused([](auto& n) { n.class_route = 9; }, "the node takes no part in its class");
  refused([](auto& n) { n.vc = BGQ_VC_USER_COMMWORLD; }, "its virtual channel is not that of the class");
  refused([](auto& n) { n.operation = 3; }, "there is no such opcode");
  MuTestDescriptor descriptor = as_collective(machine->message(0, 1, kSource, 256, 5), 0, BGQ_COLLECTIVE_ALLREDUCE);
  bgq_descriptor_t what = descriptor.what();
  what.fifo_map = BGQ_FIFO_MAP_TORUS;
  from.open_injection(3, {kRing, 1024});
  from.inject(3, descriptor.what(what));
  machine->run();
  ASSERT_EQ(from.faults.size(), 1u);
  EXPECT_EQ(from.faults[0].rule, MuRule::local_fifo);
}

}  // namespace
}  // namespace toroid::test

int sc_main(int argc, char* argv[]) {
  toroid::test::MuMachine::Options options;
  options.shape = "2x2x1x1x2";
  return toroid::test::run_mu_tests(argc, argv, options);
}
