// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/nic/bgp/dma_bench.h"

#include <gtest/gtest.h>

#include <cstring>

#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "testbench/shipped.h"

namespace toroid::test {

std::array<std::uint8_t, 32> Descriptor::bytes() const {
  std::uint32_t words[8] = {};
  words[0] = (prefetch ? BGP_DMA_DESCRIPTOR0_PREFETCH : 0) | (local ? BGP_DMA_DESCRIPTOR0_LOCAL : 0);
  words[1] = counter;
  words[2] = offset;
  words[3] = length;
  words[4] = (torus_encode0(&fields) & ~BGP_DMA_HEADER0_PID0_MASK) | bgp_dma_pid_bits(pid) |
             (direct ? BGP_DMA_HEADER0_DM_MASK : 0);
  words[5] = torus_encode1(&fields);
  words[6] = word2;
  words[7] = word3;
  std::array<std::uint8_t, 32> bytes{};
  for (unsigned i = 0; i < 8; ++i) store_word<std::uint32_t>(bytes.data() + 4 * i, words[i]);
  return bytes;
}

DmaNode::DmaNode(const sc_core::sc_module_name& name, const DmaConfig& config, TorusNetwork& network,
                 std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      memory("memory", kMemory),
      watched("watched", memory),
      arbiter("arbiter", memory, watched, {kBandwidth, kLine, ByteOrder::big}),
      dma("dma", config, network, node, clock),
      bus_("bus"),
      port_("port", network.router(node)) {
  MemoryPort& reads = arbiter.add_master(dma.reader());
  dma.connect_memory(reads, arbiter.add_master(dma.writer()));
  dma.on_fault([this](const DmaFault& fault) { faults.push_back(fault); });
  bus_.bind(dma.bus_in);
  dma.injection_out.bind(port_.from_device);
  port_.to_device.bind(dma.reception_in);
}

void DmaNode::reset() {
  set_dcr(BGP_DMA_DCR_RESET_OFFSET, 0x80000000u);
  for (const unsigned range : {BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET, BGP_DMA_DCR_REC_RANGE_MAX_OFFSET})
    set_dcr(range, (kMemory >> 4) - 1);
  for (unsigned i = 0; i < BGP_DMA_DCR_INJ_FIFO_MAP_COUNT; ++i)
    set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + i, 0xFFFFFFFFu);
  faults.clear();
}

void DmaNode::set_dcr_bit(unsigned offset, unsigned bit, bool value) {
  const std::uint32_t mask = 0x80000000u >> bit;
  set_dcr(offset, value ? dcr(offset) | mask : dcr(offset) & ~mask);
}

void DmaNode::open_injection(unsigned fifo, Ring ring, bool local, bool high) {
  const unsigned group = fifo / 32;
  const unsigned place = fifo % 32 * BGP_DMA_INJ_FIFO_START_STRIDE;
  set_dcr_bit(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET + group, fifo % 32, true);
  set_dcr_bit(BGP_DMA_DCR_INJ_FIFO_LOCAL_OFFSET + group, fifo % 32, local);
  set_dcr_bit(BGP_DMA_DCR_INJ_FIFO_PRIORITY_OFFSET + group, fifo % 32, high);
  set(group, BGP_DMA_INJ_FIFO_START_OFFSET + place, ring.start >> 4);
  set(group, BGP_DMA_INJ_FIFO_END_OFFSET + place, (ring.start + ring.bytes) >> 4);
  set(group, BGP_DMA_INJ_FIFO_HEAD_OFFSET + place, ring.start >> 4);
  set(group, BGP_DMA_INJ_FIFO_TAIL_OFFSET + place, ring.start >> 4);
  set(group, BGP_DMA_INJ_ACTIVATE_OFFSET, 0x80000000u >> fifo % 32);
}

void DmaNode::open_reception(unsigned fifo, Ring ring) {
  const unsigned group = fifo / 8;
  const unsigned place = fifo % 8 * BGP_DMA_REC_FIFO_START_STRIDE;
  set_dcr_bit(BGP_DMA_DCR_REC_FIFO_ENABLE_OFFSET, fifo, true);
  set(group, BGP_DMA_REC_FIFO_START_OFFSET + place, ring.start >> 4);
  set(group, BGP_DMA_REC_FIFO_END_OFFSET + place, (ring.start + ring.bytes) >> 4);
  set(group, BGP_DMA_REC_FIFO_HEAD_OFFSET + place, ring.start >> 4);
  set(group, BGP_DMA_REC_FIFO_TAIL_OFFSET + place, ring.start >> 4);
}

void DmaNode::open_injection_counter(unsigned counter, std::uint32_t base, std::uint32_t value) {
  const unsigned group = counter / 64;
  const unsigned place = counter % 64 * BGP_DMA_INJ_COUNTER_VALUE_STRIDE;
  set(group, BGP_DMA_INJ_COUNTER_VALUE_OFFSET + place, value);
  set(group, BGP_DMA_INJ_COUNTER_BASE_OFFSET + place, base >> 4);
  set(group, BGP_DMA_INJ_COUNTER_ENABLE_OFFSET + counter % 64 / 32 * 4, 0x80000000u >> counter % 32);
}

void DmaNode::open_reception_counter(unsigned counter, std::uint32_t base, std::uint32_t bytes, std::uint32_t value) {
  const unsigned group = counter / 64;
  const unsigned place = counter % 64 * BGP_DMA_REC_COUNTER_VALUE_STRIDE;
  set(group, BGP_DMA_REC_COUNTER_VALUE_OFFSET + place, value);
  set(group, BGP_DMA_REC_COUNTER_BASE_OFFSET + place, base >> 4);
  set(group, BGP_DMA_REC_COUNTER_MAX_OFFSET + place, (base + bytes - 1) >> 4);
  set(group, BGP_DMA_REC_COUNTER_ENABLE_OFFSET + counter % 64 / 32 * 4, 0x80000000u >> counter % 32);
}

void DmaNode::write_descriptor(unsigned fifo, const Descriptor& descriptor) {
  const std::array<std::uint8_t, 32> bytes = descriptor.bytes();
  std::memcpy(at(injection(fifo, BGP_DMA_INJ_FIFO_TAIL_OFFSET) << 4), bytes.data(), bytes.size());
}

void DmaNode::move_tail(unsigned fifo, unsigned descriptors) {
  const std::uint32_t start = injection(fifo, BGP_DMA_INJ_FIFO_START_OFFSET);
  const std::uint32_t end = injection(fifo, BGP_DMA_INJ_FIFO_END_OFFSET);
  std::uint32_t tail = injection(fifo, BGP_DMA_INJ_FIFO_TAIL_OFFSET) + 2 * descriptors;
  if (tail >= end) tail = start + (tail - end);
  set(fifo / 32, BGP_DMA_INJ_FIFO_TAIL_OFFSET + fifo % 32 * 16, tail);
}

void DmaNode::inject(unsigned fifo, const Descriptor& descriptor) {
  write_descriptor(fifo, descriptor);
  move_tail(fifo);
}

bool DmaNode::injection_hit_zero(unsigned counter) const {
  const std::uint32_t word = get(counter / 64, BGP_DMA_INJ_COUNTER_HIT_ZERO_OFFSET + counter % 64 / 32 * 4);
  return (word & 0x80000000u >> counter % 32) != 0;
}

bool DmaNode::reception_hit_zero(unsigned counter) const {
  const std::uint32_t word = get(counter / 64, BGP_DMA_REC_COUNTER_HIT_ZERO_OFFSET + counter % 64 / 32 * 4);
  return (word & 0x80000000u >> counter % 32) != 0;
}

void DmaNode::fill(std::uint32_t address, std::uint32_t bytes, unsigned seed) {
  for (std::uint32_t i = 0; i < bytes; ++i) *at(address + i) = static_cast<std::uint8_t>(i * 7 + (i >> 8) + seed);
}

std::vector<std::uint8_t> DmaNode::bytes(std::uint32_t address, std::uint32_t count) {
  return {at(address), at(address) + count};
}

DmaNode::Answer DmaNode::access(std::uint64_t address, bool write, std::uint32_t value, unsigned size, unsigned core) {
  std::array<std::uint8_t, 32> data{};
  store_word<std::uint32_t>(data.data(), value);
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
  return {payload.get_response_status(), load_word<std::uint32_t>(data.data()), fault.text};
}

DmaConfig DmaMachine::dma_config() {
  return shipped<DmaConfig>("bgp");
}

TorusConfig DmaMachine::torus_config(double bit_error_rate) {
  auto config = shipped<TorusConfig>("bgp");
  config.fifo_groups = 2;
  config.injection_fifos = 4;
  config.reception_depth = dma_config().torus_fifo_depth;
  config.bit_error_rate = bit_error_rate;
  return config;
}

DmaMachine::DmaMachine(const std::string& name, const Options& options)
    : network(wheel, torus_config(options.bit_error_rate), Shape::parse(options.shape), 1),
      clock((name + "_clock").c_str(), wheel, network.config().clock_mhz) {
  if (options.shuffle != 0) wheel.shuffle(options.shuffle);
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node)
    nodes.push_back(
        std::make_unique<DmaNode>((name + std::to_string(node)).c_str(), dma_config(), network, node, clock));
}

