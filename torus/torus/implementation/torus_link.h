// SPDX-License-Identifier: Apache-2.0
// What links share; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/torus_link.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
void BasicTorusLink<F>::occupy(unsigned chunks, Cycle begin, Cycle tail_left) {
  OutputPort<F>& port = out();
  ++port.packets;
  port.chunks += chunks;
  port.busy_cycles += tail_left - begin;
  port.busy_until = tail_left;
}

template <typename F>
void BasicTorusLink<F>::tell_sent(const Packet& packet, Cycle begin, Cycle tail_left, bool damaged) const {
  if (context().observer == nullptr) return;
  context().observer->on_sent(router_.number(), FamilyTables<F>::direction_of(port_), packet, begin, tail_left,
                              damaged);
}

template <typename F>
void BasicTorusLink<F>::arrives(Packet& packet) {
  const unsigned queue = FamilyTables<F>::opposite_port(port_) * FamilyTables<F>::kVcCount + packet.channel;
  context().routers[router_.neighbour(port_)].on_event(BasicRouter<F>::event(BasicRouter<F>::kArrive, queue),
                                                       packet.index);
}

template <typename F>
bool BasicTorusLink<F>::between_models() const {
  return router_.stand_in_ == nullptr && context().routers[router_.neighbour(port_)].stand_in_ == nullptr;
}

template <typename F>
void BasicTorusWire<F>::send(Packet& packet, Cycle begin, Cycle tail_left) {
  this->occupy(packet.chunks, begin, tail_left);
  packet.tail = tail_left + this->context().hop_cycles;
  this->tell_sent(packet, begin, tail_left, false);
  this->hand_over(packet, begin + this->context().hop_cycles);
}

}  // namespace toroid
