// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/collective/tree_fifo_node.h"
#include "nic/collective/tree_queues.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// The tree block of device control registers of one node. Class descriptors and the node's address belong to the
/// router; FIFO pointers and watermarks follow the FIFOs; all others only store their value.
class TreeDcr {
 public:
  using Bank = DeviceRegisterBank<TreeDcr>;
  using Injections = std::array<TreeInjection, TREE_VCS>;
  using Receptions = std::array<TreeReception, TREE_VCS>;

  TreeDcr(TreeFifoNode& node, const Injections& injection, const Receptions& reception);

  static const Bank& bank();
  // By number, from the block's first on.
  std::optional<std::uint32_t> read(unsigned number) const { return bank().read(*this, node_.dcrs.data(), number); }
  /// Returns false if there is no writable register.
  bool write(unsigned number, std::uint32_t value) { return bank().write(*this, node_.dcrs.data(), number, value); }

 private:
  std::uint32_t classes(unsigned pair) const;
  void set_classes(unsigned pair, std::uint32_t descriptors);
  std::uint32_t fifo_pointers(unsigned index) const;
  std::uint32_t address(unsigned index) const;
  void set_address(unsigned index, std::uint32_t address);
  void configure(unsigned vc, std::uint32_t settings);
  std::uint32_t reception_exceptions(unsigned index) const;
  std::uint32_t injection_exceptions(unsigned index) const;

  TreeFifoNode& node_;
  const Injections& injection_;
  const Receptions& reception_;
};

}  // namespace toroid
