// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/base/progress.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"

namespace toroid {

template <typename F>
void BasicRouter<F>::inject(Packet& p, unsigned fifo, Cycle at, unsigned local) {
  assert(fifo < F::kInjectionFifos && local < F::kNodes && at >= now());
  p.injected = at;
  p.hops = 0;
  p.next = nullptr;
  if (stand_in_ != nullptr) stand_in_->injected(p, fifo);
  if (!p.hints) p.hints = context_->topology->hints(coordinates_, p.destination, cut_offs_);
  assert((p.hints || F::kLocalFifos != 0) && "a packet to its own node needs a hint bit");
  ++context_->injected;
  ++counters_.injected;
  context_->progress->packet_entered(now());
  // A stand-in needs the FIFO's own time to take the packet in.
  const Cycle pipe = stand_in_ != nullptr ? Cycle{1} : context_->injection_cycles;
  context_->wheel->post(at + pipe, *this, event(kInject, local * F::kInjectionFifos + fifo), p.index);
}

template <typename F>
void BasicRouter<F>::inject_from_io(Packet& p, Cycle at) {
  assert(T::kHasIoPort && at >= now() && p.channel == F::kIoChannel && !p.dynamic);
  p.injected = at;
  p.hops = 0;
  p.next = nullptr;
  p.hints = context_->topology->hints(coordinates_, p.destination, cut_offs_);
  ++context_->injected;
  ++counters_.injected;
  context_->progress->packet_entered(now());
  context_->wheel->post(at + context_->injection_cycles, *this, event(kInject, T::kIoFifo), p.index);
}

/// The device of injection FIFO `fifo` may hand over its next packet.
template <typename F>
inline void BasicRouter<F>::tell_taken(unsigned fifo, unsigned chunks, Cycle at) {
  if constexpr (T::kHasIoPort) {
    if (fifo == T::kIoFifo) {
      local_[F::kNodes]->injection_taken(0, chunks, at);
      return;
    }
  }
  if constexpr (T::kHasCollective) {
    if (fifo >= T::kFirstSlot) {
      const unsigned slot = fifo - T::kFirstSlot;
      collective_.front()->slot_free(slot / T::kCollectiveVcs, T::kFirstCollective + slot % T::kCollectiveVcs);
      return;
    }
  }
  local_[fifo / F::kInjectionFifos]->injection_taken(fifo % F::kInjectionFifos, chunks, at);
}

template <typename F>
inline void BasicRouter<F>::injected(unsigned fifo, std::uint32_t index) {
  assert(injection_[fifo] == kNoPacket && "one packet an injection FIFO");
  injection_[fifo] = index;
  head_changed(kFirstInjection + fifo, packet(index));
}

/// When the last byte of an injected packet leaves its FIFO: the FIFO's pipe is injection_cycles long, so its last byte
/// is out that much before it passes the switch.
template <typename F>
Cycle BasicRouter<F>::out_of_fifo(Cycle tail_left) const {
  return std::max(now() + 1, tail_left - std::min(tail_left, context_->injection_cycles));
}

}  // namespace toroid
