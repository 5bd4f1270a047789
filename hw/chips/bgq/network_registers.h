// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/chips/bgq/class_routes.h"
#include "nic/bgq/mu.h"
#include "torus/base/topology.h"

namespace toroid {

/// The control registers of the network that users can read: whether its parts are in reset (none is), the cut-offs of
/// the node's coordinates, routes of classes, and checksums of what has been injected. Loads of 8 bytes at
/// BGQ_ND_500_BASE and BGQ_ND_X2_BASE (kernel_services.h).
///
/// Errors, each with a FaultReason:
///   not 8 bytes        TLM_BURST_ERROR_RESPONSE
///   a store            TLM_GENERIC_ERROR_RESPONSE: only the kernel may
///   no register there  TLM_ADDRESS_ERROR_RESPONSE
class NetworkRegisters : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kBytes = 4096;  ///< of either window

  /// Takes any number of masters: the windows lie apart.
  tlm_utils::multi_passthrough_target_socket<NetworkRegisters, 32> bus;

  /// `routes` and `mu` are kept by reference.
  NetworkRegisters(const sc_core::sc_module_name& name, const ClassRoutes& routes, const MuDevice& mu,
                   const CutOffs& cut_offs);

 private:
  void b_transport(int master, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(int master, tlm::tlm_generic_payload& access);
  tlm::tlm_response_status perform_access(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                          std::string& reason) const;
  std::optional<std::uint64_t> read(std::uint64_t address) const;

  const ClassRoutes& routes_;
  const MuDevice& mu_;
  const std::uint64_t cut_offs_;
};

}  // namespace toroid
