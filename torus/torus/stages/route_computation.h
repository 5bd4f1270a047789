// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/router.h"

namespace toroid {

/// Route function: minimal routes as the packet's hint bits say, one direction a dimension. A dynamic packet may take
/// any of them, on any of the parallel links; a deterministic one goes in dimension order, all packets of a flow by the
/// same of the parallel links, so that they keep their order.
template <typename F>
class MinimalRoutes {
  using T = FamilyTables<F>;

 public:
  static Request compute(const RouterContext<F>& context, const Coordinates& here, const Packet& p) {
    Request wanted;
    wanted.chunks = p.chunks;
    wanted.flags = static_cast<std::uint8_t>(kFlags[p.channel] | (p.dynamic ? Request::kDynamic : 0) |
                                             (p.deposit ? Request::kDeposit : 0));
    if (!p.hints) return wanted;
    wanted.first = first(context, p.hints);
    wanted.ordered = static_cast<VirtualChannel>(T::kOrderedOf[p.channel] + ring_half(wanted.first, here, p));
    wanted.outputs = p.dynamic ? all_ports(p.hints) : 1u << ordered_port(wanted.first, p);
    return wanted;
  }

 private:
  static constexpr auto kFlags = Request::flags_of_channels<F>();

  /// The next hop in dimension order.
  static Direction first(const RouterContext<F>& context, unsigned hints) {
    if (context.ascending_order) return static_cast<Direction>(__builtin_ctz(hints));
    for (const unsigned dimension : context.dimension_order) {
      if (const unsigned hint = hints >> (2 * dimension) & 3; hint != 0) {
        return static_cast<Direction>(2 * dimension + (hint == 2));
      }
    }
    return static_cast<Direction>(__builtin_ctz(hints));
  }

  /// Dateline rule: 0 for a packet that has still to cross from one end of the dimension to the other, else 1. It
  /// depends on where the packet is alone, not on the channels that it has taken, so that adaptive hops in between add
  /// no dependency.
  static unsigned ring_half(Direction direction, const Coordinates& here, const Packet& p) {
    if constexpr (F::kRingRule != RingRule::dateline) return 0;
    const unsigned dimension = direction / 2;
    const bool plus = direction % 2 == 0;
    return plus ? p.destination[dimension] > here[dimension] : p.destination[dimension] < here[dimension];
  }

  static std::uint32_t all_ports(std::uint32_t hints) {
    if constexpr (T::kSingleLinks) return hints;
    std::uint32_t ports = 0;
    for (; hints; hints &= hints - 1) {
      const auto direction = static_cast<Direction>(__builtin_ctz(hints));
      for (unsigned lane = 0; lane < F::kLinks[direction / 2]; ++lane) ports |= 1u << T::port_of(direction, lane);
    }
    return ports;
  }

  static unsigned ordered_port(Direction direction, const Packet& p) {
    if constexpr (T::kSingleLinks) return direction;
    const unsigned links = F::kLinks[direction / 2];
    if (links == 1) return T::port_of(direction, 0);
    std::uint32_t flow = p.source * 0x9E3779B1u + p.local;
    for (const std::uint8_t coordinate : p.destination) flow = (flow ^ coordinate) * 0x85EBCA6Bu;
    return T::port_of(direction, static_cast<unsigned>((std::uint64_t{flow} * links) >> 32));
  }
};

/// Route function with zones. A dynamic packet may take any direction of the first mask of its zone that has one left;
/// the next hop in deterministic order remains its escape even where the mask does not allow it, as the deadlock rule
/// needs one escape from everywhere. A packet that stays on the bubble is deterministic once it has escaped. Packets on
/// collective channels are the collective unit's.
template <typename F>
class ZonedRoutes {
  using T = FamilyTables<F>;

 public:
  static Request compute(const RouterContext<F>& context, const Coordinates& here, const Packet& p) {
    Request wanted = MinimalRoutes<F>::compute(context, here, p);
    if (T::is_collective(p.channel)) wanted.ordered = p.channel;
    if (!p.dynamic || !p.hints) return wanted;
    const std::uint32_t escape = 1u << wanted.first;
    if (F::kVcs[p.channel].use == VcUse::ordered && (p.routing & PacketRouting::stay_on_bubble)) {
      wanted.flags &= static_cast<std::uint8_t>(~Request::kDynamic);
      wanted.outputs = escape;
      return wanted;
    }
    const auto& masks = context.zones.directions[p.routing & PacketRouting::zone];
    unsigned allowed = p.hints & masks[0];
    for (unsigned i = 1; allowed == 0; ++i) allowed = p.hints & masks[i];
    if ((allowed & escape) == 0) wanted.flags |= Request::kEscapesAside;
    wanted.outputs = allowed | escape;
    return wanted;
  }
};

template <typename F>
Request BasicRouter<F>::compute_route(const Packet& p) const {
  return F::template Routes<F>::compute(*context_, coordinates_, p);
}

}  // namespace toroid
