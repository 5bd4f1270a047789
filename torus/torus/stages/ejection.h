// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/base/progress.h"
#include "torus/torus/router.h"
#include "torus/torus/torus_observer.h"

namespace toroid {

template <typename F>
inline bool BasicRouter<F>::leaves_by_io(const Packet& p) const {
  if constexpr (!T::kHasIoPort) {
    return false;
  } else {
    return (p.routing & PacketRouting::to_io) != 0 && local_[F::kNodes] != nullptr;
  }
}

template <typename F>
unsigned BasicRouter<F>::reception_fifo(unsigned input, const Packet& p) const {
  unsigned number = input;
  if constexpr (T::kHasPriority) {
    if (T::has_priority(p.channel)) number = context_->ports + T::priority_fifo(p.channel);
  }
  if (leaves_by_io(p)) return T::kReceptionFifos - 1;
  return p.group * context_->fifos_per_group + number;
}

/// The device that a packet which has arrived is for.
template <typename F>
inline LocalPort& BasicRouter<F>::receiver_of(const Packet& p) const {
  return *local_[leaves_by_io(p) ? F::kNodes : p.local];
}

/// Hands the head of a transit queue, which has arrived, to the device, if the path and the FIFO are free.
template <typename F>
void BasicRouter<F>::try_deliver(unsigned in, unsigned channel) {
  if constexpr (T::kHasCollective) {
    if (T::is_collective(channel)) {
      collective_.front()->wake();
      return;
    }
  }
  LocalPath& path = local_paths_[in];
  if (path.busy_until > now()) {
    wake_local(in);
    return;
  }
  InputQueue& input = inputs_[in * kVcs + channel];
  Packet& p = packet(input.queue.head);
  const unsigned fifo = reception_fifo(in, p);
  if (tokens_of(p.local, fifo) < p.chunks) {
    short_of_room_ |= 1u << in;  // reception_tokens_came() tries again
    return;
  }
  const Cycle tail_left = std::max(now() + context_->wire_cycles[in][p.chunks], p.tail);
  path.busy_until = tail_left;
  path.last_delivered = static_cast<VirtualChannel>(channel);
  const unsigned tokens = charge(channel, p.chunks);
  input.held = static_cast<std::uint8_t>(input.held - tokens);
  return_upstream(in, channel, tokens, tail_left);
  take_head(in * kVcs + channel, tail_left);
  deliver(p, fifo, tail_left);
}

/// The packet of injection FIFO `fifo` (over all nodes) is for a node of this router: it takes no link.
template <typename F>
void BasicRouter<F>::try_turn_around(unsigned fifo) {
  if constexpr (T::kHasCollective) {
    if (fifo >= T::kCollectiveFifo) {
      collective_.front()->wake();
      return;
    }
  }
  Packet& p = packet(injection_[fifo]);
  unsigned reception = (p.group + 1) * context_->fifos_per_group - 1 - T::kCollectiveVcs;
  if constexpr (F::kLocalFifos > 1) reception -= (p.routing & PacketRouting::second_local) == 0;
  if constexpr (T::kHasIoPort) {
    if (leaves_by_io(p)) {
      reception = T::kReceptionFifos - 1;
    } else if (fifo == T::kIoFifo) {
      reception = p.group * context_->fifos_per_group + context_->ports + T::priority_fifo(p.channel);
    }
  }
  if (tokens_of(p.local, reception) < p.chunks) return;  // reception_tokens_came() tries again
  const Cycle tail_left = now() + context_->turn_around_cycles[p.chunks];
  const unsigned chunks = p.chunks;
  take_head(kFirstInjection + fifo, tail_left);
  deliver(p, reception, tail_left);
  tell_taken(fifo, chunks, out_of_fifo(tail_left));
}

/// Packets between nodes of this router that wait for space are new heads again.
template <typename F>
void BasicRouter<F>::settle_turn_arounds() {
  for (unsigned i = 0; i < T::kInjection; ++i) {
    if (injection_[i] != kNoPacket && !injection_request_[i].outputs) settle_head(kFirstInjection + i);
  }
}

template <typename F>
inline void BasicRouter<F>::deliver(Packet& p, unsigned fifo, Cycle tail_left) {
  std::uint16_t& tokens = tokens_of(p.local, fifo);
  tokens = static_cast<std::uint16_t>(tokens - p.chunks);
  ++context_->received;
  ++counters_.received;
  context_->progress->packet_moved(now());
  p.next = nullptr;
  const Cycle at = tail_left + context_->reception_cycles;
  if (context_->observer != nullptr) context_->observer->on_received(number_, fifo, p, now(), at, false);
  receiver_of(p).packet_received(p, fifo, at);
}

/// The local path of an input is free, or space has come: serves priority classes first, then the channels in turn. One
/// packet takes the path; try_deliver() has the others come back when it has left.
template <typename F>
void BasicRouter<F>::serve_local(unsigned in) {
  if constexpr (T::kHasCollective) {
    if (in == T::kPorts) {
      collective_.front()->wake();
      return;
    }
  }
  const InputQueue* const inputs = &inputs_[in * kVcs];
  short_of_room_ &= ~(1u << in);
  const auto try_channel = [&](unsigned channel) {
    if (inputs[channel].queue.head != kNoPacket && !inputs[channel].head.outputs) try_deliver(in, channel);
  };
  for (unsigned channel = 0; channel < kVcs; ++channel) {
    if (T::has_priority(channel)) try_channel(channel);
  }
  const unsigned last = local_paths_[in].last_delivered;
  for (unsigned i = 1; i <= kVcs; ++i) {
    const unsigned channel = (last + i) % kVcs;
    if (!T::has_priority(channel) && !T::is_collective(channel)) try_channel(channel);
  }
  if (!deposit_waits_) return;
  for (unsigned channel = 0; channel < kVcs; ++channel) {
    const Request& wanted = inputs[channel].head;
    if (inputs[channel].queue.head != kNoPacket && wanted.deposit() && wanted.outputs) try_send(in * kVcs + channel);
  }
}

template <typename F>
void BasicRouter<F>::wake_local(unsigned in) {
  LocalPath& path = local_paths_[in];
  if (path.wake_posted) return;
  path.wake_posted = true;
  context_->wheel->post(path.busy_until, *this, event(kLocalFree, in), 0);
}

template <typename F>
void BasicRouter<F>::reception_tokens_came(unsigned local, unsigned fifo, unsigned chunks) {
  std::uint16_t& tokens = tokens_of(local, fifo);
  tokens = static_cast<std::uint16_t>(tokens + chunks);
  if constexpr (T::kHasIoPort) {
    if (fifo == T::kReceptionFifos - 1) {
      if (short_of_room_ != 0) settle_inputs(short_of_room_);
      settle_turn_arounds();
      return;
    }
  }
  const unsigned number = fifo % context_->fifos_per_group;
  if constexpr (T::kHasCollective) {
    if (number >= T::collective_fifo(context_->ports)) {
      settle_inputs(1u << T::kPorts);
      return;
    }
  }
  if (number < context_->ports + T::kPriorityFifos) {
    std::uint32_t inputs = number < context_->ports ? 1u << number : (1u << context_->ports) - 1;
    if (!deposit_waits_) inputs &= short_of_room_;
    if (inputs != 0) settle_inputs(inputs);
  } else {
    settle_turn_arounds();
  }
}

}  // namespace toroid
