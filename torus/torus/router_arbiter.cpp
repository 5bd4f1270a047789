// SPDX-License-Identifier: Apache-2.0
// Which packet goes out on which link and virtual channel.
#include <algorithm>
#include <cassert>

#include "torus/base/progress.h"
#include "torus/base/random.h"
#include "torus/torus/network_observer.h"
#include "torus/torus/router.h"
#include "torus/torus/torus_link.h"

namespace toroid {

/// The channel on which the head of `requester` could go out in `direction` now, or kNoChannel. It looks at that link
/// alone: whatever may change the answer ends in an arbitration of that link.
int Router::channel_for(unsigned direction, unsigned requester, const Request& wanted, Cycle now) {
  const OutputPort& out = outputs_[direction];
  if (wanted.deposit() && !deposit_possible(requester, now)) return kNoChannel;
  unsigned channel;
  if (wanted.dynamic()) {
    const unsigned best = out.tokens[1] > out.tokens[0] ? 1 : 0;
    if (out.tokens[best] >= wanted.chunks) return static_cast<int>(best);
    if (direction != wanted.first_output()) return kNoChannel;
    channel = static_cast<unsigned>(Channel::bubble);
  } else {
    channel = static_cast<unsigned>(wanted.priority() ? Channel::priority : Channel::bubble);
  }
  const bool stays_in_ring = requester == opposite(static_cast<Direction>(direction)) * kChannels + channel;
  const unsigned needed = kMaxChunks + (stays_in_ring ? 0 : context_->bubble_chunks);
  return out.tokens[channel] >= needed ? static_cast<int>(channel) : kNoChannel;
}

/// A packet with the deposit bit leaves its copy at every node it passes, in the same cycle as it goes on: the local
/// path and the reception FIFO must take it.
bool Router::deposit_possible(unsigned requester, Cycle now) {
  if (requester >= kFirstInjection) return true;  // the source keeps no copy
  const unsigned in = requester / kChannels;
  InputPort& input = inputs_[in];
  if (input.local_busy_until > now) {
    deposit_waits_ = true;
    wake_local(in);
    return false;
  }
  const Packet& p = packet(input.queue[requester % kChannels].head);
  if (reception_tokens_[reception_fifo(in, p)] >= p.chunks) return true;
  deposit_waits_ = true;
  return false;
}

/// A new head: of the links it may take that are free, the one with most tokens downstream (join the shortest queue).
/// Others that want those links lack tokens there, or the links would not be free.
void Router::try_send(unsigned requester) {
  const Request wanted = request(requester);
  const Cycle present = now();
  int best_direction = -1;
  int best_channel = kNoChannel;
  unsigned best_tokens = 0;
  for (std::uint32_t left = wanted.outputs; left; left &= left - 1) {
    const auto direction = static_cast<unsigned>(__builtin_ctz(left));
    const OutputPort& out = outputs_[direction];
    if (!idle(out, present)) {
      wake_link(direction);
      continue;
    }
    const int channel = channel_for(direction, requester, wanted, present);
    if (channel == kNoChannel) continue;
    // A bubble channel is the way of last resort.
    const bool escape = wanted.dynamic() && channel >= static_cast<int>(Channel::bubble);
    const unsigned tokens = escape ? 1 : 1u + out.tokens[static_cast<unsigned>(channel)];
    if (tokens > best_tokens) {
      best_direction = static_cast<int>(direction);
      best_channel = channel;
      best_tokens = tokens;
    }
  }
  if (best_direction >= 0) {
    grant(static_cast<unsigned>(best_direction), requester, static_cast<unsigned>(best_channel));
  }
}

/// Has the link look for work when the packet under way has left. A link stopped or held back is woken by what frees
/// it.
void Router::wake_link(unsigned direction) {
  OutputPort& out = outputs_[direction];
  if (out.wake_posted || out.busy_until <= now()) return;
  out.wake_posted = true;
  context_->wheel->post(out.busy_until, *this, event(kLinkFree, direction), 0);
}

/// The link is idle: of the heads that want it and have tokens, one goes.
void Router::arbitrate(unsigned direction) {
  const Cycle present = now();
  std::uint64_t candidates = 0;
  std::uint64_t priority = 0;
  for (std::uint64_t left = outputs_[direction].requests; left; left &= left - 1) {
    const auto requester = static_cast<unsigned>(__builtin_ctzll(left));
    const Request& wanted = request(requester);
    if (channel_for(direction, requester, wanted, present) == kNoChannel) continue;
    candidates |= std::uint64_t{1} << requester;
    if (wanted.priority()) priority |= std::uint64_t{1} << requester;
  }
  if (!candidates) return;
  const unsigned winner = candidates & (candidates - 1) ? choose(candidates, priority, direction, present)
                                                        : static_cast<unsigned>(__builtin_ctzll(candidates));
  grant(direction, winner, static_cast<unsigned>(channel_for(direction, winner, request(winner), present)));
}

unsigned Router::choose(std::uint64_t candidates, std::uint64_t priority, unsigned direction, Cycle present) {
  constexpr std::uint64_t kInjection = ~std::uint64_t{0} << kFirstInjection;
  if (priority) {
    candidates = priority;
    const std::uint64_t injecting = priority & kInjection;
    const std::uint64_t passing = priority & ~kInjection;
    if (injecting && passing) {
      candidates = phases_.priority_injection && random(32) < phases_.priority_injection ? injecting : passing;
    }
  }
  if (!(candidates & (candidates - 1))) return static_cast<unsigned>(__builtin_ctzll(candidates));
  if (present % (phases_.fullness_cycles + phases_.random_cycles) < phases_.fullness_cycles) {
    return fullest(candidates, outputs_[direction].last_granted);
  }
  for (std::uint32_t skip = random(static_cast<std::uint32_t>(__builtin_popcountll(candidates))); skip; --skip) {
    candidates &= candidates - 1;
  }
  return static_cast<unsigned>(__builtin_ctzll(candidates));
}

/// The candidate with most chunks in its queue; of equals, the first after the one granted last. An injection FIFO
/// counts the one packet of it that the router holds.
unsigned Router::fullest(std::uint64_t candidates, unsigned last) const {
  unsigned best = 0;
  unsigned best_held = 0;
  unsigned best_turn = 0;
  for (std::uint64_t left = candidates; left; left &= left - 1) {
    const auto requester = static_cast<unsigned>(__builtin_ctzll(left));
    const unsigned held = requester < kFirstInjection ? inputs_[requester / kChannels].held[requester % kChannels]
                                                      : injection_request_[requester - kFirstInjection].chunks;
    const unsigned turn = (requester - last - 1) % 64;
    if (held > best_held || (held == best_held && turn < best_turn)) {
      best = requester;
      best_held = held;
      best_turn = turn;
    }
  }
  return best;
}

std::uint32_t Router::random(std::uint32_t below) {
  return next_random(random_, below);
}

/// The head of `requester` goes out in `direction` on `channel`.
void Router::grant(unsigned direction, unsigned requester, unsigned channel) {
  OutputPort& out = outputs_[direction];
  const Cycle present = now();
  const std::uint64_t bit = std::uint64_t{1} << requester;
  const Request& wanted = request(requester);
  for (std::uint32_t left = wanted.outputs; left; left &= left - 1) {
    outputs_[__builtin_ctz(left)].requests &= ~bit;
  }
  const std::uint32_t index = requester < kFirstInjection
                                  ? inputs_[requester / kChannels].queue[requester % kChannels].head
                                  : injection_[requester - kFirstInjection];
  Packet& p = packet(index);
  const unsigned tokens = charge(channel, p.chunks);
  out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] - tokens);
  out.last_granted = static_cast<std::uint8_t>(requester);
  // Between links of different widths the tail cannot leave before it has come.
  const Cycle tail_left = std::max(present + context_->wire_cycles[direction][p.chunks], p.tail);
  ++context_->hops;
  context_->progress->packet_moved(present);

  const unsigned chunks = p.chunks;
  if (p.deposit && requester < kFirstInjection) deposit_copy(requester / kChannels, p, tail_left);
  ++p.hops;
  p.channel = static_cast<Channel>(channel);
  if (out.link) {
    out.link->send(p, present, tail_left);
  } else {
    ++out.packets;
    out.chunks += chunks;
    out.busy_cycles += tail_left - present;
    out.busy_until = tail_left;
    p.tail = tail_left + context_->hop_cycles;
    if (context_->observer != nullptr) {
      context_->observer->on_sent(node_, static_cast<Direction>(direction), p, present, tail_left, false);
    }
    context_->wheel->post(present + context_->hop_cycles, context_->routers[out.neighbour],
                          event(kArrive, opposite(static_cast<Direction>(direction)) * kChannels + channel), index);
  }

  if (requester < kFirstInjection) {
    const unsigned in = requester / kChannels;
    const unsigned from = requester % kChannels;
    const unsigned held = charge(from, chunks);
    inputs_[in].held[from] = static_cast<std::uint8_t>(inputs_[in].held[from] - held);
    return_upstream(in, from, held, tail_left);
    take_head(requester, tail_left);
  } else {
    const unsigned fifo = requester - kFirstInjection;
    take_head(requester, tail_left);
    local_->injection_taken(fifo, chunks, out_of_fifo(tail_left));
  }
  // After the next head and the next injection: they step up in the cycle in which the link is free, and take part.
  if (out.requests) wake_link(direction);
}

void Router::deposit_copy(unsigned in, const Packet& p, Cycle tail_left) {
  Packet& copy = context_->pool->clone(p);
  const unsigned fifo = reception_fifo(in, copy);
  reception_tokens_[fifo] = static_cast<std::uint16_t>(reception_tokens_[fifo] - copy.chunks);
  inputs_[in].local_busy_until = tail_left;
  ++context_->copied;
  ++context_->received;
  ++counters_.copied;
  ++counters_.received;
  const Cycle at = tail_left + context_->reception_cycles;
  if (context_->observer != nullptr) context_->observer->on_received(node_, fifo, copy, now(), at, true);
  local_->packet_received(copy, fifo, at);
}

}  // namespace toroid
