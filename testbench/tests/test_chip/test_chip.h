// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "hw/bus/address_decoder.h"
#include "hw/core/core.h"
#include "hw/core/core_config.h"
#include "hw/core/issue_group.h"
#include "hw/core/memory_readers.h"
#include "hw/io/direct_io.h"
#include "hw/kernel/kernel_config.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_model.h"
#include "hw/memory/memory_arbiter.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/node_memory_config.h"
#include "hw/memory/watched_memory.h"
#include "testbench/tests/test_chip/copier.h"

namespace toroid::test_chip {

/// What the description gives, whatever the instruction set, whose pipelines have parameters of their own.
struct Config {
  KernelParameters kernel;
  CoreConfig core;
  IssueConfig issue;
  ReservationConfig reservation;
  NodeMemoryConfig memory;
  DeviceCost register_access;
  DeviceCost watched_access;
  CopierConfig copier;

  void visit_parameters(ParameterVisitor& visitor);
};

/// Four cores that share memory, and the copier.
class TestNode final : public sc_core::sc_module, public Node {
 public:
  static constexpr unsigned kCores = 4;

  TestNode(const sc_core::sc_module_name& name, const Config& config, IoService& io);

  unsigned cores() const override { return kCores; }
  Core& core(unsigned number) override { return *cores_[number]; }
  const Core& core(unsigned number) const override { return *cores_[number]; }
  IoPort& io() override { return io_; }
  void on_device_fault(unsigned process, std::function<void(const std::string& what)> kill) override;
  const Copier& copier() const { return copier_; }

 private:
  NodeMemory memory_;
  WatchedMemory watched_;
  MemoryArbiter arbiter_;
  MemoryReaders readers_;
  std::vector<IssueGroup> groups_;
  std::array<std::unique_ptr<Core>, kCores> cores_;
  AddressDecoder bus_;
  Copier copier_;
  DirectIo io_;
};

/// Nodes without a network.
class TestHardware final : public Hardware {
 public:
  TestHardware(const Config& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output);

  const Topology& topology() const override { return topology_; }
  Node* node(std::uint32_t number) const override { return nodes_[number].get(); }
  Wheel* wheel() override { return nullptr; }
  std::uint64_t in_flight() const override { return 0; }
  std::uint64_t packets() const override { return 0; }
  std::uint64_t packet_hops() const override { return 0; }
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_.passed_on(rank); }
  void settle() override {}
  MachineReport report(const Job& job, Ending ending) const override;

 private:
  const Topology topology_;
  IoService io_;
  std::vector<std::unique_ptr<TestNode>> nodes_;  ///< by node; nullptr where no process runs
};

/// One instruction set's machine.
class TestModel final : public MachineModel {
 public:
  TestModel(const char* name, const Config& config, const Abi& abi, const std::vector<ProcessMode>& modes);

  const char* name() const override { return name_; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  void check_programs(const Shape& shape) const override;
  const CoreConfig& core() const override { return config_.core; }
  void set_up(KernelConfig& kernel) const override;
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override;

 private:
  const char* const name_;
  const Config config_;
  const Abi& abi_;
  const std::vector<ProcessMode> modes_;
};

}  // namespace toroid::test_chip
