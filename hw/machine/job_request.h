// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/kernel/kernel_config.h"
#include "hw/machine/process_mode.h"

namespace toroid {

/// What is to run on a machine.
struct JobRequest {
  std::string program;
  std::uint32_t ranks = 0;
  ProcessMode mode;
  KernelConfig kernel;        ///< arguments, environment and seed; the rest is the machine's
  std::string job_directory;  ///< on the host; all that programs see of its files. Empty: none
  std::optional<std::uint64_t> timeout_ns;
  std::uint64_t elaboration_order = 0;  ///< not 0: nodes are created, and events of each network cycle run, in an order
                                        ///< drawn with this number. For tests: it changes no result
  bool park = true;              ///< cores that poll something that does not change cost nothing; changes no result
  bool check_coherence = false;  ///< reports accesses that caches without coherence could get wrong
};

}  // namespace toroid
