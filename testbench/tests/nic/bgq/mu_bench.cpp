// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/nic/bgq/mu_bench.h"

#include <gtest/gtest.h>

#include <cstring>

#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "testbench/shipped.h"

namespace toroid::test {

MuNode::MuNode(const sc_core::sc_module_name& name, const MuConfig& config, MuTorus& network, std::uint32_t node,
               NetworkClock& clock)
    : sc_module(name),
      memory("memory", kMemory),
      watched("watched", memory),
      arbiter("arbiter", memory, watched, {kBandwidth, kLine, ByteOrder::big}),
      mu("mu", config, network, MuNetworkMap::of_blue_gene_q(), node, clock),
      bus_("bus"),
      port_("port", network.router(node)) {
  for (unsigned port = 0; port < kMuMasters; ++port) mu.connect_memory(port, arbiter.add_master(mu.memory_client()));
  mu.on_fault([this](const MuFault& fault) { faults.push_back(fault); });
  bus_.bind(mu.bus_in);
  mu.injection_out.bind(port_.from_device);
  port_.to_device.bind(mu.reception_in);
}

void MuNode::reset() {
  set_dcr(BGQ_MU_DCR_RESET_OFFSET, ~0ull);
  set_dcr(BGQ_MU_DCR_RESET_OFFSET, 0);
  set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, ~0ull);
  set_dcr(BGQ_MU_DCR_RME_ENABLE_OFFSET, ~0ull);
  for (const unsigned least : {BGQ_MU_DCR_USER_RANGE_MIN_OFFSET, BGQ_MU_DCR_SYSTEM_RANGE_MIN_OFFSET}) set_dcr(least, 0);
  for (const unsigned most : {BGQ_MU_DCR_USER_RANGE_MAX_OFFSET, BGQ_MU_DCR_SYSTEM_RANGE_MAX_OFFSET})
    set_dcr(most, kMemory - 1);
  for (const unsigned enable :
       {BGQ_MU_DCR_MASTER_PORT0_NONCRITICAL_OFFSET, BGQ_MU_DCR_MASTER_PORT1_NONCRITICAL_OFFSET,
        BGQ_MU_DCR_MASTER_PORT2_NONCRITICAL_OFFSET, BGQ_MU_DCR_MCSRAM_NONCRITICAL_OFFSET,
        BGQ_MU_DCR_RCSRAM_NONCRITICAL_OFFSET, BGQ_MU_DCR_RPUTSRAM_NONCRITICAL_OFFSET,
        BGQ_MU_DCR_RME0_NONCRITICAL_OFFSET, BGQ_MU_DCR_RME1_NONCRITICAL_OFFSET, BGQ_MU_DCR_MISC_NONCRITICAL_OFFSET})
    set_dcr(enable, ~0ull);
  faults.clear();
}

void MuNode::open_injection(unsigned fifo, Ring ring, bool gets, bool high, bool system) {
  const std::uint64_t bit = 0x80000000u >> fifo % 32;
  const unsigned place = fifo % 8 * 0x40, group = fifo / 32;
  set_dcr_bits(BGQ_MU_DCR_IMFIFO_SYSTEM_OFFSET + 8 * group, bit, system);
  set_dcr_bits(BGQ_MU_DCR_IMFIFO_RGET_OFFSET + 8 * group, bit, gets);
  const std::uint64_t priority = get(fifo / 8, BGQ_MU_INJ_PRIORITY_OFFSET);
  set(fifo / 8, BGQ_MU_INJ_PRIORITY_OFFSET, high ? priority | bit : priority & ~bit);
  set(fifo / 8, BGQ_MU_INJ_FIFO_START_OFFSET + place, ring.start);
  set(fifo / 8, BGQ_MU_INJ_FIFO_HEAD_OFFSET + place, ring.start);
  set(fifo / 8, BGQ_MU_INJ_FIFO_TAIL_OFFSET + place, ring.start);
  set(fifo / 8, BGQ_MU_INJ_FIFO_SIZE_OFFSET + place, ring.bytes - 1);
  set(fifo / 8, BGQ_MU_INJ_ENABLE_OFFSET, bit);
}