void DmaMachine::run() {
  sc_core::sc_start();
  clock.sync_to(sc_core::sc_time_stamp());
  EXPECT_EQ(network.in_flight(), 0u);
  EXPECT_EQ(network.pool().in_use(), 0u) << "packets of the pool are lost";
  for (const auto& node : nodes) EXPECT_EQ(node->dma.in_flight(), 0u);
}

void DmaMachine::run_for(Cycle cycles) {
  run_to(time_of(cycles, clock.mhz()));
}

/// The network runs ahead of what SystemC knows to come, so something must come then, as a core's access would.
void DmaMachine::run_to(sc_core::sc_time delay) {
  alarm_.notify(delay);
  sc_core::sc_start(delay);
}

void DmaMachine::reset() {
  for (const auto& node : nodes) node->reset();
}

void DmaMachine::observe(DmaObserver* observer) {
  for (const auto& node : nodes) node->dma.observe(observer);
}

Descriptor DmaMachine::to(unsigned node, std::uint32_t length) const {
  const Coordinates at = network.topology().coordinates(node);
  Descriptor descriptor;
  descriptor.length = length;
  descriptor.fields.csum_skip = 8;
  descriptor.fields.chunks = static_cast<std::uint8_t>(bgp_dma_packet_chunks(length));
  descriptor.fields.vc = TORUS_VC_BUBBLE;
  for (unsigned i = 0; i < 3; ++i) descriptor.fields.destination[i] = static_cast<std::uint8_t>(at[i]);
  return descriptor;
}

