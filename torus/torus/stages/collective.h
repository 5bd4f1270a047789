// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/base/progress.h"
#include "torus/torus/router.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
Packet* BasicRouter<F>::collective_head(unsigned in, unsigned channel) const {
  const InputQueue& input = inputs_[in * kVcs + channel];
  if (input.queue.head == kNoPacket || input.head.outputs == Request::kNotReady) return nullptr;
  return &packet(input.queue.head);
}

template <typename F>
Packet* BasicRouter<F>::collective_packet(unsigned fifo) const {
  const std::uint32_t index = injection_[T::kCollectiveFifo + fifo];
  return index == kNoPacket ? nullptr : &packet(index);
}

template <typename F>
Packet& BasicRouter<F>::take_collective_head(unsigned in, unsigned channel) {
  const unsigned requester = in * kVcs + channel;
  InputQueue& input = inputs_[requester];
  Packet& p = packet(input.queue.head);
  const Cycle tail_left = std::max(now() + context_->wire_cycles[in][p.chunks], p.tail);
  const unsigned tokens = charge(channel, p.chunks);
  input.held = static_cast<std::uint8_t>(input.held - tokens);
  return_upstream(in, channel, tokens, tail_left);
  take_head(requester, tail_left);
  p.tail = tail_left;
  context_->progress->packet_moved(now());
  return p;
}

template <typename F>
Packet& BasicRouter<F>::take_collective_packet(unsigned fifo) {
  const unsigned number = T::kCollectiveFifo + fifo;
  Packet& p = packet(injection_[number]);
  const Cycle tail_left = now() + context_->turn_around_cycles[p.chunks];
  take_head(kFirstInjection + number, tail_left);
  p.tail = tail_left;
  context_->progress->packet_moved(now());
  collective_.front()->packet_taken(fifo, p.chunks, out_of_fifo(tail_left));
  return p;
}

template <typename F>
void BasicRouter<F>::inject_collective(Packet& p, unsigned fifo, Cycle at) {
  assert(T::is_collective(p.channel) && !p.dynamic && at >= now());
  p.injected = at;
  p.hops = 0;
  p.hints = 0;
  p.next = nullptr;
  ++context_->injected;
  ++counters_.injected;
  context_->progress->packet_entered(now());
  context_->wheel->post(at + context_->injection_cycles, *this, event(kInject, T::kCollectiveFifo + fifo), p.index);
}

/// The packet's hint bit says by which link it goes.
template <typename F>
void BasicRouter<F>::send_collective(Packet& p, unsigned port, Cycle after) {
  p.hints = static_cast<std::uint16_t>(1u << port);
  p.next = nullptr;
  context_->wheel->post(now() + after, *this, event(kInject, T::slot(port, p.channel)), p.index);
}

template <typename F>
bool BasicRouter<F>::collective_room(unsigned fifo, unsigned chunks) const {
  return reception_tokens_[T::collective_fifo(context_->ports) + fifo] >= chunks;
}

template <typename F>
void BasicRouter<F>::deliver_collective(Packet& p, unsigned fifo) {
  const unsigned number = T::collective_fifo(context_->ports) + fifo;
  p.next = nullptr;
  std::uint16_t& tokens = tokens_of(0, number);
  tokens = static_cast<std::uint16_t>(tokens - p.chunks);
  ++context_->received;
  ++counters_.received;
  const Cycle at = p.tail + context_->reception_cycles;
  if (context_->observer != nullptr) context_->observer->on_received(number_, number, p, now(), at, false);
  collective_.front()->received(p, fifo, at);
}

}  // namespace toroid