void MuNode::open_reception(unsigned fifo, Ring ring, bool system) {
  const std::uint64_t bit = 0x8000u >> fifo % 16;
  const unsigned place = fifo % 4 * 0x40, group = fifo / 16;
  set_dcr_bits(BGQ_MU_DCR_RMFIFO_SYSTEM_OFFSET + 8 * group, bit, system);
  set(fifo / 4, BGQ_MU_REC_FIFO_START_OFFSET + place, ring.start);
  set(fifo / 4, BGQ_MU_REC_FIFO_HEAD_OFFSET + place, ring.start);
  set(fifo / 4, BGQ_MU_REC_FIFO_TAIL_OFFSET + place, ring.start);
  set(fifo / 4, BGQ_MU_REC_FIFO_SIZE_OFFSET + place, ring.bytes - 1);
  set_dcr_bits(BGQ_MU_DCR_RMFIFO_ENABLE_OFFSET + 8 * group, bit, true);
}

void MuNode::open_base(unsigned number, std::uint64_t value, bool system) {
  const unsigned subgroup = number / 8;
  const unsigned word = subgroup < 64 ? BGQ_MU_DCR_RPUTBASE_SYSTEM0_OFFSET : BGQ_MU_DCR_RPUTBASE_SYSTEM1_OFFSET;
  set_dcr_bits(word, 1ull << (63 - subgroup % 64), system);
  set(subgroup, BGQ_MU_BASE_ADDRESS_OFFSET + number % 8 * 8, value);
}

void MuNode::write_descriptor(unsigned fifo, const MuTestDescriptor& descriptor) {
  std::memcpy(at(injection(fifo, BGQ_MU_INJ_FIFO_TAIL_OFFSET)), descriptor.bytes.data(), descriptor.bytes.size());
}

void MuNode::move_tail(unsigned fifo, unsigned descriptors) {
  const std::uint64_t start = injection(fifo, BGQ_MU_INJ_FIFO_START_OFFSET);
  const std::uint64_t end = start + injection(fifo, BGQ_MU_INJ_FIFO_SIZE_OFFSET) + 1;
  std::uint64_t tail = injection(fifo, BGQ_MU_INJ_FIFO_TAIL_OFFSET) + 64ull * descriptors;
  if (tail >= end) tail = start + (tail - end);
  set(fifo / 8, BGQ_MU_INJ_FIFO_TAIL_OFFSET + fifo % 8 * 0x40, tail);
}

void MuNode::inject(unsigned fifo, const MuTestDescriptor& descriptor) {
  write_descriptor(fifo, descriptor);
  move_tail(fifo);
}

std::vector<std::uint8_t> MuNode::take_packet(unsigned fifo) {
  const std::uint64_t start = reception(fifo, BGQ_MU_REC_FIFO_START_OFFSET);
  const std::uint64_t size = reception(fifo, BGQ_MU_REC_FIFO_SIZE_OFFSET) + 1;
  const std::uint64_t head = reception(fifo, BGQ_MU_REC_FIFO_HEAD_OFFSET);
  if (head == reception(fifo, BGQ_MU_REC_FIFO_TAIL_OFFSET)) return {};
  const auto byte = [&](std::uint64_t i) { return *at(start + (head - start + i) % size); };
  std::vector<std::uint8_t> packet(((byte(8) & 0x1Fu) + 1u) * BGQ_CHUNK_BYTES);
  for (std::size_t i = 0; i < packet.size(); ++i) packet[i] = byte(i);
  set(fifo / 4, BGQ_MU_REC_FIFO_HEAD_OFFSET + fifo % 4 * 0x40, start + (head - start + packet.size()) % size);
  return packet;
}

void MuNode::fill(std::uint32_t address, std::uint32_t bytes, unsigned seed) {
  for (std::uint32_t i = 0; i < bytes; ++i) *at(address + i) = static_cast<std::uint8_t>(i * 7 + (i >> 8) + seed);
}

std::vector<std::uint8_t> MuNode::bytes(std::uint32_t address, std::uint32_t count) {
  return {at(address), at(address) + count};
}

