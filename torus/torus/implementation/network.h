// SPDX-License-Identifier: Apache-2.0
// All routers of a torus; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "torus/base/random.h"
#include "torus/torus/latency.h"
#include "torus/torus/link_recovery.h"
#include "torus/torus/network.h"

namespace toroid {

inline ZoneTable zone_table(const std::array<ZoneMasks, kZones>& masks) {
  ZoneTable table;
  for (unsigned zone = 0; zone < kZones; ++zone) {
    for (unsigned i = 0; i < kMaxDimensions; ++i) {
      for (unsigned d = 0; d < kMaxDimensions; ++d) {
        if (masks[zone][i] >> d & 1) table.directions[zone][i] |= static_cast<std::uint16_t>(3u << (2 * d));
      }
    }
  }
  return table;
}

template <typename F>
BasicTorusNetwork<F>::BasicTorusNetwork(Wheel& wheel, const TorusConfig& config, const Shape& shape, std::uint64_t seed)
    : AnyTorusNetwork(kRouterFamily<F>, wheel, config, shape, seed),
      routers_(std::make_unique<BasicRouter<F>[]>(topology_.routers())) {
  context_.wheel = &wheel_;
  context_.pool = &pool_;
  context_.progress = &progress_;
  context_.routers = routers_.get();
  context_.topology = &topology_;
  counters_ = &context_;
  context_.hop_cycles = hop_cycles(config_);
  context_.token_cycles = token_cycles(config_);
  context_.injection_cycles = Cycle{config_.injection_cycles};
  context_.reception_cycles = Cycle{config_.reception_cycles};
  context_.bubble_chunks = static_cast<std::uint16_t>(config_.bubble_chunks);
  context_.ports = static_cast<std::uint8_t>(T::ports(topology_.dimensions()));
  context_.fifos_per_group = static_cast<std::uint8_t>(T::fifos_per_group(context_.ports));
  context_.dimension_order = config_.dimension_order;
  context_.transit_first = config_.transit_first;
  if constexpr (F::kZones) {
    context_.dimension_order = deterministic_order(topology_, config_.dimension_order, config_.zones->order_rule);
    context_.zones = zone_table(zone_masks(topology_, context_.dimension_order, config_.zones->zones));
  }
  if constexpr (F::kTransitGrants) {
    context_.transit_grants = static_cast<std::uint16_t>(config_.zones->transit_grants);
  }
  context_.ascending_order = std::is_sorted(context_.dimension_order.begin(), context_.dimension_order.end());
  for (unsigned port = 0; port < context_.ports; ++port) {
    for (unsigned chunks = 1; chunks <= F::kMaxChunks; ++chunks) {
      context_.wire_cycles[port][chunks] =
          static_cast<std::uint16_t>(wire_cycles(config_, family_, T::direction_of(port), chunks).count());
    }
  }
  for (unsigned chunks = 1; chunks <= F::kMaxChunks; ++chunks) {
    const unsigned width = config_.link_bytes_per_cycle;
    context_.turn_around_cycles[chunks] =
        static_cast<std::uint16_t>(wire_time(wire_bytes(config_, family_, chunks), width).count());
  }
  for (std::uint32_t number = 0; number < topology_.routers(); ++number) {
    routers_[number].initialise(context_, config_, number, seed);
  }
  if (config_.bit_error_rate == 0) return;
  for (std::uint32_t number = 0; number < topology_.routers(); ++number) {
    for (unsigned port = 0; port < context_.ports; ++port) {
      if (routers_[number].neighbour(port) == kNoNode) continue;
      set_link(std::make_unique<BasicLinkRecovery<F>>(routers_[number], port, config_, link_seed(number, port)));
    }
  }
}

template <typename F>
std::uint64_t BasicTorusNetwork<F>::link_seed(std::uint32_t router, unsigned port) const {
  return mix(~seed_, std::uint64_t{router} * std::max(kMaxDirections, T::kPorts) + port);
}

template <typename F>
void BasicTorusNetwork<F>::set_link(std::unique_ptr<BasicTorusLink<F>> link) {
  OutputPort<F>& out = link->out();
  const BasicTorusLink<F>* const before = std::exchange(out.link, link.get());
  const auto same = [before](const auto& owned) { return owned.get() == before; };
  links_.erase(std::remove_if(links_.begin(), links_.end(), same), links_.end());
  links_.push_back(std::move(link));
}

template <typename F>
void BasicTorusNetwork<F>::stand_in(std::unique_ptr<BasicRouterStandIn<F>> unit) {
  BasicRouter<F>& router = unit->router();
  router.stand_in_ = unit.get();
  for (unsigned port = 0; port < context_.ports; ++port) {
    const std::uint32_t neighbour = router.neighbour(port);
    if (neighbour == kNoNode) continue;
    // The wires that come in: their packets are under way before the model's routers would see them.
    const unsigned back = T::opposite_port(port);
    if (routers_[neighbour].outputs_[back].link == nullptr) {
      set_link(std::make_unique<BasicTorusWire<F>>(routers_[neighbour], back));
    }
    if (router.outputs_[port].link == nullptr) set_link(std::make_unique<BasicTorusWire<F>>(router, port));
  }
  stand_ins_.push_back(std::move(unit));
}

template <typename F>
LinkCounters BasicTorusNetwork<F>::link(std::uint32_t router, unsigned port) const {
  const OutputPort<F>& out = routers_[router].output(port);
  LinkCounters counters;
  counters.packets = out.packets;
  counters.chunks = out.chunks;
  counters.bytes = out.chunks * F::kChunkBytes + out.packets * config_.wire_overhead;
  counters.busy_cycles = out.busy_cycles;
  if (out.link) {
    counters.retransmissions = out.link->retransmissions();
    counters.crc_errors = out.link->crc_errors();
    counters.undetected = out.link->undetected();
  }
  return counters;
}

template <typename F>
unsigned BasicTorusNetwork<F>::sender_tokens(std::uint32_t router, unsigned port, VirtualChannel channel) const {
  return routers_[router].output(port).tokens[channel];
}

template <typename F>
unsigned BasicTorusNetwork<F>::receiver_fullness(std::uint32_t router, unsigned port, VirtualChannel channel) const {
  return routers_[router].input(port, channel).held;
}

template <typename F>
void BasicTorusNetwork<F>::set_arbitration(std::uint32_t router, const ArbitrationPhases& phases) {
  if (!phases.fullness_cycles && !phases.random_cycles) {
    throw std::invalid_argument("arbitration by fullness and at random must not both last 0 cycles");
  }
  routers_[router].set_arbitration(phases);
}

template <typename F>
std::uint8_t BasicTorusNetwork<F>::resend_begin(std::uint32_t router, unsigned port) const {
  const BasicTorusLink<F>* link = routers_[router].output(port).link;
  return link ? link->begin() : std::uint8_t{0};
}

template <typename F>
std::uint8_t BasicTorusNetwork<F>::resend_end(std::uint32_t router, unsigned port) const {
  const BasicTorusLink<F>* link = routers_[router].output(port).link;
  return link ? link->end() : std::uint8_t{0};
}

template <typename F>
unsigned BasicTorusNetwork<F>::retransmit_timeout(std::uint32_t router, unsigned port) const {
  const BasicTorusLink<F>* link = routers_[router].output(port).link;
  return link ? link->timeout() : 0;
}

template <typename F>
void BasicTorusNetwork<F>::set_retransmit_timeout(std::uint32_t router, unsigned port, unsigned cycles) {
  if (BasicTorusLink<F>* link = routers_[router].output(port).link) link->set_timeout(cycles);
}

template <typename F>
BasicTorusLink<F>* BasicTorusNetwork<F>::incoming(std::uint32_t router, unsigned port) const {
  const std::uint32_t sender = routers_[router].neighbour(port);
  return sender == kNoNode ? nullptr : routers_[sender].output(T::opposite_port(port)).link;
}

template <typename F>
std::uint32_t BasicTorusNetwork<F>::sender_crc(std::uint32_t router, unsigned port) const {
  const BasicTorusLink<F>* link = routers_[router].output(port).link;
  return link ? link->sender_crc() : 0;
}

template <typename F>
std::uint32_t BasicTorusNetwork<F>::receiver_crc(std::uint32_t router, unsigned port) const {
  const BasicTorusLink<F>* link = incoming(router, port);
  return link ? link->receiver_crc() : 0;
}

template <typename F>
void BasicTorusNetwork<F>::clear_link_crcs(std::uint32_t router) {
  for (unsigned port = 0; port < context_.ports; ++port) {
    if (BasicTorusLink<F>* link = routers_[router].output(port).link) link->clear_sender_crc();
    if (BasicTorusLink<F>* link = incoming(router, port)) link->clear_receiver_crc();
  }
}

template <typename F>
std::size_t BasicTorusNetwork<F>::memory_bytes() const {
  std::size_t bytes = topology_.routers() * sizeof(BasicRouter<F>) + pool_.memory_bytes();
  for (const auto& link : links_) bytes += link->memory_bytes();
  return bytes;
}

}  // namespace toroid
