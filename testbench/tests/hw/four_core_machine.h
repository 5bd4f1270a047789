// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "guest_run.h"
#include "hw/bus/address_decoder.h"
#include "hw/io/direct_io.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_model.h"
#include "hw/machine/report.h"
#include "hw/memory/node_memory.h"
#include "testbench/shipped.h"
#include "toy_device.h"
#include "toy_kernel.h"

namespace toroid {

/// A node of four cores with a toy device and control registers, whose kernel lets a process have a thread a core.
class FourCoreNode final : public Node {
 public:
  static constexpr unsigned kCores = 4;

  FourCoreNode(const CoreConfig& config, IoService& io)
      : memory_("memory", 256u << 20),
        decoder_("decoder", {{"toy", ToyDevice::kBase, ToyDevice::kSize / 2},
                             {"control", ToyControlRegisters::kBase, 4 * ToyControlRegisters::kCount}}),
        device_("device", {}),
        control_("control_registers"),
        io_(io) {
    for (unsigned i = 0; i < kCores; ++i) {
      const std::string name = "core" + std::to_string(i);
      cores_[i] = std::make_unique<Core>(name.c_str(), config, memory_, i);
      cores_[i]->bus.bind(decoder_.in);
      cores_[i]->add_device(ToyDevice::kBase, ToyDevice::kSize, &device_, {51, 3});
      cores_[i]->add_control_registers(ToyControlRegisters::kBase, ToyControlRegisters::kCount, &control_, {40, 5});
    }
    decoder_.out(0).bind(device_.bus);
    decoder_.out(1).bind(control_.bus);
  }

  unsigned cores() const override { return kCores; }
  Core& core(unsigned number) override { return *cores_[number]; }
  const Core& core(unsigned number) const override { return *cores_[number]; }
  IoPort& io() override { return io_; }
  NodeServices* services() override { return &services_; }
  void on_device_fault(unsigned process, std::function<void(const std::string&)> kill) override {
    services_.add(process, std::move(kill));
  }

 private:
  NodeMemory memory_;
  std::array<std::unique_ptr<Core>, kCores> cores_;
  AddressDecoder decoder_;
  ToyDevice device_;
  ToyControlRegisters control_;
  ToyServices services_;
  DirectIo io_;
};

/// One such node, without networks.
class FourCoreHardware final : public Hardware {
 public:
  FourCoreHardware(const Topology& topology, const CoreConfig& config, JobDirectory& directory, OutputSink& output)
      : topology_(topology), io_(directory, output), node_(std::make_unique<FourCoreNode>(config, io_)) {}

  const Topology& topology() const override { return topology_; }
  Node* node(std::uint32_t) const override { return node_.get(); }
  Wheel* wheel() override { return nullptr; }
  std::uint64_t in_flight() const override { return 0; }
  std::uint64_t packets() const override { return 0; }
  std::uint64_t packet_hops() const override { return 0; }
  void settle() override {}
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_.passed_on(rank); }
  MachineReport report(const Job&, Ending) const override { return {}; }

 private:
  const Topology topology_;
  IoService io_;
  const std::unique_ptr<FourCoreNode> node_;
};

/// The machine: one process of four cores, two of two or four of one.
class FourCoreModel final : public MachineModel {
 public:
  /// `quantum` and `cores_apart` in core cycles; 0 apart: no threads.
  FourCoreModel(CoreCycle quantum, CoreCycle cores_apart) : core_(test_core()), cores_apart_(cores_apart) {
    core_.quantum = quantum;
    core_.isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), core_.pipeline, true);
    for (const ProcessMode& mode : modes_) require_cores(mode, FourCoreNode::kCores);
  }

  const char* name() const override { return "four_cores"; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  void check_programs(const Shape&) const override {}
  const CoreConfig& core() const override { return core_; }
  void set_up(KernelConfig& kernel) const override {
    static_cast<KernelParameters&>(kernel) = test::shipped<KernelParameters>();
    kernel.abi = &linux_ppc32();
    kernel.machine_calls = {toy_calls::kCalls, std::size(toy_calls::kCalls)};
    kernel.system_name = "CNK";
    kernel.machine_name = "BGP";
    kernel.threads = cores_apart_ != 0;
    if (kernel.threads) kernel.cores_apart = cores_apart_;
    kernel.stack_size = 1 << 20;
  }
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override {
    CoreConfig core = core_;
    core.park = request.park;
    return std::make_unique<FourCoreHardware>(request.topology, core, directory, output);
  }

 private:
  const std::vector<ProcessMode> modes_{
      {"smp", "one process", 1, 4, {}}, {"dual", "two processes", 2, 2, {}}, {"vn", "four processes", 4, 1, {}}};
  CoreConfig core_;
  const CoreCycle cores_apart_;
};

}  // namespace toroid
