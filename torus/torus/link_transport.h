// SPDX-License-Identifier: Apache-2.0
//
// The calls of the link's protocol (link.h has their meaning), for units beside a router.
#pragma once

#include "torus/torus/link.h"

namespace toroid {

inline void send_packet(LinkForward& receiver, Packet& packet, unsigned channel, Cycle at) {
  LinkPayload payload{&packet, at, static_cast<std::uint8_t>(channel), 0};
  LinkPhase phase = LinkPhase::packet;
  sc_core::sc_time zero;
  receiver.nb_transport_fw(payload, phase, zero);
}

inline void send_tokens(LinkBackward& sender, unsigned channel, unsigned chunks, Cycle at) {
  LinkPayload payload{nullptr, at, static_cast<std::uint8_t>(channel), static_cast<std::uint16_t>(chunks)};
  LinkPhase phase = LinkPhase::tokens;
  sc_core::sc_time zero;
  sender.nb_transport_bw(payload, phase, zero);
}

}  // namespace toroid
