// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "hw/isa/x86_64/unicorn_engine.h"

namespace toroid::x86_64 {

/// Debian's library tells neither of reads of the time nor where registers are.
std::unique_ptr<Engine> make_unicorn_engine(EngineClient&, Observation) {
  throw std::runtime_error("x86-64 cores need Unicorn from source (TOROID_UNICORN=source)");
}

}  // namespace toroid::x86_64
