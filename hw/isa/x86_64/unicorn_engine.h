// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/engine.h"

namespace toroid::x86_64 {

/// An engine that executes x86-64 user code with the instructions of AMD's family 10h.
std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation);

}  // namespace toroid::x86_64
