// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/parameter.h"
#include "torus/base/topology.h"

namespace toroid {

/// In which order deterministic packets travel the dimensions.
enum class OrderRule : std::uint8_t {
  as_listed,      ///< as torus.dimension_order says
  longest_first,  ///< the longest dimension first, equally long ones as torus.dimension_order says
};

using DimensionOrder = std::array<std::uint8_t, kMaxDimensions>;

/// Which dimensions a dynamic packet may choose among: any of the first mask's until it has travelled all of them, then
/// any of the second's, and so on. A bit per dimension; 0 behind the last mask.
using ZoneMasks = std::array<std::uint8_t, kMaxDimensions>;

inline constexpr unsigned kZones = 4;  ///< a packet's header names one

/// What routers with zones are told beyond TorusConfig's own parameters: in the section torus of a description as well.
struct ZoneConfig {
  unsigned buffer_packets;  ///< slots of each channel whose token is a packet
  unsigned transit_grants;  ///< that go before a packet that waits for injection
  OrderRule order_rule;
  std::array<ZoneMasks, kZones> zones;  ///< no mask: by the shape

  void visit_parameters(ParameterVisitor& visitor);
};

/// The order in a machine of this shape.
DimensionOrder deterministic_order(const Topology& topology, const DimensionOrder& listed, OrderRule rule);

/// The masks in a machine of this shape. Throws std::invalid_argument if a zone's leave out a dimension. A zone without
/// masks gets those of the machine's firmware:
/// - zone 0: longest to shortest dimension, those of equal length in one mask;
/// - zone 1: all dimensions in one mask;
/// - zone 2: one dimension a mask, in deterministic order;
/// - zone 3: as zone 2, with the last dimension in each mask.
std::array<ZoneMasks, kZones> zone_masks(const Topology& topology, const DimensionOrder& order,
                                         const std::array<ZoneMasks, kZones>& given);

}  // namespace toroid
