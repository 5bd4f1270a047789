// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/machine/node.h"
#include "nic/collective/global_interrupt_channels.h"
#include "nic/collective/tree_fifo.h"
#include "nic/common/pending_work.h"

namespace toroid {

/// A node of a machine with a torus, a tree and global interrupts (TorusTreeHardware).
class TorusTreeNode : public Node, public PendingWorkSource {
 public:
  virtual const TreeFifoDevice& tree() const = 0;
  virtual const GlobalInterruptChannels& barrier_channels() const = 0;
};

}  // namespace toroid
