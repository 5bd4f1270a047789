// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/stand_in.h"

namespace toroid {
namespace {

constexpr std::uint32_t kSettings = 2;  ///< argument of an event kEvaluate

}  // namespace

void TreeStandIn::take_over() {
  router_.stand_in_ = this;
  router_.injection_early_ = static_cast<std::uint8_t>(injection_cycles());
  for (unsigned channel = 0; channel < kTreeChannels; ++channel) {
    const TreeRouter::Output& out = router_.outputs_[channel];
    if (out.neighbour == kNoNode) continue;
    context().routers[out.neighbour].outputs_[out.neighbour_port].early = static_cast<std::uint8_t>(receiver_cycles());
  }
  settings_changed();
}

/// How far cores run ahead of the network must not show: as for the model, from the next cycle on.
void TreeStandIn::settings_changed() {
  context().wheel->post(now() + 1, router_, TreeRouter::event(TreeRouter::kEvaluate, 0, 0), kSettings);
}

void TreeStandIn::on_router_event(unsigned kind, unsigned vc, unsigned port, std::uint32_t arg) {
  event_begins();
  switch (static_cast<TreeRouter::Kind>(kind)) {
    case TreeRouter::kArrive:
    case TreeRouter::kInject: {
      TreePacket& packet = kind == TreeRouter::kArrive ? context().pool->at(arg) : router_.next_injected(vc);
      router_.enqueue(router_.inputs_[vc][port], packet);
      packet_came(packet, vc, port);
      break;
    }
    case TreeRouter::kToken:
      ++router_.outputs_[port].tokens[vc];
      token_came(vc, port);
      break;
    case TreeRouter::kEvaluate:
      if (arg == kSettings) new_settings();
      break;
    case TreeRouter::kAnswer:
      router_.outputs_[port].recovery->answer_came(arg);
      [[fallthrough]];
    case TreeRouter::kTimeout:
    case TreeRouter::kLinkFree:
      router_.links_ |= static_cast<std::uint8_t>(1u << port);
      router_.settle_later();
      break;
  }
  event_ends();
}

void TreeStandIn::settle() {
  event_begins();
  router_.serve_links();
  event_ends();
}

TreePacket& TreeStandIn::granted(unsigned vc, const Move& move, Cycle at) {
  TreePacket& packet = router_.take_inputs(vc, move, at);
  for (unsigned left = move.outputs; left != 0; left &= left - 1) {
    TreeRouter::Output& out = router_.outputs_[__builtin_ctz(left)];
    --out.tokens[vc];
    out.free_at = at + (move.combined ? context().alu_cycles : 0) + context().wire_cycles;
    ++context().in_flight[vc];  // also a packet for the device, while its words leave
  }
  return packet;
}

void TreeStandIn::delivered(TreePacket& packet, unsigned vc, Cycle at) {
  --context().in_flight[vc];
  ++context().received;
  router_.device_->packet_received(packet, vc, at);
}

void TreeStandIn::gave_back(unsigned vc, unsigned channel, Cycle at) {
  const TreeRouter::Output& back = router_.outputs_[channel];
  context().wheel->post(at, context().routers[back.neighbour],
                        TreeRouter::event(TreeRouter::kToken, vc, back.neighbour_port), 0);
}

}  // namespace toroid
