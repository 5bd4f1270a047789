// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/engine.h"
#include "hw/isa/power/width.h"

namespace toroid::power {

/// The engine made of the Unicorn library. Throws std::runtime_error if Unicorn cannot be set up.
std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation, Width width);

}  // namespace toroid::power
