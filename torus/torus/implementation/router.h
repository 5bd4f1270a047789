// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include <utility>

#include "torus/base/random.h"
#include "torus/torus/config.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"

namespace toroid {

template <typename F>
void BasicRouter<F>::initialise(RouterContext<F>& context, const TorusConfig& config, std::uint32_t number,
                                std::uint64_t seed) {
  context_ = &context;
  number_ = number;
  coordinates_ = context.topology->router_coordinates(number);
  cut_offs_ = context.topology->minimal_cut_offs(coordinates_, config.tie_rule);
  random_ = mix(seed, number);
  phases_.fullness_cycles = static_cast<std::uint8_t>(config.fullness_cycles);
  phases_.random_cycles = static_cast<std::uint8_t>(config.random_cycles);
  phases_.priority_injection = static_cast<std::uint8_t>(config.priority_injection);
  injection_.fill(kNoPacket);
  reception_tokens_.fill(static_cast<std::uint16_t>(config.reception_depth));
  for (unsigned port = 0; port < context.ports; ++port) {
    OutputPort<F>& out = outputs_[port];
    neighbours_[port] = context.topology->neighbour(number, T::direction_of(port));
    for (unsigned vc = 0; vc < kVcs; ++vc) {
      out.tokens[vc] = static_cast<std::uint16_t>(config.buffer_of(kRouterFamily<F>, vc));
    }
    // A channel that is not used has no tokens, so that no packet is ever granted it.
    for (unsigned c = 0; c < T::kClasses; ++c) {
      for (unsigned i = config.adaptive_vcs; i < T::kAdaptiveCount[c]; ++i) out.tokens[T::kFirstAdaptive[c] + i] = 0;
    }
  }
}

template <typename F>
void BasicRouter<F>::on_event(std::uint32_t what, std::uint32_t arg) {
  const unsigned port = what >> 8;
  if (stand_in_ != nullptr) {
    stand_in_->on_router_event(static_cast<Kind>(what & 0xFF), port, arg);
    return;
  }
  switch (static_cast<Kind>(what & 0xFF)) {
    case kArrive:
      arrive(port, packet(arg));
      break;
    case kHeadReady:
      head_changed(port, packet(inputs_[port].queue.head));
      break;
    case kLinkFree:
      outputs_[port].wake_posted = false;
      settle_link(port);
      break;
    case kTokens:
      tokens_came(port / kVcs, port % kVcs, arg);
      break;
    case kLocalFree:
      local_paths_[port].wake_posted = false;
      settle_inputs(1u << port);
      break;
    case kInject:
      injected(port, arg);
      break;
    case kReceptionTokens:
      reception_tokens_came(port / T::kReceptionFifos, port % T::kReceptionFifos, arg);
      break;
    case kRelease:
      settle_link(port);
      break;
  }
}

template <typename F>
void BasicRouter<F>::settle() {
  if ((links_ | links_with_events_ | inputs_with_room_) != 0) settle_ports();
  Requesters left = std::exchange(heads_, Requesters());
  if (left.has_several()) {  // those with priority choose first
    for (Requesters all = left; all; all.remove_first()) {
      const unsigned requester = all.first();
      if (!request(requester).priority()) continue;
      left.remove(requester);
      start_head(requester);
    }
  }
  for (; left; left.remove_first()) start_head(left.first());
}

template <typename F>
void BasicRouter<F>::settle_ports() {
  const std::uint32_t allocated = std::exchange(links_, 0);
  const std::uint32_t links = allocated | std::exchange(links_with_events_, 0);
  if (stand_in_ != nullptr) {
    stand_in_->settle_links(links);
    return;
  }
  for (std::uint32_t left = std::exchange(inputs_with_room_, 0); left; left &= left - 1) {
    serve_local(static_cast<unsigned>(__builtin_ctz(left)));
  }
  for (std::uint32_t left = links; left; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctz(left));
    serve_link(port, (allocated >> port & 1) != 0);
  }
}

template <typename F>
void BasicRouter<F>::return_tokens(unsigned fifo, unsigned chunks, Cycle at, unsigned local) {
  assert(fifo < T::kReceptionFifos && local < F::kNodes);
  context_->wheel->post(at, *this, event(kReceptionTokens, local * T::kReceptionFifos + fifo), chunks);
}

template <typename F>
void BasicRouter<F>::set_cut_offs(const CutOffs& cut_offs) {
  cut_offs_ = cut_offs;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

template <typename F>
void BasicRouter<F>::set_arbitration(const ArbitrationPhases& phases) {
  phases_ = phases;
  if (stand_in_ != nullptr) stand_in_->settings_changed();
}

}  // namespace toroid
