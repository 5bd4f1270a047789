// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/machine/job.h"
#include "hw/machine/report.h"

namespace toroid {

/// What a rank has done, and how it has ended or where it stands.
RankReport report_rank(const Job& job, std::uint32_t rank);

}  // namespace toroid
