// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/router.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
void BasicRouter<F>::arrive(unsigned port, Packet& p) {
  const unsigned in = port / kVcs;
  const unsigned channel = port % kVcs;
  clear_hints(in, p);
  InputQueue& input = inputs_[port];
  input.held = static_cast<std::uint8_t>(input.held + charge(channel, p.chunks));
  if (!enqueue(input.queue, p)) return;
  if (input.read_until <= now()) {
    head_changed(port, p);
  } else {
    context_->wheel->post(input.read_until, *this, event(kHeadReady, port), 0);
  }
}

/// A dimension that is done needs no hint any more.
template <typename F>
void BasicRouter<F>::clear_hints(unsigned in, Packet& p) const {
  if constexpr (T::kHasCollective) {
    if (T::is_collective(p.channel)) {
      p.hints = 0;
      return;
    }
  }
  const unsigned dimension = T::direction_of(in) / 2;
  if (p.destination[dimension] == coordinates_[dimension]) {
    p.hints &= static_cast<std::uint16_t>(~(3u << (2 * dimension)));
  }
}

/// True if the packet is the only one.
template <typename F>
bool BasicRouter<F>::enqueue(PacketQueue& queue, Packet& p) {
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

/// Removes the head; returns the next packet of the queue, or nullptr if there is none.
template <typename F>
Packet* BasicRouter<F>::dequeue(PacketQueue& queue) {
  Packet* const next = packet(queue.head).next;
  if (next != nullptr) {
    queue.head = next->index;
  } else {
    queue.head = queue.tail = kNoPacket;
  }
  return next;
}

/// Has the cache lines that a grant reads, those of these senders among them, come while the cycle's other events are
/// delivered. Always as many senders as there are dimensions, because a loop over the bits ends where no host can
/// predict.
template <typename F>
inline void BasicRouter<F>::fetch_for_grant(std::uint32_t outputs) const {
  __builtin_prefetch(&neighbours_);
  for (unsigned i = 0; i < F::kDimensions; ++i) {
    __builtin_prefetch(&outputs_[static_cast<unsigned>(__builtin_ctz(outputs | 1u << (T::kPorts - 1)))]);
    outputs &= outputs - 1;
  }
}

/// `p` is the new head of `requester`: computes its route, and has settle() send or deliver it.
template <typename F>
void BasicRouter<F>::head_changed(unsigned requester, Packet& p) {
  if (context_->observer != nullptr) context_->observer->on_asks(number_, p, now());
  const Request wanted = compute_route(p);
  if (requester < kFirstInjection) {
    inputs_[requester].head = wanted;
  } else {
    injection_request_[requester - kFirstInjection] = wanted;
  }
  fetch_for_grant(wanted.outputs);
  settle_head(requester);
}

/// A new head is delivered or sent at once if nothing is in the way, unless it has gone already.
template <typename F>
inline void BasicRouter<F>::start_head(unsigned requester) {
  const std::uint32_t outputs = request(requester).outputs;
  if (outputs == Request::kNotReady) return;
  if (outputs != 0) {
    try_send(requester);
  } else if (requester < kFirstInjection) {
    try_deliver(requester / kVcs, requester % kVcs);
  } else {
    try_turn_around(requester - kFirstInjection);
  }
}

/// The head of `requester` is on its way; the next one steps up when the tail has left.
template <typename F>
void BasicRouter<F>::take_head(unsigned requester, Cycle tail_left) {
  if (requester >= kFirstInjection) {
    injection_[requester - kFirstInjection] = kNoPacket;
    injection_request_[requester - kFirstInjection].outputs = Request::kNotReady;
    return;
  }
  InputQueue& input = inputs_[requester];
  input.read_until = tail_left;
  input.head = Request{Request::kNotReady, 0, 0, 0, 0};
  if (dequeue(input.queue) != nullptr) {
    context_->wheel->post(tail_left, *this, event(kHeadReady, requester), 0);
  }
}

}  // namespace toroid
