// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace toroid {

/// Sends each transaction to the target whose address range holds it. Addresses pass through unchanged: a target sees
/// the physical address. Takes no time of its own. An access outside every range, or across the end of one, gets
/// TLM_ADDRESS_ERROR_RESPONSE.
class AddressDecoder : public sc_core::sc_module {
 public:
  using OutputSocket = tlm_utils::simple_initiator_socket<AddressDecoder, 32>;

  tlm_utils::multi_passthrough_target_socket<AddressDecoder, 32> in;  ///< takes any number of masters

  /// The addresses [base, base + size) of the target called `name`.
  struct Target {
    std::string name;
    std::uint64_t base;
    std::uint64_t size;

    std::uint64_t last() const { return base + (size - 1); }
    bool holds(std::uint64_t address) const { return address >= base && address - base < size; }
  };

  /// Throws std::invalid_argument if a range is empty, leaves the 64-bit address space or overlaps another.
  AddressDecoder(const sc_core::sc_module_name& name, std::vector<Target> targets);

  /// The socket to bind to target number `index`.
  OutputSocket& out(std::size_t index) { return *outputs_.at(index); }

 private:
  /// The number of the target that holds `address`; that of targets if none does.
  std::size_t index_of(std::uint64_t address);
  OutputSocket* find(tlm::tlm_generic_payload& payload);
  void b_transport(int master, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int master, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int master, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  const std::vector<Target> targets_;
  std::vector<std::unique_ptr<OutputSocket>> outputs_;
  std::size_t last_ = 0;  ///< the target found last: mostly the next one as well
};

}  // namespace toroid
