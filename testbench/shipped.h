// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a shipped machine, for tests and benchmarks of its units: the values of hw/machines/*.yaml, not
// copies of them.
#pragma once

#include <string>

#include "hw/machine/parameters.h"
#include "torus/torus/config.h"

namespace toroid::test {

/// All values of a shipped description, or of a test chip's (`test-ppc32`), but one.
Parameters shipped_parameters(const std::string& machine = "bgl", const std::string& without = "");

/// A configuration struct as a shipped machine has it. What is no parameter is zero.
template <typename Config>
Config shipped(const std::string& machine = "bgl") {
  return shipped_parameters(machine).read<Config>();
}

/// The torus with the FIFOs of the Blue Gene/L device at each node.
TorusConfig shipped_torus();
/// That of Blue Gene/Q.
TorusConfig shipped_zoned_torus();

}  // namespace toroid::test
