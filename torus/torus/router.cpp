// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/router.h"

#include <algorithm>
#include <cassert>

#include "torus/base/progress.h"
#include "torus/base/random.h"
#include "torus/torus/network_observer.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/torus_link.h"

namespace toroid {

Cycle Router::now() const {
  return context_->wheel->now();
}

void Router::initialise(RouterContext& context, const TorusConfig& config, std::uint32_t node, std::uint64_t seed) {
  context_ = &context;
  node_ = node;
  coordinates_ = context.topology->coordinates(node);
  cut_offs_ = context.topology->minimal_cut_offs(coordinates_, config.tie_rule);
  random_ = mix(seed, node);
  phases_.fullness_cycles = static_cast<std::uint8_t>(config.fullness_cycles);
  phases_.random_cycles = static_cast<std::uint8_t>(config.random_cycles);
  phases_.priority_injection = static_cast<std::uint8_t>(config.priority_injection);
  injection_.fill(kNoPacket);
  reception_tokens_.fill(static_cast<std::uint16_t>(config.reception_depth));
  for (unsigned d = 0; d < context.directions; ++d) {
    outputs_[d].neighbour = context.topology->neighbour(node, static_cast<Direction>(d));
    outputs_[d].tokens.fill(static_cast<std::uint16_t>(config.buffer_chunks));
  }
}

void Router::inject(Packet& p, unsigned fifo, Cycle at) {
  assert(fifo < kMaxInjectionFifos && at >= now());
  p.injected = at;
  p.hops = 0;
  p.next = nullptr;
  if (stand_in_ != nullptr) stand_in_->injected(p, fifo);
  if (!p.hints) p.hints = context_->topology->hints(coordinates_, p.destination, cut_offs_);
  assert(p.hints && "a packet to its own node needs a hint bit");
  ++context_->injected;
  ++counters_.injected;
  context_->progress->packet_entered(now());
  // A stand-in needs the FIFO's own time to take the packet in.
  const Cycle pipe = stand_in_ != nullptr ? Cycle{1} : context_->injection_cycles;
  context_->wheel->post_outside(at + pipe, *this, event(kInject, fifo), p.index);
}

void Router::return_tokens(unsigned fifo, unsigned chunks, Cycle at) {
  assert(fifo < kMaxReceptionFifos);
  context_->wheel->post_outside(at, *this, event(kReceptionTokens, fifo), chunks);
}

void Router::on_event(std::uint32_t what, std::uint32_t arg) {
  const unsigned port = what >> 8;
  if (stand_in_ != nullptr) {
    stand_in_->on_router_event(static_cast<Kind>(what & 0xFF), port, arg);
    return;
  }
  switch (static_cast<Kind>(what & 0xFF)) {
    case kArrive:
      arrive(port, packet(arg));
      break;
    case kHeadReady:
      head_changed(port, packet(inputs_[port / kChannels].queue[port % kChannels].head));
      break;
    case kLinkFree:
      outputs_[port].wake_posted = false;
      if (outputs_[port].link && outputs_[port].link->resend_next()) break;
      if (idle(outputs_[port], now())) arbitrate(port);
      break;
    case kTokens:
      tokens_came(port / kChannels, port % kChannels, arg);
      break;
    case kLocalFree:
      inputs_[port].wake_posted = false;
      serve_local(port);
      break;
    case kInject:
      assert(injection_[port] == kNoPacket && "one packet an injection FIFO");
      injection_[port] = arg;
      head_changed(kFirstInjection + port, packet(arg));
      break;
    case kReceptionTokens:
      reception_tokens_came(port, arg);
      break;
    case kRelease:
      link_released(port);
      break;
  }
}

void Router::arrive(unsigned port, Packet& p) {
  const unsigned in = port / kChannels;
  const unsigned channel = port % kChannels;
  clear_hints(in, p);
  InputPort& input = inputs_[in];
  input.held[channel] = static_cast<std::uint8_t>(input.held[channel] + charge(channel, p.chunks));
  if (!enqueue(input.queue[channel], p)) return;
  if (input.read_until[channel] <= now()) {
    head_changed(port, p);
  } else {
    context_->wheel->post(input.read_until[channel], *this, event(kHeadReady, port), 0);
  }
}

/// A dimension that is done needs no hint any more.
void Router::clear_hints(unsigned in, Packet& p) const {
  const unsigned dimension = in / 2;
  if (p.destination[dimension] == coordinates_[dimension]) {
    p.hints &= static_cast<std::uint16_t>(~(3u << (2 * dimension)));
  }
}

/// True where the packet is the only one.
bool Router::enqueue(PacketQueue& queue, Packet& p) {
  p.next = nullptr;
  const bool first = queue.head == kNoPacket;
  if (first) {
    queue.head = p.index;
  } else {
    packet(queue.tail).next = &p;
  }
  queue.tail = p.index;
  return first;
}

/// The next packet of the queue, which has one, or null.
Packet* Router::dequeue(PacketQueue& queue) {
  Packet* const next = packet(queue.head).next;
  if (next != nullptr) {
    queue.head = next->index;
  } else {
    queue.head = queue.tail = kNoPacket;
  }
  return next;
}

void Router::hand_over(unsigned direction, Packet& p, Cycle header_at) {
  const Direction from = opposite(static_cast<Direction>(direction));
  Router& receiver = context_->routers[outputs_[direction].neighbour];
  if (receiver.stand_in_ != nullptr) {
    LinkPayload payload{&p, header_at, static_cast<std::uint8_t>(p.channel), 0};
    LinkPhase phase = LinkPhase::packet;
    sc_core::sc_time no_delay;
    receiver.stand_in_->receiver(from).nb_transport_fw(payload, phase, no_delay);
  }
  context_->wheel->post(header_at, receiver, event(kArrive, from * kChannels + static_cast<unsigned>(p.channel)),
                        p.index);
}

Request Router::wishes(const Packet& p) {
  Request wanted;
  wanted.outputs = p.dynamic ? p.hints : static_cast<std::uint16_t>(p.hints & -p.hints);
  wanted.chunks = p.chunks;
  wanted.flags = static_cast<std::uint8_t>((p.dynamic ? Request::kDynamic : 0) |
                                           (p.channel == Channel::priority ? Request::kPriority : 0) |
                                           (p.deposit ? Request::kDeposit : 0));
  return wanted;
}

/// `p` is the new head of `requester`: works out what it wants, and gets it at once where nothing stands in the way.
void Router::head_changed(unsigned requester, Packet& p) {
  if (context_->observer != nullptr) context_->observer->on_asks(node_, p, now());
  const Request wanted = wishes(p);
  if (requester < kFirstInjection) {
    const unsigned in = requester / kChannels;
    const unsigned channel = requester % kChannels;
    inputs_[in].head[channel] = wanted;
    if (!wanted.outputs) {
      try_deliver(in, channel);
      return;
    }
  } else {
    injection_request_[requester - kFirstInjection] = wanted;
  }
  for (std::uint32_t left = wanted.outputs; left; left &= left - 1) {
    outputs_[__builtin_ctz(left)].requests |= std::uint64_t{1} << requester;
  }
  try_send(requester);
}

/// The head of `requester` is on its way; the next one steps up when the tail has left.
void Router::take_head(unsigned requester, Cycle tail_left) {
  if (requester >= kFirstInjection) {
    injection_[requester - kFirstInjection] = kNoPacket;
    return;
  }
  InputPort& input = inputs_[requester / kChannels];
  const unsigned channel = requester % kChannels;
  input.read_until[channel] = tail_left;
  input.head[channel] = Request{Request::kNotReady, 0, 0};
  if (dequeue(input.queue[channel]) != nullptr) {
    context_->wheel->post(tail_left, *this, event(kHeadReady, requester), 0);
  }
}

unsigned Router::reception_fifo(unsigned input, const Packet& p) const {
  const unsigned number = p.channel == Channel::priority ? context_->directions : input;
  return p.group * context_->fifos_per_group + number;
}

/// Hands the head of a transit queue, which has arrived, to the device, if the path and the FIFO are free.
void Router::try_deliver(unsigned in, unsigned channel) {
  InputPort& input = inputs_[in];
  if (input.local_busy_until > now()) {
    wake_local(in);
    return;
  }
  Packet& p = packet(input.queue[channel].head);
  const unsigned fifo = reception_fifo(in, p);
  if (reception_tokens_[fifo] < p.chunks) return;  // reception_tokens_came() tries again
  reception_tokens_[fifo] = static_cast<std::uint16_t>(reception_tokens_[fifo] - p.chunks);
  const Cycle tail_left = std::max(now() + context_->wire_cycles[in][p.chunks], p.tail);
  input.local_busy_until = tail_left;
  input.last_delivered = static_cast<std::uint8_t>(channel);
  const unsigned tokens = charge(channel, p.chunks);
  input.held[channel] = static_cast<std::uint8_t>(input.held[channel] - tokens);
  return_upstream(in, channel, tokens, tail_left);
  take_head(in * kChannels + channel, tail_left);
  ++context_->received;
  ++counters_.received;
  context_->progress->packet_moved(now());
  p.next = nullptr;
  const Cycle at = tail_left + context_->reception_cycles;
  if (context_->observer != nullptr) context_->observer->on_received(node_, fifo, p, now(), at, false);
  local_->packet_received(p, fifo, at);
}

/// The local path of an input is free, or space has come: serves priority first, then the channels in turn. One packet
/// takes the path; try_deliver() has the others come back when it has left.
void Router::serve_local(unsigned in) {
  InputPort& input = inputs_[in];
  const auto try_channel = [&](unsigned channel) {
    if (input.queue[channel].head != kNoPacket && !input.head[channel].outputs) try_deliver(in, channel);
  };
  constexpr auto kPriority = static_cast<unsigned>(Channel::priority);
  try_channel(kPriority);
  const unsigned last = input.last_delivered;
  for (unsigned i = 1; i <= kChannels; ++i) {
    const unsigned channel = (last + i) % kChannels;
    if (channel != kPriority) try_channel(channel);
  }
  if (!deposit_waits_) return;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    const Request& wanted = input.head[channel];
    if (input.queue[channel].head != kNoPacket && wanted.deposit() && wanted.outputs)
      try_send(in * kChannels + channel);
  }
}

