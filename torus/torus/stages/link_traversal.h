// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/link.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/torus_link.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
inline void BasicRouter<F>::send(unsigned port, unsigned channel, Packet& p, Cycle tail_left) {
  OutputPort<F>& out = outputs_[port];
  const Cycle present = now();
  if (out.link) {
    out.link->send(p, present, tail_left);
    return;
  }
  ++out.packets;
  out.chunks += p.chunks;
  out.busy_cycles += tail_left - present;
  out.busy_until = tail_left;
  p.tail = tail_left + context_->hop_cycles;
  if (context_->observer != nullptr) {
    context_->observer->on_sent(number_, T::direction_of(port), p, present, tail_left, false);
  }
  context_->wheel->post(present + context_->hop_cycles, context_->routers[neighbours_[port]],
                        event(kArrive, T::opposite_port(port) * kVcs + channel), p.index);
}

template <typename F>
void BasicRouter<F>::hand_over(unsigned port, Packet& p, Cycle header_at) {
  const unsigned from = T::opposite_port(port);
  BasicRouter& receiver = context_->routers[neighbours_[port]];
  if (receiver.stand_in_ != nullptr) {
    LinkPayload payload{&p, header_at, p.channel, 0};
    LinkPhase phase = LinkPhase::packet;
    sc_core::sc_time no_delay;
    receiver.stand_in_->receiver(from).nb_transport_fw(payload, phase, no_delay);
  }
  context_->wheel->post(header_at, receiver, event(kArrive, from * kVcs + p.channel), p.index);
}

template <typename F>
void BasicRouter<F>::set_stopped(unsigned port, bool stopped) {
  OutputPort<F>& out = outputs_[port];
  out.stopped = stopped;
  // What waited is served from the next cycle on; the wheel may be standing still now.
  if (!stopped) context_->wheel->post(now() + 1, *this, event(kRelease, port), 0);
}

}  // namespace toroid
