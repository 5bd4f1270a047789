// SPDX-License-Identifier: Apache-2.0
// Packets through the link protocol: by plain pointers at one node, by sockets at the other.
#include <gtest/gtest.h>

#include <vector>

#include "testbench/shipped.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/latency.h"

namespace toroid {
namespace {

struct Record {
  LinkPhase phase;
  Packet* packet;
  Cycle at;
  unsigned channel;
  unsigned chunks;
};

struct PointerDevice : LinkForward, LinkBackward {
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& p, LinkPhase& phase, sc_core::sc_time&) override {
    records.push_back({phase, p.packet, p.at, p.channel, p.chunks});
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& p, LinkPhase& phase, sc_core::sc_time&) override {
    records.push_back({phase, nullptr, p.at, p.channel, p.chunks});
    return tlm::TLM_ACCEPTED;
  }
  std::vector<Record> records;
};

struct SocketDevice : sc_core::sc_module, PointerDevice {
  explicit SocketDevice(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(static_cast<LinkForward&>(*this));
    out.bind(static_cast<LinkBackward&>(*this));
  }
  LinkTargetSocket in;
  LinkInitiatorSocket out;
};

TEST(LinkProtocol, CarriesPacketsAndTokensBetweenDevicesAndRouters) {
  Wheel wheel;
  TorusNetwork network(wheel, test::shipped_torus(), Topology(Shape::parse("2x2x2")), 1);
  NetworkClock clock("clock", wheel, network.config().clock_mhz);
  PointerDevice first;
  TlmLocalPort port(network.router(0), first, first);
  SocketDevice second("second");
  LinkSocketPort socket_port("socket_port", network.router(1));
  socket_port.to_device.bind(second.in);
  second.out.bind(socket_port.from_device);

  const auto inject = [&](LinkForward& towards, std::uint8_t x, Cycle at) {
    Packet& packet = network.pool().allocate();
    packet.destination = {x, 0, 0};
    packet.channel = BlueGeneLpChannel::bubble;
    LinkPayload payload;
    payload.packet = &packet;
    payload.at = at;
    payload.channel = 1;
    LinkPhase phase = LinkPhase::packet;
    sc_core::sc_time zero;
    towards.nb_transport_fw(payload, phase, zero);
    return &packet;
  };
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Packet* const there = inject(port, 1, 10);
  sc_core::sc_start(10, sc_core::SC_US);
  ASSERT_EQ(first.records.size(), 1u);  // its injection FIFO is free again
  EXPECT_EQ(first.records[0].phase, LinkPhase::tokens);
  EXPECT_EQ(first.records[0].channel, 1u);
  EXPECT_EQ(first.records[0].chunks, 1u);
  EXPECT_EQ(first.records[0].at, 10u + 46);
  ASSERT_EQ(second.records.size(), 1u);
  EXPECT_EQ(second.records[0].packet, there);
  EXPECT_EQ(second.records[0].channel, 1u);
  EXPECT_EQ(second.records[0].at, 10 + zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 1, 1));
  EXPECT_EQ(network.router(1).reception_tokens(1), 31u);
  EXPECT_LE(wheel.now(), cycle_begun(sc_core::sc_time_stamp(), 175) + 4096);

  LinkPayload tokens;
  tokens.at = wheel.now() + 1;
  tokens.channel = 1;
  tokens.chunks = 1;
  LinkPhase phase = LinkPhase::tokens;
  sc_core::sc_time zero;
  second.in->nb_transport_bw(tokens, phase, zero);
  const Cycle start = wheel.now() + 5;
  Packet& back = network.pool().allocate();
  back.destination = {0, 0, 0};
  back.channel = BlueGeneLpChannel::bubble;
  LinkPayload payload;
  payload.packet = &back;
  payload.at = start;
  phase = LinkPhase::packet;
  second.out->nb_transport_fw(payload, phase, zero);
  sc_core::sc_start(100, sc_core::SC_US);  // past how far the wheel has run ahead
  EXPECT_EQ(network.router(1).reception_tokens(1), 32u);
  ASSERT_EQ(first.records.size(), 2u);
  EXPECT_EQ(first.records[1].packet, &back);
  EXPECT_EQ(first.records[1].at, start + zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 1, 1));
  EXPECT_EQ(second.records.back().phase, LinkPhase::tokens);
}

}  // namespace
}  // namespace toroid
