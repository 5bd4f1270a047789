// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"
#include "torus/base/time.h"

namespace toroid {

/// What calls of the kernel cost, and what it gives a process. Values and sources: hw/machines/.
struct KernelParameters {
  CoreCycle cost_system_call;  ///< core cycles each
  CoreCycle cost_interrupt;    ///< core cycles, to the handler and back
  std::uint32_t stack_size;    ///< bytes
  CoreCycle cores_apart;       ///< how far cores of one process run apart, in core cycles
  std::uint64_t epoch;         ///< calendar time at simulated time 0, in seconds since 1970

  void visit_parameters(ParameterVisitor& visitor);
};

}  // namespace toroid
