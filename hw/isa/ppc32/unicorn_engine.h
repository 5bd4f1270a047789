// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/engine.h"

namespace toroid::ppc32 {

/// The engine made of the Unicorn library. Throws std::runtime_error if Unicorn cannot be set up.
std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation);

}  // namespace toroid::ppc32
