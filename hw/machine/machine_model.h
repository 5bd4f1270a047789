// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/io/io_service.h"
#include "hw/io/output_sink.h"
#include "hw/kernel/kernel_config.h"
#include "hw/machine/hardware.h"
#include "hw/machine/process_mode.h"
#include "torus/base/topology.h"
#include "torus/torus/config.h"
#include "torus/torus/network.h"

namespace toroid {

struct CollectiveLatencies;

/// What a machine is built for.
struct BuildRequest {
  Topology topology;
  ProcessMode mode;
  std::vector<std::uint32_t> node_of_rank;
  std::vector<std::uint32_t> nodes;  ///< on which processes run, each once, in the order in which to create them
  std::uint64_t seed = 0;
  bool park = true;              ///< see JobRequest
  bool check_coherence = false;  ///< see JobRequest
};

/// One kind of machine, with the numbers of its description: what it brings to the simulator. Everything else knows
/// machines through this interface, Hardware and Node alone (docs/adding_a_machine.md).
class MachineModel {
 public:
  virtual ~MachineModel() = default;

  /// As descriptions call it.
  virtual const char* name() const = 0;
  /// How processes can share a node; the first is the usual one.
  virtual const std::vector<ProcessMode>& modes() const = 0;
  /// What is allowed and seldom meant, one line each.
  virtual std::vector<std::string> warnings() const { return {}; }

  // Programs.

  /// In which order ranks take places where a job does not say: letters as Mapping::by_letters() takes them, or nullptr
  /// for Mapping::xyzt().
  virtual const char* rank_order() const { return nullptr; }
  /// Throws ConfigurationError or, for a number, ParameterError if programs cannot run on such a machine.
  virtual void check_programs(const Shape& shape) const = 0;
  /// Whether it does what BuildRequest::check_coherence asks for, if a mode gives a process several cores.
  virtual bool checks_coherence() const { return false; }
  /// Whether units of its networks can be replaced by those in Verilog: here and by Hardware::replace_units().
  virtual bool has_units_in_verilog() const { return false; }
  /// The cores that programs run on.
  virtual const CoreConfig& core() const = 0;
  /// Sets what the kernel costs and gives a process.
  virtual void set_up(KernelConfig& kernel) const = 0;
  /// Builds networks, I/O nodes, and the nodes on which processes run, in the order of `request.nodes`. `directory` and
  /// `output` are kept by reference. Throws ConfigurationError if the numbers do not go with the mode.
  virtual std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                          OutputSink& output) const = 0;

  // Networks without nodes; a machine that lacks one throws ConfigurationError.

  /// The torus, for synthetic traffic.
  virtual const TorusConfig& torus() const;
  /// Replaces routers and links of a torus without nodes by those in Verilog.
  virtual std::unique_ptr<rtl::UnitSet> replace_units(const rtl::UnitsRequest& request, AnyTorusNetwork& network) const;
  /// Measures the collective networks of a machine of this shape.
  virtual CollectiveLatencies measure_collectives(const Topology& topology) const;
};

}  // namespace toroid
