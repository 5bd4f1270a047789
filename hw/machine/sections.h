// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hw/io/io_call.h"
#include "torus/torus/network.h"

namespace toroid {

// Sections of the result file that machines share (docs/reference/simulator_files.md).

/// What calls took to an I/O node and back.
nlohmann::ordered_json io_section(const IoTraffic& traffic);
/// A torus after `cycles` network cycles.
nlohmann::ordered_json network_section(const AnyTorusNetwork& network, Cycle cycles);

}  // namespace toroid
