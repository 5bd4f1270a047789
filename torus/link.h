// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include "torus/packet.h"

namespace toroid {

/// What crosses a link: a packet forward, tokens backward.
///
/// `at` is the absolute network cycle at which it happens (header's first byte at the receiver; tokens usable at the
/// sender), never earlier than the caller's present plus the link's minimum latency. Cycles rather than the sc_time
/// argument carry the annotation, because the wheel may run ahead of SystemC's clock; an adapter to a clocked peer
/// converts.
struct LinkPayload {
  Packet* packet = nullptr;    ///< phase packet
  Cycle at = 0;
  std::uint8_t channel = 0;    ///< virtual channel between routers; FIFO number between a device and its router
  std::uint16_t chunks = 0;    ///< phase tokens: chunks given back
};

enum class LinkPhase : std::uint8_t { packet, tokens };

/// TLM-2.0 non-blocking transport with the link's own protocol types. Router to router it is bound by plain pointers;
/// where unlike things meet (device to router, RTL adapter) it stands behind a socket.
using LinkForward = tlm::tlm_fw_nonblocking_transport_if<LinkPayload, LinkPhase>;
using LinkBackward = tlm::tlm_bw_nonblocking_transport_if<LinkPayload, LinkPhase>;
using LinkInitiatorSocket = tlm::tlm_base_initiator_socket<32, LinkForward, LinkBackward>;
using LinkTargetSocket = tlm::tlm_base_target_socket<32, LinkForward, LinkBackward>;

}  // namespace toroid
