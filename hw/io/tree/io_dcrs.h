// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/io/tree/io_packet.h"
#include "nic/collective/tree_regs.h"

namespace toroid {

/// Whether calls to the I/O node depend on a control register of the tree (`offset`: from the block's first on).
/// Programs may read it and must not write it.
inline bool is_io_dcr(unsigned offset) {
  constexpr unsigned kFirstClasses = TREE_DCR_CLASSES_OFFSET + kIoRequestClass / 2;  // two classes a register
  return (offset >= kFirstClasses && offset < TREE_DCR_CLASSES_OFFSET + TREE_DCR_CLASSES_COUNT) ||
         offset == TREE_DCR_NODE_ADDRESS_OFFSET || offset == TREE_DCR_VC_CONFIGURATION_OFFSET + kIoVc;
}

}  // namespace toroid
