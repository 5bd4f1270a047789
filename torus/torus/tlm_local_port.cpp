// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/tlm_local_port.h"

namespace toroid {

TlmLocalPort::TlmLocalPort(Router& router, LinkForward& device_packets, LinkBackward& device_tokens)
    : router_(router), device_packets_(device_packets), device_tokens_(device_tokens) {
  router.attach(*this);
}

tlm::tlm_sync_enum TlmLocalPort::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router_.inject(*payload.packet, payload.channel, payload.at);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum TlmLocalPort::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router_.return_tokens(payload.channel, payload.chunks, payload.at);
  return tlm::TLM_ACCEPTED;
}

void TlmLocalPort::packet_received(Packet& packet, unsigned fifo, Cycle at) {
  LinkPayload payload;
  payload.packet = &packet;
  payload.at = at;
  payload.channel = static_cast<std::uint8_t>(fifo);
  LinkPhase phase = LinkPhase::packet;
  sc_core::sc_time zero;
  device_packets_.nb_transport_fw(payload, phase, zero);
}

void TlmLocalPort::injection_taken(unsigned fifo, unsigned chunks, Cycle at) {
  LinkPayload payload;
  payload.at = at;
  payload.channel = static_cast<std::uint8_t>(fifo);
  payload.chunks = static_cast<std::uint16_t>(chunks);
  LinkPhase phase = LinkPhase::tokens;
  sc_core::sc_time zero;
  device_tokens_.nb_transport_bw(payload, phase, zero);
}

LinkSocketPort::LinkSocketPort(const sc_core::sc_module_name& name, Router& router)
    : sc_module(name),
      to_device("to_device"),
      from_device("from_device"),
      device_(*this),
      port_(router, device_, device_) {
  to_device.bind(static_cast<LinkBackward&>(port_));
  from_device.bind(static_cast<LinkForward&>(port_));
}

}  // namespace toroid
