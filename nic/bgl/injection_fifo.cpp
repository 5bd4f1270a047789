// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/injection_fifo.h"

#include <cstring>

#include "nic/bgl/torus_packet.h"

namespace toroid {

Packet* InjectionFifo::write(const std::uint8_t* quad, sc_core::sc_time when) {
  std::memcpy(writing_->data + quads_ * TORUS_QUAD_BYTES, quad, TORUS_QUAD_BYTES);
  ++quads_;
  last_write_ = when;
  if (begins_chunk()) held_.change(when, +1);
  if (quads_ < TORUS_CHUNK_QUADS * writing_->chunks) return nullptr;
  Packet* complete = writing_;
  writing_ = nullptr;
  last_packet_quads_ = quads_;
  quads_ = 0;
  return complete;
}

void InjectionFifo::push(Packet& packet, Cycle ready) {
  packet.injected = ready;
  packet.next = nullptr;
  (last_ != nullptr ? last_->next : first_) = &packet;
  last_ = &packet;
}

Packet* InjectionFifo::pop() {
  if (router_has_one_ || first_ == nullptr) return nullptr;
  Packet* packet = first_;
  first_ = packet->next;
  if (first_ == nullptr) last_ = nullptr;
  packet->next = nullptr;
  router_has_one_ = true;
  return packet;
}

void InjectionFifo::taken(unsigned chunks, Cycle at, sc_core::sc_time when) {
  held_.change(when, -static_cast<int>(chunks));
  router_has_one_ = false;
  free_from_ = at;
}

}  // namespace toroid
