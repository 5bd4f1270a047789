// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/router.h"

namespace toroid {

/// The channel on which the head of `requester` could go out by `port` now, or kNoChannel. It looks at that link alone:
/// whatever may change the answer ends in an allocation of that link.
template <typename F>
int BasicRouter<F>::channel_for(unsigned port, unsigned requester, const Request& wanted, Cycle now) {
  const OutputPort<F>& out = outputs_[port];
  if (wanted.deposit() && !deposit_possible(requester, now)) return kNoChannel;
  if (wanted.dynamic()) {
    if (!F::kZones || !wanted.escapes_aside() || T::direction_of(port) != wanted.first) {
      const unsigned best = best_adaptive(out, wanted);
      if (out.tokens[best] >= T::adaptive_charge(best, wanted.chunks)) return static_cast<int>(best);
    }
    if (!F::kEscape || T::direction_of(port) != wanted.first) return kNoChannel;
  }
  return may_enter(out, port, requester, wanted) ? static_cast<int>(wanted.ordered) : kNoChannel;
}

/// Of the adaptive channels of the packet's class, the one with most tokens.
template <typename F>
unsigned BasicRouter<F>::best_adaptive(const OutputPort<F>& out, const Request& wanted) const {
  unsigned message_class = 0;
  if constexpr (!T::kOneAdaptiveClass) message_class = wanted.message_class();
  const unsigned first = T::kFirstAdaptive[message_class];
  const unsigned end = first + T::kAdaptiveCount[message_class];
  unsigned best = first;
  for (unsigned channel = first + 1; channel < end; ++channel) {
    if (out.tokens[channel] > out.tokens[best]) best = channel;
  }
  return best;
}

/// Whether the packet's ordered channel on this link has room for it. Under the bubble rule, a packet that enters the
/// ring (from injection, another dimension or an adaptive channel) must leave bubble_chunks free behind it; one that
/// stays in the ring need not.
template <typename F>
bool BasicRouter<F>::may_enter(const OutputPort<F>& out, unsigned port, unsigned requester,
                               const Request& wanted) const {
  const unsigned channel = wanted.ordered;
  unsigned needed = charge(channel, wanted.chunks);
  if constexpr (F::kRingRule == RingRule::bubble) {
    needed = F::kMaxChunks;
    const bool stays = requester == T::opposite_port(port) * kVcs + channel;
    if (!stays && !T::is_collective(channel)) needed += context_->bubble_chunks;  // trees have no rings
  }
  return out.tokens[channel] >= needed;
}

/// A packet with the deposit bit leaves its copy at every node it passes, in the same cycle as it goes on: the local
/// path and the reception FIFO must take it.
template <typename F>
bool BasicRouter<F>::deposit_possible(unsigned requester, Cycle now) {
  if (requester >= kFirstInjection) return true;  // the source keeps no copy
  const unsigned in = requester / kVcs;
  if (local_paths_[in].busy_until > now) {
    deposit_waits_ = true;
    wake_local(in);
    return false;
  }
  const Packet& p = packet(inputs_[requester].queue.head);
  if (tokens_of(p.local, reception_fifo(in, p)) >= p.chunks) return true;
  deposit_waits_ = true;
  return false;
}

}  // namespace toroid
