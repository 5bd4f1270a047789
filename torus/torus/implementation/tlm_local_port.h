// SPDX-License-Identifier: Apache-2.0
// The seam to a device; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/link_transport.h"
#include "torus/torus/tlm_local_port.h"

namespace toroid {

template <typename F>
BasicTlmLocalPort<F>::BasicTlmLocalPort(BasicRouter<F>& router, LinkForward& device_packets,
                                        LinkBackward& device_tokens)
    : router_(router), device_packets_(device_packets), device_tokens_(device_tokens) {
  router.attach(*this);
}

template <typename F>
tlm::tlm_sync_enum BasicTlmLocalPort<F>::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router_.inject(*payload.packet, payload.channel, payload.at);
  return tlm::TLM_ACCEPTED;
}

template <typename F>
tlm::tlm_sync_enum BasicTlmLocalPort<F>::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router_.return_tokens(payload.channel, payload.chunks, payload.at);
  return tlm::TLM_ACCEPTED;
}

template <typename F>
void BasicTlmLocalPort<F>::packet_received(Packet& packet, unsigned fifo, Cycle at) {
  send_packet(device_packets_, packet, fifo, at);
}

template <typename F>
void BasicTlmLocalPort<F>::injection_taken(unsigned fifo, unsigned chunks, Cycle at) {
  send_tokens(device_tokens_, fifo, chunks, at);
}

template <typename F>
BasicLinkSocketPort<F>::BasicLinkSocketPort(const sc_core::sc_module_name& name, BasicRouter<F>& router)
    : sc_module(name),
      to_device("to_device"),
      from_device("from_device"),
      device_(*this),
      port_(router, device_, device_) {
  to_device.bind(static_cast<LinkBackward&>(port_));
  from_device.bind(static_cast<LinkForward&>(port_));
}

}  // namespace toroid