Descriptor DmaMachine::put(unsigned node, unsigned counter, std::uint32_t offset, std::uint32_t length,
                           unsigned to_counter, std::uint32_t to_offset) const {
  Descriptor descriptor = to(node, length);
  descriptor.counter = counter;
  descriptor.offset = offset;
  descriptor.direct = true;
  descriptor.pid = to_counter / 64;
  descriptor.word2 = to_offset;
  descriptor.word3 = bgp_dma_put_word3(to_counter, 0, 0, 0);
  return descriptor;
}

Descriptor DmaMachine::message(unsigned node, unsigned counter, std::uint32_t offset, std::uint32_t length,
                               unsigned pid, unsigned function, std::uint32_t argument) const {
  Descriptor descriptor = to(node, length);
  descriptor.counter = counter;
  descriptor.offset = offset;
  descriptor.pid = pid;
  descriptor.word3 = bgp_dma_fifo_word3(argument, function);
  return descriptor;
}

Descriptor DmaMachine::remote_get(unsigned node, unsigned counter, std::uint32_t offset, unsigned descriptors,
                                  unsigned to_fifo) const {
  Descriptor descriptor = to(node, 32 * descriptors);
  descriptor.counter = counter;
  descriptor.offset = offset;
  descriptor.direct = true;
  descriptor.pid = to_fifo / 32;
  descriptor.word3 = bgp_dma_put_word3(0, 0, BGP_DMA_FLAG_REMOTE_GET, to_fifo);
  return descriptor;
}

}  // namespace toroid::test
