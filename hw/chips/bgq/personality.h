// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgq/personality.h"

namespace toroid {

class Process;

using Personality = std::array<std::uint8_t, BGQ_PERSONALITY_BYTES>;

/// What the kernel tells a process of its node.
Personality personality_of(Process& process);

}  // namespace toroid