void Router::wake_local(unsigned in) {
  InputPort& input = inputs_[in];
  if (input.wake_posted) return;
  input.wake_posted = true;
  context_->wheel->post(input.local_busy_until, *this, event(kLocalFree, in), 0);
}

void Router::return_upstream(unsigned in, unsigned channel, unsigned tokens, Cycle tail_left) {
  post_tokens(in, channel, tokens, tail_left + context_->token_cycles);
}

void Router::post_tokens(unsigned in, unsigned channel, unsigned tokens, Cycle at) {
  // The link that comes in here from direction `in` is the neighbour's output in the opposite direction.
  Router& upstream = context_->routers[outputs_[in].neighbour];
  context_->wheel->post(at, upstream, event(kTokens, opposite(static_cast<Direction>(in)) * kChannels + channel),
                        tokens);
}

/// When the last byte of an injected packet leaves its FIFO: the FIFO's pipe is injection_cycles long, so its last byte
/// is out that much before it passes the arbiter.
Cycle Router::out_of_fifo(Cycle tail_left) const {
  return std::max(now() + 1, tail_left - std::min(tail_left, context_->injection_cycles));
}

void Router::tokens_came(unsigned direction, unsigned channel, unsigned tokens) {
  OutputPort& out = outputs_[direction];
  out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] + tokens);
  if (out.requests && idle(out, now())) arbitrate(direction);
}

void Router::reception_tokens_came(unsigned fifo, unsigned chunks) {
  reception_tokens_[fifo] = static_cast<std::uint16_t>(reception_tokens_[fifo] + chunks);
  const unsigned number = fifo % context_->fifos_per_group;
  if (number < context_->directions) {
    serve_local(number);
  } else {
    for (unsigned in = 0; in < context_->directions; ++in) serve_local(in);
  }
}

void Router::link_released(unsigned direction) {
  if (stand_in_ != nullptr) return;  // it looks by itself
  const OutputPort& out = outputs_[direction];
  if (out.requests && idle(out, now())) arbitrate(direction);
}

void Router::set_cut_offs(const CutOffs& cut_offs) {
  cut_offs_ = cut_offs;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

void Router::set_arbitration(const ArbitrationPhases& phases) {
  phases_ = phases;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

void Router::set_stopped(Direction direction, bool stopped) {
  OutputPort& out = outputs_[direction];
  out.stopped = stopped;
  // What waited is served from the next cycle on; the wheel may be standing still now.
  if (!stopped) context_->wheel->post(now() + 1, *this, event(kRelease, direction), 0);
}

}  // namespace toroid
