// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/describe.h"

#include <algorithm>
#include <stdexcept>

#include "hw/isa/ppc32/ppc32.h"

namespace toroid {

namespace {

constexpr std::uint32_t kKibibyte = 1u << 10;
constexpr std::uint64_t kMebibyte = 1u << 20;

unsigned count(const Parameters& p, const char* name, std::uint64_t minimum, std::uint64_t maximum) {
  return static_cast<unsigned>(p.count(name, minimum, maximum));
}

TorusConfig torus_config(const Parameters& p) {
  TorusConfig torus;
  torus.clock_mhz = count(p, "torus.clock", 1, 100'000);
  torus.link_bytes_per_cycle = count(p, "torus.link_bytes_per_cycle", 1, 64);
  torus.wire_overhead = count(p, "torus.wire_overhead", 0, 256);
  torus.receiver_cycles = count(p, "torus.receiver_cycles", 0, 10'000);
  torus.arbiter_cycles = count(p, "torus.arbiter_cycles", 0, 10'000);
  torus.sender_cycles = count(p, "torus.sender_cycles", 0, 10'000);
  torus.link_cycles = count(p, "torus.link_cycles", 1, 10'000);
  torus.injection_cycles = count(p, "torus.injection_cycles", 1, 10'000);
  torus.reception_cycles = count(p, "torus.reception_cycles", 1, 10'000);
  torus.buffer_chunks = count(p, "torus.buffer_chunks", 1, 255);
  torus.bubble_chunks = count(p, "torus.bubble_chunks", 0, 255);
  torus.fullness_cycles = count(p, "torus.fullness_cycles", 0, 255);
  torus.random_cycles = count(p, "torus.random_cycles", 0, 255);
  torus.priority_injection = count(p, "torus.priority_injection", 0, 31);
  torus.retransmit_timeout = count(p, "torus.retransmit_timeout", 1, 65'535);
  torus.resend_packets = count(p, "torus.resend_packets", 1, 127);
  torus.bit_error_rate = p.number("torus.bit_error_rate");
  torus.stuck_after = Cycle{p.count("torus.stuck_after", 1, 1'000'000'000'000)};
  torus.reception_depth = count(p, "torus_fifo.depth", 8, 255);
  return torus;
}

TreeConfig tree_config(const Parameters& p) {
  TreeConfig tree;
  tree.nodes_per_io_node = count(p, "tree.nodes_per_io_node", 1, 1u << 24);
  tree.link_bytes_per_cycle = count(p, "tree.link_bytes_per_cycle", 1, 64);
  tree.wire_overhead = count(p, "tree.wire_overhead", 0, 256);
  tree.receiver_cycles = count(p, "tree.receiver_cycles", 0, 10'000);
  tree.arbiter_cycles = count(p, "tree.arbiter_cycles", 0, 10'000);
  tree.alu_cycles = count(p, "tree.alu_cycles", 0, 10'000);
  tree.sender_cycles = count(p, "tree.sender_cycles", 0, 10'000);
  tree.link_cycles = count(p, "tree.link_cycles", 1, 10'000);
  tree.injection_cycles = count(p, "tree.injection_cycles", 1, 10'000);
  tree.reception_cycles = count(p, "tree.reception_cycles", 1, 10'000);
  tree.buffer_packets = count(p, "tree.buffer_packets", 1, 255);
  tree.fifo_packets = count(p, "tree.fifo_packets", 8, 15);  // drivers fill eight (drivers/bgl/tree.h)
  tree.bit_error_rate = p.number("tree.bit_error_rate");
  tree.nack_timeout = count(p, "tree.nack_timeout", 1, 65'535);
  tree.retry_packets = count(p, "tree.retry_packets", 1, 63);
  tree.stuck_after = Cycle{p.count("tree.stuck_after", 1, 1'000'000'000'000)};
  return tree;
}

GlobalInterruptConfig global_interrupt_config(const Parameters& p) {
  GlobalInterruptConfig config;
  config.wire_cycles = static_cast<unsigned>(p.count("global_interrupts.wire_cycles", 1, 10'000));
  config.node_cycles = static_cast<unsigned>(p.count("global_interrupts.node_cycles", 2, 10'000));
  return config;
}

ppc32::PipelineConfig pipeline_config(const Parameters& p) {
  const auto cycles = [&p](const char* name) { return static_cast<unsigned>(p.count(name, 0, 200)); };
  ppc32::PipelineConfig pipeline;
  pipeline.load_latency = cycles("core.load_latency");
  pipeline.float_load_latency = cycles("core.float_load_latency");
  pipeline.multiply_latency = cycles("core.multiply_latency");
  pipeline.multiply_short_latency = cycles("core.multiply_short_latency");
  pipeline.divide_cycles = cycles("core.divide_cycles");
  pipeline.compare_latency = cycles("core.compare_latency");
  pipeline.move_to_cr_latency = cycles("core.move_to_cr_latency");
  pipeline.move_to_branch_latency = cycles("core.move_to_branch_latency");
  pipeline.move_from_special_latency = cycles("core.move_from_special_latency");
  pipeline.float_latency = cycles("core.float_latency");
  pipeline.float_compare_latency = cycles("core.float_compare_latency");
  pipeline.float_divide_cycles = cycles("core.float_divide_cycles");
  pipeline.float_divide_single_cycles = cycles("core.float_divide_single_cycles");
  pipeline.synchronise_cycles = cycles("core.synchronise_cycles");
  pipeline.branch_taken = cycles("core.branch_taken");
  pipeline.branch_conditional = cycles("core.branch_conditional");
  return pipeline;
}

MemoryConfig memory_config(const Parameters& p) {
  MemoryConfig memory;
  memory.l1_bytes = count(p, "cache.l1_size", 1, 65536) * kKibibyte;
  memory.l1_ways = count(p, "cache.l1_ways", 1, 128);
  memory.load_misses = count(p, "cache.load_misses", 1, 128);
  memory.line_fills = count(p, "cache.line_fills", 1, 128);
  memory.write_back_cycles = count(p, "cache.write_back_cycles", 0, 10000);
  memory.flush_line_cycles = count(p, "cache.flush_line_cycles", 0, 10000);
  memory.l2_bytes = count(p, "cache.l2_size", 1, 65536) * kKibibyte;
  memory.l2_latency = count(p, "cache.l2_latency", 0, 10000);
  memory.l2_streams = count(p, "cache.l2_streams", 1, 128);
  memory.l2_depth = count(p, "cache.l2_depth", 0, 128);
  memory.l2_line_cycles = count(p, "cache.l2_line_cycles", 0, 10000);
  memory.l3_bytes = count(p, "cache.l3_size", 1, 65536) * kKibibyte;
  memory.l3_ways = count(p, "cache.l3_ways", 1, 128);
  memory.l3_latency = count(p, "cache.l3_latency", 0, 10000);
  memory.memory_latency = count(p, "cache.memory_latency", 0, 10000);
  return memory;
}

CoreConfig core_config(const Parameters& p) {
  CoreConfig core;
  core.clock_mhz = static_cast<unsigned>(p.count("core.clock", 1, 100'000));
  core.quantum = CoreCycle{p.count("core.quantum", 1, 1'000'000'000)};
  core.isa = ppc32::make_isa(pipeline_config(p));
  core.memory = memory_config(p);
  core.outstanding_reads = static_cast<unsigned>(p.count("device.outstanding_reads", 1, kMaxOutstandingReads));
  return core;
}

DeviceCost device_cost(const Parameters& p, const char* read_latency, const char* write) {
  return {CoreCycle{p.count(read_latency, 0, 1'000'000)}, CoreCycle{p.count(write, 0, 1'000'000)}};
}

/// Of a number of bytes a core cycle.
std::uint64_t bytes_per_second(const Parameters& p, const char* name) {
  const double bytes = p.number(name);
  if (!(bytes >= 0.001 && bytes <= 1e6))
    throw ConfigurationError(std::string(name) + " must be 0.001 to 1000000 bytes/cycle");
  return static_cast<std::uint64_t>(bytes * 1e6 * static_cast<double>(p.count("core.clock", 1, 100'000)));
}

/// I/O nodes are made of the same chip: their cores take for a packet what a compute node's take.
IoNodeConfig io_node_config(const Parameters& p, const BglConfig& machine) {
  constexpr unsigned kPacketReads = BGL_TREE_PAYLOAD_QUADS;
  const CoreConfig& core = machine.chip.core;
  const DeviceCost& access = machine.chip.tree_access;
  const auto cycles = [&](CoreCycle of_core) {
    return std::max(Cycle{1}, in_cycles_of<Cycle>(of_core, core.clock_mhz, machine.torus.clock_mhz));
  };
  const unsigned rounds = (kPacketReads + core.outstanding_reads - 1) / core.outstanding_reads;
  IoNodeConfig io_node;
  io_node.receive_cycles = cycles(access.read_latency * (2 + rounds));  // status, header, payload
  io_node.send_cycles = cycles(access.read_latency + access.write * (kPacketReads + 1));
  io_node.service_cycles = std::max(
      Cycle{1}, Cycle{(p.count("io.service_time", 0, 100'000'000'000'000) * machine.torus.clock_mhz + 999) / 1000});
  const double byte_ns = p.number("io.byte_time");
  if (!(byte_ns >= 0 && byte_ns <= 1e6)) throw ConfigurationError("io.byte_time must be 0 to 1000000 ns");
  io_node.cycles_per_byte = byte_ns * machine.torus.clock_mhz / 1000;
  return io_node;
}

}  // namespace

BglConfig describe(const Parameters& parameters) {
  BglConfig machine;
  machine.torus = torus_config(parameters);
  machine.tree = tree_config(parameters);
  machine.global_interrupts = global_interrupt_config(parameters);
  machine.chip.core = core_config(parameters);
  machine.chip.torus_fifo.depth = machine.torus.reception_depth;
  machine.chip.torus_access = device_cost(parameters, "device.read_latency", "device.write_quad");
  machine.chip.tree_access = machine.chip.torus_access;
  machine.io_node = io_node_config(parameters, machine);
  machine.chip.sram_access = device_cost(parameters, "sram.read_latency", "sram.write");
  machine.chip.lockbox_access = device_cost(parameters, "lockbox.read_latency", "lockbox.write");
  machine.chip.global_interrupt_access =
      device_cost(parameters, "global_interrupts.read_latency", "global_interrupts.write");
  machine.chip.memory_bytes_per_second = bytes_per_second(parameters, "memory.bandwidth");
  machine.chip.memory_bytes = parameters.count("node.memory_size", 16, 2048) * kMebibyte;
  machine.stack_bytes = static_cast<std::uint32_t>(parameters.count("node.stack_size", 1, 1024) * kMebibyte);
  machine.epoch = parameters.count("node.epoch", 0, 0xFFFF'FFFF);
  machine.system_call_cycles = CoreCycle{parameters.count("core.cost_system_call", 0, 1'000'000)};
  machine.interrupt_cycles = CoreCycle{parameters.count("core.cost_interrupt", 0, 1'000'000)};
  parameters.require_all_used();
  try {
    machine.torus.validate(kRouterFamily<BglFamily>);
    machine.tree.validate();
    machine.chip.torus_fifo.validate();
    machine.chip.core.memory.validate();
  } catch (const std::invalid_argument& error) {
    throw ConfigurationError(error.what());
  }
  return machine;
}

}  // namespace toroid
