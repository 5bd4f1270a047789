// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/torus_link.h"

#include "torus/torus/network_observer.h"

namespace toroid {

void TorusLink::occupy(unsigned chunks, Cycle begin, Cycle tail_left) {
  OutputPort& port = out();
  ++port.packets;
  port.chunks += chunks;
  port.busy_cycles += tail_left - begin;
  port.busy_until = tail_left;
}

void TorusLink::tell_sent(const Packet& packet, Cycle begin, Cycle tail_left, bool damaged) const {
  if (context().observer == nullptr) return;
  context().observer->on_sent(router_.node(), static_cast<Direction>(direction_), packet, begin, tail_left, damaged);
}

void TorusLink::arrives(Packet& packet) {
  const unsigned port =
      opposite(static_cast<Direction>(direction_)) * kChannels + static_cast<unsigned>(packet.channel);
  context().routers[out().neighbour].on_event(Router::event(Router::kArrive, port), packet.index);
}

bool TorusLink::between_models() const {
  return router_.stand_in_ == nullptr && context().routers[out().neighbour].stand_in_ == nullptr;
}

void TorusLink::hold_back(bool hold) {
  OutputPort& port = out();
  const bool released = port.held_back && !hold;
  port.held_back = hold;
  if (released) router_.link_released(direction_);
}

void TorusWire::send(Packet& packet, Cycle begin, Cycle tail_left) {
  occupy(packet.chunks, begin, tail_left);
  packet.tail = tail_left + context().hop_cycles;
  tell_sent(packet, begin, tail_left, false);
  hand_over(packet, begin + context().hop_cycles);
}

}  // namespace toroid
