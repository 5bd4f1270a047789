// SPDX-License-Identifier: Apache-2.0
//
// Stops at packets: a machine's devices name the networks and FIFOs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/debug/packet_breaks.h"

namespace toroid {
namespace {

using Event = PacketWatch::Event;
using Words = std::vector<std::string>;

TEST(PacketBreaks, AMachineWithoutFifosHasNone) {
  PacketBreaks breaks(0, 1);
  EXPECT_EQ(breaks.add({"inject"}), "this machine has no FIFOs of packets\n");
  EXPECT_EQ(breaks.add({"inject", "tree"}), "this machine has no FIFOs of packets\n");
  EXPECT_EQ(breaks.add({}), "no packet breaks\nthis machine has no FIFOs of packets\n");
}

class Named : public testing::Test {
 protected:
  Named() {
    ring_ = breaks_.add_network({"ring", {"out"}, {"left", "right"}, 3});
    star_ = breaks_.add_network({"star", {"up"}, {"down"}, 1});
  }
  std::string add(const Words& words) { return breaks_.add(words); }
  bool wants(unsigned network, Event event, unsigned fifo) const { return breaks_.wants(network, event, fifo); }

  PacketBreaks breaks_{0, 1};
  unsigned ring_, star_;
};

TEST_F(Named, TheNamesAreTold) {
  const std::string use =
      "monitor break inject [out [GROUP]]\nmonitor break receive [left|right [GROUP]]\n"
      "monitor break inject star [up]\nmonitor break receive star [down]\n";
  EXPECT_EQ(add({}), "no packet breaks\n" + use);
  EXPECT_EQ(add({"eject"}), use);
  EXPECT_EQ(add({"inject", "I0"}), "there is no FIFO \"I0\" to inject\n" + use);
  EXPECT_EQ(add({"receive", "left", "3"}), "there is no FIFO group \"3\"; groups are 0 to 2\n");
  EXPECT_EQ(add({"receive", "left", "1", "2"}), "there is no FIFO group \"1\"; groups are 0 to 2\n");
}

TEST_F(Named, WithoutANetworkTheFirstIsMeant) {
  EXPECT_EQ(add({"inject"}), "packet break 1: inject\n");
  EXPECT_TRUE(wants(ring_, Event::injected, 2));
  EXPECT_FALSE(wants(ring_, Event::injected, 3));  // the kernel's own
  EXPECT_FALSE(wants(ring_, Event::received, 0));
  EXPECT_FALSE(wants(star_, Event::injected, 0));
}

TEST_F(Named, AFifoAndAGroupRestrict) {
  EXPECT_EQ(add({"receive", "right", "1"}), "packet break 1: receive right, group 1\n");
  EXPECT_TRUE(wants(ring_, Event::received, 3));
  for (const unsigned fifo : {0u, 1u, 2u, 4u, 5u}) EXPECT_FALSE(wants(ring_, Event::received, fifo)) << fifo;
  EXPECT_EQ(add({"receive", "star", "down"}), "packet break 2: receive star down\n");
  EXPECT_TRUE(wants(star_, Event::received, 0));
  breaks_.on_packet(star_, Event::received, 0, 0, sc_core::SC_ZERO_TIME, "a packet");
  ASSERT_TRUE(breaks_.hit());
  EXPECT_EQ(breaks_.hit()->text, "packet break 2: a packet");
}

}  // namespace
}  // namespace toroid
