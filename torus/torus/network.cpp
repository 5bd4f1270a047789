// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/network.h"

#include <stdexcept>
#include <string>

#include "torus/torus/header_check.h"

namespace toroid {

Topology router_topology(const RouterFamily& family, const Shape& shape) {
  if (shape.dimensions > family.dimensions) {
    throw std::invalid_argument("shape " + shape.text() + " has " + std::to_string(shape.dimensions) +
                                " dimensions; routers of family " + family.name + " are compiled for " +
                                std::to_string(family.dimensions) + " at most (" + kWhatCanBeChanged + ")");
  }
  return Topology(shape, family.layout);
}

AnyTorusNetwork::AnyTorusNetwork(const RouterFamily& family, Wheel& wheel, const TorusConfig& config,
                                 const Shape& shape, std::uint64_t seed)
    : family_(family),
      config_(config.validate(family)),
      topology_(router_topology(family, shape)),
      seed_(seed),
      wheel_(wheel),
      pool_(family.chunk_bytes * family.max_chunks),
      progress_(
          wheel, [this] { return counters_->in_flight(); }, config.stuck_after) {}

std::uint32_t AnyTorusNetwork::check(const Packet& packet, std::uint32_t node) const {
  return header_check(family_, topology_, packet, node, config_.fifo_groups);
}

}  // namespace toroid
