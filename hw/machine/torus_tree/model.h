// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw/machine/machine_model.h"
#include "hw/machine/torus_tree/config.h"

namespace toroid {

/// A kind of machine with a torus, a tree and global interrupts (TorusTreeHardware).
class TorusTreeModel : public MachineModel {
 public:
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  std::vector<std::string> warnings() const override { return config().torus.warnings(*config().routers); }
  /// Throws ConfigurationError or ParameterError unless the torus has the dimensions and the routers of packet headers.
  void check_programs(const Shape& shape) const override;
  const TorusConfig& torus() const override { return config().torus; }
  CollectiveLatencies measure_collectives(const Topology& topology) const override;

 protected:
  /// `cores` are those of a node. Throws ConfigurationError for a mode that needs more.
  TorusTreeModel(const std::vector<ProcessMode>& modes, unsigned cores);
  virtual const TorusTreeConfig& config() const = 0;

 private:
  const std::vector<ProcessMode> modes_;
};

}  // namespace toroid
