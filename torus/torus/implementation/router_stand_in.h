// SPDX-License-Identifier: Apache-2.0
// The books of a router that another unit stands in for; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/base/progress.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/torus_link.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
void BasicRouterStandIn<F>::on_router_event(typename Router::Kind kind, unsigned port, std::uint32_t arg) {
  switch (kind) {
    case Router::kArrive:
      arrived(port, router_.packet(arg));
      break;
    case Router::kInject:
      write_packet(router_.packet(arg), port);
      router_.injection_[port] = arg;
      becomes_head(Router::kFirstInjection + port, router_.packet(arg), router_.now() + 7);
      break;
    case Router::kTokens: {
      const unsigned direction = port / Router::kVcs;
      const unsigned channel = port % Router::kVcs;
      OutputPort<F>& out = router_.outputs_[direction];
      out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] + arg);
      LinkPayload payload{nullptr, router_.now(), static_cast<std::uint8_t>(channel), static_cast<std::uint16_t>(arg)};
      LinkPhase phase = LinkPhase::tokens;
      sc_core::sc_time no_delay;
      sender(direction).nb_transport_bw(payload, phase, no_delay);
      break;
    }
    case Router::kReceptionTokens:
      router_.reception_tokens_[port] = static_cast<std::uint16_t>(router_.reception_tokens_[port] + arg);
      reception_freed(port, arg);
      break;
    case Router::kLinkFree:
      router_.outputs_[port].wake_posted = false;
      router_.settle_link(port);
      break;
    case Router::kHeadReady:
    case Router::kLocalFree:
    case Router::kRelease:
      break;  // the stand-in looks by itself
  }
}

template <typename F>
void BasicRouterStandIn<F>::settle_links(std::uint32_t ports) {
  for (std::uint32_t left = ports; left; left &= left - 1) {
    BasicTorusLink<F>* const link = router_.outputs_[static_cast<unsigned>(__builtin_ctz(left))].link;
    if (link != nullptr) link->serve();
  }
}

template <typename F>
void BasicRouterStandIn<F>::arrived(unsigned port, Packet& p) {
  const unsigned in = port / Router::kVcs;
  const unsigned channel = port % Router::kVcs;
  router_.clear_hints(in, p);
  InputQueue& input = router_.inputs_[port];
  input.held = static_cast<std::uint8_t>(input.held + Router::charge(channel, p.chunks));
  if (router_.enqueue(input.queue, p)) becomes_head(port, p, std::max(router_.now(), input.read_until));
}

template <typename F>
void BasicRouterStandIn<F>::becomes_head(unsigned requester, const Packet& p, Cycle at) {
  if (context().observer != nullptr) context().observer->on_asks(router_.number_, p, at);
  if (requester < Router::kFirstInjection) {
    router_.inputs_[requester].head = router_.compute_route(p);
  } else {
    router_.injection_request_[requester - Router::kFirstInjection] = router_.compute_route(p);
  }
}

template <typename F>
Packet* BasicRouterStandIn<F>::head(unsigned requester) const {
  const std::uint32_t index = requester < Router::kFirstInjection
                                  ? router_.inputs_[requester].queue.head
                                  : router_.injection_[requester - Router::kFirstInjection];
  return index == kNoPacket ? nullptr : &router_.packet(index);
}

template <typename F>
void BasicRouterStandIn<F>::take_head(unsigned requester, Cycle tail_left) {
  if (requester >= Router::kFirstInjection) {
    router_.injection_[requester - Router::kFirstInjection] = kNoPacket;
    return;
  }
  InputQueue& input = router_.inputs_[requester];
  const unsigned channel = requester % Router::kVcs;
  const unsigned chunks = head(requester)->chunks;
  input.held = static_cast<std::uint8_t>(input.held - Router::charge(channel, chunks));
  input.read_until = tail_left;
  if (const Packet* next = router_.dequeue(input.queue)) becomes_head(requester, *next, tail_left);
}

template <typename F>
void BasicRouterStandIn<F>::sent(unsigned direction, unsigned requester, unsigned channel, Cycle granted) {
  Packet& p = *head(requester);
  OutputPort<F>& out = router_.outputs_[direction];
  const Cycle tail_left = granted + context().wire_cycles[direction][p.chunks];
  take_head(requester, tail_left);
  out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] - Router::charge(channel, p.chunks));
  out.last_granted = static_cast<std::uint8_t>(requester);
  ++context().hops;
  context().progress->packet_moved(router_.now());
  ++p.hops;
  p.next = nullptr;
  p.channel = static_cast<VirtualChannel>(channel);
  out.link->send(p, granted, tail_left);
}

template <typename F>
void BasicRouterStandIn<F>::taken(unsigned fifo, Cycle granted) {
  const unsigned chunks = head(Router::kFirstInjection + fifo)->chunks;
  // All links are of one width where routers in Verilog stand.
  const Cycle tail_left = granted + context().wire_cycles[0][chunks];
  router_.local_[0]->injection_taken(fifo, chunks, router_.out_of_fifo(tail_left));
}

template <typename F>
Packet& BasicRouterStandIn<F>::delivered(unsigned requester, unsigned fifo, bool copy, Cycle granted, Cycle& at) {
  Packet* p = head(requester);
  const unsigned in = requester / Router::kVcs;
  const Cycle tail_left = granted + context().wire_cycles[in][p->chunks];
  router_.reception_tokens_[fifo] = static_cast<std::uint16_t>(router_.reception_tokens_[fifo] - p->chunks);
  if (copy) {
    p = &context().pool->clone(*p);
    ++context().copied;
    ++router_.counters_.copied;
  } else {
    take_head(requester, tail_left);
  }
  ++context().received;
  ++router_.counters_.received;
  context().progress->packet_moved(router_.now());
  p->next = nullptr;
  at = tail_left + context().reception_cycles;
  if (context().observer != nullptr) {
    context().observer->on_received(router_.number_, fifo, *p, granted, at, copy);
  }
  router_.local_[0]->packet_received(*p, fifo, at);
  return *p;
}

template <typename F>
void BasicRouterStandIn<F>::gave_back(unsigned from, unsigned channel, unsigned tokens, Cycle at) {
  router_.post_tokens(from, channel, tokens, at);
}

}  // namespace toroid
