// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/io/tree/io_node.h"
#include "torus/tree/network.h"

namespace toroid {

/// The I/O nodes of a machine: one for every processing set that has ranks, and the classes of the tree by which
/// the kernels reach them.
class IoNodes {
 public:
  /// `node_of_rank` are the compute nodes. All else is kept by reference.
  IoNodes(TreeNetwork& tree, const IoNodeConfig& config, const std::vector<std::uint32_t>& node_of_rank,
          JobDirectory& directory, OutputSink& output);

  /// Some I/O node works on a call.
  bool busy() const;
  /// At the end of the run: performs what has come in whole.
  void drain();
  /// Bytes of a rank's standard output and error that have been passed on.
  std::uint64_t passed_on(std::uint32_t rank) const;
  /// In the order of their addresses.
  const std::vector<std::unique_ptr<IoNode>>& nodes() const { return nodes_; }
  /// Ranks that the I/O node at this address of the tree serves.
  std::uint32_t ranks_of(std::uint32_t address) const;

 private:
  std::vector<std::uint32_t> address_of_rank_;
  std::vector<std::unique_ptr<IoNode>> nodes_;
};

}  // namespace toroid
