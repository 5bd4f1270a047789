// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/base/random.h"
#include "torus/torus/router.h"
#include "torus/torus/torus_link.h"

namespace toroid {

/// A new head: of the links it may take that are free, the one with most tokens downstream (join the shortest queue).
/// Others that want those links lack tokens there, or the links would not be free. A head that finds none waits for
/// them.
template <typename F>
void BasicRouter<F>::try_send(unsigned requester) {
  const Request wanted = request(requester);
  const Cycle present = now();
  int best_port = -1;
  int best_channel = kNoChannel;
  unsigned best_tokens = 0;
  for (std::uint32_t left = wanted.outputs; left; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctz(left));
    const OutputPort<F>& out = outputs_[port];
    if (!idle(out, present)) {
      wake_link(port);
      continue;
    }
    const int channel = channel_for(port, requester, wanted, present);
    if (channel == kNoChannel) continue;
    // An ordered channel is a dynamic packet's last resort.
    const bool escape = wanted.dynamic() && channel == static_cast<int>(wanted.ordered);
    const unsigned tokens = escape ? 1 : 1u + out.tokens[static_cast<unsigned>(channel)];
    if (tokens > best_tokens) {
      best_port = static_cast<int>(port);
      best_channel = channel;
      best_tokens = tokens;
    }
  }
  if (best_port >= 0) {
    grant(static_cast<unsigned>(best_port), requester, static_cast<unsigned>(best_channel));
    return;
  }
  for (std::uint32_t left = wanted.outputs; left; left &= left - 1) {
    outputs_[static_cast<unsigned>(__builtin_ctz(left))].requests.add(requester);
  }
}

/// Has the link allocated anew when the packet under way has left. A link stopped or held back is woken by what frees
/// it.
template <typename F>
void BasicRouter<F>::wake_link(unsigned port) {
  OutputPort<F>& out = outputs_[port];
  if (out.wake_posted || out.busy_until <= now()) return;
  out.wake_posted = true;
  context_->wheel->post(out.busy_until, *this, event(kLinkFree, port), 0);
}

/// The link acts on events of its own. If it may have become free, or its receiver has more room, it is allocated
/// anew, unless only new heads want it: they look at all their links themselves.
template <typename F>
inline void BasicRouter<F>::serve_link(unsigned port, bool allocates) {
  OutputPort<F>& out = outputs_[port];
  if (out.link) {
    const bool held = out.held_back;
    if (out.link->serve()) return;
    allocates |= held && !out.held_back;
  }
  if (!allocates || !out.requests.without(heads_)) return;
  if (idle(out, now())) {
    allocate(port);
  } else {
    wake_link(port);
  }
}

/// The link is idle: of the heads that want it and have tokens, one goes. New ones take part, though they do not wait
/// yet.
template <typename F>
void BasicRouter<F>::allocate(unsigned port) {
  const Cycle present = now();
  Requesters candidates;
  Requesters priority;
  Requesters left = outputs_[port].requests;
  for (Requesters heads = heads_; heads; heads.remove_first()) {
    if (request(heads.first()).outputs >> port & 1) left.add(heads.first());
  }
  for (; left; left.remove_first()) {
    const unsigned requester = left.first();
    const Request& wanted = request(requester);
    if (channel_for(port, requester, wanted, present) == kNoChannel) continue;
    candidates.add(requester);
    if (wanted.priority()) priority.add(requester);
  }
  if (!candidates) return;
  const unsigned winner = candidates.has_several() ? choose(candidates, priority, port, present) : candidates.first();
  grant(port, winner, static_cast<unsigned>(channel_for(port, winner, request(winner), present)));
}

template <typename F>
unsigned BasicRouter<F>::choose(Requesters candidates, const Requesters& priority, unsigned port, Cycle present) {
  if (priority) {
    candidates = priority;
    const Requesters injecting = priority.from(kFirstInjection);
    const Requesters passing = priority.below(kFirstInjection);
    if (injecting && passing) {
      const unsigned chance = phases_.priority_injection;
      candidates = chance && next_random(random_, 32) < chance ? injecting : passing;
    }
  } else if (context_->transit_first) {
    if (const Requesters passing = candidates.below(kFirstInjection)) candidates = passing;
  }
  if constexpr (F::kTransitGrants) candidates = in_turn(candidates, outputs_[port]);
  if (!candidates.has_several()) return candidates.first();
  if (present % (phases_.fullness_cycles + phases_.random_cycles) < phases_.fullness_cycles) {
    return fullest(candidates, outputs_[port].last_granted);
  }
  for (std::uint32_t skip = next_random(random_, candidates.count()); skip; --skip) candidates.remove_first();
  return candidates.first();
}

/// Those in transit or, after transit_grants of them, those of injection.
template <typename F>
typename BasicRouter<F>::Requesters BasicRouter<F>::in_turn(const Requesters& candidates, OutputPort<F>& out) {
  const Requesters injecting = candidates.from(kFirstInjection);
  const Requesters passing = candidates.below(kFirstInjection);
  if (!injecting || !passing) return candidates;
  if constexpr (F::kTransitGrants) {
    if (out.transit_grants >= context_->transit_grants) {
      out.transit_grants = 0;
      return injecting;
    }
    ++out.transit_grants;
  }
  return passing;
}

/// The candidate with most chunks in its queue; of equals, the first after the one granted last. An injection FIFO
/// counts the one packet of it that the router holds.
template <typename F>
unsigned BasicRouter<F>::fullest(Requesters candidates, unsigned last) const {
  unsigned best = 0;
  unsigned best_held = 0;
  unsigned best_turn = 0;
  for (; candidates; candidates.remove_first()) {
    const unsigned requester = candidates.first();
    const unsigned held =
        requester < kFirstInjection ? inputs_[requester].held : injection_request_[requester - kFirstInjection].chunks;
    const unsigned turn = (requester - last - 1) % Requesters::kCapacity;
    if (held > best_held || (held == best_held && turn < best_turn)) {
      best = requester;
      best_held = held;
      best_turn = turn;
    }
  }
  return best;
}

}  // namespace toroid
