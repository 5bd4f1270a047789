// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/core/prefetch_control.h"

namespace toroid {

/// The L1 prefetchers of a node's 16 cores as programs see them (nic/bgq/l1p_regs.h): each core reaches its own, at the
/// same addresses. What its register says of streams, the prefetch buffers of the core's hardware threads do. Of lists,
/// registers and the addresses that the kernel keeps for software are there; nothing is recorded and nothing read.
///
/// Accesses of 8 bytes, each at its own time. Errors, each with a FaultReason:
///   not 8 bytes at a multiple of 8              TLM_BURST_ERROR_RESPONSE
///   no register there, or one of the kernel's   TLM_ADDRESS_ERROR_RESPONSE
class L1pUnit : public sc_core::sc_module {
 public:
  static constexpr unsigned kCores = 16, kThreadsOfACore = 4;
  static constexpr std::uint64_t kBytes = 0x1C00;  ///< on the bus, from BGQ_L1P_BASE on; behind is the wake-up unit

  /// Where the lists of a hardware thread are, by the addresses of its process. Given by the kernel.
  struct Lists {
    std::uint64_t read, write;
  };
  using Change = std::function<void(unsigned core, const PrefetchControl& control)>;

  tlm_utils::simple_target_socket<L1pUnit, 32> bus;

  /// `depth` is what streams read ahead at first, in lines; `change` is told what programs set.
  L1pUnit(const sc_core::sc_module_name& name, unsigned depth, Change change);

  /// Of a hardware thread; none if it has no lists.
  std::optional<Lists>& lists(unsigned thread) { return lists_[thread]; }

 private:
  struct List {
    std::uint64_t control = 0, tolerance = 0, status = 0;
  };
  struct Unit {
    std::uint64_t streams = 0;
    std::array<List, kThreadsOfACore> lists;
  };

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  tlm::tlm_response_status serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  std::uint64_t* register_at(unsigned core, std::uint64_t offset);
  void write(unsigned core, std::uint64_t offset, std::uint64_t& target, std::uint64_t value);

  const Change change_;
  std::array<Unit, kCores> units_;
  std::array<std::optional<Lists>, kCores * kThreadsOfACore> lists_;
};

}  // namespace toroid