MuNode::Answer MuNode::access(std::uint64_t address, bool write, std::uint64_t value, unsigned size, unsigned core) {
  std::array<std::uint8_t, 64> data{};
  bgq_put(data.data(), 8, value);
  tlm::tlm_generic_payload payload;
  FaultReason fault;
  BusMaster master;
  master.core = core;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_extension(&fault);
  payload.set_extension(&master);
  sc_core::sc_time delay;
  bus_->b_transport(payload, delay);
  payload.clear_extension(&master);
  payload.clear_extension(&fault);
  return {payload.get_response_status(), bgq_get(data.data(), 8), fault.text};
}

MuConfig MuMachine::mu_config() {
  return shipped<MuConfig>("bgq");
}

TorusConfig MuMachine::torus_config(double bit_error_rate) {
  TorusConfig config = shipped_zoned_torus();
  config.bit_error_rate = bit_error_rate;
  return config;
}

MuMachine::MuMachine(const std::string& name, const Options& options)
    : network(wheel, torus_config(options.bit_error_rate), Shape::parse(options.shape), 1),
      collectives(network, shipped<CollectiveConfig>("bgq")),
      clock((name + "_clock").c_str(), wheel, network.config().clock_mhz) {
  if (options.shuffle != 0) wheel.shuffle(options.shuffle);
  MuConfig config = mu_config();
  if (options.change) options.change(config);
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node)
    nodes.push_back(std::make_unique<MuNode>((name + std::to_string(node)).c_str(), config, network, node, clock));
  for (const auto& node : nodes) node->mu.connect_collectives(collectives);
}

void MuMachine::run() {
  sc_core::sc_start();
  clock.sync_to(sc_core::sc_time_stamp());
  EXPECT_EQ(network.in_flight(), 0u);
  EXPECT_EQ(network.pool().in_use(), 0u) << "packets of the pool are lost";
  for (const auto& node : nodes) EXPECT_EQ(node->mu.in_flight(), 0u);
}

/// The network runs ahead of what SystemC knows to come, so something must come then, as a core's access would.
void MuMachine::run_for(Cycle cycles) {
  const sc_core::sc_time delay = time_of(cycles, clock.mhz());
  alarm_.notify(delay);
  sc_core::sc_start(delay);
}

void MuMachine::reset() {
  for (const auto& node : nodes) node->reset();
}

void MuMachine::observe(MuObserver* observer) {
  for (const auto& node : nodes) node->mu.observe(observer);
}

MuTestDescriptor MuMachine::to(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length) const {
  const Coordinates at = network.topology().coordinates(node);
  bgq_descriptor_t what{};
  what.payload = payload;
  what.length = length;
  what.fifo_map = from == node ? BGQ_FIFO_MAP_LOCAL0 | BGQ_FIFO_MAP_LOCAL1 : BGQ_FIFO_MAP_TORUS;
  bgq_network_t header{};
  header.type = BGQ_TYPE_POINT_TO_POINT;
  header.vc = BGQ_VC_DETERMINISTIC;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) header.destination[d] = static_cast<std::uint8_t>(at[d]);
  header.chunks = BGQ_PAYLOAD_CHUNKS;
  header.skip = 8;
  MuTestDescriptor descriptor;
  return descriptor.what(what).network(header);
}

MuTestDescriptor MuMachine::message(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length,
                                    unsigned fifo) const {
  MuTestDescriptor descriptor = to(from, node, payload, length);
  bgq_set_reception_fifo(descriptor.header(), fifo);
  return descriptor;
}

MuTestDescriptor MuMachine::put(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length,
                                unsigned base, std::uint64_t offset, unsigned counter_base,
                                std::uint64_t counter_offset) const {
  MuTestDescriptor descriptor = to(from, node, payload, length);
  bgq_network_t header = descriptor.network();
  header.mu_type = BGQ_MU_PUT;
  descriptor.network(header);
  bgq_set_payload_base(descriptor.header(), base);
  bgq_set_put_offset(descriptor.header(), offset);
  bgq_set_counter_base(descriptor.header(), counter_base);
  bgq_set_counter_offset(descriptor.header(), counter_offset);
  return descriptor;
}

MuTestDescriptor MuMachine::remote_get(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length,
                                       unsigned fifo) const {
  MuTestDescriptor descriptor = to(from, node, payload, length);
  bgq_network_t header = descriptor.network();
  header.mu_type = BGQ_MU_GET;
  descriptor.network(header);
  bgq_set_payload_base(descriptor.header(), fifo);
  return descriptor;
}

}  // namespace toroid::test
