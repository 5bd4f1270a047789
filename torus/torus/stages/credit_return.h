// SPDX-License-Identifier: Apache-2.0
// A part of the router; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/router.h"

namespace toroid {

template <typename F>
inline void BasicRouter<F>::return_upstream(unsigned in, unsigned channel, unsigned tokens, Cycle tail_left) {
  post_tokens(in, channel, tokens, tail_left + context_->token_cycles);
}

template <typename F>
void BasicRouter<F>::post_tokens(unsigned in, unsigned channel, unsigned tokens, Cycle at) {
  // The link that comes in here by port `in` is the neighbour's output at its other end.
  BasicRouter& upstream = context_->routers[neighbours_[in]];
  context_->wheel->post(at, upstream, event(kTokens, T::opposite_port(in) * kVcs + channel), tokens);
}

template <typename F>
void BasicRouter<F>::tokens_came(unsigned port, unsigned channel, unsigned tokens) {
  OutputPort<F>& out = outputs_[port];
  out.tokens[channel] = static_cast<std::uint16_t>(out.tokens[channel] + tokens);
  if (may_be_free(out) && out.requests) settle_link(port);
}

}  // namespace toroid
