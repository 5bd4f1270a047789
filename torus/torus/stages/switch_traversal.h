// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/base/progress.h"
#include "torus/torus/router.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

/// The head of `requester` goes out by `port` on `channel`.
template <typename F>
void BasicRouter<F>::grant(unsigned port, unsigned requester, unsigned channel) {
  OutputPort<F>& out = outputs_[port];
  const Cycle present = now();
  if (out.requests.contains(requester)) {  // it has waited
    for (std::uint32_t left = request(requester).outputs; left; left &= left - 1) {
      outputs_[static_cast<unsigned>(__builtin_ctz(left))].requests.remove(requester);
    }
  }
  const std::uint32_t index =
      requester < kFirstInjection ? inputs_[requester].queue.head : injection_[requester - kFirstInjection];
  Packet& p = packet(index);
  out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] - charge(channel, p.chunks));
  out.last_granted = static_cast<std::uint8_t>(requester);
  // Between links of different widths the tail cannot leave before it has come.
  const Cycle tail_left = std::max(present + context_->wire_cycles[port][p.chunks], p.tail);
  ++context_->hops;
  context_->progress->packet_moved(present);

  const unsigned chunks = p.chunks;
  if (p.deposit && requester < kFirstInjection) deposit_copy(requester / kVcs, p, tail_left);
  ++p.hops;
  p.channel = static_cast<VirtualChannel>(channel);
  send(port, channel, p, tail_left);

  if (requester < kFirstInjection) {
    const unsigned in = requester / kVcs;
    const unsigned from = requester % kVcs;
    const unsigned held = charge(from, chunks);
    inputs_[requester].held = static_cast<std::uint8_t>(inputs_[requester].held - held);
    return_upstream(in, from, held, tail_left);
    take_head(requester, tail_left);
  } else {
    const unsigned fifo = requester - kFirstInjection;
    take_head(requester, tail_left);
    tell_taken(fifo, chunks, out_of_fifo(tail_left));
  }
  if (out.requests) wake_link(port);
}

template <typename F>
void BasicRouter<F>::deposit_copy(unsigned in, const Packet& p, Cycle tail_left) {
  Packet& copy = context_->pool->clone(p);
  const unsigned fifo = reception_fifo(in, copy);
  std::uint16_t& tokens = tokens_of(copy.local, fifo);
  tokens = static_cast<std::uint16_t>(tokens - copy.chunks);
  local_paths_[in].busy_until = tail_left;
  ++context_->copied;
  ++context_->received;
  ++counters_.copied;
  ++counters_.received;
  const Cycle at = tail_left + context_->reception_cycles;
  if (context_->observer != nullptr) context_->observer->on_received(number_, fifo, copy, now(), at, true);
  local_[copy.local]->packet_received(copy, fifo, at);
}

}  // namespace toroid
