// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw/machine/job.h"

namespace toroid {

class BglHardware;

/// What the coherence checkers of all nodes have found, a line each.
std::vector<std::string> coherence_report(const BglHardware& machine, const Job& job);

}  // namespace toroid
