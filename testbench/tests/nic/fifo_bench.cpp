// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/nic/fifo_bench.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "testbench/shipped.h"
#include "torus/torus/link_transport.h"

namespace toroid::test {

RouterDouble::RouterDouble(const sc_core::sc_module_name& name, TorusNetwork& network)
    : sc_module(name), from_device("from_device"), to_device("to_device"), network_(network) {
  from_device.bind(static_cast<LinkForward&>(*this));
  to_device.bind(static_cast<LinkBackward&>(*this));
}

tlm::tlm_sync_enum RouterDouble::nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time&) {
  EXPECT_EQ(phase, LinkPhase::packet);
  EXPECT_EQ(chunks_[payload.channel], 0u) << "a second packet of one FIFO";
  EXPECT_GE(payload.at, network_.wheel().now());
  injected.push_back({payload.packet, payload.channel, payload.at});
  chunks_[payload.channel] = payload.packet->chunks;
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum RouterDouble::nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time&) {
  EXPECT_EQ(phase, LinkPhase::tokens);
  EXPECT_GT(payload.at, network_.wheel().now());
  tokens.push_back({payload.channel, payload.chunks, payload.at});
  return tlm::TLM_ACCEPTED;
}

void RouterDouble::take(unsigned fifo, Cycle at, Cycle say_at) {
  if (say_at == 0) {
    say_taken(fifo, at);
  } else {
    network_.wheel().post(say_at, *this, fifo, static_cast<std::uint32_t>(at - say_at));
  }
}

void RouterDouble::on_event(std::uint32_t fifo, std::uint32_t cycles) {
  say_taken(fifo, network_.wheel().now() + cycles);
}

void RouterDouble::say_taken(unsigned fifo, Cycle at) {
  send_tokens(*from_device[0], fifo, std::exchange(chunks_[fifo], 0), at);
}

void RouterDouble::deliver(Packet& packet, unsigned fifo, Cycle at) {
  send_packet(*to_device[0], packet, fifo, at);
}

void RouterDouble::deliver_pattern(unsigned fifo, unsigned chunks, Cycle at, std::uint8_t first) {
  Packet& packet = network_.pool().allocate(true);
  packet.chunks = static_cast<std::uint8_t>(chunks);
  for (unsigned i = 0; i < BlueGeneLpFamily::kMaxPacketBytes; ++i)
    packet.data[i] = static_cast<std::uint8_t>(first + i);
  deliver(packet, fifo, at);
}

CoreDouble::CoreDouble(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
  SC_HAS_PROCESS(CoreDouble);
  SC_THREAD(work);
}

void CoreDouble::work() {
  for (;;) {
    wait(start_);
    delay = sc_core::SC_ZERO_TIME;
    body_();
    synchronise();
    body_ = nullptr;
  }
}

void CoreDouble::begin(std::function<void()> body) {
  body_ = std::move(body);
  start_.notify(sc_core::SC_ZERO_TIME);
}

void CoreDouble::run(std::function<void()> body) {
  begin(std::move(body));
  sc_core::sc_start();
  EXPECT_TRUE(ended()) << "the body did not end";
}

tlm::tlm_response_status CoreDouble::access(tlm::tlm_command command, std::uint64_t address, void* data,
                                            unsigned bytes) {
  tlm::tlm_generic_payload payload;
  FaultReason fault;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  BusMaster master;
  master.core = number;
  payload.set_extension(&fault);
  payload.set_extension(&master);
  bus->b_transport(payload, delay);
  payload.clear_extension(&master);
  payload.clear_extension(&fault);
  reason = fault.text;
  return payload.get_response_status();
}

tlm::tlm_response_status CoreDouble::write(std::uint64_t address, const Quad& quad) {
  Quad copy = quad;
  return access(tlm::TLM_WRITE_COMMAND, address, copy.data(), 16);
}

tlm::tlm_response_status CoreDouble::read(std::uint64_t address, Quad& quad) {
  return access(tlm::TLM_READ_COMMAND, address, quad.data(), 16);
}

Quad CoreDouble::status(unsigned group, unsigned window) {
  Quad quad{};
  const unsigned offset = group == window ? BGL_TORUS_STATUS_OFFSET : BGL_TORUS_STATUS_OTHER_OFFSET;
  EXPECT_EQ(read(BGL_TORUS_BASE + window * BGL_TORUS_GROUP_STRIDE + offset, quad), tlm::TLM_OK_RESPONSE);
  return quad;
}

void CoreDouble::synchronise() {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

std::uint64_t injection_address(unsigned group, unsigned fifo) {
  return BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE + 0x3000 + 0x1000 * fifo;
}

std::uint64_t reception_address(unsigned group, unsigned fifo) {
  return BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE + (fifo == 6 ? 0x2000 : 0x400 * fifo);
}

std::vector<Quad> make_packet(const torus_fields_t& fields) {
  std::vector<Quad> quads(2 * fields.chunks);
  for (unsigned i = 0; i < quads.size() * 16; ++i) quads[i / 16][i % 16] = static_cast<std::uint8_t>(i);
  const std::uint32_t words[2] = {torus_be32(torus_encode0(&fields)), torus_be32(torus_encode1(&fields))};
  std::memcpy(quads[0].data(), words, sizeof words);
  return quads;
}

torus_fields_t fields_to(std::uint8_t x, std::uint8_t y, std::uint8_t z, unsigned chunks, unsigned group) {
  torus_fields_t fields = {};
  fields.csum_skip = TORUS_CSUM_SKIP_HEADER;
  fields.pid = static_cast<std::uint8_t>(group);
  fields.chunks = static_cast<std::uint8_t>(chunks);
  fields.dynamic = 1;
  fields.destination[0] = x;
  fields.destination[1] = y;
  fields.destination[2] = z;
  return fields;
}

FifoBench::FifoBench(const std::string& name)
    : network(wheel, test::shipped_torus(), Topology(Shape::parse("4x4x2")), 1),
      clock((name + "_clock").c_str(), wheel, 175),
      device((name + "_device").c_str(), shipped<TorusFifoConfig>(), network, kNode, clock),
      router((name + "_router").c_str(), network),
      core((name + "_core").c_str()) {
  core.bus.bind(device.bus_in);
  device.injection_out.bind(router.from_device);
  router.to_device.bind(device.reception_in);
}

tlm::tlm_response_status FifoBench::inject(unsigned group, unsigned fifo, const torus_fields_t& fields) {
  for (const Quad& quad : make_packet(fields)) {
    const tlm::tlm_response_status response = core.write(injection_address(group, fifo), quad);
    if (response != tlm::TLM_OK_RESPONSE) return response;
  }
  return tlm::TLM_OK_RESPONSE;
}

std::uint32_t FifoBench::dcr(unsigned offset) {
  std::uint32_t value = 0;
  std::string reason;
  EXPECT_TRUE(device.read_dcr(BGL_TORUS_DCR_BASE + offset, value, core.delay, reason)) << reason;
  return value;
}

void FifoBench::set_dcr(unsigned offset, std::uint32_t value) {
  std::string reason;
  EXPECT_TRUE(device.write_dcr(BGL_TORUS_DCR_BASE + offset, value, core.delay, reason)) << reason;
}

}  // namespace toroid::test
