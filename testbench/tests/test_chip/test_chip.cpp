// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/test_chip/test_chip.h"

#include "hw/kernel/abi/abi.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/report.h"

namespace toroid::test_chip {
namespace {

constexpr std::uint32_t kMemoryLine = 128;  // after which bus masters take turns

MemoryArbiterConfig arbiter_config(const Config& config) {
  const double bytes_per_second = config.memory.bytes_per_cycle * 1e6 * config.core.clock_mhz;
  return {static_cast<std::uint64_t>(bytes_per_second), kMemoryLine, config.core.isa->byte_order()};
}

}  // namespace

void Config::visit_parameters(ParameterVisitor& visitor) {
  kernel.visit_parameters(visitor);
  core.visit_parameters(visitor);
  issue.visit_parameters(visitor);
  reservation.visit_parameters(visitor);
  memory.visit_parameters(visitor);
  register_access.visit_parameters(visitor, "copier.read_latency", "copier.write");
  watched_access.visit_parameters(visitor, "watched.read_latency", "watched.write");
  copier.visit_parameters(visitor);
}

TestNode::TestNode(const sc_core::sc_module_name& name, const Config& config, IoService& io)
    : sc_module(name),
      memory_("memory", config.memory.bytes),
      watched_("watched_memory", memory_),
      arbiter_("memory_arbiter", memory_, watched_, arbiter_config(config)),
      groups_(kCores / config.issue.threads, IssueGroup(config.kernel.cores_apart)),
      bus_("bus", {{"memory", 0, config.memory.bytes}, {"copier", COPIER_BASE, COPIER_BYTES}}),
      copier_("copier", config.copier, config.core.isa->byte_order()),
      io_(io) {
  bus_.out(0).bind(watched_.bus);
  bus_.out(1).bind(copier_.bus);
  copier_.connect_memory(arbiter_.add_master(copier_));
  CoreConfig core_config = config.core;
  core_config.threads = config.issue.threads;
  core_config.reservation_bytes = config.reservation.bytes;
  for (unsigned number = 0; number < kCores; ++number) {
    cores_[number] = std::make_unique<Core>(("core" + std::to_string(number)).c_str(), core_config, memory_, number);
    Core& core = *cores_[number];
    if (config.issue.threads > 1) core.set_issue_group(groups_[number / config.issue.threads]);
    core.bus.bind(bus_.in);
    core.set_interrupt_line(copier_);
    core.set_watched_memory(watched_, config.watched_access);
    core.set_memory_readers(readers_);
    arbiter_.observe(core);
    core.add_device(COPIER_BASE, COPIER_BYTES, &copier_, config.register_access);
  }
}

void TestNode::on_device_fault(unsigned, std::function<void(const std::string& what)> kill) {
  copier_.on_fault(std::move(kill));
}

TestHardware::TestHardware(const Config& config, const BuildRequest& request, JobDirectory& directory,
                           OutputSink& output)
    : topology_(request.topology), io_(directory, output), nodes_(topology_.nodes()) {
  for (const std::uint32_t node : request.nodes)
    nodes_[node] = std::make_unique<TestNode>(("node" + std::to_string(node)).c_str(), config, io_);
}

MachineReport TestHardware::report(const Job&, Ending) const {
  std::uint64_t done = 0, not_done = 0;
  for (const std::unique_ptr<TestNode>& node : nodes_) {
    if (node == nullptr) continue;
    done += node->copier().done();
    not_done += node->copier().not_done();
  }
  MachineReport report;
  report.sections["copier"] = {{"done", done}, {"not_done", not_done}};
  return report;
}

TestModel::TestModel(const char* name, const Config& config, const Abi& abi, const std::vector<ProcessMode>& modes)
    : name_(name), config_(config), abi_(abi), modes_(modes) {
  for (const ProcessMode& mode : modes_) require_cores(mode, TestNode::kCores);
  if (!config.reservation.is_valid())
    throw ConfigurationError("core.reservation must be 0 or a power of two from 8 on, not " +
                             std::to_string(config.reservation.bytes));
  if (TestNode::kCores % config.issue.threads != 0)
    throw ConfigurationError("core.threads must be 1, 2 or 4, not " + std::to_string(config.issue.threads));
}

void TestModel::check_programs(const Shape& shape) const {
  if (shape.dimensions != 1) throw ConfigurationError("a test chip's machine has one dimension");
}

void TestModel::set_up(KernelConfig& kernel) const {
  static_cast<KernelParameters&>(kernel) = config_.kernel;
  kernel.abi = &abi_;
  kernel.threads = true;
}

std::unique_ptr<Hardware> TestModel::build(const BuildRequest& request, JobDirectory& directory,
                                           OutputSink& output) const {
  Config config = config_;
  config.core = core_of_mode(config.core, request.mode);
  config.core.park = request.park;
  return std::make_unique<TestHardware>(config, request, directory, output);
}

}  // namespace toroid::test_chip
