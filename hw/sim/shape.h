// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sim/configuration.h"
#include "torus/base/topology.h"

namespace toroid {

/// The network's shape as a configuration asks for it.
inline Shape shape_of(const Configuration& configuration) {
  Shape shape;
  shape.dimensions = static_cast<unsigned>(configuration.shape.size());
  shape.names = configuration.dimensions;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    shape.extent[d] = static_cast<std::uint16_t>(configuration.shape[d]);
    shape.torus[d] = configuration.wrap[d];
  }
  return shape;
}

}  // namespace toroid
