// SPDX-License-Identifier: Apache-2.0
#include "torus/router.h"

#include <algorithm>
#include <cassert>

#include "torus/link_recovery.h"
#include "torus/network_observer.h"
#include "torus/progress.h"
#include "torus/random.h"

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
  if (!p.hints) p.hints = context_->topology->hints(coordinates_, p.destination, cut_offs_);
  assert(p.hints && "a packet to its own node needs a hint bit");
  ++context_->injected;
  ++counters_.injected;
  context_->progress->packet_entered(now());
  context_->wheel->post_outside(at + context_->injection_cycles, *this, event(kInject, fifo), p.index);
}

void Router::return_tokens(unsigned fifo, unsigned chunks, Cycle at) {
  assert(fifo < kMaxReceptionFifos);
  context_->wheel->post_outside(at, *this, event(kReceptionTokens, fifo), chunks);
}

void Router::on_event(std::uint32_t what, std::uint32_t arg) {
  const unsigned port = what >> 8;
  switch (static_cast<Kind>(what & 0xFF)) {
    case kArrive:
      arrive(port, packet(arg));
      break;
    case kHeadReady:
      head_changed(port, packet(inputs_[port / kChannels].queue[port % kChannels].head));
      break;
    case kLinkFree:
      outputs_[port].wake_posted = false;
      if (outputs_[port].recovery && outputs_[port].recovery->resend_next()) break;
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
      if (idle(outputs_[port], now()) && outputs_[port].requests) arbitrate(port);
      break;
    case kAcknowledge:
      outputs_[port].recovery->acknowledged(static_cast<std::uint8_t>(arg));
      break;
    case kTimeout:
      outputs_[port].recovery->timed_out();
      break;
  }
}

void Router::arrive(unsigned port, Packet& p) {
  const unsigned in = port / kChannels;
  const unsigned channel = port % kChannels;
  const unsigned dimension = in / 2;
  if (p.destination[dimension] == coordinates_[dimension]) {
    p.hints &= static_cast<std::uint16_t>(~(3u << (2 * dimension)));
  }
  InputPort& input = inputs_[in];
  input.held[channel] = static_cast<std::uint8_t>(input.held[channel] + charge(channel, p.chunks));
  PacketQueue& queue = input.queue[channel];
  p.next = nullptr;
  if (queue.head == kNoPacket) {
    queue.head = queue.tail = p.index;
    if (input.read_until[channel] <= now()) {
      head_changed(port, p);
    } else {
      context_->wheel->post(input.read_until[channel], *this, event(kHeadReady, port), 0);
    }
  } else {
    packet(queue.tail).next = &p;
    queue.tail = p.index;
  }
}

/// `p` is the new head of `requester`: works out what it wants, and gets it at once where nothing stands in the way.
void Router::head_changed(unsigned requester, Packet& p) {
  if (context_->observer != nullptr) context_->observer->on_asks(node_, p, now());
  Request wanted;
  wanted.outputs = p.dynamic ? p.hints : static_cast<std::uint16_t>(p.hints & -p.hints);
  wanted.chunks = p.chunks;
  wanted.flags = static_cast<std::uint8_t>((p.dynamic ? Request::kDynamic : 0) |
                                           (p.channel == Channel::priority ? Request::kPriority : 0) |
                                           (p.deposit ? Request::kDeposit : 0));
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
  PacketQueue& queue = input.queue[channel];
  Packet* const next = packet(queue.head).next;
  if (!next) {
    queue.head = queue.tail = kNoPacket;
    return;
  }
  queue.head = next->index;
  context_->wheel->post(tail_left, *this, event(kHeadReady, requester), 0);
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
  // The link that comes in here from direction `in` is the neighbour's output in the opposite direction.
  Router& upstream = context_->routers[outputs_[in].neighbour];
  context_->wheel->post(tail_left + context_->token_cycles, upstream,
                        event(kTokens, opposite(static_cast<Direction>(in)) * kChannels + channel), tokens);
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

void Router::set_stopped(Direction direction, bool stopped) {
  OutputPort& out = outputs_[direction];
  out.stopped = stopped;
  // What waited is served from the next cycle on; the wheel may be standing still now.
  if (!stopped) context_->wheel->post(now() + 1, *this, event(kRelease, direction), 0);
}

}  // namespace toroid
