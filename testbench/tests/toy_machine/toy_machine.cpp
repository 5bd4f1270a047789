// SPDX-License-Identifier: Apache-2.0
//
// The smallest machine that programs run on: a ring of nodes, each with a core, memory and a doorbell. What has a file
// of its own in a real machine is a class here; docs/adding_a_machine.md goes through it.
#include <memory>
#include <string>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/io/direct_io.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"
#include "hw/machine/report.h"
#include "hw/memory/node_memory.h"
#include "testbench/tests/toy_machine/doorbell.h"

namespace toroid {
namespace toy {

/// What the description gives. Every parameter is listed once, in visit_parameters().
struct Config {
  KernelParameters kernel;
  CoreConfig core;
  power::PipelineConfig pipeline;
  DeviceCost doorbell;
  std::uint64_t memory_bytes;
  RingConfig ring;

  void visit_parameters(ParameterVisitor& visitor) {
    kernel.visit_parameters(visitor);
    core.visit_parameters(visitor);
    pipeline.visit_parameters(visitor);
    doorbell.visit_parameters(visitor, "doorbell.read_latency", "doorbell.write");
    visitor.count(memory_bytes, "node.memory_size", "MiB", {16, 2048}, "memory of a node", 1u << 20);
    ring.visit_parameters(visitor);
  }
};

class ToyNode final : public sc_core::sc_module, public Node {
 public:
  ToyNode(const sc_core::sc_module_name& name, const Config& config, Ring& ring, std::uint32_t node,
          NetworkClock& clock, IoService& io)
      : sc_module(name),
        memory_("memory", config.memory_bytes),
        core_("core", config.core, memory_),
        doorbell_("doorbell", ring, node, clock),
        io_(io) {
    core_.bus.bind(doorbell_.bus);
    core_.add_device(TOY_BASE, TOY_BYTES, &doorbell_, config.doorbell);
  }

  unsigned cores() const override { return 1; }
  Core& core(unsigned) override { return core_; }
  const Core& core(unsigned) const override { return core_; }
  IoPort& io() override { return io_; }

 private:
  NodeMemory memory_;
  Core core_;
  Doorbell doorbell_;
  DirectIo io_;
};

class ToyHardware final : public Hardware {
 public:
  ToyHardware(const Config& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output)
      : topology_(request.topology),
        ring_(wheel_, config.ring, topology_.nodes()),
        clock_("network_clock", wheel_, config.ring.clock_mhz),
        io_(directory, output),
        nodes_(topology_.nodes()) {
    for (const std::uint32_t node : request.nodes)
      nodes_[node] =
          std::make_unique<ToyNode>(("node" + std::to_string(node)).c_str(), config, ring_, node, clock_, io_);
  }

  const Topology& topology() const override { return topology_; }
  Node* node(std::uint32_t number) const override { return nodes_[number].get(); }
  Wheel* wheel() override { return &wheel_; }
  std::uint64_t in_flight() const override { return ring_.sent() - ring_.received(); }
  std::uint64_t packets() const override { return ring_.sent(); }
  std::uint64_t packet_hops() const override { return ring_.received(); }
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_.passed_on(rank); }
  void settle() override { clock_.sync_to(sc_core::sc_time_stamp()); }
  MachineReport report(const Job&, Ending) const override {
    MachineReport report;
    report.sections["ring"] = {{"words", ring_.sent()}, {"in_flight", in_flight()}};
    return report;
  }

 private:
  const Topology topology_;
  Wheel wheel_;
  Ring ring_;
  NetworkClock clock_;
  IoService io_;
  std::vector<std::unique_ptr<ToyNode>> nodes_;  ///< by node; nullptr where no process runs
};

class ToyModel final : public MachineModel {
 public:
  explicit ToyModel(const MachineDescription& description)
      : config_(read(description.parameters)), modes_(description.modes) {
    for (const ProcessMode& mode : modes_) require_cores(mode, 1);
  }

  const char* name() const override { return "toy"; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  void check_programs(const Shape& shape) const override {
    if (shape.dimensions != 1) throw ConfigurationError("a toy machine is a ring, of one dimension");
  }
  const CoreConfig& core() const override { return config_.core; }
  void set_up(KernelConfig& kernel) const override {
    kernel.abi = &linux_ppc32();
    static_cast<KernelParameters&>(kernel) = config_.kernel;
  }
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override {
    Config config = config_;
    config.core.park = request.park;
    return std::make_unique<ToyHardware>(config, request, directory, output);
  }

 private:
  static Config read(const Parameters& parameters) {
    auto config = parameters.read<Config>();
    parameters.require_all_used();
    config.core.isa = ppc32::make_isa(config.pipeline, config.core.pipeline);
    return config;
  }

  const Config config_;
  const std::vector<ProcessMode> modes_;
};

}  // namespace toy

std::unique_ptr<MachineModel> make_toy_model(const MachineDescription& description) {
  return std::make_unique<toy::ToyModel>(description);
}

void visit_toy_parameters(ParameterVisitor& visitor) {
  toy::Config{}.visit_parameters(visitor);
}

}  // namespace toroid
