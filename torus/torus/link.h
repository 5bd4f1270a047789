// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include "torus/torus/packet.h"

namespace toroid {

/// What crosses a link: a packet forward, tokens backward.
///
/// `at` is the absolute network cycle at which it happens, never earlier than the caller's present plus the link's
/// minimum latency. Cycles rather than the sc_time argument carry the annotation, because the wheel may run ahead of
/// SystemC's clock; an adapter to a clocked peer converts. Between a device and its router:
/// - packet to the router: `at` (>= the present) is when the packet is in the injection FIFO `channel`;
/// - tokens to the device: at `at` (> the present) the last byte of the packet taken leaves injection FIFO `channel`,
///   `chunks` are free, and the next packet may be handed over, which then follows on the link without a gap;
/// - packet to the device: at `at` (> the present) its last byte is in reception FIFO `channel` and counted;
/// - tokens to the router: at `at` (> the present) `chunks` of reception FIFO `channel` are free.
struct LinkPayload {
  Packet* packet = nullptr;  ///< phase packet
  Cycle at{};
  std::uint8_t channel = 0;  ///< virtual channel between routers; FIFO number between a device and its router
  std::uint16_t chunks = 0;  ///< phase tokens: chunks given back
};

enum class LinkPhase : std::uint8_t { packet, tokens };

/// TLM-2.0 non-blocking transport with the link's own protocol types. Router to router the same exchange is made by
/// wheel events; where unlike things meet (device to router, RTL adapter) it stands behind these interfaces, bound by
/// plain pointers or by sockets (tlm_local_port.h).
struct LinkProtocol {
  using tlm_payload_type = LinkPayload;
  using tlm_phase_type = LinkPhase;
};
struct LinkForward : tlm::tlm_fw_nonblocking_transport_if<LinkPayload, LinkPhase> {
  using protocol_types = LinkProtocol;
};
struct LinkBackward : tlm::tlm_bw_nonblocking_transport_if<LinkPayload, LinkPhase> {
  using protocol_types = LinkProtocol;
};
using LinkInitiatorSocket = tlm::tlm_base_initiator_socket<32, LinkForward, LinkBackward>;
using LinkTargetSocket = tlm::tlm_base_target_socket<32, LinkForward, LinkBackward>;

}  // namespace toroid
