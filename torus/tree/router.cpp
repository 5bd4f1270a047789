// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/router.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "torus/base/random.h"
#include "torus/tree/alu.h"
#include "torus/tree/stand_in.h"
#include "torus/tree/tree_observer.h"

namespace toroid {
namespace {

constexpr unsigned kChannelMask = (1u << kTreeChannels) - 1;
constexpr unsigned kLocalMask = 1u << kTreeLocal;

}  // namespace

void TreeRouter::initialise(TreeContext& context, const TreeConfig& config, std::uint32_t node, std::uint64_t seed) {
  context_ = &context;
  node_ = address_ = node;
  for (unsigned channel = 0; channel < kTreeChannels; ++channel) {
    Output& out = outputs_[channel];
    out.neighbour = context.topology->neighbour(node, channel);
    if (out.neighbour == kNoNode) continue;
    out.neighbour_port =
        static_cast<std::uint8_t>(channel == kTreeUp ? context.topology->channel_at_parent(node) : kTreeUp);
    out.tokens.fill(static_cast<std::uint8_t>(config.buffer_packets));
    if (config.bit_error_rate > 0) {
      const std::uint64_t link = std::uint64_t{node} * kTreeChannels + channel;
      out.recovery = std::make_unique<TreeLinkRecovery>(*this, channel, config, mix(~seed, link));
    }
  }
  outputs_[kTreeLocal].tokens.fill(static_cast<std::uint8_t>(config.fifo_packets));
}

// From the device. ----------------------------------------------------------------------------------------------------

void TreeRouter::inject(TreePacket& packet, unsigned vc, Cycle at) {
  Injecting& pipe = injecting_[vc];
  at = std::max(at, pipe.at);
  packet.injected = pipe.at = at;
  packet.next = nullptr;
  packet.source = node_;
  (pipe.first != nullptr ? pipe.last->next : pipe.first) = &packet;
  pipe.last = &packet;
  packet.serial = serial_++;
  ++context_->injected;
  ++context_->in_flight[vc];
  if (context_->observer != nullptr) context_->observer->on_injected(node_, vc, packet, at);
  context_->progress->packet_entered(context_->wheel->now());
  context_->wheel->post(at + context_->injection_cycles - injection_early_, *this, event(kInject, vc, kTreeLocal), 0);
}

void TreeRouter::return_reception(unsigned vc, Cycle at) {
  context_->wheel->post(at, *this, event(kToken, vc, kTreeLocal), 0);
}

void TreeRouter::set_descriptor(unsigned route_class, std::uint16_t descriptor) {
  descriptors_[route_class] = descriptor;
  if (stand_in_ != nullptr) return stand_in_->settings_changed();
  for (const auto& ports : inputs_) {
    for (const Input& input : ports) {
      if (input.head == nullptr) continue;
      context_->wheel->post(context_->wheel->now() + 1, *this, event(kEvaluate, 0, 0), 1);
      return;
    }
  }
}

void TreeRouter::set_address(std::uint32_t address) {
  address_ = address;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

void TreeRouter::set_accepts_all(unsigned vc, bool all) {
  accepts_all_[vc] = all;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

// Events. -------------------------------------------------------------------------------------------------------------

void TreeRouter::on_event(std::uint32_t what, std::uint32_t arg) {
  const unsigned vc = what >> 8 & 0xFF;
  const unsigned port = what >> 16;
  if (stand_in_ != nullptr) return stand_in_->on_router_event(what & 0xFF, vc, port, arg);
  switch (static_cast<Kind>(what & 0xFF)) {
    case kArrive:
      if (inputs_[vc][port].head == nullptr) fresh_[vc] |= static_cast<std::uint8_t>(1u << port);
      enqueue(inputs_[vc][port], context_->pool->at(arg));
      break;
    case kInject:
      enqueue(inputs_[vc][port], next_injected(vc));
      break;
    case kToken:
      ++outputs_[port].tokens[vc];
      break;
    case kEvaluate:
      if (arg == 0) {
        if (context_->wheel->now() != evaluate_at_) return;  // one that was asked for earlier has been since
        evaluate_at_ = kNever;
      }
      break;
    case kAnswer:
      outputs_[port].recovery->answer_came(arg);
      links_ |= static_cast<std::uint8_t>(1u << port);
      break;
    case kTimeout:
    case kLinkFree:
      links_ |= static_cast<std::uint8_t>(1u << port);
      break;
  }
  settle_later();
}

void TreeRouter::settle_later() {
  if (settles_) return;
  settles_ = true;
  context_->wheel->settle(*this);
}

void TreeRouter::settle() {
  settles_ = false;
  if (stand_in_ != nullptr) return stand_in_->settle();
  serve_links();
  evaluate();
}

void TreeRouter::serve_links() {
  for (unsigned left = std::exchange(links_, std::uint8_t{0}); left != 0; left &= left - 1) {
    outputs_[__builtin_ctz(left)].recovery->serve();
  }
}

void TreeRouter::enqueue(Input& input, TreePacket& packet) {
  packet.next = nullptr;
  (input.head != nullptr ? input.tail->next : input.head) = &packet;
  input.tail = &packet;
}

TreePacket& TreeRouter::next_injected(unsigned vc) {
  TreePacket& packet = *injecting_[vc].first;
  injecting_[vc].first = packet.next;
  return packet;
}

/// Does all that can be done now, and looks again when time alone makes more possible. What else does (an arrival, a
/// token, a descriptor) has the router settle in its own cycle.
void TreeRouter::evaluate() {
  constexpr unsigned kAll = kTreeVirtualChannels * kPorts;
  Cycle look_again = kNever;
  for (bool moved = true; moved;) {
    moved = false;
    look_again = kNever;
    // Virtual channels take turns, then ports; heads that have waited come before those that have just come from a
    // channel, as in the Verilog (tree_arbiter.sv).
    for (unsigned i = 0; i < 2 * kAll && !moved; ++i) {
      const unsigned place = (turn_ + i) % kAll;
      moved = try_port(place % kTreeVirtualChannels, place / kTreeVirtualChannels, i >= kAll, look_again);
      if (moved) turn_ = static_cast<std::uint8_t>((place + 1) % kAll);
    }
  }
  fresh_ = {};
  if (look_again < evaluate_at_) {
    evaluate_at_ = look_again;
    context_->wheel->post(look_again, *this, event(kEvaluate, 0, 0), 0);
  }
}

/// The ports of `descriptor` that are there, as a mask.
unsigned TreeRouter::existing(unsigned descriptor, std::uint16_t (*bit)(unsigned)) const {
  unsigned ports = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const bool there = port == kTreeLocal ? device_ != nullptr : outputs_[port].neighbour != kNoNode;
    if (there && (descriptor & bit(port)) != 0) ports |= 1u << port;
  }
  return ports;
}

/// The move of a port's head when the link is free and there is room; returns false if it waits for other packets.
bool TreeRouter::find_move(unsigned vc, unsigned port, Move& move) const {
  const TreePacket& packet = *inputs_[vc][port].head;
  const unsigned descriptor = descriptors_[packet.route_class];
  const unsigned sources = existing(descriptor, tree_source);
  const unsigned targets = existing(descriptor, tree_target);
  const bool accepted = !packet.point_to_point || packet.target == address_ || accepts_all_[vc];
  const unsigned self = 1u << port;

  move.inputs = self;
  move.combined = false;
  if ((sources & self) == 0) {
    if ((targets & self) == 0) return false;  // no way of this class
    move.outputs = (sources & kChannelMask) | (accepted ? targets & kLocalMask : 0);
  } else if (!packet.combines()) {
    move.outputs = (targets & kChannelMask) | (accepted ? targets & kLocalMask : 0);
  } else {
    for (unsigned left = sources; left != 0; left &= left - 1) {
      const TreePacket* other = inputs_[vc][__builtin_ctz(left)].head;
      if (other == nullptr || other->route_class != packet.route_class || other->opcode != packet.opcode ||
          other->operand_words != packet.operand_words || !other->combines()) {
        return false;
      }
    }
    const bool root = (targets & kChannelMask & ~sources) == 0;
    move.inputs = sources;
    move.outputs = root ? targets : targets & kChannelMask & ~sources;
    move.combined = true;
    return true;
  }
  move.outputs &= ~self;
  return true;
}

bool TreeRouter::fresh(unsigned vc, const Move& move) const {
  return (move.inputs & kChannelMask & fresh_[vc]) != 0;
}

/// Makes the move of a port's head if it can be made now, and is fresh or is not, as asked for.
bool TreeRouter::try_port(unsigned vc, unsigned port, bool fresh_ones, Cycle& look_again) {
  const Cycle now = context_->wheel->now();
  Move move;
  if (inputs_[vc][port].head == nullptr || !find_move(vc, port, move)) return false;
  if (fresh(vc, move) != fresh_ones) return false;
  const Cycle delay = move.combined ? context_->alu_cycles : 0;
  Cycle possible = now;
  for (unsigned left = move.inputs; left != 0; left &= left - 1) {
    possible = std::max(possible, inputs_[vc][__builtin_ctz(left)].ready);
  }
  for (unsigned left = move.outputs; left != 0; left &= left - 1) {
    const Output& out = outputs_[__builtin_ctz(left)];
    if (out.tokens[vc] == 0 || (out.held >> vc & 1u) != 0) return false;
    possible = std::max(possible, out.free_at > delay ? out.free_at - delay : 0);
  }
  if (possible > now) {
    look_again = std::min(look_again, possible);
    return false;
  }
  make_move(vc, move);
  return true;
}

void TreeRouter::make_move(unsigned vc, const Move& move) {
  const Cycle now = context_->wheel->now();
  const Cycle start = now + (move.combined ? context_->alu_cycles : 0);
  TreePacket& packet = take_inputs(vc, move, now);
  for (unsigned left = move.inputs & kChannelMask; left != 0; left &= left - 1) {
    const Output& back = outputs_[__builtin_ctz(left)];
    context_->wheel->post(now + context_->wire_cycles + context_->token_cycles, context_->routers[back.neighbour],
                          event(kToken, vc, back.neighbour_port), 0);
  }
  if (move.outputs == 0) {  // no receiver: a point-to-point packet at a leaf
    context_->pool->release(packet);
    return;
  }
  for (unsigned left = move.outputs; left != 0; left &= left - 1) {
    const bool last = (left & (left - 1)) == 0;
    send(last ? packet : context_->pool->share(packet), vc, static_cast<unsigned>(__builtin_ctz(left)), start);
  }
}

/// Takes the heads away from their queues, at cycle `now`, and makes one packet of them.
TreePacket& TreeRouter::take_inputs(unsigned vc, const Move& move, Cycle now) {
  const Cycle left_at = now + context_->wire_cycles;
  TreePacket* result = nullptr;
  for (unsigned left = move.inputs; left != 0; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctz(left));
    Input& input = inputs_[vc][port];
    TreePacket* const packet = input.head;
    input.head = packet->next;
    input.ready = left_at;
    --context_->in_flight[vc];
    if (port == kTreeLocal) device_->injection_taken(vc, left_at);
    if (result == nullptr) {
      result = packet;
      if (move.combined) context_->pool->unshare(*packet);  // copies that were sent elsewhere keep their payload
    } else {
      if (context_->observer != nullptr) {
        context_->observer->on_combined(node_, vc, *result, *packet, now);
      }
      tree_combine(packet->opcode, packet->operand_words, *result->data, *packet->data);
      result->injected = std::min(result->injected, packet->injected);
      context_->pool->release(*packet);
    }
  }
  context_->progress->packet_moved(now);
  return *result;
}

void TreeRouter::send(TreePacket& packet, unsigned vc, unsigned port, Cycle start) {
  --outputs_[port].tokens[vc];
  if (port != kTreeLocal) ++context_->in_flight[vc];
  begin_to_send(packet, vc, port, start);
  if (port != kTreeLocal) return;
  ++context_->received;
  device_->packet_received(packet, vc, start + context_->wire_cycles + context_->reception_cycles);
}

/// The packet's first word is on its way since cycle `start`.
void TreeRouter::begin_to_send(TreePacket& packet, unsigned vc, unsigned port, Cycle start) {
  Output& out = outputs_[port];
  ++out.counters.packets;
  if (port != kTreeLocal) {
    ++context_->hops;
    if (out.recovery) return out.recovery->send(packet, vc, start);
  }
  out.free_at = start + context_->wire_cycles;
  out.counters.busy_cycles += context_->wire_cycles;
  if (context_->observer != nullptr) context_->observer->on_sent(node_, vc, port, packet, start, out.free_at);
  if (port == kTreeLocal) return;
  context_->wheel->post(start + context_->hop_cycles - out.early, context_->routers[out.neighbour],
                        event(kArrive, vc, out.neighbour_port), packet.index);
}

}  // namespace toroid
