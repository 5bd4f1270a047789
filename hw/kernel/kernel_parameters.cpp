// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/kernel_parameters.h"

namespace toroid {

void KernelParameters::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(cost_system_call, "core.cost_system_call", "cycles", {0, 1'000'000}, "into the kernel and back");
  visitor.count(cost_interrupt, "core.cost_interrupt", "cycles", {0, 1'000'000},
                "to the first instruction of a process's interrupt handler and back");
  visitor.count(
      cores_apart, "core.cores_apart", "cycles", {1, 1'000'000},
      "cores of one process synchronise their times so often, whatever core.quantum; a store to memory is seen "
      "by the others up to so much later");
  visitor.count(stack_size, "node.stack_size", "MiB", {1, 1024}, "stack of a process", 1u << 20);
  visitor.count(epoch, "node.epoch", "s", {0, 0xFFFF'FFFF}, "calendar time when simulated time begins, since 1970");
}

}  // namespace toroid
