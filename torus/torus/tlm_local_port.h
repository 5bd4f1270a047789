// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tlm>

#include "torus/torus/link.h"
#include "torus/torus/local_port.h"
#include "torus/torus/router.h"

namespace toroid {

/// The seam between a router and a device that speaks the link protocol of link.h.
///
/// Device to router: nb_transport_fw {packet, at, channel = injection FIFO} and nb_transport_bw {chunks, at, channel =
/// reception FIFO}. Router to device: nb_transport_fw {packet, at, channel = reception FIFO} and nb_transport_bw
/// {chunks, at, channel = injection FIFO}. The router's calls come ahead of the `at` they carry.
template <typename F>
class BasicTlmLocalPort : public LocalPort, public LinkForward, public LinkBackward {
 public:
  /// Attaches to `router`; `device_packets` receives packets, `device_tokens` injection tokens.
  BasicTlmLocalPort(BasicRouter<F>& router, LinkForward& device_packets, LinkBackward& device_tokens);

  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;

  void packet_received(Packet& packet, unsigned fifo, Cycle at) override;
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at) override;

 private:
  BasicRouter<F>& router_;
  LinkForward& device_packets_;
  LinkBackward& device_tokens_;
};

/// The same seam behind TLM-2.0 sockets, for devices that are bound by sockets (RTL adapters, other simulators'
/// models): `to_device` carries received packets, `from_device` injected ones; tokens take the other way of each.
template <typename F>
class BasicLinkSocketPort : public sc_core::sc_module {
 public:
  BasicLinkSocketPort(const sc_core::sc_module_name& name, BasicRouter<F>& router);

  LinkInitiatorSocket to_device;
  LinkTargetSocket from_device;

 private:
  /// Passes the router's calls on to the sockets, which are bound only at the end of elaboration.
  struct DeviceSide : LinkForward, LinkBackward {
    explicit DeviceSide(BasicLinkSocketPort& port) : port_(port) {}
    tlm::tlm_sync_enum nb_transport_fw(LinkPayload& p, LinkPhase& phase, sc_core::sc_time& t) override {
      return port_.to_device->nb_transport_fw(p, phase, t);
    }
    tlm::tlm_sync_enum nb_transport_bw(LinkPayload& p, LinkPhase& phase, sc_core::sc_time& t) override {
      return port_.from_device->nb_transport_bw(p, phase, t);
    }
    BasicLinkSocketPort& port_;
  };

  DeviceSide device_;
  BasicTlmLocalPort<F> port_;
};

}  // namespace toroid
