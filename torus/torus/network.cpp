// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/network.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "torus/base/latency.h"
#include "torus/base/random.h"
#include "torus/torus/header_check.h"
#include "torus/torus/link_recovery.h"

namespace toroid {

TorusNetwork::TorusNetwork(Wheel& wheel, const TorusConfig& config, const Topology& topology, std::uint64_t seed)
    : config_(config.validate()),
      topology_(topology),
      seed_(seed),
      wheel_(wheel),
      progress_(
          wheel, [this] { return context_.in_flight(); }, config.stuck_after),
      routers_(std::make_unique<Router[]>(topology.nodes())) {
  context_.wheel = &wheel_;
  context_.pool = &pool_;
  context_.progress = &progress_;
  context_.routers = routers_.get();
  context_.topology = &topology_;
  context_.hop_cycles = hop_cycles(config_);
  context_.token_cycles = token_cycles(config_);
  context_.injection_cycles = Cycle{config_.injection_cycles};
  context_.reception_cycles = Cycle{config_.reception_cycles};
  context_.bubble_chunks = static_cast<std::uint16_t>(config_.bubble_chunks);
  context_.directions = static_cast<std::uint8_t>(topology_.directions());
  context_.fifos_per_group = static_cast<std::uint8_t>(topology_.directions() + 1);
  for (unsigned d = 0; d < topology_.directions(); ++d) {
    for (unsigned chunks = 1; chunks <= kMaxChunks; ++chunks) {
      context_.wire_cycles[d][chunks] = static_cast<std::uint16_t>(wire_cycles(config_, d, chunks));
    }
  }
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    routers_[node].initialise(context_, config_, node, seed);
  }
  if (config_.bit_error_rate == 0) return;
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    for (unsigned d = 0; d < topology_.directions(); ++d) {
      if (routers_[node].output(static_cast<Direction>(d)).neighbour == kNoNode) continue;
      set_link(std::make_unique<LinkRecovery>(routers_[node], d, config_, link_seed(node, d)));
    }
  }
}

std::uint64_t TorusNetwork::link_seed(std::uint32_t node, unsigned direction) const {
  return mix(~seed_, std::uint64_t{node} * kMaxDirections + direction);
}

void TorusNetwork::set_link(std::unique_ptr<TorusLink> link) {
  OutputPort& out = link->out();
  const TorusLink* const before = std::exchange(out.link, link.get());
  const auto same = [before](const auto& owned) { return owned.get() == before; };
  links_.erase(std::remove_if(links_.begin(), links_.end(), same), links_.end());
  links_.push_back(std::move(link));
}

void TorusNetwork::stand_in(std::unique_ptr<RouterStandIn> unit) {
  Router& router = unit->router();
  router.stand_in_ = unit.get();
  for (unsigned d = 0; d < topology_.directions(); ++d) {
    const std::uint32_t neighbour = router.outputs_[d].neighbour;
    if (neighbour == kNoNode) continue;
    // The wires that come in: their packets are under way before the model's routers would see them.
    const unsigned back = opposite(static_cast<Direction>(d));
    if (routers_[neighbour].outputs_[back].link == nullptr) {
      set_link(std::make_unique<TorusWire>(routers_[neighbour], back));
    }
    if (router.outputs_[d].link == nullptr) set_link(std::make_unique<TorusWire>(router, d));
  }
  stand_ins_.push_back(std::move(unit));
}

std::uint32_t TorusNetwork::check(const Packet& packet, std::uint32_t node) const {
  return header_check(topology_, packet, node, config_.fifo_groups);
}

LinkCounters TorusNetwork::link(std::uint32_t node, Direction direction) const {
  const OutputPort& out = routers_[node].output(direction);
  LinkCounters counters;
  counters.packets = out.packets;
  counters.chunks = out.chunks;
  counters.bytes = out.chunks * kChunkBytes + out.packets * config_.wire_overhead;
  counters.busy_cycles = out.busy_cycles;
  if (out.link) {
    counters.retransmissions = out.link->retransmissions();
    counters.crc_errors = out.link->crc_errors();
    counters.undetected = out.link->undetected();
  }
  return counters;
}

unsigned TorusNetwork::sender_tokens(std::uint32_t node, Direction direction, Channel channel) const {
  return routers_[node].output(direction).tokens[static_cast<unsigned>(channel)];
}

unsigned TorusNetwork::receiver_fullness(std::uint32_t node, Direction direction, Channel channel) const {
  return routers_[node].input(direction).held[static_cast<unsigned>(channel)];
}

void TorusNetwork::set_arbitration(std::uint32_t node, const ArbitrationPhases& phases) {
  if (!phases.fullness_cycles && !phases.random_cycles) {
    throw std::invalid_argument("arbitration by fullness and at random must not both last 0 cycles");
  }
  routers_[node].set_arbitration(phases);
}

std::uint8_t TorusNetwork::resend_begin(std::uint32_t node, Direction direction) const {
  const TorusLink* link = routers_[node].output(direction).link;
  return link ? link->begin() : std::uint8_t{0};
}

std::uint8_t TorusNetwork::resend_end(std::uint32_t node, Direction direction) const {
  const TorusLink* link = routers_[node].output(direction).link;
  return link ? link->end() : std::uint8_t{0};
}

unsigned TorusNetwork::retransmit_timeout(std::uint32_t node, Direction direction) const {
  const TorusLink* link = routers_[node].output(direction).link;
  return link ? link->timeout() : 0;
}

void TorusNetwork::set_retransmit_timeout(std::uint32_t node, Direction direction, unsigned cycles) {
  if (TorusLink* link = routers_[node].output(direction).link) link->set_timeout(cycles);
}

TorusLink* TorusNetwork::incoming(std::uint32_t node, Direction direction) const {
  const std::uint32_t sender = routers_[node].output(direction).neighbour;
  return sender == kNoNode ? nullptr : routers_[sender].output(opposite(direction)).link;
}

std::uint32_t TorusNetwork::sender_crc(std::uint32_t node, Direction direction) const {
  const TorusLink* link = routers_[node].output(direction).link;
  return link ? link->sender_crc() : 0;
}

std::uint32_t TorusNetwork::receiver_crc(std::uint32_t node, Direction direction) const {
  const TorusLink* link = incoming(node, direction);
  return link ? link->receiver_crc() : 0;
}

void TorusNetwork::clear_link_crcs(std::uint32_t node) {
  for (unsigned d = 0; d < topology_.directions(); ++d) {
    const auto direction = static_cast<Direction>(d);
    if (TorusLink* link = routers_[node].output(direction).link) link->clear_sender_crc();
    if (TorusLink* link = incoming(node, direction)) link->clear_receiver_crc();
  }
}

std::size_t TorusNetwork::memory_bytes() const {
  std::size_t bytes = topology_.nodes() * sizeof(Router) + pool_.memory_bytes();
  for (const auto& link : links_) bytes += link->memory_bytes();
  return bytes;
}

}  // namespace toroid
