// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nic/bgl/rtl/library.h"
#include "torus/rtl/unit.h"
#include "torus/rtl/unit_set.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/tree/network.h"

namespace toroid::rtl {

// Requests are UNIT@WHERE: router, link or tree, at x,y,z or all; link@x,y,z/x+ for one of the links that leave a node,
// tree@io0 for an I/O node.

/// The place of one unit.
struct UnitPlace {
  enum class Kind { router, link, tree };

  Kind kind = Kind::router;
  std::uint32_t node = 0;   ///< of the torus, or of the tree
  Direction direction = 0;  ///< of links
  std::string name;         ///< "router@0,0,0", "link@0,0,0/x+", "tree@io0"
};

/// The places that requests name, each once, in the order of their first mention. `tree` is nullptr if there is no
/// tree. Throws std::invalid_argument for units that do not exist.
std::vector<UnitPlace> unit_places(const std::vector<std::string>& requests, const Topology& torus,
                                   const TreeTopology* tree);

/// Units in Verilog in Blue Gene/L's networks.
class Units final : public UnitSet {
 public:
  /// Installs them, before packets flow. `tree` is nullptr if there is none. Must be destroyed before the networks,
  /// which own the adapters. Throws std::invalid_argument for units that do not exist or do not fit the machine, and
  /// std::runtime_error if the library cannot be loaded.
  Units(const UnitsRequest& request, TorusNetwork& torus, TreeNetwork* tree);
  ~Units() override;

  const std::optional<std::string>& fault() const override { return run_.fault(); }
  void on_fault(std::function<void()> call) override { run_.on_fault(std::move(call)); }
  std::vector<UnitReport> report() const override;

 private:
  RtlRun run_;
  const std::vector<UnitPlace> places_;
  Library& library_;
  std::unique_ptr<Waves> waves_;
  std::vector<const RtlUnit*> units_;
};

}  // namespace toroid::rtl
