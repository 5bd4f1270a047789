// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/reception_fifo.h"

#include <cstring>

#include "nic/bgl/torus_packet.h"

namespace toroid {

void ReceptionFifo::push(Packet& packet, Cycle at, sc_core::sc_time when) {
  packet.tail = at;
  packet.next = nullptr;
  (last_ != nullptr ? last_->next : first_) = &packet;
  last_ = &packet;
  held_.change(when, static_cast<int>(packet.chunks));
}

ReceptionFifo::Taken ReceptionFifo::read(std::uint8_t* quad, sc_core::sc_time when) {
  Packet& packet = *first_;
  std::memcpy(quad, packet.data + quads_ * TORUS_QUAD_BYTES, TORUS_QUAD_BYTES);
  ++quads_;
  last_read_ = when;
  Taken taken{quads_ % TORUS_CHUNK_QUADS == 0, nullptr};
  if (taken.chunk_free) held_.change(when, -1);
  if (quads_ == TORUS_CHUNK_QUADS * packet.chunks) {
    first_ = packet.next;
    if (first_ == nullptr) last_ = nullptr;
    last_packet_quads_ = quads_;
    quads_ = 0;
    taken.finished = &packet;
  }
  return taken;
}

}  // namespace toroid
